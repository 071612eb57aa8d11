//! [`Family`]: functions whose arguments, or whose exponents, repeat at an irrational distance.
//!
//! | function | identity | L | what it is searched as |
//! |---|---|---|---|
//! | sin x | f(x + L) = −f(x) | π | ±sinπ(t), t = x/π mod 1 |
//! | cos x | f(x + L) = −f(x) | π | ±cosπ(t), t = x/π mod 1 |
//! | tan x | f(x + L) = f(x) | π | tanπ(t), t = x/π mod 1 |
//! | exp x | f(x + L) = 2·f(x) | ln 2 | 2^k·2^t, k + t = x/ln 2 |
//! | exp10 x | f(x + L) = 2·f(x) | log10 2 | 2^k·2^t, k + t = x/log10 2 |
//! | log x | f(2·x) = f(x) + L | ln 2 | log t + i·L, x = 2^i·t |
//! | log10 x | f(2·x) = f(x) + L | log10 2 | log10 t + i·L, x = 2^i·t |
//!
//! *Proof.* Let x = (k + t)·L with an integer k. sin(kπ + πt) = (−1)^k·sin πt, and likewise cos;
//! tan has the period π (DLMF 4.21). `e^((k + t)·ln 2) = 2^k·2^t`, and
//! `10^((k + t)·log10 2) = 2^k·2^t`. The last two lines are the functional equation of the
//! logarithm. ∎
//!
//! So the arguments `i·2^e` of one spacing lie at the *turns* `t = i·Θ mod 1`, `Θ = 2^e/L mod 1`,
//! and results differ from the [unit function](Family::unit) there by a sign or a power of two
//! only: neither moves a result relative to breakpoints (of normal results). Θ is what a search
//! needs to know of e, and [`rotation`](Family::rotation) gives it to any number of bits.
//!
//! `a·f(b·x)` with dyadic a and b, of logarithms with a power of two b, has the same families: b is
//! a part of Θ, or of the index, and of `a = m·2^s` the odd m is a part of the unit function, and
//! of what a logarithm adds.
//!
//! Relatives of these are next to them, for large positive arguments:
//!
//! | function | next to | f is that | \|δ\| at most |
//! |---|---|---|---|
//! | sinh x | exp(x)/2 | times 1 + δ | e^(−2x) |
//! | cosh x | exp(x)/2 | times 1 + δ | e^(−2x) |
//! | expm1 x | exp(x) | times 1 + δ | e^(−x) |
//! | a·exp(x) + c | a·exp(x) | times 1 + δ | abs(c/a)·e^(−x) |
//! | exp10m1 x | exp10(x) | times 1 + δ | 10^(−x) |
//! | logp1 x | log(x) | plus δ | 1/x |
//! | log10p1 x | log10(x) | plus δ | 1/x |
//! | asinh x | log(2x) | plus δ | 2/(2x)² |
//! | acosh x | log(2x) | plus δ | 2/(2x)², for x ≥ 2 |
//!
//! and likewise a·exp10(x) + c, for every rational c; and sums of the relatives of exp and exp10
//! with c, of which δ is at most the sum of both. (Of sin, cos, tan and log a sum with c has its
//! zeros, where results have all exponents, at places that no proof here is about.)
//!
//! *Proof.* `sinh x = e^x/2·(1 − e^(−2x))`, and so on. `log(1 + x) − log x = log(1 + 1/x) < 1/x`,
//! and log10 is less than log there. `asinh x = log(2x) + log((1 + √(1 + u))/2)` with `u = 1/x²`:
//! as `√(1 + u) ≤ 1 + u/2`, δ is in [0, u/4]. acosh has −u: for `u ≤ 1/4`, `√(1 − u) ≥ 1 − 0.54·u`
//! and `log(1 − v) ≥ −1.04·v` of v = 0.27·u, so `0 ≥ δ ≥ −0.29·u`. ∎

mod segment;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use rug::{Float, Integer, Rational, float::Round};
use tmd_core::difftable::power_of_two;

use crate::{Builtin, Expression, Function, FunctionError, Interval, interval::MAX_PRECISION};

pub use segment::{FamilyError, Place, Scale};

/// What repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// f(x + L) = ±f(x) or 2·f(x): arguments of one binade, indexed by their significands.
    Period,
    /// f(2·x) = f(x) + L: arguments of one significand, indexed by their exponents.
    Doubling,
}

/// Two numbers between which one is.
type Ends = (Float, Float);

/// Largest exponents of a and of b in `a·f(b·x)`.
const MOST_SHIFT: i32 = 1 << 14;

/// Largest odd part of a.
const MOST_MULTIPLIER: u32 = 1 << 20;

/// A rational number as an odd integer times a power of two, if it is one, and not large.
fn dyadic(q: &Rational) -> Option<(i32, i32)> {
    let odd = |n: &Integer| n.find_one(0).map(|zeros| (Integer::from(n >> zeros), zeros as i32));
    let ((numerator, up), (denominator, down)) = (odd(q.numer())?, odd(q.denom())?);
    let exponent = up - down;
    let is_small = denominator == 1 && exponent.abs() <= MOST_SHIFT;
    Some((numerator.to_i32().filter(|_| is_small)?, exponent))
}

/// The rational number that an expression without x is, if it is one.
fn number(expression: &Expression) -> Option<Rational> {
    if expression.contains_variable() { None } else { expression.exact(&Rational::new()) }
}

/// The number and the other factor of a product by a dyadic number, of a quotient by one whose
/// reciprocal is dyadic, or of a negative.
fn factored(expression: &Expression) -> Option<((i32, i32), &Expression)> {
    match expression {
        Expression::Neg(inner) => Some(((-1, 0), inner)),
        Expression::Mul(a, b) => match (number(a), number(b)) {
            (Some(q), _) => Some((dyadic(&q)?, b)),
            (_, Some(q)) => Some((dyadic(&q)?, a)),
            _ => None,
        },
        Expression::Div(a, b) => {
            let q = number(b).filter(|q| *q != 0)?;
            Some((dyadic(&q.recip())?, a))
        }
        _ => None,
    }
}

/// The dyadic b of an expression `b·x`.
fn multiple_of_x(expression: &Expression) -> Option<(i32, i32)> {
    if *expression == Expression::X {
        return Some((1, 0));
    }
    let ((odd, exponent), inner) = factored(expression)?;
    let (own, more) = multiple_of_x(inner)?;
    let exponent = more + exponent;
    (exponent.abs() <= MOST_SHIFT).then_some((own.checked_mul(odd)?, exponent))
}

/// 1000/ln 2 and 1000·log2 10, rounded down: `e^(−y) ≤ 2^(−EXP_RATE·y/1000)` for y > 0.
const EXP_RATE: u32 = 1442;
const EXP10_RATE: u32 = 3321;

/// The number and the other summand of a sum or difference, but for signs.
fn without_summand(expression: &Expression) -> Option<(Rational, &Expression)> {
    match expression {
        Expression::Add(a, b) | Expression::Sub(a, b) => match (number(a), number(b)) {
            (Some(q), _) => Some((q, b)),
            (_, Some(q)) => Some((q, a)),
            _ => None,
        },
        _ => None,
    }
}

/// How a function is next to the one that has the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relative {
    /// It is that function.
    Same,
    /// Times 1 + δ, |δ| ≤ 2^(log2 − rate·y/1000) for the function's argument y > 0.
    Factor { rate: u32, log2: i32 },
    /// Plus δ, |δ| ≤ 2·y^(−n), for arguments of at least 4.
    Summand(u32),
}

/// A function with an irrational quasi-period, or one next to it; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    builtin: Builtin,
    unit: Builtin,
    repetition: Repetition,
    relative: Relative,
    /// The function is `±multiplier·2^log2·g(m·2^k·x)`, multiplier and m odd, with the function g
    /// that is named.
    multiplier: u32,
    log2: i32,
    factor: (i32, i32),
}

impl Family {
    /// The family of a named function, if it has one.
    pub fn of(builtin: Builtin) -> Option<Self> {
        let (near, relative, log2, shift) = match builtin {
            // twice that of exp, rounded down
            Builtin::Sinh | Builtin::Cosh => (Builtin::Exp, Relative::Factor { rate: 2885, log2: 0 }, -1, 0),
            Builtin::Expm1 => (Builtin::Exp, Relative::Factor { rate: EXP_RATE, log2: 0 }, 0, 0),
            Builtin::Exp10m1 => (Builtin::Exp10, Relative::Factor { rate: EXP10_RATE, log2: 0 }, 0, 0),
            Builtin::Logp1 => (Builtin::Ln, Relative::Summand(1), 0, 0),
            Builtin::Log10p1 => (Builtin::Log10, Relative::Summand(1), 0, 0),
            Builtin::Asinh | Builtin::Acosh => (Builtin::Ln, Relative::Summand(2), 0, 1),
            _ => (builtin, Relative::Same, 0, 0),
        };
        let (unit, repetition) = match near {
            Builtin::Sin => (Builtin::SinPi, Repetition::Period),
            Builtin::Cos => (Builtin::CosPi, Repetition::Period),
            Builtin::Tan => (Builtin::TanPi, Repetition::Period),
            Builtin::Exp | Builtin::Exp10 => (Builtin::Exp2, Repetition::Period),
            Builtin::Ln | Builtin::Log10 => (near, Repetition::Doubling),
            _ => return None,
        };
        Some(Self { builtin: near, unit, repetition, relative, multiplier: 1, log2, factor: (1, shift) })
    }

    /// The family of an expression: `a·f(b·x)` with a named function f, a dyadic a, and a dyadic b,
    /// which is a power of two for logarithms; of exponentials also `a·f(b·x) + c` with a rational
    /// c.
    pub fn of_expression(expression: &Expression) -> Option<Self> {
        if let Expression::Call(builtin, argument) = expression {
            return Self::of(*builtin)?.of_multiple(multiple_of_x(argument)?);
        }
        // signs do not matter: breakpoints are symmetric about 0, and of c the bound of |δ| has |c|
        if let Some((summand, inner)) = without_summand(expression) {
            return Self::of_expression(inner)?.plus(&summand);
        }
        let ((odd, exponent), inner) = factored(expression)?;
        Self::of_expression(inner)?.times(odd.unsigned_abs(), exponent)
    }

    fn of_multiple(mut self, (odd, exponent): (i32, i32)) -> Option<Self> {
        let is_power = odd == 1 || self.repetition == Repetition::Period;
        self.factor = (odd, self.factor.1 + exponent);
        is_power.then_some(self)
    }

    /// The function plus or minus a number c: with `e^y` times `m·2^s` it is that times
    /// `1 ± c/(m·2^s)·e^(−y)`.
    fn plus(mut self, summand: &Rational) -> Option<Self> {
        if *summand == 0 {
            return Some(self);
        }
        let rate = match self.builtin {
            Builtin::Exp => EXP_RATE,
            Builtin::Exp10 => EXP10_RATE,
            _ => return None,
        };
        // |c|/m < 2^bits
        let quotient = Rational::from(summand.abs_ref()) / self.multiplier;
        let (numerator, denominator) =
            (quotient.numer().significant_bits(), quotient.denom().significant_bits());
        let bits = i32::try_from(i64::from(numerator) - i64::from(denominator) + 1).ok()?;
        let log2 = bits.checked_sub(self.log2)?;
        self.relative = match self.relative {
            Relative::Same => Relative::Factor { rate, log2 },
            // each of both summands is at most half of that
            Relative::Factor { rate: own, log2: more } => {
                Relative::Factor { rate: rate.min(own), log2: log2.max(more) + 1 }
            }
            Relative::Summand(_) => return None,
        };
        (log2.abs() <= MOST_SHIFT).then_some(self)
    }

    fn times(mut self, odd: u32, exponent: i32) -> Option<Self> {
        self.multiplier = self.multiplier.checked_mul(odd)?;
        self.log2 = self.log2.checked_add(exponent)?;
        (self.multiplier <= MOST_MULTIPLIER && self.log2.abs() <= MOST_SHIFT).then_some(self)
    }

    /// The function that has the family: that of the expression, or the one it is near.
    pub const fn builtin(self) -> Builtin {
        self.builtin
    }

    /// The function of the turn t (or of the significand) that the results are, up to sign, the
    /// [`multiplier`](Self::multiplier) and a power of two.
    pub const fn unit(self) -> Builtin {
        self.unit
    }

    /// What repeats.
    pub const fn repetition(self) -> Repetition {
        self.repetition
    }

    /// Whether |unit(−t)| = |unit(t)| (then turns are taken in [−1/2, 1/2], else in [0, 1)).
    pub fn is_symmetric(self) -> bool {
        self.unit.parity().is_some()
    }

    /// The turns in [0, 1/2], in halves, where the unit function is 0 or infinite: there it has
    /// infinitely many binades.
    pub fn singular_half_turns(self) -> &'static [u32] {
        match self.unit {
            Builtin::SinPi => &[0],
            Builtin::CosPi => &[1],
            Builtin::TanPi => &[0, 1],
            _ => &[],
        }
    }

    /// Of these the one where it is infinite: windows become narrower without end towards it.
    pub fn pole_half_turn(self) -> Option<u32> {
        (self.unit == Builtin::TanPi).then_some(1)
    }

    /// log2 of a number that all quasi-periods exceed.
    pub const LEAST_PERIOD_LOG2: i32 = -2;

    /// L, the quasi-period.
    pub fn period(self, precision: u32) -> Result<Interval, FunctionError> {
        match self.builtin {
            Builtin::Exp | Builtin::Ln => Interval::ln_2(precision),
            Builtin::Exp10 | Builtin::Log10 => Interval::ln_2(precision)?.div(&Interval::ln_10(precision)?),
            _ => Interval::pi(precision),
        }
    }

    /// m: the function is `±m·2^s·f(b·x)`, with an odd m.
    pub const fn multiplier(self) -> u32 {
        self.multiplier
    }

    /// Whether the unit function is 2^t: then a turn's results have all exponents.
    pub fn is_exponential(self) -> bool {
        self.unit == Builtin::Exp2
    }

    /// s: the function is `±m·2^s·f(b·x)`.
    pub const fn log2(self) -> i32 {
        self.log2
    }

    /// b = m·2^k, with an odd m, as (m, k).
    pub const fn factor(self) -> (i32, i32) {
        self.factor
    }

    /// Whether the function is only near the one that has the family, for positive b·x that are
    /// large.
    pub fn is_relative(self) -> bool {
        self.relative != Relative::Same
    }

    /// A y = b·x from which on |δ| is at most 2^-bits, next to the least; 0 if the function is no
    /// relative.
    pub fn least(self, bits: u32) -> Rational {
        match self.relative {
            Relative::Same => Rational::new(),
            Relative::Factor { rate, log2 } => {
                let bits = (i64::from(bits) + 1 + i64::from(log2)).max(0);
                Rational::from((1000 * bits, rate)).max(Rational::from(4))
            }
            Relative::Summand(n) => Rational::from(1) << (bits + 1).div_ceil(n).max(2),
        }
    }

    /// Whether b·x is less than 4, the least argument of a relative's family, for all |x| < 2^k.
    pub(crate) fn is_below_least(self, k: i32) -> bool {
        let (odd, exponent) = self.factor;
        let bits = odd.unsigned_abs().ilog2() as i32 + 1;
        i64::from(bits) + i64::from(exponent) + i64::from(k) <= 2
    }

    /// A bound of |δ| for all arguments with b·x ≥ y > 0; `None` if none is known.
    pub fn perturbation(self, y: &Rational) -> Option<f64> {
        // 2^-1000 is less than anything
        let power = |exponent: &Integer| power_of_two(-(exponent.to_i32().unwrap_or(1000).min(1000)));
        match self.relative {
            Relative::Same => Some(0.0),
            _ if *y < 4 => None,
            Relative::Factor { rate, log2 } => {
                Some(power(&((Rational::from(y * rate) / 1000u32).floor().into_numer_denom().0 - log2)))
            }
            Relative::Summand(n) => {
                // y ≥ 2^k
                let k = Rational::from(y.floor_ref()).into_numer_denom().0.significant_bits() - 1;
                Some(power(&(Integer::from(k) * n - 1u32)))
            }
        }
    }

    /// 1/L, between two numbers with so many bits or more. The most precise ones are kept: a plan
    /// asks for each exponent of a format.
    fn reciprocal(self, precision: u32) -> Result<Arc<Ends>, FunctionError> {
        static KNOWN: Mutex<[Option<Arc<Ends>>; 3]> = Mutex::new([None, None, None]);
        let index = match self.builtin {
            Builtin::Exp | Builtin::Ln => 0,
            Builtin::Exp10 | Builtin::Log10 => 1,
            _ => 2,
        };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        match &known[index] {
            Some(ends) if ends.0.prec() >= precision => Ok(Arc::clone(ends)),
            _ => {
                let precision = precision.next_power_of_two().min(MAX_PRECISION);
                let period = self.period(precision)?;
                let recip = |end: &Float, round| Float::with_val_round(precision, end.recip_ref(), round).0;
                let ends = Arc::new((recip(period.hi(), Round::Down), recip(period.lo(), Round::Up)));
                Ok(Arc::clone(known[index].insert(ends)))
            }
        }
    }

    /// `⌊Θ·2^bits⌋` for Θ = b·2^exponent/L mod 1: the turn from one argument of the spacing
    /// 2^exponent to the next, within 2^-bits.
    ///
    /// The precision grows with the exponent, so arguments may be as large as any format has them.
    ///
    /// # Errors
    /// [`FunctionError::Precision`] for exponents beyond 2^23.
    pub fn rotation(self, exponent: i32, bits: u32) -> Result<Integer, FunctionError> {
        let (odd, shift) = self.factor;
        let exponent = exponent.saturating_add(shift);
        let mut precision = exponent.max(0).unsigned_abs().saturating_add(bits).saturating_add(64);
        loop {
            if precision > MAX_PRECISION {
                return Err(FunctionError::Precision { precision });
            }
            // b/L·2^(exponent + bits), in whatever order; the product with 32 bits is exact
            let ends = self.reciprocal(precision)?;
            let [a, b] = [(&ends.0, Round::Down), (&ends.1, Round::Up)].map(|(end, round)| {
                let reciprocal = Float::with_val_round(precision, end, round).0;
                let product = Float::with_val(precision + 32, &reciprocal * odd);
                (product << (exponent + bits as i32)).to_integer_round(Round::Down)
            });
            if let (Some((a, _)), Some((b, _))) = (a, b)
                && a == b
            {
                return Ok(a.keep_bits(bits));
            }
            precision = precision.saturating_mul(2);
        }
    }
}
