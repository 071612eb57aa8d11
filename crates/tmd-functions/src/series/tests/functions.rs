//! Named functions: power series from tables, divided differences, enclosures over wide intervals,
//! identities.

use super::*;
use crate::tests::{builtin, divided_differences, pairs};

/// The coefficients about 0, from any table of power series.
#[test]
fn power_series_about_zero() {
    let q = rational;
    let factorial = |k: usize| Rational::from(Integer::from(Integer::factorial(k as u32)));
    // C(2m, m)/4^m, the coefficients of (1 − t)^(−1/2)
    let central = |m: usize| binomial(&q(-1, 2), m).abs();
    let sign = |m: usize| if m.is_multiple_of(2) { 1 } else { -1 };
    let odd = |k: usize, f: &dyn Fn(usize) -> Rational| if k % 2 == 1 { f(k / 2) } else { Rational::new() };
    let n = |m: usize| 2 * m as i64 + 1;
    let zero = variable(&Rational::new());
    for (series, coefficient) in [
        (zero.asin(), &(|m| central(m) / n(m)) as &dyn Fn(usize) -> Rational),
        (zero.atan(), &|m| q(sign(m), n(m))),
        (zero.sinh(), &|m| factorial(2 * m + 1).recip()),
        (zero.asinh(), &|m| central(m) * sign(m) / n(m)),
        (zero.atanh(), &|m| q(1, n(m))),
    ] {
        assert_coefficients(&series.unwrap(), |k| odd(k, coefficient));
    }
    assert_coefficients(&zero.cosh().unwrap(), |k| if k % 2 == 0 { factorial(k).recip() } else { q(0, 1) });
    assert_coefficients(&zero.expm1().unwrap(), |k| if k == 0 { q(0, 1) } else { factorial(k).recip() });
    assert_coefficients(&zero.logp1().unwrap(), |k| if k == 0 { q(0, 1) } else { q(-sign(k), k as i64) });
    // erf = 2/√π·Σ (−1)^m·t^(2m+1)/(m!·(2m+1)), erfc = 1 − erf
    let factor = Float::with_val(ORACLE, 2) / Float::with_val(ORACLE, rug::float::Constant::Pi).sqrt();
    let erf =
        |k: usize| &factor * Float::with_val(ORACLE, odd(k, &|m| factorial(m).recip() * sign(m) / n(m)));
    assert_coefficients(&zero.erf().unwrap(), erf);
    assert_coefficients(&zero.erfc().unwrap(), |k| if k == 0 { 1 - erf(0) } else { -erf(k) });
}

/// A function of intervals and of series.
type Pair<'a> = (Box<dyn Fn(&Interval) -> Interval + 'a>, Box<dyn Fn(&Series) -> Series + 'a>);

/// About any point the coefficient of degree k is the k-th divided difference at k + 1 points close
/// by, and the enclosures of the function itself have their own tests.
#[test]
fn coefficients_are_divided_differences() {
    let bits = 3000;
    let step: Float = Float::with_val(bits, 1) >> 150;
    let roots = [-5, -2, 2, 3, 7].map(|n| (format!("root {n}"), n));
    for x in [0.3, 0.71, -0.45, 1.37, 2.9, -3.6, 11.0] {
        let x = Float::with_val(bits, x);
        let mut functions: Vec<(String, Pair<'_>)> = vec![];
        for builtin in Builtin::ALL {
            let pair: Pair<'_> = (
                Box::new(move |x| builtin.interval(x).unwrap()),
                Box::new(move |x| builtin.series(x).unwrap()),
            );
            if builtin.interval(&Interval::point(x.clone()).unwrap()).is_ok() {
                functions.push((builtin.to_string(), pair));
            }
        }
        for (name, n) in &roots {
            if x > 0 || n % 2 != 0 {
                let pair: Pair<'_> = (Box::new(|x| x.rootn(*n).unwrap()), Box::new(|x| x.rootn(*n).unwrap()));
                functions.push((name.clone(), pair));
            }
        }
        assert!(functions.len() > 20);
        for (name, (value, series)) in functions {
            // values at x − 6h, …, x + 6h, and their differences
            let values = (-6..=6)
                .map(|j| value(&Interval::point(Float::with_val(bits, &step * j) + &x).unwrap()).midpoint());
            let differences = divided_differences(values.collect(), &step);
            let at = Interval::point(x.clone()).unwrap().round_to(PRECISION).unwrap();
            let series = series(&Series::variable(&at, ORDER).unwrap());
            // the middle ones: their points lie around x, within 6h
            for (k, (c, difference)) in series.coefficients().iter().zip(&differences).enumerate() {
                let (slack, size) = (c.width().unwrap() * 4u32, Float::with_val(bits, difference.abs_ref()));
                let off = Float::with_val(bits, c.midpoint() - difference).abs();
                assert!(
                    off <= slack + (size.clone() >> 80u32) + (Float::with_val(64, 1) >> 100u32),
                    "{name} at {x:.3}, degree {k}: {difference:.20} is not {c}"
                );
                assert!(
                    c.width().unwrap() <= (size >> 70u32) + (Float::with_val(64, 1) >> 80u32),
                    "{name}: {c} is wide"
                );
            }
        }
    }
}

/// No coefficient of these loses relative accuracy where a composition would cancel, nor overflows
/// where the value does not.
#[test]
fn nothing_cancels_at_the_ends_of_domains() {
    let tiny: Rational = Rational::from(1) >> 90;
    let one = rational(1, 1);
    let below_one: Rational = Rational::from(&one - &tiny);
    let huge: Rational = rational(1, 1) << 300;
    for (names, x) in [
        ("expm1 logp1 atan asinh erf", tiny.clone()),
        ("exp2m1", -tiny.clone()),
        ("sinpi acosh", Rational::from(&one + &tiny)),
        ("cospi", rational(7, 2) - &tiny),
        ("tanpi", rational(-1, 2) + &tiny),
        ("asin acos", below_one.clone()),
        ("log10p1 acospi atanh", -below_one),
        ("erf", rational(26, 1)),
        ("erfc", rational(2000, 1)),
        ("tanh", rational(-30, 1)),
        ("tanh", rational(1_000_000, 1)),
        ("atan acosh", huge.clone()),
        ("atanpi asinh", -huge),
    ] {
        for builtin in names.split(' ').map(builtin) {
            let series = builtin.series(&Series::variable(&point(&x, PRECISION), 6).unwrap()).unwrap();
            for (k, c) in series.coefficients().iter().enumerate() {
                let relative = Float::with_val(64, c.width().unwrap() / c.mag());
                assert!(!c.contains_zero() && relative < 1e-20, "{builtin} at {x}, degree {k}: {c}");
            }
        }
    }
    // beyond the exponent range the slope of tanh is 0 or next to it
    let far = Series::variable(&Interval::point(Float::with_val(PRECISION, 1) << 100).unwrap(), 3).unwrap();
    let slope = far.tanh().unwrap().coefficients()[1].clone();
    assert!(slope.contains_zero() && slope.mag() < 1e-300);
}

/// Over an interval, the enclosures of elementary functions of x are the exact ranges of the
/// derivatives (up to rounding): without this the remainders would be useless.
#[test]
fn wide_enclosures_are_tight() {
    // roots multiply by g₀⁻¹ in each step, with the exact power only in degree 0: a slack of
    // 1.5^(1/2) and the like
    let tight = 1.000_001;
    let of = |name: &str, x: &Series| match name {
        "rootn -3" => x.rootn(-3),
        "recip" => x.recip(),
        "power" => x.powi(-3),
        name => builtin(name).series(x),
    };
    for (names, [lo, hi], slack) in [
        ("exp|exp2|exp10|log|log2|log10|rsqrt|sinh|cosh|rootn -3|recip|power", [1.0, 1.5], tight),
        ("expm1|exp2m1|exp10m1", [-1.0, 0.5], tight),
        ("logp1|log2p1|log10p1", [-0.5, 0.5], tight),
        ("sqrt|cbrt", [1.0, 1.5], 1.25),
        ("acosh", [1.5, 2.0], tight),
        ("asin|acos|asinpi|acospi|atanh", [0.25, 0.75], tight),
    ] {
        for name in names.split('|') {
            let f = |x: &Series| of(name, x);
            let range = f(&Series::variable(&wide(lo, hi), ORDER).unwrap()).unwrap();
            let [lo, hi] = [lo, hi].map(|x| f(&variable(&Rational::from_f64(x).unwrap())).unwrap());
            for (k, c) in range.coefficients().iter().enumerate() {
                let exact = lo.coefficients()[k].hull(&hi.coefficients()[k]);
                assert!(c.contains_interval(&exact), "{name}, degree {k}");
                assert!(c.mag() <= exact.mag() * slack, "{name}, degree {k}: {c}, not {exact}");
            }
        }
    }
}

/// Where the coefficients change sign the enclosures are wider than the ranges, but far from the 2ᵏ
/// of the bare recurrences.
#[test]
fn wide_enclosures_of_oscillating_coefficients() {
    for (name, slack) in
        pairs(&[("sin cospi", "1.1"), ("atan atanpi erf erfc", "4"), ("asinh", "10"), ("tanh", "25")])
    {
        let (f, slack) = (|x: &Series| builtin(name).series(x), slack.parse::<f64>().unwrap());
        for (lo, hi) in [(0.5, 1.25), (-0.5, 0.25), (1.0, 1.5)] {
            let range = f(&Series::variable(&wide(lo, hi), ORDER).unwrap()).unwrap();
            let grid: Vec<_> = (0..=64)
                .map(|j| {
                    f(&variable(&Rational::from_f64(lo + (hi - lo) * f64::from(j) / 64.0).unwrap())).unwrap()
                })
                .collect();
            for (k, c) in range.coefficients().iter().enumerate() {
                let greatest = grid
                    .iter()
                    .map(|series| series.coefficients()[k].mag())
                    .fold(Float::new(PRECISION), |a, b| a.max(&b));
                let ratio = Float::with_val(64, c.mag() / greatest).to_f64();
                assert!(ratio >= 1.0 && ratio <= slack, "{name} on [{lo}, {hi}], degree {k}: {ratio}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Inverses, powers of roots, addition theorems, half-turns against radians.
    #[test]
    fn identities_of_inverses((_, g) in polynomial(), n in prop_oneof![-5i32..0, 1i32..6]) {
        let constant = |c: f64| Series::constant(Interval::from_f64(c, PRECISION).unwrap(), ORDER).unwrap();
        let scaled = |c: f64| g.scale(&Interval::from_f64(c, PRECISION).unwrap()).unwrap();
        let pi = Interval::pi(300).unwrap();
        let one = constant(1.0);
        assert_same(&g.logp1().unwrap().expm1().unwrap(), &g)?;
        assert_same(&g.log2p1().unwrap().exp2m1().unwrap(), &g)?;
        assert_same(&g.log10p1().unwrap().exp10m1().unwrap(), &g)?;
        assert_same(&g.expm1().unwrap().sub(&g.exp().unwrap()).unwrap().add(&one).unwrap(), &constant(0.0))?;
        assert_same(&g.rsqrt().unwrap().powi(-2).unwrap(), &g)?;
        assert_same(&g.rootn(n).unwrap().powi(n).unwrap(), &g)?;
        assert_same(&g.neg().rootn(-3).unwrap().powi(-3).unwrap(), &g.neg())?;
        assert_same(&g.asinh().unwrap().sinh().unwrap(), &g)?;
        assert_same(&g.atan().unwrap().tan().unwrap(), &g)?;
        assert_same(&g.atanpi().unwrap().tanpi().unwrap(), &g)?;
        let above = g.add(&one).unwrap();
        assert_same(&above.acosh().unwrap().cosh().unwrap(), &above)?;
        let (sinh, cosh) = g.sinh_cosh().unwrap();
        assert_same(&cosh.sqr().unwrap().sub(&sinh.sqr().unwrap()).unwrap(), &one)?;
        assert_same(&sinh.add(&cosh).unwrap(), &g.exp().unwrap())?;
        assert_same(&g.tanh().unwrap().mul(&cosh).unwrap(), &sinh)?;
        // between −1 and 1, of either sign
        for small in [scaled(0.375), scaled(-0.375)] {
            assert_same(&small.asin().unwrap().sin().unwrap(), &small)?;
            assert_same(&small.acos().unwrap().cos().unwrap(), &small)?;
            assert_same(&small.asinpi().unwrap().sinpi().unwrap(), &small)?;
            assert_same(&small.acospi().unwrap().cospi().unwrap(), &small)?;
            assert_same(&small.atanh().unwrap().tanh().unwrap(), &small)?;
        }
        let radians = g.scale(&pi).unwrap();
        assert_same(&g.sinpi().unwrap(), &radians.sin().unwrap())?;
        assert_same(&g.cospi().unwrap(), &radians.cos().unwrap())?;
        // the derivative of erf is (2/√π)·e^(−g²)·g′
        let factor = pi.rsqrt().unwrap().mul_2exp(1).unwrap();
        let bell = g.sqr().unwrap().neg().exp().unwrap().scale(&factor).unwrap();
        let slope = |f: &Series| {
            let coefficients = f.coefficients().iter().enumerate().skip(1);
            Series::new(coefficients.map(|(k, c)| c.mul_i64(k as i64).unwrap()).collect()).unwrap()
        };
        let expected = bell.mul(&slope(&g)).unwrap();
        assert_same(&slope(&g.erf().unwrap()), &expected)?;
        assert_same(&slope(&g.erfc().unwrap()), &expected.neg())?;
    }
}
