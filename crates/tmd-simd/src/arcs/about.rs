//! A window about the vertex of its parabola, or not far from it: Theorem A.2 of [`roots`].
//!
//! [`roots`]: super::roots

use tmd_core::{Candidates, difftable::power_of_two};

use super::real::{Angles, Real, Sweep, sweep, vectors};
use super::roots::{CHUNK, Root, Window};

/// What the lemma says of a window.
pub(super) struct About {
    /// s0, in units of v
    pub(super) center: f64,
    /// n0 and `n0 − y0`
    pub(super) n: i64,
    pub(super) phase: f64,
    /// B and τ
    pub(super) step: f64,
    tolerance: f64,
    /// 1/B
    density: f64,
    /// of s − s0
    low: f64,
    high: f64,
}

impl About {
    #[inline(always)]
    pub(super) fn new(window: &Window) -> Self {
        let Window { size, inverse, length, curvature, flatness, vertex, whole, part, acceptance, .. } =
            *window;
        // y0 = v·b − P²/(4·c·v)
        let least = part + 0.5 * length * vertex;
        let first = least.ceil();
        // what y0 is off by, as a part of acc
        let rounding = power_of_two(-50) * (1.0 + least.abs()) * inverse;
        let per_square = inverse * inverse * flatness;
        Self {
            center: vertex * inverse,
            n: whole + first as i64,
            phase: first - least,
            step: inverse * per_square,
            density: size * size * size * curvature,
            tolerance: (acceptance + rounding) * per_square * (1.0 + power_of_two(-20)),
            low: (window.first as f64 - vertex) * inverse,
            high: (window.last as f64 - vertex) * inverse,
        }
    }

    /// The roots of one side that the window may have a candidate next to: i from … to ….
    #[inline(always)]
    fn range(&self, low: f64, high: f64) -> Option<(i64, i64)> {
        if high < 0.0 {
            return None;
        }
        let (low, inverse) = (low.max(0.0), self.density);
        let slack = 1.0 / 64.0 + self.tolerance * inverse;
        let of = |s: f64| s * s * inverse * (1.0 + power_of_two(-40));
        let first = (low * low * inverse * (1.0 - power_of_two(-40)) - self.phase - slack).ceil().max(0.0);
        let last = (of(high) - self.phase + slack).floor();
        (first <= last).then_some((first as i64, last as i64))
    }

    /// [`Window::search`], by this lemma.
    #[inline(always)]
    pub(super) fn search<R: Real>(&self, window: &Window, candidates: &mut Candidates<'_>) -> u64 {
        let mut count = 0;
        // roots just below the least value, which only the tolerance makes
        let mut below = 1;
        while (below as f64 - self.phase) * self.step <= self.tolerance * 2.0 {
            count += self.look(window, -below, candidates);
            below += 1;
        }
        let (right, left) = (self.range(self.low, self.high), self.range(-self.high, -self.low));
        count += match (right, left) {
            (Some((a, b)), Some((c, d))) => {
                self.chunks::<R, true, true>(window, (a.min(c), b.max(d)), candidates)
            }
            (Some(range), None) => self.chunks::<R, true, false>(window, range, candidates),
            (None, Some(range)) => self.chunks::<R, false, true>(window, range, candidates),
            (None, None) => 0,
        };
        count
    }

    #[inline(always)]
    fn chunks<R: Real, const RIGHT: bool, const LEFT: bool>(
        &self,
        window: &Window,
        (mut first, last): (i64, i64),
        candidates: &mut Candidates<'_>,
    ) -> u64 {
        let mut count = 0;
        while first <= last {
            let end = last.min(first + CHUNK - 1);
            count += self.chunk::<R, RIGHT, LEFT>(window, first, end, candidates);
            first = end + 1;
        }
        count
    }

    /// The roots from `first` to `last`.
    #[inline(always)]
    fn chunk<R: Real, const RIGHT: bool, const LEFT: bool>(
        &self,
        window: &Window,
        first: i64,
        last: i64,
        candidates: &mut Candidates<'_>,
    ) -> u64 {
        let farthest = ((self.phase + last as f64) * self.step).sqrt();
        let rounding = R::UNIT * 0.75 * (vectors(first, last) + 1) as f64 + self.rounding(farthest);
        let limit = Limit {
            constant: R::of((self.tolerance + rounding * farthest) * (1.0 + power_of_two(-20))),
            relative: R::of(4.0 * R::UNIT),
        };
        let roots = Sides::<R, RIGHT, LEFT> { roots: Roots::new(self, window, first), limit };
        sweep(roots, (first, last), |i| self.look(window, i, candidates))
    }

    /// What positions in doubles are off by, at the distance r from the vertex.
    #[inline(always)]
    fn rounding(&self, r: f64) -> f64 {
        power_of_two(-47) * (r + self.center.abs() + 1.0)
    }

    /// Looks at the arguments next to the roots of number i, in doubles first.
    #[inline(always)]
    fn look(&self, window: &Window, i: i64, candidates: &mut Candidates<'_>) -> u64 {
        let r = ((self.phase + i as f64).max(0.0) * self.step).sqrt();
        // below the least value z is 0 in place of −τ at the least: |S²| ≤ 2τ
        let tolerance = if i < 0 { 2.0 * self.tolerance } else { self.tolerance };
        let distance = (tolerance / r).min(tolerance.sqrt()) + self.rounding(r);
        let n = self.n + i;
        let root = |position| Root { n, position, distance };
        if r <= distance {
            // one neighborhood of both: no argument twice
            return window.look(Root { n, position: self.center, distance: distance + r }, candidates);
        }
        window.look(root(self.center + r), candidates) + window.look(root(self.center - r), candidates)
    }
}

/// The roots of a chunk, a vector at a time.
pub(super) struct Roots<R> {
    angles: Angles<R>,
    /// z of number 0, and B
    start: R,
    step: R,
}

impl<R: Real> Roots<R> {
    /// From the root of number `first` on.
    #[inline(always)]
    pub(super) fn new(about: &About, window: &Window, first: i64) -> Self {
        let (theta, turn) = window.angles::<R>(about.center, about.n + first);
        Self {
            angles: Angles::new(theta, turn, 0.0),
            start: R::of((about.phase + first as f64) * about.step),
            step: R::of(about.step),
        }
    }

    /// z and r.
    #[inline(always)]
    pub(super) fn radius(&self, lane: usize) -> (R, R) {
        let z = self.angles.index[lane] * self.step + self.start;
        (z, z.root())
    }

    /// d to the right of the vertex.
    #[inline(always)]
    pub(super) fn right(&self, lane: usize, r: R) -> R {
        (self.angles.theta[lane] + r).off_integers()
    }

    /// d to the left of it.
    #[inline(always)]
    pub(super) fn left(&self, lane: usize, r: R) -> R {
        (self.angles.theta[lane] - r).off_integers()
    }

    /// Goes on to the next vector.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.angles.advance();
    }
}

/// What d·r may be: a constant, and what grows with z.
struct Limit<R> {
    constant: R,
    relative: R,
}

/// Roots to the right of the vertex, to the left, or both.
struct Sides<R, const RIGHT: bool, const LEFT: bool> {
    roots: Roots<R>,
    limit: Limit<R>,
}

impl<R: Real, const RIGHT: bool, const LEFT: bool> Sweep for Sides<R, RIGHT, LEFT> {
    type Number = R;

    #[inline(always)]
    fn excess(&self, lane: usize) -> R {
        let Self { roots, limit: Limit { constant, relative } } = self;
        let (z, r) = roots.radius(lane);
        let limit = z * *relative + *constant;
        let right = roots.right(lane, r) * r - limit;
        let left = roots.left(lane, r) * r - limit;
        match (RIGHT, LEFT) {
            (true, true) => right.least(left),
            (true, false) => right,
            _ => left,
        }
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.roots.advance();
    }
}
