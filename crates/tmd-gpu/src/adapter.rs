//! The adapters of this machine: a list of what matters to us, and the choice among them.

use std::{convert::Infallible, fmt, str::FromStr, sync::OnceLock};

use crate::GpuError;

/// What an adapter is made of, in the order in which [`AdapterChoice::Auto`] prefers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A GPU seen through a virtual machine.
    Virtual,
    /// The driver does not say.
    Other,
    /// No GPU: the processor plays one.
    Software,
}

/// What shaders may use beyond WGSL's core.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, all of them yes or no")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AdapterFeatures {
    /// 64-bit integers (`u64`, `i64`).
    pub native_integers: bool,
    /// `f64`.
    pub doubles: bool,
    /// Operations across a subgroup.
    pub subgroups: bool,
    /// Timestamps at the borders of dispatches: without them there are no times.
    pub timestamps: bool,
}

/// How much an adapter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AdapterLimits {
    /// Bytes of one storage buffer as a shader sees it.
    pub storage_binding_bytes: u64,
    /// Bytes of one buffer.
    pub buffer_bytes: u64,
    /// Bytes that a workgroup shares.
    pub workgroup_storage_bytes: u32,
    /// Invocations of one workgroup.
    pub invocations_per_workgroup: u32,
    /// Workgroups of one dispatch in each of its three dimensions.
    pub workgroups_per_dimension: u32,
}

/// An adapter: what it is called, what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Its place in [`adapters`], the same as long as the machine's drivers are the same.
    pub index: usize,
    /// The name that the driver gives it.
    pub name: String,
    /// The interface it is driven through: `Vulkan`, `Metal` or `Dx12`.
    pub api: String,
    /// What it is made of.
    pub kind: AdapterKind,
    /// Name and version of the driver.
    pub driver: String,
    /// What shaders may use.
    pub features: AdapterFeatures,
    /// How much it takes.
    pub limits: AdapterLimits,
}

/// Which adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The first discrete one; without any an integrated, a virtual, an unknown one; a software
    /// adapter last.
    #[default]
    Auto,
    /// By its index in [`adapters`].
    Index(usize),
    /// By a part of its name, in any case of letters, that no other adapter's name has.
    Name(String),
}

impl fmt::Display for AdapterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Software => "software",
            Self::Other => "other",
        })
    }
}

impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({}, {})", self.index, self.name, self.api, self.kind)
    }
}

impl FromStr for AdapterChoice {
    type Err = Infallible;

    /// `auto` (or nothing), digits for an index, anything else is part of a name.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        // an index too large to be one is no adapter's name either: the error will show it
        Ok(text.parse().map_or_else(|_| Self::Name(text.into()), Self::Index))
    }
}

impl fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Index(index) => index.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

impl AdapterChoice {
    /// The place in `available` of the adapter meant.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], [`GpuError::AdapterNotFound`], [`GpuError::AdapterAmbiguous`].
    pub fn among(&self, available: &[AdapterSummary]) -> Result<usize, GpuError> {
        if available.is_empty() {
            return Err(GpuError::NoAdapter);
        }
        let not_found = || GpuError::AdapterNotFound {
            wanted: self.to_string(),
            available: available.iter().map(ToString::to_string).collect(),
        };
        match self {
            // of equals the first
            Self::Auto => (0..available.len()).min_by_key(|&i| available[i].kind).ok_or_else(not_found),
            Self::Index(index) => available.iter().position(|one| one.index == *index).ok_or_else(not_found),
            Self::Name(name) => {
                let part = name.to_lowercase();
                let fits = |&i: &usize| available[i].name.to_lowercase().contains(&part);
                let matching: Vec<usize> = (0..available.len()).filter(fits).collect();
                match matching[..] {
                    [] => Err(not_found()),
                    [one] => Ok(one),
                    _ => Err(GpuError::AdapterAmbiguous {
                        wanted: name.clone(),
                        matching: matching.iter().map(|&i| available[i].to_string()).collect(),
                    }),
                }
            }
        }
    }
}

/// The adapters of this machine, software ones included; empty where there is no driver.
pub fn adapters() -> Vec<AdapterSummary> {
    enumerate().iter().enumerate().map(|(index, adapter)| summary(index, adapter)).collect()
}

/// The adapter meant, and what it can do.
pub(crate) fn find(choice: &AdapterChoice) -> Result<(wgpu::Adapter, AdapterSummary), GpuError> {
    let mut found = enumerate();
    let mut summaries: Vec<_> =
        found.iter().enumerate().map(|(index, adapter)| summary(index, adapter)).collect();
    let place = choice.among(&summaries)?;
    Ok((found.swap_remove(place), summaries.swap_remove(place)))
}

fn enumerate() -> Vec<wgpu::Adapter> {
    // One for the process: drivers are loaded once, and unloading some of them at exit crashes.
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    let instance = INSTANCE.get_or_init(|| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::PRIMARY;
        // the same in every build profile
        descriptor.flags = wgpu::InstanceFlags::empty();
        wgpu::Instance::new(descriptor)
    });
    pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY))
}

fn summary(index: usize, adapter: &wgpu::Adapter) -> AdapterSummary {
    let info = adapter.get_info();
    let offered = adapter.features();
    let limits = adapter.limits();
    AdapterSummary {
        index,
        name: info.name,
        api: format!("{:?}", info.backend),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Cpu => AdapterKind::Software,
            wgpu::DeviceType::Other => AdapterKind::Other,
        },
        driver: format!("{} {}", info.driver, info.driver_info).trim().into(),
        features: AdapterFeatures {
            native_integers: offered.contains(wgpu::Features::SHADER_INT64),
            doubles: offered.contains(wgpu::Features::SHADER_F64),
            subgroups: offered.contains(wgpu::Features::SUBGROUP),
            timestamps: offered.contains(wgpu::Features::TIMESTAMP_QUERY),
        },
        limits: AdapterLimits {
            storage_binding_bytes: limits.max_storage_buffer_binding_size,
            buffer_bytes: limits.max_buffer_size,
            workgroup_storage_bytes: limits.max_compute_workgroup_storage_size,
            invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
            workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(kinds: &[(&str, AdapterKind)]) -> Vec<AdapterSummary> {
        let one = |(index, &(name, kind)): (usize, &(&str, AdapterKind))| AdapterSummary {
            index,
            name: name.into(),
            api: "Vulkan".into(),
            kind,
            driver: String::new(),
            features: AdapterFeatures {
                native_integers: true,
                doubles: false,
                subgroups: false,
                timestamps: false,
            },
            limits: AdapterLimits {
                storage_binding_bytes: 1,
                buffer_bytes: 1,
                workgroup_storage_bytes: 1,
                invocations_per_workgroup: 1,
                workgroups_per_dimension: 1,
            },
        };
        kinds.iter().enumerate().map(one).collect()
    }

    fn choice(text: &str) -> AdapterChoice {
        match text.parse() {
            Ok(choice) => choice,
        }
    }

    #[test]
    fn texts() {
        assert_eq!(choice("auto"), AdapterChoice::Auto);
        assert_eq!(choice(""), AdapterChoice::Auto);
        assert_eq!(choice("12"), AdapterChoice::Index(12));
        assert_eq!(choice("RTX 4090"), AdapterChoice::Name("RTX 4090".into()));
        assert_eq!(choice("99999999999999999999"), AdapterChoice::Name("99999999999999999999".into()));
    }

    #[test]
    fn software_last() {
        use AdapterKind::{Discrete, Integrated, Other, Software, Virtual};
        for (kinds, expected) in [
            (&[Software, Integrated, Discrete, Discrete][..], 2),
            (&[Software, Virtual, Integrated], 2),
            (&[Software, Other, Virtual], 2),
            (&[Software, Other], 1),
            (&[Software, Software], 0),
        ] {
            let named: Vec<_> = kinds.iter().map(|&kind| ("it", kind)).collect();
            assert_eq!(AdapterChoice::Auto.among(&machine(&named)), Ok(expected), "{kinds:?}");
        }
    }

    #[test]
    fn names_and_indices() {
        let kind = AdapterKind::Discrete;
        let three = machine(&[("Big One", kind), ("big two", kind), ("llvmpipe", AdapterKind::Software)]);
        assert_eq!(choice("two").among(&three), Ok(1));
        assert_eq!(choice("LLVM").among(&three), Ok(2));
        assert_eq!(choice("2").among(&three), Ok(2));
        let ambiguous = choice("big").among(&three);
        let Err(GpuError::AdapterAmbiguous { matching, .. }) = ambiguous else { panic!("{ambiguous:?}") };
        assert_eq!(matching, ["0: Big One (Vulkan, discrete)", "1: big two (Vulkan, discrete)"]);
        for missing in ["3", "small"] {
            let error = choice(missing).among(&three).unwrap_err();
            assert!(matches!(&error, GpuError::AdapterNotFound { available, .. } if available.len() == 3));
            assert!(error.to_string().contains("\n  2: llvmpipe (Vulkan, software)"), "{error}");
        }
        assert_eq!(choice("auto").among(&[]), Err(GpuError::NoAdapter));
        assert_eq!(choice("0").among(&[]), Err(GpuError::NoAdapter));
    }
}
