//! What can go wrong between us and a GPU.

use thiserror::Error;
use tmd_core::CoreError;

/// Why a call did not do what it was asked to. Nothing in this crate panics instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum GpuError {
    /// The machine shows no adapter at all.
    #[error(
        "no GPU adapter found: a driver for Vulkan, Metal or Direct3D 12 is needed \
         (Debian's mesa-vulkan-drivers brings a software one)"
    )]
    NoAdapter,

    /// No adapter has this index or name.
    #[error("no adapter answers to `{wanted}`; there are:{}", listed(available))]
    AdapterNotFound { wanted: String, available: Vec<String> },

    /// Several adapters have this name.
    #[error("several adapters answer to `{wanted}`, choose by index:{}", listed(matching))]
    AdapterAmbiguous { wanted: String, matching: Vec<String> },

    /// Native 64-bit integers were demanded of an adapter that has none.
    #[error("{adapter} has no native 64-bit integers in shaders: choose emulated or auto")]
    NativeIntegersMissing { adapter: String },

    /// The driver refused to open the adapter.
    #[error("{adapter} cannot be opened: {message}")]
    RequestDevice { adapter: String, message: String },

    /// A shader does not compile, lacks the entry point, or asks for what the adapter lacks.
    #[error("shader {label}: {message}")]
    Shader { label: String, message: String },

    /// A call broke a rule: a mistake of the caller's, which would return every time.
    #[error("{message}")]
    Validation { message: String },

    /// A buffer, a copy or a dispatch beyond what the adapter allows.
    #[error("{what}: {asked} {unit} asked for, at most {allowed} allowed")]
    TooLarge { what: String, asked: u64, allowed: u64, unit: &'static str },

    /// A range of elements that the buffer does not have.
    #[error("{label} has {len} elements, {start}..{end} asked for")]
    OutOfRange { label: String, start: u64, end: u64, len: u64 },

    /// The GPU's memory is exhausted. What was not part of this call is unharmed.
    #[error("the GPU is out of memory")]
    OutOfMemory,

    /// The device is gone; so is what its buffers held. Every later call on this device says the
    /// same: open it anew.
    #[error("the GPU was lost: {reason}")]
    DeviceLost { reason: String },

    /// The GPU did not finish in time. It may still be at work.
    #[error("the GPU did not finish within {seconds} s")]
    TimedOut { seconds: u64 },

    /// A failure inside the driver or wgpu that fits nowhere else.
    #[error("the GPU's driver failed: {message}")]
    Internal { message: String },
}

fn listed(adapters: &[String]) -> String {
    adapters.iter().flat_map(|line| ["\n  ", line]).collect()
}

impl GpuError {
    /// The failure of the machine as that of a search by `backend`: a lost device for good, all
    /// else at this piece.
    pub(crate) fn of_search(&self, backend: String) -> CoreError {
        let reason = self.to_string();
        match self {
            Self::DeviceLost { .. } => CoreError::BackendLost { backend, reason },
            _ => CoreError::Backend { backend, reason },
        }
    }
}

/// An error that wgpu caught, as one of ours.
impl From<wgpu::Error> for GpuError {
    fn from(error: wgpu::Error) -> Self {
        match error {
            wgpu::Error::OutOfMemory { .. } => Self::OutOfMemory,
            wgpu::Error::Validation { description, .. } => Self::Validation { message: description },
            wgpu::Error::Internal { description, .. } => Self::Internal { message: description },
        }
    }
}
