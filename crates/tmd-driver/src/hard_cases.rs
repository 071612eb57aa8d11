//! [`hard_cases`]: from the text of a function to its hard cases, for those who need no more.

use rug::Rational;
use tmd_core::{Breakpoints, Format, Interrupt, Problem};
use tmd_functions::{Expression, Function, ParseError, parse};
use tmd_simd::{Level, Simd};

use crate::{Certificate, DriverError, Outcome, Search, Solve, Workers};

/// About so many cases are listed, if nobody says how hard they must be.
const CASES: f64 = 64.0;

/// The question of the hard cases of a function that is given as text, such as `exp`, `exp(x)/x` or
/// `sin(3*x^2)`, with everything else at its default: results in binary64, in all rounding modes.
///
/// ```
/// use tmd_driver::{Format, hard_cases};
///
/// // e^x/x on the floats of [1, 2): which results are hardest to round?
/// let found = hard_cases("exp(x)/x")?.format(Format::BINARY32).between(1.0, 2.0)?;
/// for case in found.hardest(3) {
///     println!("{case}");
/// }
/// # assert_eq!(found.arguments, 1 << 23);
/// # assert!(found.cases.len() > 30 && !found.is_partial());
/// # assert!(found.hardest(3)[0].to_string().starts_with("x = 0x1."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An argument x is a *hard case* if f(x) is next to a *breakpoint*, a number of the format or the
/// middle of two, but not on it: whoever computes f(x) must do so with an error smaller than the
/// distance to know how to round. Distances are in *ulps*, units in the last place of f(x). Of n
/// results, about one has a distance below 1/(4n) ulp. The list is complete: docs/proofs
/// shows that none is left out (Theorem C.17).
///
/// What is chosen here, [`Search`] and [`Solve`] leave to you: other intervals and formats,
/// devices, progress, interruption.
///
/// # Errors
/// [`ParseError`] points at what is not understood.
pub fn hard_cases(function: &str) -> Result<HardCases<Expression>, ParseError> {
    parse(function).map(HardCases::of)
}

/// A function, and what is asked of it; [`between`](Self::between) or
/// [`everywhere`](Self::everywhere) answers.
#[derive(Clone, Debug)]
#[must_use = "nothing is searched before `between` or `everywhere`"]
pub struct HardCases<F> {
    function: F,
    format: Format,
    breakpoints: Breakpoints,
    extra_bits: Option<u32>,
    threads: usize,
}

impl<F: Function> HardCases<F> {
    /// The question about a function of your own.
    pub const fn of(function: F) -> Self {
        Self {
            function,
            format: Format::BINARY64,
            breakpoints: Breakpoints::All,
            extra_bits: None,
            threads: 0,
        }
    }

    /// The format of arguments and results.
    pub fn format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// The roundings in question: to nearest, directed, or all.
    pub fn rounding(self, breakpoints: Breakpoints) -> Self {
        Self { breakpoints, ..self }
    }

    /// Only results closer than `2^-extra_bits` ulp to a breakpoint, from 2 to 60. Otherwise
    /// between 64 and 128 cases are to be expected [`between`](Self::between) two numbers, and a
    /// few in each binade [`everywhere`](Self::everywhere).
    pub fn extra_bits(self, extra_bits: u32) -> Self {
        Self { extra_bits: Some(extra_bits), ..self }
    }

    /// The number of threads; otherwise there is one for each core.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    fn problem(&self, extra_bits: u32) -> Result<Problem, DriverError> {
        Ok(Problem::new(self.format, self.format, self.breakpoints, extra_bits)?)
    }

    /// The hard cases among the arguments x with `from ≤ x < to`, in increasing order. 2^40
    /// arguments are a matter of a second or less.
    ///
    /// # Errors
    /// An empty interval, one that is not finite, or a function that is not defined all over it,
    /// with a hint; see [`DriverError`].
    pub fn between(&self, from: f64, to: f64) -> Result<Outcome, DriverError> {
        let walk = Simd::farey(Level::best());
        let mut search = Search {
            function: &self.function,
            from: self.rational(from)?,
            to: self.rational(to)?,
            problem: self.problem(self.extra_bits.unwrap_or(Problem::MIN_EXTRA_BITS))?,
            workers: Workers::cpu(&walk, self.threads),
        };
        if self.extra_bits.is_none() {
            search.aim(CASES)?;
        }
        search.run(&(), &Interrupt::new())
    }

    /// The dilemma solved for all numbers of the format, as a document that can be kept and
    /// verified. Seconds for 16 bits, about a minute for 32, hours for 64 ([`Solve::plan`] says how
    /// many).
    ///
    /// # Errors
    /// See [`DriverError`].
    pub fn everywhere(&self) -> Result<Certificate, DriverError> {
        let walk = Simd::farey(Level::best());
        let solve = Solve {
            function: &self.function,
            problem: self
                .problem(self.extra_bits.unwrap_or_else(|| Solve::default_extra_bits(self.format)))?,
            binades: None,
            workers: Workers::cpu(&walk, self.threads),
            limit: f64::INFINITY,
        };
        let plan = solve.plan()?;
        solve.run(&plan, &(), &Interrupt::new())
    }

    /// One end of an interval.
    fn rational(&self, end: f64) -> Result<Rational, DriverError> {
        Rational::from_f64(end)
            .ok_or_else(|| DriverError::ArgumentOverflow { value: end.to_string(), format: self.format })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::{BreakpointKind, CoreError};

    #[test]
    fn as_many_cases_as_one_can_look_at() {
        for (function, from, to) in [("exp", 1.0, 1.0 + 0.5f64.powi(20)), ("x^3", 1.0, 1.25)] {
            let question = hard_cases(function).unwrap().format(Format::BINARY32).threads(1);
            let found = question.between(from, to).unwrap();
            let expected = found.arguments / 4;
            // of few arguments at most those within 1/4 ulp
            let range = if expected < 64 { 0..=expected as usize * 4 } else { 40..=180 };
            assert!(range.contains(&found.cases.len()), "{function}: {}", found.cases.len());
        }
    }

    #[test]
    fn what_is_asked_is_what_is_searched() {
        let question = hard_cases("exp(x)/x").unwrap().format(Format::BINARY16).extra_bits(5);
        let all = question.between(1.0, 4.0).unwrap();
        let nearest = question.clone().rounding(Breakpoints::Nearest).between(1.0, 4.0).unwrap();
        assert_eq!((all.arguments, nearest.arguments), (2048, 2048));
        let midpoints: Vec<_> = all
            .cases
            .iter()
            .filter(|case| case.kind == BreakpointKind::Midpoint)
            .map(|case| case.argument)
            .collect();
        assert!(midpoints.len() > 20 && midpoints.len() < all.cases.len());
        assert!(nearest.cases.iter().map(|case| case.argument).eq(midpoints));
        assert!(all.cases.iter().all(|case| case.log2_distance < -5.0));
        // the hardest first
        let hardest = all.hardest(usize::MAX);
        assert_eq!(hardest.len(), all.cases.len());
        assert!(hardest.is_sorted_by(|a, b| a.log2_distance <= b.log2_distance));
        assert_eq!(all.hardest(2), &hardest[..2]);
    }

    #[test]
    fn a_whole_format() {
        let certificate = hard_cases("exp(x)").unwrap().format(Format::BINARY16).everywhere().unwrap();
        assert!(certificate.is_complete() && certificate.extra_bits == 8 && !certificate.cases.is_empty());
    }

    #[test]
    fn wrong_questions() {
        assert!(hard_cases("exp(").is_err());
        let question = hard_cases("log").unwrap().format(Format::BINARY32);
        for (from, to) in [(f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert!(matches!(question.between(from, to), Err(DriverError::ArgumentOverflow { .. })));
        }
        assert!(matches!(question.between(2.0, 1.0), Err(DriverError::EmptyInterval { .. })));
        assert!(matches!(question.between(-2.0, -1.0), Err(DriverError::OutsideDomain { .. })));
        let bits = question.extra_bits(99).between(1.0, 2.0);
        assert!(matches!(bits, Err(DriverError::Core(CoreError::ExtraBits { extra_bits: 99 }))));
    }
}
