//! A window off the vertex of its parabola, on which y is monotone: Theorem A.3 of [`roots`].
//!
//! [`roots`]: super::roots

use tmd_core::{Candidates, difftable::power_of_two};

use super::given::Given;
use super::real::{
    Anchor, Real, Sweep, Turns, WIDTH, above, bits, limit, nearer, of_first, sweep, units, vector, vectors,
};
use super::roots::{CHUNK, Root, Window};

/// What the lemma says of a window.
pub(super) struct Off {
    /// 1, or −1 where y falls
    sign: f64,
    /// n0 and `n0 − v·b`
    n: i64,
    phase: f64,
    /// α and β
    slope: f64,
    quadratic: f64,
    /// 2·v·acc/m
    tolerance: f64,
    /// of n − n0
    first: i64,
    last: i64,
}

impl Off {
    /// Of a window whose argument next to the vertex is x = 0: the slope is least there.
    #[inline(always)]
    pub(super) fn new(window: &Window) -> Self {
        let Window { given, inverse, acceptance, .. } = *window;
        let Given { own, length, curvature, whole, part, .. } = given;
        let first = part.ceil();
        let phase = first - part;
        let (slope, quadratic) = (own * length.abs(), curvature * own * own * own);
        let sign = length.signum();
        let y = |x: f64| {
            let s = x * inverse * sign;
            (slope + quadratic * s) * s - phase
        };
        let (a, b) = (y(given.first), y(given.last));
        // Lemma A.12
        let slack = 1.0 / 64.0 + own * acceptance + power_of_two(-40) * (a.abs() + b.abs());
        Self {
            sign,
            n: whole as i64 + first as i64,
            phase,
            slope,
            quadratic,
            tolerance: 2.0 * own * acceptance / slope * (1.0 + power_of_two(-20)),
            first: (a.min(b) - slack).ceil() as i64,
            last: (a.max(b) + slack).floor() as i64,
        }
    }

    /// [`Window::search`], by this lemma.
    #[inline(always)]
    pub(super) fn search(&self, window: &Window, candidates: &mut Candidates<'_>) -> u64 {
        let (mut count, mut first) = (0, self.first);
        let farthest = window.given.arguments() as f64 * window.inverse;
        while first <= self.last {
            let end = self.last.min(first + CHUNK - 1);
            count += self.chunk(window, farthest, (first, end), candidates);
            first = end + 1;
        }
        count
    }

    /// The roots from `first` to `last`.
    #[inline(always)]
    fn chunk(
        &self,
        window: &Window,
        farthest: f64,
        (first, last): (i64, i64),
        candidates: &mut Candidates<'_>,
    ) -> u64 {
        let roots = Roots::new(self, window, farthest, (first, last));
        let mut count = 0;
        for vector in bits(sweep(roots, vectors(first, last))) {
            let first = first + vector * WIDTH as i64;
            let ends = (first, last.min(first + WIDTH as i64 - 1));
            for lane in bits(of_first(Roots::new(self, window, farthest, ends))) {
                if first + lane <= last {
                    count += self.look(window, first + lane, candidates);
                }
            }
        }
        count
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
#[derive(Clone, Copy)]
pub(super) struct Roots {
    turns: Turns,
    anchor: Anchor<f64>,
    /// of the first root of a vector
    index: f64,
    phase: f64,
    /// α, α² and 4β
    slope: f64,
    square: f64,
    quadruple: f64,
    limit: i32,
}

impl Roots {
    /// From the root of number `first` to that of number `last`, of a window up to `farthest`.
    #[inline(always)]
    pub(super) fn new(off: &Off, window: &Window, farthest: f64, (first, last): (i64, i64)) -> Self {
        // farther roots have any turn: no argument of the window is near one
        let above = above(2.0 * farthest);
        // 7.5·ω·|s'| of Theorem A.10 is in what positions in doubles are off by
        let limit = off.tolerance
            + f64::rounding(above, vectors(first, last) as f64)
            + f64::UNIT * (1.0 + 4.5 / off.slope)
            + power_of_two(-47) * (farthest + 1.0);
        Self {
            turns: window.turns(0.0, off.n + first),
            anchor: f64::anchor(above),
            index: first as f64,
            phase: off.phase,
            slope: off.slope,
            square: off.slope * off.slope,
            quadruple: 4.0 * off.quadratic,
            limit: self::limit(units(limit)),
        }
    }

    /// d, or less, of the root of this number, in units of turns.
    #[inline(always)]
    fn distance(&self, theta: i32, index: f64) -> i32 {
        let zeta = index + self.phase;
        let root = (zeta * self.quadruple + self.square).sqrt();
        // s'
        let position = 2.0 * zeta / (self.slope + root);
        nearer(theta, position.turn(self.anchor))
    }
}

impl Sweep for Roots {
    /// θ
    type Lanes = [i32; WIDTH];

    #[inline(always)]
    fn lanes(&self) -> Self::Lanes {
        self.turns.lanes()
    }

    #[inline(always)]
    fn distances(&self, theta: &Self::Lanes) -> [i32; WIDTH] {
        vector(|lane| self.distance(theta[lane], lane as f64 + self.index))
    }

    #[inline(always)]
    fn limits(&self) -> [i32; 2] {
        [self.limit; 2]
    }

    #[inline(always)]
    fn advance(&mut self, theta: &mut Self::Lanes) {
        self.turns.advance(theta);
        self.index += WIDTH as f64;
    }
}
