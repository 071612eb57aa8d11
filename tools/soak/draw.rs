//! Random questions: functions and expressions, formats, intervals anywhere, roundings, extra bits.

use std::f64::consts::{E, FRAC_PI_2, FRAC_PI_4, LN_2, PI, TAU};

use crate::ToolError;
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use rug::Rational;
use tmd_core::{ArgumentRange, Breakpoints, Format, Number, Problem};
use tmd_driver::{interval::argument_ranges, validate::validate};
use tmd_functions::{Builtin, Expression, parse, parse_number};

/// Questions that are drawn in place of one that has no answer, before that is asked nevertheless:
/// an error is an answer, too.
const DRAWS: u32 = 12;

/// Arguments that are looked at one by one.
pub(super) const FEW: u32 = 11;

/// One of these.
pub(super) fn one_of<T: Copy>(rng: &mut StdRng, all: &[T]) -> T {
    *all.choose(rng).unwrap_or(&all[0])
}

fn breakpoints(rng: &mut StdRng) -> Breakpoints {
    one_of(rng, &[Breakpoints::Directed, Breakpoints::Nearest, Breakpoints::All])
}

/// Numbers near which functions have zeros, extrema, inflection points, or change what is known of
/// them.
const ANCHORS: [f64; 14] =
    [1.0, 0.5, 2.0, 3.0, FRAC_PI_2, PI, 3.0 * FRAC_PI_2, TAU, FRAC_PI_4, E, LN_2, 1.5, 0.1, 709.0];

/// A search, apart from who carries it out.
pub(super) struct DrawnSearch {
    /// The function.
    pub function: Expression,
    /// Formats, breakpoints, ε.
    pub problem: Problem,
    /// First end, included.
    pub from: Number,
    /// Second end, excluded.
    pub to: Number,
    /// The formats as options of `tmd search`.
    words: String,
    /// log2 of the arguments, at least.
    pub(super) log2_arguments: u32,
}

impl DrawnSearch {
    /// Draws one.
    pub(super) fn draw(rng: &mut StdRng) -> Result<Self, ToolError> {
        let mut question = Self::any(rng)?;
        for _ in 1..DRAWS {
            if question.has_an_answer() {
                break;
            }
            question = Self::any(rng)?;
        }
        Ok(question)
    }

    fn any(rng: &mut StdRng) -> Result<Self, ToolError> {
        let function = parse(&function(rng))?;
        let (arguments, results, words) = formats(rng)?;
        let log2 = match rng.random_range(0..40) {
            0..24 => rng.random_range(0..=FEW),
            24..38 => rng.random_range(FEW..22),
            _ => rng.random_range(22..31),
        };
        let (from, to) = interval(rng, arguments, log2);
        let breakpoints = breakpoints(rng);
        // a few cases, or none, or hundreds
        let cases = rng.random_range(-3..9);
        let extra_bits = (log2 as i32 + 1 + breakpoints.scale_bits() as i32 - cases).clamp(2, 60);
        let problem = Problem::new(arguments, results, breakpoints, extra_bits as u32)?;
        let mut question = Self { function, problem, from, to, words, log2_arguments: log2 };
        if let Some(count) = question.count() {
            question.log2_arguments = (count as f64).log2().ceil() as u32;
        }
        Ok(question)
    }

    /// The ends as exact numbers.
    pub(super) fn ends(&self) -> Result<(Rational, Rational), ToolError> {
        Ok((parse_number(&self.from.to_string())?, parse_number(&self.to.to_string())?))
    }

    /// How many arguments there are; none if the interval is no interval.
    fn count(&self) -> Option<u128> {
        let ranges = self.ranges().ok()?;
        Some(ranges.iter().map(|range| u128::from(range.count())).sum())
    }

    fn ranges(&self) -> Result<Vec<ArgumentRange>, ToolError> {
        let (from, to) = self.ends()?;
        Ok(argument_ranges(&from, &to, self.problem.arguments())?)
    }

    fn has_an_answer(&self) -> bool {
        self.ranges().is_ok_and(|ranges| validate(&self.function, &self.problem, &ranges).is_ok())
    }
}

/// As options of `tmd search`.
impl std::fmt::Display for DrawnSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { function, problem, from, to, words, .. } = self;
        let (rounding, bits) = (problem.breakpoints(), problem.extra_bits());
        write!(f, "'{function}' {words} --from {from} --to {to} --rounding {rounding} --extra-bits {bits}")
    }
}

/// Formats of arguments and results, and the words for them.
fn formats(rng: &mut StdRng) -> Result<(Format, Format, String), ToolError> {
    let names = ["binary64", "binary64", "binary64", "binary32", "binary32", "binary16", "bfloat16", "x87"];
    let name = one_of(rng, &names);
    let (results, words) = if rng.random_bool(0.8) {
        (Format::named(name)?, format!("--format {name}"))
    } else {
        let precision = rng.random_range(2..=64);
        (Format::custom(precision)?, format!("--precision {precision}"))
    };
    if rng.random_bool(0.7) {
        return Ok((results, results, words));
    }
    let precision = rng.random_range(2..=64);
    Ok((results.with_precision(precision)?, results, format!("{words} --arg-precision {precision}")))
}

/// The ends of an interval of about `2^log2` numbers of the format.
fn interval(rng: &mut StdRng, format: Format, log2: u32) -> (Number, Number) {
    let count = rng.random_range(1i128 << log2..2i128 << log2);
    let top = 1i128 << format.precision();
    let before = rng.random_range(0..=count);
    let exponent = exponent(rng, format);
    let ulp = format.ulp_exponent(exponent);
    // formats without a least number have one that is small enough
    let least = format.ulp_exponent(format.min_exponent().max(-20_000));
    let (first, ulp) = match rng.random_range(0..10) {
        // anywhere
        0..4 => (rng.random_range(top / 2..top), ulp),
        // on both sides of a power of two
        4..6 => (top - before, ulp),
        // next to a number that matters
        6..8 => {
            let anchor = one_of(rng, &ANCHORS);
            let ulp = format.ulp_exponent(anchor.log2().floor() as i32);
            // a double has 53 bits: of more precise numbers the rest is 0
            let near = (anchor * 2f64.powi(60)) as i128;
            (shifted(near, -60 - ulp) - before, ulp)
        }
        // among the least numbers
        8 => (rng.random_range(0..top), least),
        // on both sides of 0
        _ => (-before, least),
    };
    let first = if rng.random_bool(0.3) { -(first + count) } else { first };
    (Number::new(first, ulp), Number::new(first + count, ulp))
}

/// `x·2^shift`, rounded down.
fn shifted(x: i128, shift: i32) -> i128 {
    if shift >= 0 { x << shift } else { x >> -shift }
}

/// The exponent of an argument: mostly of ordinary numbers, but all of the format's have their
/// chance.
fn exponent(rng: &mut StdRng, format: Format) -> i32 {
    // MPFR's precision follows the argument's exponent: beyond ±4096 nothing new comes
    let (least, most) = (format.min_exponent().max(-4096), (format.max_exponent() - 1).min(4096));
    let exponent = match rng.random_range(0..20) {
        0..9 => rng.random_range(-4..=2),
        9..13 => rng.random_range(-30..=10),
        13..16 => rng.random_range(-70..=70),
        16..18 => rng.random_range(least..=most),
        18 => least,
        _ => most,
    };
    exponent.clamp(least, most)
}

/// A function: named, transformed, or an expression of several.
fn function(rng: &mut StdRng) -> String {
    match rng.random_range(0..10) {
        0..5 => format!("{}(x)", builtin(rng)),
        5 => format!("x^{}", power(rng)),
        6 => format!("rootn(x,{})", power(rng)),
        7 => {
            let scale = if rng.random_bool(0.5) {
                constant(rng)
            } else {
                format!("2^{}", rng.random_range(-300..300))
            };
            format!("{scale}*{}({}*x+{})", builtin(rng), constant(rng), constant(rng))
        }
        _ => loop {
            let text = expression(rng, 3);
            if text.contains('x') && parse(&text).is_ok_and(|function| function.contains_variable()) {
                break text;
            }
        },
    }
}

fn builtin(rng: &mut StdRng) -> Builtin {
    one_of(rng, &Builtin::ALL)
}

fn power(rng: &mut StdRng) -> i32 {
    one_of(rng, &[-17, -5, -3, -2, -1, 2, 3, 4, 5, 7, 12, 31, 100])
}

fn constant(rng: &mut StdRng) -> String {
    match rng.random_range(0..8) {
        0..4 => rng.random_range(1..10).to_string(),
        4 => format!("[{}/{}]", rng.random_range(-9..10), rng.random_range(1..10)),
        5 => format!("2^{}", rng.random_range(-20..20)),
        6 => "pi".into(),
        _ => "e".into(),
    }
}

fn expression(rng: &mut StdRng, depth: u32) -> String {
    if depth == 0 || rng.random_bool(0.15) {
        return if rng.random_bool(0.75) { "x".into() } else { constant(rng) };
    }
    let inner = expression(rng, depth - 1);
    match rng.random_range(0..10) {
        0..4 => format!("{}({inner})", builtin(rng)),
        4..8 => {
            let operator = one_of(rng, &["+", "-", "*", "/"]);
            format!("({inner}){operator}({})", expression(rng, depth - 1))
        }
        8 => format!("({inner})^{}", rng.random_range(-3..5)),
        _ => format!("rootn({inner},{})", one_of(rng, &[2, 3, 5, -3])),
    }
}

/// A question about a whole format, or some binades of it.
pub(super) struct Domain {
    pub(super) function: Expression,
    pub(super) problem: Problem,
    pub(super) binades: Option<std::ops::Range<i32>>,
    /// Whether some regions are to be out of reach.
    pub(super) is_limited: bool,
}

impl Domain {
    /// Draws one of so few numbers that all can be looked at.
    pub(super) fn draw(rng: &mut StdRng) -> Result<Self, ToolError> {
        let is_of_its_own = rng.random_bool(0.5);
        let text = if is_of_its_own && rng.random_bool(0.7) { repeating(rng) } else { function(rng) };
        let function = parse(&text)?;
        let format = if is_of_its_own {
            small_format(rng)?
        } else {
            Format::named(one_of(rng, &["binary16", "binary16", "bfloat16"]))?
        };
        let start = exponent(rng, format);
        let end = start + rng.random_range(1..8);
        let binades = start..end.min(format.max_exponent() + 1);
        let breakpoints = breakpoints(rng);
        let most = if is_of_its_own { 6 } else { 12 };
        let problem = Problem::new(format, format, breakpoints, rng.random_range(4..=most))?;
        let is_whole = rng.random_bool(if is_of_its_own { 0.8 } else { 0.1 });
        Ok(Self {
            function,
            problem,
            binades: (!is_whole).then_some(binades),
            is_limited: rng.random_bool(0.3),
        })
    }

    /// Draws some binades of a function with families, where these are searched all at once: large
    /// arguments of periodic functions and exponentials, many exponents of logarithms.
    pub(super) fn draw_family(rng: &mut StdRng) -> Result<Self, ToolError> {
        let is_logarithm = rng.random_bool(0.4);
        let text = family(rng, is_logarithm);
        let precision = rng.random_range(if is_logarithm { 6..=8 } else { 8..=11 });
        let format = Format::new(precision, -150, 150)?;
        let binades = if is_logarithm {
            let start = rng.random_range(-100..60);
            start..start + rng.random_range(5..40)
        } else {
            let start = rng.random_range(2..if precision > 9 { 9 } else { 140 });
            start..start + rng.random_range(1..4)
        };
        let breakpoints = breakpoints(rng);
        let problem = Problem::new(format, format, breakpoints, rng.random_range(4..=precision))?;
        Ok(Self { function: parse(&text)?, problem, binades: Some(binades), is_limited: false })
    }
}

/// A function with families: of logarithms, or with a period.
pub(crate) fn family(rng: &mut StdRng, is_logarithm: bool) -> String {
    let names: &[&str] = if is_logarithm {
        &["log", "log10", "logp1", "log10p1", "asinh", "acosh"]
    } else {
        &["sin", "cos", "tan", "exp", "exp10", "sinh", "cosh", "expm1", "exp10m1"]
    };
    let name = one_of(rng, names);
    let odd = if is_logarithm { 1 } else { one_of(rng, &[1, 1, 1, 3, -5, 77]) };
    let (divisor, down) = (1 << rng.random_range(0..4), 1 << rng.random_range(0..4));
    let multiplier = one_of(rng, &[1, 1, 1, 3, -5, 1023]);
    format!("{multiplier}*{name}({odd}*x/{down})/{divisor}")
}

/// A format of a few thousand numbers, of any precision and exponent range.
fn small_format(rng: &mut StdRng) -> Result<Format, ToolError> {
    loop {
        let (precision, most) = (rng.random_range(3..=12), rng.random_range(2..=40));
        let least = if rng.random_bool(0.7) { 1 - most } else { rng.random_range(-40..=0) };
        if (most - least + 2) << precision <= 1 << 13 {
            return Ok(Format::new(precision, least, most)?);
        }
    }
}

/// A function that repeats itself, with degrees as large as there are.
fn repeating(rng: &mut StdRng) -> String {
    let most = one_of(rng, &[6, 60, 1000]);
    let degree = rng.random_range(1..=most) * if rng.random_bool(0.3) { -1 } else { 1 };
    match rng.random_range(0..8) {
        0..3 => format!("rootn(x,{degree})"),
        3 => format!("x^{degree}"),
        _ => one_of(rng, &["exp2", "log2", "sinpi", "cospi", "tanpi", "sqrt", "rsqrt", "cbrt", "1/x"]).into(),
    }
}

/// As options of `tmd solve`.
impl std::fmt::Display for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { function, problem, binades, is_limited } = self;
        let (rounding, bits, format) = (problem.breakpoints(), problem.extra_bits(), problem.arguments());
        let named = format.to_string();
        if Format::named(&named).is_ok() {
            write!(f, "'{function}' --format {named} --rounding {rounding} --extra-bits {bits}")?;
        } else {
            // a format that the library has, and the program has no name for
            let (precision, least, most) = (format.precision(), format.min_exponent(), format.max_exponent());
            write!(
                f,
                "'{function}' in Format::new({precision}, {least}, {most}) --rounding {rounding} --extra-bits {bits}"
            )?;
        }
        if *is_limited {
            write!(f, " --limit (the median of its regions')")?;
        }
        match binades {
            Some(binades) => write!(f, " --binades {}..{}", binades.start, binades.end),
            None => Ok(()),
        }
    }
}
