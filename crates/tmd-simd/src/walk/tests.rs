//! The walk against brute force: every argument of every domain, in exact integers of the lanes'
//! own fractions.

mod model;
mod vectors;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use tmd_core::{
    ErrorBudget, Piece, WalkPlan,
    contfrac::LatticeBasis,
    difftable::{Upper, power_of_two},
    partition::{self, Neglected, Partition, TwoLevels},
    walk::{WalkCosts, contract::max_order, units::Count},
};
use tmd_testkit::generators::{self, gammas, slopes};

use super::{
    enumerate::{self, Enumeration},
    kernel::{Constants, Flagged, Length, Pairs, Records, Run, UNIT},
    layout::{CostTable, WalkLayout},
    stages::MOST_RHO,
    start_pair,
};
#[cfg(target_arch = "x86_64")]
use crate::lanes::pair::Pair;
use crate::{
    lanes::{Kernel, Lanes, MAX_LANES},
    level::{Level, Machine},
    tables::{LaneTables, Tables, quantization},
};

/// A run of domains in every lane: random betas and slopes, curvatures up to where the walk
/// ceases to be valid.
#[derive(Clone, Debug)]
struct Spec {
    n: u64,
    /// `|c|·N³` of each lane
    gammas: [f64; MAX_LANES],
    betas: [u64; MAX_LANES],
    slopes: [u64; MAX_LANES],
    /// log2 of acc
    acceptance: i32,
    steps: u32,
    /// by how much the step of the slopes falls from domain to domain, in units of 2^-64: where
    /// they hardly grow they step back
    falls: u64,
    /// M in quarters of what the plan says, up to what is proved: pairs of a wrong order get stuck,
    /// and must be enumerated
    order: u32,
}

fn specs() -> impl Strategy<Value = Spec> {
    (
        prop_oneof![1 => 4u64..128, 3 => 128u64..1500].prop_map(|half| 2 * half),
        proptest::array::uniform8(gammas()),
        any::<[u64; MAX_LANES]>(),
        proptest::array::uniform8(slopes()),
        -34i32..-10,
        0u32..40,
        // 780·2^39 units in 40 steps, times M, are less than 1/16
        prop_oneof![2 => Just(0), 1 => (0u32..39).prop_map(|log| 1u64 << log)],
        prop_oneof![6 => Just(4u32), 1 => Just(1u32), 1 => Just(12u32)],
    )
        .prop_map(|(n, gammas, betas, slopes, acceptance, steps, falls, order)| Spec {
            n,
            // so that slopes of neighboring domains are less than 2^-13 apart
            gammas: gammas.map(|gamma| gamma.min(0.99 * power_of_two(-14) * (n * n) as f64)),
            betas,
            slopes,
            acceptance,
            steps,
            falls,
            order,
        })
}

/// Counts, and lengths in units of 2^-52.
fn integers(domain: &Flagged) -> [i128; 4] {
    let LatticeBasis { u, p, v, q, .. } = domain.basis();
    [u.into(), v.into(), p, q]
}

/// Runs a kernel on a level's lanes, and says how many there are.
pub(crate) fn run<K: Kernel>(level: Level, kernel: K) -> (K::Output, usize) {
    fn on<L: Lanes, K: Kernel>(lanes: L, kernel: K) -> (K::Output, usize) {
        (lanes.run(kernel), L::WIDTH)
    }
    match level.machine() {
        #[cfg(target_arch = "x86_64")]
        Machine::Avx512(lanes) => on(lanes, kernel),
        #[cfg(target_arch = "x86_64")]
        Machine::Avx2(lanes) => on(lanes, kernel),
        #[cfg(target_arch = "x86_64")]
        Machine::Avx2InPairs(lanes) => on(Pair(lanes), kernel),
        Machine::Portable(lanes) => on(lanes, kernel),
    }
}

/// Walks over so many domains in every lane, and says how many lanes there are.
fn walk(
    level: Level,
    constants: &Constants,
    tables: &Tables,
    pairs: &mut Pairs,
    steps: u32,
    flagged: &mut Vec<Flagged>,
) -> usize {
    let records = &mut Records::default();
    run(level, Run { constants, tables, pairs, steps, inside: [steps; MAX_LANES], flagged, records }).1
}

/// So many values of a strategy, the same every time.
fn for_values<T: std::fmt::Debug>(
    strategy: impl Strategy<Value = T>,
    cases: u32,
    check: impl Fn(T) -> Result<(), TestCaseError>,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let checked = TestRunner::new_with_rng(config, rng).run(&strategy, check);
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

/// An entry of each lane, and its differences, one domain on: each but the last grows by the next.
fn advance(row: &mut [u64]) {
    for k in 1..row.len() {
        row[k - 1] = row[k - 1].wrapping_add(row[k]);
    }
}

/// Anything: multiples of the golden ratio, or of another number without pattern.
fn any_words(factor: u64) -> [u64; MAX_LANES] {
    std::array::from_fn(|lane| (lane as u64 + 1).wrapping_mul(factor))
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Spec {
    /// Lanes of one curvature, any βs and slopes.
    fn plain(n: u64, gamma: f64, acceptance: i32, steps: u32) -> Self {
        let (betas, slopes) = (any_words(GOLDEN), any_words(0xd1b5_4a32_d192_ed03));
        Self { n, gammas: [gamma; MAX_LANES], betas, slopes, acceptance, steps, falls: 0, order: 4 }
    }

    fn constants(&self) -> Option<Constants> {
        let n = self.n as f64;
        let most = self.gammas.iter().fold(0f64, |most, &gamma| most.max(gamma)) / (n * n * n);
        let acceptance = Upper::power_of_two(self.acceptance);
        let costs = WalkCosts { domain: 1.0, dense: 1.0, point: 1.0, least: 4 };
        let plan = WalkPlan::of_domain(self.n, Upper::new(most), acceptance, costs)?;
        let order = (plan.order * u64::from(self.order) / 4).min(max_order(self.n));
        let plan = WalkPlan { order, ..plan };
        Some(Constants::new(plan, acceptance + Upper::new(most * n * n / 8.0 * (1.0 + 1e-12)), acceptance))
    }

    /// Tables of parabolas: the second difference of the betas and the first one of the slopes
    /// are those of c.
    fn tables(&self) -> Tables {
        let mut tables = Tables::default();
        let n = self.n as f64;
        for lane in 0..MAX_LANES {
            // 2cN in units of 2^-64, so that c is an exact multiple of a unit and the table exact
            let step = (2.0 * self.gammas[lane] / (n * n) * power_of_two(64)) as u64;
            let curvature = step as f64 / (2.0 * n) * power_of_two(-64);
            let kappa = (curvature * n * n / 8.0 * power_of_two(64)) as u64;
            tables.curvature[lane] = curvature;
            tables.kappa[lane] = kappa as f64 * power_of_two(-64);
            tables.slope[0][lane] = self.slopes[lane];
            tables.slope[1][lane] = step;
            tables.slope[2][lane] = self.falls.wrapping_neg();
            tables.beta[0][lane] = self.betas[lane];
            // any β will do: nothing relates one domain's to the next one's
            tables.beta[1][lane] = self.betas[lane].rotate_left(17) ^ self.slopes[lane];
            tables.beta[2][lane] = self.betas[lane].rotate_left(41);
        }
        tables
    }

    /// The pairs for the slopes of the first domains.
    fn pairs(&self, constants: &Constants) -> Pairs {
        let mut pairs = Pairs::default();
        for (lane, &slope) in self.slopes.iter().enumerate() {
            start_pair(&mut pairs, lane, slope, constants.order as u64);
        }
        pairs
    }

    /// What a level's lanes flag, and how many lanes there are.
    fn flagged(&self, level: Level, constants: &Constants) -> (Vec<Flagged>, usize) {
        let (tables, mut pairs, mut flagged) = (self.tables(), self.pairs(constants), Vec::new());
        let width = walk(level, constants, &tables, &mut pairs, self.steps, &mut flagged);
        (flagged, width)
    }

    /// Every argument of every domain of `lane` whose parabola is within acc of an integer, by the
    /// definition, with the slope and β that the lanes use: 52 bits.
    fn brute(&self, tables: &Tables, constants: &Constants, lane: usize) -> Vec<(u32, i64)> {
        let mut found = Vec::new();
        let mut betas = [0, 1, 2].map(|k| tables.beta[k][lane]);
        let mut slopes = [0, 1, 2].map(|k| tables.slope[k][lane]);
        let half = (self.n / 2) as i64;
        for step in 0..self.steps {
            let (a, beta) = (slopes[0] >> 12, betas[0] >> 12);
            for x in -half..=half {
                // a·x − β mod 1, centered, in units of 2^-52
                let y = (i128::from(a) * i128::from(x) - i128::from(beta)).rem_euclid(1 << 52) as i64;
                let y = if y >= 1 << 51 { y - (1 << 52) } else { y };
                let curved = tables.curvature[lane] * (x * x) as f64 - tables.kappa[lane];
                if (curved + y as f64 / UNIT).abs() <= constants.acceptance * (1.0 - 1e-9) - 2.0 / UNIT {
                    found.push((step, x));
                }
            }
            advance(&mut betas);
            advance(&mut slopes);
        }
        found
    }
}

/// What lanes find in flagged domains, and how many they leave to integers, which find the rest.
fn by_lanes(
    level: Level,
    constants: &Constants,
    tables: &Tables,
    flagged: &[Flagged],
) -> (Vec<(usize, i64)>, usize) {
    let (mut found, mut left) = (Vec::new(), Vec::new());
    run(level, Enumeration { constants, tables, flagged, found: &mut found, left: &mut left });
    for &number in &left {
        enumerate::points(&flagged[number], constants, tables, |x| found.push((number, x)));
    }
    (found, left.len())
}

fn check(spec: &Spec, level: Level) -> Result<(), TestCaseError> {
    let Some(constants) = spec.constants() else { return Ok(()) };
    let tables = spec.tables();
    let (flagged, width) = spec.flagged(level, &constants);
    // each once, in order
    prop_assert!(flagged.windows(2).all(|two| (two[0].step, two[0].lane) < (two[1].step, two[1].lane)));
    let mut points = vec![Vec::new(); MAX_LANES];
    let (mut found, _) = by_lanes(level, &constants, &tables, &flagged);
    let mut expected = Vec::new();
    for (number, domain) in flagged.iter().enumerate() {
        enumerate::points(domain, &constants, &tables, |x| expected.push((number, x)));
    }
    for &(number, x) in &found {
        points[flagged[number].lane as usize].push((flagged[number].step, x));
    }
    found.sort_unstable();
    expected.sort_unstable();
    prop_assert_eq!(found, expected, "{}: lanes and integers", level);
    for (lane, points) in points.iter_mut().enumerate().take(width) {
        points.sort_unstable();
        prop_assert!(points.windows(2).all(|two| two[0] != two[1]), "{level}: a point twice");
        // the sign of x is the lane's own affair only until it is enumerated
        for point in spec.brute(&tables, &constants, lane) {
            prop_assert!(points.binary_search(&point).is_ok(), "{level}: lane {lane}: {point:?} is lost");
        }
    }
    Ok(())
}

/// Random runs of domains in every level of lanes: no argument is lost. About 10^6 domains, 10^9
/// arguments.
#[test]
fn no_argument_is_lost() {
    for level in Level::with_pairs() {
        let walked = std::cell::Cell::new(0);
        for_values(specs(), if cfg!(miri) { 5 } else { 3000 }, |spec| {
            walked.set(walked.get() + u32::from(spec.constants().is_some()));
            check(&spec, level)
        });
        assert!(walked.get() > if cfg!(miri) { 0 } else { 2000 }, "{} of the runs walk", walked.get());
    }
}

/// The walk is what finds them, not the enumeration: few domains are flagged, none of them for
/// being stuck.
#[test]
#[cfg_attr(miri, ignore = "statistics over many domains")]
fn few_domains_are_flagged() {
    let (mut domains, mut flags) = (0u64, 0u64);
    let mut runner = TestRunner::deterministic();
    for _ in 0..300 {
        let mut spec = specs().new_tree(&mut runner).unwrap().current();
        (spec.acceptance, spec.steps, spec.falls, spec.order) = (-34, 40, 0, 4);
        for gamma in &mut spec.gammas {
            *gamma *= 0.5 / 2.2;
        }
        let Some(constants) = spec.constants() else { continue };
        let (flagged, width) = spec.flagged(Level::best(), &constants);
        domains += u64::from(spec.steps) * width as u64;
        flags += flagged.len() as u64;
        for domain in flagged {
            let [left, right] = [(domain.u, domain.p), (domain.v, domain.q)];
            let (u, length) = if left.1.0.abs() <= right.1.0.abs() { left } else { right };
            let rho = length.0.abs() * constants.half_domain + u.0 * constants.half_width;
            assert!(rho <= MOST_RHO, "stuck: {domain:?}");
        }
    }
    assert!(domains > 40_000 && flags * 25 < domains, "{flags} of {domains}");
}

/// Runs of any length, none among them, in which every domain is flagged: each is there, once, with
/// its own step, β and basis, and two runs one after the other are one.
#[test]
fn every_step_is_marked() {
    // with an order of which ρ > 1 in nearly all domains
    let spec = Spec { falls: 1 << 20, order: 1, ..Spec::plain(512, 0.4, -30, 0) };
    let constants = spec.constants().unwrap();
    let constants = Constants { half_width: 2.0, ..constants }; // and in all with this
    for level in Level::with_pairs() {
        for parts in [[0, 0], [1, 0], [2, 0], [3, 1], [15, 1], [16, 2], [17, 16], [18, 33], [49, 100]] {
            let (mut tables, mut pairs, mut flagged) = (spec.tables(), spec.pairs(&constants), Vec::new());
            let mut expected = Vec::new();
            for steps in parts {
                let begun = flagged.len();
                let width = walk(level, &constants, &tables, &mut pairs, steps, &mut flagged);
                for step in 0..steps {
                    for lane in 0..MAX_LANES {
                        let mut betas = tables.beta.map(|row| row[lane]);
                        let mut slopes = tables.slope.map(|row| row[lane]);
                        if lane < width {
                            expected.push((step, lane as u32, betas[0] >> 12, slopes[0] >> 12));
                        }
                        advance(&mut betas);
                        advance(&mut slopes);
                        for (row, beta) in tables.beta.iter_mut().zip(betas) {
                            row[lane] = beta;
                        }
                        for (row, slope) in tables.slope.iter_mut().zip(slopes) {
                            row[lane] = slope;
                        }
                    }
                }
                assert_eq!(flagged.len() - begun, steps as usize * width, "{level}, {parts:?}");
            }
            assert_eq!(flagged.len(), expected.len());
            for (domain, expected) in flagged.iter().zip(expected) {
                let Flagged { step, lane, beta, .. } = domain;
                let [u, v, p, q] = integers(domain);
                // (u, p) and (−v, q) are points of the lattice of that slope, and a basis
                let slope = i128::from(expected.3);
                assert_eq!((slope * u - p) % (1 << 52), 0, "{level}, {parts:?}: {step}");
                assert_eq!((slope * v + q) % (1 << 52), 0, "{level}, {parts:?}: {step}");
                assert_eq!(u * q + v * p, 1 << 52);
                assert_eq!((*step, *lane, (beta.0 * UNIT) as u64), (expected.0, expected.1, expected.2));
            }
        }
    }
}

/// A slope that jumps, as those of lanes beyond a piece may, is not walked to at any cost: after so
/// many crossings the lane is stuck, with the pair that it has then, and is looked at again.
#[test]
#[cfg_attr(miri, ignore = "millions of crossings")]
fn crossings_come_to_an_end() {
    let spec =
        Spec { betas: [1 << 60; MAX_LANES], slopes: any_words(GOLDEN), ..Spec::plain(1 << 20, 0.4, -30, 1) };
    let constants = spec.constants().unwrap();
    let most = 3 * constants.order as u64 + 64;
    for level in Level::with_pairs() {
        // over some 0.3·M²·2^-14 Farey fractions, three times as many
        let mut tables = spec.tables();
        for slope in &mut tables.slope[0] {
            *slope = slope.wrapping_add(1 << 50);
        }
        let (mut pairs, mut flagged) = (spec.pairs(&constants), Vec::new());
        let before = pairs;
        let inside = [0; MAX_LANES]; // as beyond a piece
        let (constants, flags) = (&constants, &mut flagged);
        let records = &mut Records::default();
        let kernel =
            Run { records, constants, tables: &tables, pairs: &mut pairs, steps: 1, inside, flagged: flags };
        let ((), width) = run(level, kernel);
        assert!(flagged.iter().map(|domain| domain.lane).eq(0..width as u32));
        for lane in 0..width {
            // the next neighbors of order M, so many times
            let (mut u, mut v) = (before.u[lane] as u64, before.v[lane] as u64);
            for _ in 0..most {
                (u, v) = (v, (constants.order as u64 + u) / v * v - u);
            }
            assert_eq!((pairs.u[lane], pairs.v[lane]), (u as f64, v as f64), "{level}: lane {lane}");
            assert_eq!(
                [flagged[lane].u, flagged[lane].v],
                [u, v].map(|n| Count(n as f64)),
                "{level}: lane {lane}"
            );
        }
    }
}

/// Where the function is flat every β has a point of a line next to it, but the domain holds
/// few of them.
#[test]
#[cfg_attr(miri, ignore = "statistics over many domains")]
fn few_flat_domains_are_flagged() {
    let spec = Spec { slopes: [1 << 25; MAX_LANES], ..Spec::plain(1 << 24, 1e-9, -30, 4000) };
    let constants = spec.constants().unwrap();
    let (flagged, _) = spec.flagged(Level::best(), &constants);
    // a domain's results are within 2^-15 of a breakpoint, or nothing is to be seen there
    assert!(flagged.len() < 10, "{} of {} domains in each lane", flagged.len(), spec.steps);
}

/// A kernel that returns what the exactness of everything else rests on.
struct FusedIsFused;

impl Kernel for FusedIsFused {
    type Output = [[f64; MAX_LANES]; 3];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        // (1 + 2^-30)² − 1 − 2^-29 = 2^-60 is lost if the product is rounded
        let (x, y) = (l.splat(1.0 + power_of_two(-30)), l.splat(1.0 + power_of_two(-29)));
        let mut rows = [[0.0; MAX_LANES]; 3];
        l.store(l.fms(x, x, y), &mut rows[0]);
        l.store(l.fma(x, x, l.sub(l.splat(0.0), y)), &mut rows[1]);
        l.store(l.fnma(x, x, y), &mut rows[2]);
        rows
    }
}

#[test]
fn fused_multiply_adds_round_once() {
    let small = power_of_two(-60);
    for level in Level::with_pairs() {
        let (rows, width) = run(level, FusedIsFused);
        for (row, expected) in rows.iter().zip([small, small, -small]) {
            assert_eq!(row[..width], [expected; MAX_LANES][..width], "{level}");
        }
    }
}

/// The quotient of a crossing is exact for every pair of counts it is claimed for: all small ones,
/// random large ones, and those next to a whole number of times.
struct Quotients<'a>(&'a [(u64, u64)]);

impl Kernel for Quotients<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<f64> {
        let mut quotients = Vec::new();
        for &(n, d) in self.0 {
            let mut row = [0.0; MAX_LANES];
            l.store(l.floor_quotient(l.splat(n as f64 + 0.5), l.splat(d as f64)), &mut row);
            quotients.push(row[0]);
        }
        quotients
    }
}

#[test]
fn quotients_are_exact() {
    let (small, large) = if cfg!(miri) { (20, 100) } else { (300, 400_000) };
    let mut pairs: Vec<(u64, u64)> = (1..small).flat_map(|n| (1..=n).map(move |d| (n, d))).collect();
    let mut state = 1u64;
    for _ in 0..large {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let n = (state >> 38) | 1;
        let d = ((state & 0xff_ffff) >> (state >> 24 & 15)) % n + 1;
        let whole = n / d * d;
        pairs.extend([(n, d), (whole, d), ((whole - 1).max(d), d)]);
    }
    for level in Level::with_pairs() {
        let (found, _) = run(level, Quotients(&pairs));
        for (&(n, d), found) in pairs.iter().zip(found) {
            assert_eq!(found, (n / d) as f64, "{level}: {n}/{d}");
        }
    }
}

/// The largest distance, in units of 2^-64, between a lane's parabola as the kernel uses it (52
/// bits of slope and β) and the piece's polynomial, over the ends and the middle of domains
/// all over the piece.
fn deviation(piece: &Piece, partition: &Partition) -> f64 {
    let n = partition.domain;
    let mut outer = LaneTables::new(piece, partition, MAX_LANES);
    let mut worst = 0f64;
    for run in 0..partition.runs {
        let tables = outer.inner();
        for lane in 0..MAX_LANES {
            let (mut b, mut a) = (tables.beta.map(|row| row[lane]), tables.slope.map(|row| row[lane]));
            for step in 0..partition.run {
                let first = ((lane as u64 * partition.runs + run) * partition.run + step) * n;
                let looked_at = step + 1 == partition.run || step == partition.run / 2;
                if looked_at && first + n < piece.arguments() {
                    for x in [-(n as i64) / 2, 0, n as i64 / 2] {
                        let line =
                            ((a[0] >> 12) << 12).wrapping_mul(x as u64).wrapping_sub((b[0] >> 12) << 12);
                        let curved =
                            (tables.curvature[lane] * (x * x) as f64 - tables.kappa[lane]) * power_of_two(64);
                        let ours = line.wrapping_add(curved as i64 as u64);
                        let exact = piece.value((first as i64 + n as i64 / 2 + x) as u64).high64();
                        let exact = if partition.tables.negated { exact.wrapping_neg() } else { exact };
                        worst = worst.max((ours.wrapping_sub(exact) as i64 as f64).abs());
                    }
                }
                advance(&mut b);
                advance(&mut a);
            }
        }
        outer.step();
    }
    worst
}

/// A piece `Σ m_k·2^(−shift_k)·x^k`.
fn piece(coefficients: &[(i64, u32)], arguments: u64) -> Piece {
    let center = arguments / 3;
    generators::Spec { coefficients: coefficients.to_vec(), arguments, center, tolerance_bits: 40, slack: 0 }
        .piece()
}

/// Of a piece so many runs of so many domains, with tables that drop no more than about 2^`aim` and
/// have so many slopes.
fn partition_of(piece: &Piece, [n, run, runs]: [u64; 3], most: Upper, aim: i32, slopes: usize) -> Partition {
    let Neglected { degrees, budget, .. } =
        partition::budget(piece, n, run, runs, most, Upper::power_of_two(aim), slopes);
    let tables = TwoLevels { negated: false, slopes, degrees, outer: Upper::ZERO };
    Partition { domain: n, run, runs, tables, budget }
}

/// Each line of the budget that the walk adds: what is observed is below the sum, and above four
/// tenths of it where that line makes up the sum.
#[test]
#[cfg_attr(miri, ignore = "millions of steps of tables")]
fn deviations_reach_their_budget_and_stay_below_it() {
    // the top bits of e, 1/2!, 1/3! …: nothing special
    let m = [0x56fc_2a2c_515d_a54d, 0x56fc_2a2c_515d_a54d, 0x2b7e_1516_28ae_d2a6, 0x39fd_71bb_83b6_1b34];
    for (line, curved, cubic, quartic, n, run, runs, slopes) in [
        // exp near 1, a domain per run: only 52 bits of slope and β are felt
        ("quantization", 54, 107, 160, 1 << 18, 1, 40, 3),
        ("quantization", 40, 83, 124, 1 << 12, 2, 100, 3),
        // the same, and long runs, where slopes are nearly straight
        ("quantization", 64, 150, 220, 1 << 21, 128, 4, 2),
        // long runs: the 64 bits of the tables
        ("tables", 54, 99, 160, 1 << 18, 1024, 3, 3),
        ("tables", 40, 83, 150, 1 << 13, 4096, 3, 3),
        // the same without second differences of slopes
        ("tables", 40, 130, 200, 1 << 12, 1 << 14, 3, 2),
        // runs that are too long for one curvature
        ("tables", 40, 70, 150, 1 << 12, 64, 3, 3),
        // runs that are too long for tables of degree 3 and 2
        ("dropped", 40, 110, 102, 1 << 12, 64, 3, 3),
        // slopes that are not as straight
        ("dropped", 54, 105, 170, 1 << 18, 1024, 3, 2),
        ("dropped", 40, 78, 150, 1 << 12, 512, 3, 2),
    ] {
        for sign in [1, -1] {
            let coefficients = [
                (m[0], 63),
                (m[1], 63),
                (sign * m[2], 63 + curved),
                (sign * m[3], 63 + cubic),
                (m[2], 62 + quartic),
            ];
            let arguments = 8 * runs * run * n - 12_345;
            let piece = piece(&coefficients, arguments);
            let most = Upper::power_of_two(-(curved as i32));
            let partition = partition_of(&piece, [n, run, runs], most, -50, slopes);
            let tables = TwoLevels { negated: sign < 0, ..partition.tables };
            let budget = ErrorBudget { quantization: quantization(n), ..partition.budget };
            let partition = Partition { budget, tables, ..partition };
            let sum = budget.tables + budget.dropped + budget.quantization;
            let lines = [budget.tables, budget.dropped, budget.quantization];
            let named = ["tables", "dropped", "quantization"].iter().position(|name| *name == line).unwrap();
            assert!(lines[named].get() / sum.get() > 0.8, "{line}: {budget:?}");
            let (found, sum) = (deviation(&piece, &partition), sum.get() * power_of_two(64));
            assert!(
                found <= sum && found >= 0.4 * sum,
                "{line} {sign}: {found:e} against {sum:e}, {partition:?}"
            );
        }
    }
}

/// Enumerations in lanes and in integers, of pairs of any kind: flat slopes and long orders, where
/// lines have many points or places far away, and widths from nothing to 1/2.
#[test]
fn enumerations_are_the_same() {
    let strategy = (any::<u64>(), 1u32..52, 7u32..24, 0u32..53, any::<u64>(), any::<u64>(), 0u32..4);
    let cases = if cfg!(miri) { 50 } else { 200_000 };
    let seen = std::cell::Cell::new([0usize; 2]);
    for_values(strategy, cases, |(slope, flat, size, thin, seed, more, steps)| {
        let n = (1u64 << size) + 2 * (more >> 8) % (1 << size);
        let slope = slope >> (flat * u32::from(more % 3 == 0)) << 12;
        let order = n / 2 + n / 16 + 1;
        let mut pairs = Pairs::default();
        start_pair(&mut pairs, 0, slope, order);
        let half_width = (seed % 1000 + 1) as f64 / 2000.0 * power_of_two(-(thin as i32)) / n as f64;
        let [u, mut v, p, mut q] = [pairs.u[0], pairs.v[0], pairs.p[0], pairs.q[0]];
        for _ in 0..steps {
            // other bases, as a pair that lags
            if u + v < 1.06 * n as f64 {
                (v, q) = (v + u, q - p);
            }
        }
        let constants = Constants {
            half_domain: (n / 2) as f64,
            order: order as f64,
            half_width,
            acceptance: half_width / 2.0,
            dense: 2.0 * half_width,
        };
        // half of the β are within twice the width of an argument's point, mostly inside
        let x = (seed >> 20) as i64 % (n as i64 + 1) - n as i64 / 2;
        let off = (half_width * UNIT * ((more >> 4) % 4000) as f64 / 1000.0) as i64
            - (2.0 * half_width * UNIT) as i64;
        let planted = ((slope >> 12) as i64).wrapping_mul(x).wrapping_add(off) as u64 & ((1 << 52) - 1);
        let beta = if more % 2 == 0 { planted } else { seed >> 12 } as f64 / UNIT;
        let ([u, v], [p, q]) = ([u, v].map(Count), [p, q].map(Length));
        let domain = Flagged { step: 0, lane: 3, u, v, p, q, beta: Length(beta) };
        // straight lines, and all of the box
        let constants = Constants { acceptance: 2.0 * half_width, ..constants };
        let tables = Tables::default();
        // in any place of a vector, between others
        let place = (more >> 40) as usize % 11;
        let mut flagged = [Flagged { beta: Length((beta + 0.5).fract()), ..domain }; 11];
        flagged[place] = domain;
        let mut expected = Vec::new();
        enumerate::near(&domain, &constants, |x, _| expected.push((place, x)));
        expected.sort_unstable();
        for level in Level::with_pairs() {
            let (mut found, left) = by_lanes(level, &constants, &tables, &flagged);
            found.retain(|&(number, _)| number == place);
            found.sort_unstable();
            let [looks, points] = seen.get();
            seen.set([looks + usize::from(left == 0), points + expected.len()]);
            prop_assert_eq!(&found, &expected, "{}: {:?}, {:?}", level, domain, constants);
        }
        Ok(())
    });
    let [looks, points] = seen.get();
    assert!(cfg!(miri) || looks > 100_000 && points > 30_000, "{looks} looks, {points} points");
}

/// Slopes that step back behind a left neighbor leave a basis with a small negative length, exact
/// to the last bit.
#[test]
fn pairs_that_step_back_stay_exact() {
    for level in Level::with_pairs() {
        let spec = Spec {
            // fractions of few parts, which are left neighbors of themselves: any step back is
            // behind them
            slopes: std::array::from_fn(|lane| (lane as u64) << 61),
            // all in all 2^19·2^31·2^-64 = 2^-14
            falls: 1 << 31,
            ..Spec::plain(1000, 0.0, -40, 1000)
        };
        // what is looked at: every domain
        let constants = Constants { half_width: 2.0, ..spec.constants().unwrap() };
        let (flagged, _) = spec.flagged(level, &constants);
        let most_back = constants.order * power_of_two(-14);
        assert!(most_back < 1.0 / 16.0);
        let mut behind = 0;
        for domain in flagged {
            let [p, q] = [domain.p.0, domain.q.0];
            assert!(p >= -most_back && p <= 1.0 && q > 0.0 && q <= 1.0 + most_back, "{level}: {p} {q}");
            behind += u32::from(p < 0.0);
            let [u, v, p, q] = integers(&domain);
            assert_eq!(u * q + v * p, 1 << 52, "{level}");
        }
        assert!(behind > 900, "{behind}");
    }
}

/// How slopes move: the largest step up from one domain to the next, and the furthest that one is
/// below an earlier one, both as the kernel has them, of the domains that hold arguments of the
/// piece.
fn slope_steps(piece: &Piece, partition: &Partition) -> [f64; 2] {
    let mut outer = LaneTables::new(piece, partition, MAX_LANES);
    let mut tops = [[0i64; 2]; MAX_LANES]; // slopes less the first one: the largest, and the last
    let (mut first, mut steps) = ([None; MAX_LANES], [0i64; 2]);
    for run in 0..partition.runs {
        let tables = outer.inner();
        for lane in 0..MAX_LANES {
            let mut a = tables.slope.map(|row| row[lane]);
            for step in 0..partition.run {
                if partition.place(lane, run, step as u32) * partition.domain < piece.arguments() {
                    let slope = a[0] >> 12 << 12;
                    let here = slope.wrapping_sub(*first[lane].get_or_insert(slope)) as i64;
                    let [top, last] = &mut tops[lane];
                    steps = [steps[0].max(here - *last), steps[1].max(*top - here)];
                    (*top, *last) = (here.max(*top), here);
                }
                advance(&mut a);
            }
        }
        outer.step();
    }
    steps.map(|step| step as f64 * power_of_two(-64))
}

/// Slopes move by no more than the bound, and, each in its turn, by nearly as much: up, where they
/// grow; up and down, where they do not and the tables' lag is all there is; and where the end of
/// the piece is an inflection point.
#[test]
#[cfg_attr(miri, ignore = "long runs of tables")]
fn slopes_move_within_their_bound() {
    let (n, run, runs) = (1 << 20, 1024, 2);
    let end = 8 * run * runs * n;
    // what is expected of the step up and of that down, in shares of the bound
    for (coefficients, arguments, run, slopes, up, down) in [
        (vec![(0, 0), (1, 3), (1, 60)], end, run, 3, 0.95..=1.0, 0.0..=0.0),
        // c = 2^-200 throughout, less a little on the way: all bits of the slopes' second
        // differences are lost
        (vec![(0, 0), (1, 3), (1, 200), (-1, 260)], end, run, 3, 0.7..=1.0, 0.7..=1.0),
        // one domain a run, the last of which has its center beyond the piece, where c falls from 0
        (vec![(0, 0), (1, 3), (0, 0), (-1, 66)], 9 * n + 2, 1, 3, 0.5..=1.0, 0.0..=0.01),
        // slopes that are straight in each run: the next one begins above the last one's end, or
        // below
        (vec![(0, 0), (1, 3), (3, 40), (1, 74)], end, run, 2, 0.4..=0.6, 0.0..=0.01),
        (vec![(0, 0), (1, 3), (0, 0), (-1, 74)], end, run, 2, 0.0..=0.1, 0.4..=0.6),
    ] {
        let center = arguments - 1;
        let spec = generators::Spec { coefficients, arguments, center, tolerance_bits: 60, slack: 0 };
        let piece = spec.piece();
        let (lowest, highest) = partition::curvature(&piece).unwrap();
        let most = Upper::new(lowest.abs().max(highest.abs()));
        let runs = piece.arguments().div_ceil(n).div_ceil(8 * run);
        let partition = partition_of(&piece, [n, run, runs], most, -80, slopes);
        let quantization = Upper::power_of_two(-52) * Upper::of_integer(n / 2);
        let partition = Partition { budget: ErrorBudget { quantization, ..partition.budget }, ..partition };
        let bound = partition.slope_step(most).get();
        let shares = slope_steps(&piece, &partition).map(|step| step / bound);
        assert!(
            up.contains(&shares[0]) && down.contains(&shares[1]),
            "{shares:?} of {bound:e}: {partition:?}"
        );
    }
}

/// Slopes are straight by the fifth table of costs alone, and where that neglects less: then runs
/// are long, in a piece as exp2 has them in x87. Where slopes are not as straight the tables are
/// those of the fourth.
#[test]
fn slopes_are_straight_where_that_neglects_less() {
    let of = |costs: CostTable, coefficients: &[(i64, u32)], arguments: u64| {
        WalkLayout::new(&piece(coefficients, arguments), 8, None, costs).unwrap().partition
    };
    let exp2 = [(1, 1), (0x4f1b_bcdc_bfa5_3e0b, 63), (3, 67), (3, 133), (1, 199)];
    let [fourth, fifth] = [CostTable::Fourth, CostTable::Fifth].map(|costs| of(costs, &exp2, 1 << 44));
    assert_eq!((fourth.tables.slopes, fourth.run), (3, 64), "{fourth:?}");
    assert_eq!((fifth.tables.slopes, fifth.run), (2, 1024), "{fifth:?}");
    let [lost, before] =
        [fifth, fourth].map(|partition| (partition.budget.tables + partition.budget.dropped).get());
    assert!(lost < before, "{lost:e} {before:e}");
    let bends = [(1, 1), (0x4f1b_bcdc_bfa5_3e0b, 63), (1, 42), (1, 70)];
    let [fourth, fifth] = [CostTable::Fourth, CostTable::Fifth].map(|costs| of(costs, &bends, 1 << 24));
    assert_eq!(fourth, fifth);
    assert!(fifth.tables.slopes == 3 && fifth.run > 2, "{fifth:?}");
    // a run of two domains has no second differences
    let [fourth, fifth] = [CostTable::Fourth, CostTable::Fifth].map(|costs| of(costs, &exp2, 1 << 27));
    assert!(fourth == fifth && fifth.run <= 2, "{fifth:?}");
}

/// A run's κ may be larger than the piece's largest: its second difference reaches beyond the end.
/// The half-width of boxes has room for it in *tables*, and needs it.
#[test]
fn curvatures_from_beyond_the_end_are_allowed_for() {
    let n = 1 << 12;
    // c = 2^-40 + 3·2^-53·x, one domain a run, and one argument in the last domain's second half
    let spec = generators::Spec {
        coefficients: vec![(0, 0), (1, 3), (1, 40), (1, 53)],
        arguments: 3 * n + n / 2 + 1,
        center: 2 * n,
        tolerance_bits: 60,
        slack: 0,
    };
    let piece = spec.piece();
    let (_, highest) = partition::curvature(&piece).unwrap();
    let partition = partition_of(&piece, [n, 1, 1], Upper::new(highest), -80, 3);
    let budget = partition.budget;
    let tables = LaneTables::new(&piece, &partition, MAX_LANES).inner();
    let (mut outside, mut worst) = (0, 0f64);
    for domain in 0..4 {
        outside += u32::from(tables.curvature[domain] > highest);
        // the domain's own curvature, at its center
        let center = (domain as u64 * n + n / 2) as f64 - piece.center() as f64;
        let own = power_of_two(-40) + 3.0 * power_of_two(-53) * center;
        for x in [0.0, n as f64 / 2.0] {
            worst = worst.max((tables.kappa[domain] - own * x * x).abs());
        }
    }
    let (linear, allowed) = (budget.linear.get(), (budget.linear + budget.tables).get());
    assert!(outside > 0 && worst > linear * 1.001 && worst <= allowed, "{worst:e}: {linear:e} {allowed:e}");
}

/// A walk is refused where slopes may move by more than lengths allow for, and where domains are
/// smaller than their proof.
#[test]
fn walks_whose_slopes_may_jump_are_refused() {
    let coefficients = vec![(0, 0), (1, 3), (1, 40)];
    let spec = generators::Spec { coefficients, arguments: 1 << 14, center: 0, tolerance_bits: 40, slack: 0 };
    let layout = |n| WalkLayout::new(&spec.piece(), 8, Some(n), CostTable::default()).unwrap();
    assert_eq!([2, 4, 6].map(|n| layout(n).is_valid()), [false, true, true]);
    let valid = layout(1 << 10);
    assert!(valid.is_valid());
    // short domains have small orders, but lanes take steps below 2^-13 only
    let short = layout(8);
    for (bits, is_valid) in [(-13, true), (-12, false)] {
        let budget = ErrorBudget { dropped: Upper::power_of_two(bits), ..short.partition.budget };
        let layout = WalkLayout { partition: Partition { budget, ..short.partition }, ..short };
        assert_eq!(layout.is_valid(), is_valid, "{:?}", layout.partition.slope_step(layout.most));
    }
    // whatever line of the budget it is that a slope may be wrong by
    let neglected = Upper::new(0.06);
    for budget in [
        ErrorBudget { tables: neglected, ..valid.partition.budget },
        ErrorBudget { dropped: neglected, ..valid.partition.budget },
        ErrorBudget { quantization: neglected, ..valid.partition.budget },
        ErrorBudget { linear: Upper::new(0.25), ..valid.partition.budget },
    ] {
        let layout = WalkLayout { partition: Partition { budget, ..valid.partition }, ..valid };
        assert!(!layout.is_valid(), "{budget:?}");
    }
}

/// Slopes as steep as a plan allows, over long runs: eight fractions of order M in a step, so that
/// pairs lag behind and get stuck. They stay bases, to the last bit, and their lengths stay where
/// Corollary W.32 and Lemma W.33 of docs/proofs/walk.md show them to be.
#[test]
#[cfg_attr(miri, ignore = "long runs")]
fn pairs_that_lag_stay_exact() {
    for level in Level::with_pairs() {
        for (n, gamma) in [(256, 3.5), (300, 3.58), (1000, 3.5), (1024, 2.5), (4096, 3.58)] {
            let slopes = std::array::from_fn(|lane| ((lane as u64) << 61) + 12_345);
            let spec = Spec { slopes, ..Spec::plain(n, gamma, -40, 6000) };
            let constants = spec.constants().unwrap();
            let (flagged, _) = spec.flagged(level, &constants);
            assert!(!flagged.is_empty());
            for domain in flagged {
                let [u, v, p, q] = integers(&domain);
                assert_eq!(u * q + v * p, 1 << 52, "{level}, {n}");
                let most = (1.64 * UNIT) as i128;
                assert!(0 <= p && p < most && -most < q && q < most, "{level}, {n}: {p} {q}");
            }
        }
    }
}
