//! The GPU's walk through the conformance suite, with emulated and native integers, and on longer pieces against exact
//! integers on the CPU.

use std::sync::Arc;

use tmd_core::{Backend, Scalar, ScalarEngine, exist::Logms};
use tmd_gpu::{GpuSearch, Integers, testing};
use tmd_testkit::conformance;

fn scalar() -> Arc<dyn Backend + Send + Sync> {
    Arc::new(Scalar { engine: ScalarEngine::Regular, logms: Logms::default(), domain_size: None })
}

/// The search on the test device; without one, after a line that says so, the CPU's.
fn backend(integers: Integers, domain_size: Option<u64>) -> Arc<dyn Backend + Send + Sync> {
    match testing::gpu_with(integers) {
        Some(gpu) => Arc::new(GpuSearch::new(&gpu, scalar()).unwrap().with_domain_size(domain_size)),
        None => scalar(),
    }
}

conformance!(emulated, backend(Integers::Emulated, None));
conformance!(native, backend(Integers::Native, None));
conformance!(emulated_domains_of_256, backend(Integers::Emulated, Some(1)));
conformance!(native_domains_of_1000, backend(Integers::Native, Some(1000)));
