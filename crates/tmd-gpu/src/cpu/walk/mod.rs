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
//!
//! Debug builds assert what that asks of each step and each crossing: the
//! [`contract`](tmd_core::walk::contract).

use tmd_core::{
    contfrac::LatticeBasis,
    walk::{
        contract::{COUNT_LIMIT, MAX_ORDER, PairContract, Unit, Violation},
        units,
    },
};
use tmd_shaders::constants::walk::{BELOW, FAR, FEW, FRACTION_BITS};

pub use tmd_shaders::constants::walk::PASSES;

/// Slopes may move by less than this many times 1/M² per domain: see Theorem G.6.
pub const MOST_CROSSINGS: u32 = PASSES / 2;

/// Counts of arguments, below 2^26.
pub type Count = units::Count<u32>;

/// Lengths and fractions, in units of 2^-60.
pub type Length = units::Length<FRACTION_BITS>;

/// 1 in units of 2^-60.
pub const ONE: u64 = 1 << FRACTION_BITS;

const _: () = assert!(FRACTION_BITS == Unit::GPU.bits());

/// What all domains of a piece have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkConstants {
    /// Runs: one invocation each.
    pub runs: u32,
    /// Domains per run.
    pub steps: u32,
    /// N/2, at least 2^7 and at most 2^23
    pub half_domain: Count,
    /// M
    pub order: Count,
    /// h, rounded up
    pub half_width: Length,
    /// acc, rounded up
    pub acceptance: Length,
    /// how far `(N/2)²` is shifted left until its 64 bits are full
    pub square_shift: u32,
    /// flagged domains that there is room for
    pub capacity: u32,
    /// `⌊2^127/((N/2)²·2^square_shift)⌋`, or `2^64 − 1` if that is 2^64
    pub reciprocal: u64,
}

/// A flagged domain with the pair and the β that its invocation had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flagged {
    /// The invocation.
    pub run: u32,
    /// Number of the domain in its run.
    pub step: u32,
    /// The pair: count of the left neighbor,
    pub u: Count,
    /// of the right one,
    pub v: Count,
    /// length of the left one
    pub p: Length,
    /// and of the right one.
    pub q: Length,
    /// β
    pub beta: Length,
    /// κ of the run
    pub kappa: Length,
}

impl Flagged {
    /// Number of words.
    pub const WORDS: usize = 12;

    /// What these words say.
    pub const fn of_words(words: &[u32; Self::WORDS]) -> Self {
        let [run, step, u, v, p0, p1, q0, q1, beta0, beta1, kappa0, kappa1] = *words;
        Self {
            run,
            step,
            u: units::Count(u),
            v: units::Count(v),
            p: Length::of_words([p0, p1]),
            q: Length::of_words([q0, q1]),
            beta: Length::of_words([beta0, beta1]),
            kappa: Length::of_words([kappa0, kappa1]),
        }
    }

    /// The pair.
    pub const fn pair(&self) -> Pair {
        let Self { u, v, p, q, .. } = *self;
        Pair { u, v, p, q }
    }
}

impl WalkConstants {
    /// Number of words.
    pub const WORDS: usize = 12;

    /// The words of the kernel's `WalkConstants`.
    pub const fn to_words(&self) -> [u32; Self::WORDS] {
        let Self { runs, steps, half_domain, order, square_shift: shift, capacity, .. } = *self;
        let ([h0, h1], [a0, a1]) = (self.half_width.to_words(), self.acceptance.to_words());
        let (r0, r1) = (self.reciprocal as u32, (self.reciprocal >> 32) as u32);
        [runs, steps, half_domain.0, order.0, h0, h1, a0, a1, shift, capacity, r0, r1]
    }

    /// The constants for domains of `2·half_domain` arguments, with h (`half_width`) and acc.
    pub const fn new(half_domain: Count, order: Count, half_width: Length, acceptance: Length) -> Self {
        let half = half_domain.0 as u64;
        debug_assert!(half >= 1 << 7 && half <= 1 << 23 && order.0 as u64 <= MAX_ORDER);
        let square = half * half;
        let square_shift = square.leading_zeros();
        let reciprocal = (1u128 << 127) / ((square << square_shift) as u128);
        let reciprocal = if reciprocal >> 64 == 0 { reciprocal as u64 } else { u64::MAX };
        Self {
            runs: 0,
            steps: 0,
            half_domain,
            order,
            half_width,
            acceptance,
            square_shift,
            capacity: 0,
            reciprocal,
        }
    }

    /// What units of 2^-60 neglect, in those units, with a κ of up to `kappa` units.
    pub fn quantization(half_domain: Count, kappa: f64) -> f64 {
        f64::from(half_domain.0) + 5.0 + kappa * 2f64.powi(-30)
    }
}

/// A Farey pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// count of the left neighbor
    pub u: Count,
    /// count of the right neighbor
    pub v: Count,
    /// length of the left neighbor
    pub p: Length,
    /// length of the right neighbor
    pub q: Length,
}

/// The Farey pair of order `order` for a slope below 1.
pub fn start_pair(slope: Length, order: Count) -> Pair {
    let (order, slope) = (order.0, slope.magnitude());
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
    let length = |x: u64| Length::of_units(x as i64);
    Pair { u: units::Count(u), v: units::Count(v), p: length(p), q: length(q) }
}

impl Pair {
    /// The same as a basis of the lattice.
    pub fn basis(&self) -> LatticeBasis {
        let Self { u, v, p, q } = *self;
        let [p, q] = [p, q].map(|length| length.units().into());
        LatticeBasis { u: u.0.into(), p, v: v.0.into(), q, modulus: ONE.into() }
    }

    /// How it breaks the contract of a walk of this order, if it does.
    fn violation(&self, order: Count) -> Option<Violation> {
        PairContract::GPU.violation(order.0.into(), &self.basis())
    }
}

/// The curvature of a run's domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curvature {
    /// κ
    pub kappa: Length,
    /// what `x²`, shifted into 32 bits, is multiplied by
    factor: u64,
}

impl Curvature {
    /// The curvature of a run whose heights −R have this second difference: `−2cN² = −16κ`.
    pub const fn new(second_difference: units::Length<64>, constants: &WalkConstants) -> Self {
        // rounding may leave a curvature of 0 below it
        let curved = if second_difference.units() > 0 { 0 } else { second_difference.magnitude() };
        Self::of_kappa(Length::of_units((curved >> (4 + BELOW)) as i64), constants) // floor
    }

    /// The curvature with this κ.
    pub const fn of_kappa(kappa: Length, constants: &WalkConstants) -> Self {
        let factor = ((4 * kappa.magnitude()) as u128 * constants.reciprocal as u128) >> 64;
        Self { kappa, factor: factor as u64 }
    }

    /// `c·x²` for `|x| ≤ N/2`.
    pub const fn square(&self, x: i32, constants: &WalkConstants) -> Length {
        let magnitude = x.unsigned_abs() as u64;
        let square = ((magnitude * magnitude) << constants.square_shift) >> 32; // floor
        Length::of_units(((self.factor as u128 * square as u128) >> 32) as i64)
    }
}

/// The nearest point of a line.
enum Nearest {
    /// e is 2^14 lengths or more.
    Far,
    /// After so many steps, so far from β.
    At(i32, Length),
}

/// e divided by P, rounded to the nearest integer, and what is left: at least −|P|/2 and below it
/// in the direction of e.
fn nearest(e: Length, p: Length) -> Nearest {
    let (n, d) = (e.magnitude(), p.magnitude());
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
    let [e, p] = [e, p].map(Length::units);
    let steps = if (e < 0) == (p < 0) { i } else { -i };
    Nearest::At(steps as i32, Length::of_units(if e < 0 { -rest } else { rest }))
}

/// One run under way.
struct Run<'a> {
    constants: &'a WalkConstants,
    curvature: Curvature,
    pair: Pair,
    slope: Length,
}

impl Run<'_> {
    /// Moves the pair to the next slope and says whether the domain of this slope and β is to
    /// be enumerated.
    fn domain(&mut self, slope: Length, beta: Length) -> bool {
        let Self { constants, curvature, .. } = self;
        let WalkConstants { half_domain, order, .. } = **constants;
        let (half_width, acceptance) = (constants.half_width.magnitude(), constants.acceptance.magnitude());
        let Pair { mut u, mut v, mut p, mut q } = self.pair;

        let delta = slope.step_from(self.slope);
        debug_assert!(PairContract::GPU.allows_step(order.0.into(), delta.units()), "M·δ: {delta:?}");
        self.slope = slope;
        (p, q) = (p.plus(delta.times(u)), q.minus(delta.times(v)));
        debug_assert_eq!(Pair { u, v, p, q }.violation(order), None, "after {delta:?} from {:?}", self.pair);

        let (mut u_min, mut other, mut p_min, mut other_length);
        let (mut spread, mut stuck);
        let mut passes = 0;
        loop {
            if q.units() <= 0 {
                let k = (order.0 + u.0) / v.0;
                debug_assert!(u64::from(order.0 + u.0) < COUNT_LIMIT, "M + u: {order:?} {u:?}");
                (u, v, p, q) =
                    (v, units::Count(k * v.0 - u.0), q.negated(), p.plus(q.times(units::Count(k))));
                debug_assert_eq!(Pair { u, v, p, q }.violation(order), None, "crossing {passes}");
            }
            let is_left = p.magnitude() <= q.magnitude();
            (u_min, other) = if is_left { (u, v) } else { (v, u) };
            (p_min, other_length) = if is_left { (p, q) } else { (q, p) };
            // ρ = |P|·N/2 + U·h, where U·h < 1
            let share = half_width.wrapping_mul(u_min.0.into());
            debug_assert!(u128::from(half_width) * u128::from(u_min.0) < u128::from(ONE), "M·h < 1");
            let product = u128::from(p_min.magnitude()) * u128::from(half_domain.0);
            stuck = product >= u128::from(ONE - share);
            spread = (product as u64).wrapping_add(share);
            passes += 1;
            if !(stuck && q.units() <= 0) || passes == PASSES {
                break;
            }
        }
        self.pair = Pair { u, v, p, q };
        debug_assert!((0..ONE as i64).contains(&beta.units()), "β is a fraction: {beta:?}");

        let product = |count: Count| u128::from(beta.magnitude()) * u128::from(count.0);
        let (line, across) = (product(u_min), product(other));
        let (t, f) = ((line >> FRACTION_BITS) as u32, line as u64 & (ONE - 1));
        let s = (across >> FRACTION_BITS) as u32;
        let e = beta.minus(p_min.times(units::Count(s))).minus(other_length.times(units::Count(t)));
        let x = s.wrapping_mul(u_min.0).wrapping_sub(t.wrapping_mul(other.0)) as i32;

        debug_assert!(t < u_min.0 && s < other.0, "t = {t} and s = {s} from {:?}", self.pair);
        debug_assert!(stuck || x.unsigned_abs() < u.max(v).0, "Lemma G.3: {x} from {:?}", self.pair);

        let hit = |e: Length, x: i32| match nearest(e, p_min) {
            Nearest::Far => u_min.0 < FEW,
            Nearest::At(steps, rest) => {
                debug_assert!(steps.unsigned_abs() <= 1 << FAR, "Lemma G.4: {steps}");
                let x = i64::from(x) + i64::from(steps) * i64::from(u_min.0);
                x.unsigned_abs() <= half_domain.0.into() && {
                    let g = curvature.square(x as i32, constants).minus(curvature.kappa).minus(rest);
                    g.magnitude() <= acceptance
                }
            }
        };
        let is_dense = p_min.magnitude() <= 2 * half_width && f.min(ONE - f) <= spread;
        stuck || is_dense || hit(e, x) || hit(e.minus(other_length), x.wrapping_sub(other.0 as i32))
    }
}

/// One invocation: the domains of run `run` that are to be enumerated. For the tables' layout see
/// [`generate`](super::generate).
pub fn walk(constants: &WalkConstants, run: u32, tables: &[u32], mut flagged: impl FnMut(Flagged)) {
    let entry = |entry: usize| {
        let word = |limb: usize| tables[(2 * entry + limb) * constants.runs as usize + run as usize];
        units::Length::<64>::of_words([word(0), word(1)])
    };
    let [mut b0, mut b1, mut b2, b3, mut a0, mut a1, a2] = core::array::from_fn(entry);
    let curvature = Curvature::new(b2, constants);
    b0 = b0.minus(curvature.kappa.in_tables());
    let slope = a0.rounded_down();
    let mut state = Run { constants, curvature, pair: start_pair(slope, constants.order), slope };
    for step in 0..constants.steps {
        let beta = b0.rounded_down();
        if state.domain(a0.rounded_down(), beta) {
            let Pair { u, v, p, q } = state.pair;
            flagged(Flagged { run, step, u, v, p, q, beta, kappa: curvature.kappa });
        }
        (b0, b1, b2) = (b0.plus(b1), b1.plus(b2), b2.plus(b3));
        (a0, a1) = (a0.plus(a1), a1.plus(a2));
    }
}

#[cfg(test)]
mod tests;
