//! Boxes that a fixed number of tries does not decide: gathered, and looked at so many at a time as
//! there are lanes.

use tmd_core::lattice3::TOLERANCE;

use super::{kernel::Boxes, strand::MOST_RUN};
use crate::lanes::{Lanes, MAX_SINGLES, Singles};

/// Boxes gathered before they are looked at.
const FULL: usize = 512;

/// A step adds a vector for each target at most.
const CAPACITY: usize = FULL + MAX_SINGLES * (tmd_core::lattice3::MAX_SPANS + 1);

/// Numbers of a box that points are looked at by: z, τ, ν, and how many more integers there are of
/// each.
const POINTS: usize = 12;

/// And those that tell which it is: window, target and lane.
const FIELDS: usize = POINTS + 3;

/// T of all lanes, as singles, which may be too few bits for it.
pub(super) type History = [[Singles; 3]; 3];

/// Longest ranges that are looked at here.
const LONGEST: [f32; 3] = [7.0, 7.0, 31.0];

/// A window that needs a look of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) step: u32,
    pub(super) target: u32,
    pub(super) lane: u32,
}

/// What lanes say of a target.
#[derive(Clone, Copy)]
pub(super) struct Item<L: Lanes> {
    pub(super) step: u32,
    pub(super) target: usize,
    /// lanes that were not decided
    pub(super) flagged: L::N,
    pub(super) z: [L::S; 3],
    pub(super) more: [L::S; 3],
}

/// Points in lines of four.
pub(super) struct Lines<L: Lanes> {
    /// −4τ
    tau: L::S,
    /// 2τ² − ν
    first: L::S,
    /// 4τ²
    curvature: L::S,
}

impl<L: Lanes> Lines<L> {
    /// Points of a line are `(−tau, −nu)` apart.
    #[inline(always)]
    pub(super) fn new(l: L, tau: L::S, nu: L::S) -> Self {
        let twice = l.add_s(tau, tau);
        let curvature = l.mul_s(twice, twice);
        let first = l.fms_s(l.splat_s(0.5), curvature, nu);
        Self { tau: l.add_s(twice, twice), first, curvature }
    }

    /// The least |ν − 1 + 2τ²| of four points; v is ν − 1.
    #[inline(always)]
    pub(super) fn nearest(&self, l: L, y: L::S, v: L::S) -> L::S {
        let q0 = l.fma_s(l.add_s(y, y), y, v);
        // q(y − τ, v − ν) − q = −ν − 4·y·τ + 2·τ²; second differences are 4·τ²
        let by = l.fnma_s(self.tau, y, self.first);
        let q1 = l.add_s(q0, by);
        let by = l.add_s(by, self.curvature);
        let q2 = l.add_s(q1, by);
        let q3 = l.add_s(q2, l.add_s(by, self.curvature));
        l.min_s(l.min_abs_s(q0, q1), l.min_abs_s(q2, q3))
    }
}

/// Boxes to look at, and those where that did not help.
pub(super) struct Queue {
    fields: Box<[[f32; CAPACITY]; FIELDS]>,
    length: usize,
    pub(super) hits: Vec<Hit>,
    /// of the windows where a box was gathered
    pub(super) history: Vec<History>,
    /// boxes gathered
    pub(super) gathered: u64,
}

impl Queue {
    #[expect(clippy::large_stack_arrays, reason = "once per walk, 40 kB")]
    pub(super) fn new() -> Self {
        Self {
            fields: Box::new([[0.0; CAPACITY]; FIELDS]),
            length: 0,
            hits: Vec::new(),
            history: vec![[[[0.0; MAX_SINGLES]; 3]; 3]; MOST_RUN as usize],
            gathered: 0,
        }
    }

    /// Adds the boxes of the lanes that were not decided, and all T.
    #[inline(always)]
    pub(super) fn put<L: Lanes>(&mut self, l: L, item: &Item<L>, boxes: &Boxes<L>, t: &[[[L::F; 3]; 3]; 2]) {
        let Item { step, target, flagged: mask, z, more } = item;
        let flags = l.bits_s(*mask);
        if flags == 0 {
            return;
        }
        let Boxes { tau, nu, is_tame, .. } = boxes;
        // what is not tame has more integers than are looked at here
        let last = l.select_s(*is_tame, more[2], l.splat_s(f32::INFINITY));
        if let Some(rows) = self.history.get_mut(*step as usize) {
            for i in 0..3 {
                for c in 0..3 {
                    l.store_s(l.narrow(t[0][i][c], t[1][i][c]), &mut rows[i][c]);
                }
            }
        }
        let (step, target) = (l.splat_s(*step as f32), l.splat_s(*target as f32));
        let place = l.load_s(&NUMBERS);
        let fields = [
            z[0], z[1], z[2], tau[0], tau[1], tau[2], nu[0], nu[1], nu[2], more[0], more[1], last, step,
            target, place,
        ];
        let from = self.length;
        for n in 0..FIELDS {
            if let Some(row) = self.fields[n][from..].first_chunk_mut() {
                l.compress_s(*mask, fields[n], row);
            }
        }
        self.length += flags.count_ones() as usize;
    }

    /// Whether there is room for no further step.
    #[inline(always)]
    pub(super) const fn is_full(&self) -> bool {
        self.length > FULL
    }

    /// Looks at all boxes.
    #[inline(always)]
    pub(super) fn drain<L: Lanes>(&mut self, l: L) {
        let mut from = 0;
        while from < self.length {
            let count = (self.length - from).min(2 * L::WIDTH);
            let mut flags = self.look(l, from) & ((1u32 << count) - 1);
            while flags != 0 {
                let at = from + flags.trailing_zeros() as usize;
                let field = |n: usize| self.fields[POINTS + n][at];
                let [step, target, lane] = [0, 1, 2].map(|n| field(n) as u32);
                self.hits.push(Hit { step, target, lane });
                flags &= flags - 1;
            }
            from += count;
        }
        self.gathered += self.length as u64;
        self.length = 0;
    }

    /// The boxes of a vector that may hold a point of a case: all points are looked at.
    #[inline(always)]
    fn look<L: Lanes>(&self, l: L, from: usize) -> u32 {
        let mut all = [l.splat_s(0.0); POINTS];
        for n in 0..POINTS {
            if let Some(row) = self.fields[n][from..].first_chunk() {
                all[n] = l.load_s(row);
            }
        }
        let [z0, z1, z2, tau0, tau1, tau2, nu0, nu1, nu2, more0, more1, more2] = all;
        let (zero, one) = (l.splat_s(0.0), l.splat_s(1.0));
        let mut fits = l.le_s(more0, l.splat_s(LONGEST[0]));
        fits = l.both_s(fits, l.le_s(more1, l.splat_s(LONGEST[1])));
        fits = l.both_s(fits, l.le_s(more2, l.splat_s(LONGEST[2])));
        // the most of those that fit; those that do not have NaN, or too many
        let [a_end, b_end, c_end] =
            [more0, more1, more2].map(|more| largest(l, l.select_s(fits, more, zero)));
        let y = l.fma_s(z2, tau2, l.fma_s(z1, tau1, l.mul_s(z0, tau0)));
        let v = l.fma_s(z2, nu2, l.fma_s(z1, nu1, l.fms_s(z0, nu0, one)));
        let lines = Lines::new(l, tau2, nu2);
        let mut best = one;
        for a in 0..=a_end {
            let a = l.splat_s(a as f32);
            let (y, v) = (l.fnma_s(a, tau0, y), l.fnma_s(a, nu0, v));
            for b in 0..=b_end {
                let b = l.splat_s(b as f32);
                let (y, v) = (l.fnma_s(b, tau1, y), l.fnma_s(b, nu1, v));
                for c in 0..=c_end / 4 {
                    let c = l.splat_s((4 * c) as f32);
                    best = l.min_s(best, lines.nearest(l, l.fnma_s(c, tau2, y), l.fnma_s(c, nu2, v)));
                }
            }
        }
        l.bits_s(l.not_s(l.both_s(fits, l.le_s(l.splat_s(TOLERANCE), best))))
    }
}

/// The largest of numbers of at most 31, as an integer; 0 if there is none.
#[inline(always)]
fn largest<L: Lanes>(l: L, x: L::S) -> u32 {
    let mut all = [0.0; MAX_SINGLES];
    l.store_s(x, &mut all);
    let mut rest = MAX_SINGLES;
    while rest > 1 {
        rest /= 2;
        for n in 0..rest {
            all[n] = if all[n] < all[n + rest] { all[n + rest] } else { all[n] };
        }
    }
    all[0] as u32
}

/// The numbers of lanes.
const NUMBERS: Singles = {
    let mut numbers = [0.0; MAX_SINGLES];
    let mut lane = 0;
    while lane < MAX_SINGLES {
        numbers[lane] = lane as f32;
        lane += 1;
    }
    numbers
};
