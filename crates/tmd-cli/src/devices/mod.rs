//! GPUs: what the options ask for, and who answers; without the feature `gpu` nobody does.

use clap::ValueEnum;

#[cfg(feature = "gpu")]
pub(crate) mod adapters;
#[cfg(feature = "gpu")]
mod with_gpu;
#[cfg(feature = "gpu")]
pub(crate) use with_gpu::{devices, has_hardware_adapter, walk_of_device};

#[cfg(not(feature = "gpu"))]
mod without_gpu;
#[cfg(not(feature = "gpu"))]
pub(crate) use without_gpu::{adapters, devices, has_hardware_adapter, walk_of_device};

/// The word for the best adapter of the machine.
pub(crate) const BEST: &str = "auto";

/// An adapter by index or a part of its name, as it is typed; [`BEST`] if nothing is.
#[expect(clippy::unnecessary_wraps, reason = "so that it is one of clap's value parsers")]
pub(crate) fn adapter(text: &str) -> Result<String, std::convert::Infallible> {
    let word = text.trim();
    let is_best = word.is_empty() || word.eq_ignore_ascii_case(BEST);
    Ok(if is_best { BEST } else { word }.into())
}

/// How the papers' phases are spread over kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GpuKernels {
    /// one for each phase, failing domains listed by whichever way suits their share
    Auto,
    /// one for each phase, failing domains listed by a counter that all invocations share
    Atomics,
    /// one for each phase, failing domains listed by flags and prefix sums
    PrefixSum,
    /// one for all phases
    One,
}

/// 64-bit integers on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GpuIntegers {
    /// native where the adapter has them
    Auto,
    /// pairs of 32-bit words
    Emulated,
    /// the adapter's own, or no search
    Native,
}
