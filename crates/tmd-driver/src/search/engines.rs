//! [`engines_besides`]: the engines that search samples of another engine's work again.

use tmd_simd::{Level, Simd, SimdEngine};

/// Engines that search samples of another engine's work again, otherwise than that one.
#[derive(Clone, Copy, Debug)]
pub struct Besides {
    /// Whatever that one and its fallbacks searched.
    pub other: Simd,
    /// A faster one for what it searched itself, if there is a faster one.
    pub faster: Option<Simd>,
}

/// The engines besides the one of this name, or of several with ` + ` between them.
///
/// What the walk searched arcs search again, which take less time than it does. What the walk
/// refuses is left to the regular test; so what arcs refuse of it is for Lefèvre's, or for the
/// regular test, which is faster, where the walk refused nothing. What arcs refuse is left to the
/// walk, so that Lefèvre's test looks at it again; where they refused nothing the walk does.
pub fn engines_besides(name: &str) -> Besides {
    let lanes = |engine| Simd::new(engine, Level::best());
    let arcs_or = |engine| Simd::arcs_or(engine, Level::best());
    // in whatever lanes, or in none
    if name.contains(SimdEngine::Arcs.name()) {
        Besides { other: lanes(SimdEngine::Lefevre), faster: Some(lanes(SimdEngine::Farey)) }
    } else if name.contains(SimdEngine::Farey.name()) {
        Besides { other: arcs_or(SimdEngine::Lefevre), faster: Some(arcs_or(SimdEngine::RegularTrimmed)) }
    } else {
        Besides { other: lanes(SimdEngine::Farey), faster: None }
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
            let Besides { other, faster } = engines_besides(&name);
            for besides in [other].into_iter().chain(faster) {
                assert_ne!(besides.name(), Simd::new(engine, Level::best()).name());
            }
        }
        assert!(writer("steam").is_none());
        // not by the regular test what the walk leaves to it, and nothing by the walk
        let walks = [
            "farey portable",
            "farey avx2, costs 4, domain size 64",
            "farey A + farey avx2, costs 4",
            "A + farey avx2",
            "scalar farey",
        ];
        for name in walks {
            let Besides { other, faster } = engines_besides(name);
            let arcs_or = |engine| format!("arcs or {}", Simd::new(engine, Level::best()).name());
            assert_eq!(other.name(), arcs_or(SimdEngine::Lefevre), "{name}");
            assert_eq!(faster.unwrap().name(), arcs_or(SimdEngine::RegularTrimmed), "{name}");
        }
    }
}
