//! A window about the vertex of its parabola, or not far from it: Theorem A.2 of [`roots`].
//!
//! [`roots`]: super::roots

use tmd_core::{Candidates, difftable::power_of_two};

use super::given::Given;
use super::real::{
    Anchor, Real, Sweep, Turns, WIDTH, above, bits, limit, nearer, numbers, of_first, sweep, units, vector,
    vectors,
};
use super::roots::{CHUNK, FAR, Root, Window};

/// What d is off by as a part of r, in units of ω (Lemma A.5, Theorem A.9).
pub(super) const RELATIVE: f64 = 2.6;

/// What the lemma says of a window.
#[derive(Clone, Copy)]
pub(super) struct About {
    /// s0, in units of v
    pub(super) center: f64,
    /// the integer above y0 less ⌊v·b⌋, and how far above
    pub(super) ceiling: f64,
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
        let Window { given, inverse, flatness, vertex, acceptance } = *window;
        let Given { own, first, last, length, curvature, part, .. } = given;
        // y0 = v·b − P²/(4·c·v)
        let least = part + 0.5 * length * vertex;
        let ceiling = least.ceil();
        // what y0 is off by, as a part of acc
        let rounding = power_of_two(-50) * (1.0 + least.abs()) * inverse;
        let per_square = inverse * inverse * flatness;
        Self {
            center: vertex * inverse,
            ceiling,
            phase: ceiling - least,
            step: inverse * per_square,
            density: own * own * own * curvature,
            tolerance: (acceptance + rounding) * per_square * (1.0 + power_of_two(-20)),
            low: (first - vertex) * inverse,
            high: (last - vertex) * inverse,
        }
    }

    /// Whether n of a window's roots have 64 bits.
    #[inline(always)]
    pub(super) fn has_numbers(&self) -> bool {
        self.ceiling.abs() <= power_of_two(61)
    }

    /// n of the root of number i: n0 and i more.
    #[inline(always)]
    pub(super) fn n(&self, window: &Window, i: i64) -> i64 {
        window.given.whole as i64 + self.ceiling as i64 + i
    }

    /// The roots of one side that the window may have a candidate next to: i from … to … (Lemma
    /// A.12).
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
    fn is_root(&self, below: f64) -> bool {
        (below - self.phase) * self.step <= self.tolerance * 2.0
    }

    #[inline(always)]
    fn farthest(&self) -> f64 {
        self.high.max(-self.low)
    }

    /// Whether the roots are swept in singles: so r is below 2^20, `r² ≤ 2^28 + 2^36/64 + 2^36`.
    #[inline(always)]
    pub(super) fn is_for_singles(&self) -> bool {
        let is_steep = self.density >= power_of_two(-36);
        self.farthest() <= FAR && is_steep && self.tolerance <= power_of_two(36)
    }

    /// The last root, if all are on both sides of the vertex, to be swept in singles, and few, or
    /// −1: an expression without calls, for vectors.
    #[inline(always)]
    pub(super) fn last_of_one(&self) -> f64 {
        let is_about = self.low <= 0.0 && self.high >= 0.0 && self.ceiling.abs() <= power_of_two(48);
        let last = self.last(self.farthest()).max(0.0);
        let is_one = is_about && self.is_for_singles() && last < CHUNK as f64 && !self.is_root(1.0);
        if is_one { last } else { -1.0 }
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
        while self.is_root(below as f64) {
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
            for lane in bits(of_first(Roots::<f64>::new(self, window, ends))) {
                if first + lane <= last {
                    count += self.look(window, first + lane, candidates);
                }
            }
        }
        count
    }

    /// How far from a root a candidate may be, at the distance r from the vertex: min(τ/r, √τ).
    #[inline(always)]
    pub(super) fn reach(&self, r: f64) -> f64 {
        (self.tolerance / r).min(self.tolerance.sqrt())
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
        let n = self.n(window, i);
        let root = |position| Root { n, position, distance };
        if r <= distance {
            // one neighborhood of both: no argument twice
            return window.look(Root { n, position: self.center, distance: distance + r }, candidates);
        }
        window.look(root(self.center + r), candidates) + window.look(root(self.center - r), candidates)
    }
}

/// What the roots of a chunk begin with, but for turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// 2^e of the anchor
    pub(super) above: f64,
    /// z of number 0, and B
    pub(super) square: f64,
    pub(super) step: f64,
    /// above what d may be in the first vector, and in the others, in units of turns
    pub(super) limits: [f64; 2],
}

impl Start {
    /// From the root of number `first` to that of number `last`, so many vectors.
    #[inline(always)]
    pub(super) fn new<R: Real>(about: &About, first: f64, last: f64, vectors: f64) -> Self {
        let About { phase, step, .. } = *about;
        let farthest = ((phase + last) * step).sqrt();
        let above = above(farthest * (1.0 + power_of_two(-20)));
        let square = (phase + first) * step;
        let rounding = R::rounding(above, vectors) + R::UNIT * RELATIVE * farthest + about.rounding(farthest);
        // at z and beyond
        let limit = |z: f64| units(about.reach(z.sqrt()) + rounding);
        Self { above, square, step, limits: [limit(square), limit(square + step * WIDTH as f64)] }
    }
}

/// The roots of a chunk, and what d may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Roots<R: Real> {
    turns: Turns,
    anchor: Anchor<R>,
    /// z of number 0, and B
    square: f64,
    step: f64,
    limits: [i32; 2],
}

impl<R: Real> Roots<R> {
    /// From the root of number `first` to that of number `last`.
    #[inline(always)]
    pub(super) fn new(about: &About, window: &Window, (first, last): (i64, i64)) -> Self {
        let turns = window.turns(about.center, about.n(window, first));
        let start = Start::new::<R>(about, first as f64, last as f64, vectors(first, last) as f64);
        Self::at(turns, start)
    }

    #[inline(always)]
    pub(super) fn at(turns: Turns, Start { above, square, step, limits }: Start) -> Self {
        Self { turns, anchor: R::anchor(above), square, step, limits: limits.map(limit) }
    }

    /// r as a turn.
    #[inline(always)]
    fn turn(&self, ahead: R, square: R) -> i32 {
        (ahead + square).root().turn(self.anchor)
    }
}

impl<R: Real> Sweep for Roots<R> {
    /// z less that of lane 0, and θ
    type Lanes = ([R; WIDTH], [i32; WIDTH]);

    #[inline(always)]
    fn lanes(&self) -> Self::Lanes {
        let step = R::of(self.step);
        (numbers().map(|lane| R::whole(lane) * step), self.turns.lanes())
    }

    #[inline(always)]
    fn distances(&self, (ahead, theta): &Self::Lanes) -> [i32; WIDTH] {
        let square = R::of(self.square);
        let turns = vector(|lane| self.turn(ahead[lane], square));
        vector(|lane| nearer(theta[lane], turns[lane]))
    }

    #[inline(always)]
    fn limits(&self) -> [i32; 2] {
        self.limits
    }

    #[inline(always)]
    fn advance(&mut self, (_, theta): &mut Self::Lanes) {
        self.turns.advance(theta);
        self.square += self.step * WIDTH as f64;
    }
}
