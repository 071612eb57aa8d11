//! `tmd test-libm`, and the process that calls the library for it.

use std::{
    env,
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum, builder::ArgPredicate};
use indicatif::{ProgressBar, ProgressStyle};
use tmd_core::Format;
use tmd_functions::{Expression, Function};
use tmd_libm::{Encoding, FlagPolicy, LibmError, LibmTest, Mode, Report, Server, adapter, default_symbol};

use crate::arguments::function;
use crate::destination::Out;
use crate::output::{Failure, tell};

mod cases;

use cases::Cases;

/// The name of the hidden command.
const WORKER: &str = "libm-worker";

#[derive(Args)]
pub(crate) struct TestLibmOptions {
    /// The library: a path, or a name under which the system's loader finds it, such as libm.so.6
    #[arg(required_unless_present = "adapter")]
    pub(crate) library: Option<String>,
    /// Function or expression in x that it should be: exp, "exp(2*x)", …
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) function: String,
    /// Symbol that is called [default: what C calls the function in the format, such as exp, expf,
    /// expl or expf16]
    #[arg(long, value_name = "NAME")]
    pub(crate) symbol: Option<String>,
    /// Hard cases: a certificate, a run directory, a wc list or a csv with a column x; may be
    /// repeated [default: all certificates of the function and format in the data folder:
    /// `$TMD_DATA`, else the first folder tmd in the user's and the system's data directories,
    /// else results here]
    #[arg(long, value_name = "FILE|CERTIFICATE")]
    pub(crate) cases: Vec<PathBuf>,
    /// Look for no hard cases
    #[arg(long, conflicts_with = "cases")]
    pub(crate) no_cases: bool,
    /// Rounding modes: all, directed (zero, up and down), or some of nearest, zero, up, down
    #[arg(long, value_name = "MODES", default_value = "all", value_delimiter = ',')]
    pub(crate) rounding: Vec<RoundingChoice>,
    #[command(flatten)]
    pub(crate) format: FormatChoice,
    /// Random arguments: one half of all numbers, one half between 2^-p and 2^12
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub(crate) random: u64,
    /// Seed of the random arguments: the same seed gives the same arguments
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Test all numbers of binary32, binary16 or bfloat16 instead
    #[arg(long, conflicts_with_all = ["cases", "no_cases", "random", "seed"])]
    pub(crate) exhaustive: bool,
    /// Flags that are compared: ieee (all five), c (all but inexact, which the C standard leaves
    /// open) or none
    #[arg(long, default_value = "ieee")]
    pub(crate) flags: FlagChoice,
    /// How long a call may take; loading the library may take six times as long
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,
    /// Processes that call, with a thread each that checks [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) threads: Option<u32>,
    /// Findings of each kind and mode that --output json lists
    #[arg(long, value_name = "K", default_value_t = 20)]
    pub(crate) examples: u32,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(crate) output: TestOutput,
    #[command(flatten)]
    pub(crate) out: Out,
    /// Print ten lines of source that make a static or inline function callable, and how to build
    /// and test them
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["library", "cases", "exhaustive"])]
    pub(crate) adapter: Option<AdapterLanguage>,
}

/// The format, in one of several words.
#[derive(Args)]
pub(crate) struct FormatChoice {
    /// Format of argument and result: binary64 (double), binary32 (float), x87 (long double),
    /// binary16 (_Float16) or bfloat16 (__bf16)
    #[arg(long, default_value = "binary64", default_value_ifs = [
        ("binary32", ArgPredicate::IsPresent, "binary32"), ("x87", ArgPredicate::IsPresent, "x87"),
        ("binary16", ArgPredicate::IsPresent, "binary16"),
    ])]
    pub(crate) format: String,
    /// The same as --format binary32
    #[arg(long, conflicts_with_all = ["format", "x87", "binary16"])]
    pub(crate) binary32: bool,
    /// The same as --format x87
    #[arg(long, conflicts_with_all = ["format", "binary16"])]
    pub(crate) x87: bool,
    /// The same as --format binary16
    #[arg(long, conflicts_with = "format")]
    pub(crate) binary16: bool,
}

/// What the process is told that calls the library.
#[derive(Args)]
pub(crate) struct WorkerOptions {
    library: String,
    symbol: String,
    format: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoundingChoice {
    All,
    Directed,
    Nearest,
    Zero,
    Up,
    Down,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlagChoice {
    Ieee,
    C,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestOutput {
    /// Tables, and a line for each finding
    Text,
    /// An object with all counts, binade by binade
    Json,
    /// XML of tests and failures, for continuous integration
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AdapterLanguage {
    C,
    Rust,
}

pub(crate) fn run(options: &TestLibmOptions) -> Result<ExitCode, Failure> {
    let function = function(&options.function)?;
    let format = Format::named(&options.format.format)?;
    let encoding = Encoding::new(format).map_err(LibmError::from)?;
    let Some(library) = &options.library else { return print_adapter(options, &function, format) };
    let inputs: Vec<&Path> = options.cases.iter().map(PathBuf::as_path).chain([Path::new(library)]).collect();
    let destination = options.out.open(&inputs)?;
    let symbol = symbol(options, &function, format)?;
    let located = located(library)?;
    let cases = if options.exhaustive || options.no_cases {
        Cases::default()
    } else if options.cases.is_empty() {
        Cases::find(&function, encoding)?
    } else {
        Cases::read(&options.cases, &function, encoding)?
    };
    let program = env::current_exe()
        .map_err(|error| Failure::machine(format!("this program does not know where it is: {error}")))?;
    let threads =
        options.threads.map_or_else(|| available_parallelism().map_or(1, NonZero::get), |t| t as usize);
    let test = LibmTest {
        library: located,
        symbol,
        function: &function,
        format,
        modes: modes(&options.rounding),
        hard: cases.numbers,
        lists: cases.names,
        random: options.random,
        seed: options.seed,
        exhaustive: options.exhaustive,
        flags: match options.flags {
            FlagChoice::Ieee => FlagPolicy::Ieee,
            FlagChoice::C => FlagPolicy::C,
            FlagChoice::None => FlagPolicy::None,
        },
        limit: Duration::from_secs(options.timeout),
        threads,
        examples: options.examples as usize,
        server: Server { program, arguments: vec![WORKER.into()] },
    };
    let report = tested(&test)?;
    destination.write(match options.output {
        TestOutput::Text => report.to_text(),
        TestOutput::Json => report.to_json(),
        TestOutput::Junit => report.to_junit(),
    })?;
    Ok(ExitCode::from(match (report.partial, report.passed) {
        (true, _) => 130,
        (false, true) => 0,
        (false, false) => 1,
    }))
}

/// Answers the orders of `tmd test-libm`.
pub(crate) fn serve(options: &WorkerOptions) -> Result<ExitCode, Failure> {
    tmd_libm::serve(&options.library, &options.symbol, Format::named(&options.format)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The report, with a bar that shows how far the test is, and Ctrl-C.
fn tested(test: &LibmTest) -> Result<Report, Failure> {
    let interrupt = crate::solve::interrupt();
    let bar = ProgressBar::new(0); // hidden where there is no terminal
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} arguments, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let begun = Instant::now();
    let report = test.run(
        &|done, all| {
            // what is over at once needs no bar
            if begun.elapsed() > Duration::from_secs(2) {
                bar.set_length(all);
                bar.set_position(done);
            }
        },
        &interrupt,
    );
    bar.finish_and_clear();
    Ok(report?)
}

fn symbol(options: &TestLibmOptions, function: &Expression, format: Format) -> Result<String, Failure> {
    let default = || default_symbol(function, format);
    options.symbol.clone().or_else(default).ok_or_else(|| {
        let name = function.name();
        Failure::question(format!(
            "C has no name for {name}; say with --symbol NAME which function of the library it is"
        ))
    })
}

fn modes(choices: &[RoundingChoice]) -> Vec<Mode> {
    let is_chosen = |mode: &Mode| {
        choices.iter().any(|choice| match choice {
            RoundingChoice::All => true,
            RoundingChoice::Directed => *mode != Mode::Nearest,
            RoundingChoice::Nearest => *mode == Mode::Nearest,
            RoundingChoice::Zero => *mode == Mode::Zero,
            RoundingChoice::Up => *mode == Mode::Up,
            RoundingChoice::Down => *mode == Mode::Down,
        })
    };
    Mode::ALL.into_iter().filter(is_chosen).collect()
}

/// A file as a path that the loader takes for one; another name as it is.
fn located(library: &str) -> Result<String, Failure> {
    let path = PathBuf::from(library);
    if path.extension().is_some_and(|ending| ending == "a") {
        return Err(Failure::question(format!(
            "{library} is a static library, which nothing can load; tmd test-libm --function F --adapter c prints what makes it a shared one"
        )));
    }
    if !path.is_file() {
        return if library.contains('/') {
            Err(Failure::question(format!("there is no file {library}; name a shared library")))
        } else {
            Ok(library.to_owned())
        };
    }
    let absolute = path.canonicalize().unwrap_or(path);
    absolute.into_os_string().into_string().map_err(|_| {
        Failure::question(format!("the path of {library} is no Unicode; link or copy it to another place"))
    })
}

fn print_adapter(
    options: &TestLibmOptions,
    function: &Expression,
    format: Format,
) -> Result<ExitCode, Failure> {
    let language = match options.adapter {
        Some(AdapterLanguage::C) => adapter::Language::C,
        _ => adapter::Language::Rust,
    };
    let name = symbol(options, function, format)?;
    let is_identifier = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.chars().all(is_identifier) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(Failure::question(format!("--symbol `{name}` is no name of a function in C or Rust")));
    }
    let text = adapter::text(language, &name, &options.function, format).map_err(|error| match error {
        LibmError::Format { format } => Failure::question(format!(
            "stable Rust has no type of the format {format} that C functions take; --adapter c prints an adapter in C"
        )),
        other => other.into(),
    })?;
    options.out.open(&[])?.write(text)?;
    Ok(ExitCode::SUCCESS)
}

impl From<LibmError> for Failure {
    fn from(error: LibmError) -> Self {
        match error {
            LibmError::Process(_) | LibmError::Platform => Self::machine(error.to_string()),
            _ => Self::question(error.to_string()),
        }
    }
}

/// Said where no list was found.
fn tell_no_cases(function: &Expression, format: Format) {
    let name = function.name();
    tell(format_args!(
        "tmd: no list of hard cases of {name} in {format} is installed; tmd solve \"{name}\" --format {format} --out FILE makes one for --cases FILE"
    ));
}
