//! The README's console examples print what the README says: figures, digests, sentences.

mod program;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use program::{Answer, TMD};
use tmd_simd::Level;

/// A command of a console block, and the lines below it.
#[derive(Debug)]
struct Example {
    command: String,
    quoted: Vec<String>,
}

/// The examples of all ```` ```console ```` blocks, in order.
fn examples(readme: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_console = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if is_console {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => {
                    // what follows a # is for the reader
                    let command = command.split("   #").next().unwrap_or(command).trim_end().to_owned();
                    examples.push(Example { command, quoted: Vec::new() });
                }
                (None, Some(example)) => example.quoted.push(line.to_owned()),
                (None, None) => panic!("output without a command: {line}"),
            }
        }
    }
    examples
}

/// A line that hangs on the lanes of the machine, beyond their name.
fn is_of_this_machine(line: &str) -> bool {
    line.contains(", certificate ")
}

/// A line, by whatever lanes a search was made.
fn by_any_lanes(line: &str) -> String {
    ["avx512", "avx2", "portable"]
        .iter()
        .fold(line.trim_end().to_owned(), |line, name| line.replace(name, "LANES"))
}

#[test]
fn the_readme_quotes_what_is_printed() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(TMD).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let has_lanes = Level::best().to_string() == "avx512";
    let (mut commands, mut lines) = (0, 0);
    for Example { command, quoted } in examples(&readme) {
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("set -o pipefail; {command}")]).env("PATH", &path);
        let answer = Answer::of(bash.current_dir(folder.path()).stdin(Stdio::null())).done();
        let printed = answer.text();
        // the README may leave lines out, and say nothing of what it does not quote
        let mut rest = printed.lines().map(by_any_lanes);
        for line in quoted.iter().filter(|line| has_lanes || !is_of_this_machine(line)) {
            assert!(
                rest.any(|printed| printed == by_any_lanes(line)),
                "{command}\nREADME.md quotes\n{line}\nand it prints\n{printed}"
            );
            lines += 1;
        }
        commands += 1;
    }
    assert!(commands >= 8 && lines >= 30, "{commands} commands and {lines} lines");
}

/// What the README says is not there is not, and is answered so; what it lists is there.
#[test]
fn functions_that_are_not_there() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let between = |start: &str, end: &str| {
        let from = readme.find(start).unwrap_or_else(|| panic!("{start}"));
        let to = from + readme[from..].find(end).unwrap_or_else(|| panic!("{end}"));
        // in backticks: every second part
        let parts = readme[from..to].split('`').skip(1).step_by(2);
        parts.flat_map(str::split_whitespace).map(str::to_owned).collect::<Vec<_>>()
    };
    let absent = between("Not there, for want of enclosures:", "Each is answered by");
    assert!(absent.len() > 20, "{absent:?}");
    for name in &absent {
        let said = tmd_functions::parse(name).unwrap_err().to_string();
        assert!(said.contains(&format!("{name} is not there: ")), "{name}: {said}");
    }
    let there = between("Functions are those of one variable", "Not there, for want of enclosures:");
    assert!(there.len() > 40, "{there:?}");
    for name in there {
        let text = name.replace("rootn(x,n)", "rootn(x,3)").replace("x^n", "x^3");
        let text = text.replace("(a,b)", "(x,2)");
        tmd_functions::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn blocks_are_read() {
    let text = "```sh\n$ no\n```\n```console\n$ a b | c   # why\n1\n\n2\n$ d\n```\ntext\n";
    let found = examples(text);
    assert_eq!((found[0].command.as_str(), found[0].quoted.join("|")), ("a b | c", "1||2".into()));
    assert_eq!((found[1].command.as_str(), found[1].quoted.len()), ("d", 0));
}
