//! [`Name`]: the sections, each in the module of its name.

use clap::ValueEnum;

use super::{Scale, Section, binades, cores, divergence, division, filtering, gpu, logms, simd};
use crate::ToolError;

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
    pub fn section(self, scale: Scale) -> Result<Section, ToolError> {
        match self {
            Self::Divergence => divergence::section(scale),
            Self::Filtering => filtering::section(scale),
            Self::Logms => logms::section(scale),
            Self::Simd => simd::section(scale),
            Self::Cores => cores::section(scale),
            Self::Division => division::section(scale),
            Self::Binades => binades::section(scale),
            Self::Gpu => Ok(gpu::section(scale)),
        }
    }

    /// As on the command line.
    pub fn as_str(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
