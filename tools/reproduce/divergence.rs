//! Turns of the main loop and their NMDM over I₀, and the NMDM against the number of lanes.

use super::{
    Picture, Scale, Section,
    plot::{Lines, Series},
};
use crate::{
    ToolError,
    divergence::{
        MeasuredInterval, Measurement, Sample, Subject, measure,
        measure::GROUPS,
        picture::{panels, svg},
        published::{TABLE_III, published},
        subjects::FAREY_WALK,
    },
    figures::table::{NONE, Table, or_none},
};

/// Lanes per group in the papers.
const WARP: usize = 32;

/// What is shown: title and test.
const SHOWN: [(&str, &str); 6] = [
    ("Lefèvre", "lefevre-division"),
    ("Lefèvre with special instructions", "lefevre-special-hybrid"),
    ("Lefèvre with swap", SWAP),
    ("Regular", "regular"),
    ("Regular as printed", "regular-printed"),
    ("Farey walk", FAREY_WALK),
];

/// The test whose turns are Lefèvre's by construction.
const SWAP: &str = "lefevre-swap";

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let subjects: Vec<Subject> = Subject::all()
        .into_iter()
        .filter(|test| SHOWN.iter().any(|(_, name)| *name == test.name()))
        .collect();
    let sample = scale.pick(Sample::QUICK, Sample::WHOLE);
    let measurements = measure(&MeasuredInterval::papers(), &subjects, true, sample)?;
    let shown: Vec<(&str, &Measurement)> = SHOWN
        .iter()
        .filter_map(|(title, name)| Some((*title, measurements.iter().find(|m| m.name == *name)?)))
        .collect();

    // swapping changes no turn: that curve would cover Lefèvre's
    let curves: Vec<Series> = shown
        .iter()
        .filter(|(_, measurement)| measurement.name != SWAP)
        .map(|(title, measurement)| Series {
            label: (*title).to_owned(),
            points: measurement
                .groups
                .each_ref()
                .map(|counts| (counts.lanes as f64, 100.0 * counts.nmdm()))
                .into(),
        })
        .collect();
    let axes = Lines { x: "lanes per group", y: "mean NMDM, in %", log2_x: true, from_zero: true };
    Ok(Section {
        title: "Divergence of the main loop",
        source: "TOMS 2016, table III and figure 6; SIMD 2016, figure 3.1; PDP 2012, figure 3",
        measured: format!(
            "exp on I₀ = [1, 1+2^-13), 2^40 arguments in 2^25 domains of 2^15, {}; NMDM = 1 − mean/max of the turns in a group of \
             lanes. Every variant and every reading that was tried: [divergence.md](divergence.md).",
            scale.pick("one block of 64 consecutive domains in 64", "every domain")
        ),
        tables: vec![turns(&shown)],
        details: vec![lanes(&shown)],
        pictures: vec![
            Picture {
                name: "nmdm-histograms",
                alternative: "Share of the groups of 32 lanes by NMDM: Lefèvre's tests around 26 %, the regular test and the \
                              Farey walk at 0",
                svg: svg(&panels(&measurements), WARP)?,
            },
            Picture {
                name: "nmdm-lanes",
                alternative: "Mean NMDM against 4 to 64 lanes: Lefèvre's tests rise from 15 % to 28 %, the others stay near 0",
                svg: axes.svg(&curves)?,
            },
        ],
        differences: &[
            "Over all domains Lefèvre's and the regular row are the papers' number for number (their means are cut to whole numbers); \
             a sample misses the rarest turns.",
            "The papers do not print their special instructions; the variant here has their turns, and 0.1 % more NMDM.",
            "The papers print another start of the regular test than the one that they measured: it needs more turns and \
             diverges several times as much.",
        ],
    })
}

/// Table III.
fn turns(shown: &[(&str, &Measurement)]) -> Table {
    let mut table = Table::new(
        "Turns of the main loop, groups of 32",
        "test | papers: min / mean / max | ours | papers: mean NMDM | ours",
    );
    for (title, measurement) in shown {
        let Some(counts) = measurement.of(WARP) else { continue };
        let ours = if counts.useful == 0 {
            // the walk has no main loop: its crossing loop passes once a step
            NONE.into()
        } else {
            format!("{} / {:.2} / {}", counts.fewest, counts.mean(), counts.most)
        };
        let papers = published(measurement.name);
        let turns = or_none(papers, |row| row.turns.map(|turns| turns.to_string()).join(" / "));
        let nmdm = or_none(papers, |row| format!("{} %", row.nmdm));
        table.row(vec![(*title).into(), turns, ours, nmdm, format!("{:.2} %", 100.0 * counts.nmdm())]);
    }
    debug_assert!(
        TABLE_III.iter().all(|row| shown.iter().any(|(_, measurement)| measurement.name == row.name))
    );
    table
}

/// NMDM by group.
fn lanes(shown: &[(&str, &Measurement)]) -> Table {
    let columns = GROUPS.map(|lanes| format!("{lanes} lanes"));
    let mut table = Table::new("NMDM against the number of lanes", "mean NMDM").with_columns(columns);
    for (title, measurement) in shown {
        let cells = measurement.groups.iter().map(|counts| format!("{:.2} %", 100.0 * counts.nmdm()));
        table.row([(*title).to_owned()].into_iter().chain(cells));
    }
    table
}
