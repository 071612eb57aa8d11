//! `walk/walk.wgsl`: the Farey walk, one run of domains per invocation, in integers.
//!
//! The walk is that of `tmd-simd` (docs/proofs/walk.md, Theorem W.25), whose lanes hold 52-bit
//! fractions in floats. Here all fractions are integers in units of 2^-60, two's complement in 64
//! bits, and every operation is exact but for the three marked *floor*; so a device and this twin
//! agree to the last bit.
//!
//! What it rests on is in docs/proofs/gpu.md, with the names of `tmd_contfrac::lattice`:
//!
//! * the two lines and their nearest points: Lemma G.3;
//! * what is flagged, and that no other domain holds a case: Lemma G.4, Theorem G.5;
//! * all lengths stay below 8: Theorem G.6;
//! * curvatures below 0, and what is rounded: Lemmas G.7 and G.8.

use tmd_core::{
    contfrac::LatticeBasis,
    walk::contract::{MAX_ORDER, PairContract, Unit},
};
use tmd_shaders::constants::walk::{BELOW, FAR, FEW, FRACTION_BITS};

pub use tmd_shaders::constants::walk::PASSES;

/// Slopes may move by less than this many times 1/M² per domain: see Theorem G.6.
pub const MOST_CROSSINGS: u32 = PASSES / 2;

/// 1 in units of 2^-60.
pub const ONE: u64 = 1 << FRACTION_BITS;

const _: () = assert!(FRACTION_BITS == Unit::GPU.bits());

/// What all domains of a piece have in common. Fractions are in units of 2^-60, as two words, the
/// lower first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkConstants {
    /// Runs: one invocation each.
    pub runs: u32,
    /// Domains per run.
    pub steps: u32,
    /// N/2, at least 2^7 and at most 2^23
    pub half_domain: u32,
    /// M
    pub order: u32,
    /// h, rounded up
    pub half_width: [u32; 2],
    /// acc, rounded up
    pub acceptance: [u32; 2],
    /// how far `(N/2)²` is shifted left until its 64 bits are full
    pub square_shift: u32,
    /// flagged domains that there is room for
    pub capacity: u32,
    /// `⌊2^127/((N/2)²·2^square_shift)⌋`, or `2^64 − 1` if that is 2^64
    pub reciprocal: [u32; 2],
}

/// A flagged domain with the pair and the β that its invocation had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flagged {
    /// The invocation.
    pub run: u32,
    /// Number of the domain in its run.
    pub step: u32,
    /// The pair's counts …
    pub u: u32,
    /// … and
    pub v: u32,
    /// its lengths,
    pub p: [u32; 2],
    /// two's complement.
    pub q: [u32; 2],
    /// β
    pub beta: [u32; 2],
    /// κ of the run
    pub kappa: [u32; 2],
}

impl Flagged {
    /// Number of words.
    pub const WORDS: usize = 12;

    /// The words of the kernel's `Flagged`.
    pub const fn to_words(&self) -> [u32; Self::WORDS] {
        let Self { run, step, u, v, p, q, beta, kappa } = *self;
        [run, step, u, v, p[0], p[1], q[0], q[1], beta[0], beta[1], kappa[0], kappa[1]]
    }

    /// What these words say.
    pub const fn of_words(words: &[u32; Self::WORDS]) -> Self {
        let [run, step, u, v, p0, p1, q0, q1, beta0, beta1, kappa0, kappa1] = *words;
        let (p, q, beta, kappa) = ([p0, p1], [q0, q1], [beta0, beta1], [kappa0, kappa1]);
        Self { run, step, u, v, p, q, beta, kappa }
    }
}

/// Both words of a number.
pub const fn words(x: u64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

/// The number of two words.
pub const fn number(words: [u32; 2]) -> u64 {
    words[0] as u64 | (words[1] as u64) << 32
}

impl WalkConstants {
    /// Number of words.
    pub const WORDS: usize = 12;

    /// The words of the kernel's `WalkConstants`.
    pub const fn to_words(&self) -> [u32; Self::WORDS] {
        let Self { half_width: [h0, h1], acceptance: [a0, a1], reciprocal: [r0, r1], .. } = *self;
        let (shift, capacity) = (self.square_shift, self.capacity);
        [self.runs, self.steps, self.half_domain, self.order, h0, h1, a0, a1, shift, capacity, r0, r1]
    }

    /// The constants for domains of `2·half_domain` arguments, with h and acc in units of 2^-60.
    pub const fn new(half_domain: u32, order: u32, half_width: u64, acceptance: u64) -> Self {
        debug_assert!(half_domain >= 1 << 7 && half_domain <= 1 << 23 && order as u64 <= MAX_ORDER);
        let square = half_domain as u64 * half_domain as u64;
        let square_shift = square.leading_zeros();
        let reciprocal = (1u128 << 127) / ((square << square_shift) as u128);
        let reciprocal = if reciprocal >> 64 == 0 { reciprocal as u64 } else { u64::MAX };
        Self {
            runs: 0,
            steps: 0,
            half_domain,
            order,
            half_width: words(half_width),
            acceptance: words(acceptance),
            square_shift,
            capacity: 0,
            reciprocal: words(reciprocal),
        }
    }

    /// What units of 2^-60 neglect, in those units, with a κ of up to `kappa` units.
    pub fn quantization(half_domain: u32, kappa: f64) -> f64 {
        f64::from(half_domain) + 5.0 + kappa * 2f64.powi(-30)
    }
}

/// A Farey pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// count of the left neighbor
    pub u: u32,
    /// count of the right neighbor
    pub v: u32,
    /// length of the left neighbor
    pub p: i64,
    /// length of the right neighbor
    pub q: i64,
}

/// The Farey pair of order `order` for a slope below 1.
pub fn start_pair(slope: u64, order: u32) -> Pair {
    let (mut u, mut v, mut p, mut q) = (1, 1, slope, ONE - slope);
    while u + v <= order {
        if p >= q {
            let k = (p / q).min(((order - u) / v).into());
            u += k as u32 * v;
            p -= k * q;
        } else {
            let most = u64::from((order - v) / u);
            let k = (q - 1).checked_div(p).map_or(most, |k| k.min(most));
            v += k as u32 * u;
            q -= k * p;
        }
    }
    Pair { u, v, p: p as i64, q: q as i64 }
}

impl Pair {
    /// The same as a basis of the lattice.
    pub fn basis(&self) -> LatticeBasis {
        let Self { u, v, p, q } = *self;
        LatticeBasis { u: u.into(), p: p.into(), v: v.into(), q: q.into(), modulus: ONE.into() }
    }
}

/// The curvature of a run's domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curvature {
    /// κ
    pub kappa: u64,
    /// what `x²`, shifted into 32 bits, is multiplied by
    factor: u64,
}

impl Curvature {
    /// The curvature of a run whose heights −R have this second difference: `−2cN² = −16κ`.
    pub const fn new(second_difference: u64, constants: &WalkConstants) -> Self {
        // rounding may leave a curvature of 0 below it
        let curved = if second_difference as i64 > 0 { 0 } else { second_difference.wrapping_neg() };
        Self::of_kappa(curved >> (4 + BELOW), constants) // floor
    }

    /// The curvature with this κ.
    pub const fn of_kappa(kappa: u64, constants: &WalkConstants) -> Self {
        let factor = ((4 * kappa) as u128 * number(constants.reciprocal) as u128) >> 64;
        Self { kappa, factor: factor as u64 }
    }

    /// `c·x²` for `|x| ≤ N/2`.
    pub const fn square(&self, x: i32, constants: &WalkConstants) -> u64 {
        let magnitude = x.unsigned_abs() as u64;
        let square = ((magnitude * magnitude) << constants.square_shift) >> 32; // floor
        ((self.factor as u128 * square as u128) >> 32) as u64
    }
}

/// The nearest point of a line.
enum Nearest {
    /// e is 2^14 lengths or more.
    Far,
    /// After so many steps, so far from β.
    At(i32, i64),
}

/// e divided by P, rounded to the nearest integer, and what is left: at least −|P|/2 and below it
/// in the direction of e.
fn nearest(e: i64, p: i64) -> Nearest {
    let (n, d) = (e.unsigned_abs(), p.unsigned_abs());
    if (n >> FAR) >= d {
        return Nearest::Far;
    }
    // the device estimates the quotient by floats and corrects it: the result is the same
    let mut i = (n / d) as i64;
    let mut rest = (n % d) as i64;
    if 2 * rest >= d as i64 {
        i += 1;
        rest -= d as i64;
    }
    let steps = if (e < 0) == (p < 0) { i } else { -i };
    Nearest::At(steps as i32, if e < 0 { -rest } else { rest })
}

/// One run under way.
struct Run<'a> {
    constants: &'a WalkConstants,
    curvature: Curvature,
    pair: Pair,
    slope: u64,
}

impl Run<'_> {
    /// Moves the pair to the next slope and says whether the domain of this slope and β is to
    /// be enumerated.
    fn domain(&mut self, slope: u64, beta: u64) -> bool {
        let Self { constants, curvature, .. } = self;
        let WalkConstants { half_domain, order, .. } = **constants;
        let (half_width, acceptance) = (number(constants.half_width), number(constants.acceptance));
        let Pair { mut u, mut v, mut p, mut q } = self.pair;

        let delta = ((slope.wrapping_sub(self.slope) << BELOW) as i64 >> BELOW) as u64;
        self.slope = slope;
        p = (p as u64).wrapping_add(delta.wrapping_mul(u.into())) as i64;
        q = (q as u64).wrapping_sub(delta.wrapping_mul(v.into())) as i64;

        let (mut u_min, mut other, mut p_min, mut other_length);
        let (mut spread, mut stuck);
        let mut passes = 0;
        loop {
            if q <= 0 {
                let k = (order + u) / v;
                let next = (p as u64).wrapping_add((q as u64).wrapping_mul(k.into())) as i64;
                (u, v, p, q) = (v, k * v - u, -q, next);
            }
            let is_left = p.unsigned_abs() <= q.unsigned_abs();
            (u_min, other) = if is_left { (u, v) } else { (v, u) };
            (p_min, other_length) = if is_left { (p, q) } else { (q, p) };
            // ρ = |P|·N/2 + U·h, where U·h < 1
            let share = half_width.wrapping_mul(u_min.into());
            debug_assert!(u128::from(half_width) * u128::from(u_min) < u128::from(ONE), "M·h < 1");
            let product = u128::from(p_min.unsigned_abs()) * u128::from(half_domain);
            stuck = product >= u128::from(ONE - share);
            spread = (product as u64).wrapping_add(share);
            passes += 1;
            if !(stuck && q <= 0) || passes == PASSES {
                break;
            }
        }
        self.pair = Pair { u, v, p, q };
        debug_assert_eq!(
            PairContract::GPU.violation(order.into(), &self.pair.basis()),
            None,
            "{:?}",
            self.pair
        );
        debug_assert!(beta < ONE, "β is a fraction: {beta}");

        let line = u128::from(beta) * u128::from(u_min);
        let (t, f) = ((line >> FRACTION_BITS) as u32, line as u64 & (ONE - 1));
        let s = ((u128::from(beta) * u128::from(other)) >> FRACTION_BITS) as u32;
        let e = beta
            .wrapping_sub((p_min as u64).wrapping_mul(s.into()))
            .wrapping_sub((other_length as u64).wrapping_mul(t.into())) as i64;
        let x = s.wrapping_mul(u_min).wrapping_sub(t.wrapping_mul(other)) as i32;

        debug_assert!(stuck || x.unsigned_abs() < u.max(v), "Lemma G.3: {x} from {:?}", self.pair);

        let hit = |e: i64, x: i32| match nearest(e, p_min) {
            Nearest::Far => u_min < FEW,
            Nearest::At(steps, rest) => {
                let x = i64::from(x) + i64::from(steps) * i64::from(u_min);
                x.unsigned_abs() <= half_domain.into() && {
                    let g = (curvature.square(x as i32, constants) as i64)
                        .wrapping_sub(curvature.kappa as i64)
                        .wrapping_sub(rest);
                    g.unsigned_abs() <= acceptance
                }
            }
        };
        let is_dense = p_min.unsigned_abs() <= 2 * half_width && f.min(ONE - f) <= spread;
        stuck || is_dense || hit(e, x) || hit(e.wrapping_sub(other_length), x.wrapping_sub(other as i32))
    }
}

/// One invocation: the domains of run `run` that are to be enumerated. For the tables' layout see
/// [`generate`](super::generate).
pub fn walk(constants: &WalkConstants, run: u32, tables: &[u32], mut flagged: impl FnMut(Flagged)) {
    let entry = |entry: usize| {
        let word = |limb: usize| tables[(2 * entry + limb) * constants.runs as usize + run as usize];
        number([word(0), word(1)])
    };
    let [mut b0, mut b1, mut b2, b3, mut a0, mut a1, a2] = core::array::from_fn(entry);
    let curvature = Curvature::new(b2, constants);
    b0 = b0.wrapping_sub(curvature.kappa << BELOW);
    let slope = a0 >> BELOW;
    let mut state = Run { constants, curvature, pair: start_pair(slope, constants.order), slope };
    for step in 0..constants.steps {
        let beta = b0 >> BELOW;
        if state.domain(a0 >> BELOW, beta) {
            let Pair { u, v, p, q } = state.pair;
            let (p, q) = (words(p as u64), words(q as u64));
            flagged(Flagged { run, step, u, v, p, q, beta: words(beta), kappa: words(curvature.kappa) });
        }
        b0 = b0.wrapping_add(b1);
        b1 = b1.wrapping_add(b2);
        b2 = b2.wrapping_add(b3);
        a0 = a0.wrapping_add(a1);
        a1 = a1.wrapping_add(a2);
    }
}

#[cfg(test)]
mod tests;
