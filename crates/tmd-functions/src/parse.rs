//! The language of expressions and numbers: [`parse`] and [`parse_number`].
//!
//! * Numbers are exact: `1.5e-3`, `.5`, `0x1.8p-3` (C syntax, the exponent a power of two), `[-1/3]` (an exact fraction).
//! * Constants `pi`, `e`; the variable `x`; functions `exp exp2 exp10 log` (natural; `ln` too) `log2 log10 sin cos tan sqrt
//!   cbrt`, a bare name standing for the function of x: `exp` is `exp(x)`.
//! * `+ - * /` and `^`. Unary minus binds tighter than `*` and less tightly than `^`, so `-x^2` is −(x²); `^` groups to the
//!   right, and its exponent must be a constant that is exactly an integer: `x^2`, `2^-5`, `x^(1+1)`.
//!
//! Limits keep hostile text from exhausting stack or memory; they are constants of this module, and crossing one is a typed
//! error with the column.

use std::cmp::Reverse;

use rug::Rational;
use thiserror::Error;

use crate::builtin::Builtin;
use crate::exact::{self, Value};
use crate::expression::Expression;
use crate::syntax::{Kind, Node, Operator, read};

#[cfg(test)]
mod tests;

/// The longest text, in characters.
pub const MAX_LENGTH: usize = 10_000;

/// How deeply parentheses, minus signs and `^` may be nested.
pub const MAX_NESTING: usize = 200;

/// The largest depth of a tree; a sum of n terms has depth n.
pub const MAX_DEPTH: usize = 500;

/// The largest exponent n of `base^n`, in magnitude, where x occurs in the base.
pub const MAX_EXPONENT: u32 = 1000;

/// The largest exponent n of `base^n`, in magnitude, for a constant base.
pub const MAX_CONSTANT_EXPONENT: u32 = 1_000_000;

/// The largest exponent of a decimal literal, in magnitude.
pub const MAX_DECIMAL_EXPONENT: u32 = 1_000_000;

/// Why a text is no expression, or no number. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is empty or all blank.
    #[error("nothing to read: the text is empty")]
    Empty,
    /// The text has more than [`MAX_LENGTH`] characters.
    #[error("the text has {length} characters, more than {MAX_LENGTH}")]
    TooLong {
        /// Its length in characters.
        length: usize,
    },
    /// Nested deeper than [`MAX_NESTING`], or a tree deeper than [`MAX_DEPTH`].
    #[error("column {column}: nested too deeply (more than {MAX_NESTING} levels, or {MAX_DEPTH} terms)")]
    TooDeep {
        /// Where the limit was crossed.
        column: usize,
    },
    /// Not in the grammar.
    #[error("column {column}: expected {expected}")]
    Syntax {
        /// Where the text stops making sense.
        column: usize,
        /// What could have stood there.
        expected: String,
    },
    /// A name that is no function, constant or variable.
    #[error("column {column}: unknown name `{name}`{}", did_you_mean(*.suggestion))]
    UnknownName {
        /// Where the name starts.
        column: usize,
        /// The name.
        name: String,
        /// The nearest known name, if one is near.
        suggestion: Option<&'static str>,
    },
    /// A constant or the variable with an argument: `pi(2)`.
    #[error("column {column}: `{name}` is not a function; write `{name}*(…)` for a product")]
    NotAFunction {
        /// Where the name starts.
        column: usize,
        /// The name.
        name: String,
    },
    /// An exponent that is no integer.
    #[error("column {column}: the exponent {exponent} is not an integer; for a^b write exp(b*log(a))")]
    NotAnInteger {
        /// Where the exponent stands.
        column: usize,
        /// Its value.
        exponent: String,
    },
    /// An exponent beyond [`MAX_EXPONENT`] or [`MAX_CONSTANT_EXPONENT`].
    #[error("column {column}: the exponent is beyond ±{limit}")]
    ExponentTooLarge {
        /// Where the exponent stands.
        column: usize,
        /// The limit that applies.
        limit: u32,
    },
    /// A number with more than 2^22 bits, or a literal with an exponent beyond the limits.
    #[error("column {column}: the number is too long to hold exactly")]
    NumberTooLarge {
        /// Where it is made.
        column: usize,
    },
    /// A number was wanted and this is none that is known exactly: `pi`, `exp(1)`.
    #[error(
        "column {column}: `{text}` is not an exact number; write a decimal, a fraction or a power instead"
    )]
    NotExact {
        /// Where it stands.
        column: usize,
        /// The name or function.
        text: String,
    },
    /// The variable stands where a number is wanted.
    #[error("column {column}: a number is wanted here, and x is the variable")]
    Variable {
        /// Where x, or a bare function name, stands.
        column: usize,
    },
    /// A division by 0, or a negative power of 0.
    #[error("column {column}: division by zero")]
    DivisionByZero {
        /// Where the division stands.
        column: usize,
    },
}

/// Reads an expression in x.
///
/// ```
/// use tmd_functions::{Expression, parse};
/// assert_eq!(parse("-x^2")?, Expression::Neg(Box::new(Expression::Powi(Box::new(Expression::X), 2))));
/// assert_eq!(parse("exp")?.to_string(), "exp(x)");
/// let error = parse("1 + ex2(x)").unwrap_err();
/// assert_eq!(error.to_string(), "column 5: unknown name `ex2` (did you mean `exp2`?)");
/// # Ok::<(), tmd_functions::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Expression, ParseError> {
    expression(&read(text)?)
}

/// Reads a constant expression and evaluates it exactly.
///
/// Functions are allowed where theory gives a rational value (`sqrt(9/4)`).
///
/// ```
/// use tmd_functions::parse_number;
/// assert_eq!(parse_number("1+2^-13")?, rug::Rational::from((8193, 8192)));
/// assert_eq!(parse_number("0x1.8p3")?, 12);
/// assert!(parse_number("pi").is_err());
/// # Ok::<(), tmd_functions::ParseError>(())
/// ```
pub fn parse_number(text: &str) -> Result<Rational, ParseError> {
    number(&read(text)?)
}

/// What a name stands for.
enum Name {
    Pi,
    E,
    X,
    Function(Builtin),
}

fn expression(node: &Node) -> Result<Expression, ParseError> {
    let boxed = |node: &Node| expression(node).map(Box::new);
    Ok(match &node.kind {
        Kind::Number(q) => Expression::Const(q.clone()),
        Kind::Neg(a) => Expression::Neg(boxed(a)?),
        Kind::Name(name, argument) => match (look_up(name, argument.is_some(), node.column)?, argument) {
            (Name::Function(builtin), Some(a)) => Expression::Call(builtin, boxed(a)?),
            (Name::Function(builtin), None) => Expression::function(builtin),
            (Name::Pi, _) => Expression::Pi,
            (Name::E, _) => Expression::E,
            (Name::X, _) => Expression::X,
        },
        Kind::Binary(operator, a, b) => match operator {
            Operator::Add => Expression::Add(boxed(a)?, boxed(b)?),
            Operator::Sub => Expression::Sub(boxed(a)?, boxed(b)?),
            Operator::Mul => Expression::Mul(boxed(a)?, boxed(b)?),
            Operator::Div => Expression::Div(boxed(a)?, boxed(b)?),
            Operator::Power => {
                let base = boxed(a)?;
                let limit = if base.contains_variable() { MAX_EXPONENT } else { MAX_CONSTANT_EXPONENT };
                Expression::Powi(base, exponent(b, limit)?)
            }
        },
    })
}

/// The exact value of a constant.
fn number(node: &Node) -> Result<Rational, ParseError> {
    let column = node.column;
    let long = ParseError::NumberTooLarge { column };
    match &node.kind {
        Kind::Number(q) => Ok(q.clone()),
        Kind::Neg(a) => number(a).map(|a| -a),
        Kind::Name(name, argument) => match (look_up(name, argument.is_some(), column)?, argument) {
            (Name::Function(builtin), Some(a)) => match builtin.value(&number(a)?) {
                Value::Rational(q) => Ok(q),
                _ => Err(ParseError::NotExact { column, text: format!("{builtin}(…)") }),
            },
            (Name::Function(_) | Name::X, _) => Err(ParseError::Variable { column }),
            (Name::Pi | Name::E, _) => Err(ParseError::NotExact { column, text: name.clone() }),
        },
        Kind::Binary(Operator::Add, a, b) => exact::add(&number(a)?, &number(b)?).ok_or(long),
        Kind::Binary(Operator::Sub, a, b) => exact::add(&number(a)?, &-number(b)?).ok_or(long),
        Kind::Binary(Operator::Mul, a, b) => exact::mul(&number(a)?, &number(b)?).ok_or(long),
        Kind::Binary(Operator::Div, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            if b.is_zero() {
                return Err(ParseError::DivisionByZero { column });
            }
            exact::mul(&a, &b.recip()).ok_or(long)
        }
        Kind::Binary(Operator::Power, a, b) => {
            let (a, n) = (number(a)?, exponent(b, MAX_CONSTANT_EXPONENT)?);
            if a.is_zero() && n < 0 {
                return Err(ParseError::DivisionByZero { column });
            }
            exact::powi(&a, n).ok_or(long)
        }
    }
}

/// The value of an exponent: an integer of at most `limit`.
fn exponent(node: &Node, limit: u32) -> Result<i32, ParseError> {
    let column = node.column;
    let value = number(node)?;
    if *value.denom() != 1 {
        let long = value.denom().significant_bits() > 64 || value.numer().significant_bits() > 64;
        let exponent = if long { "given".into() } else { value.to_string() };
        return Err(ParseError::NotAnInteger { column, exponent });
    }
    let n: Option<i32> = value.numer().to_i32();
    n.filter(|n| n.unsigned_abs() <= limit).ok_or(ParseError::ExponentTooLarge { column, limit })
}

fn look_up(name: &str, is_call: bool, column: usize) -> Result<Name, ParseError> {
    let found = match name {
        "pi" => Name::Pi,
        "e" => Name::E,
        "x" => Name::X,
        _ => {
            let unknown = || ParseError::UnknownName { column, name: name.into(), suggestion: nearest(name) };
            return Builtin::from_name(name).map(Name::Function).ok_or_else(unknown);
        }
    };
    if is_call { Err(ParseError::NotAFunction { column, name: name.into() }) } else { Ok(found) }
}

fn did_you_mean(suggestion: Option<&'static str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// The known name with the least edit distance, if that is at most 2 and less than the whole name; of several the longest,
/// as letters are more often forgotten than added.
fn nearest(name: &str) -> Option<&'static str> {
    let limit = 2.min(name.chars().count() - 1); // a name has a letter
    let known = Builtin::ALL.map(Builtin::name).into_iter().chain(["pi"]);
    let distances = known.map(|candidate| (edit_distance(name, candidate), candidate));
    distances
        .min_by_key(|(distance, candidate)| (*distance, Reverse(candidate.len())))
        .filter(|(distance, _)| *distance <= limit)
        .map(|(_, name)| name)
}

/// Levenshtein's distance: insertions, deletions and exchanges of one character.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect(); // of the first i characters of a to the first j of b
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.chars().enumerate() {
            let exchange = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = exchange.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
