//! GPUs: what the options ask for, and the backends that answer.

use std::{path::PathBuf, sync::Arc};

use clap::ValueEnum;
use tmd_core::{Backend, exist::Logms};
use tmd_gpu::{
    AdapterChoice, AdapterKind, ExistenceTest, Gpu, GpuError, GpuPhases, GpuWalk, Integers, Kernels,
    PhasesOptions, Shape, adapters,
};

use crate::output::Failure;

/// What `--backend gpu` and the options beside it ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GpuOptions {
    pub(crate) engine: GpuEngine,
    /// the adapters to use, side by side; none for the best one
    pub(crate) adapters: Vec<AdapterChoice>,
    pub(crate) integers: GpuIntegers,
    pub(crate) kernels: GpuKernels,
    pub(crate) logms: Logms,
    /// arguments per domain, if the cost model is not to choose
    pub(crate) domain_size: Option<u64>,
}

/// The engines that GPUs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GpuEngine {
    Farey,
    Regular,
    RegularLooped,
    Lefevre,
    LefevreSwap,
}

impl GpuEngine {
    /// The existence test of the three phases, or `None` for the walk.
    const fn test(self) -> Option<ExistenceTest> {
        match self {
            Self::Farey => None,
            Self::Regular => Some(ExistenceTest::RegularUnrolled),
            Self::RegularLooped => Some(ExistenceTest::Regular),
            Self::Lefevre => Some(ExistenceTest::LefevreDivision),
            Self::LefevreSwap => Some(ExistenceTest::LefevreSwap),
        }
    }
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

/// The backends of the GPUs that the options name; `fallback` searches what a GPU's engine
/// refuses.
pub(crate) fn devices(
    options: &GpuOptions,
    fallback: &Arc<dyn Backend + Send + Sync>,
) -> Result<Vec<Box<dyn Backend>>, Failure> {
    let choices =
        if options.adapters.is_empty() { vec![AdapterChoice::Auto] } else { options.adapters.clone() };
    // a name and an index may mean the same one
    let available = adapters();
    let mut indices = Vec::new();
    for choice in &choices {
        let index = choice.among(&available).map_err(|error| failure(&error))?;
        if indices.contains(&index) {
            let name = &available[index].name;
            return Err(Failure::question(format!("{name} is asked for twice; name each GPU once")));
        }
        indices.push(index);
    }
    let device = |index| device(options, &AdapterChoice::Index(index), Arc::clone(fallback));
    indices.into_iter().map(|index| device(index).map_err(|error| failure(&error))).collect()
}

fn device(
    options: &GpuOptions,
    choice: &AdapterChoice,
    fallback: Arc<dyn Backend + Send + Sync>,
) -> Result<Box<dyn Backend>, GpuError> {
    let integers = match options.integers {
        GpuIntegers::Auto => Integers::Auto,
        GpuIntegers::Emulated => Integers::Emulated,
        GpuIntegers::Native => Integers::Native,
    };
    let gpu = Gpu::open(choice, integers)?;
    let shape = match cache() {
        // nobody searches on these for speed
        _ if gpu.summary().kind == AdapterKind::Software => Shape::of(gpu.summary()),
        Some(file) => Shape::kept_or_tuned(&gpu, &file)?,
        None => Shape::tuned(&gpu)?,
    };
    let Some(test) = options.engine.test() else {
        let walk = GpuWalk::with_shape(&gpu, shape, fallback)?;
        return Ok(Box::new(walk.with_domain_size(options.domain_size)));
    };
    let kernels = match options.kernels {
        GpuKernels::Auto => Kernels::Auto,
        GpuKernels::Atomics => Kernels::Atomics,
        GpuKernels::PrefixSum => Kernels::PrefixSum,
        GpuKernels::One => Kernels::One,
    };
    let (logms, domain_size) = (options.logms, options.domain_size);
    let options = PhasesOptions { test, logms, kernels, domain_size };
    Ok(Box::new(GpuPhases::new(&gpu, shape, options, fallback)?))
}

/// Where sizes that suit an adapter are kept.
fn cache() -> Option<PathBuf> {
    Some(dirs::cache_dir()?.join("tmd").join("gpu.json"))
}

/// A wrong name is the question's fault, all else the machine's.
fn failure(error: &GpuError) -> Failure {
    match error {
        GpuError::AdapterNotFound { .. }
        | GpuError::AdapterAmbiguous { .. }
        | GpuError::NativeIntegersMissing { .. } => Failure::question(error.to_string()),
        GpuError::NoAdapter => {
            Failure::machine(format!("{error}; leave --backend away to search on the CPU"))
        }
        _ => Failure::machine(error.to_string()),
    }
}

/// Whether there is a GPU that is not a program on the CPU.
pub(crate) fn has_hardware_adapter() -> bool {
    adapters().iter().any(|adapter| adapter.kind != AdapterKind::Software)
}
