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
/// Arcs leave what they refuse to the walk, and that to the regular test, so these have looked at
/// what is theirs. Arcs take the least time, and look at what others searched, with a test that has
/// not looked at it for what they refuse; where the walk refused nothing that is the regular one,
/// which is faster than Lefèvre's. What arcs searched is for Lefèvre's test, or, where they refused
/// nothing, for the walk.
pub fn engines_besides(name: &str) -> Besides {
    let lanes = |engine| Simd::new(engine, Level::best());
    let arcs_or = |engine| Simd::arcs_or(engine, Level::best());
    // in whatever lanes, or in none
    let has = |engine: SimdEngine| {
        let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.any(|word| word == engine.name())
    };
    let is_by_arcs = has(SimdEngine::Arcs);
    let is_walked = is_by_arcs || has(SimdEngine::Farey);
    let is_regular = is_walked || has(SimdEngine::Regular);
    let other = match (has(SimdEngine::Lefevre), is_regular) {
        (false, _) => SimdEngine::Lefevre,
        (true, false) => SimdEngine::RegularTrimmed,
        (true, true) => SimdEngine::Exhaustive,
    };
    if is_by_arcs {
        return Besides { other: lanes(other), faster: Some(lanes(SimdEngine::Farey)) };
    }
    Besides { other: arcs_or(other), faster: is_walked.then(|| arcs_or(SimdEngine::RegularTrimmed)) }
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
        let lanes = |engine| Simd::new(engine, Level::best()).name();
        let arcs_or = |engine| format!("arcs or {}", lanes(engine));
        let regular = Some(arcs_or(SimdEngine::RegularTrimmed));
        for name in walks {
            let Besides { other, faster } = engines_besides(name);
            assert_eq!(other.name(), arcs_or(SimdEngine::Lefevre), "{name}");
            assert_eq!(faster.map(|faster| faster.name()), regular, "{name}");
        }
        for (name, other, faster) in [
            ("arcs avx2, costs 5", lanes(SimdEngine::Lefevre), Some(lanes(SimdEngine::Farey))),
            ("regular avx2", arcs_or(SimdEngine::Lefevre), None),
            ("scalar regular", arcs_or(SimdEngine::Lefevre), None),
            ("lefevre-swap avx2", arcs_or(SimdEngine::RegularTrimmed), None),
            ("exhaustive avx2", arcs_or(SimdEngine::Lefevre), None),
            // whoever searched which unit
            ("farey avx2 + lefevre avx2", arcs_or(SimdEngine::Exhaustive), regular.clone()),
            ("arcs avx2 + lefevre avx2", lanes(SimdEngine::Exhaustive), Some(lanes(SimdEngine::Farey))),
            // no name of an engine
            ("regular Farcs (native integers)", arcs_or(SimdEngine::Lefevre), None),
        ] {
            let besides = engines_besides(name);
            assert_eq!(
                (besides.other.name(), besides.faster.map(|faster| faster.name())),
                (other, faster),
                "{name}"
            );
        }
    }
}
