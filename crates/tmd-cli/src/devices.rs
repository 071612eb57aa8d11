//! GPUs: what the options ask for, and the backends that answer.

use std::{path::PathBuf, sync::Arc};

use clap::ValueEnum;
use tmd_core::Backend;
use tmd_gpu::{
    AdapterChoice, AdapterKind, ExistenceTest, Gpu, GpuError, GpuLattice3, GpuPhases, GpuWalk, Integers,
    Kernels, PhasesOptions, Shape, adapters,
};

use crate::{arguments::EngineOptions, output::Failure};

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

/// The backends of the GPUs that the options name, which search with this test, or walk;
/// `fallback` searches what they refuse.
pub(crate) fn devices(
    options: &EngineOptions,
    test: Option<ExistenceTest>,
    fallback: &Arc<dyn Backend + Send + Sync>,
) -> Result<Vec<Box<dyn Backend>>, Failure> {
    // the best one if none is named
    let choices =
        if options.adapter.is_empty() { vec![AdapterChoice::Auto] } else { options.adapter.clone() };
    // a name and an index may mean the same one
    let available = adapters();
    let mut indices = Vec::new();
    for choice in &choices {
        let index = choice.among(&available)?;
        if indices.contains(&index) {
            let name = &available[index].name;
            return Err(Failure::question(format!("{name} is asked for twice; name each GPU once")));
        }
        indices.push(index);
    }
    let device = |index| device(options, test, &AdapterChoice::Index(index), Arc::clone(fallback));
    indices.into_iter().map(device).collect()
}

fn device(
    options: &EngineOptions,
    test: Option<ExistenceTest>,
    choice: &AdapterChoice,
    fallback: Arc<dyn Backend + Send + Sync>,
) -> Result<Box<dyn Backend>, Failure> {
    let (logms, domain_size) = (options.logms()?, options.domain_size()?);
    let integers = match options.gpu_int {
        Some(GpuIntegers::Emulated) => Integers::Emulated,
        Some(GpuIntegers::Native) => Integers::Native,
        Some(GpuIntegers::Auto) | None => Integers::Auto,
    };
    let gpu = Gpu::open(choice, integers)?;
    let shape = match cache() {
        // nobody searches on these for speed
        _ if gpu.summary().kind == AdapterKind::Software => Shape::of(gpu.summary()),
        Some(file) => Shape::kept_or_tuned(&gpu, &file)?,
        None => Shape::tuned(&gpu)?,
    };
    let Some(test) = test else {
        let walk = GpuWalk::with_shape(&gpu, shape, fallback)?;
        return Ok(Box::new(walk.with_domain_size(domain_size)));
    };
    let kernels = match options.gpu_kernels {
        Some(GpuKernels::Atomics) => Kernels::Atomics,
        Some(GpuKernels::PrefixSum) => Kernels::PrefixSum,
        Some(GpuKernels::One) => Kernels::One,
        Some(GpuKernels::Auto) | None => Kernels::Auto,
    };
    let options = PhasesOptions { test, logms, kernels, domain_size };
    Ok(Box::new(GpuPhases::new(&gpu, shape, options, fallback)?))
}

/// A GPU that walks families. What it does not do is searched in exact integers, and lanes of the
/// CPU walk nothing; how windows are laid out, and which of them need another look, is decided by
/// the code that decides it for lanes, too, and hits are searched by the same exact code.
pub(crate) fn walk_of_device(choice: Option<&AdapterChoice>) -> Result<GpuLattice3, Failure> {
    let gpu = Gpu::open(choice.unwrap_or(&AdapterChoice::Auto), Integers::Auto)?;
    Ok(GpuLattice3::beside_exact(&gpu)?)
}

/// Where sizes that suit an adapter are kept.
fn cache() -> Option<PathBuf> {
    Some(dirs::cache_dir()?.join("tmd").join("gpu.json"))
}

/// A wrong name is the question's fault, all else the machine's.
impl From<GpuError> for Failure {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::AdapterNotFound { .. }
            | GpuError::AdapterAmbiguous { .. }
            | GpuError::NativeIntegersMissing { .. } => Self::question(error.to_string()),
            GpuError::NoAdapter => {
                Self::machine(format!("{error}; leave --backend away to search on the CPU"))
            }
            _ => Self::machine(error.to_string()),
        }
    }
}

/// Whether there is a GPU that is not a program on the CPU.
pub(crate) fn has_hardware_adapter() -> bool {
    adapters().iter().any(|adapter| adapter.kind != AdapterKind::Software)
}
