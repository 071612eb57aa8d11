//! Certificates verified with the regular test as the other engine.

use tmd_core::{Backend, Interrupt};
use tmd_driver::{
    Certificate,
    certificate::{Verification, verify::Findings},
};
use tmd_functions::Function;
use tmd_simd::{Level, Simd, SimdEngine};

/// What is found of a certificate, by this engine where there is one, with so many samples of so
/// many seconds each.
pub(crate) fn findings(
    function: &dyn Function,
    certificate: &Certificate,
    engine: Option<&dyn Backend>,
    (samples, sample_seconds, seed): (usize, f64, u64),
) -> Findings {
    let other = Simd::new(SimdEngine::Regular, Level::best());
    let verification =
        Verification { certificate, function, engine, other: &other, samples, sample_seconds, seed };
    verification.run(&Interrupt::new()).unwrap()
}
