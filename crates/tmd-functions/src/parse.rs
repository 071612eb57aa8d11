//! The language of expressions and numbers: [`parse`] and [`parse_number`].
//!
//! * Numbers are exact: `1.5e-3`, `.5`, `0x1.8p-3` (C syntax, the exponent a power of two),
//!   `[-1/3]` (an exact fraction).
//! * Constants `pi`, `e`; the variable `x`.
//! * Functions `exp exp2 exp10 expm1 exp2m1 exp10m1`, `log log2 log10 logp1 log2p1 log10p1` (`log`
//!   is natural, `ln` is the same; `log1p` is `logp1`), `sqrt cbrt rsqrt`,
//!   `sin cos tan asin acos atan`, the same in half-turns `sinpi cospi tanpi asinpi acospi atanpi`
//!   (sin(π·x), asin(x)/π, …), `sinh cosh tanh asinh acosh atanh`, `erf erfc`; the spellings of
//!   IEEE 754 (`rSqrt`, `sinPi`) are read as well, and so are `arcsin`, `arctan`, `arsinh` and
//!   their kin. A bare name stands for the function of x: `exp` is `exp(x)`.
//! * Functions `abs`, `erfcx`, `gamma lgamma digamma`, `lambertw lambertwm1`, `j0 j1 y0 y1`, and
//!   `min(a,b) max(a,b) hypot(a,b) copysign(a,b)`; see
//!   [`special_function`](crate::special_function).
//! * `rootn(a, n)` and `pown(a, n)`, which is `a^n`; n must be a constant that is exactly an
//!   integer.
//! * `+ - * /` and `^`, which may be written `**`. Unary minus binds tighter than `*` and less
//!   tightly than `^`, so `-x^2` is −(x²); a unary plus changes nothing. `^` groups to the right,
//!   and its exponent must be a constant that is exactly an integer: `x^2`, `2^-5`, `x^(1+1)`. But
//!   `2^a`, `10^a` and `e^a` with x in a are `exp2(a)`, `exp10(a)` and `exp(a)`.
//!
//! Limits keep hostile text from exhausting stack or memory; they are constants of this module, and
//! crossing one is a typed error with the column.

use std::cmp::Reverse;

use rug::Rational;
use thiserror::Error;

use crate::builtin::Builtin;
use crate::exact::{self, Value};
use crate::expression::Expression;
use crate::special_function::{PairFunction, SpecialFunction, why_absent};
use crate::syntax::{Kind, Node, Operator, read};

mod hint;
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
#[allow(missing_docs)]
pub enum ParseError {
    /// The text is empty or all blank.
    #[error("nothing to read: the text is empty")]
    Empty,
    /// The text has more than [`MAX_LENGTH`] characters.
    #[error("the text has {length} characters, more than {MAX_LENGTH}")]
    TooLong { length: usize },
    /// Nested deeper than [`MAX_NESTING`], or a tree deeper than [`MAX_DEPTH`].
    #[error("column {column}: nested too deeply (more than {MAX_NESTING} levels, or {MAX_DEPTH} terms)")]
    TooDeep { column: usize },
    /// Not in the grammar.
    #[error("column {column}: expected {expected}")]
    Syntax { column: usize, expected: String },
    /// A name that is no function, constant or variable.
    #[error("column {column}: unknown name `{name}`{}", did_you_mean(*.suggestion))]
    UnknownName { column: usize, name: String, suggestion: Option<&'static str> },
    /// The name of a function that is known and not there.
    #[error("column {column}: {name} is not there: {why}")]
    Absent { column: usize, name: String, why: &'static str },
    /// A constant or the variable with an argument: `pi(2)`.
    #[error("column {column}: `{name}` is not a function; write `{name}*(…)` for a product")]
    NotAFunction { column: usize, name: String },
    /// A function with too few or too many arguments: `exp(x, 2)`, `rootn(x)`.
    #[error("column {column}: `{name}` takes {expected} argument{}, not {found}", plural(*.expected))]
    ArgumentCount { column: usize, name: String, expected: usize, found: usize },
    /// A degree of a root that is no integer, 0, or beyond the limit that an exponent has there.
    #[error("column {column}: the degree of a root must be an integer, not 0, and within ±{limit}")]
    RootDegree { column: usize, limit: u32 },
    /// An exponent that is no integer.
    #[error("column {column}: the exponent {exponent} is not an integer; {hint}")]
    NotAnInteger { column: usize, exponent: String, hint: String },
    /// An exponent with x in it, of a base that has no exponential function.
    #[error(
        "column {column}: x stands in the exponent; write exp(b*log(a)) for a^b; 2^b, 10^b and e^b are exp2(b), exp10(b) and exp(b)"
    )]
    VariableExponent { column: usize },
    /// An exponent beyond [`MAX_EXPONENT`] or [`MAX_CONSTANT_EXPONENT`].
    #[error("column {column}: the exponent is beyond ±{limit}")]
    ExponentTooLarge { column: usize, limit: u32 },
    /// A number with more than 2^22 bits, or a literal with an exponent beyond the limits.
    #[error("column {column}: the number is too long to hold exactly")]
    NumberTooLarge { column: usize },
    /// A number was wanted and this is none that is known exactly: `pi`, `exp(1)`.
    #[error(
        "column {column}: `{text}` is not an exact number; write a decimal, a fraction or a power instead"
    )]
    NotExact { column: usize, text: String },
    /// The variable stands where a number is wanted.
    #[error("column {column}: a number is wanted here, and x is the variable")]
    Variable { column: usize },
    /// A division by 0, or a negative power of 0.
    #[error("column {column}: division by zero")]
    DivisionByZero { column: usize },
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

/// What a name with its arguments stands for.
enum Named<'a> {
    Pi,
    E,
    X,
    /// A function of an argument, or of x.
    Function(Builtin, Option<&'a Node>),
    /// A function beyond those of IEEE 754, of an argument or of x.
    Special(SpecialFunction, Option<&'a Node>),
    /// A function of two arguments.
    Pair(PairFunction, &'a Node, &'a Node),
    /// The power of the first, the second its exponent.
    Power(&'a Node, &'a Node),
    /// The root of the first, the second its degree.
    Root(&'a Node, &'a Node),
}

fn expression(node: &Node) -> Result<Expression, ParseError> {
    let boxed = |node: &Node| expression(node).map(Box::new);
    Ok(match &node.kind {
        Kind::Number(q) => Expression::Const(q.clone()),
        Kind::Neg(a) => Expression::Neg(boxed(a)?),
        Kind::Name(name, arguments) => match look_up(name, arguments, node.column)? {
            Named::Function(builtin, Some(a)) => Expression::Call(builtin, boxed(a)?),
            Named::Function(builtin, None) => Expression::function(builtin),
            Named::Special(function, Some(a)) => Expression::Special(function, boxed(a)?),
            Named::Special(function, None) => Expression::Special(function, Box::new(Expression::X)),
            Named::Pair(function, a, b) => Expression::Pair(function, boxed(a)?, boxed(b)?),
            Named::Power(a, n) => power(a, n)?,
            Named::Root(a, n) => {
                let a = boxed(a)?;
                let degree = root_degree(n, limit(&a))?;
                Expression::Rootn(a, degree)
            }
            Named::Pi => Expression::Pi,
            Named::E => Expression::E,
            Named::X => Expression::X,
        },
        Kind::Binary(operator, a, b) => match operator {
            Operator::Add => Expression::Add(boxed(a)?, boxed(b)?),
            Operator::Sub => Expression::Sub(boxed(a)?, boxed(b)?),
            Operator::Mul => Expression::Mul(boxed(a)?, boxed(b)?),
            Operator::Div => Expression::Div(boxed(a)?, boxed(b)?),
            Operator::Power => power(a, b)?,
        },
    })
}

/// aⁿ for the nodes of a and n.
fn power(a: &Node, n: &Node) -> Result<Expression, ParseError> {
    let base = expression(a)?;
    let in_exponent = expression(n);
    if let Err(error @ ParseError::VariableExponent { .. }) = in_exponent {
        return Err(error);
    }
    // other errors in the exponent are found below, with what is wanted there
    if let Ok(exponent) = in_exponent
        && exponent.contains_variable()
    {
        let exponential = match &base {
            Expression::E => Builtin::Exp,
            Expression::Const(q) if *q == 2 => Builtin::Exp2,
            Expression::Const(q) if *q == 10 => Builtin::Exp10,
            _ => return Err(ParseError::VariableExponent { column: n.column }),
        };
        return Ok(Expression::Call(exponential, Box::new(exponent)));
    }
    let n = exponent(n, limit(&base))?;
    Ok(Expression::Powi(Box::new(base), n))
}

/// The largest exponent, and degree of a root, of an expression.
fn limit(base: &Expression) -> u32 {
    if base.contains_variable() { MAX_EXPONENT } else { MAX_CONSTANT_EXPONENT }
}

/// The exact value of a constant.
fn number(node: &Node) -> Result<Rational, ParseError> {
    let column = node.column;
    let long = ParseError::NumberTooLarge { column };
    match &node.kind {
        Kind::Number(q) => Ok(q.clone()),
        Kind::Neg(a) => number(a).map(|a| -a),
        Kind::Name(name, arguments) => {
            let exactly = |value: Value, text: String| match value {
                Value::Rational(q) => Ok(q),
                _ => Err(ParseError::NotExact { column, text }),
            };
            match look_up(name, arguments, column)? {
                Named::Function(builtin, Some(a)) => {
                    exactly(builtin.value(&number(a)?), format!("{builtin}(…)"))
                }
                Named::Special(function, Some(a)) => {
                    exactly(function.value(&number(a)?), format!("{function}(…)"))
                }
                Named::Pair(function, a, b) => {
                    let [a, b] = [number(a)?, number(b)?].map(Value::Rational);
                    exactly(function.value(a, b, None), format!("{function}(…)"))
                }
                Named::Power(a, n) => number_power(a, n, column),
                Named::Root(a, n) => {
                    let (a, n) = (number(a)?, root_degree(n, MAX_CONSTANT_EXPONENT)?);
                    exactly(exact::rootn(&a, n), format!("{name}(…)"))
                }
                Named::Function(_, None) | Named::Special(_, None) | Named::X => {
                    Err(ParseError::Variable { column })
                }
                Named::Pi | Named::E => Err(ParseError::NotExact { column, text: name.clone() }),
            }
        }
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
        Kind::Binary(Operator::Power, a, b) => number_power(a, b, column),
    }
}

/// The exact value of aⁿ for the nodes of a and n.
fn number_power(a: &Node, n: &Node, column: usize) -> Result<Rational, ParseError> {
    let (a, n) = (number(a)?, exponent(n, MAX_CONSTANT_EXPONENT)?);
    if a.is_zero() && n < 0 {
        return Err(ParseError::DivisionByZero { column });
    }
    exact::powi(&a, n).ok_or(ParseError::NumberTooLarge { column })
}

/// The value of an exponent: an integer of at most `limit`.
fn exponent(node: &Node, limit: u32) -> Result<i32, ParseError> {
    let column = node.column;
    let value = number(node)?;
    if *value.denom() != 1 {
        let long = value.denom().significant_bits() > 64 || value.numer().significant_bits() > 64;
        let exponent = if long { "given".into() } else { value.to_string() };
        let root = if *value.numer() == 1 || *value.numer() == -1 { value.denom().to_i32() } else { None };
        let hint = match root.map(|n| if value < 0 { -n } else { n }) {
            Some(2) => "write sqrt(a) for a^(1/2)".into(),
            Some(-2) => "write rsqrt(a) for a^(-1/2)".into(),
            Some(3) => "write cbrt(a) for a^(1/3)".into(),
            Some(n) => format!("write rootn(a,{n}) for a^({value})"),
            None => "for a^b write exp(b*log(a))".into(),
        };
        return Err(ParseError::NotAnInteger { column, exponent, hint });
    }
    let n: Option<i32> = value.numer().to_i32();
    n.filter(|n| n.unsigned_abs() <= limit).ok_or(ParseError::ExponentTooLarge { column, limit })
}

/// The degree of a root: an integer other than 0 of at most `limit`.
fn root_degree(node: &Node, limit: u32) -> Result<i32, ParseError> {
    let value = number(node)?;
    let degree = if *value.denom() == 1 { value.numer().to_i32() } else { None };
    degree
        .filter(|n| *n != 0 && n.unsigned_abs() <= limit)
        .ok_or(ParseError::RootDegree { column: node.column, limit })
}

/// What a name with these arguments stands for.
fn look_up<'a>(name: &str, arguments: &'a [Node], column: usize) -> Result<Named<'a>, ParseError> {
    let wrong_count = |expected| {
        Err(ParseError::ArgumentCount { column, name: name.into(), expected, found: arguments.len() })
    };
    if let Some(builtin) = Builtin::from_name(name) {
        return match arguments {
            [] => Ok(Named::Function(builtin, None)),
            [a] => Ok(Named::Function(builtin, Some(a))),
            _ => wrong_count(1),
        };
    }
    if let Some(function) = SpecialFunction::from_name(name) {
        return match arguments {
            [] => Ok(Named::Special(function, None)),
            [a] => Ok(Named::Special(function, Some(a))),
            _ => wrong_count(1),
        };
    }
    if let Some(function) = PairFunction::from_name(name) {
        return match arguments {
            [a, b] => Ok(Named::Pair(function, a, b)),
            _ => wrong_count(2),
        };
    }
    if let Some(why) = why_absent(&name.to_ascii_lowercase()) {
        return Err(ParseError::Absent { column, name: name.into(), why });
    }
    match (name, arguments) {
        ("pown", [a, n]) => Ok(Named::Power(a, n)),
        ("rootn", [a, n]) => Ok(Named::Root(a, n)),
        ("pown" | "rootn", _) => wrong_count(2),
        ("pi", []) => Ok(Named::Pi),
        ("e", []) => Ok(Named::E),
        ("x", []) => Ok(Named::X),
        ("pi" | "e" | "x", _) => Err(ParseError::NotAFunction { column, name: name.into() }),
        _ => Err(ParseError::UnknownName { column, name: name.into(), suggestion: suggestion(name) }),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn did_you_mean(suggestion: Option<&'static str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// What people call functions that have no name here, or write otherwise.
const HINTS: [(&str, &str); 22] = [
    ("pow", "pown"),
    ("power", "pown"),
    ("root", "rootn"),
    ("nthroot", "rootn"),
    ("square", "x^2"),
    ("sqr", "x^2"),
    ("cot", "1/tan(x)"),
    ("sec", "1/cos(x)"),
    ("csc", "1/sin(x)"),
    ("coth", "1/tanh(x)"),
    ("sech", "1/cosh(x)"),
    ("csch", "1/sinh(x)"),
    ("sinc", "sin(x)/x"),
    ("sigmoid", "1/(1+exp(-x))"),
    ("logistic", "1/(1+exp(-x))"),
    ("logsigmoid", "-log(1+exp(-x))"),
    ("softplus", "log(1+exp(x))"),
    ("silu", "x/(1+exp(-x))"),
    ("swish", "x/(1+exp(-x))"),
    ("gelu", "x/2*(1+erf(x/sqrt(2)))"),
    ("mish", "x*tanh(log(1+exp(x)))"),
    ("gaussian", "exp(-x^2/2)"),
];

/// What might be meant by a name that is none.
fn suggestion(name: &str) -> Option<&'static str> {
    let small = name.to_ascii_lowercase();
    let is_meant = |known: &str| known.to_ascii_lowercase() == small;
    let constants = ["x", "pi", "e", "pown", "rootn"].into_iter().find(|known| is_meant(known));
    let hint = || HINTS.iter().find(|(known, _)| *known == small).map(|(_, hint)| *hint);
    let exactly = || Builtin::from_name(&small).map(Builtin::name);
    constants.or_else(exactly).or_else(hint).or_else(|| nearest(&small))
}

/// The known name with the least edit distance, if that is at most 2 and half of the name.
/// Of several one without exchanged letters (`sine` is `sin`, not `sinh`), then the longest, as
/// letters are more often forgotten than added.
fn nearest(name: &str) -> Option<&'static str> {
    let limit = 2.min(name.chars().count() / 2);
    let known = Builtin::ALL.map(Builtin::name).into_iter().chain(["pi", "pown", "rootn"]);
    let known = known.chain(SpecialFunction::ALL.map(SpecialFunction::name));
    let known = known.chain(PairFunction::ALL.map(PairFunction::name));
    let distances = known.map(|candidate| (edit_distance(name, candidate), candidate));
    distances
        .min_by_key(|(distance, candidate)| {
            // names are ASCII
            let has_exchange = candidate.len().abs_diff(name.len()) != *distance;
            (*distance, has_exchange, Reverse(candidate.len()))
        })
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
