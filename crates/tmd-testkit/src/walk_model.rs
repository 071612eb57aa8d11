//! The walk of `proofs/Lattice.v` and the verdict of `proofs/Walk.v`, transcribed in integers that
//! do not overflow: what is proved of these is true of the code that answers the same.
//!
//! Tests run it beside every walk that there is. Names are the chapters'.

use tmd_core::contfrac::FareyWalk;

/// `basis`, with the numerators that Definition W.1 speaks of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// x of the first vector
    pub u: i128,
    /// minus x of the second one
    pub v: i128,
    /// y of the first vector, in units of the circle
    pub p: i128,
    /// y of the second one
    pub q: i128,
    /// numerator of the left neighbor
    pub m1: i128,
    /// numerator of the right neighbor
    pub m2: i128,
}

impl Basis {
    /// Where a walk stands.
    pub fn of(walk: &FareyWalk) -> Self {
        let ((m1, u), (m2, v)) = (walk.interval().left(), walk.interval().right());
        let [u, v, m1, m2] = [u, v, m1, m2].map(i128::from);
        Self { u, v, p: walk.p() as i128, q: walk.q() as i128, m1, m2 }
    }

    /// Definition W.1, for the slope `a` of the circle `d`.
    pub fn is_valid(&self, d: i128, a: i128) -> bool {
        let Self { u, v, p, q, m1, m2 } = *self;
        p == a * u - m1 * d && q == m2 * d - a * v && m2 * u - m1 * v == 1
    }

    /// Lemma W.4: the slope moved by `delta`.
    #[must_use]
    pub fn sheared(self, delta: i128) -> Self {
        Self { p: self.p + self.u * delta, q: self.q - self.v * delta, ..self }
    }

    /// Lemma W.5: past the right neighbor.
    #[must_use]
    pub fn crossed(self, k: i128) -> Self {
        let Self { u, v, p, q, m1, m2 } = self;
        Self { u: v, v: k * v - u, p: -q, q: p + k * q, m1: m2, m2: k * m2 - m1 }
    }

    /// ... and past the left one.
    #[must_use]
    pub fn crossed_left(self, k: i128) -> Self {
        let Self { u, v, p, q, m1, m2 } = self;
        Self { u: k * u - v, v: u, p: q + k * p, q: -p, m1: k * m1 - m2, m2: m1 }
    }

    /// Lemma W.6: the vectors exchanged, a basis of the slope with its sign changed.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let Self { u, v, p, q, m1, m2 } = self;
        Self { u: v, v: u, p: q, q: p, m1: -m2, m2: -m1 }
    }

    /// The basis with the shorter vector first; and the sign of x.
    #[must_use]
    pub fn shorter_first(self) -> (Self, i128) {
        if self.p.abs() <= self.q.abs() { (self, 1) } else { (self.mirrored(), -1) }
    }

    /// The basis of a walk of this order after a step of its slope.
    #[must_use]
    pub fn walked(self, delta: i128, order: i128) -> Self {
        let mut basis = self.sheared(delta);
        while basis.q <= 0 {
            basis = basis.crossed((order + basis.u).div_euclid(basis.v));
        }
        while basis.p < 0 {
            basis = basis.crossed_left((order + basis.v).div_euclid(basis.u));
        }
        basis
    }
}

/// The box of a domain: `D`, `X`, `beta` and `h` of the chapters.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// the circle
    pub circle: i128,
    /// half the arguments
    pub half: i128,
    /// the line's height, with its sign changed
    pub beta: i128,
    /// half-width
    pub h: i128,
}

impl Domain {
    /// `spread`.
    pub fn spread(&self, b: &Basis) -> i128 {
        b.p.abs() * self.half + b.u.abs() * self.h
    }

    /// The two lines that may meet the box, Theorem W.8.
    pub fn lines(&self, b: &Basis) -> [i128; 2] {
        let t0 = (b.u * self.beta).div_euclid(self.circle);
        [t0, t0 + 1]
    }

    /// A line holds one point of the box at most, Theorem W.10.
    pub fn is_thin(&self, b: &Basis) -> bool {
        2 * self.h < b.p.abs()
    }

    /// The point of a line that is next to the height, Theorem W.18; `p` is not 0.
    pub fn nearest(&self, b: &Basis, t: i128) -> (i128, i128) {
        let from = (self.beta - t * b.q) * b.p.signum();
        let s = b.p.signum() * (2 * from + b.p.abs()).div_euclid(2 * b.p.abs());
        (s * b.u - t * b.v, s * b.p + t * b.q)
    }

    /// Definition W.4: `clear`, with eta = 0, for a basis with the shorter vector first;
    /// `is_off(x, y)` says that `|g|` is more than acc.
    pub fn is_clear(&self, b: &Basis, is_off: impl Fn(i128, i128) -> bool) -> bool {
        let spread = self.spread(b);
        if spread >= self.circle {
            return false;
        }
        let lines = self.lines(b);
        let is_far = |t: i128| spread < (t * self.circle - b.u * self.beta).abs();
        let is_line_clear = |t: i128| {
            let (x, y) = self.nearest(b, t);
            is_off(x, y)
        };
        lines.into_iter().all(is_far) || self.is_thin(b) && lines.into_iter().all(is_line_clear)
    }
}
