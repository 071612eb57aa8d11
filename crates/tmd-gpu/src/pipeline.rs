//! Compiled kernels, each compiled once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use crate::{Gpu, GpuError, device::locked, shader};

/// A kernel ready to be dispatched. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub(crate) compiled: Arc<Compiled>,
}

#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) gpu: u64,
    pub(crate) label: String,
    pub(crate) raw: wgpu::ComputePipeline,
    /// `None` for a kernel that uses no bindings.
    pub(crate) layout: Option<wgpu::BindGroupLayout>,
    pub(crate) bindings: Vec<u32>,
}

/// Source, entry point and the constants by name, their values as bits.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    source: String,
    entry: String,
    constants: Vec<(String, u64)>,
}

/// Filled by the first who asks for it; others who ask meanwhile wait for this one alone.
type Slot = Arc<Mutex<Option<Pipeline>>>;

/// What was compiled on one device.
#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    slots: Mutex<HashMap<Key, Slot>>,
}

impl Pipeline {
    /// The binding numbers of `@group(0)` that the entry point uses, in increasing order: a
    /// dispatch takes one buffer for each of them. What is declared and not used is not among them.
    pub fn bindings(&self) -> &[u32] {
        &self.compiled.bindings
    }

    /// What it was called when compiled.
    pub fn label(&self) -> &str {
        &self.compiled.label
    }
}

impl Gpu {
    /// The kernel `entry` of a WGSL source, with values for its `override` constants (those that it
    /// does not declare are refused). Compiled once per device: the same source, entry point and
    /// constants give the same pipeline again.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with the compiler's words.
    pub fn pipeline(
        &self,
        label: &str,
        wgsl: &str,
        entry: &str,
        constants: &[(&str, f64)],
    ) -> Result<Pipeline, GpuError> {
        self.check()?;
        let mut sorted: Vec<_> =
            constants.iter().map(|(name, value)| ((*name).into(), value.to_bits())).collect();
        sorted.sort_unstable();
        let key = Key { source: wgsl.into(), entry: entry.into(), constants: sorted };
        let slot = Arc::clone(locked(&self.inner.pipelines.slots).entry(key).or_default());
        let mut slot = locked(&slot);
        if let Some(pipeline) = &*slot {
            return Ok(pipeline.clone());
        }
        let pipeline = self.compile(label, wgsl, entry, constants)?;
        *slot = Some(pipeline.clone());
        Ok(pipeline)
    }

    fn compile(
        &self,
        label: &str,
        wgsl: &str,
        entry: &str,
        constants: &[(&str, f64)],
    ) -> Result<Pipeline, GpuError> {
        let refused = |message: String| GpuError::Shader { label: label.into(), message };
        let limits = self.inner.device.limits();
        let bindings = shader::inspect(label, wgsl, entry, constants, &limits).map_err(refused)?;
        let compiled = self.scoped(|device| {
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(wgsl.into()),
            });
            let raw = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(label),
                layout: None,
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
                cache: None,
            });
            let layout = (!bindings.is_empty()).then(|| raw.get_bind_group_layout(0));
            (raw, layout)
        });
        let (raw, layout) = compiled.map_err(|error| match error {
            GpuError::Validation { message } | GpuError::Internal { message } => refused(message),
            other => other,
        })?;
        let compiled = Compiled { gpu: self.inner.id, label: label.into(), raw, layout, bindings };
        Ok(Pipeline { compiled: Arc::new(compiled) })
    }
}
