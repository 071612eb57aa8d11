//! The exponentials, the logarithms and the roots, and the constants π, e, ln 2, ln 10.
//!
//! A function that increases on its domain has the range [f(lo), f(hi)] over [lo, hi], one that
//! decreases [f(hi), f(lo)]. At a point one evaluation is enough: MPFR rounds down correctly and
//! says whether it rounded, and the next number up is then the tightest upper end.
//!
//! eˣ − 1, ln(1 + x) and their kin are MPFR's own functions, not compositions: nothing cancels
//! near 0.

use std::cmp::Ordering;

use rug::Float;
use rug::float::{Constant, Round};
use rug::ops::AssignRound;

use super::{Interval, check_precision, pole};
use crate::error::FunctionError;

/// Where an interval lies, seen from the domain of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DomainRelation {
    /// All of it belongs to the domain.
    Inside,
    /// Parts of it do not.
    Across,
    /// No point of it does.
    Outside,
}

impl DomainRelation {
    /// From whether all of the interval is in the domain, and whether none of it is.
    pub(crate) fn new(is_inside: bool, is_outside: bool) -> Self {
        match (is_inside, is_outside) {
            (true, _) => Self::Inside,
            (false, false) => Self::Across,
            (false, true) => Self::Outside,
        }
    }
}

/// Methods for functions that are monotonic on their whole domain: direction, name in Rust, name in
/// errors, MPFR's operation, and the place of the interval seen from the domain.
macro_rules! monotonic {
    ($($(#[$doc:meta])* $direction:ident $name:ident, $text:literal, $incomplete:ident, $domain:expr;)*) => {
        impl $crate::interval::Interval {$(
            $(#[$doc])*
            pub fn $name(&self) -> Result<Self, $crate::error::FunctionError> {
                match $domain(self) {
                    $crate::interval::elementary::DomainRelation::Inside => {}
                    place => return Err(self.outside_domain($text, place)),
                }
                self.$direction($text, |result, x, round| {
                    rug::ops::AssignRound::assign_round(result, x.$incomplete(), round)
                })
            }
        )*}
    };
}

pub(super) use monotonic;

/// The domain of a function defined everywhere.
pub(super) fn everywhere(_x: &Interval) -> DomainRelation {
    DomainRelation::Inside
}

/// The domain of the logarithms.
fn positive(x: &Interval) -> DomainRelation {
    DomainRelation::new(x.lo > 0, x.hi <= 0)
}

/// The domain of the square root.
fn non_negative(x: &Interval) -> DomainRelation {
    DomainRelation::new(x.lo >= 0, x.hi < 0)
}

/// The domain of the logarithms of 1 + x.
fn above_minus_one(x: &Interval) -> DomainRelation {
    DomainRelation::new(x.lo > -1, x.hi <= -1)
}

monotonic! {
    /// √self. Error [`OutsideDomain`](FunctionError::OutsideDomain) if self has negative points.
    increasing sqrt, "sqrt", sqrt_ref, non_negative;
    /// ∛self, on the whole line.
    increasing cbrt, "cbrt", cbrt_ref, everywhere;
    /// e^self.
    increasing exp, "exp", exp_ref, everywhere;
    /// 2^self.
    increasing exp2, "exp2", exp2_ref, everywhere;
    /// 10^self.
    increasing exp10, "exp10", exp10_ref, everywhere;
    /// e^self − 1.
    increasing expm1, "expm1", exp_m1_ref, everywhere;
    /// 2^self − 1.
    increasing exp2m1, "exp2m1", exp2_m1_ref, everywhere;
    /// 10^self − 1.
    increasing exp10m1, "exp10m1", exp10_m1_ref, everywhere;
    /// The natural logarithm. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless self
    /// > 0.
    increasing ln, "log", ln_ref, positive;
    /// The logarithm to base 2. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless self
    /// > 0.
    increasing log2, "log2", log2_ref, positive;
    /// The logarithm to base 10. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless
    /// self > 0.
    increasing log10, "log10", log10_ref, positive;
    /// The natural logarithm of 1 + self. Error [`OutsideDomain`](FunctionError::OutsideDomain)
    /// unless self > −1.
    increasing logp1, "logp1", ln_1p_ref, above_minus_one;
    /// The logarithm of 1 + self to base 2. Error [`OutsideDomain`](FunctionError::OutsideDomain)
    /// unless self > −1.
    increasing log2p1, "log2p1", log2_1p_ref, above_minus_one;
    /// The logarithm of 1 + self to base 10. Error [`OutsideDomain`](FunctionError::OutsideDomain)
    /// unless self > −1.
    increasing log10p1, "log10p1", log10_1p_ref, above_minus_one;
}

impl Interval {
    /// 1/√self.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) if self has negative points, else
    /// [`Pole`](FunctionError::Pole) if it contains 0.
    pub fn rsqrt(&self) -> Result<Self, FunctionError> {
        if self.lo < 0 {
            return Err(self.outside_domain("rsqrt", positive(self)));
        }
        if self.contains_zero() {
            return Err(self.pole("rsqrt"));
        }
        self.decreasing("rsqrt", |result, x, round| result.assign_round(x.recip_sqrt_ref(), round))
    }

    /// The n-th root self^(1/n), of negative numbers too if n is odd.
    ///
    /// For n > 0 it increases where it is defined, for n < 0 it decreases on either side of 0.
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) if n = 0, or if n is even and self has
    /// negative points; else [`Pole`](FunctionError::Pole) if n < 0 and self contains 0.
    pub fn rootn(&self, n: i32) -> Result<Self, FunctionError> {
        if n == 0 {
            return Err(self.outside_domain("rootn", DomainRelation::Outside));
        }
        if n % 2 == 0 && self.lo < 0 {
            let place = if n > 0 { non_negative(self) } else { positive(self) };
            return Err(self.outside_domain("rootn", place));
        }
        if n < 0 && self.contains_zero() {
            return Err(self.pole("rootn"));
        }
        let root = |result: &mut Float, x: &Float, round| result.assign_round(x.root_i_ref(n), round);
        if n > 0 { self.increasing("rootn", root) } else { self.decreasing("rootn", root) }
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

    /// The range of an increasing function: `f(result, x, round)` assigns f(x) rounded and reports
    /// the direction of the error, as MPFR does.
    pub(super) fn increasing(
        &self,
        function: &str,
        f: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> Result<Self, FunctionError> {
        self.between(&self.lo, &self.hi, function, f)
    }

    /// The range of a decreasing function, likewise.
    pub(super) fn decreasing(
        &self,
        function: &str,
        f: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> Result<Self, FunctionError> {
        self.between(&self.hi, &self.lo, function, f)
    }

    /// The range of a function that takes its least value over self at `least` and its greatest at
    /// `greatest`, which both are f(lo) = f(hi) if self is a point.
    pub(super) fn between(
        &self,
        least: &Float,
        greatest: &Float,
        function: &str,
        f: impl Fn(&mut Float, &Float, Round) -> Ordering,
    ) -> Result<Self, FunctionError> {
        let mut lo = Float::new(self.precision());
        let below = f(&mut lo, least, Round::Down);
        debug_assert!(below != Ordering::Greater || lo.is_nan());
        let hi = if self.is_point() {
            let mut hi = lo.clone();
            if below == Ordering::Less {
                hi.next_up(); // lo < f(x) and no number lies between lo and the next one
            }
            hi
        } else {
            let mut hi = Float::new(self.precision());
            f(&mut hi, greatest, Round::Up);
            hi
        };
        Self::checked(lo, hi, function, || self.to_string())
    }

    /// The error of a function that is not defined on all of self.
    pub(super) fn outside_domain(&self, function: &str, place: DomainRelation) -> FunctionError {
        let everywhere = place == DomainRelation::Outside;
        FunctionError::OutsideDomain { function: function.into(), at: self.to_string(), everywhere }
    }

    /// The error of a function that is infinite at a point of self.
    pub(super) fn pole(&self, function: &str) -> FunctionError {
        // tan has no pole at a number; the others' poles are numbers, and a point that holds one is
        // one
        let everywhere = self.is_point() && function != "tan";
        pole(function, self.to_string(), everywhere)
    }
}
