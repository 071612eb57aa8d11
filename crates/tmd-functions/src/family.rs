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

mod segment;
#[cfg(test)]
mod tests;

use rug::{Float, Integer, float::Round};

use crate::{Builtin, Expression, FunctionError, Interval, interval::MAX_PRECISION};

pub use segment::{FamilyError, Place, Scale};

/// What repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// f(x + L) = ±f(x) or 2·f(x): arguments of one binade, indexed by their significands.
    Period,
    /// f(2·x) = f(x) + L: arguments of one significand, indexed by their exponents.
    Doubling,
}

/// A function with an irrational quasi-period; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    builtin: Builtin,
    unit: Builtin,
    repetition: Repetition,
}

impl Family {
    /// The family of a named function, if it has one.
    pub fn of(builtin: Builtin) -> Option<Self> {
        let (unit, repetition) = match builtin {
            Builtin::Sin => (Builtin::SinPi, Repetition::Period),
            Builtin::Cos => (Builtin::CosPi, Repetition::Period),
            Builtin::Tan => (Builtin::TanPi, Repetition::Period),
            Builtin::Exp | Builtin::Exp10 => (Builtin::Exp2, Repetition::Period),
            Builtin::Ln | Builtin::Log10 => (builtin, Repetition::Doubling),
            _ => return None,
        };
        Some(Self { builtin, unit, repetition })
    }

    /// The family of an expression: that of a named function of x itself, or of its negative.
    pub fn of_expression(expression: &Expression) -> Option<Self> {
        match expression {
            Expression::Call(builtin, argument) if **argument == Expression::X => Self::of(*builtin),
            // breakpoints are symmetric about 0
            Expression::Neg(inner) => Self::of_expression(inner),
            _ => None,
        }
    }

    /// The function.
    pub const fn builtin(self) -> Builtin {
        self.builtin
    }

    /// The function of the turn t (or of the significand) that the results are, up to sign and a
    /// power of two.
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

    /// L, the quasi-period.
    pub fn period(self, precision: u32) -> Result<Interval, FunctionError> {
        match self.builtin {
            Builtin::Exp | Builtin::Ln => Interval::ln_2(precision),
            Builtin::Exp10 | Builtin::Log10 => Interval::ln_2(precision)?.div(&Interval::ln_10(precision)?),
            _ => Interval::pi(precision),
        }
    }

    /// `⌊Θ·2^bits⌋` for Θ = 2^exponent/L mod 1: the turn from one argument of the spacing
    /// 2^exponent to the next, within 2^-bits.
    ///
    /// The precision grows with the exponent, so arguments may be as large as any format has them.
    ///
    /// # Errors
    /// [`FunctionError::Precision`] for exponents beyond 2^23.
    pub fn rotation(self, exponent: i32, bits: u32) -> Result<Integer, FunctionError> {
        let mut precision = exponent.max(0).unsigned_abs().saturating_add(bits).saturating_add(64);
        loop {
            if precision > MAX_PRECISION {
                return Err(FunctionError::Precision { precision });
            }
            let period = self.period(precision)?;
            // 1/L·2^(exponent + bits), outward
            let [lo, hi] = [(period.hi(), Round::Down), (period.lo(), Round::Up)].map(|(end, round)| {
                let reciprocal = Float::with_val_round(precision, end.recip_ref(), round).0;
                (reciprocal << (exponent + bits as i32)).to_integer_round(Round::Down)
            });
            if let (Some((lo, _)), Some((hi, _))) = (lo, hi)
                && lo == hi
            {
                return Ok(lo.keep_bits(bits));
            }
            precision = precision.saturating_mul(2);
        }
    }
}
