//! The errors of interval arithmetic and of functions: what the caller asked that has no finite
//! answer.

use thiserror::Error;

/// Why an interval, a series or a function has no value here.
///
/// `function` names the operation or the function, `at` is the decimal text of the interval it was
/// asked at (rounded outward to 17 significant digits, so it is a description and not an exact
/// value).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum FunctionError {
    /// The argument has points where the function has no real value, such as `log` of an interval
    /// that reaches 0.
    #[error("{function} is not defined on all of {at}")]
    OutsideDomain { function: String, at: String, everywhere: bool },
    /// The argument holds a point where the function, or one of the derivatives asked for, is
    /// infinite: a divisor that contains 0, `tan` around π/2, the derivative of `sqrt` at 0.
    ///
    /// A value (series of order 0) at a single number where a named function, a quotient or a power
    /// has a pole (`log` at 0, `logp1` at −1, `atanh` at ±1, 1/x and `rsqrt` at 0, `tanpi` at 1/2)
    /// is this error, or [`OutsideDomain`](Self::OutsideDomain) with `everywhere`: never an
    /// interval, and never a mere "not on all of it".
    #[error("{function} or one of its derivatives is infinite at a point of {at}")]
    Pole { function: String, at: String, everywhere: bool },
    /// A derivative is asked for where pieces of a function may meet, and the function need not
    /// have one: `abs` at 0, `min` and `max` where both arguments may be equal. There is a value.
    #[error("{function} has no derivative where its pieces meet, as they may in {at}")]
    Kink { function: String, at: String },
    /// The result is beyond the exponent range of MPFR (about 2^(2^30)), or of the type asked for.
    #[error("the result of {function} at {at} is too large to represent")]
    Overflow { function: String, at: String },
    /// An endpoint given by the caller is infinite or not a number, or an operation produced a NaN.
    #[error("{function} met an infinite value or a NaN: {at}")]
    NotFinite { function: String, at: String },
    /// The argument is so large that its reduction modulo π/2 is refused: |x| ≥
    /// 2^[`MAX_ANGLE_EXPONENT`](crate::interval::MAX_ANGLE_EXPONENT).
    #[error("{function} at {at}: the argument is too large to reduce modulo π/2")]
    AngleTooLarge { function: String, at: String },
    /// The lower endpoint is above the upper one.
    #[error("the endpoints of an interval are reversed: {lo} > {hi}")]
    ReversedEndpoints { lo: String, hi: String },
    /// A precision outside [`MIN_PRECISION`](crate::interval::MIN_PRECISION) to
    /// [`MAX_PRECISION`](crate::interval::MAX_PRECISION) bits.
    #[error("a precision of {precision} bits is outside the range 2 to 2^24")]
    Precision { precision: u32 },
    /// A series of an order above [`MAX_ORDER`](crate::series::MAX_ORDER).
    #[error("a series of order {order} is beyond the limit of 4096")]
    Order { order: usize },
    /// A series was built from no coefficient at all; there must be at least the one of degree 0.
    #[error("a series needs at least one coefficient")]
    NoCoefficients,
}
