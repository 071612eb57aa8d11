//! Every table and figure that the papers publish, beside ours: `cargo xtask reproduce` writes
//! docs/reproduction.md.
//!
//! A [`Section`] stands for one or more published tables or figures: the papers' numbers, ours, how
//! they were taken, and what the difference comes from. Counts are exact and the same on every
//! machine; seconds are of the machine that the document names.
//!
//! * [`Name`]: the sections, in the document's order, each in the module of its name;
//! * [`document`]: how sections become Markdown and pictures.

pub mod bars;
mod binades;
mod cores;
mod divergence;
mod division;
pub mod document;
mod error;
mod filtering;
mod gpu;
mod logms;
pub mod plot;
mod race;
mod simd;

use std::time::Instant;

use clap::ValueEnum;

use crate::figures::table::Table;
pub use error::ReproduceError;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Samples: all sections together in less than five minutes on two cores.
    Quick,
    /// Everything that counts, and samples of what takes days.
    Full,
}

/// What all sections are told.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How much to measure.
    pub scale: Scale,
}

impl Context {
    /// One of two values, by the scale.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self.scale {
            Scale::Quick => quick,
            Scale::Full => full,
        }
    }
}

/// One or more published tables and figures, reproduced.
#[derive(Clone, Debug)]
pub struct Section {
    /// What is shown.
    pub title: String,
    /// Paper and number of what is reproduced, as `TOMS 2016, table III`.
    pub source: String,
    /// What was measured: interval, sample, engines, options. Markdown.
    pub measured: String,
    /// The papers' numbers and ours.
    pub tables: Vec<Table>,
    /// Pictures of the same.
    pub pictures: Vec<Picture>,
    /// What the differences come from: one sentence for each table or figure. Markdown.
    pub differences: Vec<String>,
}

/// A picture, drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its file's name, without folder and extension.
    pub name: &'static str,
    /// What it shows, for those who do not see it.
    pub alternative: String,
    /// SVG text.
    pub svg: String,
}

/// The sections, in the document's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Turns of the main loop and NMDM, and NMDM against the number of lanes
    Divergence,
    /// Arguments that enter the phases of a search
    Filtering,
    /// Time against LOGMS, from 0 to 64, on CPU and GPU
    Logms,
    /// Lanes against scalar code, the regular test against Lefèvre's
    Simd,
    /// Speed-up over cores, and one core beside the papers' core and GPU
    Cores,
    /// Divisions by themselves
    Division,
    /// Time by phase and binade: exp, sin, log, scaled from samples
    Binades,
    /// The papers' GPU tables beside the adapter of this machine
    Gpu,
}

impl Name {
    /// Measures the section.
    ///
    /// # Errors
    /// If something cannot be searched or drawn.
    pub fn section(self, context: Context) -> Result<Section, ReproduceError> {
        match self {
            Self::Divergence => divergence::section(context),
            Self::Filtering => filtering::section(context),
            Self::Logms => logms::section(context),
            Self::Simd => simd::section(context),
            Self::Cores => cores::section(context),
            Self::Division => division::section(context),
            Self::Binades => binades::section(context),
            Self::Gpu => Ok(gpu::section(context)),
        }
    }

    /// As on the command line.
    pub fn as_str(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Runs something and tells how many seconds it took.
pub fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let result = run();
    (result, started.elapsed().as_secs_f64())
}
