//! GPUs: what the options ask for, and the backends that answer.

use std::{fmt, str::FromStr};

use clap::ValueEnum;
use tmd_core::{Backend, exist::Logms};

use crate::output::Failure;

/// What `--backend gpu` and the options beside it ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GpuOptions {
    pub(crate) engine: GpuEngine,
    /// the adapters to use, side by side; none for the best one
    pub(crate) adapters: Vec<Adapter>,
    pub(crate) integers: GpuIntegers,
    pub(crate) logms: Logms,
    /// arguments per domain, if the cost model is not to choose
    pub(crate) domain_size: Option<u64>,
}

/// The engines that GPUs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GpuEngine {
    Farey,
    Regular,
    Lefevre,
}

/// A GPU by its index or by a part of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Adapter {
    Index(usize),
    Name(String),
}

impl fmt::Display for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => index.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

impl FromStr for Adapter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("an adapter has an index or a name".into());
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Self::Name(text.to_owned()));
        }
        text.parse().map(Self::Index).map_err(|_| format!("{text} is no index of an adapter"))
    }
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

/// The backends of the GPUs that the options name.
pub(crate) fn devices(options: &GpuOptions) -> Result<Vec<Box<dyn Backend>>, Failure> {
    let GpuOptions { engine, adapters, integers, logms, domain_size } = options;
    // everything that a backend will be made of
    let _ = (engine, adapters, integers, logms, domain_size);
    Err(Failure::machine("this build of tmd cannot use a GPU; leave --backend away to search on the CPU"))
}

/// Whether there is a GPU that is not a program on the CPU.
pub(crate) const fn has_hardware_adapter() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters() {
        assert_eq!("0".parse(), Ok(Adapter::Index(0)));
        assert_eq!(" 12 ".parse(), Ok(Adapter::Index(12)));
        assert_eq!("H200".parse(), Ok(Adapter::Name("H200".into())));
        assert_eq!("4090 Ti".parse(), Ok(Adapter::Name("4090 Ti".into())));
        assert!("".parse::<Adapter>().is_err() && " ".parse::<Adapter>().is_err());
        assert!("99999999999999999999999".parse::<Adapter>().is_err());
    }
}
