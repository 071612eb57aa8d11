//! Who answers in a program that was built without the feature `gpu`: nobody, in one sentence.

use std::sync::Arc;

use tmd_core::{Backend, Families};

use crate::{arguments::EngineOptions, output::Failure};

fn failure() -> Failure {
    Failure::machine(
        "this program was built without its part for GPUs; `cargo build --release --package tmd-cli` builds all of it; \
         leave --backend away to search on the CPU",
    )
}

/// No GPU.
pub(crate) fn devices(
    _: &EngineOptions,
    _: &Arc<dyn Backend + Send + Sync>,
) -> Result<Vec<Box<dyn Backend>>, Failure> {
    Err(failure())
}

/// No GPU.
pub(crate) fn walk_of_device(_: Option<&str>) -> Result<fn() -> Families, Failure> {
    Err(failure())
}

/// None that this program can use.
pub(crate) fn has_hardware_adapter() -> bool {
    false
}

pub(crate) mod adapters {
    //! `tmd adapters`.

    use std::process::ExitCode;

    use super::failure;
    use crate::{arguments::AdaptersOptions, output::Failure};

    pub(crate) fn run(_: &AdaptersOptions) -> Result<ExitCode, Failure> {
        Err(failure())
    }
}
