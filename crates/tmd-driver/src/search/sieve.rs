//! [`Sieve`]: which arguments are worth a confirmation where each is alone: those of sin, cos and
//! tan in narrow formats, where they are so large that no polynomial serves two of them.
//!
//! `f64` holds the value to 2^-51 or so, which leaves one argument in thousands of those of
//! binary32. An argument is passed over only if the value, with its error bound, is farther than ε
//! from every breakpoint.
//!
//! Proof: Theorem M.15 of docs/proofs/domain.md, machine-checked in `proofs/Regions.v`.

use tmd_core::{ArgumentRange, Problem, difftable::power_of_two};
use tmd_functions::{Function, circular};

/// Arguments that share a table.
pub(crate) const MOST_SIEVED: u64 = 1 << 23;

/// Seconds that an argument takes, its share of the table included, roughly.
pub(crate) const SIEVING: f64 = 1.5e-8;

/// From this spacing on arguments are alone: an angle of 1/16, and no polynomial serves more than a
/// few.
const LEAST_SPACING: i32 = -4;

/// Results of more bits leave too little of a double to tell them from breakpoints: at 32 bits
/// and |f(x)| = 2^-10 the error bound is 2^-51.4, and half an ulp 2^-42.
const MOST_BITS: u32 = 32;

/// Values of the function over a range, and how near to a breakpoint is near.
pub(crate) struct Sieve {
    table: circular::Table,
    /// precision of the results, and one more bit where midpoints are breakpoints, too
    bits: i32,
    is_shifted: bool,
    tolerance: f64,
}

impl Sieve {
    /// Whether the function is sin, cos or tan, which have a value at every number, and arguments
    /// are so far from each other that there may be a pole between any two.
    pub(crate) fn is_of_single_arguments(function: &dyn Function, range: &ArgumentRange) -> bool {
        function.circular().is_some() && range.exponent() >= LEAST_SPACING
    }

    /// Whether there is a sieve for the arguments of a range.
    pub(crate) fn suits(function: &dyn Function, problem: &Problem, range: &ArgumentRange) -> bool {
        let results = problem.results();
        function.circular().is_some()
            && range.exponent() >= LEAST_SPACING
            && results.precision() <= MOST_BITS
            // what the table tells of is normal and finite
            && results.min_exponent() <= -10
            && results.max_exponent() >= 11
    }

    /// The sieve for a range of at most [`MOST_SIEVED`] arguments.
    pub(crate) fn new(function: &dyn Function, problem: &Problem, range: &ArgumentRange) -> Option<Self> {
        let circular = function.circular().filter(|_| Self::suits(function, problem, range))?;
        let breakpoints = problem.breakpoints();
        Some(Self {
            table: circular::Table::new(circular, range.first(), range.exponent(), range.count()),
            bits: (problem.results().precision() + breakpoints.scale_bits()) as i32,
            is_shifted: breakpoints.is_shifted(),
            tolerance: problem.tolerance(),
        })
    }

    /// Whether argument number k may be a case, as most are not.
    ///
    /// If f(x) is in another binade than its approximation, the power of two between them is within
    /// the error. Where numbers are breakpoints it is one, and the argument stays; where only
    /// midpoints are, a power of two is a quarter of an ulp or more from all of them, on either
    /// side.
    pub(crate) fn may_be_a_case(&self, k: u64) -> bool {
        self.table.at(k).is_none_or(|near| self.is_near(near))
    }

    /// Whether a value that is so approximated may be within ε of a breakpoint; for errors of less
    /// than an eighth of an ulp, so that where only midpoints are breakpoints a value near one is
    /// not approximated beyond the next power of two.
    fn is_near(&self, near: circular::Approximation) -> bool {
        let circular::Approximation { value, error } = near;
        let magnitude = value.abs();
        // 2^e ≤ |value| < 2^(e+1), as the table's values are normal; what follows is exact but for
        // the bound
        let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
        let scale = power_of_two(self.bits - 1 - exponent);
        let scaled = magnitude * scale;
        let fraction = scaled - scaled.floor();
        let distance = if self.is_shifted { (fraction - 0.5).abs() } else { fraction.min(1.0 - fraction) };
        distance <= self.tolerance + 1.01 * error * scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::{Verdict, confirm};
    use proptest::prelude::*;
    use rug::{Float, float::Round};
    use tmd_core::{Breakpoints, Format};

    fn breakpoints() -> impl Strategy<Value = Breakpoints> {
        prop_oneof![Just(Breakpoints::All), Just(Breakpoints::Directed), Just(Breakpoints::Nearest)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
        /// No case is passed over, and hardly anything else stays.
        #[test]
        fn no_case_is_passed_over(
            name in prop_oneof![Just("sin"), Just("cos"), Just("tan")],
            breakpoints in breakpoints(),
            first in (1i128 << 10)..(1 << 11) - 400,
            exponent in -4i32..5,
            bits in 2u32..10,
            negative: bool,
        ) {
            let function = tmd_functions::parse(name).unwrap();
            let problem = Problem::new(Format::BINARY16, Format::BINARY16, breakpoints, bits).unwrap();
            let first = if negative { -first - 399 } else { first };
            let range = ArgumentRange::new(first, exponent, 400);
            let sieve = Sieve::new(&function, &problem, &range).unwrap();
            let mut idle = 0;
            for k in 0..400 {
                let stays = sieve.may_be_a_case(k);
                match confirm(&function, &problem, range.argument(k)) {
                    Ok(Verdict::NotHard) => idle += usize::from(stays),
                    // tan may be beyond all numbers
                    _ => prop_assert!(stays, "{name}({})", range.argument(k)),
                }
            }
            prop_assert!(idle < 20, "{idle} of 400 stay for nothing");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5000, ..ProptestConfig::default() })]
        /// A value just within ε of a breakpoint stays, however wrong its approximation is within
        /// the bound: also where that is in another binade, as may be next to a number that is a
        /// power of two.
        #[test]
        fn all_that_the_bound_allows(
            breakpoints in breakpoints(),
            significand in prop_oneof![Just(1u32 << 23), Just((1 << 24) - 1), (1u32 << 23)..(1 << 24)],
            exponent in -9i32..4,
            is_midpoint: bool,
            side in prop_oneof![Just(-1.0), Just(1.0)],
            way in -1.0f64..1.0,
            error in (-52.0f64..-36.0).prop_map(f64::exp2),
            bits in 2u32..20,
        ) {
            let is_midpoint = match breakpoints {
                Breakpoints::Directed => false,
                Breakpoints::Nearest => true,
                Breakpoints::All => is_midpoint,
            };
            let function = tmd_functions::parse("sin").unwrap();
            let problem = Problem::new(Format::BINARY32, Format::BINARY32, breakpoints, bits).unwrap();
            let sieve = Sieve::new(&function, &problem, &ArgumentRange::new(1024, 0, 1)).unwrap();
            // 2^exponent ≤ breakpoint, and the ulp below a power of two is half of that above
            let is_below_a_power = side < 0.0 && significand == 1 << 23 && !is_midpoint;
            let ulp = f64::exp2(f64::from(exponent - 23 - i32::from(is_below_a_power)));
            let breakpoint = Float::with_val(200, 2 * significand + u32::from(is_midpoint)) << (exponent - 24);
            let distance = ulp * f64::exp2(-f64::from(bits)) * (1.0 - f64::exp2(-20.0));
            let y = breakpoint + side * distance;
            let value = Float::with_val(200, &y + way * error).to_f64();
            // rounded up: the bound holds
            let error = Float::with_val(200, value - y).abs().to_f64_round(Round::Up);
            for value in [value, -value] {
                prop_assert!(sieve.is_near(circular::Approximation { value, error }), "{value}, wrong by {error}");
            }
        }
    }

    /// In the widest format, where the error bound is a good part of the window.
    #[test]
    fn wide_results() {
        let format = Format::BINARY64.with_precision(MOST_BITS).unwrap();
        let problem = Problem::new(format, format, Breakpoints::All, 16).unwrap();
        let range = ArgumentRange::new(1 << 31, 9, 1 << 17);
        for name in ["sin", "cos", "tan"] {
            let function = tmd_functions::parse(name).unwrap();
            let sieve = Sieve::new(&function, &problem, &range).unwrap();
            let (mut cases, mut idle) = (0, 0);
            for k in 0..range.count() {
                let stays = sieve.may_be_a_case(k);
                if confirm(&function, &problem, range.argument(k)).unwrap() == Verdict::NotHard {
                    idle += u32::from(stays);
                } else {
                    assert!(stays, "{name}({})", range.argument(k));
                    cases += 1;
                }
            }
            // one in 2^14 is a case, and one in 2^9 is too near to a zero or a pole
            assert!(cases > 1 && idle < 600, "{name}: {cases} cases, {idle} stay for nothing");
        }
    }

    #[test]
    fn where_there_is_none() {
        let suits = |text: &str, format: Format, exponent| {
            let function = tmd_functions::parse(text).unwrap();
            let problem = Problem::new(format, format, Breakpoints::All, 8).unwrap();
            Sieve::suits(&function, &problem, &ArgumentRange::new(1024, exponent, 100))
        };
        assert!(suits("sin", Format::BINARY32, 0) && suits("tan", Format::BFLOAT16, 100));
        assert!(!suits("sin", Format::BINARY32, -5) && !suits("sin", Format::BINARY64, 0));
        assert!(!suits("exp", Format::BINARY32, 0) && !suits("sin(2*x)", Format::BINARY32, 0));
    }
}
