//! [`Report`]: what a test found.

mod junit;
mod text;

use serde::Serialize;

use crate::{
    Death, Encoding, FlagPolicy, Flags, LibmTest,
    arguments::Origin,
    tally::{Examples, Tally},
};

/// The version of the document.
pub const SCHEMA: &str = "tmd-libm-report-1";

/// The document that `--output json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// [`SCHEMA`]
    pub schema: &'static str,
    /// name and version of the program
    pub program: String,
    /// the function, as parsed
    pub function: String,
    /// the format of arguments and results
    pub format: String,
    /// the library
    pub library: Library,
    /// the symbol that was called
    pub symbol: String,
    /// where the hard cases are from
    pub lists: Vec<String>,
    /// arguments, by why they were tested
    pub arguments: ArgumentCounts,
    /// from which the random ones were drawn
    pub seed: u64,
    /// which flags were compared
    pub flags: FlagPolicy,
    /// how fast the function is; none if it ends processes
    pub speed: Option<Speed>,
    /// what was found, mode by mode
    pub modes: Vec<ModeReport>,
    /// how processes ended that did not end again when the same calls were made one by one
    pub not_reproduced: Vec<Death>,
    /// whether the test was interrupted before its end
    pub partial: bool,
    /// whether nothing is wrong
    pub passed: bool,
}

/// The library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Library {
    /// as it was asked for
    pub name: String,
    /// the file that the function is in
    pub file: Option<String>,
    /// the version of glibc, if that is the C library of the process that called
    pub glibc: Option<String>,
}

/// Arguments, by why they were tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ArgumentCounts {
    /// in lists of hard cases
    pub hard: u64,
    /// special values, thresholds and their neighbors
    pub special: u64,
    /// drawn
    pub random: u64,
    /// all of the format
    pub exhaustive: u64,
    /// of these, how many have a result that is a number of the format or the midpoint of two
    pub exact: u64,
}

/// How fast the function is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// nanoseconds from one call to the next, to nearest
    pub nanoseconds: f64,
    /// calls per second
    pub calls_per_second: f64,
    /// different arguments, in turn
    pub arguments: usize,
}

/// One rounding mode.
#[derive(Clone, Debug, Serialize)]
pub struct ModeReport {
    /// the mode
    pub rounding: &'static str,
    /// calls that were made
    pub calls: u64,
    /// calls that were not, after too many that ended the process
    pub not_made: u64,
    /// calls whose right result is not known
    pub undecided: u64,
    /// results that are not the correctly rounded one
    pub wrong: u64,
    /// of these, at hard cases
    pub wrong_hard: u64,
    /// of these, at special values
    pub wrong_special: u64,
    /// of these, at random arguments
    pub wrong_random: u64,
    /// of these, those that have no error in ulps: infinite or NaN, or right only as such
    pub wrong_kind: u64,
    /// of finite results, right or wrong
    pub largest_error: Option<LargestError>,
    /// calls whose flags are wrong
    pub wrong_flags: u64,
    /// flag by flag, those that are missing or spurious anywhere
    pub flags: Vec<FlagReport>,
    /// calls after which the floating-point environment was another one
    pub changed: u64,
    /// calls that ended the process, or did not return
    pub died: u64,
    /// where there were calls, by the arguments' exponent
    pub binades: Vec<BinadeReport>,
    /// the first wrong results
    pub wrong_results: Vec<Example>,
    /// the first changes of the environment
    pub changes: Vec<Example>,
    /// the first calls that ended the process
    pub deaths: Vec<Example>,
}

/// The largest error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LargestError {
    /// bounds of it, in ulps of the exact result
    pub ulps: [f64; 2],
    /// the argument
    pub x: String,
    /// the result
    pub result: String,
}

/// A flag.
#[derive(Clone, Debug, Serialize)]
pub struct FlagReport {
    /// its name
    pub flag: &'static str,
    /// calls that should have raised it, and did not
    pub missing: u64,
    /// calls that raised it, and should not have
    pub spurious: u64,
    /// the first of the former
    pub missing_at: Vec<Example>,
    /// the first of the latter
    pub spurious_at: Vec<Example>,
}

/// What is counted in a binade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BinadeReport {
    /// `+` or `-`; none of zeros, infinities and NaN
    pub sign: Option<char>,
    /// e with 2^e ≤ |x| < 2^(e+1)
    pub exponent: Option<i32>,
    /// calls
    pub calls: u64,
    /// wrong results
    pub wrong: u64,
    /// calls with wrong flags
    pub wrong_flags: u64,
}

/// An argument at which something is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// the argument
    pub x: String,
    /// its bit pattern, in hexadecimal digits
    pub bits: String,
    /// what was returned
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// what is right
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// bounds of the error
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ulps: Option<[f64; 2]>,
    /// what is wrong, if not the result
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Example {
    pub(crate) fn new(encoding: Encoding, argument: u128, text: String) -> Self {
        let digits = encoding.width() as usize / 4;
        Self {
            x: encoding.decode(argument).to_string(),
            bits: format!("0x{argument:0digits$x}"),
            result: None,
            expected: None,
            ulps: None,
            text,
        }
    }
}

impl Speed {
    pub(crate) fn new(picoseconds: u64, arguments: usize) -> Self {
        let nanoseconds = picoseconds as f64 / 1e3;
        Self { nanoseconds, calls_per_second: 1e9 / nanoseconds, arguments }
    }
}

impl Report {
    #[allow(clippy::too_many_arguments)] // the parts of one document, put together in one place
    pub(crate) fn new(
        test: &LibmTest,
        library: Library,
        tallies: &[Tally],
        by_origin: [u64; 4],
        exact: u64,
        not_reproduced: Vec<Death>,
        speed: Option<Speed>,
        partial: bool,
    ) -> Self {
        let of = |origin: Origin| by_origin[origin as usize];
        let arguments = ArgumentCounts {
            hard: of(Origin::Hard),
            special: of(Origin::Special),
            random: of(Origin::Random),
            exhaustive: of(Origin::Exhaustive),
            exact,
        };
        let modes: Vec<ModeReport> = tallies.iter().map(ModeReport::new).collect();
        let passed = modes.iter().all(|mode| mode.findings() == 0) && not_reproduced.is_empty();
        Self {
            schema: SCHEMA,
            program: format!("tmd {}", env!("CARGO_PKG_VERSION")),
            function: tmd_functions::Function::name(test.function),
            format: test.format.to_string(),
            library,
            symbol: test.symbol.clone(),
            lists: test.lists.clone(),
            arguments,
            seed: test.seed,
            flags: test.flags,
            speed,
            modes,
            not_reproduced,
            partial,
            passed,
        }
    }

    /// The document as JSON.
    pub fn to_json(&self) -> String {
        // names, finite numbers and strings only
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The library in words: its name, its file if that is another one, and the version of glibc if
    /// it is that.
    pub(crate) fn library_in_words(&self) -> String {
        let Library { name, file, glibc } = &self.library;
        let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let of_glibc =
            glibc.as_ref().filter(|_| file.as_deref().is_some_and(|f| file_name(f).starts_with("libm")));
        let said =
            [file.clone().filter(|file| file != name), of_glibc.map(|version| format!("glibc {version}"))];
        let said: Vec<String> = said.into_iter().flatten().collect();
        if said.is_empty() { name.clone() } else { format!("{name} ({})", said.join(", ")) }
    }
}

impl ModeReport {
    fn new(tally: &Tally) -> Self {
        let wrong = |origin: Origin| tally.wrong_by_origin[origin as usize];
        let list = |examples: &Examples| examples.first.values().cloned().collect::<Vec<_>>();
        let flags = Flags::ALL.iter().zip(tally.missing.iter().zip(&tally.spurious));
        let flags = flags.filter(|(_, (missing, spurious))| missing.count + spurious.count > 0);
        let binade = |(index, counts): (usize, &crate::tally::Counts)| {
            let binade = tally.binade(index);
            BinadeReport {
                sign: binade.map(|(is_negative, _)| if is_negative { '-' } else { '+' }),
                exponent: binade.map(|(_, exponent)| exponent),
                calls: counts.calls,
                wrong: counts.wrong,
                wrong_flags: counts.wrong_flags,
            }
        };
        Self {
            rounding: tally.mode().name(),
            calls: tally.calls,
            not_made: tally.not_made,
            undecided: tally.undecided,
            wrong: tally.wrong.count,
            wrong_hard: wrong(Origin::Hard),
            wrong_special: wrong(Origin::Special),
            wrong_random: wrong(Origin::Random),
            wrong_kind: tally.wrong_kind,
            largest_error: tally.largest.map(|largest| LargestError {
                ulps: largest.ulps,
                x: tally.class(largest.argument).to_string(),
                result: tally.class(largest.result).to_string(),
            }),
            wrong_flags: tally.binades.iter().map(|counts| counts.wrong_flags).sum(),
            flags: flags
                .map(|((_, flag), (missing, spurious))| FlagReport {
                    flag,
                    missing: missing.count,
                    spurious: spurious.count,
                    missing_at: list(missing),
                    spurious_at: list(spurious),
                })
                .collect(),
            changed: tally.changed.count,
            died: tally.died.count,
            binades: tally.binades.iter().enumerate().map(binade).filter(|binade| binade.calls > 0).collect(),
            wrong_results: list(&tally.wrong),
            changes: list(&tally.changed),
            deaths: list(&tally.died),
        }
    }

    /// How many things are wrong.
    pub(crate) fn findings(&self) -> u64 {
        self.wrong + self.wrong_flags + self.changed + self.died + self.not_made
    }
}
