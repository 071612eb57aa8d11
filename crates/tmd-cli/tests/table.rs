//! `tmd table` as a user meets it: bytes, text, files, refusals.

mod program;

use std::{fs, path::Path};

use program::{Answer, tmd};

const ISSUE: &str = "exp(2*x)+sin(3*x^2)-3*cos(x)";

fn table(function: &str, more: &str) -> Answer {
    tmd(&format!("table {function} {more}"), &[])
}

fn written(function: &str, more: &str) -> Vec<u8> {
    let answer = table(function, more).done();
    assert!(answer.err.is_empty(), "{answer}");
    answer.out
}

#[test]
fn binary() {
    let bytes = written(ISSUE, "--format binary16");
    assert_eq!(bytes.len(), 131_072);
    let entry = |bits: usize| u16::from_le_bytes([bytes[2 * bits], bytes[2 * bits + 1]]);
    assert_eq!(entry(0x0000), 0xc000); // f(0) = 1 + 0 − 3
    assert_eq!(entry(0x8000), 0xc000);
    assert_eq!(entry(0x3c00), 0x45e9); // f(1) = 7.389… + 0.141… − 1.620… = 5.909…
    assert_eq!(entry(0x4800), 0x7c00); // e^16 overflows
    assert_eq!(entry(0x7c00), 0x7e00);
    assert_eq!(written(ISSUE, "--format binary16 --rounding nearest-even --output binary"), bytes);
    let zero = written(ISSUE, "--format binary16 --rounding zero");
    assert_eq!(zero[2 * 0x4800..][..2], [0xff, 0x7b]);
}

/// The text of either language, under the derived name or the user's; that it compiles is tested
/// where it is written.
#[test]
fn source_text() {
    let source = |more: &str| {
        table("1/x", &format!("--format bfloat16 --rounding up --output {more}")).done().says_nothing()
    };
    let c = source("c").prints("static const uint16_t f_1_x_bfloat16_up[65536] = {");
    assert!(c.text().starts_with("/* `1/x` in bfloat16, rounded toward +infinity.\n"));
    source("c --name inverse").prints("static inline uint16_t inverse_lookup(uint16_t argument)");
    source("rust").prints("pub static F_1_X_BFLOAT16_UP: [u16; 65536] = [");
    source("rust --name INVERSE").prints("pub static INVERSE: [u16; 65536] = [");
}

#[test]
fn files_appear_complete_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table.bin");
    let out = |expression, path: &Path| {
        tmd("table --format binary16 --overwrite", &[expression, "--out", path.to_str().unwrap()])
    };
    out("log", &path).done();
    let table = fs::read(&path).unwrap();
    assert_eq!(table.len(), 131_072);
    out("1/(exp(x)-exp(x))", &path).refused("simplify the expression");
    assert_eq!(fs::read(&path).unwrap(), table, "a failure leaves the old file");
    out("log", directory.path()).refused("it is a directory");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn wrong_questions_get_one_sentence() {
    for (function, format, words) in [
        ("exp", "binary32", "tables are for 16-bit formats; binary32 is none: take binary16 or bfloat16"),
        ("exp", "fp8", "unknown format `fp8`; tables are for 16-bit formats"),
        ("exp", "binary16 --rounding directed", "known: nearest-even, nearest-away, up, down, zero"),
        ("exp(", "binary16", "exp("),
        ("sine", "binary16", "did you mean `sin`"),
        ("exp", "binary16 --name f", "add --output c"),
        ("exp", "binary16 --output c --name 2f", "take a letter"),
        ("exp", "binary16 --output c --name double", "cannot be the name of a table in C"),
        ("exp", "binary16 --output rust --name fn", "cannot be the name of a table in Rust"),
    ] {
        table(function, &format!("--format {format}")).refused(words);
    }
    for wrong in ["table exp", "table exp --format binary16 --output go", "table"] {
        tmd(wrong, &[]).ends(2);
    }
}
