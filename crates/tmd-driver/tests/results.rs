//! The certificates in `results/` hold, as this program has them.

mod testing;

use std::path::Path;

use testing::{findings, walk};
use tmd_driver::Certificate;
use tmd_functions::parse;
use tmd_testkit::results::{ResultFile, certificate, certificates, some};

/// Bytes of certificates that one run of the test looks at, of some hundred millions: what they
/// cost grows with them. `cargo xtask results --check` looks at all.
const SHARE: usize = 1 << 20;

/// All but samples: whoever changes how arguments are cut into pieces makes them again
/// (`cargo xtask results`), or raises the version of the program. With the engine that searched, if
/// this machine has its lanes; the older ones without it, too.
#[test]
fn they_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let files = certificates(&directory);
    assert!(files.len() >= 100, "{}", files.len());
    // what runs keep in results/unfinished is none
    let others = files.iter().filter(|file| !file.text.contains(r#""schema":"#));
    assert_eq!(others.map(|file| &file.stem[..]).collect::<Vec<_>>(), [""; 0]);
    let mut seen = 0;
    for ResultFile { stem, text } in some(files, SHARE) {
        let certificate = Certificate::from_json(&text).unwrap();
        let function = parse(&certificate.function).unwrap();
        let walk = walk();
        // a file in a folder is one of the data set, of which there are many
        let place = Path::new(&stem).strip_prefix(&directory).unwrap();
        let is_of_the_set = place.components().count() > 1;
        let engines = [Some(&walk as _), None];
        for &engine in &engines[..if is_of_the_set { 1 } else { 2 }] {
            let findings = findings(&function, &certificate, engine, (0, 0.0, 1));
            assert!(findings.holds(), "{stem}: {:?}", findings.refusals.first());
        }
        seen += 1;
    }
    assert!(seen >= 1);
}

/// Functions that repeat themselves have as many cases as chance makes, the numbers left out at
/// which they have only the results at 0 and 1/2.
#[test]
fn cases_are_as_many_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/binary32");
    let mut seen = 0;
    for ResultFile { stem, text } in certificates(&directory) {
        let name = stem.rsplit(['/', '\\']).next().unwrap_or_default();
        if !["sinpi", "tanpi", "exp2", "log2", "cbrt"].contains(&name) {
            continue;
        }
        seen += 1;
        let certificate = Certificate::from_json(&text).unwrap();
        let (found, expected) = (certificate.case_count() as f64, certificate.totals().expected_cases);
        assert!((0.8..1.25).contains(&(found / expected)), "{name}: {found}, {expected}");
        assert!(certificate.summary().contains(&format!("{found} cases")), "{name}");
    }
    assert_eq!(seen, 5);
}

/// sin in [2^1023, 2^1024): the literature names 515 positive arguments whose results agree with a
/// breakpoint in 44 bits or more behind the rounding bit.
#[test]
fn as_many_as_the_literature_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/large/sin");
    let binade = Certificate::from_json(&certificate(&folder, "1023")).unwrap();
    let is_named = |case: &&tmd_driver::report::Case| !case.x.starts_with('-') && case.identical_bits >= 44;
    assert_eq!(binade.cases.iter().filter(is_named).count(), 515);
}
