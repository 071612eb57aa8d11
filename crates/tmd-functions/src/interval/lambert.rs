//! Lambert's W: the inverse of f(y) = y·e^y, on the principal branch (y ≥ −1) and on the lower one
//! (y ≤ −1).
//!
//! f decreases up to y = −1, where it is −1/e, and increases from there on. So W₀ increases on
//! [−1/e, ∞) and W₋₁ decreases on [−1/e, 0). A value y between a and b on one branch is proved by
//! f(a) ≤ x ≤ f(b) (≥ on the lower branch) with rounded f: how a and b were found does not matter.
//! They are set around an approximation of Newton's, and apart until both inequalities hold.
//!
//! −1/e is irrational, so that a number is on one side of it, and enough bits tell on which.
//!
//! Lemma P.23 of docs/proofs/piece.md.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;

use super::elementary::DomainRelation;
use super::{Interval, MAX_PRECISION};
use crate::error::FunctionError;

/// A branch of W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    Principal,
    Lower,
}

impl Interval {
    /// The principal branch W₀(self).
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless self ≥ −1/e.
    pub fn lambertw(&self) -> Result<Self, FunctionError> {
        let place = DomainRelation::new(is_in_domain(&self.lo), !is_in_domain(&self.hi));
        if place != DomainRelation::Inside {
            return Err(self.outside_domain("lambertw", place));
        }
        let p = self.precision();
        let lo = branch_at(&self.lo, Branch::Principal, p)?;
        let hi = if self.is_point() { lo.clone() } else { branch_at(&self.hi, Branch::Principal, p)? };
        Ok(Self { lo: lo.lo, hi: hi.hi })
    }

    /// The lower branch W₋₁(self).
    ///
    /// # Errors
    /// [`OutsideDomain`](FunctionError::OutsideDomain) unless −1/e ≤ self < 0.
    pub fn lambertwm1(&self) -> Result<Self, FunctionError> {
        let is_inside = is_in_domain(&self.lo) && self.hi < 0;
        let place = DomainRelation::new(is_inside, self.lo >= 0 || !is_in_domain(&self.hi));
        if place != DomainRelation::Inside {
            return Err(self.outside_domain("lambertwm1", place));
        }
        let p = self.precision();
        let hi = branch_at(&self.lo, Branch::Lower, p)?;
        let lo = if self.is_point() { hi.clone() } else { branch_at(&self.hi, Branch::Lower, p)? };
        // W₋₁ ≤ −1
        let minus_one = Float::with_val(p, -1);
        Ok(Self { lo: lo.lo, hi: hi.hi.min(&minus_one) })
    }
}

/// Whether x ≥ −1/e.
fn is_in_domain(x: &Float) -> bool {
    if *x >= 0 || *x < -1 {
        return *x >= 0;
    }
    // x has so many bits that they and a few more of −1/e differ
    let mut precision = x.prec().max(64) + 64;
    loop {
        let [below, above] = [Round::Down, Round::Up].map(|round| {
            let mut end = -Float::with_val(precision, -1).exp();
            if round == Round::Down {
                end.next_down();
            } else {
                end.next_up();
            }
            end
        });
        match (x.partial_cmp(&below), x.partial_cmp(&above)) {
            (Some(Ordering::Less), _) => return false,
            (_, Some(Ordering::Greater)) => return true,
            _ => precision *= 2,
        }
    }
}

/// W(x) on a branch, for x in its domain.
fn branch_at(x: &Float, branch: Branch, precision: u32) -> Result<Interval, FunctionError> {
    if x.is_zero() {
        return Interval::zero(precision); // only on the principal branch
    }
    Interval::tight(precision, |w| {
        // next to −1/e digits of x + 1/e are lost
        let w = w.saturating_add(x.prec()).min(MAX_PRECISION);
        enclose(x, branch, w)
    })
}

/// W(x) between two numbers of w bits.
fn enclose(x: &Float, branch: Branch, w: u32) -> Result<Interval, FunctionError> {
    enclose_around(&approximate(x, branch, w), x, branch, w)
}

/// The same, from an approximation that may be any number on the branch.
fn enclose_around(middle: &Float, x: &Float, branch: Branch, w: u32) -> Result<Interval, FunctionError> {
    let x = Interval::point(x.clone())?;
    let edge = Float::with_val(w, -1);
    // whether y is on the side of W(x) that is given
    let is_beside = |y: &Float, side: Ordering| -> Result<bool, FunctionError> {
        let y = Interval::point(y.clone())?;
        let product = y.mul(&y.exp()?)?;
        let increases = branch == Branch::Principal;
        Ok(if (side == Ordering::Less) == increases { product.hi <= x.lo } else { product.lo >= x.hi })
    };
    let scale = middle.get_exp().unwrap_or(0);
    // a number that is too far out (below all that e^y can be, as W₋₁ is not) is not reached: the
    // step doubles
    let end = |side: Ordering| -> Result<Float, FunctionError> {
        for extra in (0..w as i32 + 64).step_by(4) {
            let step = Float::with_val(w, 1) << (scale - w as i32 + 8 + extra);
            let (y, is_outside) = if side == Ordering::Less {
                let y = Float::with_val_round(w, middle - &step, Round::Down).0;
                let is_outside = branch == Branch::Principal && y <= edge;
                (y, is_outside)
            } else {
                let y = Float::with_val_round(w, middle + &step, Round::Up).0;
                let is_outside = branch == Branch::Lower && y >= edge;
                (y, is_outside)
            };
            if is_outside {
                return Ok(edge.clone());
            }
            if is_beside(&y, side)? {
                return Ok(y);
            }
        }
        Err(FunctionError::NotFinite { function: "lambertw".into(), at: x.to_string() })
    };
    let (lo, hi) = (end(Ordering::Less)?, end(Ordering::Greater)?);
    Interval::new(lo, hi)
}

/// About W(x), by Newton's method; nothing is proved of it.
fn approximate(x: &Float, branch: Branch, w: u32) -> Float {
    // f(y) − x = 0 by e^y·(y + 1)·Δ = y·e^y − x, from a start on the right side of −1; in
    // logarithms where x is extreme
    let precise = |value: Float| Float::with_val(w, value);
    let x_w = precise(x.clone());
    // √(2·(e·x + 1)), the distance from −1 next to the branch point
    let e = Float::with_val(w + 64, 1).exp();
    let root = {
        let product = Float::with_val(w + 64, x * &e) + 1u32;
        if product > 0 { (product << 1u32).sqrt() } else { Float::new(w) }
    };
    let start = match branch {
        Branch::Principal if *x < 0.5 => {
            if *x > -0.25 {
                x_w.clone() - x_w.clone() * &x_w
            } else {
                precise(root - 1u32)
            }
        }
        Branch::Principal => {
            let ln = x_w.clone().ln_1p();
            let correction = ln.clone().ln_1p();
            if ln > 3 { ln - correction } else { ln * 0.75f64 }
        }
        Branch::Lower if *x < -0.25 => precise(-root - 1u32),
        Branch::Lower => {
            let ln = (-x_w.clone()).ln();
            let correction = (-ln.clone()).ln();
            ln - correction
        }
    };
    let is_large = !matches!(branch, Branch::Principal) || *x > 1;
    let ln_x = precise(x_w.clone().abs()).ln();
    let mut y = precise(start);
    for _ in 0..200 {
        let next = if is_large && y != -1 {
            // y + ln |y| = ln |x|: Δ = (y + ln |y| − ln |x|)·y/(y + 1)
            let residue = precise(y.clone() + y.clone().abs().ln()) - &ln_x;
            y.clone() - residue * &y / (y.clone() + 1u32)
        } else {
            let residue = y.clone() - x_w.clone() * (-y.clone()).exp();
            y.clone() - residue / (y.clone() + 1u32)
        };
        if !next.is_finite() {
            break;
        }
        let change = precise(next.clone() - &y);
        y = next;
        let is_settled = change.is_zero()
            || y.get_exp().zip(change.get_exp()).is_some_and(|(y, change)| change < y - w as i32 + 4);
        if is_settled {
            break;
        }
    }
    if y.is_finite() { y } else { Float::with_val(w, -1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever it starts from, W is enclosed.
    #[test]
    fn bad_approximations() {
        for (branch, values) in
            [(Branch::Principal, [-0.75, -0.1, 0.5, 3.0]), (Branch::Lower, [-1.25, -2.0, -5.0, -40.0])]
        {
            for y in values {
                // x = y·e^y, so that W(x) is next to y
                let y = Float::with_val(300, y);
                let x = Float::with_val(200, &y * y.clone().exp());
                let expected = enclose(&x, branch, 200).unwrap();
                assert!(
                    expected.width().unwrap() < 1e-50 && (expected.midpoint() - &y).abs() < 1e-50,
                    "{expected}"
                );
                for off in [1.001, 0.999, 1.000_001, 0.999_999] {
                    let middle = Float::with_val(200, &y * off);
                    let found = enclose_around(&middle, &x, branch, 200).unwrap();
                    assert!(
                        found.contains_interval(&expected) && found.contains(&middle),
                        "{found}, {expected}"
                    );
                }
            }
        }
    }
}
