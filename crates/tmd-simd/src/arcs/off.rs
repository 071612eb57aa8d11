//! A window off the vertex of its parabola, on which y is monotone: Theorem A.3 of [`roots`].
//!
//! [`roots`]: super::roots

use tmd_core::{Candidates, difftable::power_of_two};

use super::real::{Angles, Real, Sweep, sweep, vectors};
use super::roots::{CHUNK, Root, Window};

/// What the lemma says of a window.
pub(super) struct Off {
    /// 1, or −1 where y falls
    pub(super) sign: f64,
    /// n0 and `n0 − v·b`
    pub(super) n: i64,
    pub(super) phase: f64,
    /// α and β
    pub(super) slope: f64,
    pub(super) quadratic: f64,
    /// 2·v·acc/m
    tolerance: f64,
    /// of n − n0
    pub(super) first: i64,
    pub(super) last: i64,
}

impl Off {
    /// Of a window whose argument next to the vertex is x = 0: the slope is least there.
    #[inline(always)]
    pub(super) fn new(window: &Window) -> Self {
        let Window { size, inverse, length, curvature, whole, part, acceptance, .. } = *window;
        let first = part.ceil();
        let phase = first - part;
        let (slope, quadratic) = (size * length.abs(), curvature * size * size * size);
        let sign = length.signum();
        let y = |x: i64| {
            let s = x as f64 * inverse * sign;
            (slope + quadratic * s) * s - phase
        };
        let (a, b) = (y(window.first), y(window.last));
        let slack = 1.0 / 64.0 + size * acceptance + power_of_two(-40) * (a.abs() + b.abs());
        Self {
            sign,
            n: whole + first as i64,
            phase,
            slope,
            quadratic,
            tolerance: 2.0 * size * acceptance / slope * (1.0 + power_of_two(-20)),
            first: (a.min(b) - slack).ceil() as i64,
            last: (a.max(b) + slack).floor() as i64,
        }
    }

    /// [`Window::search`], by this lemma.
    #[inline(always)]
    pub(super) fn search<R: Real>(&self, window: &Window, candidates: &mut Candidates<'_>) -> u64 {
        let (mut count, mut first) = (0, self.first);
        let farthest = (window.last - window.first + 1) as f64 * window.inverse;
        while first <= self.last {
            let end = self.last.min(first + CHUNK - 1);
            count += self.chunk::<R>(window, farthest, first, end, candidates);
            first = end + 1;
        }
        count
    }

    /// The roots from `first` to `last`.
    #[inline(always)]
    fn chunk<R: Real>(
        &self,
        window: &Window,
        farthest: f64,
        first: i64,
        last: i64,
        candidates: &mut Candidates<'_>,
    ) -> u64 {
        let rounding = R::UNIT * 0.75 * (vectors(first, last) + 1) as f64;
        let constant = self.tolerance
            + rounding
            + R::UNIT * (1.0 + 4.5 / self.slope)
            + power_of_two(-47) * (farthest + 1.0);
        let roots = Limited {
            roots: Roots::<R>::new(self, window, first),
            constant: R::of(constant * (1.0 + power_of_two(-20))),
            relative: R::of(9.0 * R::UNIT),
        };
        sweep(roots, (first, last), |i| self.look(window, i, candidates))
    }

    /// Looks at the arguments next to the root of number i, in doubles first.
    #[inline(always)]
    fn look(&self, window: &Window, i: i64, candidates: &mut Candidates<'_>) -> u64 {
        let zeta = self.phase + i as f64;
        let root = (self.slope * self.slope + 4.0 * self.quadratic * zeta).max(0.0).sqrt();
        let position = 2.0 * zeta / (self.slope + root);
        let rounding = power_of_two(-48) * (position.abs() + 1.0 + self.slope.recip());
        let distance = self.tolerance + rounding;
        window.look(Root { n: self.n + i, position: self.sign * position, distance }, candidates)
    }
}

/// The roots of a chunk, a vector at a time.
pub(super) struct Roots<R> {
    angles: Angles<R>,
    phase: R,
    /// α, α² and 4β
    slope: R,
    square: R,
    quadruple: R,
}

impl<R: Real> Roots<R> {
    /// From the root of number `first` on.
    #[inline(always)]
    pub(super) fn new(off: &Off, window: &Window, first: i64) -> Self {
        let (mut theta, turn) = window.angles::<R>(0.0, off.n + first);
        if off.sign < 0.0 {
            for angle in &mut theta {
                *angle = R::of(0.0) - *angle;
            }
        }
        let slope = R::of(off.slope);
        Self {
            angles: Angles::new(theta, R::of(off.sign) * turn, first as f64),
            phase: R::of(off.phase),
            slope,
            square: slope * slope,
            quadruple: R::of(4.0 * off.quadratic),
        }
    }

    /// s'
    #[inline(always)]
    pub(super) fn position(&self, lane: usize) -> R {
        let zeta = self.angles.index[lane] + self.phase;
        let root = (zeta * self.quadruple + self.square).root();
        R::of(2.0) * zeta / (self.slope + root)
    }

    /// d
    #[inline(always)]
    pub(super) fn distance(&self, lane: usize, position: R) -> R {
        (self.angles.theta[lane] + position).off_integers()
    }

    /// Goes on to the next vector.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.angles.advance();
    }
}

/// Roots, and what d may be: a constant, and what grows with s'.
struct Limited<R> {
    roots: Roots<R>,
    constant: R,
    relative: R,
}

impl<R: Real> Sweep for Limited<R> {
    type Number = R;

    #[inline(always)]
    fn excess(&self, lane: usize) -> R {
        let position = self.roots.position(lane);
        let limit = position.magnitude() * self.relative + self.constant;
        self.roots.distance(lane, position) - limit
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.roots.advance();
    }
}
