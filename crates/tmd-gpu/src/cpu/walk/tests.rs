//! The walk's twin against brute force, in its own integers.

use super::*;
use proptest::prelude::*;
use tmd_core::walk::{contract::max_order, order};
use tmd_testkit::generators::{gammas, slopes};

/// So many units of 2^-60, below 8 of them.
const fn length(units: u64) -> Length {
    Length::of_units(units as i64)
}

/// The constants of these numbers.
const fn constants_of(half_domain: u32, order: u32, half_width: u64, acceptance: u64) -> WalkConstants {
    let (half_domain, order) = (units::Count(half_domain), units::Count(order));
    WalkConstants::new(half_domain, order, length(half_width), length(acceptance))
}

/// `u·q + v·p`, exactly.
fn determinant(pair: Pair) -> i128 {
    let LatticeBasis { u, p, v, q, .. } = pair.basis();
    i128::from(u) * q + i128::from(v) * p
}

/// A run of domains: slope, its steps, heights, second difference.
#[derive(Clone, Debug)]
struct Spec {
    half_domain: u32,
    order: u32,
    acceptance: u64,
    steps: u32,
    /// the seven entries
    entries: [u64; 7],
    /// M in quarters of what the condition asks for
    quarters: u32,
}

fn specs() -> impl Strategy<Value = Spec> {
    (
        128u32..1500,
        gammas(),
        slopes(),
        any::<[u64; 2]>(),
        10u32..45,
        1u32..40,
        prop_oneof![6 => Just(4u32), 1 => Just(1u32), 1 => Just(8u32)],
    )
        .prop_map(|(half_domain, gamma, slope, [beta, next], bits, steps, quarters)| {
            let n = 2.0 * f64::from(half_domain);
            let curvature = gamma / (n * n * n);
            // −2cN², in units of 2^-64, and the slopes' step 2cN
            let second = ((2.0 * curvature * n * n * 2f64.powi(64)) as u64).wrapping_neg();
            let step = (2.0 * curvature * n * 2f64.powi(64)) as u64;
            let acceptance = ONE >> bits;
            let h = curvature * n * n / 8.0 + 2f64.powi(-(bits as i32)) + 2f64.powi(-55);
            let n = 2 * u64::from(half_domain);
            let order = order(n, h).unwrap_or(max_order(n)) as u32;
            // any heights will do, but that Δ² is used for the curvature
            let entries = [beta, next, second, 0, slope, step, 0];
            Spec { half_domain, order, acceptance, steps, entries, quarters }
        })
}

impl Spec {
    fn constants(&self) -> WalkConstants {
        let curvature = self.curvature(&constants_of(self.half_domain, 1, 0, 0));
        let half_width = curvature.kappa.magnitude() + self.acceptance + 1;
        let order = (self.order * self.quarters / 4).clamp(1, (ONE / half_width / 9 * 8) as u32);
        let constants = constants_of(self.half_domain, order, half_width, self.acceptance);
        WalkConstants { runs: 1, steps: self.steps, ..constants }
    }

    fn tables(&self) -> Vec<u32> {
        self.entries.iter().flat_map(|&entry| [entry as u32, (entry >> 32) as u32]).collect()
    }

    fn curvature(&self, constants: &WalkConstants) -> Curvature {
        Curvature::new(units::Length::of_fraction(self.entries[2]), constants)
    }
}

/// The steps with an argument whose parabola is within acc of an integer, by the definition.
fn brute(spec: &Spec, constants: &WalkConstants) -> Vec<u32> {
    let curvature = spec.curvature(constants);
    let half_domain = constants.half_domain.0 as i32;
    let mut hits = Vec::new();
    let [mut b0, mut b1, b2, _, mut a0, a1, _] = spec.entries;
    b0 = b0.wrapping_sub(curvature.kappa.in_tables().fraction());
    for step in 0..spec.steps {
        let (slope, beta) = (a0 >> BELOW, b0 >> BELOW);
        let is_hit = (-half_domain..=half_domain).any(|x| {
            // β − a·x mod 1, in (−1/2, 1/2]
            let off = (beta.wrapping_sub(slope.wrapping_mul(x as u64)) << BELOW) as i64 >> BELOW;
            let g = curvature.square(x, constants).units() - curvature.kappa.units() - off;
            g.abs() <= constants.acceptance.units()
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

fn flagged_domains(spec: &Spec, constants: &WalkConstants) -> Vec<Flagged> {
    let mut flagged = Vec::new();
    walk(constants, 0, &spec.tables(), |domain| flagged.push(domain));
    flagged
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn every_hit_is_flagged(spec in specs()) {
        let constants = spec.constants();
        let flagged: Vec<_> = flagged_domains(&spec, &constants).iter().map(|domain| domain.step).collect();
        for step in brute(&spec, &constants) {
            prop_assert!(flagged.contains(&step), "step {} of {:?}", step, constants);
        }
    }

    /// The pair is a basis of the lattice of its slope, for any order.
    #[test]
    fn pairs_stay_bases(spec in specs()) {
        let constants = spec.constants();
        for domain in flagged_domains(&spec, &constants) {
            let slope = (0..u64::from(domain.step)).fold(spec.entries[4], |a, _| a.wrapping_add(spec.entries[5]));
            prop_assert_eq!(determinant(domain.pair()), i128::from(ONE));
            let is_point = |x: i64, y: Length| {
                (((slope >> BELOW).wrapping_mul(x as u64)).wrapping_sub(y.units() as u64) << BELOW) == 0
            };
            prop_assert!(is_point(domain.u.0.into(), domain.p) && is_point(-i64::from(domain.v.0), domain.q));
        }
    }

    /// `2κ·x²/(N/2)²`, never above and below by no more than said.
    #[test]
    fn squares(kappa in 0..1u64 << 55, half_domain in 128u32..1 << 23, x in any::<u32>()) {
        let constants = constants_of(half_domain, 1, 0, 0);
        let curvature = Curvature::of_kappa(length(kappa), &constants);
        for x in [x % (half_domain + 1), half_domain, 0, 1] {
            let square = curvature.square(-(x as i32), &constants);
            prop_assert_eq!(square, curvature.square(x as i32, &constants));
            let exact = 2.0 * kappa as f64 * (f64::from(x) / f64::from(half_domain)).powi(2);
            let off = exact - square.units() as f64;
            prop_assert!(off >= -1e-15 * exact - 1.0 && off <= kappa as f64 * 2f64.powi(-30) * (1.0 + 1e-9) + 3.0, "{} at {}", off, x);
        }
    }
}

/// How a slope moves, in shares of δ.
#[derive(Clone, Copy, Debug)]
enum Move {
    Up(f64),
    Unit,
    /// to this far below the largest so far, if it is not there yet
    Below(f64),
}

/// A walk at the limits of Theorem G.6: N/2, M, h, the step δ of the slopes, of which some stand
/// still or shrink, by a unit or by all that they may: never more than δ below the largest before.
fn limits() -> impl Strategy<Value = (WalkConstants, u64, Vec<u64>)> {
    let half_domain = prop_oneof![128u32..1024, 128u32..1 << 23, Just(128), Just(1 << 23)];
    let order = prop_oneof![0.05..2.5f64, Just(2.499)]; // M, in N/2
    let half_width = prop_oneof![0.0..1.0f64, Just(0.0), Just(0.999)];
    let delta = prop_oneof![0.0..1.0f64, 0.0..0.01f64, Just(1.0)];
    let slope = prop_oneof![
        4 => any::<u64>(),
        3 => (0u64..300, 1u64..300, 0u32..60).prop_map(|(m, u, near)| {
            (((u128::from(m % u) << 60) / u128::from(u)) as u64).wrapping_sub(1 << near)
        }),
        1 => Just(0),
    ];
    let moves = prop_oneof![
        6 => Just(Move::Up(1.0)),
        1 => (0.0..1.0f64).prop_map(Move::Up),
        1 => Just(Move::Unit),
        1 => (0.0..=1.0f64).prop_map(Move::Below),
    ];
    let moves = prop::collection::vec(moves, 1..300);
    (half_domain, order, half_width, delta, slope, moves).prop_map(
        |(half_domain, order, half_width, delta, slope, moves)| {
            let order = (f64::from(half_domain) * order) as u32;
            let half_width = (((ONE - 1) / u64::from(order)) as f64 * half_width) as u64;
            let m = f64::from(order);
            let crossings = f64::from(MOST_CROSSINGS) / (m * m) * ONE as f64;
            let longest = (ONE / 8 / u64::from(order)).min(crossings as u64);
            // no more than that, whatever floats round to
            let most = ((longest as f64 * delta) as u64).min(longest);
            let share = |part: f64| ((most as f64 * part) as u64).min(most);
            // below the largest slope so far, and that one, not reduced
            let (mut behind, mut top) = (0u64, slope % ONE);
            let slopes = moves.into_iter().map(|step| {
                let up = match step {
                    Move::Up(part) => share(part),
                    Move::Unit => {
                        behind = most.min(behind + 1);
                        0
                    }
                    Move::Below(part) => {
                        behind = behind.max(share(part));
                        0
                    }
                };
                top = (top + up.saturating_sub(behind)) % ONE;
                behind = behind.saturating_sub(up);
                top.wrapping_sub(behind) % ONE
            });
            (constants_of(half_domain, order, half_width, 0), slope % ONE, slopes.collect())
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// Lengths do not wrap around, nor does the distance of a point that decides: the pair is a
    /// basis after every step.
    #[test]
    fn lengths_stay_in_range((constants, slope, slopes) in limits()) {
        let (curvature, slope) = (Curvature::of_kappa(Length::ZERO, &constants), length(slope));
        let mut run = Run { constants: &constants, curvature, pair: start_pair(slope, constants.order), slope };
        for slope in slopes {
            run.domain(length(slope), length(slope ^ (ONE / 3)));
            prop_assert_eq!(determinant(run.pair), i128::from(ONE), "{:?}", run.pair);
            let Pair { p, q, .. } = run.pair;
            prop_assert!(p.magnitude().max(q.magnitude()) < 6 * ONE, "{:?}", run.pair);
        }
    }
}

/// A slope that steps back behind its left neighbor leaves a basis with a negative length; what it
/// takes back, it gives again.
#[test]
fn slopes_that_step_back() {
    let constants = constants_of(1 << 10, 1100, ONE >> 14, 0);
    let (slope, most) = (length(ONE / 2), ONE / (8 * 1100));
    let pair = start_pair(slope, constants.order);
    assert_eq!((pair.u.0, pair.p), (2, Length::ZERO));
    let curvature = Curvature::of_kappa(Length::ZERO, &constants);
    for back in [1, 1 << 20, most / 2, most].map(length) {
        let mut run = Run { constants: &constants, curvature, pair, slope };
        run.domain(slope.minus(back), Length::ZERO);
        assert_eq!((run.pair.u.0, run.pair.p.units()), (2, -2 * back.units()));
        assert_eq!((run.pair.v, run.pair.q), (pair.v, pair.q.plus(back.times(pair.v))));
        run.domain(slope, Length::ZERO);
        assert_eq!(run.pair, pair);
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
            let lengths = [domain.p, domain.q].map(Length::magnitude);
            lengths[0].min(lengths[1]) <= 2 * constants.half_width.magnitude()
        };
        domains += spec.steps;
        hits += found.len();
        let flagged = flagged_domains(&spec, &constants);
        others += flagged.iter().filter(|domain| !is_dense(domain) && !found.contains(&domain.step)).count();
    }
    assert!(domains > 10_000 && hits > 1000, "{domains} domains, {hits} hits");
    assert!(others < domains as usize / 100, "{others} flagged for nothing of {domains}");
}
