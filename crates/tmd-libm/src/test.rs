//! [`LibmTest`]: what is tested, and how.

use std::{path::PathBuf, time::Duration};

use serde::Serialize;
use tmd_core::{Format, Interrupt, Number};
use tmd_functions::Expression;

use crate::{Flags, LibmError, Mode, Report};

/// A test of one function of a library.
#[derive(Clone, Debug)]
pub struct LibmTest<'a> {
    /// The library: a path with a `/`, or a name under which the system's loader finds it.
    pub library: String,
    /// The symbol of the function.
    pub symbol: String,
    /// What the function should be.
    pub function: &'a Expression,
    /// The format of argument and result.
    pub format: Format,
    /// The rounding modes, each once.
    pub modes: Vec<Mode>,
    /// Hard cases; those that are no numbers of the format are left out.
    pub hard: Vec<Number>,
    /// Where these are from, for the report.
    pub lists: Vec<String>,
    /// How many arguments are drawn.
    pub random: u64,
    /// From which seed.
    pub seed: u64,
    /// Whether all numbers of the format are tested, and nothing else.
    pub exhaustive: bool,
    /// Which flags are compared.
    pub flags: FlagPolicy,
    /// How long a batch of calls, or a single one of a batch that took longer, may take.
    pub limit: Duration,
    /// How many processes call at a time, each with a thread that checks what comes back; at
    /// least 1.
    pub threads: usize,
    /// How many wrong results, flags and changes are described, of each kind and mode; the others
    /// are counted.
    pub examples: usize,
    /// Who calls the library.
    pub server: Server,
}

/// Which flags are compared with those of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlagPolicy {
    /// All five.
    Ieee,
    /// All but inexact, which the C standard leaves open for most functions (F.10).
    C,
    /// None.
    None,
}

impl FlagPolicy {
    /// The flags that are compared.
    pub(crate) const fn compared(self) -> Flags {
        match self {
            Self::Ieee => Flags::from_bits(0x1f),
            Self::C => Flags::from_bits(0x0f),
            Self::None => Flags::NONE,
        }
    }
}

/// How the process is started that makes the calls: by a program that calls [`serve`] with the last
/// three of its arguments.
#[derive(Clone, Debug)]
pub struct Server {
    /// The program.
    pub program: PathBuf,
    /// Its first arguments; library, symbol and format follow.
    pub arguments: Vec<String>,
}

impl LibmTest<'_> {
    /// Tests. `progress` is told how many arguments are done, from time to time and from any
    /// thread. After an interrupt the report is of what was done, and [says so](Report::partial).
    ///
    /// # Errors
    /// [`LibmError`]: the question is wrong, or the machine fails. What is wrong with the function
    /// is in the report.
    pub fn run(
        &self,
        progress: &(dyn Fn(u64, u64) + Sync),
        interrupt: &Interrupt,
    ) -> Result<Report, LibmError> {
        #[cfg(all(unix, target_arch = "x86_64"))]
        return crate::run::run(self, progress, interrupt);
        #[cfg(not(all(unix, target_arch = "x86_64")))]
        {
            let _ = (progress, interrupt);
            Err(LibmError::Platform)
        }
    }
}

/// What a [`Server`] does: loads the library and answers the orders that come over the standard
/// input, which is a socket, until there are no more.
///
/// # Errors
/// [`LibmError`] if there is no such format, or the standard input is no socket.
pub fn serve(library: &str, symbol: &str, format: Format) -> Result<(), LibmError> {
    #[cfg(all(unix, target_arch = "x86_64"))]
    return crate::serve::serve(library, symbol, format);
    #[cfg(not(all(unix, target_arch = "x86_64")))]
    {
        let _ = (library, symbol, format);
        Err(LibmError::Platform)
    }
}

/// The name that C gives a function in a format (C23, 7.12 and annex H); none for expressions,
/// which have none.
pub fn default_symbol(function: &Expression, format: Format) -> Option<String> {
    let stem = match function {
        Expression::Call(builtin, a) if **a == Expression::X => match builtin.name() {
            "logp1" => "log1p",
            name => name,
        },
        Expression::Special(function, a) if **a == Expression::X => match function.name() {
            "gamma" => "tgamma",
            "abs" => "fabs",
            name => name,
        },
        _ => return None,
    };
    let ending = match format {
        Format::BINARY32 => "f",
        Format::X87_EXTENDED => "l",
        Format::BINARY16 => "f16",
        Format::BFLOAT16 => "bf16",
        _ => "",
    };
    Some(format!("{stem}{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols() {
        let symbol = |text: &str, format| default_symbol(&tmd_functions::parse(text).unwrap(), format);
        assert_eq!(symbol("exp", Format::BINARY64).as_deref(), Some("exp"));
        assert_eq!(symbol("exp", Format::BINARY32).as_deref(), Some("expf"));
        assert_eq!(symbol("exp(x)", Format::X87_EXTENDED).as_deref(), Some("expl"));
        assert_eq!(symbol("ln", Format::BINARY16).as_deref(), Some("logf16"));
        assert_eq!(symbol("log1p", Format::BINARY64).as_deref(), Some("log1p"));
        assert_eq!(symbol("gamma", Format::BINARY32).as_deref(), Some("tgammaf"));
        assert_eq!(symbol("exp(2*x)", Format::BINARY64), None);
    }
}
