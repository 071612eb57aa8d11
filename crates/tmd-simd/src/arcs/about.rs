//! A window about the vertex of its parabola, or not far from it: Theorem A.2 of [`roots`].
//!
//! [`roots`]: super::roots

use tmd_core::{Candidates, difftable::power_of_two};

use super::real::{Real, Sweep, Turns, WIDTH, bits, nearest_integer, numbers, of_first, sweep, vectors};
use super::roots::{CHUNK, FAR, Root, Window};

/// What d is off by as a part of r, in units of ω (Lemma A.5).
pub(super) const RELATIVE: f64 = 2.6;

/// What the lemma says of a window.
#[derive(Clone, Copy)]
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
        let (low, density) = (low.max(0.0), self.density);
        let slack = 1.0 / 64.0 + self.tolerance * density;
        let first = (low * low * density * (1.0 - power_of_two(-40)) - self.phase - slack).ceil().max(0.0);
        let last = self.last(high);
        (first <= last).then_some((first as i64, last as i64))
    }

    /// Whether the tolerance makes a root of number −`below`, just below the least value.
    #[inline(always)]
    fn is_root(&self, below: i64) -> bool {
        (below as f64 - self.phase) * self.step <= self.tolerance * 2.0
    }

    #[inline(always)]
    fn farthest(&self) -> f64 {
        self.high.max(-self.low)
    }

    /// Whether the roots are swept in singles: so r is below 2^20, `r² ≤ 2^28 + 2^36/64 + 2^36`.
    #[inline(always)]
    pub(super) fn is_for_singles(&self) -> bool {
        self.farthest() <= FAR && self.density >= power_of_two(-36) && self.tolerance <= power_of_two(36)
    }

    /// All roots, if they are on both sides of the vertex, to be swept in singles, and few.
    #[inline(always)]
    pub(super) fn one_chunk(&self) -> Option<(i64, i64)> {
        let is_about = self.low <= 0.0 && self.high >= 0.0 && self.is_for_singles();
        let last = self.last(self.farthest()).max(0.0);
        let is_one = is_about && last < CHUNK as f64 && !self.is_root(1);
        is_one.then(|| (0, nearest_integer(last)))
    }

    /// The last root up to this distance from the vertex.
    #[inline(always)]
    fn last(&self, distance: f64) -> f64 {
        let slack = 1.0 / 64.0 + self.tolerance * self.density;
        (distance * distance * self.density * (1.0 + power_of_two(-40)) - self.phase + slack).floor()
    }

    /// [`Window::search`], by this lemma.
    #[inline(always)]
    pub(super) fn search<R: Real>(&self, window: &Window, candidates: &mut Candidates<'_>) -> u64 {
        let mut count = 0;
        let mut below = 1;
        while self.is_root(below) {
            count += self.look(window, -below, candidates);
            below += 1;
        }
        let Some((mut first, last)) = self.roots() else { return count };
        while first <= last {
            let end = last.min(first + CHUNK - 1);
            count += self.chunk::<R>(window, (first, end), candidates);
            first = end + 1;
        }
        count
    }

    /// The roots that the window may have a candidate next to, on one side at least: i from … to ….
    #[inline(always)]
    fn roots(&self) -> Option<(i64, i64)> {
        match (self.range(self.low, self.high), self.range(-self.high, -self.low)) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (right, left) => right.or(left),
        }
    }

    /// The roots from `first` to `last`.
    #[inline(always)]
    fn chunk<R: Real>(
        &self,
        window: &Window,
        (first, last): (i64, i64),
        candidates: &mut Candidates<'_>,
    ) -> u64 {
        let roots = Roots::<R>::new(self, window, (first, last));
        self.look_at(window, (first, last), sweep(roots, vectors(first, last)), candidates)
    }

    /// Looks at the arguments next to those of the roots from `first` to `last` whose vectors have
    /// a flag, in doubles first.
    #[inline(always)]
    pub(super) fn look_at(
        &self,
        window: &Window,
        (first, last): (i64, i64),
        flags: u64,
        candidates: &mut Candidates<'_>,
    ) -> u64 {
        let mut count = 0;
        for vector in bits(flags) {
            let first = first + vector * WIDTH as i64;
            let ends = (first, last.min(first + WIDTH as i64 - 1));
            let near = of_first(Roots::<f64>::new(self, window, ends)).map(|lane| first + lane);
            count += near.filter(|i| *i <= last).map(|i| self.look(window, i, candidates)).sum::<u64>();
        }
        count
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

/// The roots of a chunk, and what d·r may be.
#[derive(Clone, Copy)]
pub(super) struct Roots<R: Real> {
    turns: Turns<R>,
    anchor: R::Anchor,
    /// z of number 0, and B
    pub(super) start: f64,
    step: f64,
    /// what d·r may be at the end of the first vector, and what it grows by with each
    limit: R,
    growth: R,
}

impl<R: Real> Roots<R> {
    /// From the root of number `first` to that of number `last`.
    #[inline(always)]
    pub(super) fn new(about: &About, window: &Window, (first, last): (i64, i64)) -> Self {
        let farthest = ((about.phase + last as f64) * about.step).sqrt();
        let anchor = R::anchor(farthest * (1.0 + power_of_two(-20)));
        let start = (about.phase + first as f64) * about.step;
        let growth = R::UNIT * RELATIVE * about.step * WIDTH as f64;
        let rounding = R::rounding(anchor, vectors(first, last)) + about.rounding(farthest);
        let limit = about.tolerance + rounding * farthest + R::UNIT * RELATIVE * start + growth;
        let unit = R::WHOLE * (1.0 + power_of_two(-16));
        Self {
            turns: window.turns(about.center, about.n + first),
            anchor,
            start,
            step: about.step,
            limit: R::of(limit * unit),
            growth: R::of(growth * unit),
        }
    }

    /// d of the nearer side, in units of [`Real::WHOLE`], and r.
    #[inline(always)]
    pub(super) fn distance(&self, ahead: R, theta: R::Turn, start: R) -> (R, R) {
        let r = (ahead + start).root();
        (R::nearer(theta, r.turn(self.anchor)), r)
    }
}

impl<R: Real> Sweep for Roots<R> {
    type Number = R;
    /// z less that of lane 0, and θ
    type Lanes = ([R; WIDTH], [R::Turn; WIDTH]);

    #[inline(always)]
    fn lanes(&self) -> Self::Lanes {
        let step = R::of(self.step);
        (numbers().map(|lane| R::whole(lane) * step), self.turns.lanes())
    }

    #[inline(always)]
    fn excess(&self, (ahead, theta): &Self::Lanes) -> [R; WIDTH] {
        let start = R::of(self.start);
        core::array::from_fn(|lane| {
            let (d, r) = self.distance(ahead[lane], theta[lane], start);
            d * r - self.limit
        })
    }

    #[inline(always)]
    fn advance(&mut self, (_, theta): &mut Self::Lanes) {
        self.turns.advance(theta);
        self.start += self.step * WIDTH as f64;
        self.limit = self.limit + self.growth;
    }
}
