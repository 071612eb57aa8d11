//! [`Death`]: how a call ended the process that made it.

use serde::Serialize;

/// How a process ended in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Death {
    /// A signal: a segmentation fault, an abort, …
    Crash {
        /// its number
        signal: i32,
    },
    /// SIGFPE: an exception whose trap was enabled, or an integer division by 0.
    Trap,
    /// The function ended the process.
    Exit {
        /// the exit code
        code: i32,
    },
    /// It did not return in time.
    Hang,
}

/// `crashed with SIGSEGV`
impl std::fmt::Display for Death {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Crash { signal } => match signal_name(*signal) {
                Some(name) => write!(f, "crashed with {name}"),
                None => write!(f, "crashed with signal {signal}"),
            },
            Self::Trap => f.write_str("was ended by SIGFPE, a trap or a division by 0"),
            Self::Exit { code } => write!(f, "ended the process with exit code {code}"),
            Self::Hang => f.write_str("did not return in time"),
        }
    }
}

/// Signals whose numbers are the same on every Unix, and that a function may earn.
fn signal_name(signal: i32) -> Option<&'static str> {
    [(4, "SIGILL"), (5, "SIGTRAP"), (6, "SIGABRT"), (9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM")]
        .into_iter()
        .find_map(|(number, name)| (number == signal).then_some(name))
}
