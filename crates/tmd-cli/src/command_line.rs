//! [`CommandLine`]: the command that writes a file again, for a comment in it.

use std::{fmt::Display, path::Path};

use tmd_ledger::quoted;

/// A command line of `tmd`. It names files without their folders, so that it says the same wherever
/// it was typed.
pub(crate) struct CommandLine(String);

impl CommandLine {
    /// `tmd COMMAND FILE`.
    pub(crate) fn new(command: &str, file: &Path) -> Self {
        let name = file.file_name().map_or(file, Path::new);
        Self(format!("tmd {command} {}", quoted(name)))
    }

    /// An option with its value, if it was given.
    pub(crate) fn option(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => Self(format!("{} {name} {}", self.0, quoted(Path::new(&value.to_string())))),
            None => self,
        }
    }

    /// An option without a value, if it was given.
    pub(crate) fn flag(self, name: &str, is_given: bool) -> Self {
        if is_given { Self(format!("{} {name}", self.0)) } else { self }
    }

    /// An option with values between commas, if there are some.
    pub(crate) fn list(self, name: &str, values: &[impl Display]) -> Self {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        self.option(name, (!values.is_empty()).then(|| values.join(",")))
    }

    /// The line.
    pub(crate) fn text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let line = CommandLine::new("export", Path::new("a/b/exp.json")).option("--hardest", Some(3));
        let line =
            line.option("--name", None::<String>).flag("--expand", true).list("--mode", &["up", "down"]);
        assert_eq!(line.text(), "tmd export exp.json --hardest 3 --expand --mode up,down");
        let line = CommandLine::new("needs", Path::new("my exp.json")).list("--mode", &[0; 0]);
        assert_eq!(line.text(), "tmd needs 'my exp.json'");
        assert_eq!(CommandLine::new("export", Path::new("..")).text(), "tmd export ..");
    }
}
