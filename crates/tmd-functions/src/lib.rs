//! Rigorous power series of elementary functions and expressions, with MPFR intervals.
//!
//! A search for hardest-to-round cases replaces a function by polynomials and must know how wrong
//! they are. Here a function is anything that can enclose its Taylor coefficients over an interval
//! ([`Function`]); expressions read from text are ([`parse()`]), and so can be functions of your
//! own. Everything is bounded by directed rounding: an enclosure may be too wide, it is never
//! wrong.
//!
//! ```
//! use tmd_functions::{Function, Interval, parse};
//!
//! let f = parse("exp(2*x) + sin(3*x^2)")?;
//! // Taylor's theorem about X = 1/2: f(X + t) is in c₀ + c₁·t + … + c₅·t⁵ + C₆·t⁶,
//! // where C₆ encloses the derivative over everything between
//! let (x, t) = (Interval::from_f64(0.5, 200)?, Interval::from_f64(0.001, 200)?);
//! let point = f.series(&x, 5, 200)?;
//! let wide = f.series(&x.hull(&x.add(&t)?), 6, 200)?;
//! let remainder = wide.coefficients()[6].mul(&t.powi(6)?)?;
//! let value = point.evaluate(&t)?.add(&remainder)?;
//! assert!(value.intersects(&f.enclose(&x.add(&t)?, 200)?));
//! assert!(value.width()?.to_f64() < 1e-16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! * [`interval`]: closed intervals with directed rounding.
//! * [`series`]: truncated power series with interval coefficients (Taylor arithmetic).
//! * [`function`]: the trait [`Function`], which a user may implement.
//! * [`range`]: bounds of values over an interval, which may be missing on a side, or never taken.
//! * [`symmetry`]: parity, translations, reflections.
//! * [`repeating`]: functions that are nearly a multiple of x next to 0, all binades at once.
//! * [`inverse`]: inverse functions, with the arguments over which they are inverse.
//! * [`family`]: irrational quasi-periods, and polynomials in the turn.
//! * [`expression`]: expressions in x as trees, their text, their exact values.
//! * [`builtin`]: the named functions.
//! * [`special_function`]: gamma, Bessel and Lambert functions, `abs`, and functions of two
//!   arguments.
//! * [`circular`]: sines of many large arguments, in doubles.
//! * [`mod@parse`]: from text to expressions and exact numbers.
//! * [`taylor`]: from a function to a fixed-point polynomial over a piece, with proved bounds.
//! * [`special`]: expressions at signed zeros, infinities and NaN, by the rules of IEEE 754.
//! * [`error`]: why a function has no value.
#![forbid(unsafe_code)]

pub mod builtin;
pub mod circular;
mod composite;
pub mod error;
mod exact;
pub mod expression;
pub mod family;
pub mod function;
pub mod interval;
pub mod inverse;
pub mod parse;
pub mod range;
pub mod repeating;
mod rule;
pub mod series;
pub mod special;
pub mod special_function;
pub mod symmetry;
mod syntax;
pub mod taylor;
#[cfg(test)]
mod tests;

pub use builtin::Builtin;
pub use error::FunctionError;
pub use exact::MAX_EXACT_EXPONENT;
pub use expression::Expression;
pub use family::{Family, FamilyError, Place, Repetition, Scale};
pub use function::{Asymptote, Function};
pub use interval::Interval;
pub use inverse::Inverse;
pub use parse::{ParseError, parse, parse_number};
pub use range::{Bound, Range};
pub use repeating::Repeating;
pub use series::Series;
pub use special_function::{PairFunction, SpecialFunction};
pub use symmetry::{Nearly, Parity, Reflection, Translation};
pub use taylor::{TaylorError, taylor_piece};
