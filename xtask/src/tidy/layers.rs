//! Arrows only go down: which of our packages each may depend on, and which foreign ones the lowest
//! never learn of. The table of docs/architecture.md says the same.

use std::collections::BTreeSet;

use super::{Complaint, Package, Tree};

/// What a package may depend on among ours (dev-dependencies apart), lowest first. A new package
/// needs a line here.
const ALLOWED: [(&str, &[&str]); 22] = [
    ("tmd-contfrac", &[]),
    ("tmd-exist", &[]),
    ("tmd-difftable", &[]),
    ("tmd-core", &["tmd-contfrac", "tmd-exist", "tmd-difftable"]),
    ("tmd-shaders", &[]),
    ("tmd-functions", &["tmd-core"]),
    ("tmd-simd", &["tmd-core"]),
    ("tmd-gpu", &["tmd-core", "tmd-shaders"]),
    ("tmd-driver", &["tmd-core", "tmd-functions", "tmd-simd"]),
    ("tmd-report", &["tmd-core", "tmd-driver"]),
    ("tmd-ledger", &["tmd-core", "tmd-driver"]),
    ("tmd-libm", &["tmd-core", "tmd-functions", "tmd-driver"]),
    (
        "tmd-cli",
        &[
            "tmd-core",
            "tmd-functions",
            "tmd-simd",
            "tmd-gpu",
            "tmd-driver",
            "tmd-report",
            "tmd-ledger",
            "tmd-libm",
        ],
    ),
    ("tmd-mpi", &["tmd-core", "tmd-driver", "tmd-ledger", "tmd-cli"]),
    ("tmd-python", &["tmd-driver", "tmd-report"]),
    // for tests and benches: nobody depends on these
    ("tmd-testkit", &["tmd-core", "tmd-functions", "tmd-driver"]),
    ("tmd-examples", &["tmd-core", "tmd-functions", "tmd-driver"]),
    ("tmd-example-libm", &[]),
    ("tmd-benches", &["tmd-core", "tmd-driver", "tmd-functions", "tmd-simd"]),
    (
        "tmd-tools",
        &[
            "tmd-benches",
            "tmd-core",
            "tmd-functions",
            "tmd-simd",
            "tmd-shaders",
            "tmd-gpu",
            "tmd-driver",
            "tmd-ledger",
            "tmd-testkit",
        ],
    ),
    // a workspace of its own, for cargo-fuzz
    (
        "tmd-fuzz",
        &["tmd-exist", "tmd-core", "tmd-functions", "tmd-simd", "tmd-driver", "tmd-ledger", "tmd-testkit"],
    ),
    ("xtask", &[]),
];

/// The packages that other numerics projects depend on …
const LIGHT: [&str; 4] = ["tmd-contfrac", "tmd-exist", "tmd-difftable", "tmd-core"];
/// … and what they must not pull in.
const HEAVY: [&str; 8] =
    ["rug", "gmp-mpfr-sys", "rayon", "wgpu", "pest", "pest_derive", "clap", "serde_json"];

/// The GPU is reached through one package: its errors, its waiting and its locks are written once.
const OF_THE_GPU: (&str, [&str; 3]) = ("tmd-gpu", ["wgpu", "wgpu-core", "wgpu-hal"]);

/// Packages that are not for crates.io.
const UNPUBLISHED: [&str; 8] = [
    "tmd-python",
    "tmd-testkit",
    "tmd-examples",
    "tmd-example-libm",
    "tmd-benches",
    "tmd-tools",
    "tmd-fuzz",
    "xtask",
];

/// Where the packages are described: a row for each, its last cell naming those that it may use.
const MAP: &str = "docs/architecture.md";

pub(super) fn check(tree: &Tree, packages: &[Package]) -> Vec<Complaint> {
    let map = tree.text(MAP).map(of_map).unwrap_or_default();
    packages.iter().flat_map(|package| of_package(package, packages)).chain(map).collect()
}

/// What the map says otherwise than [`ALLOWED`].
fn of_map(text: &str) -> Vec<Complaint> {
    let rows: Vec<(&str, BTreeSet<&str>)> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("| `")?.strip_suffix('|')?.split_once('`'))
        .map(|(name, rest)| (name, ours(rest.rsplit('|').next().unwrap_or_default())))
        .collect();
    let wrong = ALLOWED.iter().filter_map(|(name, allowed)| {
        let Some((_, told)) = rows.iter().find(|(row, _)| row == name) else {
            return Some(format!("{name} has no row in the table of crates"));
        };
        (*told != allowed.iter().copied().collect())
            .then(|| format!("the row of {name} must name [{}] as what it may use", allowed.join(", ")))
    });
    wrong.map(|what| Complaint::file(MAP, what)).collect()
}

/// Names of our packages in a text.
fn ours(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| word.starts_with("tmd-")).collect()
}

fn of_package(package: &Package, packages: &[Package]) -> Vec<Complaint> {
    let name = package.name.as_str();
    let mut complaints = Vec::new();
    let mut complain = |what: String| {
        complaints.push(Complaint::file(format!("{}/Cargo.toml", package.folder), what));
    };
    if UNPUBLISHED.contains(&name) && package.is_published {
        complain(format!("{name} is not for crates.io: say `publish = false`"));
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        complain(format!("{name} has no line in the table of layers (xtask/src/tidy/layers.rs)"));
        return complaints;
    };
    // our own: in the table, or in the tree, whatever it is called
    let is_ours = |other: &str| {
        ALLOWED.iter().any(|(known, _)| *known == other)
            || packages.iter().any(|package| package.name == other)
    };
    for dependency in &package.dependencies {
        if is_ours(dependency) && !allowed.contains(&dependency.as_str()) {
            complain(format!("arrows only go down: {name} must not depend on {dependency}"));
        }
        if LIGHT.contains(&name) && HEAVY.contains(&dependency.as_str()) {
            complain(format!("{name} stays light: it must not depend on {dependency}"));
        }
        let (gpu, libraries) = OF_THE_GPU;
        if name != gpu && libraries.contains(&dependency.as_str()) {
            complain(format!("only {gpu} speaks to the GPU: {name} must not depend on {dependency}"));
        }
        if name == "xtask" {
            complain(format!(
                "xtask starts in seconds on a bare machine: it must not depend on {dependency}"
            ));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(name: &str, dependencies: &[&str]) -> Vec<String> {
        let list: Vec<String> = dependencies.iter().map(|name| format!("{name} = \"1\"")).collect();
        let manifest =
            format!("[package]\nname = \"{name}\"\npublish = false\n[dependencies]\n{}\n", list.join("\n"));
        let other = Package::parse("crates/odd", "[package]\nname = \"odd\"\n");
        let packages = [Package::parse("here", &manifest), other];
        of_package(&packages[0], &packages).into_iter().map(|complaint| complaint.what).collect()
    }

    #[test]
    fn arrows_down_are_fine() {
        for (name, allowed) in ALLOWED {
            assert_eq!(complaints(name, allowed), [""; 0], "{name}");
        }
        assert_eq!(complaints("tmd-core", &["thiserror"]), [""; 0]);
        assert_eq!(complaints("tmd-functions", &["rug", "pest"]), [""; 0]);
    }

    #[test]
    fn the_table_itself_goes_down_and_has_no_cycle() {
        for (i, (name, allowed)) in ALLOWED.iter().enumerate() {
            for dependency in *allowed {
                let place = ALLOWED.iter().position(|(known, _)| known == dependency);
                assert!(place.is_some_and(|place| place < i), "{name} may depend on {dependency}");
            }
        }
    }

    #[test]
    fn arrows_up_are_named() {
        let up = "arrows only go down: ";
        assert_eq!(
            complaints("tmd-core", &["tmd-driver"]),
            [format!("{up}tmd-core must not depend on tmd-driver")]
        );
        assert_eq!(complaints("tmd-exist", &["tmd-core"]).len(), 1);
        assert_eq!(complaints("tmd-driver", &["tmd-testkit"]).len(), 1, "the testkit is for tests");
        assert_eq!(complaints("tmd-simd", &["tmd-gpu"]).len(), 1, "backends meet in driver and program");
        assert_eq!(complaints("tmd-core", &["odd"]).len(), 1, "any package of the tree is ours");
    }

    #[test]
    fn light_crates_stay_light() {
        for name in LIGHT {
            for heavy in ["rug", "rayon", "wgpu", "pest"] {
                let light = format!("{name} stays light: it must not depend on {heavy}");
                assert_eq!(complaints(name, &[heavy])[0], light);
            }
        }
        assert_eq!(complaints("xtask", &["serde_json"]).len(), 1);
    }

    #[test]
    fn only_one_package_speaks_to_the_gpu() {
        assert_eq!(complaints("tmd-gpu", &["wgpu", "tmd-shaders"]), [""; 0]);
        for (name, _) in ALLOWED.iter().filter(|(name, _)| *name != "tmd-gpu") {
            let speaks = |what: &String| what.starts_with("only tmd-gpu speaks to the GPU: ");
            assert_eq!(complaints(name, &["wgpu"]).iter().filter(|what| speaks(what)).count(), 1, "{name}");
        }
        let users = ALLOWED.iter().filter(|(_, allowed)| allowed.contains(&"tmd-gpu"));
        assert!(users.map(|(name, _)| *name).eq(["tmd-cli", "tmd-tools"]));
    }

    #[test]
    fn unknown_and_published() {
        assert!(complaints("tmd-new", &[])[0].contains("no line in the table"));
        let published = Package::parse("crates/tmd-testkit", "[package]\nname = \"tmd-testkit\"\n");
        let found = check(&Tree::of(&[]), &[published]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .to_string()
                .starts_with("crates/tmd-testkit/Cargo.toml: tmd-testkit is not for crates.io")
        );
    }

    #[test]
    fn dev_dependencies_are_free() {
        let manifest =
            "[package]\nname = \"tmd-core\"\n[dev-dependencies]\ntmd-testkit = \"1\"\nrug = \"1\"\n";
        assert_eq!(check(&Tree::of(&[]), &[Package::parse("crates/tmd-core", manifest)]), []);
    }

    /// A map that names all packages with what they may use has no complaint; a row that is missing
    /// and a name too many are two.
    #[test]
    fn the_map_says_the_same() {
        let row = |(name, allowed): &(&str, &[&str])| {
            format!("| `{name}` | holds `tmd-not` | {} , rug |\n", allowed.join(", "))
        };
        let map: String = ALLOWED.iter().map(row).collect();
        assert_eq!(of_map(&map), []);
        let wrong = map.replacen("| `tmd-exist`", "| `tmd-exit`", 1).replacen(" , rug", ", tmd-gpu", 1);
        let found: Vec<String> = of_map(&wrong).into_iter().map(|complaint| complaint.what).collect();
        let expected = [
            "the row of tmd-contfrac must name [] as what it may use",
            "tmd-exist has no row in the table of crates",
        ];
        assert_eq!(found, expected);
    }
}
