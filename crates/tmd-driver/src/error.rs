//! [`DriverError`]: why a search or a check cannot answer.

use tmd_core::{CoreError, Format};
use tmd_functions::FunctionError;

/// Errors of the driver. Each says what is wrong with the question and, where there is one, a way
/// out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum DriverError {
    /// `from ≥ to`.
    #[error(
        "the interval from {from} to {to} is empty or reversed (arguments x with from ≤ x < to are searched)"
    )]
    EmptyInterval { from: String, to: String },
    /// No number of the format lies in the interval.
    #[error(
        "no number of {format} lies in the interval from {from} to {to}: it is narrower than the spacing there; widen it, or give the arguments more precision (--arg-precision)"
    )]
    NoArguments { format: Format, from: String, to: String },
    /// The interval reaches beyond the largest finite argument.
    #[error(
        "{value} is beyond the largest finite number of {format}; stay below it, or choose a format with a larger exponent range (--format, --precision)"
    )]
    ArgumentOverflow { value: String, format: Format },
    /// The interval reaches 0 in a format without a smallest number.
    #[error(
        "the interval has {binades} binades or more: a custom precision has no smallest positive number; give a format with an exponent range, or end the interval short of 0"
    )]
    TooManyBinades { binades: u64 },
    /// The function has no value somewhere in the interval.
    #[error(
        "{function} has no value near x = {near}: {reason}; stay where it is defined, in several searches if that is several intervals"
    )]
    OutsideDomain { function: String, reason: FunctionError, near: String },
    /// A pole between or at arguments.
    #[error("{function} has a pole at or next to x = {near}; search the two sides one by one")]
    Pole { function: String, near: String },
    /// The result overflows the format.
    #[error(
        "{function} overflows {format} at x = {near}; only arguments with finite results have a hardness"
    )]
    ResultOverflow { function: String, format: Format, near: String },
    /// The result is below the least number of a format of any precision.
    #[error(
        "{function} at x = {near} is below 2^{least} in magnitude, where numbers of any precision end; leave that part out, or name a format with subnormal numbers"
    )]
    ResultUnderflow { function: String, least: i32, near: String },
    /// So many cases are expected that listing them makes no sense.
    #[error(
        "about {expected} cases are expected, more than {limit}; ask for more extra bits (at least {suggestion}) or a shorter interval"
    )]
    TooManyCases { expected: u64, limit: u64, suggestion: u32 },
    /// More cases than a list should have turned up.
    #[error(
        "more than {limit} cases turned up, or exact cases almost everywhere; ask for more extra bits, or search a shorter interval"
    )]
    TooManyFound { limit: u64 },
    /// An argument that is not a number of the format.
    #[error("{value} is not a number of {format}; the nearest ones are {below} and {above}")]
    NotRepresentable { value: String, format: Format, below: String, above: String },
    /// An argument whose distance could not be told from 0.
    #[error(
        "{function} at {argument} cannot be told from a breakpoint with {bits} bits: probably an exact case that no theorem here covers, or an argument too large or too near 0 for so few bits"
    )]
    Undecided { function: String, argument: String, bits: u32 },
    /// So many results that cannot be told from breakpoints are no coincidence.
    #[error(
        "{function} cannot be told from breakpoints with {bits} bits at {count} arguments near x = {near}: it seems to lie on breakpoints identically there, or arguments are too large or too near 0 for so few bits; leave that part out, or simplify the expression"
    )]
    IdenticallyExact { function: String, bits: u32, count: usize, near: String },
    /// The vocabulary or a backend refuses.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// The function refuses.
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// A family of arguments that cannot be searched as one.
    #[error("{function}: these arguments cannot be searched as a family: {reason}")]
    Family { function: String, reason: String },
    /// Binades that no number of the format has.
    #[error(
        "the binades {}..{} are not between {lowest}..{end}, those of {format}: give exponents A..B with 2^A ≤ |x| < 2^B",
        binades.start, binades.end
    )]
    Binades { binades: std::ops::Range<i32>, format: Format, lowest: i32, end: i32 },
    /// A case that should follow by symmetry, and is none.
    #[error(
        "by the symmetry of {function} there should be a case at x = {argument}, but there is none: please report this"
    )]
    Symmetry { function: String, argument: String },
    /// The result of a unit that the plan does not have, or has once.
    #[error(
        "there is a result of unit {number}, at {first}, that the plan does not have, or a second one: it is of another run"
    )]
    ForeignUnit { number: usize, first: String },
    /// Certificates of which none was given.
    #[error("there is nothing to merge: name a certificate or a run directory at least")]
    NothingToMerge,
    /// Certificates of different questions.
    #[error("{name} is of another question than {other}: {}", differences.join("; "))]
    OtherQuestion { name: String, other: String, differences: Vec<String> },
    /// The text is not a valid document.
    #[error("{what} cannot be read: {reason}")]
    Unreadable { what: &'static str, reason: String },
    /// Neither a CPU backend nor a device was given.
    #[error("neither a CPU nor a device was given to search with")]
    NoBackend,
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: String },
}
