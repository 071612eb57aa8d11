//! Every figure of the search on a GPU, as Markdown tables and as CSV: `cargo xtask bench-gpu` is the way to run it.
//!
//! Nothing is asserted of times, everything of lists: each search's list is compared with the CPU walk's, and a wrong one, or
//! a kernel that fails, ends the program with exit code 1 after the other figures are taken.
//!
//! * [`arguments`], [`machine`], [`question`]: what is asked, on what, and of which function;
//! * [`measure`]: one search of a piece; [`interval`], [`binades`], [`integers`], [`sizes`]: the tables;
//! * [`operations`]: counted in the shaders' source; [`table`], [`report`]: how all of it is written.
#![forbid(unsafe_code)]

mod arguments;
mod binades;
mod integers;
mod interval;
mod machine;
mod measure;
mod operations;
mod question;
mod report;
mod sizes;
mod table;

use std::{process::ExitCode, time::Instant};

use clap::Parser;
use tmd_core::{Backend, Interrupt};
use tmd_gpu::{AdapterKind, Gpu, Integers, Shape};
use tmd_simd::{Level, Simd};

use arguments::{Arguments, Section};
use measure::{Bench, Counted, Missing, Part};
use report::Report;

/// As much of I₀ as a software adapter searches.
const SOFTWARE_PART: u64 = 1 << 34;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("gpu_figures: {wrong} figures are wrong or could not be taken; the tables say why");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("gpu_figures: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures everything; returns how many figures are wrong.
fn run(arguments: Arguments) -> Result<u32, Missing> {
    let deadline = arguments.deadline(Instant::now());
    let gpu = Gpu::open(&arguments.adapter, Integers::Auto)?;
    let is_software = gpu.summary().kind == AdapterKind::Software;
    let shape = if is_software { Shape::of(gpu.summary()) } else { Shape::tuned(&gpu)? };
    let mut piece = tmd_benches::piece("exp", "1", question::ARGUMENTS, 54);
    if is_software {
        piece = piece.part(0, SOFTWARE_PART)?;
    }
    let candidates = Simd::farey(Level::best()).search(&piece, &Interrupt::new())?.candidates;
    let part = Part { piece, candidates };
    let bench = Bench { arguments, gpu, shape, refused: Counted::new(), part, deadline };

    let mut report = Report::new();
    report.table(machine::facts(&bench.arguments, &bench.gpu, &bench.shape));
    for section in bench.arguments.sections() {
        match section {
            Section::Engines => interval::engines(&bench, &mut report),
            Section::Binades => binades::binades(&bench, &mut report),
            Section::Integers => integers::integers(&bench, &mut report),
            Section::Roofline => integers::roofline(&bench, &mut report),
            Section::Sizes => sizes::sizes(&bench, &mut report),
            Section::Logms => sizes::logms_sweep(&bench, &mut report),
        }
        // what is measured is kept, whatever happens next
        report.save(&bench.arguments, &bench.gpu.summary().name)?;
    }
    Ok(report.wrong())
}
