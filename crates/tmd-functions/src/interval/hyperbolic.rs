//! The hyperbolic functions and their inverses.

use rug::ops::AssignRound;

use super::Interval;
use super::elementary::{DomainRelation, everywhere, monotonic};
use crate::error::FunctionError;

/// The domain of acosh.
fn at_least_one(x: &Interval) -> DomainRelation {
    DomainRelation::new(x.lo >= 1, x.hi < 1)
}

/// The domain of atanh.
fn inside_unit_interval(x: &Interval) -> DomainRelation {
    DomainRelation::new(x.lo > -1 && x.hi < 1, x.lo >= 1 || x.hi <= -1)
}

monotonic! {
    /// sinh(self).
    increasing sinh, "sinh", sinh_ref, everywhere;
    /// tanh(self).
    increasing tanh, "tanh", tanh_ref, everywhere;
    /// The inverse of sinh, on the whole line.
    increasing asinh, "asinh", asinh_ref, everywhere;
    /// The inverse of cosh on [0, ∞). Error [`OutsideDomain`](FunctionError::OutsideDomain) unless
    /// self ≥ 1.
    increasing acosh, "acosh", acosh_ref, at_least_one;
    /// The inverse of tanh. Error [`OutsideDomain`](FunctionError::OutsideDomain) unless −1 < self
    /// < 1.
    increasing atanh, "atanh", atanh_ref, inside_unit_interval;
}

impl Interval {
    /// cosh(self), which increases in |x|.
    pub fn cosh(&self) -> Result<Self, FunctionError> {
        let (least, greatest) = (self.mig(), self.mag());
        self.between(&least, &greatest, "cosh", |result, x, round| result.assign_round(x.cosh_ref(), round))
    }

    /// 1/cosh(self), which decreases in |x|; unlike cosh it never overflows.
    pub(crate) fn sech(&self) -> Result<Self, FunctionError> {
        let (least, greatest) = (self.mag(), self.mig());
        self.between(&least, &greatest, "sech", |result, x, round| result.assign_round(x.sech_ref(), round))
    }
}
