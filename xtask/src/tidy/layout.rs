//! The folders of docs/architecture.md: an engine has the same name in each of them, and every
//! kernel's twin is in the folder of that name.

use super::{Complaint, Tree};

/// Folders, with the engines that each has a module or a folder of.
const FOLDERS: [(&str, &[&str]); 6] = [
    ("crates/tmd-core/src/", &["walk", "lattice3"]),
    ("crates/tmd-core/src/scalar/", &["walk", "phases"]),
    ("crates/tmd-simd/src/", &ENGINES),
    ("crates/tmd-gpu/src/search/", &ENGINES),
    (TWINS, &ENGINES),
    (KERNELS, &ENGINES),
];
const ENGINES: [&str; 3] = ["walk", "phases", "lattice3"];
const KERNELS: &str = "shaders/src/";
const TWINS: &str = "crates/tmd-gpu/src/cpu/";

/// What a kernel has in common with others and its twin needs no file for: the existence tests are
/// `tmd-exist`'s, and how invocations share work is no step of a result.
const WITHOUT_TWIN: [&str; 3] = ["phases/existence/", "phases/segments.wgsl", "phases/sharing.wgsl"];

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let has = |start: &str| tree.paths().any(|path| path.starts_with(start));
    let mut complaints = Vec::new();
    for (folder, engines) in FOLDERS.iter().filter(|(folder, _)| has(folder)) {
        for engine in *engines {
            if !has(&format!("{folder}{engine}/")) && tree.text(&format!("{folder}{engine}.rs")).is_none() {
                complaints.push(Complaint::file(*folder, format!("there is no module `{engine}`")));
            }
        }
    }
    for path in tree.paths() {
        let Some(inside) = path.strip_prefix(KERNELS).and_then(|inside| inside.strip_suffix(".wgsl")) else {
            continue;
        };
        let Some((engine, file)) = inside.split_once('/').filter(|(engine, _)| ENGINES.contains(engine))
        else {
            continue;
        };
        let file = if file == engine { "mod" } else { file };
        let twin = format!("{TWINS}{engine}/{file}.rs");
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
    fn every_folder_has_its_engines() {
        let all = ["crates/tmd-core/src/scalar/walk.rs", "crates/tmd-core/src/scalar/phases/mod.rs"];
        let below = ["crates/tmd-core/src/walk.rs", "crates/tmd-core/src/lattice3/mod.rs"];
        assert_eq!(complaints(&[all, below].concat()), [""; 0]);
        assert_eq!(
            complaints(&[&all[..1], &below[..]].concat()),
            ["crates/tmd-core/src/scalar/: there is no module `phases`"]
        );
        assert_eq!(complaints(&["crates/tmd-exist/src/lib.rs"]), [""; 0]);
    }

    #[test]
    fn every_kernel_has_its_twin() {
        let kernels =
            ["shaders/src/walk/walk.wgsl", "shaders/src/phases/refine.wgsl", "shaders/src/lattice3/a.wgsl"];
        let twins = ["walk/mod", "phases/refine", "lattice3/a"].map(|file| format!("{TWINS}{file}.rs"));
        let twins = twins.each_ref().map(String::as_str);
        let others = ["shaders/src/phases/existence/regular.wgsl", "shaders/src/generate.wgsl"];
        let whole = [&kernels[..], &twins, &others].concat();
        assert_eq!(complaints(&whole), [""; 0]);
        let lacking: Vec<&str> = whole.iter().copied().filter(|path| !path.ends_with("refine.rs")).collect();
        assert_eq!(
            complaints(&lacking),
            [
                "crates/tmd-gpu/src/cpu/: there is no module `phases`",
                "shaders/src/phases/refine.wgsl: its twin would be crates/tmd-gpu/src/cpu/phases/refine.rs"
            ]
        );
    }
}
