//! `tmd verify`.

use std::{fmt::Write as _, path::PathBuf, process::ExitCode};

use clap::Args;
use tmd_driver::{certificate::Verification, engine_besides, engine_named};

use crate::arguments::function;
use crate::certificate::read;
use crate::output::{Destination, Failure};
use crate::solve::interrupt;

/// Stretches of arguments that are not covered and are shown.
const SHOWN: usize = 10;

#[derive(Args)]
pub(crate) struct VerifyOptions {
    /// The certificate, as tmd solve --out writes it, or a run directory
    pub(crate) certificate: PathBuf,
    /// Units of which samples are searched again by another engine
    #[arg(long, default_value_t = 16)]
    pub(crate) samples: usize,
    /// Core-seconds that the other engine may take for a sample
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub(crate) sample_seconds: f64,
    /// What the choice of samples starts from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

pub(crate) fn run(options: &VerifyOptions) -> Result<ExitCode, Failure> {
    let path = options.certificate.display();
    let certificate = read(&options.certificate)?;
    let function = function(&certificate.function)?;
    let engine = engine_named(&certificate.engine);
    let other = engine_besides(&certificate.engine);
    let interrupt = interrupt();
    let verification = Verification {
        certificate: &certificate,
        function: &function,
        engine: engine.as_deref(),
        other: &other,
        samples: options.samples,
        sample_seconds: options.sample_seconds,
        seed: options.seed,
    };
    let findings = verification.run(&interrupt)?;
    // writing to a String does not fail
    let mut report = String::new();
    for sentence in &findings.checked {
        let _ = writeln!(report, "checked: {sentence}");
    }
    for sentence in findings.unchecked.iter().chain(&findings.elsewhere) {
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
        0 if findings.is_all() => writeln!(report, "{path} holds"),
        0 if findings.uncovered.is_empty() => {
            writeln!(report, "{path} holds in what was checked; NOT all was")
        }
        0 => writeln!(report, "{path} holds in what it covers; NOT all that was asked for is covered"),
        1 => writeln!(report, "{path} does NOT hold: one thing is wrong"),
        n => writeln!(report, "{path} does NOT hold: {n} things are wrong"),
    };
    Destination::Standard.write(report)?;
    Ok(if findings.is_all() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
