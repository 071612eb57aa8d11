//! The tables in `results/`: what `cargo xtask results` wrote of certificates that hold, with the
//! literature's cases in them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use tmd_core::{BreakpointKind, Number};
use tmd_driver::{Certificate, certificate::ClassRecord};
use tmd_report::{
    compressed,
    export::{to_hardest_csv, to_hardest_markdown},
    list::Listing,
    number::number,
};
use tmd_testkit::{
    one_in,
    results::{ResultFile, certificates, some},
};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results")
}

/// Certificates one by one, each with its path without an ending.
fn read(files: Vec<ResultFile>) -> impl Iterator<Item = (PathBuf, Certificate)> {
    let files = files.into_iter();
    files.map(|file| (PathBuf::from(file.stem), Certificate::from_json(&file.text).unwrap()))
}

/// Bytes of certificates whose tables one run of the test compares; `cargo xtask results` writes
/// tables and certificates together.
const SHARE: usize = 4 << 20;

/// Pages of more bytes have two cases of each binade.
const MOST_IN_PAGES: usize = 300_000;

/// The columns of a list that are before that of the function: others are the same in all rows.
fn own_columns(list: &str) -> String {
    let number = list.lines().next().unwrap().split(',').position(|name| name == "function").unwrap();
    let own = |line: &str| line.splitn(number + 1, ',').take(number).collect::<Vec<_>>().join(",") + "\n";
    list.lines().map(own).collect()
}

/// Whether the certificate answers for x by a search: of x, or of an argument whose cases those at
/// x are.
fn is_covered(certificate: &Certificate, x: Number) -> bool {
    certificate.regions.iter().any(|region| {
        number(&region.first).unwrap() <= x
            && x <= number(&region.last).unwrap()
            && matches!(
                region.class,
                ClassRecord::Searched | ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. }
            )
    })
}

fn odd_part(x: Number) -> i128 {
    x.significand() >> x.significand().trailing_zeros()
}

#[test]
fn tables_are_those_of_complete_certificates() {
    let files = certificates(&directory());
    assert!(files.len() >= 100, "{}", files.len());
    let mut seen = 0;
    for (path, certificate) in read(some(files, SHARE)) {
        seen += 1;
        let name = path.display();
        assert!(certificate.is_complete() && certificate.undecided.is_empty(), "{name}");
        assert_eq!(certificate.digest, certificate.computed_digest(), "{name}");
        let written = |ending: &str| {
            // long lists are compressed
            let plain = path.with_extension(ending);
            let bytes = if plain.is_file() {
                fs::read(plain).unwrap()
            } else {
                content_as_packed(&path, ending).unwrap()
            };
            String::from_utf8(bytes).unwrap()
        };
        content_as_packed(&path, "wc");
        let is_small =
            ["binary16", "bfloat16", "binary32"].iter().any(|format| *format == certificate.format.name);
        let per_binade = if is_small { 5 } else { 20 };
        let list = to_hardest_csv(&certificate, Listing::Short, per_binade).unwrap();
        // a binade of large arguments has a list, and its place in docs/large-arguments.md
        if path.strip_prefix(directory()).is_ok_and(|stem| stem.starts_with("large")) {
            assert!(own_columns(&list) == written("csv"), "{name}");
            continue;
        }
        assert!(list == written("csv"), "{name}");
        let page = |per_binade: usize| to_hardest_markdown(&certificate, Listing::Short, per_binade).unwrap();
        let long = page(per_binade);
        let page = if long.len() > MOST_IN_PAGES { page(2) } else { long };
        assert!(page == written("md"), "{name}");
    }
    assert!(seen >= 1);
}

/// The content of a compressed list, if there is one. `cargo xtask results --check` compares bytes:
/// the file is what the program writes of its content. (Another version of the library may
/// compress otherwise; then `--lists` writes all again.)
fn content_as_packed(path: &Path, ending: &str) -> Option<Vec<u8>> {
    let path = path.with_extension(format!("{ending}.zst"));
    let bytes = fs::read(&path).ok()?;
    let content = compressed::plain(bytes.clone()).unwrap();
    assert!(*compressed::as_named(&path, &content).unwrap() == *bytes, "{}", path.display());
    Some(content)
}

/// All compressed lists of a format, some of them of less than 128 KiB: of these the crate might
/// tell its library more than of long ones.
#[test]
fn short_lists_are_packed_as_ever() {
    let files = fs::read_dir(directory().join("bfloat16")).unwrap().map(|file| file.unwrap().path());
    let lists = files.filter(|path| path.to_str().unwrap().ends_with(".wc.zst"));
    let short = lists.filter(|list| {
        let stem = list.with_extension("").with_extension("");
        content_as_packed(&stem, "wc").unwrap().len() < 128 << 10
    });
    assert!(short.count() >= 5);
}

/// The literature's worst cases are in the lists, as near to their breakpoints as the literature
/// says: those of a sixth of the functions, by turns.
#[test]
fn known_worst_cases_appear() {
    let mut known = tmd_testkit::known::worst_cases().unwrap();
    let functions: BTreeSet<String> = known.iter().map(|known| known.function.clone()).collect();
    let functions: BTreeSet<String> = one_in(6, functions).collect();
    known.retain(|known| functions.contains(&known.function));
    let mut files = certificates(&directory());
    // the literature's are doubles, of some functions: the lines at the beginning name both
    files.retain(|file| {
        let begins = |what: &str| file.text.lines().take(8).any(|line| line.contains(what));
        begins("\"binary64\"") && known.iter().any(|known| begins(&format!("\"{}(x)\"", known.function)))
    });
    let certificates: Vec<(PathBuf, Certificate)> = read(files).collect();
    let mut seen = 0;
    for known in known {
        let x = known.argument;
        for (path, certificate) in &certificates {
            if certificate.format.name != "binary64"
                || certificate.function != format!("{}(x)", known.function)
                || !is_covered(certificate, x)
                || known.identical_bits < certificate.extra_bits
            {
                continue;
            }
            // cases that repeat themselves from binade to binade are listed once, if they are many
            let is_repeated = !certificate.rules.is_empty();
            let is_it = |y: Number| y == x || is_repeated && odd_part(y) == odd_part(x);
            let case = certificate.cases.iter().find(|case| is_it(number(&case.x).unwrap()));
            let case = case.unwrap_or_else(|| panic!("{x} is not in {}", path.display()));
            assert_eq!(case.kind == BreakpointKind::Midpoint.to_string(), known.midpoint, "{x}");
            assert_eq!(case.identical_bits, known.identical_bits, "{x}");
            seen += 1;
        }
    }
    assert!(
        seen >= functions.len(),
        "{seen} cases of {} functions are in the domains that were searched",
        functions.len()
    );
}
