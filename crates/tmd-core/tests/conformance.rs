//! The scalar backend through the conformance suite: engines, division thresholds and domain sizes;
//! and the exact walk in three dimensions.

use tmd_core::{
    Backend, Interrupt, Scalar, ScalarEngine,
    exist::Logms,
    lattice3::{Exact, Walker, Wide},
};
use tmd_testkit::{conformance, conformance_lattice3, generators::Spec, lattice3::Small};

fn scalar(engine: ScalarEngine, logms: u32, domain_size: Option<u64>) -> Scalar {
    Scalar { engine, logms: Logms::new(logms).unwrap(), domain_size }
}

conformance!(exhaustive, scalar(ScalarEngine::Exhaustive, 0, None));
conformance!(exhaustive_17, scalar(ScalarEngine::Exhaustive, 0, Some(17)), by turns);
conformance!(regular, scalar(ScalarEngine::Regular, 0, None));
conformance!(regular_64, scalar(ScalarEngine::Regular, 64, None), by turns);
conformance!(regular_domains_of_1, scalar(ScalarEngine::Regular, 0, Some(1)), by turns);
conformance!(regular_domains_of_2, scalar(ScalarEngine::Regular, 3, Some(2)), by turns);
conformance!(regular_domains_of_15, scalar(ScalarEngine::Regular, 0, Some(15)), by turns);
conformance!(regular_domains_of_16, scalar(ScalarEngine::Regular, 0, Some(16)), by turns);
conformance!(regular_domains_of_1000, scalar(ScalarEngine::Regular, 0, Some(1000)), by turns);
conformance!(regular_one_domain, scalar(ScalarEngine::Regular, 0, Some(1 << 30)), by turns);
conformance!(lefevre, scalar(ScalarEngine::Lefevre, 0, None));
conformance!(lefevre_3, scalar(ScalarEngine::Lefevre, 3, None), by turns);
conformance!(lefevre_64, scalar(ScalarEngine::Lefevre, 64, Some(4096)), by turns);
conformance!(lefevre_domains_of_3, scalar(ScalarEngine::Lefevre, 0, Some(3)), by turns);
conformance!(lefevre_domains_of_17, scalar(ScalarEngine::Lefevre, 0, Some(17)), by turns);
conformance!(farey, scalar(ScalarEngine::Farey, 0, None));
conformance!(farey_domains_of_17, scalar(ScalarEngine::Farey, 0, Some(17)), by turns);
conformance!(farey_domains_of_1000, scalar(ScalarEngine::Farey, 0, Some(1000)), by turns);
conformance!(farey_one_domain, scalar(ScalarEngine::Farey, 0, Some(1 << 30)), by turns);

conformance_lattice3!(lattice3, Exact::default());

/// After a segment the walk's vectors are in the lattice of its last window: y is x·alpha, but for
/// whole periods (theorem L.5 says that they are a basis of it).
#[test]
fn bases_are_those_of_the_lattice() {
    for alpha in [Small::ORDINARY.alpha, Err(9)] {
        let question = Small { alpha, ..Small::ORDINARY }.question();
        let (model, mut walker) = (question.model, Walker::new(question.model, &question.spans));
        walker.search(&question.segment, |_| ()).unwrap();
        assert!(walker.counters().row_operations > 0);
        for b in &walker.basis().vectors {
            assert_eq!((b.x * model.alpha - b.y).centered(model.log2_period), Wide::ZERO);
        }
    }
}

/// Both tests answer from the first two-length configuration with N points: they fail the same
/// domains and sub-domains. The papers' start, or a last quotient taken whole, would fail more of
/// them, which loses time and no case.
#[test]
fn regular_fails_no_more_than_lefevre() {
    let c = 0x6ed9_eba1_6132_d1c3;
    let coefficients = vec![(0x1234_5678, 32), (0x4f1b_bcdc_bfa5_3e0b, 63), (c, 97), (c, 139)];
    let spec = Spec { coefficients, arguments: 1 << 21, center: 1 << 20, tolerance_bits: 24, slack: 0 };
    let [regular, lefevre] = [ScalarEngine::Regular, ScalarEngine::Lefevre].map(|engine| {
        let outcome = scalar(engine, 0, Some(1 << 12)).search(&spec.piece(), &Interrupt::new()).unwrap();
        let phases = outcome.phases;
        (phases.test.domains_out, phases.refine.domains_out, outcome.candidates)
    });
    assert_eq!(regular, lefevre);
    assert!(regular.0 > 50 && regular.0 < 450, "{} of 512 domains say little", regular.0);
}

/// What is said of a piece beforehand is what is searched against: certificates are checked by it.
/// (Found by the soak: the walk's line is not the tests'.)
#[test]
fn budgets_are_those_derived() {
    use proptest::{
        strategy::{Strategy, ValueTree},
        test_runner::TestRunner,
    };
    use tmd_core::Derived;

    let mut runner = TestRunner::deterministic();
    let mut walked = 0;
    for _ in 0..300 {
        let piece = tmd_testkit::generators::specs(10).new_tree(&mut runner).unwrap().current().piece();
        for engine in
            [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive]
        {
            let scalar = Scalar { engine, logms: Logms::default(), domain_size: None };
            let Derived { budget, domain_size, has_fallback } = scalar.derive(&piece).unwrap();
            assert!(!has_fallback, "{engine:?}");
            let found = scalar.search(&piece, &Interrupt::new()).unwrap();
            assert_eq!((found.budget, found.domain_size), (budget, domain_size), "{engine:?}");
            let regular = Scalar { engine: ScalarEngine::Regular, ..scalar }.derive(&piece).unwrap();
            walked += usize::from(budget != regular.budget);
        }
    }
    assert!(walked > 20, "{walked}");
}
