//! The text of an expression: as few parentheses as the grammar of `grammar.pest` allows, no
//! spaces.
//!
//! Numbers that the language has a literal for (decimals and binary fractions, not negative) print
//! as the shortest of it; others as `[-1/3]`, the literal of an exact fraction, so that every tree
//! has a text of its own.

use std::fmt;

use rug::{Integer, Rational};

use super::Expression;

/// How tightly the outermost operation binds, as in the grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Negation,
    Power,
    Atom,
}

/// Literals up to this length stay in plain decimal.
const PLAIN_LENGTH: usize = 20;

/// The longest significand written in decimal, in bits; any text that [`parse`](crate::parse())
/// reads has shorter ones.
const MAX_DECIMAL_BITS: u32 = 40_000;

impl Expression {
    fn binding(&self) -> Binding {
        match self {
            Self::Add(..) | Self::Sub(..) => Binding::Sum,
            Self::Mul(..) | Self::Div(..) => Binding::Product,
            Self::Neg(_) => Binding::Negation,
            Self::Powi(..) => Binding::Power,
            Self::Const(_)
            | Self::Pi
            | Self::E
            | Self::X
            | Self::Rootn(..)
            | Self::Call(..)
            | Self::Special(..)
            | Self::Pair(..) => Binding::Atom,
        }
    }

    /// The text, in parentheses if its outermost operation binds less tightly than `least`.
    fn write(&self, f: &mut fmt::Formatter<'_>, least: Binding) -> fmt::Result {
        if self.binding() < least {
            return write!(f, "({self})");
        }
        let binary = |f: &mut fmt::Formatter<'_>, a: &Self, operator, b: &Self, left, right| {
            a.write(f, left)?;
            f.write_str(operator)?;
            b.write(f, right)
        };
        match self {
            Self::Const(q) => f.write_str(&literal(q)),
            Self::Pi => f.write_str("pi"),
            Self::E => f.write_str("e"),
            Self::X => f.write_str("x"),
            Self::Neg(a) => {
                f.write_str("-")?;
                a.write(f, Binding::Negation)
            }
            // left associative: the right operand must bind tighter
            Self::Add(a, b) => binary(f, a, "+", b, Binding::Sum, Binding::Product),
            Self::Sub(a, b) => binary(f, a, "-", b, Binding::Sum, Binding::Product),
            Self::Mul(a, b) => binary(f, a, "*", b, Binding::Product, Binding::Negation),
            Self::Div(a, b) => binary(f, a, "/", b, Binding::Product, Binding::Negation),
            Self::Powi(a, n) => {
                a.write(f, Binding::Atom)?;
                write!(f, "^{n}")
            }
            Self::Rootn(a, n) => write!(f, "rootn({a},{n})"),
            Self::Call(builtin, a) => write!(f, "{builtin}({a})"),
            Self::Special(function, a) => write!(f, "{function}({a})"),
            Self::Pair(function, a, b) => write!(f, "{function}({a},{b})"),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Binding::Sum)
    }
}

/// The literal of a number.
pub(crate) fn literal(q: &Rational) -> String {
    let texts = [decimal(q), hexadecimal(q)];
    let shortest = texts.into_iter().flatten().min_by_key(String::len); // the first of equals: decimal
    shortest.unwrap_or_else(|| format!("[{}/{}]", q.numer(), q.denom()))
}

/// `q` as m·10^k, if that is what it is: plain if short, else `mek`.
fn decimal(q: &Rational) -> Option<String> {
    if *q < 0 {
        return None;
    }
    // the denominator is 2^a·5^b?
    let (odd, twos) = remove_factor(q.denom(), 2);
    let (rest, fives) = remove_factor(&odd, 5);
    // with a and b far apart m is long
    if rest != 1 || twos.abs_diff(fives) > MAX_DECIMAL_BITS {
        return None;
    }
    let places = twos.max(fives);
    let m = q.numer()
        * Integer::from(Integer::u_pow_u(2, places - twos))
        * Integer::from(Integer::u_pow_u(5, places - fives));
    let (without_fives, trailing) = remove_factor(&m, 5);
    if without_fives.significant_bits() - without_fives.find_one(0).unwrap_or(0) > MAX_DECIMAL_BITS {
        return None;
    }
    if places > 0 {
        let digits = m.to_string();
        let places = places as usize;
        if places < PLAIN_LENGTH && digits.len() <= PLAIN_LENGTH {
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            return Some(format!("{whole}.{fraction}"));
        }
        return Some(format!("{digits}e-{places}"));
    }
    let zeros = if m.is_zero() { 0 } else { trailing.min(without_fives.find_one(0).unwrap_or(0)) };
    let power = Integer::from(Integer::u_pow_u(10, zeros));
    let digits = Integer::from(m.div_exact_ref(&power)).to_string();
    let length = digits.len() + zeros as usize;
    if length <= PLAIN_LENGTH || zeros == 0 {
        // by hand: a width in `format!` has 16 bits, and panics beyond
        return Some(digits + &"0".repeat(zeros as usize));
    }
    Some(format!("{digits}e{zeros}"))
}

/// `q` as m·2^k with odd m, if that is what it is, in the syntax of C; only where it is worth it.
fn hexadecimal(q: &Rational) -> Option<String> {
    if *q <= 0 || !q.denom().is_power_of_two() {
        return None;
    }
    let zeros = q.numer().find_one(0).unwrap_or(0);
    let exponent = i64::from(zeros) - i64::from(q.denom().significant_bits()) + 1;
    let text = format!("0x{:x}p{exponent}", Integer::from(q.numer() >> zeros));
    Some(text)
}

/// m without its factors `prime`, and their number.
fn remove_factor(m: &Integer, prime: u32) -> (Integer, u32) {
    m.clone().remove_factor(&Integer::from(prime))
}
