//! The engines of the CPU by the names that certificates know them by.

use tmd_core::{Backend, Scalar, ScalarEngine, engine_of_name};
use tmd_simd::{Level, Simd, SimdEngine};

/// The engine of the CPU that calls itself so; none if this machine has not its lanes.
pub fn engine_named(name: &str) -> Option<Box<dyn Backend>> {
    let (_, logms, domain_size) = engine_of_name(name)?;
    let scalar =
        [ScalarEngine::Farey, ScalarEngine::Regular, ScalarEngine::Lefevre, ScalarEngine::Exhaustive];
    let simd = [
        SimdEngine::Farey,
        SimdEngine::Regular,
        SimdEngine::Lefevre,
        SimdEngine::LefevreSwap,
        SimdEngine::Exhaustive,
    ];
    let mut engines: Vec<Box<dyn Backend>> = Vec::new();
    for engine in scalar {
        engines.push(Box::new(Scalar { engine, logms, domain_size }));
    }
    for level in Level::available() {
        for engine in simd {
            let engine = Simd::new(engine, level).with_logms(logms).with_domain_size(domain_size);
            engines.push(Box::new(engine));
        }
    }
    engines.into_iter().find(|engine| engine.name() == name)
}

/// An engine that searches otherwise than the one of this name, for samples of what that one
/// searched.
pub fn engine_besides(name: &str) -> Simd {
    if name.starts_with(SimdEngine::Farey.name()) {
        Simd::new(SimdEngine::Regular, Level::best())
    } else {
        Simd::farey(Level::best())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_by_their_own_names() {
        for engine in SimdEngine::ALL {
            let name = Simd::new(engine, Level::best()).with_domain_size(Some(4096)).name();
            assert_eq!(engine_named(&name).unwrap().name(), name);
            assert_ne!(engine_besides(&name).name(), Simd::new(engine, Level::best()).name());
        }
        assert!(engine_named("steam").is_none());
    }
}
