//! What wgpu does not say of a shader, or does not check: asked of naga, its compiler, which it
//! brings along.

use std::{error::Error, iter::successors};

use wgpu::naga::{
    AddressSpace, EntryPoint, Module, ShaderStage,
    back::{PipelineConstants, pipeline_constants::process_overrides},
    front::wgsl,
    proc::Layouter,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};

/// The bindings of `@group(0)` that the entry point uses, in increasing order: those of wgpu's
/// automatic layout.
///
/// wgpu 30 holds a workgroup's size and memory against the limits with the `override` constants'
/// default values only, and hands the actual ones to the driver: they are checked here. Whether the
/// device has the shader's other needs is wgpu's to check.
pub(crate) fn inspect(
    label: &str,
    source: &str,
    entry: &str,
    constants: &[(&str, f64)],
    limits: &wgpu::Limits,
) -> Result<Vec<u32>, String> {
    let module = wgsl::parse_str(source).map_err(|error| error.emit_to_string_with_path(source, label))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| error.emit_to_string_with_path(source, label))?;
    let Some(index) = position(&module, entry) else {
        let names: Vec<&str> = module.entry_points.iter().map(|point| point.name.as_str()).collect();
        return Err(format!("no compute entry point `{entry}`; there are: {}", names.join(", ")));
    };
    let constants: PipelineConstants =
        constants.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    let (final_module, final_info) =
        process_overrides(&module, &info, Some((ShaderStage::Compute, entry)), &constants)
            .map_err(|error| chained(&error))?;
    let final_index = position(&final_module, entry).ok_or("the entry point vanished")?;
    check_workgroup(&final_module, &final_info, final_index, limits)?;
    bindings(&module, &info, index)
}

/// The error and its causes in one line: naga's errors say only their own part.
fn chained(error: &(dyn Error + 'static)) -> String {
    let chain = successors(Some(error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn position(module: &Module, entry: &str) -> Option<usize> {
    let is_ours = |point: &EntryPoint| point.name == entry && point.stage == ShaderStage::Compute;
    module.entry_points.iter().position(is_ours)
}

fn check_workgroup(
    module: &Module,
    info: &ModuleInfo,
    index: usize,
    limits: &wgpu::Limits,
) -> Result<(), String> {
    let size = module.entry_points[index].workgroup_size;
    let allowed = [
        limits.max_compute_workgroup_size_x,
        limits.max_compute_workgroup_size_y,
        limits.max_compute_workgroup_size_z,
    ];
    let invocations: u64 = size.iter().fold(1, |product, &side| product.saturating_mul(side.into()));
    let most = limits.max_compute_invocations_per_workgroup;
    if invocations == 0
        || invocations > most.into()
        || std::iter::zip(size, allowed).any(|(is, may)| is > may)
    {
        return Err(format!(
            "a workgroup of {size:?} invocations; 1 to {most} are allowed, and at most {allowed:?}"
        ));
    }
    let mut layouter = Layouter::default();
    layouter.update(module.to_ctx()).map_err(|error| error.to_string())?;
    let used = info.get_entry_point(index);
    let shared = module
        .global_variables
        .iter()
        .filter(|(handle, variable)| variable.space == AddressSpace::WorkGroup && !used[*handle].is_empty());
    let bytes: u64 = shared.map(|(_, variable)| u64::from(layouter[variable.ty].size)).sum();
    let most = limits.max_compute_workgroup_storage_size;
    if bytes > most.into() {
        return Err(format!("a workgroup that shares {bytes} bytes; {most} are allowed"));
    }
    Ok(())
}

fn bindings(module: &Module, info: &ModuleInfo, index: usize) -> Result<Vec<u32>, String> {
    let used = info.get_entry_point(index);
    let mut bindings = Vec::new();
    for (handle, variable) in module.global_variables.iter() {
        let Some(binding) = variable.binding.filter(|_| !used[handle].is_empty()) else { continue };
        if binding.group != 0 {
            return Err(format!("it uses @group({}): buffers are bound to @group(0) only", binding.group));
        }
        bindings.push(binding.binding);
    }
    bindings.sort_unstable();
    Ok(bindings)
}
