//! The GPU's searches through the conformance suite, with emulated and native integers.

mod testing;

use std::sync::Arc;

use tmd_core::{Backend, Scalar, ScalarEngine, exist::Logms};
use tmd_gpu::{Gpu, GpuPhases, GpuWalk, Integers, Kernels, PhasesOptions, Shape};
use tmd_shaders::ExistenceTest;
use tmd_testkit::conformance;

type Shared = Arc<dyn Backend + Send + Sync>;

fn scalar() -> Shared {
    Arc::new(Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None })
}

/// The search on the test device; without one, after a line that says so, the CPU's.
fn on_device(integers: Integers, search: impl FnOnce(&Gpu) -> Shared) -> Shared {
    testing::shared(integers).map_or_else(scalar, |gpu| search(&gpu))
}

fn walk(integers: Integers, domain_size: Option<u64>) -> Shared {
    on_device(integers, |gpu| Arc::new(GpuWalk::new(gpu, scalar()).unwrap().with_domain_size(domain_size)))
}

fn phases(integers: Integers, options: PhasesOptions) -> Shared {
    on_device(integers, |gpu| {
        Arc::new(GpuPhases::new(gpu, Shape::of(gpu.summary()), options, scalar()).unwrap())
    })
}

mod farey {
    use super::*;

    conformance!(emulated, *walk(Integers::Emulated, None));
    conformance!(native, *walk(Integers::Native, None));
    conformance!(emulated_domains_of_256, *walk(Integers::Emulated, Some(1)), by turns);
    conformance!(native_domains_of_1000, *walk(Integers::Native, Some(1000)), by turns);

    /// A suite that a backend passes by leaving every piece to another one says nothing of the
    /// walk.
    #[test]
    fn the_walk_walks() {
        let (walked, all) = conformance::walked(&*walk(Integers::Emulated, None));
        let expected = if testing::shared(Integers::Emulated).is_some() { all } else { 0 };
        assert!(walked == expected && all > 5, "{walked} of {all}");
    }
}

const LEFEVRE: ExistenceTest = ExistenceTest::LefevreDivision;
const SWAP: ExistenceTest = ExistenceTest::LefevreSwap;
const LOOPED: ExistenceTest = ExistenceTest::Regular;
const UNROLLED: ExistenceTest = ExistenceTest::RegularUnrolled;

fn options(test: ExistenceTest) -> PhasesOptions {
    PhasesOptions::new(test)
}

conformance!(lefevre, *phases(Integers::Emulated, options(LEFEVRE)), by turns);
conformance!(
    lefevre_swap,
    *phases(Integers::Native, PhasesOptions { logms: Logms::PAPERS, ..options(SWAP) }),
    by turns
);
conformance!(
    regular_atomics,
    *phases(Integers::Native, PhasesOptions { kernels: Kernels::Atomics, ..options(LOOPED) }),
    by turns
);
conformance!(
    regular_prefix_sums,
    *phases(Integers::Emulated, PhasesOptions { kernels: Kernels::PrefixSum, ..options(UNROLLED) }),
    by turns
);
conformance!(
    one_kernel,
    *phases(Integers::Emulated, PhasesOptions { kernels: Kernels::One, ..options(UNROLLED) })
);
conformance!(
    domains_of_64,
    *phases(Integers::Native, PhasesOptions { domain_size: Some(100), ..options(UNROLLED) }),
    by turns
);
