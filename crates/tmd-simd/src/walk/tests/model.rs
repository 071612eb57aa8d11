//! The bridge to the machine-checked proofs: the walk of `proofs/Lattice.v` and the verdict of
//! `proofs/Walk.v`, transcribed, step by step beside the lanes: the same bases to the last bit, and
//! no domain without a flag that the model does not call clear.

use super::*;
use tmd_testkit::walk_model::{Basis, Domain};

/// The circle, D.
const D: i128 = 1 << 52;

/// The model's basis where a lane stands.
fn of(pairs: &Pairs, lane: usize, slope: i128) -> Basis {
    let [u, v] = [pairs.u[lane] as i128, pairs.v[lane] as i128];
    let [p, q] = [pairs.p[lane], pairs.q[lane]].map(|x| (x * UNIT) as i128);
    Basis { u, v, p, q, m1: (slope * u - p) / D, m2: (slope * v + q) / D }
}

/// The vector that the lanes take first, and the sign of x: where a pair is behind its slope, a
/// length is negative, and counts as short.
fn shorter_first(basis: Basis) -> (Basis, i128) {
    if basis.p <= basis.q.abs() { (basis, 1) } else { (basis.mirrored(), -1) }
}

/// `spread` of the chapter, rounded as the lanes do, in units of the circle.
fn rho(basis: &Basis, constants: &Constants) -> f64 {
    let (first, _) = shorter_first(*basis);
    (first.p.abs() as f64 / UNIT).mul_add(constants.half_domain, first.u as f64 * constants.half_width)
}

/// What a run of all lanes comes to: domains, flags, flags that the model would not have set.
#[derive(Default)]
struct Tally {
    domains: u64,
    flagged: u64,
    needless: u64,
}

fn beside(spec: &Spec, level: Level, tally: &mut Tally) -> Result<(), TestCaseError> {
    let Some(constants) = spec.constants() else { return Ok(()) };
    let tables = spec.tables();
    let mut pairs = spec.pairs(&constants);
    let mut models: [Basis; MAX_LANES] =
        std::array::from_fn(|lane| of(&pairs, lane, i128::from(pairs.slope[lane] >> 12)));
    let mut flagged = Vec::new();
    let width = walk(level, &constants, &tables, &mut pairs, spec.steps, &mut flagged);

    let (half, h) = (i128::from(spec.n / 2), (constants.half_width * UNIT) as i128);
    let mut slopes: [_; MAX_LANES] = std::array::from_fn(|lane| tables.slope.map(|row| row[lane]));
    let mut betas: [_; MAX_LANES] = std::array::from_fn(|lane| tables.beta.map(|row| row[lane]));
    let mut moved = [0i128; MAX_LANES];
    let mut flags = flagged.iter().peekable();
    for step in 0..spec.steps {
        // the lanes' step, with as many crossings as it takes them
        for lane in 0..width {
            let slope = i128::from(slopes[lane][0] >> 12);
            // what the circle's turns make of it stays in m1 and m2
            let before = i128::from(tables.slope[0][lane] >> 12) + moved[lane];
            let delta = (slope - before + D / 2).rem_euclid(D) - D / 2;
            moved[lane] += delta;
            models[lane] = models[lane].sheared(delta);
        }
        loop {
            for model in &mut models[..width] {
                if model.q <= 0 {
                    *model = model.crossed((constants.order as i128 + model.u).div_euclid(model.v));
                }
            }
            if models[..width].iter().all(|model| rho(model, &constants) <= MOST_RHO || model.q > 0) {
                break;
            }
        }
        for lane in 0..width {
            let model = models[lane];
            let slope = i128::from(tables.slope[0][lane] >> 12) + moved[lane];
            prop_assert!(model.is_valid(D, slope), "{:?}", model);
            let (basis, sign) = shorter_first(model);
            let beta = i128::from(betas[lane][0] >> 12);
            let (c, kappa) = (tables.curvature[lane], tables.kappa[lane]);
            let off =
                |x: i128, y: i128| (c * (x * x) as f64 - kappa - (beta - y) as f64 / UNIT).abs() + 2.0 / UNIT;
            let acc = constants.acceptance * (1.0 - 1e-9);
            let domain = Domain { circle: D, half, beta, h };
            let is_clear = domain.is_clear(&basis, |x, y| off(x, y) > acc);
            tally.domains += 1;
            if let Some(domain) = flags.next_if(|domain| (domain.step, domain.lane as usize) == (step, lane))
            {
                let own = integers(domain);
                let expected = [model.u, model.v, model.p, model.q];
                prop_assert_eq!(own, expected, "{}: step {}, x times {}", level, step, sign);
                tally.flagged += 1;
                tally.needless += u64::from(is_clear);
            } else {
                prop_assert!(
                    is_clear,
                    "{level}: no flag in step {step} of lane {lane}, with {model:?}, beta {beta}"
                );
            }
            advance(&mut betas[lane]);
            advance(&mut slopes[lane]);
        }
    }
    for lane in 0..width {
        let own =
            [pairs.u[lane], pairs.v[lane], pairs.p[lane] * UNIT, pairs.q[lane] * UNIT].map(|x| x as i128);
        let Basis { u, v, p, q, .. } = models[lane];
        prop_assert_eq!(own, [u, v, p, q], "{}: the last of lane {}", level, lane);
    }
    Ok(())
}

/// About 10^6 domains.
#[test]
fn lanes_are_their_model() {
    let count = if cfg!(miri) { 2 } else { 3000 };
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for level in Level::with_pairs() {
        let mut tally = Tally::default();
        for _ in 0..count {
            let spec = specs().new_tree(&mut runner).unwrap().current();
            if let Err(error) = beside(&spec, level, &mut tally) {
                panic!("{error}\n{spec:?}");
            }
        }
        let Tally { domains, flagged, needless } = tally;
        assert!(cfg!(miri) || domains > 100_000 && flagged > 1000, "{level}: {domains}, {flagged}");
        assert!(
            cfg!(miri) || needless * 200 < flagged,
            "{level}: {needless} of {flagged} flags of {domains} domains"
        );
    }
}
