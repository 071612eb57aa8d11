//! Oracles: MPFR's own functions where it has them (gamma, ln |Γ|, digamma, Bessel, erfc), at more bits than the enclosures have; definitions
//! (y·e^y = x of Lambert's W) elsewhere. Series are checked by divided differences, over wide intervals by their values at points,
//! and by Taylor's theorem.

mod data;
mod series;

use proptest::prelude::*;
use rug::float::Round;
use rug::ops::Pow;
use rug::{Float, Rational};

use super::*;
use crate::{Expression, Function, parse, parse_number};

const PRECISION: u32 = 64;

/// Bits of the oracle.
const ORACLE: u32 = 700;

fn float(x: f64) -> Float {
    Float::with_val(PRECISION, x)
}

fn interval(lo: f64, hi: f64) -> Interval {
    Interval::new(float(lo), float(hi)).unwrap()
}

fn point(x: &Float) -> Interval {
    Interval::point(x.clone()).unwrap()
}

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
        // it is concave, with the tangent x at 0; and x·e^(−x) is below it for x > 0, the chord e·x from (−1/e, −1) to 0 for x < 0
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

/// Whether `y` is in the range, but for the error of the oracle.
fn contains_nearly(range: &Interval, y: &Float) -> bool {
    let slack = Float::with_val(ORACLE, y.abs_ref()) >> (ORACLE - 150);
    let [least, greatest] = [Float::with_val(ORACLE, y + &slack), Float::with_val(ORACLE, y - &slack)];
    *range.lo() <= least && *range.hi() >= greatest
}

/// Intervals, often narrow or points, where the functions have their poles, zeros and extrema, and anywhere.
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
        let span = a.width().unwrap();
        let at = |part: &f64| (Float::with_val(PRECISION, &span * part) + a.lo()).clamp(a.lo(), a.hi());
        let mut points: Vec<_> = inside.iter().map(at).collect();
        points.extend([a.lo().clone(), a.hi().clone()]);
        (a, points)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn functions_contain_their_values((a, xs) in place()) {
        for function in SpecialFunction::ALL {
            match function.interval(&a) {
                Ok(range) => {
                    prop_assert_eq!(range.precision(), PRECISION);
                    for x in &xs {
                        let y = oracle(function, x).unwrap();
                        prop_assert!(contains_nearly(&range, &y), "{function}({x}) = {y} not in {range} over {a}");
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
        let (x, y) = (xs[0].clone(), xs[1].clone());
        let inner = if x <= y { Interval::new(x, y).unwrap() } else { Interval::new(y, x).unwrap() };
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
    let mut numbers: Vec<Float> = [
        1e-300,
        -1e-300,
        5e-324,
        170.6,
        -170.6,
        1e5,
        -1e5 - 0.5,
        26.9,
        1e10,
        1e22,
        700.0,
        -25.0,
        -63.999,
        -64.001,
    ]
    .map(|x| Float::with_val(53, x))
    .to_vec();
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
            assert!(contains_nearly(&range, &y) || x.prec() > 900, "{function}({x}) = {y} not in {range}");
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

/// The extrema are where they are known to be, and enclosures around them are as tight as those of ends.
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

/// An interval with an extremum of a Bessel function next to its end holds it: the derivative at its middle is as large as it can be.
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

#[test]
fn exact_values_by_theory() {
    for (text, x, value) in [
        ("abs", "-3/4", Some("3/4")),
        ("gamma", "1", Some("1")),
        ("gamma", "5", Some("24")),
        ("gamma", "0", None),
        ("gamma", "1/3", None),
        ("lgamma", "1", Some("0")),
        ("lgamma", "2", Some("0")),
        ("lgamma", "3", None),
        ("digamma", "1", None),
        ("erfcx", "0", Some("1")),
        ("lambertw", "0", Some("0")),
        ("lambertw", "1", None),
        ("j0", "0", Some("1")),
        ("j1", "0", Some("0")),
        ("j1", "1", None),
        ("min(x,1/3)", "1/2", Some("1/3")),
        ("max(x,sin(1))", "7/8", Some("7/8")),
        ("max(x,sin(1))", "1/2", None),
        ("max(sin(x),0)", "-1", Some("0")),
        ("hypot(x,4)", "3", Some("5")),
        ("hypot(x,1)", "1", None),
        ("copysign(x^2,x)", "-3", Some("-9")),
    ] {
        let [x, value] = [Some(x), value].map(|text| text.map(|text| parse_number(text).unwrap()));
        assert_eq!(parse(text).unwrap().exact(&x.unwrap()), value, "{text}");
    }
    for (text, x) in [
        ("gamma", "7/2"),
        ("gamma", "-1/4"),
        ("lgamma", "3"),
        ("lambertw", "1"),
        ("lambertw", "-1/4"),
        ("lambertwm1", "-1/4"),
        ("j0", "-3"),
        ("j1", "1/3"),
        ("abs(sin(x))", "-2"),
        ("hypot(x,1)", "1"),
        ("hypot(sin(x),1)", "1"),
        ("max(x,sin(1))", "1/2"),
        ("min(sin(x),exp(x))", "1"),
        ("copysign(sin(x),x)", "1"),
    ] {
        assert!(parse(text).unwrap().proves_irrational(&parse_number(x).unwrap()), "{text} at {x}");
    }
    for (text, x) in [
        ("gamma", "-1"),
        ("gamma", "1/3"),
        ("lambertw", "-1"),
        ("lambertwm1", "1"),
        ("y0", "1"),
        ("digamma", "1"),
    ] {
        let (f, x) = (parse(text).unwrap(), parse_number(x).unwrap());
        assert!(!f.proves_irrational(&x) && f.exact(&x).is_none(), "{text} at {x}");
    }
}

/// What theory says is what enclosures show, at all numbers of few bits.
#[test]
fn theory_agrees_with_enclosures() {
    for function in SpecialFunction::ALL {
        let f = Expression::Special(function, Box::new(Expression::X));
        assert!(f.exact_rule().unwrap().contains(function.name()), "{function}");
        for n in -40..=40 {
            let x = Rational::from((n, 8));
            let Ok(y) = f.enclose(&Interval::from_rational(&x, 100).unwrap(), 100) else {
                assert!(f.exact(&x).is_none() && !f.proves_irrational(&x), "{function} at {x}");
                continue;
            };
            if let Some(value) = f.exact(&x) {
                assert!(y.contains(&value) && y.is_point(), "{function} at {x}");
            }
            assert!(!f.proves_irrational(&x) || !y.is_point(), "{function} at {x}");
            let rule = f.exact_rule().unwrap();
            if rule.contains("rational only at x = 0") {
                assert_eq!(f.exact(&x).is_some(), x == 0, "{rule}: {x}");
                assert_eq!(f.proves_irrational(&x), x != 0, "{rule}: {x}");
            }
        }
    }
}

#[test]
fn parities() {
    for (text, parity) in [
        ("abs", Some(Parity::Even)),
        ("abs(sin(x))", Some(Parity::Even)),
        ("j0", Some(Parity::Even)),
        ("j1", Some(Parity::Odd)),
        ("hypot(x,3)", Some(Parity::Even)),
        ("hypot(x,x^2)", Some(Parity::Even)),
        ("max(cos(x),x^2)", Some(Parity::Even)),
        ("max(sin(x),x^2)", None),
        ("copysign(abs(x)*exp(abs(x)),x)", Some(Parity::Odd)),
        ("copysign(exp(abs(x)),x)", None), // at 0 it is 1
        ("copysign(1,x^2)", Some(Parity::Even)),
        ("gamma", None),
        ("lambertw", None),
        ("y0", None),
    ] {
        let f = parse(text).unwrap();
        assert_eq!(f.parity(), parity, "{text}");
        let Some(parity) = parity else { continue };
        for x in [0.25, 1.0, 3.75] {
            let [plus, minus] = [x, -x].map(|x| f.enclose(&interval(x, x), 64).unwrap());
            assert_eq!(plus, if parity == Parity::Odd { minus.neg() } else { minus }, "{text} at {x}");
        }
    }
}

/// Over an interval where it is decided which piece a function is, it is that one.
#[test]
fn pieces() {
    for (text, lo, hi, piece) in [
        ("abs(sin(x))", 0.5, 1.0, Some("sin(x)")),
        ("abs(sin(x))", -1.0, -0.5, Some("-sin(x)")),
        ("abs(sin(x))", -1.0, 0.5, None),
        ("1+max(x,x^2)", 0.25, 0.5, Some("1+x")),
        ("1+max(x,x^2)", 2.0, 3.0, Some("1+x^2")),
        ("min(x,x^2)", 2.0, 3.0, Some("x")),
        ("min(x,x^2)", 0.5, 3.0, None),
        ("copysign(exp(x),x)", -3.0, -1.0, Some("-exp(x)")),
        ("copysign(x,x)", 0.0, 1.0, Some("x")),
        ("copysign(x,x)", -1.0, 0.0, None),
        ("exp(x)", 2.0, 3.0, None),
        ("hypot(abs(x),1)", 2.0, 3.0, Some("hypot(x,1)")),
    ] {
        let found = parse(text).unwrap().piece(&interval(lo, hi));
        assert_eq!(found.map(|f| f.to_string()).as_deref(), piece, "{text} on [{lo}, {hi}]");
    }
}

#[test]
fn texts() {
    for (text, shown) in [
        ("tgamma", "gamma(x)"),
        ("psi(2*x)", "digamma(2*x)"),
        ("max( x , 0 )", "max(x,0)"),
        ("hypot(x,3)", "hypot(x,3)"),
        ("copysign(x^2,x)", "copysign(x^2,x)"),
        ("fabs(x)", "abs(x)"),
    ] {
        let f = parse(text).unwrap();
        assert_eq!(f.to_string(), shown);
        assert_eq!(parse(shown).unwrap(), f);
    }
    let message = |text| parse(text).unwrap_err().to_string();
    assert_eq!(
        message("1+zeta(x)"),
        "column 3: zeta is not there: Riemann's zeta function has no enclosures here"
    );
    assert_eq!(message("max(x)"), "column 1: `max` takes 2 arguments, not 1");
    assert_eq!(message("gama(x)"), "column 1: unknown name `gama` (did you mean `gamma`?)");
    assert!(message("floor(x)").starts_with("column 1: floor is not there: "));
    assert_eq!(parse_number("max(abs(-3),hypot(3,4))+gamma(4)").unwrap(), 11);
}

/// Beyond the numbers of MPFR on one side, and never 0.
#[test]
fn ranges() {
    let range = |text: &str, lo: f64, hi: f64| parse(text).unwrap().range(&interval(lo, hi), 64).unwrap();
    for (text, lo, hi, bits) in [
        ("gamma", 1e9, 1e300, 1 << 19),
        ("gamma", 100.0, 1e300, 500),
        ("erfcx", -1e300, -1e9, 1 << 27),
        ("erfcx", -1e300, -10.0, 140),
    ] {
        let range = range(text, lo, hi);
        assert_eq!(range.above, Bound::Unbounded);
        assert!(range.below.value().unwrap().get_exp().unwrap() > bits, "{text}: {range}");
    }
    let tiny = range("gamma", -1e9 - 0.75, -1e9 - 0.25);
    assert!(
        tiny.contains(&Float::with_val(64, 0.5).pow(100_000_000)) || tiny.above.value().is_some(),
        "{tiny}"
    );
    assert!(!tiny.contains(&0.0), "{tiny}");
    // pieces with missing and open bounds
    let open = parse("max(exp(x),1)").unwrap().range(&interval(-1e300, -1e299), 64).unwrap();
    assert_eq!(open, Range { below: Bound::Closed(float(1.0)), above: Bound::Closed(float(1.0)) });
    let unbounded = parse("max(exp(x),1)").unwrap().range(&interval(1e299, 1e300), 64).unwrap();
    assert!(
        unbounded.above == Bound::Unbounded && unbounded.below.value().unwrap().get_exp() > Some(1 << 20)
    );
    let below = parse("min(exp(-x),1/2)").unwrap().range(&interval(1e299, 1e300), 64).unwrap();
    assert_eq!(below.below, Bound::Open(float(0.0)));
    let hypot = parse("hypot(exp(x),3)").unwrap().range(&interval(1e299, 1e300), 64).unwrap();
    assert!(hypot.above == Bound::Unbounded && hypot.below.value().unwrap().get_exp() > Some(1 << 20));
}
