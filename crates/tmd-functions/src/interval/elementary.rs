//! The monotonic elementary functions and the constants π, e, ln 2, ln 10.
//!
//! All functions here increase on their domain, so the range of [lo, hi] is [f(lo), f(hi)]. At a point one evaluation is
//! enough: MPFR rounds down correctly and says whether it rounded, and the next number up is then the tightest upper end.

use std::cmp::Ordering;

use rug::Float;
use rug::float::{Constant, Round};
use rug::ops::AssignRound;

use super::{Interval, check_precision};
use crate::error::FunctionError;

macro_rules! increasing {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $incomplete:ident, $domain:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> Result<Self, FunctionError> {
            if !$domain(&self.lo) {
                return Err(FunctionError::OutsideDomain { function: $text.into(), at: self.to_string() });
            }
            self.increasing($text, |result, x, round| result.assign_round(x.$incomplete(), round))
        }
    )*};
}

/// The domain of a function defined everywhere.
fn everywhere(_lo: &Float) -> bool {
    true
}

/// The domain of the logarithms.
fn positive(lo: &Float) -> bool {
    *lo > 0
}

/// The domain of the square root.
fn non_negative(lo: &Float) -> bool {
    *lo >= 0
}

impl Interval {
    increasing! {
        /// √self. Error [`OutsideDomain`](FunctionError::OutsideDomain) if self has negative points.
        sqrt, "sqrt", sqrt_ref, non_negative;
        /// ∛self, on the whole line.
        cbrt, "cbrt", cbrt_ref, everywhere;
        /// e^self.
        exp, "exp", exp_ref, everywhere;
        /// 2^self.
        exp2, "exp2", exp2_ref, everywhere;
        /// 10^self.
        exp10, "exp10", exp10_ref, everywhere;
        /// The natural logarithm. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless self > 0.
        ln, "log", ln_ref, positive;
        /// The logarithm to base 2. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless self > 0.
        log2, "log2", log2_ref, positive;
        /// The logarithm to base 10. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless self > 0.
        log10, "log10", log10_ref, positive;
    }

    /// The tightest enclosure of π.
    pub fn pi(precision: u32) -> Result<Self, FunctionError> {
        Self::enclosing(precision, "pi", |round| Float::with_val_round(precision, Constant::Pi, round).0)
    }

    /// The tightest enclosure of ln 2.
    pub fn ln_2(precision: u32) -> Result<Self, FunctionError> {
        Self::enclosing(precision, "ln 2", |round| Float::with_val_round(precision, Constant::Log2, round).0)
    }

    /// The tightest enclosure of ln 10.
    pub fn ln_10(precision: u32) -> Result<Self, FunctionError> {
        Self::from_f64(10.0, check_precision(precision)?.max(4))?.ln()?.round_to(precision)
    }

    /// The tightest enclosure of e.
    pub fn e(precision: u32) -> Result<Self, FunctionError> {
        Self::from_f64(1.0, precision)?.exp()
    }

    /// The range of an increasing function: `f(result, x, round)` assigns f(x) rounded and reports the direction of the
    /// error, as MPFR does.
    pub(super) fn increasing(
        &self,
        function: &str,
        f: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> Result<Self, FunctionError> {
        let mut lo = Float::new(self.precision());
        let below = f(&mut lo, &self.lo, Round::Down);
        debug_assert!(below != Ordering::Greater || lo.is_nan());
        let hi = if self.is_point() {
            let mut hi = lo.clone();
            if below == Ordering::Less {
                hi.next_up(); // lo < f(x) and no number lies between lo and the next one
            }
            hi
        } else {
            let mut hi = Float::new(self.precision());
            f(&mut hi, &self.hi, Round::Up);
            hi
        };
        Self::checked(lo, hi, function, || self.to_string())
    }
}
