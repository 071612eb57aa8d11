//! Oracles: closed forms of the derivatives in exact rationals or in MPFR at 500 bits;
//! multiplication as the inverse of division; a series over an interval against series at points
//! inside it.

use proptest::prelude::*;
use rug::ops::Pow;
use rug::{Float, Integer, Rational};

use super::*;
use crate::builtin::Builtin;

mod functions;

const ORDER: usize = 12;
const PRECISION: u32 = 100;
const ORACLE: u32 = 500;

/// A function of a series.
type Operation<'a> = &'a dyn Fn(&Series) -> Result<Series, FunctionError>;

fn rational(numerator: i64, denominator: i64) -> Rational {
    Rational::from((numerator, denominator))
}

fn point(x: &Rational, precision: u32) -> Interval {
    Interval::from_rational(x, precision).unwrap()
}

fn variable(x: &Rational) -> Series {
    Series::variable(&point(x, PRECISION), ORDER).unwrap()
}

fn wide(lo: f64, hi: f64) -> Interval {
    Interval::new(Float::with_val(PRECISION, lo), Float::with_val(PRECISION, hi)).unwrap()
}

/// C(α, k) = α(α−1)…(α−k+1)/k!.
fn binomial(alpha: &Rational, k: usize) -> Rational {
    (0..k).fold(Rational::from(1), |c, i| c * (alpha.clone() - i as u64) / (i as u64 + 1))
}

/// Whether the width is below 2^-80 of the magnitude, or of 2^-60.
fn is_narrow(c: &Interval) -> bool {
    let size = c.mag().max(&(Float::with_val(PRECISION, 1) >> 60));
    c.width().unwrap() <= size >> (PRECISION - 20)
}

/// Every coefficient holds its exact value, and is narrow.
#[track_caller]
fn assert_coefficients<T: std::fmt::Display>(series: &Series, exact: impl Fn(usize) -> T)
where
    Float: PartialOrd<T>,
{
    assert_eq!(series.order(), ORDER);
    for (k, c) in series.coefficients().iter().enumerate() {
        let value = exact(k);
        assert!(c.contains(&value), "degree {k}: {value} is not in {c}");
        assert!(is_narrow(c), "degree {k}: {c} is too wide");
    }
}

#[test]
fn algebraic_functions_in_closed_form() {
    for x in [rational(9, 4), rational(1, 16), rational(25, 1)] {
        let v = variable(&x);
        assert_coefficients(&v.recip().unwrap(), |k| {
            binomial(&rational(-1, 1), k) / x.clone().pow(k as i32 + 1)
        });
        for n in [-7, -1, 0, 1, 2, 3, 20] {
            let power = |k| binomial(&rational(n.into(), 1), k) * x.clone().pow(n - k as i32);
            assert_coefficients(&v.powi(n).unwrap(), power);
        }
        let root = rational(1, 1) * Rational::from((x.numer().clone().sqrt(), x.denom().clone().sqrt()));
        assert_coefficients(&v.sqrt().unwrap(), |k| {
            binomial(&rational(1, 2), k) * &root / x.clone().pow(k as i32)
        });
    }
    for (x, root) in [(rational(27, 8), rational(3, 2)), (rational(-1, 64), rational(-1, 4))] {
        let c = variable(&x).cbrt().unwrap();
        assert_coefficients(&c, |k| binomial(&rational(1, 3), k) * &root / x.clone().pow(k as i32));
    }
}

#[test]
fn transcendental_functions_in_closed_form() {
    let factorial = |k: usize| Integer::from(Integer::factorial(k as u32));
    for x in [rational(5, 8), rational(-3, 2), rational(7, 1)] {
        let v = variable(&x);
        let f = Float::with_val(ORACLE, &x);
        assert_coefficients(&v.exp().unwrap(), |k| f.clone().exp() / factorial(k));
        let ln = |b: u32| Float::with_val(ORACLE, b).ln();
        assert_coefficients(&v.exp2().unwrap(), |k| f.clone().exp2() * ln(2).pow(k as u32) / factorial(k));
        assert_coefficients(&v.exp10().unwrap(), |k| f.clone().exp10() * ln(10).pow(k as u32) / factorial(k));
        // the derivatives of sin: sin, cos, −sin, −cos
        let derivative = |k: usize| {
            let value = if k.is_multiple_of(2) { f.clone().sin() } else { f.clone().cos() };
            (if k % 4 < 2 { value } else { -value }) / factorial(k)
        };
        let (sin, cos) = v.sin_cos().unwrap();
        assert_coefficients(&sin, derivative);
        assert_coefficients(&cos, |k| derivative(k + 1) * (k as u64 + 1));
        if x > 0 {
            let power = |k: usize| {
                -Rational::from((-1, k as u64)) * rational(-1, 1).pow(k as i32 + 1) / x.clone().pow(k as i32)
            };
            for (series, f_0, ln_b) in [
                (v.ln(), f.clone().ln(), Float::with_val(ORACLE, 1)),
                (v.log2(), f.clone().log2(), ln(2)),
                (v.log10(), f.clone().log10(), ln(10)),
            ] {
                assert_coefficients(&series.unwrap(), |k| {
                    if k == 0 { f_0.clone() } else { Float::with_val(ORACLE, power(k)) / &ln_b }
                });
            }
        }
    }
}

/// tan = x + x³/3 + 2x⁵/15 + 17x⁷/315 + 62x⁹/2835 + 1382x¹¹/155925 about 0; elsewhere tan·cos =
/// sin.
#[test]
fn tangent() {
    let known = [(1, 1), (1, 3), (2, 15), (17, 315), (62, 2835), (1382, 155_925)];
    let about_zero = variable(&rational(0, 1)).tan().unwrap();
    for (k, c) in about_zero.coefficients().iter().enumerate() {
        let value = if k % 2 == 1 { rational(known[k / 2].0, known[k / 2].1) } else { Rational::new() };
        assert!(c.contains(&value), "degree {k}");
    }
    for x in [rational(3, 2), rational(-4, 7), rational(100, 3)] {
        let v = Series::variable(&point(&x, ORACLE), ORDER).unwrap();
        let (sin, cos) = v.sin_cos().unwrap();
        let product = v.tan().unwrap().mul(&cos).unwrap();
        for (a, b) in product.coefficients().iter().zip(sin.coefficients()) {
            assert!(a.intersects(b) && a.width().unwrap() < 1e-15);
        }
    }
}

#[test]
fn degree_zero_is_the_interval_function() {
    for a in [wide(0.25, 0.75), wide(2.0, 3.0), wide(0.001, 1.5)] {
        let series = Series::variable(&a, 5).unwrap();
        for builtin in Builtin::ALL {
            if let Ok(range) = builtin.interval(&a) {
                assert_eq!(builtin.series(&series).unwrap().coefficient(0), Some(&range), "{builtin}");
            }
        }
        assert_eq!(series.powi(4).unwrap().coefficient(0), Some(&a.powi(4).unwrap()));
    }
    // a nonlinear argument that changes sign: repeated multiplication gives [−2, 4]·[0, 16] = [−32,
    // 64]
    let curved = Series::new(vec![wide(-2.0, 4.0), wide(1.0, 1.0), wide(1.0, 1.0)]).unwrap();
    assert_eq!(curved.powi(3).unwrap().coefficient(0), Some(&wide(-8.0, 64.0)));
}

/// A nonlinear argument, so that every term of every recurrence is there: g = a₀ + a₁·t + a₂·t² +
/// ….
fn polynomial() -> impl Strategy<Value = (Vec<f64>, Series)> {
    prop::collection::vec(-2.0..2.0f64, ORDER + 1).prop_map(|mut coefficients| {
        coefficients[0] = coefficients[0].abs() + 0.125;
        let intervals = coefficients.iter().map(|c| Interval::from_f64(*c, 300).unwrap()).collect();
        (coefficients, Series::new(intervals).unwrap())
    })
}

fn assert_same(a: &Series, b: &Series) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.order(), b.order());
    for (k, (a, b)) in a.coefficients().iter().zip(b.coefficients()).enumerate() {
        prop_assert!(a.intersects(b), "degree {k}: {a} and {b}");
        let (width, size) = (a.width().unwrap(), a.mag() + 1u32);
        prop_assert!(width <= size >> 40, "degree {k}: {a} says nothing");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Products and powers against exact convolution.
    #[test]
    fn products_are_convolutions((a, a_series) in polynomial(), (b, b_series) in polynomial(), n in 0u32..6) {
        let exact = |c: &[f64]| c.iter().map(|c| Rational::from_f64(*c).unwrap()).collect::<Vec<_>>();
        let (a, b) = (exact(&a), exact(&b));
        let convolve = |a: &[Rational], b: &[Rational]| (0..=ORDER)
            .map(|k| (0..=k).fold(Rational::new(), |sum, i| sum + Rational::from(&a[i] * &b[k - i])))
            .collect::<Vec<_>>();
        let holds = |series: &Series, exact: &[Rational]| series.coefficients().iter().zip(exact).all(|(c, q)| c.contains(q));
        prop_assert!(holds(&a_series.mul(&b_series).unwrap(), &convolve(&a, &b)));
        prop_assert!(holds(&a_series.sqr().unwrap(), &convolve(&a, &a)));
        let mut power = exact(&[1.0; 1]);
        power.resize(ORDER + 1, Rational::new());
        for _ in 0..n {
            power = convolve(&power, &a);
        }
        prop_assert!(holds(&a_series.powi(n as i32).unwrap(), &power));
        let sum: Vec<_> = a.iter().zip(&b).map(|(a, b)| Rational::from(a + b)).collect();
        let difference: Vec<_> = a.iter().zip(&b).map(|(a, b)| Rational::from(a - b)).collect();
        prop_assert!(holds(&a_series.add(&b_series).unwrap(), &sum));
        prop_assert!(holds(&a_series.sub(&b_series).unwrap(), &difference));
        prop_assert!(holds(&b_series.sub(&a_series).unwrap().neg(), &difference));
        let t = rational(-3, 7);
        let value = a.iter().rev().fold(Rational::new(), |sum, c| sum * &t + c);
        prop_assert!(a_series.evaluate(&point(&t, PRECISION)).unwrap().contains(&value));
    }

    /// Identities between functions of a nonlinear series.
    #[test]
    fn identities((_, g) in polynomial(), (_, b) in polynomial()) {
        let one = Series::constant(Interval::from_f64(1.0, PRECISION).unwrap(), ORDER).unwrap();
        assert_same(&g.mul(&b).unwrap().div(&b).unwrap(), &g)?;
        assert_same(&g.powi(-3).unwrap().mul(&g.powi(3).unwrap()).unwrap(), &one)?;
        assert_same(&g.sqrt().unwrap().sqr().unwrap(), &g)?;
        assert_same(&g.cbrt().unwrap().powi(3).unwrap(), &g)?;
        assert_same(&g.ln().unwrap().exp().unwrap(), &g)?;
        assert_same(&g.log2().unwrap().exp2().unwrap(), &g)?;
        assert_same(&g.log10().unwrap().exp10().unwrap(), &g)?;
        let (sin, cos) = g.sin_cos().unwrap();
        assert_same(&sin.sqr().unwrap().add(&cos.sqr().unwrap()).unwrap(), &one)?;
        let double = g.scale(&Interval::from_f64(2.0, PRECISION).unwrap()).unwrap();
        let sin_cos = sin.mul(&cos).unwrap();
        assert_same(&double.sin().unwrap(), &sin_cos.add(&sin_cos).unwrap())?;
        if *g.coefficients()[0].hi() < 1.5 {
            assert_same(&g.tan().unwrap().mul(&cos).unwrap(), &sin)?;
        }
    }

    /// The enclosure over an interval holds the coefficients at every point of it.
    #[test]
    fn wide_series_contain_point_series(lo in 0.1..1.2f64, width in 0.0..0.3f64, part in 0.0..=1.0f64) {
        let at = wide(lo, lo + width);
        let x = Float::with_val(300, width * part + at.lo()).clamp(at.lo(), at.hi());
        let inner = Interval::point(x).unwrap().round_to(300).unwrap();
        let (outer, inner) = (Series::variable(&at, ORDER).unwrap(), Series::variable(&inner, ORDER).unwrap());
        for builtin in Builtin::ALL {
            // x where the function is defined
            let placed = |x: &Series| match builtin {
                Builtin::Acosh => x.plus(1),
                Builtin::Asin | Builtin::Acos | Builtin::AsinPi | Builtin::AcosPi | Builtin::Atanh | Builtin::TanPi =>
                    x.plus(-1)?.scale(&Interval::from_f64(0.5, PRECISION)?),
                _ => Ok(x.clone()),
            };
            // of x, and of a series with all terms: f(x²)·x² + f(x)
            let both = |x: &Series| {
                let composed = builtin.series(&placed(&x.sqr()?)?).and_then(|f| f.mul(&x.powi(2)?))?;
                composed.add(&builtin.series(&placed(x)?)?)
            };
            for f in [&|x: &Series| builtin.series(&placed(x)?), &both as Operation<'_>] {
                let Ok(outer) = f(&outer) else { continue }; // tan has poles, x² may leave the domain
                let inner = f(&inner).unwrap();
                for (k, (c, point)) in outer.coefficients().iter().zip(inner.coefficients()).enumerate() {
                    prop_assert!(c.intersects(point), "{builtin}, degree {k}: {point} is not in {c}");
                    prop_assert!(point.width().unwrap() < 1e-40, "{builtin}, degree {k}: {point} says nothing");
                }
            }
        }
    }
}

#[test]
fn shapes_and_limits() {
    let two = wide(2.0, 2.0);
    assert_eq!(Series::new(vec![]), Err(FunctionError::NoCoefficients));
    assert_eq!(
        Series::new(vec![two.clone(); MAX_ORDER + 2]),
        Err(FunctionError::Order { order: MAX_ORDER + 1 })
    );
    assert_eq!(Series::constant(two.clone(), usize::MAX), Err(FunctionError::Order { order: usize::MAX }));
    assert_eq!(Series::variable(&two, 0), Series::new(vec![two.clone()]));
    let (a, b) = (Series::variable(&two, 3).unwrap(), Series::variable(&two, 5).unwrap());
    for series in [a.mul(&b), b.mul(&a), a.div(&b), b.div(&a), a.add(&b), b.sub(&a)] {
        assert_eq!(series.unwrap().order(), 3);
    }
    assert_eq!(b.clone().truncate(1).order(), 1);
    assert_eq!(b.clone().truncate(9), b);
    assert_eq!(b.powi(0).unwrap(), Series::constant(wide(1.0, 1.0), 5).unwrap());
}

#[test]
fn singular_points_are_errors() {
    let pole = |result: Result<Series, FunctionError>| matches!(result, Err(FunctionError::Pole { .. }));
    let at_zero = Series::variable(&wide(0.0, 1.0), 1).unwrap();
    assert!(pole(at_zero.sqrt()) && pole(at_zero.cbrt()) && pole(at_zero.recip()) && pole(at_zero.powi(-1)));
    assert!(pole(at_zero.sqr().unwrap().powi(-1)));
    assert!(at_zero.powi(3).is_ok());
    let value_only = at_zero.clone().truncate(0);
    assert!(value_only.sqrt().is_ok() && value_only.cbrt().is_ok());
    assert!(matches!(at_zero.ln(), Err(FunctionError::OutsideDomain { .. })));
    assert!(pole(at_zero.rsqrt()) && pole(at_zero.rootn(3)) && pole(at_zero.rootn(-3)));
    assert!(value_only.rootn(3).is_ok() && pole(value_only.rsqrt()));
    // the ends of the domains have values and no slope
    for (lo, hi) in [(0.5, 1.0), (-1.0, -0.25), (-1.0, 1.0)] {
        let x = Series::variable(&wide(lo, hi), 1).unwrap();
        let value_only = x.clone().truncate(0);
        for builtin in [Builtin::Asin, Builtin::Acos, Builtin::AsinPi, Builtin::AcosPi] {
            let error = builtin.series(&x).unwrap_err();
            assert!(
                matches!(&error, FunctionError::Pole { function, .. } if *function == builtin.name()),
                "{error}"
            );
            assert!(builtin.series(&value_only).is_ok());
        }
    }
    let from_one = Series::variable(&wide(1.0, 2.0), 1).unwrap();
    assert!(pole(from_one.acosh()) && from_one.truncate(0).acosh().is_ok());
    let half_turns = Series::variable(&wide(0.25, 0.75), 3).unwrap();
    assert!(pole(half_turns.tanpi()) && half_turns.atanh().is_ok());
    for (x, builtin) in
        [(-1.0, Builtin::Logp1), (-2.0, Builtin::Log2p1), (1.0, Builtin::Atanh), (0.5, Builtin::Acosh)]
    {
        let error = builtin.series(&Series::variable(&wide(x, x), 2).unwrap()).unwrap_err();
        let outside =
            matches!(&error, FunctionError::OutsideDomain { function, .. } if *function == builtin.name());
        assert!(outside, "{error}");
    }
    assert!(pole(Series::variable(&wide(1.0, 2.0), 3).unwrap().tan()));
}
