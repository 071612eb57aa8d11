//! naga accepts every kernel in both variants, and writes each for every kind of driver. No device
//! is needed.

use naga::{
    Module, Scalar, TypeInner,
    back::{PipelineConstants, hlsl, msl, pipeline_constants::process_overrides, spv},
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};

use crate::{Integers, Kernel};

/// What a variant asks of the adapter.
fn capabilities(integers: Integers) -> Capabilities {
    match integers {
        Integers::Emulated => Capabilities::empty(),
        Integers::Native => Capabilities::SHADER_INT64,
    }
}

fn validated(source: &str, capabilities: Capabilities) -> Result<(Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .map_err(|error| error.emit_to_string(source))?;
    Ok((module, info))
}

/// What Direct3D is given.
fn hlsl(module: &Module, info: &ModuleInfo) -> Result<String, hlsl::Error> {
    let shader_model = hlsl::ShaderModel::V6_0;
    let options = hlsl::Options { shader_model, fake_missing_bindings: true, ..hlsl::Options::default() };
    let mut text = String::new();
    hlsl::Writer::new(&mut text, &options, &hlsl::PipelineOptions::default()).write(module, info, None)?;
    Ok(text)
}

/// Every kernel and variant, with a value for every pipeline constant that has no default and with
/// both for those that say yes or no.
fn each(mut check: impl FnMut(Kernel, Integers, &Module, &ModuleInfo)) {
    for kernel in Kernel::all() {
        for integers in Integers::ALL {
            let (module, info) = validated(&kernel.source(integers), capabilities(integers))
                .unwrap_or_else(|error| panic!("{kernel:?} {integers:?}: {error}"));
            for yes in [0.0, 1.0] {
                let mut constants = PipelineConstants::default();
                for (_, constant) in module.overrides.iter() {
                    let Some(name) = &constant.name else { continue };
                    if module.types[constant.ty].inner == TypeInner::Scalar(Scalar::BOOL) {
                        constants.insert(name.clone(), yes);
                    } else if constant.init.is_none() {
                        constants.insert(name.clone(), 1.0);
                    }
                }
                for entry in &module.entry_points {
                    let entry = Some((entry.stage, entry.name.as_str()));
                    let (module, info) = process_overrides(&module, &info, entry, &constants).unwrap();
                    check(kernel, integers, &module, &info);
                }
            }
        }
    }
}

#[test]
fn every_kernel_is_written_as_spir_v() {
    let mut written = 0;
    each(|kernel, integers, module, info| {
        let words = spv::write_vec(module, info, &spv::Options::default(), None)
            .unwrap_or_else(|error| panic!("{kernel:?} {integers:?}: {error}"));
        assert!(words.len() > 100);
        written += 1;
    });
    assert!(written >= 2 * Kernel::all().len());
}

#[test]
fn every_kernel_is_written_for_metal_and_direct3d() {
    each(|kernel, integers, module, info| {
        let options =
            msl::Options { lang_version: (2, 3), fake_missing_bindings: true, ..msl::Options::default() };
        let (text, _) = msl::write_string(module, info, &options, &msl::PipelineOptions::default())
            .unwrap_or_else(|error| panic!("{kernel:?} {integers:?}: {error}"));
        assert!(text.contains("kernel void"));
        let text = hlsl(module, info).unwrap_or_else(|error| panic!("{kernel:?} {integers:?}: {error}"));
        assert!(text.contains("numthreads"));
    });
}

#[test]
fn names_are_those_of_the_entry_points_in_order() {
    for kernel in Kernel::all() {
        let (module, _) = validated(&kernel.source(Integers::Emulated), Capabilities::empty()).unwrap();
        let entries: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(entries, kernel.entries(), "{kernel:?}");
        assert!(entries.iter().all(|entry| entry.starts_with(kernel.name())), "{kernel:?}");
    }
}

/// What is written for a fused multiply-add of doubles: for Vulkan an instruction that may round
/// twice, as nothing forbids it, for Direct3D one that may be either (lemma G.12 of
/// docs/proofs/gpu.md). So no kernel has doubles.
#[test]
fn no_multiply_add_is_promised_to_be_fused() {
    const SOURCE: &str = "@group(0) @binding(0) var<storage, read_write> x: array<f64>;
        @compute @workgroup_size(1) fn main() { x[3] = fma(x[0], x[1], x[2]); }";
    // of SPIR-V: OpExtInst, Fma of GLSL.std.450, OpDecorate, NoContraction
    const EXTENDED: u32 = 12;
    const FMA: u32 = 50;
    const DECORATE: u32 = 71;
    const NO_CONTRACTION: u32 = 42;
    let (module, info) = validated(SOURCE, Capabilities::FLOAT64).unwrap();
    let words = spv::write_vec(&module, &info, &spv::Options::default(), None).unwrap();
    let (mut at, mut fused, mut kept_apart) = (5, 0, 0);
    while at < words.len() {
        let (length, instruction) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        fused += usize::from(instruction == EXTENDED && words[at + 4] == FMA);
        kept_apart += usize::from(instruction == DECORATE && words[at + 2] == NO_CONTRACTION);
        at += length.max(1);
    }
    assert_eq!((fused, kept_apart), (1, 0));
    let text = hlsl(&module, &info).unwrap();
    assert!(text.contains("mad(") && !text.contains("fma("), "{text}");
    for kernel in Kernel::all() {
        assert!(Integers::ALL.iter().all(|&integers| !kernel.source(integers).contains("f64")), "{kernel:?}");
    }
}

/// Without native integers an adapter must not be asked for them: the test of the tests above.
#[test]
fn native_integers_are_a_capability() {
    let source = Kernel::IntegerCheck.source(Integers::Native);
    assert!(validated(&source, Capabilities::empty()).is_err());
}
