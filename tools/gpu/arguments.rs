//! The command line.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::{Parser, ValueEnum};
use tmd_gpu::AdapterChoice;

/// Measures the search on a GPU: every figure of docs/performance.md's section on GPUs.
#[derive(Clone, Debug, Parser)]
#[command(name = "gpu_figures", bin_name = "cargo xtask bench-gpu")]
pub struct Arguments {
    /// The adapter, by index or by a part of its name (`tmd adapters` lists them)
    #[arg(long, value_name = "INDEX|NAME", default_value = "auto")]
    pub adapter: AdapterChoice,

    /// Fewer sizes and repetitions: a check that everything works
    #[arg(long)]
    pub quick: bool,

    /// Sections to measure, in this order; without it all of them
    #[arg(long, value_name = "SECTION,...", value_delimiter = ',', value_enum)]
    pub sections: Vec<Section>,

    /// Begin nothing new after so many minutes; what is missing is marked
    #[arg(long, value_name = "MINUTES", default_value_t = 8.0)]
    pub minutes: f64,

    /// 32-bit integer operations per second of the whole chip, for the roofline; without it the row
    /// says so
    #[arg(long, value_name = "RATE")]
    pub int_ops_per_second: Option<f64>,

    /// Write the tables here too, as Markdown; rewritten after every section
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Keep the figures below this folder as CSV: MACHINE/DATE-gpu.csv
    #[arg(long, value_name = "FOLDER")]
    pub record: Option<PathBuf>,

    /// The machine's name in the record; the adapter's if not given
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,

    /// The commit to name where git cannot tell it
    #[arg(long, value_name = "HASH")]
    pub commit: Option<String>,
}

/// Tables that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Section {
    /// I₀ by every engine, kernel by kernel, and beside the papers' figures
    Engines,
    /// The binades [1, 2) and [128, 256)
    Binades,
    /// Emulated against native integers
    Integers,
    /// Integer operations per domain against the chip's rate
    Roofline,
    /// Workgroups, invocations, domain sizes
    Sizes,
    /// LOGMS from 0 to 64
    Logms,
    /// The walk in three dimensions
    Families,
}

impl Arguments {
    /// The sections meant.
    pub fn sections(&self) -> Vec<Section> {
        if self.sections.is_empty() { Section::value_variants().to_vec() } else { self.sections.clone() }
    }

    /// When to begin nothing new.
    pub fn deadline(&self, started: Instant) -> Instant {
        // what is not a number is no time at all, and a day is forever here
        let seconds = if self.minutes.is_nan() { 0.0 } else { (self.minutes * 60.0).clamp(0.0, 86_400.0) };
        started + Duration::from_secs_f64(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn command_lines() {
        Arguments::command().debug_assert();
        let parse = |line: &str| {
            Arguments::try_parse_from(["gpu_figures"].into_iter().chain(line.split_whitespace()))
        };
        let all = parse("").unwrap();
        assert_eq!((all.sections().len(), all.adapter, all.quick), (7, AdapterChoice::Auto, false));
        let some = parse("--adapter 1 --sections logms,sizes --int-ops-per-second 33.5e12 --quick").unwrap();
        assert_eq!(some.sections(), [Section::Logms, Section::Sizes]);
        assert_eq!((some.adapter, some.int_ops_per_second), (AdapterChoice::Index(1), Some(33.5e12)));
        assert!(parse("--sections speed").is_err());
    }

    #[test]
    fn deadlines() {
        let now = Instant::now();
        let after =
            |minutes| Arguments { minutes, ..Arguments::parse_from(["gpu_figures"]) }.deadline(now) - now;
        assert_eq!(after(1.5), Duration::from_secs(90));
        assert_eq!(after(-1.0), Duration::ZERO);
        assert_eq!(after(f64::NAN), Duration::ZERO);
        assert_eq!(after(f64::INFINITY), Duration::from_secs(86_400));
    }
}
