//! `farey.wgsl`: the Farey walk, one run of domains per invocation, in integers.
//!
//! The walk is that of `tmd-simd` (docs/algorithms.md, "The Farey walk"), whose lanes hold 52-bit fractions in floats. Here
//! all fractions are integers in units of 2^-60, two's complement in 64 bits, and every operation is exact but for the
//! three marked *floor*; so a device and this twin agree to the last bit.
//!
//! With the names of `tmd_contfrac::lattice`: `(u, p)` and `(−v, q)` are points of the lattice `Λ_a`, `u·q + v·p = 1`.
//! `(U, P)` is the vector with the smaller length, `(V, Q)` the other, `ρ = |P|·N/2 + U·h`. A case needs a lattice point
//! `(x, y) = (s·U − t·V, s·P + t·Q)` with `|x| ≤ N/2` and `|y − β| ≤ h`.
//!
//! # Lines and points
//!
//! `t = U·y − P·x` lies within ρ of `U·β`: if `ρ < 1`, it is `t₀ = ⌊U·β⌋` or the next integer. Likewise
//! `s = V·y + Q·x`; let `s₀ = ⌊V·β⌋`. With the fractions f of `U·β` and g of `V·β`, the point `(s₀, t₀)` lies
//! `e = β − s₀·P − t₀·Q = P·g + Q·f` below β (as `β = β·(U·Q + V·P)`) and at `x₀ = s₀·U − t₀·V = V·f − U·g`: both are small, so
//! `|e| < |P| + |Q|` and `|x₀| < max(U, V)`. On a line the nearest point to β is `i` steps of P further, i being e/P rounded
//! to an integer: mostly a small one.
//!
//! # What is flagged
//!
//! A domain is looked at again, exactly, by the host if
//!
//! * a nearest point has `|x| ≤ N/2` and its parabola is within acc of it, `|c·x² − κ − (β − y)| ≤ acc`; or
//! * `|P| ≤ 2h`, so that a line may hold several points (*dense*), and a line is near, `min(f, 1 − f) ≤ ρ`; or
//! * `ρ < 1` does not hold (*stuck*); or
//! * `|e| ≥ 2^14·|P|` on a line with `U < 2^14` (*far*). With `U ≥ 2^14` such a point has
//!   `|x| ≥ 2^28 − |x₀| − V > 2^28 − 2^26 > N/2`.
//!
//! As in the lanes, nothing is taken on trust but `u·q + v·p = 1` and that both are lattice points, which steps and crossings
//! preserve whatever the quotient k.
//!
//! # Ranges
//!
//! With `2^8 ≤ N ≤ 2^24`, `M < 1.1·N`, `M·h < 1` and slopes that grow by δ per domain, `δ < 1/(8M)` and `δ < 32/M²`, all lengths
//! stay below 8 = 2^63 units. *After a step*: either `q > 0`, and from `u·q + v·p = 1` both lengths are in [0, 1]; or the pair lags behind
//! (`q ≤ 0`) but is not stuck: then `|P| < 2/N`. If P = q, `p = (1 + u·|q|)/v ≤ 1 + 2M/N < 3.2`. If P = p,
//! `v > N/2` and `u·|q| = v·p − 1 ≤ 2M/N − 1`, so `|q| ≤ 1.2`. *A step* adds at most `M·δ < 1/8`. *A crossing*: `|q| = v·Λ`, Λ being
//! how far the slope is beyond the right neighbor, and `k·|q| ≤ (M + u)·Λ ≤ 2M·Λ`. Λ ≤ 2.2/N + δ by the above, and
//! is smaller for every later neighbor: `2M·Λ < 5.1`, `p' = −q ≤ M·Λ < 2.6`, `q' = p + k·q` between −5.1 and 3.4. Stuck with
//! `q > 0` is the first case. Stuck after [`PASSES`] crossings with `q ≤ 0` the pair may lag by more than 2.2/N, but by no more than
//! before the step: neighbors are at least 1/M² apart, so that the crossings made up for 63/M², more than δ. ∎
//!
//! # Errors
//!
//! Slope *floor*: less than a unit, times N/2. Height *floor*: a unit. κ *floor*: less than a unit, and `|c·x² − κ| ≤ κ`
//! when both come from it: a unit. `c·x² = 2κ·x²/(N/2)²` is too small by less than `2^-30·κ` (x² to 32 bits) and three
//! units. Together [`FareyConstants::quantization`].

/// Crossings in one step after which a pair counts as stuck.
pub const PASSES: u32 = 64;

/// Slopes may grow by less than this many times 1/M² per domain: see "Ranges".
pub const MOST_CROSSINGS: u32 = PASSES / 2;

/// 1 in units of 2^-60.
pub const ONE: u64 = 1 << 60;

/// Bits below a unit in the tables' fractions.
const BELOW: u32 = 4;

/// Points this many steps away are not looked for on their line.
const FAR: u32 = 14;

/// Counts up to this with a far point are looked at exactly.
const FEW: u32 = 1 << 14;

/// What all domains of a piece have in common. Fractions are in units of 2^-60, as two words, the lower first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FareyConstants {
    /// Runs: one invocation each.
    pub runs: u32,
    /// Domains per run.
    pub steps: u32,
    /// N/2, at least 2^7 and at most 2^23
    pub reach: u32,
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

/// A flagged domain with the pair and the height that its invocation had.
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
    pub height: [u32; 2],
    /// κ of the run
    pub kappa: [u32; 2],
}

impl Flagged {
    /// Number of words.
    pub const WORDS: usize = 12;

    /// The words of the kernel's `Flagged`.
    pub const fn to_words(&self) -> [u32; Self::WORDS] {
        let Self { run, step, u, v, p, q, height, kappa } = *self;
        [run, step, u, v, p[0], p[1], q[0], q[1], height[0], height[1], kappa[0], kappa[1]]
    }

    /// What these words say.
    pub const fn of_words(words: &[u32; Self::WORDS]) -> Self {
        let [run, step, u, v, p0, p1, q0, q1, height0, height1, kappa0, kappa1] = *words;
        let (p, q, height, kappa) = ([p0, p1], [q0, q1], [height0, height1], [kappa0, kappa1]);
        Self { run, step, u, v, p, q, height, kappa }
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

impl FareyConstants {
    /// Number of words.
    pub const WORDS: usize = 12;

    /// The words of the kernel's `FareyConstants`.
    pub const fn to_words(&self) -> [u32; Self::WORDS] {
        let Self { half_width: [h0, h1], acceptance: [a0, a1], reciprocal: [r0, r1], .. } = *self;
        let (shift, capacity) = (self.square_shift, self.capacity);
        [self.runs, self.steps, self.reach, self.order, h0, h1, a0, a1, shift, capacity, r0, r1]
    }

    /// The constants for domains of `2·reach` arguments, with h and acc in units of 2^-60.
    pub const fn new(reach: u32, order: u32, half_width: u64, acceptance: u64) -> Self {
        let square = reach as u64 * reach as u64;
        let square_shift = square.leading_zeros();
        let reciprocal = (1u128 << 127) / ((square << square_shift) as u128);
        let reciprocal = if reciprocal >> 64 == 0 { reciprocal as u64 } else { u64::MAX };
        Self {
            runs: 0,
            steps: 0,
            reach,
            order,
            half_width: words(half_width),
            acceptance: words(acceptance),
            square_shift,
            capacity: 0,
            reciprocal: words(reciprocal),
        }
    }

    /// What units of 2^-60 neglect, in those units, with a κ of up to `kappa` units.
    pub fn quantization(reach: u32, kappa: f64) -> f64 {
        f64::from(reach) + 5.0 + kappa * 2f64.powi(-30)
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

/// How a curvature bends a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bend {
    /// κ
    pub kappa: u64,
    /// what `x²`, shifted into 32 bits, is multiplied by
    factor: u64,
}

impl Bend {
    /// The bend of a run whose heights −R have this second difference: `−2cN² = −16κ`.
    pub const fn new(second_difference: u64, constants: &FareyConstants) -> Self {
        // rounding may leave a curvature of 0 below it
        let bent = if second_difference as i64 > 0 { 0 } else { second_difference.wrapping_neg() };
        Self::of_kappa(bent >> (4 + BELOW), constants) // floor
    }

    /// The bend with this κ.
    pub const fn of_kappa(kappa: u64, constants: &FareyConstants) -> Self {
        let factor = ((4 * kappa) as u128 * number(constants.reciprocal) as u128) >> 64;
        Self { kappa, factor: factor as u64 }
    }

    /// `c·x²` for `|x| ≤ N/2`.
    pub const fn square(&self, x: i32, constants: &FareyConstants) -> u64 {
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

/// e divided by P, rounded to the nearest integer, and what is left: at least −|P|/2 and below it in the direction of e.
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
    constants: &'a FareyConstants,
    bend: Bend,
    pair: Pair,
    slope: u64,
}

impl Run<'_> {
    /// Moves the pair to the next slope and says whether the domain of this slope and height is to be looked at again.
    fn domain(&mut self, slope: u64, height: u64) -> bool {
        let Self { constants, bend, .. } = self;
        let FareyConstants { reach, order, .. } = **constants;
        let (half_width, acceptance) = (number(constants.half_width), number(constants.acceptance));
        let Pair { mut u, mut v, mut p, mut q } = self.pair;

        let delta = ((slope.wrapping_sub(self.slope) << BELOW) as i64 >> BELOW) as u64;
        self.slope = slope;
        p = (p as u64).wrapping_add(delta.wrapping_mul(u.into())) as i64;
        q = (q as u64).wrapping_sub(delta.wrapping_mul(v.into())) as i64;

        let (mut long, mut other, mut short, mut other_length);
        let (mut spread, mut stuck);
        let mut passes = 0;
        loop {
            if q <= 0 {
                let k = (order + u) / v;
                let next = (p as u64).wrapping_add((q as u64).wrapping_mul(k.into())) as i64;
                (u, v, p, q) = (v, k * v - u, -q, next);
            }
            let first = p.unsigned_abs() <= q.unsigned_abs();
            (long, other) = if first { (u, v) } else { (v, u) };
            (short, other_length) = if first { (p, q) } else { (q, p) };
            // ρ = |P|·N/2 + U·h, where U·h < 1
            let share = half_width.wrapping_mul(long.into());
            let product = u128::from(short.unsigned_abs()) * u128::from(reach);
            stuck = product >= u128::from(ONE - share);
            spread = (product as u64).wrapping_add(share);
            passes += 1;
            if !(stuck && q <= 0) || passes == PASSES {
                break;
            }
        }
        self.pair = Pair { u, v, p, q };

        let line = u128::from(height) * u128::from(long);
        let (t, f) = ((line >> 60) as u32, line as u64 & (ONE - 1));
        let s = ((u128::from(height) * u128::from(other)) >> 60) as u32;
        let e = height
            .wrapping_sub((short as u64).wrapping_mul(s.into()))
            .wrapping_sub((other_length as u64).wrapping_mul(t.into())) as i64;
        let x = s.wrapping_mul(long).wrapping_sub(t.wrapping_mul(other)) as i32;

        let hit = |e: i64, x: i32| match nearest(e, short) {
            Nearest::Far => long < FEW,
            Nearest::At(steps, rest) => {
                let x = i64::from(x) + i64::from(steps) * i64::from(long);
                x.unsigned_abs() <= reach.into() && {
                    let g = (bend.square(x as i32, constants) as i64)
                        .wrapping_sub(bend.kappa as i64)
                        .wrapping_sub(rest);
                    g.unsigned_abs() <= acceptance
                }
            }
        };
        let is_dense = short.unsigned_abs() <= 2 * half_width && f.min(ONE - f) <= spread;
        stuck || is_dense || hit(e, x) || hit(e.wrapping_sub(other_length), x.wrapping_sub(other as i32))
    }
}

/// One invocation: the domains of run `run` that are to be looked at again. For the tables' layout see
/// [`generate`](super::generate).
pub fn farey(constants: &FareyConstants, run: u32, tables: &[u32], mut flagged: impl FnMut(Flagged)) {
    let entry = |entry: usize| {
        let word = |limb: usize| tables[(2 * entry + limb) * constants.runs as usize + run as usize];
        number([word(0), word(1)])
    };
    let [mut b0, mut b1, mut b2, b3, mut a0, mut a1, a2] = core::array::from_fn(entry);
    let bend = Bend::new(b2, constants);
    b0 = b0.wrapping_sub(bend.kappa << BELOW);
    let slope = a0 >> BELOW;
    let mut state = Run { constants, bend, pair: start_pair(slope, constants.order), slope };
    for step in 0..constants.steps {
        let height = b0 >> BELOW;
        if state.domain(a0 >> BELOW, height) {
            let Pair { u, v, p, q } = state.pair;
            let (p, q) = (words(p as u64), words(q as u64));
            flagged(Flagged { run, step, u, v, p, q, height: words(height), kappa: words(bend.kappa) });
        }
        b0 = b0.wrapping_add(b1);
        b1 = b1.wrapping_add(b2);
        b2 = b2.wrapping_add(b3);
        a0 = a0.wrapping_add(a1);
        a1 = a1.wrapping_add(a2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A run of domains: slope, its steps, heights, second difference.
    #[derive(Clone, Debug)]
    struct Spec {
        reach: u32,
        order: u32,
        acceptance: u64,
        steps: u32,
        /// the seven entries
        entries: [u64; 7],
        /// M in quarters of what the condition asks for
        quarters: u32,
    }

    fn specs() -> impl Strategy<Value = Spec> {
        let gamma = prop_oneof![8 => 0f64..2.2, 1 => Just(0.0), 1 => 0f64..1e-3];
        // slopes at random, next to small fractions, and exactly those
        let slope = prop_oneof![
            6 => any::<u64>(),
            2 => (1u64..40, 1u64..40, 0u32..40).prop_map(|(m, u, near)| {
                ((u128::from(m % u) << 64) / u128::from(u)) as u64 ^ (1u64 << near)
            }),
            1 => (0u64..16).prop_map(|m| m << 60),
        ];
        (
            128u32..1500,
            gamma,
            slope,
            any::<[u64; 2]>(),
            10u32..45,
            1u32..40,
            prop_oneof![6 => Just(4u32), 1 => Just(1u32), 1 => Just(8u32)],
        )
            .prop_map(|(reach, gamma, slope, [height, next], bits, steps, quarters)| {
                let n = 2.0 * f64::from(reach);
                let curvature = gamma / (n * n * n);
                // −2cN², in units of 2^-64, and the slopes' step 2cN
                let second = ((2.0 * curvature * n * n * 2f64.powi(64)) as u64).wrapping_neg();
                let step = (2.0 * curvature * n * 2f64.powi(64)) as u64;
                let acceptance = ONE >> bits;
                let h = curvature * n * n / 8.0 + 2f64.powi(-(bits as i32)) + 2f64.powi(-55);
                // N/(2M) + M·h = 0.95
                let root = (0.9025 - 2.0 * h * n).max(0.0).sqrt();
                let order = (n / (0.95 + root)).ceil() as u32;
                // any heights will do, but that Δ² is used for the bend
                let entries = [height, next, second, 0, slope, step, 0];
                Spec { reach, order, acceptance, steps, entries, quarters }
            })
    }

    impl Spec {
        fn constants(&self) -> FareyConstants {
            let bend = Bend::new(self.entries[2], &FareyConstants::new(self.reach, 1, 0, 0));
            let half_width = bend.kappa + self.acceptance + 1;
            let order = (self.order * self.quarters / 4).clamp(1, (ONE / half_width / 9 * 8) as u32);
            let constants = FareyConstants::new(self.reach, order, half_width, self.acceptance);
            FareyConstants { runs: 1, steps: self.steps, ..constants }
        }

        fn tables(&self) -> Vec<u32> {
            self.entries.iter().flat_map(|&entry| words(entry)).collect()
        }
    }

    /// The steps with an argument whose parabola is within acc of an integer, by the definition.
    fn brute(spec: &Spec, constants: &FareyConstants) -> Vec<u32> {
        let bend = Bend::new(spec.entries[2], constants);
        let reach = constants.reach as i32;
        let mut hits = Vec::new();
        let [mut b0, mut b1, b2, _, mut a0, a1, _] = spec.entries;
        b0 = b0.wrapping_sub(bend.kappa << BELOW);
        for step in 0..spec.steps {
            let (slope, height) = (a0 >> BELOW, b0 >> BELOW);
            let is_hit = (-reach..=reach).any(|x| {
                // β − a·x mod 1, in (−1/2, 1/2]
                let off = (height.wrapping_sub(slope.wrapping_mul(x as u64)) << BELOW) as i64 >> BELOW;
                let g = bend.square(x, constants) as i64 - bend.kappa as i64 - off;
                g.unsigned_abs() <= number(constants.acceptance)
            });
            if is_hit {
                hits.push(step);
            }
            b0 = b0.wrapping_add(b1);
            b1 = b1.wrapping_add(b2);
            a0 = a0.wrapping_add(a1);
        }
        hits
    }

    fn walk(spec: &Spec, constants: &FareyConstants) -> Vec<Flagged> {
        let mut flagged = Vec::new();
        farey(constants, 0, &spec.tables(), |domain| flagged.push(domain));
        flagged
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn every_hit_is_flagged(spec in specs()) {
            let constants = spec.constants();
            let flagged: Vec<_> = walk(&spec, &constants).iter().map(|domain| domain.step).collect();
            for step in brute(&spec, &constants) {
                prop_assert!(flagged.contains(&step), "step {} of {:?}", step, constants);
            }
        }

        /// The pair is a basis of the lattice of its slope, for any order.
        #[test]
        fn pairs_stay_bases(spec in specs()) {
            let constants = spec.constants();
            for domain in walk(&spec, &constants) {
                let slope = (0..u64::from(domain.step)).fold(spec.entries[4], |a, _| a.wrapping_add(spec.entries[5]));
                let (p, q) = (number(domain.p) as i64, number(domain.q) as i64);
                prop_assert_eq!(i128::from(domain.u) * i128::from(q) + i128::from(domain.v) * i128::from(p), i128::from(ONE));
                let is_point = |x: i64, y: i64| (((slope >> BELOW).wrapping_mul(x as u64)).wrapping_sub(y as u64) << BELOW) == 0;
                prop_assert!(is_point(domain.u.into(), p) && is_point(-i64::from(domain.v), q));
            }
        }

        /// `2κ·x²/(N/2)²`, never above and below by no more than said.
        #[test]
        fn squares(kappa in 0..1u64 << 55, reach in 128u32..1 << 23, x in any::<u32>()) {
            let constants = FareyConstants::new(reach, 1, 0, 0);
            let bend = Bend::of_kappa(kappa, &constants);
            for x in [x % (reach + 1), reach, 0, 1] {
                let square = bend.square(-(x as i32), &constants);
                prop_assert_eq!(square, bend.square(x as i32, &constants));
                let exact = 2.0 * kappa as f64 * (f64::from(x) / f64::from(reach)).powi(2);
                let off = exact - square as f64;
                prop_assert!(off >= -1e-15 * exact - 1.0 && off <= kappa as f64 * 2f64.powi(-30) * (1.0 + 1e-9) + 3.0, "{} at {}", off, x);
            }
        }
    }

    /// A walk at the limits of "Ranges": N/2, M, h, the step δ of the slopes, of which some stand still or shrink by a unit.
    fn limits() -> impl Strategy<Value = (FareyConstants, u64, Vec<u64>)> {
        let reach = prop_oneof![128u32..1024, 128u32..1 << 23, Just(128), Just(1 << 23)];
        let order = prop_oneof![0.05..2.2f64, Just(2.199)];
        let half_width = prop_oneof![0.0..1.0f64, Just(0.0), Just(0.999)];
        let delta = prop_oneof![0.0..1.0f64, 0.0..0.01f64, Just(1.0)];
        let slope = prop_oneof![
            4 => any::<u64>(),
            3 => (0u64..300, 1u64..300, 0u32..60).prop_map(|(m, u, near)| {
                (((u128::from(m % u) << 60) / u128::from(u)) as u64).wrapping_sub(1 << near)
            }),
            1 => Just(0),
        ];
        let moves =
            prop::collection::vec(prop_oneof![6 => Just(1.0), 1 => 0.0..1.0f64, 1 => Just(-1.0)], 1..300);
        (reach, order, half_width, delta, slope, moves).prop_map(
            |(reach, order, half_width, delta, slope, moves)| {
                let order = (f64::from(reach) * order) as u32;
                let half_width = (((ONE - 1) / u64::from(order)) as f64 * half_width) as u64;
                let m = f64::from(order);
                let delta = delta * (1.0 / (8.0 * m)).min(f64::from(MOST_CROSSINGS) / (m * m)) * ONE as f64;
                let step = |part: f64| if part < 0.0 { ONE - 1 } else { (delta * part) as u64 };
                let slopes = moves.into_iter().scan(slope % ONE, |slope, part| {
                    *slope = slope.wrapping_add(step(part)) % ONE;
                    Some(*slope)
                });
                (FareyConstants::new(reach, order, half_width, 0), slope % ONE, slopes.collect())
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Lengths do not wrap around, nor does the distance of a point that decides: the pair is a basis after every step.
        #[test]
        fn lengths_stay_in_range((constants, slope, slopes) in limits()) {
            let bend = Bend::of_kappa(0, &constants);
            let mut run = Run { constants: &constants, bend, pair: start_pair(slope, constants.order), slope };
            for slope in slopes {
                run.domain(slope, slope ^ (ONE / 3));
                let Pair { u, v, p, q } = run.pair;
                let determinant = i128::from(u) * i128::from(q) + i128::from(v) * i128::from(p);
                prop_assert_eq!(determinant, i128::from(ONE), "{:?}", run.pair);
                prop_assert!(p.unsigned_abs().max(q.unsigned_abs()) < 6 * ONE, "{:?}", run.pair);
            }
        }
    }

    /// But for the dense ones and the hits, hardly a domain is flagged: the pairs serve.
    #[test]
    fn little_else_is_flagged() {
        use proptest::{strategy::ValueTree, test_runner::TestRunner};
        let mut runner = TestRunner::deterministic();
        let (mut domains, mut hits, mut others) = (0, 0, 0);
        for _ in 0..4000 {
            let spec = specs().new_tree(&mut runner).unwrap().current();
            if spec.quarters != 4 {
                continue;
            }
            let constants = spec.constants();
            let found = brute(&spec, &constants);
            let is_dense = |domain: &Flagged| {
                let lengths = [domain.p, domain.q].map(|length| (number(length) as i64).unsigned_abs());
                lengths[0].min(lengths[1]) <= 2 * number(constants.half_width)
            };
            domains += spec.steps;
            hits += found.len();
            let flagged = walk(&spec, &constants);
            others +=
                flagged.iter().filter(|domain| !is_dense(domain) && !found.contains(&domain.step)).count();
        }
        assert!(domains > 10_000 && hits > 1000, "{domains} domains, {hits} hits");
        assert!(others < domains as usize / 100, "{others} flagged for nothing of {domains}");
    }
}
