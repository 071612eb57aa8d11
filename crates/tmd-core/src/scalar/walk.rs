//! The Farey walk in exact integers: the oracle of the lane-packed walks.
//!
//! Neighboring domains have nearly the same slope, so the lattice basis of one domain is moved on
//! to the next instead of being computed anew ([`FareyWalk::advance`], in either direction). The
//! basis gives the few lattice points that lie near the domain's line ([`LatticeBasis::near`]); of
//! each the parabola is known, so it is a candidate or it is not: there is no refined test and no
//! tabulation.
//!
//! Source: our own; the proof is in docs/proofs/walk.md, Lemmas W.20 to W.24.

use std::time::Instant;

use tmd_contfrac::{FareyWalk, LatticeBasis, Rotation};
use tmd_difftable::{Upper, power_of_two};

use super::{
    generate::Generator,
    parabola::{Parabola, high},
};
use crate::{
    CoreError, ErrorBudget, Interrupt, Piece, PieceOutcome, WalkPlan, Window, candidates,
    partition::{OneLevel, Partition},
    walk::{
        MIN_DOMAIN, WalkCosts,
        contract::PairContract,
        units::{Count, Length},
    },
};

/// Costs of this engine, roughly.
const COSTS: WalkCosts = WalkCosts { domain: 250.0, dense: 100.0, point: 100.0, least: MIN_DOMAIN };

/// Smaller domains are not walked over: N²/16 − N/2 + 1/2 ≥ 0 from 7 on.
const SMALLEST_DOMAIN: u64 = 7;

/// Turns of the slope in one step, times M², beyond which the pair is computed anew instead of
/// crossing by crossing.
const LONG_STEP: f64 = 64.0;

/// Arguments per domain that suit a walk over `piece`, or `None` if it bends too much.
pub(super) fn domain_size(piece: &Piece) -> Option<u64> {
    let curvature = piece.derivatives(Upper::ZERO).get(2).copied().unwrap_or(Upper::ZERO);
    // the tables and what they drop are kept well below ε
    let acceptance = |_| Upper::new(2.0) * piece.half_width();
    WalkPlan::cheapest(curvature, acceptance, piece.arguments(), COSTS).map(|plan| plan.domain)
}

/// The budget of a walk over this partition, or `None` if its curvature is too large or its windows
/// the whole circle.
///
/// A walk's line lies κ beside the tangent at argument ⌊N/2⌋, so that the parabola strays by
/// `|r_2|·N²/16` from it, a little more than from the chord of the existence tests. Of `|r_2|` the
/// partition's second difference leaves out the differences `d` that the tables drop: they move the
/// line by `d·(7N²/16 − N + 1/2)`, for which the budget's line of dropped terms has
/// `d·(N − 1)(N − 2)/2`; that is enough from [`SMALLEST_DOMAIN`] on.
pub(super) fn budget(partition: &Partition<OneLevel>) -> Option<ErrorBudget> {
    if partition.domain < SMALLEST_DOMAIN {
        return None;
    }
    let size = Upper::of_integer(partition.domain);
    let linear = partition.tables.second_difference * size * size * Upper::new(1.0 / 16.0);
    let budget = ErrorBudget { linear, refined: Upper::ZERO, ..partition.budget };
    (partition.tables.is_linear && Window::new(budget.test_half_width()).is_some()).then_some(budget)
}

/// Searches the whole piece against the [`budget`] of its partition.
pub(super) fn search(
    piece: &Piece,
    partition: &Partition<OneLevel>,
    budget: ErrorBudget,
    interrupt: &Interrupt,
) -> Result<PieceOutcome, CoreError> {
    let mut outcome = PieceOutcome { budget, domain_size: partition.domain, ..PieceOutcome::default() };
    let (Some(line), Some(accepted)) =
        (Window::new(budget.test_half_width()), Window::new(budget.exhaust_half_width()))
    else {
        return Err(CoreError::DomainSize { size: partition.domain });
    };
    let generator = Generator::new(piece, partition);
    let mut walk = SlopeWalk::new(partition.domain);
    let mut parabolas = Vec::new();
    for run in partition.runs_of_one_lane(piece) {
        interrupt.check()?;
        let started = Instant::now();
        generator.run(run.clone(), &mut parabolas);
        let generated = Instant::now();
        for (domain, parabola) in run.zip(&parabolas) {
            let arguments = partition.arguments(piece, domain);
            let mut points = 0;
            walk.points(parabola, line, |x| {
                points += 1;
                let k = arguments.start + x;
                if k < arguments.end && accepted.holds(high(parabola.shifted(x).r0)) {
                    outcome.candidates.push(k);
                }
            });
            outcome.phases.test.domains_out += u64::from(points > 0);
            outcome.phases.exhaust.arguments_in += points;
            candidates::check(&outcome.candidates, piece.arguments())?;
        }
        let phases = &mut outcome.phases;
        phases.generate.domains_in += parabolas.len() as u64;
        phases.generate.time += generated - started;
        phases.test.time += generated.elapsed();
    }
    let phases = &mut outcome.phases;
    phases.generate.domains_out = phases.generate.domains_in;
    phases.test.domains_in = phases.generate.domains_in;
    phases.exhaust.domains_in = phases.test.domains_out;
    phases.exhaust.domains_out = outcome.candidates.len() as u64;
    (phases.generate.arguments_in, phases.test.arguments_in) = (piece.arguments(), piece.arguments());
    outcome.candidates.sort_unstable();
    Ok(outcome)
}

/// A Farey pair following the slopes of consecutive domains.
struct SlopeWalk {
    /// arguments per domain
    n: Count<u64>,
    order: Count<u64>,
    /// where it stands
    pair: Option<FareyWalk>,
}

impl SlopeWalk {
    fn new(n: u64) -> Self {
        // the order of a straight line, or a little more: see `WalkPlan`
        Self { n: Count(n), order: Count(n / 2 + n / 16 + 1), pair: None }
    }

    /// Calls `found(x)` for arguments `x` of the domain, counted from its first, among them all
    /// whose value on the parabola may be within `line`, the half-width around the segment that
    /// lies `κ` beside the tangent.
    fn points(&mut self, parabola: &Parabola, line: Window, mut found: impl FnMut(u64)) {
        let n = self.n.0;
        let half_domain = n / 2; // the center's number; for odd n the domain reaches one argument less to the right
        let centered = parabola.shifted(half_domain);
        // R(half_domain + x) = r0 + r1·x + r2·x(x − 1)/2: slope r1 − r2/2, curvature r2/2 of the
        // real representative of r2
        let curvature = parabola.r2 as i128;
        let slope = Length::of_fraction(high(centered.r1.wrapping_sub((curvature >> 1) as u128)));
        let square = u128::from(n) * u128::from(n); // κ = (r2/2)·n²/8
        let kappa = ((curvature >> 4) as u128).wrapping_mul(square);
        let beta = Length::of_fraction(high(centered.r0.wrapping_add(kappa)).wrapping_neg());
        let walk = self.at(slope);
        let basis = LatticeBasis::of(&walk);
        debug_assert_eq!(PairContract::EXACT.violation(self.order.0, &basis), None, "{basis:?}");
        basis.near(i128::from(beta.fraction()), half_domain as i64, i128::from(line.half()), |x, _| {
            found((half_domain as i64 + x) as u64); // |x| ≤ half_domain
        });
    }

    /// The walk at this slope.
    fn at(&mut self, slope: Length<64>) -> FareyWalk {
        let rotation = Rotation::from_q64(slope.fraction());
        let moved = self.pair.take().and_then(|mut walk| {
            // the shorter way around the circle; rotations of 64 bits hold slopes below 2^64
            let delta = slope.step_from(Length::of_fraction(walk.rotation().a() as u64));
            let long = delta.magnitude() as f64 * power_of_two(-64) * (self.order.0 as f64).powi(2);
            (long <= LONG_STEP && walk.advance(i128::from(delta.units())).is_ok()).then_some(walk)
        });
        #[expect(clippy::expect_used, reason = "an order between 1 and 2^32 is valid")]
        let walk = moved.unwrap_or_else(|| FareyWalk::new(rotation, self.order.0).expect("a valid order"));
        self.pair = Some(walk);
        walk
    }
}

#[cfg(test)]
mod model;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Along a walk over curved domains of any size every argument near an integer is found: Δ
        /// of either sign, jumps, straight domains.
        #[test]
        fn no_argument_is_lost(
            n in 1u64..400, r in any::<[u128; 2]>(), curvature in any::<i128>(), shift in 8u32..127, bits in 3i32..20,
            steps in 1usize..12,
        ) {
            let r2 = curvature >> shift.max(2);
            let mut parabola = Parabola { r0: r[0], r1: r[1], r2: r2 as u128 };
            let kappa = (r2 as f64).abs() * power_of_two(-128) * (n * n) as f64 / 16.0;
            let width = Upper::new(kappa) + Upper::power_of_two(-bits) + Upper::power_of_two(-60);
            let (Some(line), Some(accepted)) = (Window::new(width), Window::new(Upper::power_of_two(-bits))) else {
                return Ok(());
            };
            let mut walk = SlopeWalk::new(n);
            for _ in 0..steps {
                let mut found = vec![];
                walk.points(&parabola, line, |x| found.push(x));
                for x in (0..n).filter(|&x| accepted.holds(high(parabola.shifted(x).r0))) {
                    prop_assert!(found.contains(&x), "argument {x} of {n} is lost");
                }
                parabola = parabola.shifted(n);
            }
        }
    }

    #[test]
    fn sizes_follow_the_curvature() {
        use tmd_difftable::{Fixed, Polynomial};
        let piece = |c2: Upper| {
            let polynomial = Polynomial::new(vec![Fixed::ZERO; 3]);
            let magnitudes = vec![Upper::ONE, Upper::ONE, c2];
            Piece::new(polynomial, magnitudes, 1 << 40, 0, Upper::power_of_two(-33), Upper::ZERO, Upper::ZERO)
        };
        let size = |c2| domain_size(&piece(c2).unwrap());
        let (near, far) = (size(Upper::power_of_two(-54)).unwrap(), size(Upper::power_of_two(-39)).unwrap());
        assert!(near > 16 * far && far > 1 << 11, "{near} and {far}");
        assert_eq!(size(Upper::new(0.25)), None);

        // what row 2 drops is paid for by what all rows drop: in 16ths
        let (line, paid) = (|n: u64| 7 * n * n + 8 - 16 * n, |n: u64| 8 * (n - 1) * (n - 2));
        assert!(
            (SMALLEST_DOMAIN..1000).all(|n| line(n) <= paid(n))
                && line(SMALLEST_DOMAIN - 1) > paid(SMALLEST_DOMAIN - 1)
        );
        for (n, is_walked) in [(SMALLEST_DOMAIN - 1, false), (SMALLEST_DOMAIN, true)] {
            let parts = crate::scalar::partition(&piece(Upper::power_of_two(-54)).unwrap(), Some(n)).unwrap();
            assert_eq!((parts.domain, budget(&parts).is_some()), (n, is_walked));
        }
    }
}
