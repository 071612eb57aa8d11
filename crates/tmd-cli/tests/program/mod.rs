//! The program: what it is called with, how it answers, and what it says of its run directories.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::{
    fmt, fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;

pub(crate) const TMD: &str = env!("CARGO_BIN_EXE_tmd");

/// The words of a line, and after them some that may be empty or have blanks.
pub(crate) fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

/// `tmd` with these words.
pub(crate) fn command(line: &str, more: &[&str]) -> Command {
    let mut command = Command::new(TMD);
    // Mesa's device selection complains of a missing XDG_RUNTIME_DIR
    command.args(words(line, more)).env("NODEVICE_SELECT", "1").stdin(Stdio::null());
    command
}

/// Runs `tmd` with these words, and waits for it.
pub(crate) fn tmd(line: &str, more: &[&str]) -> Answer {
    Answer::of(&mut command(line, more))
}

/// Begins `tmd` with these words.
pub(crate) fn spawn(line: &str, more: &[&str]) -> Child {
    command(line, more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// `sh -c` in a folder, with tmd's place in `$TMD`.
pub(crate) fn shell(script: &str, folder: &Path) -> Answer {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("TMD", TMD).env("TMPDIR", folder).current_dir(folder);
    Answer::of(command.stdin(Stdio::null()))
}

pub(crate) fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// What a process said when it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    /// what it was called with, if that is known
    command: String,
    pub(crate) code: Option<i32>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl From<Output> for Answer {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        let err = String::from_utf8(stderr).unwrap();
        Self { command: String::new(), code: status.code(), out: stdout, err }
    }
}

/// For the message of an assertion that fails.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { command, code, out, err } = self;
        let out = String::from_utf8_lossy(out);
        write!(f, "{command}\ncode {code:?}, printed:\n{out}\nsaid:\n{err}")
    }
}

impl Answer {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { command: format!("{command:?}"), ..output.into() }
    }

    pub(crate) fn of_child(child: Child) -> Self {
        child.wait_with_output().unwrap().into()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.code == Some(0)
    }

    /// Asserts what the exit code is.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Asserts that it succeeded.
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        self.ends(0)
    }

    /// Asserts that these words are on the standard output.
    #[track_caller]
    pub(crate) fn prints(self, words: &str) -> Self {
        assert!(self.text().contains(words), "`{words}` is missing: {self}");
        self
    }

    /// Asserts that these words are on the standard error.
    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "`{words}` is missing: {self}");
        self
    }

    /// Asserts that nothing is on the standard error.
    #[track_caller]
    pub(crate) fn says_nothing(self) -> Self {
        assert!(self.err.is_empty(), "{self}");
        self
    }

    /// Asserts that nothing is on the standard output.
    #[track_caller]
    pub(crate) fn prints_nothing(self) -> Self {
        assert!(self.out.is_empty(), "{self}");
        self
    }

    /// Asserts exit code 2, nothing on the standard output, one sentence that has these words.
    #[track_caller]
    pub(crate) fn refused(self, words: &str) {
        let answer = self.ends(2).prints_nothing().says(words);
        assert!(answer.err.starts_with("tmd: ") && answer.err.trim_end().lines().count() == 1, "{answer}");
    }

    /// The standard output.
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.out).unwrap()
    }

    /// The document on the standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

/// Asserts that an object has these fields, and whatever others.
#[track_caller]
pub(crate) fn has(object: &Value, fields: &Value) {
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(&object[name], value, "{name}");
    }
}

/// The words of `tmd solve … --run`.
pub(crate) fn solve<'a>(question: &'a str, run: &'a str) -> Vec<&'a str> {
    [words("solve", &[]), words(question, &["--run", run, "--threads", "2"])].concat()
}

/// A file or a directory for a run, by its name.
pub(crate) fn place(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[track_caller]
pub(crate) fn exported(run: &str) -> Vec<u8> {
    tmd("export", &[run]).done().out
}

/// The certificate of an undisturbed run.
pub(crate) fn undisturbed(folder: &Path, question: &str) -> Vec<u8> {
    let run = place(folder, "undisturbed");
    tmd("", &solve(question, &run)).done();
    let certificate = exported(&run);
    fs::remove_dir_all(run).unwrap();
    certificate
}

#[track_caller]
pub(crate) fn status(run: &str) -> Value {
    tmd("status --json", &[run]).done().json()
}

/// Waits for an event, however slow the machine is: at most ten minutes.
pub(crate) fn wait_for(what: &str, mut has_happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !has_happened() {
        assert!(begun.elapsed() < Duration::from_secs(600), "waited for {what}");
        sleep(Duration::from_millis(2));
    }
}

/// Waits until there is a run in a directory.
pub(crate) fn wait_until_begun(run: &str) {
    wait_for("the run", || tmd("status", &[run]).is_done());
}
