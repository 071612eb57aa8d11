//! Every figure of the search on a GPU, as Markdown tables and as CSV: `cargo xtask bench-gpu` is
//! the way to run it.
//!
//! Nothing is asserted of times, everything of lists: each search's list is compared with the CPU
//! walk's, and a wrong one, or a kernel that fails, ends the program with exit code 1 after the
//! other figures are taken.
//!
//! * [`arguments`]: the command line; `machine`, `question`: on what, and of which function;
//! * `measure`: one search of a piece; `interval`, `binades`, `integers`, `sizes`, `families`: the
//!   tables;
//! * `operations`: counted in the shaders' source; `report`: how all of it is written.

pub mod arguments;
mod binades;
mod families;
mod integers;
mod interval;
mod machine;
pub(crate) mod measure;
mod operations;
mod question;
mod report;
mod sizes;
#[cfg(test)]
mod tests;

use std::time::Instant;

use tmd_core::{Backend, Interrupt};
use tmd_gpu::{AdapterKind, Gpu, Integers, Shape};
use tmd_simd::{Level, Simd};

use crate::ToolError;
use crate::figures::table::Table;
use arguments::{Arguments, Section};
use measure::{Bench, Counted, Part};
use report::Report;
pub use report::{Figures, LogmsPoint};
pub use {interval::PAPERS_PHASES, machine::FACTS};

/// As much of I₀ as a software adapter searches.
const SOFTWARE_PART: u64 = 1 << 34;

/// Measures everything that the arguments ask for; each table is shown as soon as it is complete.
///
/// # Errors
/// If there is no such adapter, the interval cannot be searched, or a file cannot be written.
pub fn run(arguments: Arguments, shown: fn(&Table)) -> Result<Figures, ToolError> {
    let deadline = arguments.deadline(Instant::now());
    let gpu = Gpu::open(&arguments.adapter, Integers::Auto)?;
    let is_software = gpu.summary().kind == AdapterKind::Software;
    let shape = if is_software { Shape::of(gpu.summary()) } else { Shape::tuned(&gpu)? };
    let mut piece = crate::piece("exp", "1", question::ARGUMENTS, 54);
    if is_software {
        piece = piece.part(0, SOFTWARE_PART)?;
    }
    let candidates = Simd::farey(Level::best()).search(&piece, &Interrupt::new())?.candidates;
    let part = Part { piece, candidates };
    let bench = Bench { arguments, gpu, shape, refused: Counted::new(), part, deadline };

    let mut report = Report::new(bench.gpu.summary().name.clone(), is_software, shown);
    report.table(machine::facts(&bench.arguments, &bench.gpu, &bench.shape));
    for section in bench.arguments.sections() {
        match section {
            Section::Engines => interval::engines(&bench, &mut report),
            Section::Binades => binades::binades(&bench, &mut report),
            Section::Integers => integers::integers(&bench, &mut report),
            Section::Roofline => integers::roofline(&bench, &mut report),
            Section::Sizes => sizes::sizes(&bench, &mut report),
            Section::Logms => sizes::logms_sweep(&bench, &mut report),
            Section::Families => families::families(&bench, &mut report),
        }
        // what is measured is kept, whatever happens next
        report.save(&bench.arguments)?;
    }
    Ok(report.figures)
}
