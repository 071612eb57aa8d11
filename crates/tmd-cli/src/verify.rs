//! `tmd verify`.

use std::{fmt::Write as _, path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};
use tmd_core::Interrupt;
use tmd_driver::{
    Besides,
    certificate::{Extent, Verification, Writer, writer},
    engines_besides,
};

use crate::arguments::function;
use crate::certificate::read;
use crate::devices::{adapter, walk_of_device};
use crate::output::{Destination, Failure};

/// Stretches of arguments that are not covered and are shown.
const SHOWN: usize = 10;

/// Exit code of a certificate in which nothing is wrong, and that does not cover all that was asked
/// for, or of which something was not checked: not all was searched again, or could be.
const AS_FAR_AS_IT_GOES: u8 = 3;

const EXIT_CODES: &str = "\
Exit codes: 0 it holds, covers all that was asked for, and everything was checked, all searches too:
with --all, or where the samples hold all that was searched; 1 something is wrong with it, or units of
an interrupted search are missing, as the report says, or there is no report: the machine failed, and
the message says how; 2 the question was wrong; 3 it holds as far as it goes: numbers are left that
are not covered, or something was not checked, mostly searches of which only samples were made again.
The report says what.";

#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct VerifyOptions {
    /// The certificate, as tmd solve --out writes it, or a run directory
    pub(crate) certificate: PathBuf,
    /// Places to search again by another engine, drawn so that every argument is equally likely
    #[arg(long, default_value_t = 16)]
    pub(crate) samples: usize,
    /// Core-seconds that the other engine may take for a sample
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub(crate) sample_seconds: f64,
    /// Search this share of the arguments of every unit again instead, such as 0.1
    #[arg(long, conflicts_with_all = ["samples", "sample_seconds"])]
    pub(crate) share: Option<f64>,
    /// Search everything again: by another engine, and by the one that searched, whose counts must
    /// be the same
    #[arg(long, conflicts_with_all = ["samples", "sample_seconds", "share"])]
    pub(crate) all: bool,
    /// What the choice of places starts from: to repeat one that was printed [default: a number
    /// from the system]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Who searches again what lanes walked all at once, unless its arguments one by one take less
    /// time: cpu (exact integers, a thousand times as slow) or gpu (a software one is seven times
    /// as slow)
    #[arg(long, value_name = "WHO", default_value = "cpu", hide_possible_values = true)]
    pub(crate) backend: WalkChoice,
    /// GPU by index or name, with --backend gpu [default: the best one]
    #[arg(long, value_name = "INDEX|NAME", value_parser = adapter)]
    pub(crate) adapter: Option<String>,
}

/// Who walks again what lanes walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WalkChoice {
    Cpu,
    Gpu,
}

impl VerifyOptions {
    fn extent(&self) -> Result<Extent, Failure> {
        match self.share {
            _ if self.all => Ok(Extent::All),
            None if self.sample_seconds > 0.0 => Ok(Extent::Samples),
            None => Err(Failure::question("--sample-seconds must be a positive number of seconds")),
            Some(share) if share > 0.0 && share <= 1.0 => Ok(Extent::Share(share)),
            Some(_) => Err(Failure::question("--share must be more than 0 and at most 1, such as 0.1")),
        }
    }
}

pub(crate) fn run(options: &VerifyOptions) -> Result<ExitCode, Failure> {
    let path = options.certificate.display();
    let extent = options.extent()?;
    let certificate = read(&options.certificate)?;
    let function = function(&certificate.function)?;
    let writer = writer(&certificate.engine);
    let Besides { other, faster } = engines_besides(&certificate.engine);
    let walk = match (options.backend, &options.adapter) {
        (WalkChoice::Gpu, adapter) => Some(walk_of_device(adapter.as_deref())?),
        (WalkChoice::Cpu, None) => None,
        (WalkChoice::Cpu, Some(_)) => {
            return Err(Failure::question("--adapter names a GPU: give --backend gpu as well"));
        }
    };
    let seed = match options.seed {
        Some(seed) => seed,
        // a forger must not be able to predict which samples are searched
        None => getrandom::u64().map_err(|error| {
            Failure::machine(format!("the system has no random numbers: {error}; give --seed"))
        })?,
    };
    let verification = Verification {
        certificate: &certificate,
        function: &function,
        engine: writer.as_ref().and_then(Writer::engine),
        other: &other,
        faster: faster.as_ref().map(|faster| faster as _),
        walk: walk.as_ref().map(|walk| walk as _),
        samples: options.samples,
        sample_seconds: options.sample_seconds,
        seed,
    };
    // nothing is kept of a verification that did not end: Ctrl-C may end the program at once
    let findings = verification.run_to(extent, &Interrupt::new())?;
    // writing to a String does not fail
    let mut report = String::new();
    for sentence in &findings.checked {
        let _ = writeln!(report, "checked: {sentence}");
    }
    if extent != Extent::All {
        let _ = writeln!(report, "seed of the samples: {seed} (--seed {seed} takes the same)");
    }
    for sentence in &findings.left {
        let _ = writeln!(report, "not checked: {sentence}");
    }
    for sentence in &findings.unchecked {
        let _ = writeln!(report, "NOT CHECKED: {sentence}");
    }
    for stretch in findings.uncovered.iter().take(SHOWN) {
        let _ = writeln!(report, "NOT COVERED: {stretch}");
    }
    if findings.uncovered.len() > SHOWN {
        let _ = writeln!(report, "NOT COVERED: and {} more", findings.uncovered.len() - SHOWN);
    }
    for refusal in &findings.refusals {
        let _ = writeln!(report, "WRONG: {refusal}");
    }
    if !findings.coverage.is_empty() {
        let _ = writeln!(report, "{}", findings.coverage);
    }
    let _ = match findings.refusals.len() {
        0 if findings.leaves_nothing() => writeln!(report, "{path} holds"),
        0 if findings.is_all() => writeln!(report, "{path} holds in what was checked; --all checks the rest"),
        0 if findings.uncovered.is_empty() => {
            writeln!(report, "{path} holds in what was checked; NOT all was")
        }
        0 => writeln!(report, "{path} holds in what it covers; NOT all that was asked for is covered"),
        1 => writeln!(report, "{path} does NOT hold: one thing is wrong"),
        n => writeln!(report, "{path} does NOT hold: {n} things are wrong"),
    };
    Destination::Standard.write(report)?;
    Ok(match findings.holds() {
        _ if findings.leaves_nothing() => ExitCode::SUCCESS,
        true => ExitCode::from(AS_FAR_AS_IT_GOES),
        false => ExitCode::from(1),
    })
}
