//! [`CoreError`]: what a caller can do wrong, and what a backend may lack.

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CoreError {
    /// A precision outside 2…64.
    #[error("precision {precision} is not between 2 and 64 bits")]
    Precision { precision: u32 },
    /// Exponents of a format that are out of order, or beyond 2^24.
    #[error("no format has exponents from {min_exponent} to {max_exponent}")]
    Exponents { min_exponent: i32, max_exponent: i32 },
    /// A format name that is not known.
    #[error("unknown format `{name}` (known: {known})")]
    UnknownFormat { name: String, known: String },
    /// A rounding mode that is not known.
    #[error("unknown rounding `{name}` (known: directed, nearest, all)")]
    UnknownBreakpoints { name: String },
    /// Extra bits outside the range in which cases can be told apart.
    #[error(
        "{extra_bits} extra bits are not between {min} and {max}: below, every argument is a case; above, 64-bit fractions cannot separate ε from 0",
        min = crate::Problem::MIN_EXTRA_BITS,
        max = crate::Problem::MAX_EXTRA_BITS
    )]
    ExtraBits { extra_bits: u32 },
    /// A domain size that no search can work with.
    #[error("a domain of {size} arguments is not between 1 and 2^32")]
    DomainSize { size: u64 },
    /// A piece without arguments, or with too many.
    #[error("a piece of {arguments} arguments is not between 1 and 2^44")]
    PieceLength { arguments: u64 },
    /// A piece whose polynomial is empty or comes without a bound for each coefficient.
    #[error(
        "a piece of {coefficients} coefficients needs as many magnitudes and at least one, not {magnitudes}"
    )]
    Magnitudes { coefficients: usize, magnitudes: usize },
    /// More candidates than can be confirmed one by one.
    #[error(
        "more than {limit} candidates among {arguments} consecutive arguments: the function is (nearly) always on a breakpoint there, or the extra bits are too few; ask for more, or leave that part out"
    )]
    TooManyCandidates { limit: usize, arguments: u64 },
    /// The caller asked for the search to stop.
    #[error("the search was interrupted")]
    Interrupted,
    /// The machine, not the problem, failed at this piece: memory exhausted, a dispatch that took
    /// too long. The piece can be searched again elsewhere, and the backend may be asked for other
    /// pieces.
    #[error("backend {backend}: {reason}")]
    Backend { backend: String, reason: String },
    /// The machine failed for good, such as a device that was lost: there is no use in asking the
    /// backend again. The piece can be searched again elsewhere.
    #[error("backend {backend}: {reason}")]
    BackendLost { backend: String, reason: String },
}

impl CoreError {
    /// Whether the machine failed, not the question: what was asked can be asked elsewhere.
    pub const fn is_of_the_machine(&self) -> bool {
        matches!(self, Self::Backend { .. } | Self::BackendLost { .. })
    }
}
