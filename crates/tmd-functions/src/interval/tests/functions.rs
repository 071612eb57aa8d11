//! The functions against their definitions by other operations of MPFR, at so many bits that what
//! cancels does not matter.

use super::*;
use crate::tests::{builtin, contains_nearly};

/// Bits of the oracle.
const ORACLE: u32 = 1200;

/// Bits of it that are right.
const SURE: u32 = 1000;

/// sin πx and cos πx, exact at multiples of 1/2.
pub(super) fn half_turns(x: &Float) -> (Float, Float) {
    // the remainder is exact: its last bit is that of x, or above
    let reduced = Float::with_val(ORACLE, x) % 2u32;
    let quadrants = Float::with_val(ORACLE, &reduced << 1);
    if quadrants.is_integer() {
        let n = quadrants.to_integer().unwrap().mod_u(4) as usize;
        let sine = [0, 1, 0, -1];
        return (Float::with_val(ORACLE, sine[n]), Float::with_val(ORACLE, sine[(n + 1) % 4]));
    }
    (reduced * Float::with_val(ORACLE, rug::float::Constant::Pi)).sin_cos(Float::new(ORACLE))
}

/// f from its definition, `None` outside the domain and at poles.
fn oracle(builtin: Builtin, x: &Float) -> Option<Float> {
    let half_turn = Float::with_val(ORACLE, rug::float::Constant::Pi);
    let turns = half_turns(x);
    let x = Float::with_val(ORACLE, x);
    let complement = Float::with_val(ORACLE, 1 - &x);
    let next = Float::with_val(ORACLE, 1 + &x);
    let exp = x.clone().exp();
    let exp_neg = Float::with_val(ORACLE, -&x).exp();
    let sum = Float::with_val(ORACLE, &exp + &exp_neg);
    let difference = Float::with_val(ORACLE, &exp - &exp_neg);
    // at the ends of the domain the quotients are infinite, and the arctangent π/2
    let asin = |x: Float| (x / Float::with_val(ORACLE, &complement * &next).sqrt()).atan();
    let acos = || Float::with_val(ORACLE, &complement / &next).sqrt().atan() << 1u32;
    let y = match builtin {
        Builtin::Exp => exp,
        Builtin::Exp2 => (x * Float::with_val(ORACLE, 2).ln()).exp(),
        Builtin::Exp10 => (x * Float::with_val(ORACLE, 10).ln()).exp(),
        Builtin::Expm1 => exp - 1u32,
        Builtin::Exp2m1 => x.exp2() - 1u32,
        Builtin::Exp10m1 => x.exp10() - 1u32,
        Builtin::Ln => x.ln(),
        Builtin::Log2 => x.ln() / Float::with_val(ORACLE, 2).ln(),
        Builtin::Log10 => x.ln() / Float::with_val(ORACLE, 10).ln(),
        Builtin::Logp1 => next.ln(),
        Builtin::Log2p1 => next.log2(),
        Builtin::Log10p1 => next.log10(),
        Builtin::Sqrt => x.sqrt(),
        Builtin::Cbrt => x.cbrt(),
        Builtin::Rsqrt => x.sqrt().recip(),
        Builtin::Sin => x.sin(),
        Builtin::Cos => x.cos(),
        Builtin::Tan => x.tan(),
        Builtin::SinPi => turns.0,
        Builtin::CosPi => turns.1,
        Builtin::TanPi => turns.0 / turns.1,
        Builtin::Asin => asin(x),
        Builtin::Acos => acos(),
        Builtin::Atan => x.atan(),
        Builtin::AsinPi => asin(x) / half_turn,
        Builtin::AcosPi => acos() / half_turn,
        Builtin::AtanPi => x.atan() / half_turn,
        Builtin::Sinh => difference >> 1u32,
        Builtin::Cosh => sum >> 1u32,
        Builtin::Tanh => difference / sum,
        Builtin::Asinh => ((x.clone().square() + 1u32).sqrt() + x).ln(),
        Builtin::Acosh => ((x.clone().square() - 1u32).sqrt() + x).ln(),
        Builtin::Atanh => (next / complement).ln() >> 1u32,
        Builtin::Erf => x.erf(),
        Builtin::Erfc => x.erfc(),
    };
    y.is_finite().then_some(y)
}

/// Numbers on which every function has its interesting places: near 0, ±1/2, ±1, and anywhere.
fn place() -> impl Strategy<Value = (Interval, Vec<Float>)> {
    let special = (prop::sample::select(vec![-1.0, -0.5, 0.0, 0.5, 1.0]), -1.0..1.0f64, -60i32..0);
    let near = (special, prop_oneof![Just(0.0), 0.0..0.001f64], prop::collection::vec(0.0..=1.0f64, 3));
    let near = near.prop_map(|((center, m, e), width, inside)| {
        let lo = float(center) + float(m) * float(2.0).pow(e);
        let hi = Float::with_val(PRECISION, &lo + width);
        let a = Interval::new(lo, hi).unwrap();
        let points = points_in(&a, &inside);
        (a, points)
    });
    prop_oneof![interval_and_points(6), near]
}

/// What came out, in a word.
fn kind(result: &Result<Interval, FunctionError>) -> &'static str {
    match result {
        Ok(_) => "value",
        Err(FunctionError::OutsideDomain { .. }) => "domain",
        Err(FunctionError::Pole { .. }) => "pole",
        Err(error) => panic!("{error}"),
    }
}

/// Those that are monotonic on every interval of their domain.
fn is_monotonic(builtin: Builtin) -> bool {
    use Builtin::{Cos, CosPi, Cosh, Sin, SinPi, Tan, TanPi};
    !matches!(builtin, Sin | Cos | Tan | SinPi | CosPi | TanPi | Cosh)
}

proptest! {
    #[test]
    fn functions_contain_their_values((a, xs) in place()) {
        for builtin in Builtin::ALL {
            let values: Vec<_> = xs.iter().map(|x| oracle(builtin, x)).collect();
            match builtin.interval(&a) {
                Ok(range) => {
                    prop_assert_eq!(range.precision(), PRECISION);
                    for (x, y) in xs.iter().zip(values) {
                        let y = y.unwrap();
                        prop_assert!(contains_nearly(&range, &y, SURE), "{builtin}({x}) = {y} not in {range}");
                    }
                    prop_assert!(!a.is_point() || is_tight(&range), "{builtin}({a}) = {range}");
                }
                Err(FunctionError::OutsideDomain { .. }) => {
                    prop_assert!(values.iter().any(Option::is_none), "{builtin}({a}) is defined");
                }
                Err(FunctionError::Pole { .. }) => {
                    prop_assert!(matches!(builtin, Builtin::Tan | Builtin::TanPi | Builtin::Rsqrt));
                    let at_end = values.iter().any(Option::is_none);
                    prop_assert!(at_end || builtin != Builtin::Rsqrt && !a.is_point(), "{builtin}({a})");
                }
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }

    #[test]
    fn monotonic_functions_are_tight((a, _) in place()) {
        for builtin in Builtin::ALL.into_iter().filter(|builtin| is_monotonic(*builtin)) {
            if let Ok(range) = builtin.interval(&a) {
                let ends = [a.lo(), a.hi()].map(|x| builtin.interval(&Interval::point(x.clone()).unwrap()).unwrap());
                prop_assert_eq!(range, ends[0].hull(&ends[1]));
            }
        }
        let one = interval(1.0, 1.0);
        let ends = [a.lo(), a.hi()].map(|x| Interval::point(x.clone()).unwrap().cosh().unwrap());
        let hull = ends[0].hull(&ends[1]);
        let crest = if a.contains_zero() { hull.hull(&one) } else { hull.clone() };
        prop_assert_eq!(a.cosh().unwrap(), crest);
    }

    #[test]
    fn inclusion_is_monotonic_near_special_points((a, xs) in place(), n in -5i32..6) {
        let inner = between(&xs[0], &xs[1]);
        for builtin in Builtin::ALL {
            if let Ok(outer) = builtin.interval(&a) {
                let inner = builtin.interval(&inner).unwrap(); // defined on all of a
                prop_assert!(outer.contains_interval(&inner), "{builtin}: {outer} over {inner}");
            }
        }
        if let Ok(outer) = a.rootn(n) {
            prop_assert!(outer.contains_interval(&inner.rootn(n).unwrap()));
        }
    }

    /// Against the definition y^n = x, in rationals; at points no number lies between the ends.
    #[test]
    fn integer_roots((a, xs) in place(), n in prop_oneof![-7i32..8, Just(100), Just(-150)]) {
        let negative = *a.lo() < 0;
        let expected = match n {
            0 => "domain",
            n if n % 2 == 0 && negative => "domain",
            n if n < 0 && a.contains_zero() => "pole",
            _ => "value",
        };
        prop_assert_eq!(kind(&a.rootn(n)), expected);
        let Ok(range) = a.rootn(n) else { return Ok(()) };
        for x in &xs {
            // rising in y for n > 0, falling on the side of x for n < 0
            let power = |y: &Float| rational(y).pow(n);
            let x = rational(x);
            let [lo, hi] = [range.lo(), range.hi()];
            let (low_enough, high_enough) = if n > 0 {
                (power(lo) <= x, power(hi) >= x)
            } else {
                (power(lo) >= x, power(hi) <= x)
            };
            prop_assert!(low_enough && high_enough, "rootn({x}, {n}) not in {range}");
        }
        prop_assert!(!a.is_point() || is_tight(&range), "rootn({a}, {n}) = {range}");
    }
}

/// erf by its series of positive terms, 2/√π·e^(−x²)·Σ 2ⁿ·x^(2n+1)/(1·3·…·(2n+1)), and erfc as its
/// complement.
#[test]
fn error_functions_against_their_series() {
    for x in [1e-300, 1e-9, 0.3, 1.0, -1.0, 2.5, 5.0, -7.75, 14.0] {
        let v = Float::with_val(ORACLE, x);
        let square = Float::with_val(ORACLE, v.square_ref());
        let (mut term, mut sum) = (v.clone(), v.clone());
        for n in 1..2500u32 {
            term = term * &square * 2u32 / (2 * n + 1);
            sum += &term;
        }
        let pi = Float::with_val(ORACLE, rug::float::Constant::Pi);
        let erf = (-square).exp() * 2u32 / pi.sqrt() * sum;
        let a = Interval::from_f64(x, PRECISION).unwrap();
        assert!(contains_nearly(&a.erf().unwrap(), &erf, SURE), "erf({x})");
        assert!(contains_nearly(&a.erfc().unwrap(), &(1 - erf), SURE), "erfc({x})");
    }
    let tail = interval(1e9, 1e10).erfc().unwrap();
    assert!(*tail.lo() >= 0 && *tail.hi() > 0 && tail.mag() < 1e-300);
}

/// What the series need beside the named functions.
#[test]
fn auxiliary_functions() {
    for (lo, hi) in [(0.0, 0.0), (-0.5, 0.25), (0.75, 0.75), (-20.5, -3.0), (1e-9, 30.0), (-1.0, 1.0)] {
        let a = interval(lo, hi);
        let [far, near] = [a.mag(), a.mig()].map(|x| Float::with_val(ORACLE, x));
        let of = |f: &dyn Fn(Float) -> Float| [f(far.clone()), f(near.clone())];
        for (range, ends) in [
            (a.gaussian().unwrap(), of(&|x| (-x.square()).exp())),
            (a.sech().unwrap(), of(&|x| x.cosh().recip())),
            (a.one_minus_square().unwrap(), of(&|x| 1 - x.square())),
        ] {
            for y in &ends {
                assert!(contains_nearly(&range, y, SURE), "{a}: {y} not in {range}");
            }
            let hull = Interval::new(ends[0].clone(), ends[1].clone()).unwrap().round_to(PRECISION).unwrap();
            let excess = range.width().unwrap() - hull.width().unwrap();
            assert!(excess <= (range.mag() >> 60u32), "{a}: {range}, not {hull}");
        }
    }
    // nothing cancels next to 1, and nothing overflows
    let mut next_to_one = float(1.0);
    next_to_one.next_down();
    let complement = Interval::point(next_to_one.clone()).unwrap().one_minus_square().unwrap();
    assert!(complement.contains(&(Rational::from(1) - rational(&next_to_one).square())));
    assert!(complement.width().unwrap() <= (complement.mag() >> 62u32));
    let huge = Interval::point(float(1.0) << (rug::float::exp_max() - 1)).unwrap();
    for tiny in [huge.gaussian().unwrap(), huge.sech().unwrap()] {
        assert!(tiny.lo().is_zero() && *tiny.hi() > 0 && is_tight(&tiny));
    }
    let tiny = Interval::point(float(0.5) << rug::float::exp_min()).unwrap();
    for nearly_one in [tiny.gaussian().unwrap(), tiny.sech().unwrap()] {
        assert!(*nearly_one.lo() < 1 && *nearly_one.hi() == 1 && is_tight(&nearly_one));
    }
}

#[test]
fn outside_the_domain() {
    for builtin in [Builtin::Ln, Builtin::Log2, Builtin::Log10, Builtin::Sqrt, Builtin::Rsqrt] {
        let error = builtin.interval(&interval(-0.5, 2.0)).unwrap_err();
        assert_eq!(error.to_string(), format!("{builtin} is not defined on all of [-5e-1, 2]"));
        assert_eq!(builtin.interval(&interval(0.0, 2.0)).is_ok(), builtin == Builtin::Sqrt);
    }
    // the domain, closed or open at either end, and an interval that reaches a little too far
    let (one, beyond) = (1.0, 1.0 + f64::EPSILON);
    for (names, lo, hi, expected) in [
        ("logp1 log2p1 log10p1", -one, 2.0, "domain"),
        ("logp1 log2p1 log10p1", -one, -one, "domain"),
        ("logp1 log2p1 log10p1", -beyond, 0.0, "domain"),
        ("logp1 log2p1 log10p1", f64::EPSILON - one, 2.0, "value"),
        ("rsqrt", 0.0, 2.0, "pole"),
        ("asin acos asinpi acospi", -one, one, "value"),
        ("asin acos asinpi acospi", -beyond, 0.0, "domain"),
        ("asin acos asinpi acospi", -beyond, one, "domain"),
        ("asin acos asinpi acospi", 0.0, beyond, "domain"),
        ("acosh", one, 9.0, "value"),
        ("acosh", 1.0 - f64::EPSILON, 9.0, "domain"),
        ("atanh", -one, 0.0, "domain"),
        ("atanh", 0.0, one, "domain"),
        ("atanh", f64::EPSILON - one, one - f64::EPSILON, "value"),
    ] {
        for builtin in names.split(' ').map(builtin) {
            assert_eq!(kind(&builtin.interval(&interval(lo, hi))), expected, "{builtin} on [{lo}, {hi}]");
        }
    }
}
