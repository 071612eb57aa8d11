//! The bridge to the machine-checked proofs: `proofs/Lattice.v`, transcribed
//! (`tmd_testkit::walk_model`), beside the walk and the enumeration as they are. The verdict, and
//! millions of domains one after the other: `tmd-core::scalar::walk`.
//!
//! The model's basis keeps the numerators, so that its definition (Definition W.1) can be looked at
//! in every step. What the code makes of a basis must be what the model makes of it: sheared, then
//! crossed as often as the slope passed a neighbor.

use proptest::prelude::*;
use tmd_contfrac::{FareyWalk, LatticeBasis, Rotation};
use tmd_testkit::walk_model::Basis;

fn ceil_div(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

/// `visits` of the chapter: the lines, and the places on each, whose points Theorem W.11 says are
/// the box's.
fn visited(b: &Basis, d: i128, x: i128, beta: i128, h: i128) -> Vec<(i128, i128)> {
    let spread = b.p.abs() * x + b.u.abs() * h;
    let mut points = Vec::new();
    for t in ceil_div(b.u * beta - spread, d)..=(b.u * beta + spread).div_euclid(d) {
        let (mut first, mut last) = (ceil_div(t * b.v - x, b.u), (t * b.v + x).div_euclid(b.u));
        let off = beta - t * b.q;
        if b.p == 0 {
            if off.abs() > h {
                continue;
            }
        } else {
            first = first.max(ceil_div(off * b.p.signum() - h, b.p.abs()));
            last = last.min((off * b.p.signum() + h).div_euclid(b.p.abs()));
        }
        points.extend((first..=last).map(|s| (s * b.u - t * b.v, s * b.p + t * b.q - beta)));
    }
    points.sort_unstable();
    points
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Fifty steps of a walk, of either direction: the same basis as the model's, and valid.
    #[test]
    fn the_walk_is_its_model(
        log_modulus in 1u32..=64, a in any::<u64>(), order in 1u64..5000, start in any::<i64>(), drift in any::<i64>(),
        shift in 0u32..63,
    ) {
        let d = 1i128 << log_modulus;
        let modulus = d as u128;
        let mut walk = FareyWalk::new(Rotation::new(u128::from(a) % modulus, modulus).unwrap(), order).unwrap();
        let mut model = Basis::of(&walk);
        let (mut delta, step) = (i128::from(start) >> shift, i128::from(drift) >> (shift + 3).min(63));
        for _ in 0..50 {
            let delta_here = delta % (d / 2 + 1);
            // a step of 64 turns through all neighbors of the order at most: the oracle of a walk,
            // not of its speed
            let turns = delta_here.abs() as f64 / d as f64 * (order as f64).powi(2);
            if turns > 1e4 {
                break;
            }
            walk.advance(delta_here).unwrap();
            model = model.walked(delta_here, i128::from(order));
            let own = Basis::of(&walk);
            prop_assert_eq!([own.u, own.v, own.p, own.q], [model.u, model.v, model.p, model.q]);
            // the slope of the model is not reduced to the circle: turns of m1/u and m2/v by whole
            // circles
            let slope = walk.rotation().a() as i128;
            let turns = (model.m1 - own.m1).div_euclid(model.u);
            prop_assert!(model.is_valid(d, slope + turns * d), "{:?}, slope {}", model, slope);
            prop_assert!(own.is_valid(d, slope));
            delta += step;
        }
    }

    #[test]
    fn enumeration_is_its_model(
        log_modulus in 1u32..=60, a in any::<u64>(), order in 1u64..200, beta in any::<i64>(), half in 0i64..200,
        shift in 3u32..63, crossings in 0usize..3,
    ) {
        let d = 1i128 << log_modulus;
        let walk = FareyWalk::new(Rotation::new(u128::from(a) % d as u128, d as u128).unwrap(), order).unwrap();
        let mut model = Basis::of(&walk);
        for _ in 0..crossings {
            let k = (i128::from(order) + model.u).div_euclid(model.v);
            if k * model.v > model.u {
                model = model.crossed(k);
            }
        }
        let (beta, h) = (i128::from(beta) % d, (d >> shift.min(log_modulus)).max(1));
        // the code takes the vector of the smaller length first: Lemma W.6
        let (first, sign) = model.shorter_first();
        let mut expected: Vec<_> =
            visited(&first, d, i128::from(half), beta, h).into_iter().map(|(x, y)| (sign * x, y)).collect();
        expected.sort_unstable();
        let basis = LatticeBasis { u: model.u as i64, p: model.p, v: model.v as i64, q: model.q, modulus: d };
        let mut found = Vec::new();
        basis.near(beta, half, h, |x, off| found.push((i128::from(x), off)));
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
