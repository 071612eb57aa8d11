//! Running programs: the repository's root, the one kind of failure, and steps that say how long
//! they took.

use std::{
    fmt, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use crate::beside::Beside;

/// Why a command ends early: the message, and the exit code that goes with it.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    exit_code: u8,
}

impl Failure {
    /// A step failed: exit code 1.
    pub(crate) fn step(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 1 }
    }

    /// The caller must do something else first: exit code 2.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 2 }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// The same failure, of the step named.
    fn of_step(self, name: &str) -> Self {
        Self { message: format!("step `{name}` failed: {}", self.message), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The root of the repository: the folder above this package's. `cargo run` says which that is;
/// with one target directory for two checkouts the program may be the other one's.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let package =
            std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let package = PathBuf::from(package);
        package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
    })
}

/// The cargo that runs us, started in the repository's root.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The command as one would type it (its environment apart).
pub(crate) fn typed(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(|word| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_alphanumeric() || "-_=+^./,:".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word.into_owned() } else { format!("'{word}'") }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Runs the command with our output as its own; fails unless it succeeds.
pub(crate) fn execute(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(Failure::step(format!("`{}`: {status}", typed(command)))) }
}

/// Runs the command and returns its standard output; its standard error is ours.
pub(crate) fn capture(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        return Err(Failure::step(format!("`{}`: {}", typed(command), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The workspace's target folder, wherever the user's settings put it.
pub(crate) fn target_directory() -> Result<PathBuf, Failure> {
    let metadata = capture(&mut cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    json_string(&metadata, "target_directory")
        .map(PathBuf::from)
        .ok_or_else(|| Failure::step("`cargo metadata` names no target_directory"))
}

/// The string value of the first `"key":"…"` of a JSON text; enough for `cargo metadata`, which
/// prints no spaces.
pub(crate) fn json_string(json: &str, key: &str) -> Option<String> {
    let start = format!("\"{key}\":\"");
    let mut rest = json[json.find(&start)? + start.len()..].chars();
    let mut value = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(value),
            '\\' => match rest.next()? {
                c @ ('"' | '\\' | '/') => value.push(c),
                _ => return None, // control characters and \u: in no path that cargo accepts
            },
            c => value.push(c),
        }
    }
}

/// For `map_err`: something cannot be done with a file or folder.
pub(crate) fn cannot(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    move |error| Failure::step(format!("cannot {what} {}: {error}", path.display()))
}

/// Prints a line of what was asked for. Who closes the pipe before its end, as `head` does, has
/// seen enough.
pub(crate) fn say(text: &dyn fmt::Display) -> Result<(), Failure> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.map_err(|error| Failure::step(format!("standard output: {error}"))),
    }
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(cannot("read", path))
}

/// Writes a text to a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(cannot("write", path))
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::step(format!("cannot start `{}`: {error}", typed(command)))
}

/// The steps of a command: announced and timed. One that others need ends the command where it
/// fails; all others are run to the end, and [`Steps::finish`] says which failed.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<(&'static str, Duration)>,
    failures: Vec<Failure>,
}

impl Steps {
    /// Runs a step that what follows needs, and prints a line about it.
    pub(crate) fn needed(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        println!("── {name}");
        let started = Instant::now();
        let result = work();
        let time = started.elapsed();
        self.done.push((name, time));
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("── {name}: {verdict} in {:.1} s", time.as_secs_f64());
        result.map_err(|failure| failure.of_step(name))
    }

    /// Runs a step that nothing else needs; if it fails, the command goes on, and fails in the end.
    pub(crate) fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<(), Failure>) {
        if let Err(failure) = self.needed(name, work) {
            self.failures.push(failure);
        }
    }

    /// Runs `work`, and beside it the part `name` of the tests ([`Beside`]), which fails as a step
    /// does.
    pub(crate) fn beside(
        &mut self,
        name: &'static str,
        variables: &[(&str, &str)],
        work: impl FnOnce(&mut Self),
    ) {
        let beside = Beside::begin(name, variables);
        work(self);
        self.step(name, || beside?.end());
    }

    /// Prints a line a step and their sum; fails if a step did, with the exit code of the first one
    /// that did.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        print!("\n{}", self.summary());
        let message = self.failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        match self.failures.first() {
            None => Ok(()),
            Some(first) => Err(Failure { message, exit_code: first.exit_code }),
        }
    }

    fn summary(&self) -> String {
        let has_failed = |name: &str| {
            self.failures.iter().any(|failure| failure.message.starts_with(&format!("step `{name}`")))
        };
        let line = |name: &str, verdict: &str, time: Duration| {
            format!("  {name:<28} {verdict:<6} {:>8.1} s\n", time.as_secs_f64())
        };
        let steps = self
            .done
            .iter()
            .map(|(name, time)| line(name, if has_failed(name) { "FAILED" } else { "ok" }, *time));
        let mut text: String = steps.collect();
        let verdict = if self.failures.is_empty() { "ok" } else { "FAILED" };
        text += &line("all steps", verdict, self.done.iter().map(|(_, time)| *time).sum());
        text
    }
}

/// Makes the niceness that searches are to have that of the session, where this program leads one,
/// as `setsid` has it: Linux shares cores among sessions first (`sched_autogroup_enabled`), and
/// niceness tells only processes of one session apart. A session of somebody's shell stays as it
/// is. Where there is no such thing nothing happens.
pub(crate) fn be_nice_to_other_sessions(nice: u32) {
    let is_own = fs::read_to_string("/proc/self/stat").is_ok_and(|stat| leads_its_session(&stat));
    if is_own && nice > 0 {
        // only a convenience: searches are nice to their own session anyway
        let _ = fs::write("/proc/self/autogroup", nice.to_string());
    }
}

/// Whether a process is the first one of its session, by its line in `/proc`: number, name in
/// parentheses, state, numbers of its parent, group and session.
fn leads_its_session(stat: &str) -> bool {
    let number = stat.split_whitespace().next();
    // a name may have parentheses and blanks
    let session = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(3));
    number.is_some() && number == session
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_as_typed() {
        let mut command = Command::new("/opt/bin/tmd");
        command.args(["search", "exp(2*x)", "--to", "1+2^-13", ""]);
        assert_eq!(typed(&command), "tmd search 'exp(2*x)' --to 1+2^-13 ''");
    }

    #[test]
    fn strings_of_json() {
        let json = r#"{"packages":[],"target_directory":"C:\\a \"b\"/c","version":1}"#;
        assert_eq!(json_string(json, "target_directory").unwrap(), r#"C:\a "b"/c"#);
        assert_eq!(json_string(json, "version"), None);
        assert_eq!(json_string(r#"{"key":"open"#, "key"), None);
    }

    #[test]
    fn what_fails_is_named_after_the_last_step() {
        let mut steps = Steps::default();
        assert!(steps.needed("first", || Ok(())).is_ok());
        steps.step("second", || Err(Failure::usage("no m4")));
        let mut is_run = false;
        steps.step("third", || {
            is_run = true;
            Err(Failure::step("a test"))
        });
        assert!(is_run, "after a failure");
        let summary = steps.summary();
        let verdicts: Vec<_> = summary.lines().map(|line| line.contains("FAILED")).collect();
        assert_eq!(verdicts, [false, true, true, true], "{summary}");
        let failure = steps.finish().unwrap_err();
        let text = "step `second` failed: no m4; step `third` failed: a test";
        assert_eq!((failure.to_string().as_str(), failure.exit_code()), (text, 2));

        let mut steps = Steps::default();
        let failure = steps.needed("first", || Err(Failure::step("no disk"))).unwrap_err();
        assert_eq!((failure.to_string().as_str(), failure.exit_code()), ("step `first` failed: no disk", 1));
        assert!(Steps::default().finish().is_ok());
    }

    #[test]
    fn who_leads_a_session() {
        for (stat, is_first) in [
            ("6280 (xtask) T 1 6280 6280 0 -1 4194304", true),
            ("6280 (a) b (c) S 1 6280 6280 0 -1", true),
            ("6291 (tmd) R 6280 6280 6280 0 -1", false),
            ("6280 (xtask) S 1 6280", false),
            ("", false),
        ] {
            assert_eq!(leads_its_session(stat), is_first, "{stat}");
        }
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("xtask/Cargo.toml").is_file());
        assert!(root().join("Cargo.toml").is_file());
    }
}
