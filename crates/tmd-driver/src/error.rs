//! [`DriverError`]: why a search or a check cannot answer.

use tmd_core::{CoreError, Format};
use tmd_functions::FunctionError;

/// Errors of the driver. Each says what is wrong with the question and, where there is one, a way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// `from ≥ to`.
    #[error(
        "the interval from {from} to {to} is empty or reversed (arguments x with from ≤ x < to are searched)"
    )]
    EmptyInterval {
        /// lower end
        from: String,
        /// upper end
        to: String,
    },
    /// No number of the format lies in the interval.
    #[error(
        "no number of {format} lies in the interval from {from} to {to}: it is narrower than the spacing there; widen it, or give the arguments more precision (--arg-precision)"
    )]
    NoArguments {
        /// the arguments' format
        format: Format,
        /// lower end
        from: String,
        /// upper end
        to: String,
    },
    /// The interval reaches beyond the largest finite argument.
    #[error(
        "{value} is beyond the largest finite number of {format}; stay below it, or choose a format with a larger exponent range (--format, --precision)"
    )]
    ArgumentOverflow {
        /// the end that is too large
        value: String,
        /// the arguments' format
        format: Format,
    },
    /// The interval reaches 0 in a format without a smallest number.
    #[error(
        "the interval has {binades} binades or more: a custom precision has no smallest positive number; give a format with an exponent range, or end the interval short of 0"
    )]
    TooManyBinades {
        /// limit that was passed
        binades: u64,
    },
    /// The function has no value somewhere in the interval.
    #[error(
        "{function} has no value near x = {near}: {reason}; stay where it is defined, in several searches if that is several intervals"
    )]
    OutsideDomain {
        /// the function
        function: String,
        /// what its evaluation says
        reason: FunctionError,
        /// where
        near: String,
    },
    /// A pole between or at arguments.
    #[error("{function} has a pole at or next to x = {near}; search the two sides one by one")]
    Pole {
        /// the function
        function: String,
        /// where
        near: String,
    },
    /// The result overflows the format.
    #[error(
        "{function} overflows {format} at x = {near}; only arguments with finite results have a hardness"
    )]
    ResultOverflow {
        /// the function
        function: String,
        /// the results' format
        format: Format,
        /// where
        near: String,
    },
    /// So many cases are expected that listing them makes no sense.
    #[error(
        "about {expected} cases are expected, more than {limit}; ask for more extra bits (at least {suggestion}) or a shorter interval"
    )]
    TooManyCases {
        /// expected number of cases
        expected: u64,
        /// the limit
        limit: u64,
        /// extra bits with about a hundred cases
        suggestion: u32,
    },
    /// More cases than a list should have turned up.
    #[error(
        "more than {limit} cases and exact cases turned up; ask for more extra bits, or search a shorter interval"
    )]
    TooManyFound {
        /// the limit
        limit: u64,
    },
    /// An argument that is not a number of the format.
    #[error("{value} is not a number of {format}; the nearest ones are {below} and {above}")]
    NotRepresentable {
        /// the value given
        value: String,
        /// the arguments' format
        format: Format,
        /// next number below
        below: String,
        /// next number above
        above: String,
    },
    /// An argument whose distance could not be told from 0.
    #[error(
        "{function} at {argument} agrees with a breakpoint to {bits} bits: probably an exact case that no theorem here covers"
    )]
    Undecided {
        /// the function
        function: String,
        /// the argument
        argument: String,
        /// bits tried
        bits: u32,
    },
    /// So many results that cannot be told from breakpoints are no coincidence.
    #[error(
        "{function} agrees with a breakpoint to {bits} bits at {count} arguments near x = {near}: it seems to lie on breakpoints identically there; leave that part out, or simplify the expression"
    )]
    IdenticallyExact {
        /// the function
        function: String,
        /// bits tried at each argument
        bits: u32,
        /// arguments
        count: usize,
        /// one of them
        near: String,
    },
    /// The vocabulary or a backend refuses.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// The function refuses.
    #[error(transparent)]
    Function(#[from] FunctionError),
    /// A workforce of nobody.
    #[error("there is nobody to search: the workforce has neither a CPU nor a device")]
    NoBackend,
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// threads asked for
        threads: usize,
        /// what the system says
        reason: String,
    },
}
