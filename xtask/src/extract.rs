//! The checker of witnesses that Rocq extracts from `proofs/Witness.v`: what is kept in
//! `proofs/extracted` is that, and it gives the answers that the other two checkers are held to.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    prerequisites::{self, on_path, optional},
    prove::ROCQ,
    run::{Failure, cannot, capture, execute, read, root, target_directory, write},
};

/// What is asked of Rocq: nothing is replaced by types or functions of OCaml.
const EXTRACT: &str = "Require Import TMD.Witness.\nRequire Extraction.\nExtraction Language OCaml.\n\
                       Extraction \"witness.ml\" piece.\n";

/// Questions and answers of the tests.
const VECTORS: &str = "crates/tmd-driver/tests/witness/vectors.txt";

/// Random questions beside them.
const QUESTIONS: &str = "60";

/// In the folder where the chapters were compiled.
pub(crate) fn check(folder: &Path) -> Result<(), Failure> {
    write(&folder.join("Extract.v"), EXTRACT)?;
    let mut coqc = Command::new("coqc");
    execute(coqc.args(["-q", "-Q", ".", "TMD", "Extract.v"]).current_dir(folder))?;
    let kept = root().join("proofs/extracted");
    if read(&folder.join("witness.ml"))? != read(&kept.join("witness.ml"))? {
        let made = folder.join("witness.ml");
        return Err(Failure::step(format!(
            "proofs/extracted/witness.ml is not what Rocq extracts; that is in {}",
            made.display()
        )));
    }
    optional(ROCQ, "the extracted checker does not run", prerequisites::ocaml, |()| answers(&program()?))
}

/// The extracted checker, compiled: from what is kept, so without Rocq.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    prerequisites::ocaml()?;
    let (kept, folder) = (root().join("proofs/extracted"), target_directory()?.join("extracted"));
    fs::create_dir_all(&folder).map_err(cannot("create", &folder))?;
    for name in ["witness.ml", "main.ml"] {
        write(&folder.join(name), &read(&kept.join(name))?)?;
    }
    let mut build = Command::new("ocamlopt");
    build.args(["-w", "-a", "witness.ml", "main.ml", "-o", "witness"]).current_dir(&folder);
    execute(&mut build)?;
    Ok(folder.join("witness"))
}

/// Its answers beside those of the other two checkers.
fn answers(program: &Path) -> Result<(), Failure> {
    let vectors = read(&root().join(VECTORS))?;
    let lines: Vec<&str> = vectors.lines().collect();
    let (questions, answers): (Vec<&str>, Vec<&str>) = lines.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    compare("the answers of the tests", &ask(Command::new(program), &questions.join("\n"))?, &answers)?;
    println!("{} answers of the tests are those of the extracted checker", answers.len());
    if on_path("python3") {
        let tool = |option: &str| {
            let mut command = Command::new("python3");
            command.arg(root().join("tools/check_witness.py")).arg(option);
            command
        };
        let questions = capture(tool("--questions").arg(QUESTIONS))?;
        let answers = ask(tool("--answers"), &questions)?;
        let answers: Vec<&str> = answers.lines().collect();
        compare("tools/check_witness.py", &ask(Command::new(program), &questions)?, &answers)?;
        println!("so are {} answers of tools/check_witness.py", answers.len());
    }
    Ok(())
}

fn compare(whose: &str, extracted: &str, others: &[&str]) -> Result<(), Failure> {
    let extracted: Vec<&str> = extracted.lines().collect();
    match extracted.iter().zip(others).position(|(a, b)| a != b) {
        None if extracted.len() == others.len() => Ok(()),
        place => Err(Failure::step(format!(
            "{whose}: answer {} is not that of the extracted checker",
            place.map_or(others.len(), |i| i + 1)
        ))),
    }
}

/// What a program says to these lines.
fn ask(mut command: Command, questions: &str) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::step(format!("the checker of witnesses: {error}"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let input = child.stdin.take();
    let text = format!("{}\n", questions.trim_end());
    // from a thread of its own, or both would wait for the other's pipe
    let writer =
        std::thread::spawn(move || input.map_or(Ok(()), |mut input| input.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(failed)?;
    let is_written = writer.join().is_ok_and(|written| written.is_ok());
    if !output.status.success() || !is_written {
        return Err(Failure::step(format!("the checker of witnesses: {}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
