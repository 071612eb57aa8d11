//! The lane-packed backend through the conformance suite: every engine in every level of lanes this
//! machine has.

use tmd_core::{Backend, Interrupt, Scalar, ScalarEngine, exist::Logms, lattice3::Engine};
use tmd_simd::{CostTable, Level, Simd, SimdEngine, lattice3::Lattice3};
use tmd_testkit::{
    conformance, conformance_lattice3,
    generators::Spec,
    lattice3::suite::{large_families, left_to_the_exact_walk},
};

/// The level, or the best there is: a machine without AVX-512 tests AVX2 twice.
fn engine(engine: SimdEngine, name: &str, domain: Option<u64>) -> Simd {
    Simd::new(engine, Level::named(name).unwrap_or_else(|_| Level::best())).with_domain_size(domain)
}

/// Every level; and forced domain sizes, by turns.
macro_rules! conforms {
    ($module:ident, $engine:expr) => {
        mod $module {
            use super::*;

            conformance!(avx512, engine($engine, "avx512", None));
            conformance!(avx2, engine($engine, "avx2", None));
            conformance!(portable, engine($engine, "portable", None));
            conformance!(avx512_domains_of_1, engine($engine, "avx512", Some(1)), by turns);
            conformance!(avx2_domains_of_17, engine($engine, "avx2", Some(17)), by turns);
            conformance!(portable_domains_of_64, engine($engine, "portable", Some(64)), by turns);
            conformance!(avx512_domains_of_1000, engine($engine, "avx512", Some(1000)), by turns);
            conformance!(avx512_one_domain, engine($engine, "avx512", Some(1 << 30)), by turns);
        }
    };
}

conforms!(farey, SimdEngine::Farey);
conforms!(regular, SimdEngine::Regular);
conforms!(regular_trimmed, SimdEngine::RegularTrimmed);
conforms!(lefevre, SimdEngine::Lefevre);
conforms!(lefevre_swap, SimdEngine::LefevreSwap);
conforms!(exhaustive, SimdEngine::Exhaustive);
conforms!(arcs, SimdEngine::Arcs);

/// The walk that passes flat pieces over.
fn passing(name: &str) -> Simd {
    engine(SimdEngine::Farey, name, None).with_costs(CostTable::Third)
}

conformance!(passing_avx512, passing("avx512"));
conformance!(passing_avx2, passing("avx2"));
conformance!(passing_portable, passing("portable"));

conformance!(arcs_or_regular, Simd::arcs_or(SimdEngine::RegularTrimmed, Level::best()));
conformance!(arcs_or_lefevre, Simd::arcs_or(SimdEngine::Lefevre, Level::best()));

/// The walk in three dimensions in lanes of a level, or of the best there is.
fn lattice3(name: &str) -> Lattice3 {
    Lattice3::new(Level::named(name).unwrap_or_else(|_| Level::best()))
}

conformance_lattice3!(lattice3_avx512, lattice3("avx512"));
conformance_lattice3!(lattice3_avx2, lattice3("avx2"));
conformance_lattice3!(lattice3_portable, lattice3("portable"));

/// In lanes of all levels the lists are those of the exact walk, in families of binary64.
#[test]
fn lattice3_in_large_families() {
    let engines: Vec<Lattice3> = Level::with_pairs().into_iter().map(Lattice3::new).collect();
    let engines: Vec<&dyn Engine> = engines.iter().map(|engine| engine as &dyn Engine).collect();
    large_families(&engines);
}

/// Lanes do the windows of the suite themselves.
#[test]
fn lattice3_walks() {
    for level in Level::with_pairs() {
        let left = left_to_the_exact_walk(&Lattice3::new(level));
        assert!(left < 0.05, "{level}: {left}");
    }
}

/// A suite that a backend passes by leaving every piece to another one says nothing of the walk.
#[test]
fn the_walk_walks() {
    for level in Level::with_pairs() {
        for size in [None, Some(1000)] {
            let (walked, all) = conformance::walked(&Simd::farey(level).with_domain_size(size));
            assert!(walked == all && all > 5, "{level}, {size:?}: {walked} of {all}");
        }
        assert_eq!(conformance::walked(&Simd::new(SimdEngine::Regular, level)).0, 0);
    }
}

/// A piece that is nearly straight, and beyond whose end the polynomial shoots off as far as a
/// partition allows: lanes go on there with slopes that mean nothing. Twice as far off, and the
/// piece is refused: the bounds of a run reach to the end of its last lane.
#[test]
fn lanes_beyond_the_piece_come_to_an_end() {
    let mut coefficients = vec![(0, 0); 17];
    (coefficients[1], coefficients[2], coefficients[16]) = ((0x4f1b_bcdc_bfa5_3e0b, 63), (1, 22), (1, 165));
    let piece = Spec { coefficients, arguments: 9 * 64, center: 0, tolerance_bits: 14, slack: 0 }.piece();
    let exhaustive = Scalar { engine: ScalarEngine::Exhaustive, logms: Logms::default(), domain_size: None };
    let expected = exhaustive.search(&piece, &Interrupt::new()).unwrap().candidates;
    for level in Level::with_pairs() {
        let walk = Simd::farey(level).with_domain_size(Some(64));
        assert!(walk.plan(&piece).unwrap().order.is_some(), "{level} walks");
        assert_eq!(walk.search(&piece, &Interrupt::new()).unwrap().candidates, expected, "{level}");
    }
}

/// Every level at the papers' threshold, and one without any division but for quotients above N.
macro_rules! conforms_by_subtraction {
    ($module:ident, $engine:expr) => {
        mod $module {
            use super::*;

            fn hybrid(name: &str, logms: u32) -> Simd {
                engine($engine, name, None).with_logms(Logms::new(logms).unwrap())
            }

            conformance!(avx512, hybrid("avx512", 3));
            conformance!(avx2, hybrid("avx2", 3));
            conformance!(portable, hybrid("portable", 3));
            conformance!(avx512_always, hybrid("avx512", 64).with_domain_size(Some(1 << 12)));
            conformance!(portable_once, hybrid("portable", 1).with_domain_size(Some(1000)));
        }
    };
}

conforms_by_subtraction!(hybrid_regular, SimdEngine::Regular);
conforms_by_subtraction!(hybrid_lefevre, SimdEngine::Lefevre);
conforms_by_subtraction!(hybrid_lefevre_swap, SimdEngine::LefevreSwap);
