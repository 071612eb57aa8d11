//! [`Name`]: the sections, each in the module of its name.

use clap::ValueEnum;

use super::{Context, Section, binades, cores, divergence, division, filtering, gpu, logms, simd};
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
    pub fn section(self, context: Context) -> Result<Section, ToolError> {
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
