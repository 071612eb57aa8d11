//! All engines against brute force in exact integers, over polynomials of every shape.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use tmd_core::{Backend, Interrupt, Scalar, ScalarEngine, exist::Logms};
use tmd_simd::{Level, Simd, SimdEngine};
use tmd_testkit::{generators::specs, oracle};

/// Searches the piece that proptest's generator makes of the fuzzer's bytes.
pub fn fuzz(data: &[u8]) {
    // the generator wants some, and takes zeros once they are used up
    if data.len() < 16 {
        return;
    }
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, data);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
    let Ok(tree) = specs(11).new_tree(&mut runner) else { return };
    let spec = tree.current();
    let piece = spec.piece();
    let must = oracle::must(&piece);
    let bits = data[0] % 16;
    let domain_size = (data[1] % 4 == 0).then_some(1 << bits);
    let logms = Logms::new(u32::from(data[2] % 65)).unwrap_or_default();
    for engine in backends(domain_size, logms) {
        let found =
            engine.search(&piece, &Interrupt::new()).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        let name = engine.name();
        assert!(found.candidates.is_sorted_by(|a, b| a < b), "{name}: {spec:?}: not ascending");
        for k in &must {
            assert!(found.candidates.binary_search(k).is_ok(), "{name}: {spec:?}: argument {k} is lost");
        }
        for &k in &found.candidates {
            assert!(
                k < piece.arguments() && oracle::may(&piece, &found, k),
                "{name}: {spec:?}: {k} is far off"
            );
        }
    }
}

fn backends(domain_size: Option<u64>, logms: Logms) -> Vec<Box<dyn Backend>> {
    let mut all: Vec<Box<dyn Backend>> = Vec::new();
    for engine in
        [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive]
    {
        all.push(Box::new(Scalar { engine, logms, domain_size }));
    }
    for engine in SimdEngine::ALL {
        for level in Level::available() {
            all.push(Box::new(Simd::new(engine, level).with_logms(logms).with_domain_size(domain_size)));
        }
    }
    all
}
