use super::*;
use crate::{Function, Series};
use rug::{Assign, Rational};
use tmd_core::{
    Format,
    difftable::power_of_two,
    lattice3::{COEFFICIENT_BITS, Wide},
};

fn period_families() -> [Family; 5] {
    [Builtin::Sin, Builtin::Cos, Builtin::Tan, Builtin::Exp, Builtin::Exp10].map(|f| Family::of(f).unwrap())
}

#[test]
fn periods_exceed_the_least() {
    for family in period_families() {
        let period = family.period(64).unwrap();
        assert!(*period.lo() > power_of_two(Family::LEAST_PERIOD_LOG2), "{}", family.builtin());
    }
}

/// The function at i·2^e is the unit function at the turn i·Θ, up to sign and a power of two: for
/// the exponents of all formats.
#[test]
fn results_are_those_of_the_turn() {
    for family in period_families() {
        for exponent in [-60i32, -3, 0, 5, 17, 70, 300, 971, 16_320] {
            for index in [1i64, 3, -5, (1 << 53) - 1, -(1 << 52) - 12_345, 0x0012_3456_789a_bcdf] {
                let is_exponential = family.unit() == Builtin::Exp2;
                // results in the range of MPFR
                if is_exponential && exponent + 53 > 25 && index.abs() > 8 || is_exponential && exponent > 20
                {
                    continue;
                }
                let bits = 300;
                let theta = family.rotation(exponent, bits).unwrap();
                let turn = (Integer::from(&theta * index)).keep_bits(bits);
                let turn = Float::with_val(400, turn) >> bits;
                let at_turn = family.unit().interval(&Interval::point(turn).unwrap()).unwrap().midpoint();
                let x = Float::with_val(400, index) << exponent;
                let value = Expression::function(family.builtin())
                    .enclose(&Interval::point(x).unwrap().round_to(20_000).unwrap(), 20_000)
                    .unwrap()
                    .midpoint();
                let ratio = Float::with_val(200, &value / &at_turn).abs();
                let ratio = if is_exponential {
                    let k = ratio.clone().log2().to_integer().unwrap().to_i32().unwrap();
                    ratio >> k
                } else {
                    ratio
                };
                // unless the result is all but 0, 200 bits agree
                let one = Float::with_val(200, 1);
                assert!(
                    (ratio - one).abs() < power_of_two(-150),
                    "{} at {index}·2^{exponent}",
                    family.builtin()
                );
            }
        }
    }
}

/// `⌊Θ·2^bits⌋` of more bits begins with that of fewer, and π's is what multiplication says.
#[test]
fn rotations() {
    for family in period_families() {
        for exponent in [-60, 0, 971, 16_320] {
            let fine = family.rotation(exponent, 2000).unwrap();
            for bits in [64, 175, 1200] {
                assert_eq!(family.rotation(exponent, bits).unwrap(), Integer::from(&fine >> (2000 - bits)));
            }
        }
    }
    // 1/π = 0.3183098861…
    let theta = Family::of(Builtin::Sin).unwrap().rotation(0, 60).unwrap();
    assert_eq!((theta.to_f64() / power_of_two(60) * 1e10).floor(), 3_183_098_861.0);
    let far = Family::of(Builtin::Sin).unwrap().rotation(1 << 24, 60);
    assert!(matches!(far, Err(FunctionError::Precision { .. })));
}

/// L to as many bits as arguments of binary64, x87 and binary128 need, up to their largest: by
/// series in integers, and nothing of MPFR.
#[test]
fn rotations_of_the_largest_arguments() {
    let bits = 17_500;
    let one = Integer::from(1) << bits;
    // 2^bits·atanh(1/n), or atan: each quotient is rounded down, by less than a unit
    let series = |n: u32, sign: i32| {
        let (mut power, mut sum, mut k) = (Integer::from(&one / n), Integer::new(), 1u32);
        let mut is_plus = true;
        while power > 0 {
            let term = Integer::from(&power / k);
            if is_plus {
                sum += term;
            } else {
                sum -= term;
            }
            power /= n * n;
            is_plus ^= sign < 0;
            k += 2;
        }
        sum
    };
    let pi = 4u32 * (4u32 * series(5, -1) - series(239, -1));
    let ln_2 = 18u32 * series(26, 1) - 2u32 * series(4801, 1) + 8u32 * series(8749, 1);
    let ln_10 = Integer::from(&ln_2 * 3u32) + 2u32 * series(9, 1);
    let log10_2 = Integer::from(&ln_2 << bits) / ln_10;
    let periods = [
        (Builtin::Sin, &pi),
        (Builtin::Cos, &pi),
        (Builtin::Tan, &pi),
        (Builtin::Exp, &ln_2),
        (Builtin::Exp10, &log10_2),
    ];
    for (builtin, period) in periods {
        let family = Family::of(builtin).unwrap();
        // the largest arguments' spacing, and bits of angles (definition L.2): 2p + max(p, m) + 16
        for (exponent, wanted) in [(971u32, 175), (16_320, 208), (16_271, 355)] {
            // 2^exponent/L in units of 2^-(wanted + 64)
            let quotient = (Integer::from(1) << (exponent + wanted + 64 + bits)) / period;
            let expected = (quotient >> 64u32).keep_bits(wanted);
            let theta = family.rotation(exponent as i32, wanted).unwrap();
            assert_eq!(theta, expected, "{builtin} {exponent}");
        }
    }
}

#[test]
fn doubling() {
    for builtin in [Builtin::Ln, Builtin::Log10] {
        let family = Family::of(builtin).unwrap();
        let value = |x: &Rational| {
            Expression::function(builtin).enclose(&Interval::from_rational(x, 300).unwrap(), 300).unwrap()
        };
        let (t, x) = (Rational::from((3, 4)), Rational::from((3, 4)) << 77u32);
        let sum = value(&t).add(&family.period(300).unwrap().mul_i64(77).unwrap()).unwrap();
        assert!(sum.intersects(&value(&x)) && sum.width().unwrap() < power_of_two(-280));
    }
}

#[test]
fn who_has_a_family() {
    let of = |text: &str| Family::of_expression(&crate::parse(text).unwrap()).map(Family::builtin);
    assert_eq!(of("sin"), Some(Builtin::Sin));
    assert_eq!(of("-exp10(x)"), Some(Builtin::Exp10));
    assert_eq!(of("log"), Some(Builtin::Ln));
    assert_eq!(of("sinh"), Some(Builtin::Exp));
    assert_eq!(of("acosh(x)"), Some(Builtin::Ln));
    let numbers = |text: &str| {
        let family = Family::of_expression(&crate::parse(text).unwrap()).unwrap();
        (family.log2(), family.factor())
    };
    assert_eq!(numbers("sin(2*x)"), (0, (1, 1)));
    assert_eq!(numbers("-cos(x*5/8)/4"), (-2, (5, -3)));
    assert_eq!(numbers("8*exp(-x/4)"), (3, (-1, -2)));
    assert_eq!(numbers("sinh(3*x)"), (-1, (3, 0)));
    assert_eq!(numbers("2*asinh(x/8)"), (1, (1, -2)));
    let multiplier = |text: &str| {
        let family = Family::of_expression(&crate::parse(text).unwrap()).unwrap();
        (family.multiplier(), family.log2())
    };
    assert_eq!(multiplier("sin(3*x)"), (1, 0));
    assert_eq!(multiplier("-12*sin(x)"), (3, 2));
    assert_eq!(multiplier("3*(5*sinh(x)/16)"), (15, -5));
    for text in [
        "sin(x/3)",
        "sin(x)/3",
        "0*sin(x)",
        "sinpi",
        "exp2",
        "log2",
        "log(x)+1",
        "tan(x)-1",
        "exp(x)+x",
        "exp(x)+pi",
        "asinh(x)+1",
        "cbrt",
        "log(3*x)",
        "exp(x^2)",
        "exp(0*x)",
        "1048577*exp(x)",
    ] {
        assert_eq!(of(text), None, "{text}");
    }
}

/// Relatives are as near as is said, and not much nearer, and from the argument on that is said.
#[test]
fn relatives_are_near() {
    for (name, near, log2) in [
        ("sinh", "exp(x)/2", 0),
        ("cosh", "exp(x)/2", 0),
        ("expm1", "exp", 0),
        ("exp10m1", "exp10", 0),
        ("logp1", "log", 0),
        ("log10p1", "log10", 0),
        ("asinh", "log(2*x)", 1),
        ("acosh", "log(2*x)", 1),
        ("exp(x)+1", "exp", 0),
        ("3-exp10(x)", "exp10", 0),
        ("1/3+5*exp(x)/16", "5*exp(x)/16", 0),
        ("7*(exp(x)-1000)", "7*exp(x)", 0),
        ("expm1(x)-31/4", "exp", 0),
        ("5*cosh(x)+100", "5*exp(x)/2", 0),
    ] {
        let family = Family::of_expression(&crate::parse(name).unwrap()).unwrap();
        let value = |text: &str, x: &Rational| {
            let x = Interval::from_rational(x, 900).unwrap();
            crate::parse(text).unwrap().enclose(&x, 900).unwrap().midpoint()
        };
        let is_factor = family.is_exponential();
        assert_eq!(family.perturbation(&Rational::from((7, 2))), None, "{name}");
        for bits in [5, 10, 33, 77, 150] {
            let y = family.least(bits);
            assert!(family.perturbation(&y).unwrap() <= power_of_two(-(bits as i32)), "{name}");
            for more in [0u32, 1, 3, 10] {
                let y = Rational::from(&y + more);
                let x = y.clone() >> log2;
                let (own, other) = (value(name, &x), value(near, &x));
                let mut delta = Float::with_val(900, &own - &other).abs();
                if is_factor {
                    // of a function and its negative
                    delta = delta.min(&Float::with_val(900, &own + &other).abs()) / other.abs();
                }
                let (delta, bound) = (delta.to_f64(), family.perturbation(&y).unwrap());
                assert!(delta <= bound && bound < 64.0 * delta, "{name} at {x}: {delta:e}, {bound:e}");
            }
        }
    }
    // with a factor: y is 3·x
    let family = Family::of_expression(&crate::parse("expm1(3*x)").unwrap()).unwrap();
    assert_eq!(family.perturbation(&Rational::from(30)), Some(power_of_two(-43)));
    assert_eq!(Family::of(Builtin::Exp).unwrap().perturbation(&Rational::new()), Some(0.0));
}

/// Θ of a multiple of x is that multiple of Θ, mod 1.
#[test]
fn rotations_of_multiples() {
    let of = |text: &str| Family::of_expression(&crate::parse(text).unwrap()).unwrap();
    for exponent in [-40, 0, 900] {
        let fine = of("sin").rotation(exponent - 3, 400).unwrap();
        for (text, odd) in [("sin(x/8)", 1), ("sin(-x/8)", -1), ("sin(5*x/8)", 5), ("sin(-77*x/8)", -77)] {
            let product = Integer::from(&fine * odd).keep_bits(400) >> 200u32;
            assert_eq!(of(text).rotation(exponent, 200).unwrap(), product, "{text} at {exponent}");
        }
    }
}

/// The polynomial of a segment is the function within the bounds carried, all over its windows.
#[test]
fn segments_are_within_their_bounds() {
    let families = [Builtin::Sin, Builtin::Cos, Builtin::Tan, Builtin::Exp, Builtin::Ln, Builtin::Log10];
    for family in families.map(|f| Family::of(f).unwrap()) {
        for (precision, log2_half, windows) in [(12, -11, 8), (24, -14, 32), (53, -38, 200), (64, -45, 999)] {
            let format = Format::custom(precision).unwrap();
            let angle_bits = 3 * precision + 60;
            for eighth in [1, 2, 3, 4, 6, 7] {
                if family.is_symmetric() && eighth > 3
                    || family.repetition() == Repetition::Doubling && eighth < 4
                {
                    continue;
                }
                let mut place = Place {
                    start: (Integer::from(eighth) << (angle_bits - 3)) + 12_345u32,
                    half: (Integer::from(1) << (angle_bits as i32 + log2_half).unsigned_abs()) + 1u32,
                    windows,
                    angle_bits,
                };
                let (_, binade) = family.binades(&place, precision).unwrap().unwrap();
                let tolerance = power_of_two(-(precision as i32));
                let log2 = 1 - format.ulp_exponent(binade);
                let scale = Scale {
                    log2,
                    is_shifted: eighth % 2 == 1,
                    tolerance,
                    index_bits: precision,
                    perturbation: 0.0,
                };
                let segment = loop {
                    match family.segment(&place, &scale) {
                        Ok((segment, _)) => break segment,
                        Err(error) => {
                            assert!(error == FamilyError::Remainder && place.windows > 1, "{error}");
                        }
                    }
                    place.windows /= 2;
                };
                assert!(segment.accuracy.get() < tolerance * 1.1, "the bound is of no use");
                for k in 0..=16u32 {
                    let step = (place.end() - &place.start) * k / 16u32;
                    let angle =
                        Interval::from_dyadic(&(step + &place.start), -(angle_bits as i32), 700).unwrap();
                    let series = Series::variable(&angle, 0).unwrap();
                    let exact = family.unit().series(&series).unwrap();
                    // by Horner's rule in 700 bits
                    let offset = Interval::from_dyadic(
                        &(Integer::from(&place.half * place.windows) + &place.start),
                        -(angle_bits as i32),
                        700,
                    );
                    let t = angle.sub(&offset.unwrap()).unwrap();
                    let mut value = Interval::zero(700).unwrap();
                    for &c in segment.coefficients.iter().rev() {
                        value = value.mul(&t).unwrap().add(&of_wide(c)).unwrap();
                    }
                    let mut wanted = exact.coefficients()[0].mul_2exp(log2).unwrap();
                    if scale.is_shifted {
                        wanted = wanted.add(&Interval::from_f64(0.5, 700).unwrap()).unwrap();
                    }
                    let off = value.sub(&wanted).unwrap().mag_f64().unwrap();
                    let bound = segment.accuracy.get() - tolerance;
                    assert!(
                        off <= bound,
                        "{} at {eighth}/8, {precision} bits: {off:e} > {bound:e}",
                        family.unit()
                    );
                }
            }
        }
    }
}

/// Next to sinπ(1/6) = 1/2 both binades are seen as soon as an index's own angle may be beyond.
#[test]
fn binades_are_those_of_all_angles_that_are_near() {
    let family = Family::of(Builtin::Sin).unwrap();
    let angle_bits = 60;
    let start = (Integer::from(1) << angle_bits) / 6u32 - 16u32;
    let place = Place { start, half: Integer::from(4), windows: 1, angle_bits };
    assert_eq!(family.binades(&place, 0).unwrap(), Some((-2, -2)));
    assert_eq!(family.binades(&place, 4).unwrap(), Some((-2, -1)));
}

/// A coefficient as an exact interval.
fn of_wide(c: Wide) -> Interval {
    let (magnitude, mut sum) = (c.abs(), Float::with_val(1200, 0));
    let (mut rest, mut weight) = (magnitude, 0u32);
    while rest != Wide::ZERO {
        let low = rest - ((rest >> 64) << 64);
        let limb = u64::try_from(low.to_i128().unwrap()).unwrap();
        let term = Float::with_val(1200, limb) << weight;
        sum += term;
        rest = rest >> 64;
        weight += 64;
    }
    let mut value = Float::new(1200);
    value.assign(if c.is_negative() { -sum } else { sum });
    Interval::point(value >> COEFFICIENT_BITS).unwrap()
}
