//! Series.

use super::*;
use crate::tests::divided_differences;

const ORDER: usize = 9;

/// A function and where its series are tried.
fn cases() -> Vec<(SpecialFunction, Vec<f64>)> {
    use SpecialFunction::{Abs, Digamma, Erfcx, Gamma, J0, J1, LambertW, LambertWm1, Lgamma, Y0, Y1};
    let gamma =
        vec![0.001, 0.3, 1.0, 1.4616, 2.0, 7.25, 60.0, -0.3, -0.504, -1.5, -7.75, -63.9, -64.5, -100.25];
    vec![
        (Abs, vec![-1.5, 0.25]),
        (Erfcx, vec![-3.0, -0.001, 0.0, 0.25, 1.0, 3.0, 8.0, 14.0, 40.0, 1000.0]),
        (Gamma, gamma.clone()),
        (Lgamma, gamma.clone()),
        (Digamma, gamma),
        (LambertW, vec![-0.367, -0.25, -0.001, 0.0, 0.5, 2.75, 100.0, 1e9]),
        (LambertWm1, vec![-0.367, -0.25, -0.125, -0.001, -1e-9]),
        (J0, vec![-3.5, 0.0, 0.001, 1.0, 2.4, 3.83, 20.0, 300.0]),
        (J1, vec![-3.5, 0.0, 0.001, 1.0, 1.84, 3.83, 20.0, 300.0]),
        (Y0, vec![0.001, 0.5, 0.89, 2.197, 3.0, 20.0, 300.0]),
        (Y1, vec![0.001, 0.5, 2.197, 3.68, 20.0, 300.0]),
    ]
}

fn series(function: SpecialFunction, at: &Interval, order: usize) -> Result<Series, FunctionError> {
    function.series(&Series::variable(at, order).unwrap())
}

/// About any point the coefficient of degree k is nearly the k-th divided difference of the
/// oracle's values.
#[test]
fn coefficients_are_divided_differences() {
    let step: Float = Float::with_val(2000, 1) >> 55;
    for (function, places) in cases() {
        for x in places {
            let x = Float::with_val(2000, x);
            // values at x − 5h, …, x + 5h, and their differences
            let value = |j: i32| oracle(function, &(Float::with_val(ORACLE, &step * j) + &x)).unwrap();
            let differences = divided_differences((-5..=5).map(value).collect(), &step);
            let at = point(&Float::with_val(53, &x)).round_to(150).unwrap();
            let found = series(function, &at, ORDER + 1).unwrap();
            assert_eq!(found.coefficient(0), Some(&function.interval(&at).unwrap()));
            for (k, (pair, middle)) in found.coefficients().windows(2).zip(&differences).enumerate() {
                let (c, next) = (&pair[0], &pair[1]);
                // the next derivative, times 5·2^-55; and those after it, and what cancels
                let slack =
                    (middle.clone().abs() + 1e-9) * 1e-9 + ((next.mag() * 10u32 * (k as u32 + 1)) >> 52u32);
                let off = Float::with_val(200, c.midpoint() - middle).abs();
                assert!(off <= slack, "{function} at {x}, degree {k}: {c}, not {middle}");
                let width = c.width().unwrap();
                assert!(
                    width <= (c.mag().max(&Float::with_val(53, 1e-12)) >> 80u32),
                    "{function} at {x}, degree {k}: {c}"
                );
            }
        }
    }
}

/// The coefficients over an interval hold those at its points, and are of the same size.
#[test]
fn wide_series_contain_point_series() {
    for (function, places) in cases() {
        for x in places {
            for width in [1e-12, 1e-4, 0.01, 0.0625] {
                let at = interval(x, x + width * x.abs().max(0.125));
                let Ok(outer) = series(function, &at, ORDER) else { continue };
                let mut most = vec![Float::new(64); ORDER + 1];
                for part in 0..=8 {
                    let inner =
                        Float::with_val(PRECISION, at.width().unwrap() * (f64::from(part) / 8.0)) + at.lo();
                    let inner = point(&inner.clamp(at.lo(), at.hi())).round_to(300).unwrap();
                    let inner = series(function, &inner, ORDER).unwrap();
                    for (k, (c, point)) in outer.coefficients().iter().zip(inner.coefficients()).enumerate() {
                        assert!(
                            c.contains_interval(point),
                            "{function} over {at}, degree {k}: {point} is not in {c}"
                        );
                        most[k] = point.mag().max(&most[k]);
                    }
                }
                // polynomials are as long as these are large
                for (k, c) in outer.coefficients().iter().enumerate() {
                    let is_useful = c.mag() <= Float::with_val(64, &most[k] * 4u32) + 1.0;
                    assert!(is_useful || width > 1e-3, "{function} over {at}, degree {k}: {c}, {}", most[k]);
                }
            }
        }
    }
}

/// Taylor's theorem, as pieces use it: f(X + t) is in the polynomial about X plus the remainder
/// over what lies between.
#[test]
fn remainders_hold() {
    for (function, places) in cases() {
        for x in places {
            for t in [1e-3, -1e-3, 0.02, -0.02] {
                let t = Float::with_val(PRECISION, t * x.abs().max(0.1));
                let end = Float::with_val(PRECISION, &t + x);
                let x = point(&Float::with_val(53, x)).round_to(200).unwrap();
                let step = point(&end).round_to(200).unwrap().sub(&x).unwrap();
                for order in [1, 2, 4, 7] {
                    let whole = x.hull(&point(&end));
                    let Ok(whole) = series(function, &whole.round_to(128).unwrap(), order) else { continue };
                    let polynomial = series(function, &x, order - 1).unwrap().evaluate(&step).unwrap();
                    let remainder =
                        whole.coefficients()[order].mul(&step.powi(order as i32).unwrap()).unwrap();
                    let value = polynomial.add(&remainder).unwrap();
                    let y = oracle(function, &end).unwrap();
                    assert!(
                        value.contains(&y),
                        "{function} from {x} to {end}, order {order}: {y} is not in {value}"
                    );
                }
            }
        }
    }
}

/// At 0 the coefficients that are dyadic are exact.
#[test]
fn exact_coefficients_at_zero() {
    let zero = Interval::zero(128).unwrap();
    for (function, expected) in [
        (SpecialFunction::J0, ["1", "0", "-1/4", "0", "1/64", "0"]),
        (SpecialFunction::J1, ["0", "1/2", "0", "-1/16", "0", "1/384"]),
        (SpecialFunction::LambertW, ["0", "1", "-1", "3/2", "-8/3", "125/24"]),
    ] {
        let found = series(function, &zero, 5).unwrap();
        for (k, (c, value)) in found.coefficients().iter().zip(expected).enumerate() {
            let value = parse_number(&value.replace('-', "0-")).unwrap();
            assert!(c.contains(&value), "{function}, degree {k}: {c}");
            assert_eq!(c.is_point(), value.denom().is_power_of_two(), "{function}, degree {k}: {c}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Of curved arguments: identities.
    #[test]
    fn identities(x in 0.3..3.0f64, a in -1.0..1.0f64, b in -1.0..1.0f64) {
        let constant = |c: f64| Interval::from_f64(c, 200).unwrap();
        let mut coefficients = vec![constant(x), constant(a), constant(b), constant(0.25)];
        coefficients.resize(ORDER + 1, constant(0.0));
        let g = Series::new(coefficients).unwrap();
        let one = Series::constant(constant(1.0), ORDER).unwrap();
        let same = |a: &Series, b: &Series| a.coefficients().iter().zip(b.coefficients()).all(|(a, b)| a.intersects(b) && a.width().unwrap() < 1e-25);
        let above = g.add(&one).unwrap();
        prop_assert!(same(&above.gamma().unwrap(), &g.mul(&g.gamma().unwrap()).unwrap()));
        prop_assert!(same(&g.lgamma().unwrap().exp().unwrap(), &g.gamma().unwrap()));
        prop_assert!(same(&above.digamma().unwrap(), &g.digamma().unwrap().add(&g.recip().unwrap()).unwrap()));
        let w = g.lambertw().unwrap();
        prop_assert!(same(&w.mul(&w.exp().unwrap()).unwrap(), &g));
        let small = g.scale(&constant(-0.125)).unwrap();
        if *small.coefficients()[0].lo() > -0.36 {
            let w = small.lambertwm1().unwrap();
            prop_assert!(same(&w.mul(&w.exp().unwrap()).unwrap(), &small));
        }
        prop_assert!(same(&g.sqr().unwrap().exp().unwrap().mul(&g.erfc().unwrap()).unwrap(), &g.erfcx().unwrap()));
        // Wronski: J₁·Y₀ − J₀·Y₁ = 2/(π·x)
        let wronskian = g.j1().unwrap().mul(&g.y0().unwrap()).unwrap().sub(&g.j0().unwrap().mul(&g.y1().unwrap()).unwrap()).unwrap();
        let two_over_pi = constant(2.0).div(&Interval::pi(200).unwrap()).unwrap();
        prop_assert!(same(&wronskian, &g.recip().unwrap().scale(&two_over_pi).unwrap()));
        prop_assert!(same(&g.hypot(&above).unwrap().sqr().unwrap(), &g.sqr().unwrap().add(&above.sqr().unwrap()).unwrap()));
        prop_assert_eq!(g.min(&above).unwrap(), g.clone());
        prop_assert_eq!(&g.max(&above).unwrap(), &above);
        prop_assert_eq!(g.neg().abs().unwrap(), g.clone());
        prop_assert_eq!(g.copysign(&above.neg()).unwrap(), g.neg());
    }
}

/// Where pieces meet the value exists and the series does not, even if only an end of the interval
/// is there.
#[test]
fn pieces_meet() {
    for (lo, hi) in [(-1.0, 1.0), (0.0, 1.0), (-1.0, 0.0), (0.0, 0.0)] {
        for text in ["abs(x)", "max(x,0)", "min(x,-x)", "max(x+x^3,x^3-x)", "copysign(1,x)"] {
            let f = parse(text).unwrap();
            assert!(f.series(&interval(lo, hi), 0, 64).is_ok());
            let error = f.series(&interval(lo, hi), 2, 64).unwrap_err();
            assert!(matches!(error, FunctionError::Kink { .. }), "{text}: {error}");
        }
    }
    let f = parse("max(x,1-x^2)").unwrap();
    let (left, right) = (interval(-0.5, 0.5), interval(0.75, 2.0));
    assert_eq!(f.series(&left, 3, 64), parse("1-x^2").unwrap().series(&left, 3, 64));
    assert_eq!(f.series(&right, 3, 64), parse("x").unwrap().series(&right, 3, 64));
}
