//! [`engine_besides`]: the engine that searches samples of another engine's work again.

use tmd_simd::{Level, Simd, SimdEngine};

/// An engine that searches otherwise than the one of this name, for samples of what that one
/// searched.
pub fn engine_besides(name: &str) -> Simd {
    if name.starts_with(SimdEngine::Farey.name()) {
        Simd::new(SimdEngine::RegularTrimmed, Level::best())
    } else {
        Simd::farey(Level::best())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Writer, writer};
    use tmd_core::Backend as _;

    #[test]
    fn engines_by_their_own_names() {
        for engine in SimdEngine::ALL {
            let name = Simd::new(engine, Level::best()).with_domain_size(Some(4096)).name();
            let Some(Writer::Here(engine_of_name)) = writer(&name) else { panic!("{name}") };
            assert_eq!(engine_of_name.name(), name);
            assert_ne!(engine_besides(&name).name(), Simd::new(engine, Level::best()).name());
        }
        assert!(writer("steam").is_none());
    }
}
