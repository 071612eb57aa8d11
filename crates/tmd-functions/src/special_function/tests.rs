//! Oracles: MPFR's own functions where it has them (gamma, ln |Γ|, digamma, Bessel, erfc), at more
//! bits than the enclosures have; definitions (y·e^y = x of Lambert's W) elsewhere. Series are
//! checked by divided differences, over wide intervals by their values at points, and by Taylor's
//! theorem.

mod data;
mod series;
mod theory;

use proptest::prelude::*;
use rug::float::Round;
use rug::ops::Pow;
use rug::{Float, Rational};

use super::*;
use crate::tests::{PRECISION, between, contains_nearly, float, interval, point, points_in, range_over};
use crate::{Expression, Function, parse, parse_number};

/// Bits of the oracle.
const ORACLE: u32 = 700;

/// Bits of it that are right.
const SURE: u32 = 550;

/// f(x) by MPFR, or by Newton's method; `None` outside the domain and at poles.
pub(super) fn oracle(function: SpecialFunction, x: &Float) -> Option<Float> {
    use SpecialFunction::{Abs, Digamma, Erfcx, Gamma, J0, J1, LambertW, LambertWm1, Lgamma, Y0, Y1};
    let v = Float::with_val(ORACLE, x);
    let y = match function {
        Abs => v.abs(),
        // the square is exact
        Erfcx => {
            let square = Float::with_val(4 * ORACLE, v.square_ref());
            Float::with_val(ORACLE, square.exp()) * v.erfc()
        }
        Gamma => v.gamma(),
        Lgamma => v.ln_abs_gamma().0,
        Digamma => v.digamma(),
        LambertW | LambertWm1 => return lambert(function == LambertW, &v),
        J0 => v.j0(),
        J1 => v.j1(),
        Y0 | Y1 if *x <= 0 => return None,
        Y0 => v.y0(),
        Y1 => v.y1(),
    };
    y.is_finite().then_some(y)
}

/// W by halving, from the definition.
fn lambert(is_principal: bool, x: &Float) -> Option<Float> {
    let bits = ORACLE + 64;
    let x = Float::with_val(bits, x);
    let minimum = -Float::with_val(bits, -1).exp();
    if x < minimum || !is_principal && x >= 0 {
        return None;
    }
    if x.is_zero() {
        return Some(x);
    }
    // y·e^y − x has one sign up to W(x), and the other one after it
    let is_above = |y: &Float| (y.clone() * y.clone().exp() > x) == is_principal;
    let (mut below, mut above) = if is_principal {
        // it is concave, with the tangent x at 0; and x·e^(−x) is below it for x > 0, the chord e·x
        // from (−1/e, −1) to 0 for x < 0
        let factor = if x > 0 { (-x.clone()).exp() } else { Float::with_val(bits, 1).exp() };
        (x.clone() * factor, x.clone().min(&(x.clone().abs().ln_1p() + 1u32)))
    } else {
        (Float::with_val(bits, -2) - (x.clone().abs().ln().abs() << 1u32), Float::with_val(bits, -1))
    };
    for _ in 0..bits + 400 {
        let middle = Float::with_val(bits, &below + &above) >> 1u32;
        if is_above(&middle) { above = middle } else { below = middle }
    }
    Some(above)
}

/// Intervals, often narrow or points, where the functions have their poles, zeros and extrema, and
/// anywhere.
pub(super) fn place() -> impl Strategy<Value = (Interval, Vec<Float>)> {
    let special = prop::sample::select(vec![
        -1.0,
        -2.0,
        -0.367_879_441_171_442_3,
        0.0,
        1.0,
        2.0,
        1.461_632_144_968_362_3,
        -0.504_083_008_264_455_4,
        -2.457_024_738_220_800_5,
        2.404_825_557_695_773,
        3.831_705_970_207_512,
        0.893_576_966_279_167_5,
        2.197_141_326_031_017,
        1.841_183_781_340_659_3,
        -64.0,
        -70.5,
        5.0,
    ]);
    let anywhere = (-1.0..1.0f64, -12i32..9).prop_map(|(m, e)| m * 2f64.powi(e));
    let near = (special, -1.0..1.0f64, -50i32..0).prop_map(|(center, m, e)| center + m * 2f64.powi(e));
    let width = prop_oneof![Just(0.0), (0.0..1.0f64, -50i32..1).prop_map(|(m, e)| m * 2f64.powi(e))];
    let inside = prop::collection::vec(0.0..=1.0f64, 3);
    (prop_oneof![anywhere, near], width, inside).prop_map(|(lo, width, inside)| {
        let a = Interval::new(float(lo), float(lo + width)).unwrap();
        let points = points_in(&a, &inside);
        (a, points)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn functions_contain_their_values((a, xs) in place()) {
        for function in SpecialFunction::ALL {
            match function.interval(&a) {
                Ok(range) => {
                    prop_assert_eq!(range.precision(), PRECISION);
                    for x in &xs {
                        let y = oracle(function, x).unwrap();
                        prop_assert!(contains_nearly(&range, &y, SURE), "{function}({x}) = {y} not in {range} over {a}");
                    }
                    prop_assert!(!a.is_point() || range.is_tight(), "{function}({a}) = {range}");
                }
                Err(FunctionError::Pole { .. }) => {
                    let pole = Float::with_val(PRECISION, a.hi().floor_ref());
                    prop_assert!(pole <= 0 && pole >= *a.lo(), "{function} over {a}");
                    prop_assert!(oracle(function, &pole).is_none(), "{function} has a value at {pole}");
                }
                Err(FunctionError::OutsideDomain { everywhere, .. }) => {
                    let values = xs.iter().map(|x| oracle(function, x).is_some());
                    let (mut some, mut all) = (false, true);
                    values.for_each(|is_defined| (some, all) = (some || is_defined, all && is_defined));
                    prop_assert!(if everywhere { !some } else { !all }, "{function} over {a}");
                }
                Err(error) => prop_assert!(false, "{function} over {a}: {error}"),
            }
        }
    }

    #[test]
    fn inclusion_is_monotonic((a, xs) in place()) {
        let inner = between(&xs[0], &xs[1]);
        for function in SpecialFunction::ALL {
            if let Ok(outer) = function.interval(&a) {
                let inner = function.interval(&inner).unwrap(); // defined on all of a
                prop_assert!(outer.contains_interval(&inner), "{function}: {outer} over {inner}");
            }
        }
    }

    /// Each precision encloses what a larger one encloses.
    #[test]
    fn precisions_agree((a, _) in place(), bits in 2u32..200) {
        for function in SpecialFunction::ALL {
            let (coarse, fine) = (a.round_to(bits).unwrap(), a.round_to(400).unwrap());
            if let (Ok(coarse), Ok(fine)) = (function.interval(&coarse), function.interval(&fine)) {
                prop_assert!(coarse.contains_interval(&fine), "{function} over {a}: {coarse}, {fine}");
            }
        }
    }

    /// min, max, hypot and copysign of all pairs, exactly.
    #[test]
    fn functions_of_two_arguments((a, xs) in place(), (b, ys) in place()) {
        let [min, max, hypot, copysign] = PairFunction::ALL.map(|function| function.interval(&a, &b).unwrap());
        for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
            let (least, greatest) = if x <= y { (x, y) } else { (y, x) };
            prop_assert!(min.contains(least) && max.contains(greatest));
            let [x, y] = [x, y].map(|x| x.to_rational().unwrap());
            let squares = Rational::from(&x * &x) + Rational::from(&y * &y);
            let [lo, hi] = [hypot.lo(), hypot.hi()].map(|end| end.to_rational().unwrap());
            prop_assert!(lo >= 0 && Rational::from(&lo * &lo) <= squares && Rational::from(&hi * &hi) >= squares);
            let magnitude = x.abs();
            let signed = if y < 0 { -magnitude } else { magnitude };
            prop_assert!(copysign.contains(&signed));
        }
        // no wider than the ends make it
        for end in [min.lo(), min.hi(), max.lo(), max.hi()] {
            prop_assert!([a.lo(), a.hi(), b.lo(), b.hi()].contains(&end));
        }
        prop_assert!(!(a.is_point() && b.is_point()) || hypot.is_tight());
    }
}

/// Far out, next to 0, next to poles and at the ends of domains.
#[test]
fn nasty_numbers() {
    let near_pole = |n: i32, e: i32| Float::with_val(1000, n) + (Float::with_val(1000, 1) << e);
    let numbers = "1e-300 -1e-300 5e-324 170.6 -170.6 1e5 -100000.5 26.9 1e10 1e22 700 -25 -63.999 -64.001";
    let numbers = numbers.split(' ').map(|text| Float::with_val(53, text.parse::<f64>().unwrap()));
    let mut numbers: Vec<Float> = numbers.collect();
    numbers.extend([near_pole(-1, -200), near_pole(-3, -90), near_pole(-100, -300), near_pole(0, -900)]);
    numbers.extend([near_pole(1, -200), near_pole(2, -100)]); // next to the zeros of ln Γ
    let branch = -Float::with_val(200, -1).exp();
    for bits in [20, 53, 64, 113] {
        let [below, above] =
            [Round::Down, Round::Up].map(|round| Float::with_val_round(bits, &branch, round).0);
        numbers.extend([below, above]);
    }
    let mut count = 0;
    for x in &numbers {
        for function in SpecialFunction::ALL {
            let Ok(range) = function.interval(&point(x).round_to(x.prec().max(64)).unwrap()) else {
                continue;
            };
            // MPFR needs minutes for some of these
            let is_slow = matches!(
                function,
                SpecialFunction::J0 | SpecialFunction::J1 | SpecialFunction::Y0 | SpecialFunction::Y1
            ) || x.prec() > 900 && *x < -50
                || x.clone().abs() > 1e9;
            if is_slow {
                continue;
            }
            // of erfcx far out the factors are no numbers of MPFR
            let Some(y) = oracle(function, x) else {
                assert!(function == SpecialFunction::Erfcx && *x > 20_000, "{function}({x})");
                continue;
            };
            count += 1;
            // the square of erfcx has its own error
            assert!(
                contains_nearly(&range, &y, SURE) || x.prec() > 900,
                "{function}({x}) = {y} not in {range}"
            );
            assert!(range.is_tight(), "{function}({x}) = {range}");
        }
    }
    assert!(count > 100, "{count}");
    for (function, x) in [(SpecialFunction::LambertW, branch.clone()), (SpecialFunction::LambertWm1, branch)]
    {
        let [below, above] = [Round::Down, Round::Up].map(|round| Float::with_val_round(64, &x, round).0);
        let error = function.interval(&point(&below)).unwrap_err();
        assert!(matches!(error, FunctionError::OutsideDomain { everywhere: true, .. }), "{error}");
        assert!(function.interval(&point(&above)).is_ok());
    }
}

/// The extrema are where they are known to be, and enclosures around them are as tight as those of
/// ends.
#[test]
fn minima_of_gamma() {
    for (lo, hi, least, of_logarithm) in [
        (1.0, 2.0, 0.885_603_194_410_888_7, -0.121_486_290_535_849_61),
        (-0.75, -0.25, 3.544_643_611_155_005, 1.265_437_560_090_0),
        (-1.75, -1.25, 2.302_407_258_339_680_3, 0.833_955_300_350_0),
        (-2.75, -2.25, 0.888_136_358_401_242, -0.118_629_968_0),
    ] {
        let x = interval(lo, hi);
        let gamma = x.gamma().unwrap();
        assert!((gamma.mig().to_f64() - least).abs() < 1e-12, "{x}: {gamma}");
        let logarithm = x.lgamma().unwrap();
        assert!((logarithm.lo().to_f64() - of_logarithm).abs() < 1e-6, "{x}: {logarithm}");
        // the enclosure of Γ at the minimum by a neighborhood of it
        let at = Float::with_val(200, digamma_zero(lo, hi));
        let narrow = Interval::new(
            Float::with_val_round(64, &at, Round::Down).0,
            Float::with_val_round(64, &at, Round::Up).0,
        );
        let narrow = narrow.unwrap().lgamma().unwrap();
        assert!(narrow.width().unwrap() <= (narrow.mag() >> 60u32), "{narrow}");
        assert!(logarithm.lo() <= narrow.lo());
    }
}

/// At more bits than the zero of ψ is known to, the least value is still below all values.
#[test]
fn minima_of_gamma_to_many_bits() {
    for (lo, hi) in [(1.0, 2.0), (-0.75, -0.25), (-1.75, -1.25), (-30.9, -30.0625)] {
        let zero = Float::with_val(400, digamma_zero(lo, hi));
        let x = interval(lo, hi).round_to(300).unwrap();
        let least = zero.ln_abs_gamma().0;
        let found = x.lgamma().unwrap();
        assert!(*found.lo() < least, "{found}: {least}");
        assert!(Float::with_val(300, &least - found.lo()) < 1e-30, "{found}: {least}");
        assert!(x.gamma().unwrap().mig() < Float::with_val(400, least.exp()));
    }
}

/// An interval with an extremum of a Bessel function next to its end holds it: the derivative at
/// its middle is as large as it can be.
#[test]
fn extrema_of_bessel_functions() {
    for (function, extrema) in [
        (SpecialFunction::J0, [3.831_705_970_207_512, 7.015_586_669_815_619]),
        (SpecialFunction::J1, [1.841_183_781_340_659_3, 5.331_442_773_525_033]),
        (SpecialFunction::Y0, [2.197_141_326_031_017, 5.429_681_040_794_135]),
        (SpecialFunction::Y1, [3.683_022_856_585_178, 6.941_499_953_654_175]),
    ] {
        for extremum in extrema {
            let most = oracle(function, &float(extremum)).unwrap();
            for (left, right) in [(0.001, 0.05), (0.002, 0.1), (0.1, 0.002), (0.05, 0.001), (0.3, 0.3)] {
                let range = function.interval(&interval(extremum - left, extremum + right)).unwrap();
                assert!(range.contains(&most), "{function} from {extremum} - {left} on: {range}");
            }
            // on one side of it the function is monotonic, and that is seen
            for (from, to) in [(0.1, 0.15), (-0.15, -0.1)] {
                let range = function.interval(&interval(extremum + from, extremum + to)).unwrap();
                assert!(range.width().unwrap() < 0.02, "{function} beside {extremum}: {range}");
            }
        }
    }
}

/// The zero of ψ by halving with MPFR.
fn digamma_zero(lo: f64, hi: f64) -> Float {
    let (mut lo, mut hi) = (Float::with_val(400, lo), Float::with_val(400, hi));
    for _ in 0..390 {
        let middle = Float::with_val(400, &lo + &hi) >> 1u32;
        if middle.clone().digamma() < 0 { lo = middle } else { hi = middle }
    }
    lo
}
