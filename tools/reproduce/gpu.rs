//! The papers' GPU tables beside the adapter of this machine: the tables of
//! `cargo xtask bench-gpu`.

use clap::Parser as _;

use super::{Scale, Section};
use crate::{
    figures::table::Table,
    gpu::{FACTS, PAPERS_PHASES, arguments::Arguments, run},
};

/// The tables of the document if the adapter is a GPU; the others are in the record.
const SHOWN: [&str; 2] = [FACTS, PAPERS_PHASES];

pub(super) fn section(scale: Scale) -> Section {
    let arguments = scale.pick(
        vec!["reproduce", "--quick", "--minutes", "1", "--sections", "engines"],
        vec!["reproduce", "--sections", "engines,binades,integers,sizes"],
    );
    let measured = run(Arguments::parse_from(arguments), |_| {});
    let (is_software, tables, measured) = match measured {
        Ok(figures) => {
            let wrong = match figures.wrong {
                0 => String::new(),
                wrong => format!(" {wrong} figures are wrong or could not be taken; their cells say why."),
            };
            let played = if figures.is_software {
                ", which the CPU plays: its figures are in the record only"
            } else {
                ""
            };
            let measured = format!("By `cargo xtask bench-gpu`, on {}{played}.{wrong}", figures.adapter);
            (figures.is_software, figures.tables, measured)
        }
        Err(reason) => (true, Vec::new(), format!("Not measured: {reason}.")),
    };
    let is_shown = |table: &Table| !is_software && SHOWN.contains(&table.title());
    let (tables, details) = tables.into_iter().partition(is_shown);
    Section {
        title: "The searches on a GPU",
        source: "PDP 2012, table II and figures 4 and 5; TOMS 2016, tables V and VI; SIMD 2016, table 5.1",
        measured,
        tables,
        details,
        differences: &[
            "The papers' seconds are those of a C2070 with CUDA or OpenCL. A software adapter's say that the kernels run and find \
             the CPU's lists, and nothing about GPUs: its rows are of a part of I₀, not scaled.",
        ],
        ..Section::default()
    }
}
