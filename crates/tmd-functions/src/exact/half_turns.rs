//! What theory says about sin πq, cos πq, tan πq and their inverses in half-turns: the rational
//! values are those of Niven's theorem, at multiples of 1/6 (sine and cosine) and 1/4 (tangent).

use rug::{Integer, Rational};

use super::Value;

/// sin πq; algebraic, so it is never transcendental.
pub(crate) fn sine(q: &Rational) -> Value {
    // in sixths of a half-turn, of which 12 are a period
    match multiple(q, 6, 12) {
        Some(0 | 6) => fraction(0, 1),
        Some(1 | 5) => fraction(1, 2),
        Some(3) => fraction(1, 1),
        Some(7 | 11) => fraction(-1, 2),
        Some(9) => fraction(-1, 1),
        _ => Value::Irrational,
    }
}

/// cos πq = sin π(q + 1/2).
pub(crate) fn cosine(q: &Rational) -> Value {
    sine(&(q.clone() + Rational::from((1, 2))))
}

/// tan πq; not defined at odd multiples of 1/2.
pub(crate) fn tangent(q: &Rational) -> Value {
    match multiple(q, 4, 4) {
        Some(0) => fraction(0, 1),
        Some(1) => fraction(1, 1),
        Some(2) => Value::Unknown,
        Some(_) => fraction(-1, 1),
        None => Value::Irrational,
    }
}

/// asin q / π for −1 ≤ q ≤ 1.
pub(crate) fn arcsine(q: &Rational) -> Value {
    // the rational values are at the sines of Niven's theorem
    let quarter_turn = [(-1, 1, -1, 2), (-1, 2, -1, 6), (0, 1, 0, 1), (1, 2, 1, 6), (1, 1, 1, 2)];
    quarter_turn
        .into_iter()
        .find(|&(numerator, denominator, ..)| *q == Rational::from((numerator, denominator)))
        .map_or(Value::Transcendental, |(.., numerator, denominator)| fraction(numerator, denominator))
}

/// acos q / π = 1/2 − asin q / π for −1 ≤ q ≤ 1.
pub(crate) fn arccosine(q: &Rational) -> Value {
    fraction(1, 2).add(arcsine(q).neg())
}

/// atan q / π.
pub(crate) fn arctangent(q: &Rational) -> Value {
    if q.is_zero() {
        fraction(0, 1)
    } else if *q == 1 {
        fraction(1, 4)
    } else if *q == -1 {
        fraction(-1, 4)
    } else {
        Value::Transcendental
    }
}

/// n·q modulo `period`, if n·q is an integer.
fn multiple(q: &Rational, n: u32, period: u32) -> Option<u32> {
    let (quotient, remainder) = Integer::from(n).div_rem(q.denom().clone());
    remainder.is_zero().then(|| (quotient * q.numer()).mod_u(period))
}

fn fraction(numerator: i32, denominator: i32) -> Value {
    Value::Rational(Rational::from((numerator, denominator)))
}
