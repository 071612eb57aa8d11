//! `tmd test-libm`: faults that are planted in a C library are found and named, and what is right
//! is not complained of.
// its README speaks of glibc, and libraries are called on x86-64 only
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use program::{Answer, has, place, signal, tmd};
use serde_json::{Value, json};
use tempfile::TempDir;
use tmd_testkit::one_in;

/// The library of faults.c, compiled once.
fn faults() -> &'static str {
    static LIBRARY: OnceLock<(TempDir, String)> = OnceLock::new();
    let compile = || {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libm/faults.c");
        let library = compile_c(&source, folder.path(), "libfaults.so");
        (folder, library)
    };
    &LIBRARY.get_or_init(compile).1
}

fn compile_c(source: &Path, folder: &Path, name: &str) -> String {
    let library = place(folder, name);
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-fno-builtin", "-frounding-math", "-fsignaling-nans", "-o"]);
    Answer::of(cc.arg(&library).arg(source).arg("-lm")).done();
    library
}

/// Compiles a library in Rust.
fn compile_rust(source: &Path, folder: &Path) -> String {
    let library = place(folder, "librust.so");
    let mut rustc = Command::new(std::env::var("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition", "2024", "-O", "--crate-type", "cdylib", "-o"]).arg(&library).arg(source);
    Answer::of(&mut rustc).done();
    library
}

const ROUNDINGS: [&str; 4] = ["nearest", "zero", "up", "down"];

/// The report on a function of faults.c that should be the square of a float.
fn report(symbol: &str, more: &[&str]) -> Value {
    report_of(symbol, &[&["--binary32"], more].concat())
}

fn report_of(symbol: &str, more: &[&str]) -> Value {
    let common = ["--symbol", symbol, "--no-cases", "--random", "2000", "--output", "json"];
    let answer = tmd("test-libm --function x^2", &[&[faults()], &common[..], more].concat());
    let report = answer.json();
    answer.ends(i32::from(report["passed"] != true));
    report
}

fn mode<'a>(report: &'a Value, rounding: &str) -> &'a Value {
    report["modes"].as_array().unwrap().iter().find(|mode| mode["rounding"] == rounding).unwrap()
}

/// What is wrong, mode by mode: wrong results, calls with wrong flags, changes, deaths, calls not
/// made.
fn findings(report: &Value) -> Vec<[u64; 5]> {
    let modes = report["modes"].as_array().unwrap().iter();
    modes
        .map(|m| ["wrong", "wrong_flags", "changed", "died", "not_made"].map(|of| m[of].as_u64().unwrap()))
        .collect()
}

const FINE: [u64; 5] = [0; 5];

#[test]
fn what_is_right_passes_in_all_formats() {
    for (symbol, format) in [
        ("right", "binary32"),
        ("prints", "binary32"),
        ("square_double", "binary64"),
        ("calls_its_own", "binary64"),
        ("square_extended", "x87"),
    ] {
        let report = report_of(symbol, &["--format", format]);
        assert_eq!(findings(&report), [FINE; 4], "{symbol} {report:#}");
        assert_eq!(report["passed"], true);
        let kinds = report["arguments"].as_object().unwrap().iter().filter(|(kind, _)| *kind != "exact");
        let calls: u64 = kinds.map(|(_, count)| count.as_u64().unwrap()).sum();
        for rounding in ROUNDINGS {
            let mode = mode(&report, rounding);
            assert_eq!(mode["calls"], calls);
            assert_eq!(mode["undecided"], 0);
            // the error of a directed rounding comes close to an ulp, that of nearest to half of
            // one
            let largest = mode["largest_error"]["ulps"][1].as_f64().unwrap();
            assert!(largest <= if rounding == "nearest" { 0.5 } else { 1.0 } && largest > 0.49, "{largest}");
        }
        assert!(report["speed"]["calls_per_second"].as_f64().unwrap() > 1000.0);
        assert!(report["arguments"]["exact"].as_u64().unwrap() > 100);
    }
}

#[test]
fn wrong_results() {
    let report = report("wrong_up", &[]);
    assert_eq!(findings(&report), [FINE, FINE, [1, 0, 0, 0, 0], FINE]);
    let wrong = &mode(&report, "up")["wrong_results"][0];
    has(wrong, &json!({ "x": "0x1.8p+0", "expected": "0x1.2p+1", "result": "0x1.200002p+1" }));
    assert_eq!(wrong["ulps"], json!([1.0, 1.0]));
    let binades = mode(&report, "up")["binades"].as_array().unwrap();
    let wrong: Vec<_> = binades.iter().filter(|binade| binade["wrong"] != 0).collect();
    assert_eq!(wrong.len(), 1);
    has(wrong[0], &json!({ "sign": "+", "exponent": 0, "wrong": 1 }));
}

/// A report is the same whatever the number of processes, but for the speed; and of another seed it
/// is another one.
#[test]
fn the_same_again() {
    let run = |more: &[&str]| {
        let mut report = report("ignores_mode", more);
        report["speed"] = Value::Null;
        report
    };
    let one = run(&["--threads", "1"]);
    assert_eq!(run(&["--threads", "3"]), one);
    assert_ne!(run(&["--seed", "2"])["modes"], one["modes"]);
}

/// A function that only rounds to nearest is right to nearest, and wrong about every other time
/// elsewhere.
#[test]
fn results_of_another_mode() {
    let report = report("ignores_mode", &["--flags", "none"]);
    assert_eq!(findings(&report)[0], FINE);
    for rounding in ["zero", "up", "down"] {
        let mode = mode(&report, rounding);
        let (wrong, calls) = (mode["wrong"].as_u64().unwrap(), mode["calls"].as_u64().unwrap());
        assert!(wrong > calls / 20 && wrong < calls * 3 / 4, "{wrong} of {calls}");
    }
    // only the modes that are asked for
    let modes = |choice: &str| {
        let report = self::report("ignores_mode", &["--rounding", choice]);
        let modes = report["modes"].as_array().unwrap().iter();
        modes.map(|mode| mode["rounding"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(modes("up,nearest"), ["nearest", "up"]);
    assert_eq!(modes("directed"), ["zero", "up", "down"]);
}

#[test]
fn processes_that_end() {
    for (symbol, said) in [
        ("crashes", "crashed with SIGSEGV"),
        ("exits", "ended the process with exit code 0"),
        ("traps", "was ended by SIGFPE, a trap or a division by 0"),
    ] {
        let report = report(symbol, &[]);
        assert_eq!(findings(&report), [[0, 0, 0, 1, 0]; 4], "{symbol}");
        for rounding in ROUNDINGS {
            has(&mode(&report, rounding)["deaths"][0], &json!({ "x": "0x1.8p+1", "text": said }));
        }
        assert_eq!(report["speed"], Value::Null);
    }
}

/// After some deaths no more calls are made, and that is said.
#[test]
fn processes_that_always_end() {
    let report = report("aborts_always", &["--threads", "1"]);
    for mode in report["modes"].as_array().unwrap() {
        let count = |of: &str| mode[of].as_u64().unwrap();
        assert!(count("died") == 16 && count("not_made") > 2000, "{mode:#}");
        assert_eq!(mode["deaths"][0]["text"], "crashed with SIGABRT");
    }
}

#[test]
fn calls_that_do_not_return() {
    // calls take nanoseconds: the limit is generous, and passes twice
    let report = report("hangs", &["--timeout", "4"]);
    assert_eq!(findings(&report), [FINE, FINE, FINE, [0, 0, 0, 1, 0]], "{report:#}");
    let death = &mode(&report, "down")["deaths"][0];
    has(death, &json!({ "x": "0x1.8p+1", "text": "did not return in time" }));
}

#[test]
fn environments_that_are_changed() {
    let report = report("clobbers", &[]);
    // toward zero nothing changes
    let changed = [0, 0, 1, 0, 0];
    assert_eq!(findings(&report), [changed, FINE, changed, changed]);
    let change = &mode(&report, "up")["changes"][0];
    has(change, &json!({ "text": "rounding left zero", "x": "0x1.8p+1" }));
    let report = self::report("flushes", &[]);
    assert_eq!(findings(&report), [changed; 4]);
    assert_eq!(mode(&report, "up")["changes"][0]["text"], "subnormal numbers left flushed to zero");
    let report = report_of("clobbers_x87", &["--x87"]);
    assert_eq!(findings(&report)[3], FINE);
    assert_eq!(mode(&report, "nearest")["changes"][0]["text"], "rounding left down");
}

#[test]
fn flags_that_are_wrong() {
    let report = report("misses_overflow", &[]);
    for mode in report["modes"].as_array().unwrap() {
        assert_eq!(mode["wrong"], 0);
        let flags = mode["flags"].as_array().unwrap();
        assert_eq!(flags.len(), 1);
        has(&flags[0], &json!({ "flag": "overflow", "spurious": 0 }));
        assert!(flags[0]["missing"].as_u64().unwrap() > 100);
        assert_eq!(flags[0]["missing"], mode["wrong_flags"]);
    }
    let report = self::report("spurious_invalid", &[]);
    assert_eq!(findings(&report), [[0, 1, 0, 0, 0]; 4]);
    let flag = &mode(&report, "zero")["flags"][0];
    has(flag, &json!({ "flag": "invalid", "spurious": 1, "missing": 0 }));
    assert_eq!(flag["spurious_at"][0]["text"], "raised invalid, expected none");
    assert_eq!(self::report("spurious_invalid", &["--flags", "none"])["passed"], true);
    assert_eq!(self::report("spurious_invalid", &["--flags", "c"])["passed"], false);
}

#[test]
fn results_that_are_no_numbers() {
    let report = report("returns_nan", &[]);
    assert_eq!(findings(&report), [[1, 0, 0, 0, 0]; 4]);
    let mode = mode(&report, "down");
    assert_eq!((&mode["wrong_kind"], &mode["wrong_results"][0]["result"]), (&1.into(), &"nan".into()));
    let report = self::report("returns_signaling", &[]);
    assert_eq!(findings(&report), [[2, 0, 0, 0, 0]; 4], "a NaN of each sign");
}

/// All numbers of binary16; the one fault among 63,490 arguments is found.
#[test]
fn exhaustively() {
    let library = Command::new("nm").args(["-D", faults()]).output().unwrap();
    if !String::from_utf8_lossy(&library.stdout).contains("square_half") {
        eprintln!("skipped: this compiler has no _Float16");
        return;
    }
    let exhaustive = |symbol: &str| {
        let line = "test-libm --function x^2 --binary16 --exhaustive --output json --symbol";
        tmd(line, &[symbol, faults()]).json()
    };
    let report = exhaustive("square_half");
    assert_eq!(findings(&report), [FINE; 4], "{report:#}");
    assert_eq!(report["arguments"]["exhaustive"], 2 * 0x7c00 + 4);
    let report = exhaustive("wrong_half");
    assert_eq!(findings(&report), [[1, 0, 0, 0, 0]; 4]);
    assert_eq!(mode(&report, "up")["wrong_results"][0]["x"], "0x1.8p+1");
    tmd("test-libm --function x^2 --symbol square_double --exhaustive", &[faults()])
        .refused("too many numbers in binary64");
}

/// The three forms of a report say the same, and XML is XML.
#[test]
fn text_and_junit() {
    let run = |symbol: &str, output: &str| {
        let line = "test-libm --function x^2 --no-cases --binary32 --random 100 --symbol";
        tmd(line, &[symbol, "--output", output, faults()])
    };
    run("wrong_up", "text")
        .ends(1)
        .prints("wrong_up of ")
        .prints(" as x^2 in binary32")
        .prints("random (seed 1)")
        .prints("up: f(0x1.8p+0) = 0x1.200002p+1, should be 0x1.2p+1 (error 1 ulps)")
        .prints("2^0 <= x < 2^1")
        .prints("FAILED");
    let right = run("right", "text").done();
    assert!(right.text().ends_with("passed: all results and flags are those of IEEE 754\n"), "{right}");
    for (symbol, failures) in [("wrong_up", "1"), ("crashes", "4"), ("right", "0")] {
        let xml = run(symbol, "junit");
        let document = roxmltree::Document::parse(xml.text()).unwrap();
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testsuites", "{xml}");
        let count = |name| document.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
        assert_eq!(root.attribute("tests"), Some(&*count("testcase")));
        assert_eq!((root.attribute("failures"), &*count("failure")), (Some(failures), failures), "{xml}");
    }
}

#[test]
fn what_is_refused() {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for (library, options, words) in [
        ("./nothing.so", "--function exp", "there is no file ./nothing.so"),
        ("libnothing.so.77", "--function exp --no-cases", "cannot load libnothing.so.77"),
        ("libm.a", "--function exp", "--adapter c"),
        (faults(), "--function exp --no-cases", "has no symbol exp of its own, but needs "),
        (faults(), "--function exp --symbol nothing --no-cases", "undefined symbol: nothing"),
        (faults(), "--function x^2", "--symbol NAME"),
        (faults(), "--function nothing(x)", "nothing"),
        (faults(), "--function exp --format binary128", "binary128"),
        (here, "--function exp --no-cases", "cannot load"),
        (faults(), "--function exp --cases nothing.json", "nothing.json"),
    ] {
        tmd(&format!("test-libm {options}"), &[library]).refused(words);
    }
    tmd("test-libm --function exp --cases", &[here, faults()]).refused("Cargo.toml: line 1");
}

/// A folder with the certificate of sqrt in binary16, and a library with `sqrtf16`.
struct Sqrt {
    folder: TempDir,
    /// the certificate
    certificate: String,
    library: String,
}

impl Sqrt {
    /// None if the compiler has no `_Float16`.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let [certificate, source, library] =
            ["sqrt.json", "sqrt.c", "sqrt.so"].map(|name| place(folder.path(), name));
        tmd("solve sqrt --format binary16 --extra-bits 4 --out", &[&certificate]).done();
        // rounding twice does no harm: 24 bits are more than twice 11, and two
        let code = "#include <math.h>\n_Float16 sqrtf16(_Float16 x) { return (_Float16)sqrtf(x); }\n";
        fs::write(&source, code).unwrap();
        let mut cc = Command::new("cc");
        if !Answer::of(cc.args(["-shared", "-fPIC", "-o", &library, &source, "-lm"])).is_done() {
            eprintln!("skipped: this compiler has no _Float16");
            return None;
        }
        Some(Self { folder, certificate, library })
    }

    fn path(&self, name: &str) -> String {
        place(self.folder.path(), name)
    }

    fn test(&self, set: impl FnOnce(&mut Command)) -> Answer {
        let line = "test-libm --function sqrt --binary16 --random 10 --output json";
        let mut command = program::command(line, &[&self.library]);
        set(command.env("TMD_DATA", "nowhere"));
        Answer::of(&mut command)
    }
}

/// A certificate is found by its function's name and the format.
#[test]
fn certificates_in_data_folders() {
    let Some(sqrt) = Sqrt::new() else { return };
    let looked_for = |data: Option<&str>, home: &str, system: &str, here: &str| {
        let answer = sqrt.test(|command| {
            match data {
                Some(data) => command.env("TMD_DATA", sqrt.path(data)),
                None => command.env_remove("TMD_DATA"),
            };
            command.env("XDG_DATA_HOME", sqrt.path(home)).env("XDG_DATA_DIRS", sqrt.path(system));
            command.current_dir(sqrt.path(here));
        });
        let report = answer.json();
        assert_eq!(report["passed"], true, "{report:#}");
        let list = report["lists"][0].as_str().unwrap_or_default().to_owned();
        (list, report["arguments"]["hard"].as_u64().unwrap(), answer.err)
    };
    let (list, hard, said) = looked_for(Some(""), "nowhere", "nowhere", "");
    assert!(list.ends_with("/sqrt.json"), "{list}");
    assert!(hard > 100 && said.is_empty(), "{said}");
    // without that variable: at home, in the system, here
    let installed = sqrt.path("home/tmd/results/binary16/sqrt.json");
    for copy in [&installed, &sqrt.path("here/results/sqrt.json")] {
        fs::create_dir_all(Path::new(copy).parent().unwrap()).unwrap();
        fs::copy(&sqrt.certificate, copy).unwrap();
    }
    let found = |list: &str| (list.to_owned(), hard, String::new());
    assert_eq!(looked_for(None, "home", "nowhere", ""), found(&installed));
    assert_eq!(looked_for(None, "nowhere", "home", "here"), found(&installed));
    assert_eq!(looked_for(None, "nowhere", "nowhere", "here"), found("results/sqrt.json"));
    let (_, none, said) = looked_for(Some("nowhere"), "home", "home", "here");
    assert!(
        none == 0 && said.contains("no list of hard cases of sqrt(x) in binary16 is installed"),
        "{said}"
    );
}

/// Files that are named: certificates and lists; those of other functions and formats are refused,
/// and those that were changed.
#[test]
fn cases_from_files() {
    let Some(sqrt) = Sqrt::new() else { return };
    let (list, changed) = (sqrt.path("sqrt.wc"), sqrt.path("changed.json"));
    fs::write(&list, tmd("export --output wc", &[&sqrt.certificate]).out).unwrap();
    let hard = |cases: &str| {
        let report = sqrt.test(|command| _ = command.args(["--cases", cases])).json();
        report["arguments"]["hard"].as_u64().unwrap()
    };
    // both have the exact cases, too
    let text = fs::read_to_string(&list).unwrap();
    let listed = text.lines().filter(|line| !line.starts_with('#')).count() as u64;
    assert_eq!(hard(&list), listed);
    assert_eq!(hard(&sqrt.certificate), listed);
    assert!(listed > 7934);
    let certificate = fs::read_to_string(&sqrt.certificate).unwrap();
    fs::write(&changed, certificate.replacen("\"extra_bits\":4", "\"extra_bits\":3", 1)).unwrap();
    let other = "it is the certificate of sqrt(x) in binary16, not of exp(x) in binary16";
    for (function, format, cases, words) in [
        ("exp", "binary16", &sqrt.certificate, other),
        ("sqrt", "binary64", &sqrt.certificate, "not of sqrt(x) in binary64"),
        ("sqrt", "binary16", &changed, "changed.json was changed after it was written"),
        ("sqrt", "bfloat16", &list, "sqrt.wc: line "),
    ] {
        let line = format!("test-libm --function {function} --symbol sqrtf16 --format {format} --cases");
        tmd(&line, &[cases, &sqrt.library]).refused(words);
    }
}

/// The ten lines compile as they are, but for the name of what they adapt.
#[test]
fn adapters_work() {
    let folder = tempfile::tempdir().unwrap();
    let adapter = |options: &str, import: &str, function: &str, file: &str| {
        let line = format!("test-libm --function x^2 --symbol my_square --adapter {options}");
        let adapter = tmd(&line, &[]).done();
        assert_eq!(adapter.text().lines().count(), 10, "{adapter}");
        let source = folder.path().join(file);
        fs::write(&source, adapter.text().replace(import, function)).unwrap();
        source
    };
    let passes = |options: &str, library: &str| {
        let line = "test-libm --function x^2 --no-cases --random 100 --symbol tested_my_square";
        tmd(&format!("{line} {options}"), &[library]).done();
    };
    let square = "static inline float my_square(float x) { return x * x; }";
    let source = adapter("c --binary32", "#include <math.h>", square, "adapter.c");
    passes("--binary32", &compile_c(&source, folder.path(), "adapter.so"));

    let square = "mod my_crate { pub fn my_square(x: f64) -> f64 { x * x } }\nuse my_crate::my_square;";
    let source = adapter("rust", "use my_crate::my_square;", square, "lib.rs");
    passes("", &compile_rust(&source, folder.path()));
    tmd("test-libm --function exp --adapter rust --x87", &[]).refused("--adapter c");
    tmd("test-libm --function exp --adapter c --symbol", &["a b"]).refused("no name of a function");
}

/// Each token that holds a digit becomes `#`, each run of spaces one: what is left does not depend
/// on the machine.
fn shape(line: &str) -> String {
    let token = |word: &str| {
        if word.contains(|c: char| c.is_ascii_digit()) { "#".to_owned() } else { word.to_owned() }
    };
    line.split_whitespace().map(token).collect::<Vec<_>>().join(" ")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the README quotes of glibc is what is printed: figure by figure with the glibc and the
/// instructions that it names, else in its form. `TMD_WRITE=1` writes the table anew, after a
/// certificate of its functions changed.
#[test]
fn the_readme_quotes_what_is_said_of_glibc() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let block = readme.split("```text\n$ tmd test-libm ").nth(1).unwrap().split("```").next().unwrap();
    let (command, quoted) = block.split_once('\n').unwrap();
    let words = command.split(" | ").next().unwrap();
    let run = |words: &str| {
        let mut command = program::command(&format!("test-libm {words}"), &[]);
        Answer::of(command.current_dir(root()).env("TMD_DATA", "results"))
    };
    let output = run(words);
    assert!(matches!(output.code, Some(0 | 1)), "{output}");
    let said = output.text().to_owned() + &output.err;
    let glibc = said.lines().next().unwrap().split("glibc ").nth(1).and_then(|rest| rest.split(')').next());
    let is_that = glibc.is_some_and(|glibc| quoted.contains(&format!("glibc {glibc})")))
        && std::arch::is_x86_feature_detected!("fma");
    for (quoted, printed) in quoted.lines().zip(said.lines()) {
        if is_that && !quoted.starts_with("speed") && !quoted.contains(" of libm.so.6 (") {
            assert_eq!(quoted, printed, "{said}");
        }
        if !quoted.starts_with("arguments") {
            assert_eq!(shape(quoted), shape(printed), "{said}");
        }
    }
    let table = readme.split("largest error to nearest, ulps |").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 9, "{rows:?}");
    if std::env::var_os("TMD_WRITE").is_some() {
        let row = |row: &&str| Row::of(row).printed(&run(&Row::of(row).words("100000")));
        let printed: Vec<String> = rows.iter().map(row).collect();
        fs::write(root().join("README.md"), readme.replace(&rows.join("\n"), &printed.join("\n"))).unwrap();
        return;
    }
    // of a million cases and more, the largest ones
    for text in one_in(rows.len(), rows) {
        let row = Row::of(text);
        let output = run(&row.words("0"));
        let printed = row.printed(&output);
        let now = Row::of(&printed);
        if is_that {
            assert_eq!(row.counts(), now.counts(), "TMD_WRITE=1 with this test writes {printed}");
            assert!(row.largest() >= now.largest(), "{text}: {printed}");
        }
        assert!(now.largest() >= 0.5 && now.largest() < 100.0, "{printed}");
    }
}

/// A row of the README's table: | function | hard cases | to nearest | toward zero | up | down |
/// largest error |, where a function of one large binade is written `sin, [2^1023, 2^1024)`.
struct Row(Vec<String>);

impl Row {
    fn of(line: &str) -> Self {
        Self(line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
    }

    fn words(&self, random: &str) -> String {
        let (function, binade) = self.0[0].split_once(", [2^").unwrap_or((&self.0[0], ""));
        let cases = match binade.split_once(',') {
            Some((exponent, _)) => format!(" --cases results/large/{function}/{exponent}.json.zst"),
            None => String::new(),
        };
        format!("libm.so.6 --function {function}{cases} --random {random} --output json")
    }

    /// The row as a report has it.
    fn printed(&self, answer: &Answer) -> String {
        let report = answer.json();
        let mut cells = vec![self.0[0].clone(), report["arguments"]["hard"].to_string()];
        cells.extend(ROUNDINGS.map(|rounding| mode(&report, rounding)["wrong_hard"].to_string()));
        let largest = mode(&report, "nearest")["largest_error"]["ulps"][1].as_f64().unwrap();
        cells.push(format!("{largest:.4}"));
        format!("| {} |", cells.join(" | "))
    }

    fn counts(&self) -> &[String] {
        &self.0[1..6]
    }

    fn largest(&self) -> f64 {
        self.0[6].parse().unwrap()
    }
}

/// The sentence about `expf`, with the cases that it speaks of.
#[test]
fn the_readme_quotes_what_is_said_of_expf() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let line = readme.lines().find(|line| line.contains("`expf` gets ")).unwrap();
    let sentence = line.split_inclusive(". ").find(|sentence| sentence.contains("`expf`")).unwrap();
    let numbers =
        sentence.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u64>().ok());
    let numbers: Vec<u64> = numbers.filter(|n| *n != 32).collect();
    assert_eq!((numbers.len(), numbers[0]), (5, 934), "{sentence}");
    let folder = tempfile::tempdir().unwrap();
    let cases = place(folder.path(), "exp.json");
    tmd("solve exp --format binary32 --out", &[&cases]).done();
    let line = "test-libm libm.so.6 --function exp --binary32 --random 0 --output json --cases";
    let report = tmd(line, &[&cases]).json();
    // and exp(0) = 1
    assert_eq!(report["arguments"]["hard"], 935);
    let wrong = ROUNDINGS.map(|rounding| mode(&report, rounding)["wrong_hard"].as_u64().unwrap());
    assert!(wrong.iter().all(|wrong| *wrong <= 935));
    if report["library"]["glibc"] == "2.36" && std::arch::is_x86_feature_detected!("fma") {
        assert_eq!(wrong, numbers[1..], "{sentence}");
    }
}

/// The example in Rust: one function is right, the other one wrong where 1 + x is rounded.
#[test]
fn the_example_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = compile_rust(&root().join("examples/libm-cdylib/src/lib.rs"), folder.path());
    let run = |function: &str| {
        let line = "test-libm --binary32 --no-cases --random 20000 --output json --function";
        tmd(line, &[function, &library]).json()
    };
    assert_eq!(findings(&run("rsqrt")), [FINE; 4]);
    let report = run("log1p");
    for mode in report["modes"].as_array().unwrap() {
        assert!(mode["wrong"].as_u64().unwrap() > 1000);
        assert!(mode["flags"].as_array().unwrap().iter().any(|flag| flag["flag"] == "underflow"));
        // log(1 + x) is 0 for the least x
        assert!(mode["wrong_results"].as_array().unwrap().iter().any(|wrong| wrong["x"] == "-0"), "{mode:#}");
    }
}

/// Ctrl-C: what was tested is reported.
#[test]
fn interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let line = "test-libm --function x^2 --symbol marks --binary32 --exhaustive --threads 1 --output json";
    let mut child = program::command(line, &[faults()])
        .env("TMD_TEST_MARK", &mark)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the function was called a million times; all of binary32 would take an hour
    while !mark.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    signal(&child, "INT");
    let report = Answer::of_child(child).ends(130).json();
    assert_eq!(report["partial"], true);
    assert_eq!(report["modes"][0]["calls"], report["arguments"]["exhaustive"]);
    assert!(report["modes"][0]["calls"].as_u64().unwrap() > 100_000);
    assert_eq!(findings(&report), [FINE; 4]);
}
