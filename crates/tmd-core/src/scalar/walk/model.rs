//! The bridge to the machine-checked proofs: the walk and the verdict of `proofs/Walk.v`,
//! transcribed (`tmd_testkit::walk_model`), beside the exact walk, domain by domain.
//!
//! The bases are the same. Where the model's verdict is *clear* (Definition W.4) the walk keeps no
//! argument, as Theorem W.14 says; where a point of the model's two lines is within the tolerance,
//! the walk keeps that argument. The model's half-width is the least that its hypotheses bear, so a
//! walk with a smaller one loses arguments here.

use super::*;
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use tmd_testkit::walk_model::{Basis, Domain};

/// The circle, D, of the walk's slopes and heights.
const D: i128 = 1 << 64;

/// Domains of one walk.
const STEPS: u64 = 25;

/// Walks of the tests that always run, and of the long ones: 2·10^6 and 10^7 domains.
const WALKS: u64 = 80_000;
const LONG_WALKS: u64 = 400_000;

/// Consecutive domains of one parabola.
#[derive(Clone, Debug)]
struct Spec {
    n: u64,
    r0: u128,
    r1: u128,
    /// γ, the curvature times n³, with its sign
    gamma: f64,
    /// accepted arguments per domain, about
    kept: f64,
}

fn specs() -> impl Strategy<Value = Spec> {
    let sizes = prop_oneof![7u64..200, 200u64..20_000];
    let gammas = prop_oneof![Just(0.0), -3.0..3.0, -0.1..0.1];
    let numbers = (sizes, any::<u128>(), any::<u128>(), gammas, 0.01f64..0.6);
    numbers.prop_map(|(n, r0, r1, gamma, kept)| Spec { n, r0, r1, gamma, kept })
}

/// What the domains come to.
#[derive(Debug, Default)]
struct Tally {
    domains: u64,
    clear: u64,
    /// arguments that the model is sure of, all found
    sure: u64,
    /// domains with more lines than two, or with several points on one
    dense: u64,
}

fn beside(spec: &Spec, tally: &mut Tally) -> Result<(), TestCaseError> {
    let size = spec.n as f64;
    // a multiple of 16, of which halves and sixteenths are exact
    let curvature = (spec.gamma / size.powi(3) * power_of_two(128)) as i128 & !15;
    let kappa = (curvature / 16) * i128::from(spec.n) * i128::from(spec.n);
    let accepted = Upper::new(spec.kept / (2.0 * size));
    // what rounding slopes and heights down may lose, in units of 2^-64: a slope is off by one unit
    // at most, as often as an argument is far from the center
    let lost = i128::from(spec.n / 2) + 3;
    let line = Upper::new(kappa.unsigned_abs() as f64 * power_of_two(-128))
        + accepted
        + Upper::new(lost as f64 * power_of_two(-64));
    let (Some(line), Some(accepted)) = (Window::new(line), Window::new(accepted)) else { return Ok(()) };
    let half = i128::from(spec.n / 2);
    let mut parabola = Parabola { r0: spec.r0, r1: spec.r1, r2: curvature as u128 };
    let mut walk = SlopeWalk::new(spec.n);
    let mut model: Option<(Basis, i128)> = None;
    for _ in 0..STEPS {
        let mut found = vec![];
        walk.points(&parabola, line, |x| {
            if x < spec.n && accepted.holds(high(parabola.shifted(x).r0)) {
                found.push(x);
            }
        });
        let own = walk.pair.unwrap();

        // the model's slope, beta and κ, from the parabola about the domain's center
        let center = parabola.shifted(spec.n / 2);
        let slope = i128::from(high(center.r1.wrapping_sub((curvature / 2) as u128)));
        let beta = i128::from(high(center.r0.wrapping_add(kappa as u128)).wrapping_neg());
        let basis = match model {
            // as far as the walk goes crossing by crossing
            Some((basis, before)) => {
                let delta = (slope - before + D / 2).rem_euclid(D) - D / 2;
                let is_long = delta.unsigned_abs() as f64 * power_of_two(-64) * (walk.order.0 as f64).powi(2)
                    > LONG_STEP;
                if is_long { Basis::of(&own) } else { basis.walked(delta, walk.order.0.into()) }
            }
            None => Basis::of(&own),
        };
        prop_assert_eq!(
            [basis.u, basis.v, basis.p, basis.q],
            [i128::from(own.u()), i128::from(own.v()), own.p() as i128, own.q() as i128]
        );
        // the model's slope is not reduced to the circle, its numerators say by how much
        let turns = (basis.m1 - Basis::of(&own).m1).div_euclid(basis.u);
        prop_assert!(basis.is_valid(D, slope + turns * D), "{:?}, slope {}", basis, slope);
        model = Some((basis, slope));

        let (first, sign) = basis.shorter_first();
        let h = (kappa.abs() >> 64) + 1 + i128::from(accepted.half()) + lost;
        let domain = Domain { circle: D, half, beta, h };
        // g of Walk.v, in units of 2^-128; it and the value that the walk accepts are `lost` apart.
        // Points of the lines may be far outside of the domain, where it is large.
        let g = |x: i128, y: i128| {
            (curvature / 2).saturating_mul(x * x).saturating_sub(kappa + ((beta - y) << 64))
        };
        let is_off = |x: i128, y: i128| {
            (y - beta).abs() > h || g(x, y).saturating_abs() > (i128::from(accepted.half()) + lost) << 64
        };
        tally.domains += 1;
        if domain.is_clear(&first, is_off) {
            tally.clear += 1;
            prop_assert!(found.is_empty(), "{:?} is clear, and holds {:?}", domain, found);
        } else if domain.spread(&first) >= D || !domain.is_thin(&first) {
            tally.dense += 1;
        } else {
            for (x, y) in domain.lines(&first).map(|t| domain.nearest(&first, t)) {
                let x = half + sign * x;
                let is_sure = (y - beta).abs() <= h
                    && (0..i128::from(spec.n)).contains(&x)
                    && g(x - half, y).abs() <= (i128::from(accepted.half()) - lost) << 64;
                if is_sure {
                    tally.sure += 1;
                    prop_assert!(found.contains(&(x as u64)), "{:?}: argument {} is lost", domain, x);
                }
            }
        }
        parabola = parabola.shifted(spec.n);
    }
    Ok(())
}

/// 2·10^6 domains, or with `TMD_LONG` 10^7.
#[test]
fn the_exact_walk_is_its_model() {
    let walks = if cfg!(miri) {
        2
    } else if tmd_testkit::is_long() {
        LONG_WALKS
    } else {
        WALKS
    };
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut tally = Tally::default();
    for _ in 0..walks {
        let spec = specs().new_tree(&mut runner).unwrap().current();
        if let Err(error) = beside(&spec, &mut tally) {
            panic!("{error}\n{spec:?}");
        }
    }
    // most domains have a verdict, of either kind
    let Tally { domains, clear, sure, dense } = tally;
    assert!(cfg!(miri) || domains > 20 * walks, "{tally:?}");
    assert!(cfg!(miri) || clear > domains / 3 && sure > domains / 20 && dense < domains / 3, "{tally:?}");
}
