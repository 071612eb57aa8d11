//! [`engine_besides`]: the engine that searches samples of another engine's work again.

use tmd_core::EngineName;
use tmd_simd::{CostTable, Level, Simd, SimdEngine};

/// An engine that searches otherwise than the one of this name, or those with ` + ` between them,
/// for samples of what that one searched.
///
/// By the fourth table of costs the walk leaves what it refuses to the regular test, so that one of
/// Lefèvre's looks at it again.
pub fn engine_besides(name: &str) -> Simd {
    let walks = |name: &str| name.starts_with(SimdEngine::Farey.name());
    let has_regular = |name: &str| {
        let costs = EngineName::parse(name).and_then(|name| CostTable::of_number(name.costs));
        walks(name) && costs.unwrap_or_default() >= CostTable::Fourth
    };
    if name.split(" + ").any(has_regular) {
        Simd::new(SimdEngine::Lefevre, Level::best())
    } else if walks(name) {
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
        // not what the walk leaves to others
        let besides = |name: &str, engine: SimdEngine| {
            assert_eq!(engine_besides(name).name(), Simd::new(engine, Level::best()).name(), "{name}");
        };
        for costs in ["", ", costs 2", ", costs 3"] {
            besides(&format!("farey portable{costs}"), SimdEngine::RegularTrimmed);
        }
        let walks = [
            "farey portable, costs 4",
            "farey avx2, costs 4, domain size 64",
            "farey A + farey avx2, costs 4",
        ];
        for name in walks {
            besides(name, SimdEngine::Lefevre);
        }
    }
}
