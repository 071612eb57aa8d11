//! Lists as source text: a C compiler and rustc read them without a warning, and what the programs
//! hold are MPFR's results.

mod common;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use common::solved;
use tmd_core::{Breakpoints, Format, Number, Problem};
use tmd_driver::{
    Certificate,
    certificate::FormatRecord,
    confirm::hardness,
    report::Case,
    rug::{Float, float::Round},
    table::{Encoding, Language, Rounding},
};
use tmd_functions::{Expression, Function, Interval, special::Sign, taylor::float_of};
use tmd_report::{
    ReportError,
    choice::Choice,
    export::{default_name, to_c, to_corpus, to_rust},
    list::Listing,
    number::number,
};
use tmd_testkit::results::certificate;

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(output: Output) -> String {
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Without a warning.
const STRICT: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"];

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("source").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a C program prints that includes the header twice: the patterns of each line, and its
/// distance.
fn by_c(folder: &Path, header: &str, name: &str, fields: &[&str], bytes: usize) -> String {
    fs::write(folder.join("cases.h"), header).unwrap();
    let shown: Vec<String> =
        fields.iter().map(|field| format!("        show(&{name}[i].{field});\n")).collect();
    let shown = shown.concat();
    let count = format!("{}_COUNT", name.to_ascii_uppercase());
    let program = format!(
        "#include <stdio.h>\n#include \"cases.h\"\n#include \"cases.h\"\nstatic void show(const void *p)\n{{\n    const unsigned char *b = p;\n    \
         int n = {bytes};\n    while (n-- > 0) printf(\"%02x\", b[n]);\n    putchar(' ');\n}}\nint main(void)\n{{\n    int i;\n    \
         for (i = 0; i < {count}; i++) {{\n{shown}        printf(\"%.4f\\n\", {name}[i].log2_dist);\n    }}\n    return 0;\n}}\n"
    );
    fs::write(folder.join("main.c"), program).unwrap();
    run(Command::new("cc").args(STRICT).arg("-o").args([folder.join("c"), folder.join("main.c")]));
    text(run(&mut Command::new(folder.join("c"))))
}

/// The same of a Rust program with the module.
fn by_rust(folder: &Path, module: &str, name: &str, fields: &[&str], bytes: usize) -> String {
    fs::write(folder.join("cases.rs"), module).unwrap();
    let is_float = module.contains("::from_bits(");
    let digits = 2 * bytes;
    let shown: Vec<String> = fields
        .iter()
        .map(|field| {
            let bits = if is_float { ".to_bits()" } else { "" };
            format!("        print!(\"{{:0{digits}x}} \", case.{field}{bits});\n")
        })
        .collect();
    let shown = shown.concat();
    let program = format!(
        "//! A program.\n#![deny(warnings, missing_docs)]\npub mod cases;\nfn main() {{\n    for case in &cases::{name} {{\n{shown}        \
         println!(\"{{:.4}}\", case.log2_dist);\n    }}\n}}\n"
    );
    let program = program.replace("pub mod cases;", "/// The cases.\npub mod cases;");
    fs::write(folder.join("main.rs"), program).unwrap();
    let options = ["--edition", "2024", "-D", "warnings", "-o"];
    run(Command::new("rustc").args(options).args([folder.join("rust"), folder.join("main.rs")]));
    text(run(&mut Command::new(folder.join("rust"))))
}

/// The bit pattern of a real number in a format, rounded by MPFR, or by the table's encoding for 16
/// bits.
fn rounded(y: &Float, format: Format, mode: Rounding) -> u128 {
    let round = match mode {
        Rounding::NearestEven => Round::Nearest,
        Rounding::Zero => Round::Zero,
        Rounding::Up => Round::Up,
        Rounding::Down => Round::Down,
        Rounding::NearestAway => unreachable!("MPFR's conversions do not have it"),
    };
    match format {
        Format::BINARY32 => y.to_f32_round(round).to_bits().into(),
        Format::BINARY64 => y.to_f64_round(round).to_bits().into(),
        Format::X87_EXTENDED => {
            let (y, _) = Float::with_val_round(64, y, round);
            let (significand, exponent) = y.to_integer_exp().unwrap();
            let sign = u128::from(significand < 0) << 79;
            let biased = u128::try_from(exponent + 63 + 16_383).unwrap();
            sign | biased << 64 | significand.abs().to_u128().unwrap()
        }
        _ => Encoding::new(format).unwrap().round(y, mode).into(),
    }
}

/// f(x) in a format as MPFR says it, whatever a certificate does: both ends of an enclosure round
/// alike, or f(x) is known exactly.
fn result(function: &Expression, x: Number, format: Format, mode: Rounding) -> u128 {
    let point = Interval::point(float_of(x)).unwrap().round_to(600).unwrap();
    let zero = |sign| u128::from(Encoding::new(format).unwrap().zero(sign));
    if let Some(value) = function.exact(&float_of(x).to_rational().unwrap()) {
        return if value == 0 {
            zero(Sign::Positive)
        } else {
            rounded(&Float::with_val(600, &value), format, mode)
        };
    }
    let y = function.enclose(&point, 600).unwrap();
    let [lo, hi] = [y.lo(), y.hi()].map(|end| rounded(end, format, mode));
    assert_eq!(lo, hi, "{x} {mode}");
    lo
}

const MODES: [Rounding; 4] = [Rounding::NearestEven, Rounding::Zero, Rounding::Up, Rounding::Down];

/// The lines that programs are to print for a corpus: arguments and distances are the corpus's,
/// results are MPFR's.
fn expected(corpus: &str, function: &str, format: Format, modes: &[Rounding], bytes: usize) -> String {
    let function = tmd_functions::parse(function).unwrap();
    let digits = 2 * bytes;
    let mut lines = String::new();
    for line in corpus.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), modes.len() + 2, "{line}");
        let x = number(words[0]).unwrap();
        let pattern = if x == Number::ZERO { 0 } else { rounded(&float_of(x), format, Rounding::Zero) };
        write!(lines, "{pattern:0digits$x} ").unwrap();
        for mode in modes {
            write!(lines, "{:0digits$x} ", result(&function, x, format, *mode)).unwrap();
        }
        lines += words.last().unwrap();
        lines.push('\n');
    }
    lines
}

/// Both languages, compiled, run, and compared with MPFR.
fn compare(name: &str, certificate: &Certificate, choice: &Choice, is_of_c_only: bool) -> usize {
    let format = certificate.format.format().unwrap();
    let bytes = match format.precision() {
        24 => 4,
        53 => 8,
        64 => 10,
        _ => 2,
    };
    let folder = folder(name);
    let modes = if choice.modes.is_empty() { &MODES[..] } else { &choice.modes };
    let fields: Vec<String> = modes.iter().map(|mode| mode.name().replace('-', "_")).collect();
    let fields: Vec<&str> = ["x"].into_iter().chain(fields.iter().map(String::as_str)).collect();
    let corpus = to_corpus(certificate, choice).unwrap();
    let expected = expected(&corpus, &certificate.function, format, modes, bytes);
    let c_name = default_name(certificate, Language::C);
    let header = to_c(certificate, choice, &c_name).unwrap();
    let printed = by_c(&folder, &header, &c_name, &fields, bytes);
    for (printed, expected) in printed.lines().zip(expected.lines()) {
        assert_eq!(printed, expected, "{name}");
    }
    assert_eq!(printed, expected);
    if !is_of_c_only {
        let rust_name = default_name(certificate, Language::Rust);
        let module = to_rust(certificate, choice, &rust_name).unwrap();
        assert_eq!(by_rust(&folder, &module, &rust_name, &fields, bytes), expected);
    }
    expected.lines().count()
}

fn all() -> Choice {
    Listing::Expanded.into()
}

/// All cases and exact results of functions over binary16: numbers, midpoints, subnormal ones,
/// overflow, zeros.
#[test]
fn every_row_of_binary16() {
    for (name, function, breakpoints, least) in [
        ("exp2", "exp2", Breakpoints::All, 300),
        ("sinh", "sinh", Breakpoints::Directed, 100),
        ("log", "log", Breakpoints::Nearest, 40),
        ("square", "x^2/8", Breakpoints::All, 1000),
    ] {
        let rows = compare(name, &solved(function, breakpoints), &all(), false);
        assert!(rows > least, "{name}: {rows}");
    }
}

#[test]
fn floats() {
    let certificate = common::binades("exp", Format::BINARY32, 18, 6..7);
    // subnormal results, and up to overflow
    assert!(compare("floats", &certificate, &all(), false) > 100);
}

#[test]
fn doubles() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let certificate = Certificate::from_json(&certificate(&results, "binary64/exp")).unwrap();
    assert!(compare("doubles", &certificate, &Choice { per_binade: Some(2), ..all() }, false) > 100);
    let choice = Choice { hardest: Some(30), modes: vec![Rounding::Up, Rounding::NearestEven], ..all() };
    assert_eq!(compare("chosen", &certificate, &choice, false), 30);
}

/// Rust has no type for x87's numbers: patterns. C has one here.
#[test]
fn extended() {
    let function = tmd_functions::parse("exp").unwrap();
    let format = Format::X87_EXTENDED;
    let problem = Problem::new(format, format, Breakpoints::All, 8).unwrap();
    let mut certificate = solved("exp", Breakpoints::All);
    certificate.format = FormatRecord::from(format);
    certificate.regions.clear();
    certificate.units.clear();
    certificate.cases = [(1, 0), (-3, 4), ((1 << 63) + 1, -63), (5, -30), (-12_345, -7)]
        .map(|(n, e)| Case::from(&hardness(&function, &problem, Number::new(n, e)).unwrap().unwrap()))
        .to_vec();
    let is_x87 = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
    if is_x87 {
        assert_eq!(compare("x87", &certificate, &all(), false), 5);
    }
}

/// A list without a row, rows that stand for others, and a certificate whose texts would end a
/// comment.
#[test]
fn odd_lists_compile() {
    let mut certificate = solved("exp", Breakpoints::All);
    certificate.cases.clear();
    certificate.regions.clear();
    certificate.function = "exp(x) */ int y; /* ??/".into();
    certificate.program = "tmd\n#error \\".into();
    let folder = folder("odd");
    let compile = |name: &str, header: &str, used: &str| {
        let header = format!("{header}int used(void);\nint used(void) {{ return {used}; }}\n");
        fs::write(folder.join(name), header).unwrap();
        run(Command::new("cc").args(STRICT).args(["-fsyntax-only", "-x", "c"]).arg(folder.join(name)));
    };
    compile("none.h", &to_c(&certificate, &all(), "none").unwrap(), "none[0].x == NONE_COUNT");
    let module = to_rust(&certificate, &all(), "none").unwrap();
    fs::write(folder.join("none.rs"), module).unwrap();
    let rustc =
        ["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-D", "warnings", "--out-dir"];
    run(Command::new("rustc").args(rustc).arg(&folder).arg(folder.join("none.rs")));

    let repeated = common::of_bfloat16("1/x");
    let short = to_c(&repeated, &Listing::Short.into(), "inverse").unwrap();
    assert!(short.contains(" /* stands for "));
    compile("short.h", &short, "inverse[0].x");
}

/// An exact 0 has the sign that IEEE 754 says: of a sum it depends on the mode.
#[test]
fn signs_of_exact_zeros() {
    let corpus = to_corpus(&solved("x^2-0.25", Breakpoints::All), &all()).unwrap();
    for x in ["0x1p-1", "-0x1p-1"] {
        assert!(corpus.contains(&format!("\n{x} 0x0p+0 0x0p+0 0x0p+0 -0x0p+0 -inf\n")), "{corpus}");
    }
    let corpus = to_corpus(&solved("-sin(x)", Breakpoints::All), &all()).unwrap();
    assert!(corpus.contains("\n0x0p+0 -0x0p+0 -0x0p+0 -0x0p+0 -0x0p+0 -inf\n"), "{corpus}");
}

/// The same certificate and choice make the same text, with the command in it; and what is left out
/// is said.
#[test]
fn texts_say_what_they_are() {
    let certificate = solved("exp", Breakpoints::All);
    let command = Some("tmd export exp.json --output c --hardest 3".to_owned());
    let choice = Choice { hardest: Some(3), command, ..all() };
    let c = to_c(&certificate, &choice, "exp").unwrap();
    assert_eq!(to_c(&certificate, &choice, "exp").unwrap(), c);
    let all_rows = certificate.cases.len() + 1;
    for words in [
        "made by: tmd export exp.json --output c --hardest 3\n",
        &format!("SELECTED 3 of {all_rows} rows: the 3 hardest\n"),
        "complete for every number of binary16\n",
        &certificate.digest,
        "#define EXP_COUNT 3\n",
    ] {
        assert!(c.contains(words), "{words}: {c}");
    }
    // the hardest first
    let distances: Vec<f64> =
        c.lines().filter_map(|line| line.strip_suffix("},")?.rsplit(' ').next()?.parse().ok()).collect();
    assert!(distances.len() == 3 && distances.is_sorted());
    let least = certificate.cases.iter().map(|case| case.log2_dist).fold(0.0, f64::min);
    assert_eq!(distances[0], least);

    let nearest = solved("sin", Breakpoints::Nearest);
    let refused = to_rust(&nearest, &Choice { modes: vec![Rounding::Up], ..all() }, "SIN");
    assert!(matches!(refused, Err(ReportError::Mode { .. })));
    assert!(matches!(to_c(&nearest, &all(), "int"), Err(ReportError::Name(_))));
    let mut other = nearest;
    other.format = FormatRecord::from(Format::custom(20).unwrap());
    other.regions.clear();
    other.units.clear();
    assert!(matches!(to_rust(&other, &all(), "SIN"), Err(ReportError::Type { .. })));
    assert!(to_corpus(&other, &all()).is_ok());
}
