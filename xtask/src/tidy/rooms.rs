//! The house of docs/architecture.md: on every storey each wing has the same name, and every
//! kernel's twin is in the room of that name.

use super::{Complaint, Tree};

/// The storeys, with the wings that each has.
const STOREYS: [(&str, &[&str]); 6] = [
    ("crates/tmd-core/src/", &["walk", "lattice3"]),
    ("crates/tmd-core/src/scalar/", &["walk", "phases"]),
    ("crates/tmd-simd/src/", &WINGS),
    ("crates/tmd-gpu/src/search/", &WINGS),
    (TWINS, &WINGS),
    (KERNELS, &WINGS),
];
const WINGS: [&str; 3] = ["walk", "phases", "lattice3"];
const KERNELS: &str = "shaders/src/";
const TWINS: &str = "crates/tmd-gpu/src/cpu/";

/// What a kernel has in common with others and its twin needs no file for: the existence tests are
/// `tmd-exist`'s, and how invocations share work is no step of a result.
const WITHOUT_TWIN: [&str; 3] = ["phases/existence/", "phases/segments.wgsl", "phases/sharing.wgsl"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let has = |start: &str| tree.paths().any(|path| path.starts_with(start));
    let mut complaints = Vec::new();
    for (storey, wings) in STOREYS.iter().filter(|(storey, _)| has(storey)) {
        for wing in *wings {
            if !has(&format!("{storey}{wing}/")) && tree.text(&format!("{storey}{wing}.rs")).is_none() {
                complaints
                    .push(Complaint::file(*storey, format!("there is no room `{wing}` on this storey")));
            }
        }
    }
    for path in tree.paths() {
        let Some(inside) = path.strip_prefix(KERNELS).and_then(|inside| inside.strip_suffix(".wgsl")) else {
            continue;
        };
        let Some((wing, file)) = inside.split_once('/').filter(|(wing, _)| WINGS.contains(wing)) else {
            continue;
        };
        let file = if file == wing { "mod" } else { file };
        let twin = format!("{TWINS}{wing}/{file}.rs");
        let is_free = WITHOUT_TWIN.iter().any(|free| path[KERNELS.len()..].starts_with(free));
        if !is_free && tree.text(&twin).is_none() {
            complaints.push(Complaint::file(path, format!("its twin would be {twin}")));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(paths: &[&str]) -> Vec<String> {
        let files: Vec<_> = paths.iter().map(|&path| (path, "")).collect();
        check(&Tree::of(&files)).iter().map(Complaint::to_string).collect()
    }

    #[test]
    fn every_storey_has_its_wings() {
        let all = ["crates/tmd-core/src/scalar/walk.rs", "crates/tmd-core/src/scalar/phases/mod.rs"];
        let below = ["crates/tmd-core/src/walk.rs", "crates/tmd-core/src/lattice3/mod.rs"];
        assert_eq!(complaints(&[all, below].concat()), [""; 0]);
        assert_eq!(
            complaints(&[&all[..1], &below[..]].concat()),
            ["crates/tmd-core/src/scalar/: there is no room `phases` on this storey"]
        );
        assert_eq!(complaints(&["crates/tmd-exist/src/lib.rs"]), [""; 0]);
    }

    #[test]
    fn every_kernel_has_its_twin() {
        let rooms =
            ["shaders/src/walk/walk.wgsl", "shaders/src/phases/refine.wgsl", "shaders/src/lattice3/a.wgsl"];
        let twins = ["walk/mod", "phases/refine", "lattice3/a"].map(|file| format!("{TWINS}{file}.rs"));
        let twins = twins.each_ref().map(String::as_str);
        let others = ["shaders/src/phases/existence/regular.wgsl", "shaders/src/generate.wgsl"];
        let whole = [&rooms[..], &twins, &others].concat();
        assert_eq!(complaints(&whole), [""; 0]);
        let lacking: Vec<&str> = whole.iter().copied().filter(|path| !path.ends_with("refine.rs")).collect();
        assert_eq!(
            complaints(&lacking),
            [
                "crates/tmd-gpu/src/cpu/: there is no room `phases` on this storey",
                "shaders/src/phases/refine.wgsl: its twin would be crates/tmd-gpu/src/cpu/phases/refine.rs"
            ]
        );
    }
}
