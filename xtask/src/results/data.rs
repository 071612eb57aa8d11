//! DATA.md: its programs read a list of the data set, in each language that is installed, and
//! agree.

use std::{
    fs::{self, File},
    path::Path,
    process::Command,
};

use crate::run::root;

const LIST: &str = "results/binary64/rsqrt.wc";

/// The program of a language, between its mark and the end of its block.
fn program<'a>(text: &'a str, language: &str) -> &'a str {
    let mark = format!("<!-- read: {language} -->\n```{language}\n");
    let (_, rest) = text.split_once(&mark).unwrap_or_else(|| panic!("no program in {language}"));
    rest.split_once("```\n").unwrap().0
}

/// What the list says to whoever reads it as the programs do.
fn expected() -> String {
    let text = fs::read_to_string(root().join(LIST)).unwrap();
    let cases: Vec<(&str, u32)> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = words.iter().position(|word| *word == "identical");
            (words[0], at.map_or(0, |at| words[at - 1].parse().unwrap()))
        })
        .collect();
    assert!(cases.len() > 1000);
    let most = cases.iter().map(|(_, bits)| *bits).max().unwrap();
    let first = cases.iter().find(|(_, bits)| *bits == most).unwrap();
    format!("{} arguments; hardest: {}, {most} identical bits\n", cases.len(), first.0)
}

fn is_there(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn run(command: &mut Command, input: bool) -> String {
    if input {
        command.stdin(File::open(root().join(LIST)).unwrap());
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn programs_of_the_document_read_the_lists() {
    let text = fs::read_to_string(root().join("DATA.md")).unwrap();
    let folder = std::env::temp_dir().join(format!("tmd-data-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, language: &str| {
        let path = folder.join(name);
        fs::write(&path, program(&text, language)).unwrap();
        path
    };
    let mut ran = 0;
    let mut compiled = |compiler: &str, source: &Path, more: &[&str]| {
        if !is_there(compiler) {
            println!("skipped: no {compiler} on this machine");
            return;
        }
        let binary = folder.join(format!("{compiler}-read{}", std::env::consts::EXE_SUFFIX));
        run(Command::new(compiler).args(more).arg(source).arg("-o").arg(&binary), false);
        assert_eq!(run(&mut Command::new(&binary), true), expected(), "{compiler}");
        ran += 1;
    };
    compiled("cc", &write("read.c", "c"), &["-Wall", "-Werror"]);
    compiled("rustc", &write("read.rs", "rust"), &["--edition", "2021"]);
    for (interpreter, name, language) in [("python3", "read.py", "python"), ("julia", "read.jl", "julia")] {
        let source = write(name, language);
        if is_there(interpreter) {
            assert_eq!(run(Command::new(interpreter).arg(&source), true), expected(), "{interpreter}");
            ran += 1;
        } else {
            println!("skipped: no {interpreter} on this machine");
        }
    }
    assert!(ran >= 1, "no language was there");
    fs::remove_dir_all(&folder).unwrap();
}

/// Files and folders that the document names are there, and the version cited is the program's.
#[test]
fn what_is_named_is_there() {
    let text = fs::read_to_string(root().join("DATA.md")).unwrap();
    let mut seen = 0;
    for part in text.split("](").skip(1) {
        let target = part.split([')', '#']).next().unwrap();
        if !target.starts_with("http") {
            assert!(root().join(target).exists(), "{target}");
            seen += 1;
        }
    }
    assert!(seen > 5);
    let version = env!("CARGO_PKG_VERSION");
    let citation = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    assert!(citation.lines().any(|line| line == format!("version: {version}")), "{version}");
}
