//! From text to a tree in which every node knows its place: grammar, precedence, limits of depth,
//! literals.
//!
//! The grammar (`grammar.pest`) yields each expression as a flat sequence of operands and
//! operators, and pest's Pratt parser (Pratt, *Top down operator precedence*, 1973) makes the
//! tree: + − < * / < unary − < ^, all left associative but ^.
//!
//! Recursion is bounded **before** it happens: parentheses are counted in the text before pest
//! descends into them, and minus signs and ^ in the flat sequence before the Pratt parser does.

use std::sync::LazyLock;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};
use pest::pratt_parser::{Assoc, Op, PrattParser};
use rug::{Integer, Rational};

use crate::exact::{self, MAX_EXACT_BITS};
use crate::parse::{MAX_DECIMAL_EXPONENT, MAX_DEPTH, MAX_LENGTH, MAX_NESTING, ParseError};

/// The type that pest derives the grammar for; in a module of its own because what is derived has
/// no documentation.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar.pest"]
    pub(super) struct Grammar;
}

use grammar::{Grammar, Rule};

/// A node of the tree, with the column (from 1, in characters) where it starts; a binary operation
/// has that of its sign.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) column: usize,
    pub(crate) kind: Kind,
    depth: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Number(Rational),
    /// A name alone or with arguments in parentheses.
    Name(String, Vec<Node>),
    Neg(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Power,
}

static PRECEDENCE: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    PrattParser::new()
        .op(Op::infix(Rule::add, Assoc::Left) | Op::infix(Rule::subtract, Assoc::Left))
        .op(Op::infix(Rule::multiply, Assoc::Left) | Op::infix(Rule::divide, Assoc::Left))
        .op(Op::prefix(Rule::negate))
        .op(Op::infix(Rule::power, Assoc::Right))
});

/// The tree of a text. Names are not looked up yet.
pub(crate) fn read(text: &str) -> Result<Node, ParseError> {
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(ParseError::TooLong { length });
    }
    if text.trim().is_empty() {
        return Err(ParseError::Empty);
    }
    check_parentheses(text)?;
    let mut pairs = Grammar::parse(Rule::program, text).map_err(|error| syntax_error(text, &error))?;
    let columns = Columns { text };
    // the grammar puts one expression before the end of input
    let expression = pairs.next().map(Pair::into_inner).ok_or(ParseError::Empty)?;
    columns.tree(expression, 0)
}

/// Refuses deep parentheses before pest recurses into them.
fn check_parentheses(text: &str) -> Result<(), ParseError> {
    let mut depth = 0usize;
    for (index, character) in text.chars().enumerate() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(ParseError::TooDeep { column: index + 1 });
        }
    }
    Ok(())
}

/// Turns byte offsets of a text into columns while building the tree.
struct Columns<'a> {
    text: &'a str,
}

impl Columns<'_> {
    fn of(&self, pair: &Pair<'_, Rule>) -> usize {
        // all text that the grammar accepts is ASCII: bytes are characters
        debug_assert!(self.text.is_ascii());
        pair.as_span().start() + 1
    }

    /// The tree of a flat sequence; `nesting` counts the parentheses, minus signs and ^ it stands
    /// under.
    fn tree(&self, pairs: Pairs<'_, Rule>, nesting: usize) -> Result<Node, ParseError> {
        // A minus sign and a ^ recurse until the next + − * /; what stands there counts them all.
        let mut under = Vec::new();
        let mut pending = 0;
        for pair in pairs.clone() {
            match pair.as_rule() {
                Rule::negate | Rule::power => pending += 1,
                Rule::add | Rule::subtract | Rule::multiply | Rule::divide => pending = 0,
                _ => under.push(nesting + pending),
            }
            if nesting + pending > MAX_NESTING {
                return Err(ParseError::TooDeep { column: self.of(&pair) });
            }
        }
        let mut under = under.into_iter(); // operands come to the parser in the order of the text
        PRECEDENCE
            .map_primary(|pair| self.operand(pair, under.next().unwrap_or(MAX_NESTING)))
            .map_prefix(|sign, a| {
                let a = a?;
                node(self.of(&sign), a.depth, Kind::Neg(Box::new(a)))
            })
            .map_infix(|a, sign, b| {
                let (a, b) = (a?, b?);
                let operator = match sign.as_rule() {
                    Rule::add => Operator::Add,
                    Rule::subtract => Operator::Sub,
                    Rule::multiply => Operator::Mul,
                    Rule::divide => Operator::Div,
                    _ => Operator::Power,
                };
                let depth = a.depth.max(b.depth);
                node(self.of(&sign), depth, Kind::Binary(operator, Box::new(a), Box::new(b)))
            })
            .parse(pairs)
    }

    fn operand(&self, pair: Pair<'_, Rule>, nesting: usize) -> Result<Node, ParseError> {
        let column = self.of(&pair);
        let text = pair.as_str();
        match pair.as_rule() {
            Rule::decimal => node(column, 0, Kind::Number(decimal(text, column)?)),
            Rule::hexadecimal => node(column, 0, Kind::Number(hexadecimal(text, column)?)),
            Rule::fraction => node(column, 0, Kind::Number(fraction(pair.into_inner(), column)?)),
            _ => {
                // a group or a call: maybe a name, maybe an expression in parentheses
                let (mut name, mut arguments) = (None, Vec::new());
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::name => name = Some(part.as_str().to_string()),
                        Rule::expression => arguments.push(self.tree(part.into_inner(), nesting + 1)?),
                        _ => {}
                    }
                }
                match (name, arguments.pop()) {
                    (Some(name), last) => {
                        arguments.extend(last);
                        let depth = arguments.iter().map(|a| a.depth).max().unwrap_or(0);
                        node(column, depth, Kind::Name(name, arguments))
                    }
                    (None, Some(group)) => Ok(group),
                    (None, None) => Err(ParseError::Syntax { column, expected: "an expression".into() }),
                }
            }
        }
    }
}

/// A node above others of depth `below`, if it is not too deep.
fn node(column: usize, below: usize, kind: Kind) -> Result<Node, ParseError> {
    if below >= MAX_DEPTH {
        Err(ParseError::TooDeep { column })
    } else {
        Ok(Node { column, kind, depth: below + 1 })
    }
}

/// The value of `12.5e-3`.
fn decimal(text: &str, column: usize) -> Result<Rational, ParseError> {
    let (significand, exponent) = split_exponent(text, ['e', 'E'], column)?;
    let (digits, places) = digits(significand, 10);
    if digits.is_zero() {
        return Ok(Rational::new());
    }
    if exponent.unsigned_abs() > u64::from(MAX_DECIMAL_EXPONENT) {
        return Err(ParseError::NumberTooLarge { column });
    }
    // at most the two limits together: far inside an i32
    let power = exact::powi(&Rational::from(10), (exponent - places) as i32);
    power
        .and_then(|power| exact::mul(&Rational::from(digits), &power))
        .ok_or(ParseError::NumberTooLarge { column })
}

/// The value of `0x1.8p-3`.
fn hexadecimal(text: &str, column: usize) -> Result<Rational, ParseError> {
    let (significand, exponent) = split_exponent(&text[2..], ['p', 'P'], column)?; // the grammar wants 0x
    let (digits, places) = digits(significand, 16);
    if digits.is_zero() {
        return Ok(Rational::new());
    }
    let shift = exponent - 4 * places; // places ≤ MAX_LENGTH
    if shift.unsigned_abs() + u64::from(digits.significant_bits()) > MAX_EXACT_BITS {
        return Err(ParseError::NumberTooLarge { column });
    }
    Ok(Rational::from(digits) << shift as i32)
}

/// The value of `[-1/3]`.
fn fraction(pairs: Pairs<'_, Rule>, column: usize) -> Result<Rational, ParseError> {
    let mut parts = pairs.map(|part| part.as_str().parse::<Integer>().unwrap_or_default()); // digits, by the grammar
    let (numerator, denominator) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if denominator.is_zero() {
        return Err(ParseError::DivisionByZero { column });
    }
    Ok(Rational::from((numerator, denominator)))
}

/// The significand and the exponent (0 if missing) of a literal.
fn split_exponent(text: &str, marks: [char; 2], column: usize) -> Result<(&str, i64), ParseError> {
    match text.split_once(marks) {
        None => Ok((text, 0)),
        // the grammar lets digits through only: what fails is too long for 64 bits
        Some((significand, exponent)) => match exponent.parse::<i64>() {
            Ok(exponent) if exponent.unsigned_abs() <= 1 << 40 => Ok((significand, exponent)),
            _ => Err(ParseError::NumberTooLarge { column }),
        },
    }
}

/// The digits as an integer, and how many of them follow the point.
fn digits(significand: &str, radix: i32) -> (Integer, i64) {
    let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
    let digits = Integer::from_str_radix(&format!("0{whole}{fraction}"), radix).unwrap_or_default(); // digits only
    (digits, fraction.len() as i64)
}

/// pest's error, in words.
fn syntax_error(text: &str, error: &pest::error::Error<Rule>) -> ParseError {
    let byte = match error.location {
        InputLocation::Pos(byte) | InputLocation::Span((byte, _)) => byte,
    };
    let column = text.get(..byte).map_or(0, |before| before.chars().count()) + 1;
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            let mut words: Vec<_> = positives.iter().map(|rule| describe(*rule)).collect();
            words.sort_unstable();
            words.dedup();
            words.join(" or ")
        }
        ErrorVariant::CustomError { message } => message.clone(),
    };
    ParseError::Syntax { column, expected }
}

fn describe(rule: Rule) -> &'static str {
    match rule {
        Rule::add | Rule::subtract | Rule::multiply | Rule::divide | Rule::power | Rule::infix => {
            "an operator"
        }
        Rule::close => "`)`",
        Rule::EOI => "the end",
        Rule::numerator | Rule::denominator | Rule::integer => "an integer",
        _ => "a number, a name or `(`",
    }
}
