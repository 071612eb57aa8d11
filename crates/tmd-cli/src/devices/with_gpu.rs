//! The backends of the GPUs that the options ask for.

use std::{path::PathBuf, sync::Arc};

use tmd_core::{Backend, Families};
use tmd_gpu::{
    AdapterChoice, AdapterKind, ExistenceTest, Gpu, GpuError, GpuLattice3, GpuPhases, GpuWalk, Integers,
    Kernels, PhasesOptions, Shape, adapters,
};

use super::{GpuIntegers, GpuKernels};
use crate::{
    arguments::{Engine, EngineOptions},
    output::Failure,
};

/// The backends of the GPUs that the options name; `fallback` searches what they refuse.
pub(crate) fn devices(
    options: &EngineOptions,
    fallback: &Arc<dyn Backend + Send + Sync>,
) -> Result<Vec<Box<dyn Backend>>, Failure> {
    // the best one if none is named
    let mut choices: Vec<AdapterChoice> = options.adapter.iter().map(|word| choice(word)).collect();
    if choices.is_empty() {
        choices.push(AdapterChoice::Auto);
    }
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
    let device = |index| device(options, &AdapterChoice::Index(index), Arc::clone(fallback));
    indices.into_iter().map(device).collect()
}

/// The existence test of the three phases that an engine is on a GPU; none if it walks.
fn existence_test(engine: Engine) -> Option<ExistenceTest> {
    match engine {
        Engine::Regular => Some(ExistenceTest::RegularUnrolled),
        Engine::RegularLooped => Some(ExistenceTest::Regular),
        Engine::Lefevre => Some(ExistenceTest::LefevreDivision),
        Engine::LefevreSwap => Some(ExistenceTest::LefevreSwap),
        _ => None,
    }
}

/// The adapter that a word means.
fn choice(word: &str) -> AdapterChoice {
    let Ok(choice) = word.parse();
    choice
}

fn device(
    options: &EngineOptions,
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
    let Some(test) = existence_test(options.engine) else {
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
pub(crate) fn walk_of_device(adapter: Option<&str>) -> Result<impl Fn() -> Families + Sync, Failure> {
    let gpu = Gpu::open(&adapter.map(choice).unwrap_or_default(), Integers::Auto)?;
    let walk = GpuLattice3::beside_exact(&gpu)?;
    Ok(move || walk.clone().families())
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
