//! Seconds per binade and the share of generation, as curves over the binade's exponent.

use super::{
    measure::Figures,
    published::{TABLE_V, TABLE_VII, TableVii},
    tables::NAMES,
};
use crate::{
    ToolError,
    reproduce::{
        Picture,
        plot::{Lines, Series},
    },
};

/// What the horizontal axis is.
const X: &str = "exponent k of the binade [2^k, 2^(k+1)) of exp";

/// The papers' columns for exp.
fn papers(label: &str, y: fn(&TableVii) -> f64) -> Series {
    let points = TABLE_VII.iter().filter_map(|column| Some((f64::from(column.exponent?), y(column))));
    Series { label: label.into(), points: points.collect() }
}

/// Our figures for exp.
fn ours(figures: &[Figures], engine: usize, y: impl Fn(&Figures) -> f64) -> Series {
    let points = figures.iter().filter_map(|found| Some((f64::from(found.exponent?), y(found))));
    Series { label: format!("{}, 1 core", NAMES[engine]), points: points.collect() }
}

/// Both pictures.
pub(super) fn pictures(figures: &[Figures]) -> Result<Vec<Picture>, ToolError> {
    let mut times: Vec<Series> =
        (0..NAMES.len()).map(|i| ours(figures, i, |found| found.measured[i].work.total)).collect();
    let mut shares: Vec<Series> =
        (0..NAMES.len()).map(|i| ours(figures, i, |found| 100.0 * found.measured[i].work.share())).collect();
    times.push(papers("papers: regular, 6 cores and C2070", |column| column.generation + column.regular));
    times.push(papers("papers: Lefèvre, 6 cores and C2070", |column| column.generation + column.lefevre));
    let cpu = TABLE_V
        .iter()
        .filter_map(|column| Some((f64::from(column.exponent?), column.generation[0] + column.lefevre[0])));
    times.push(Series { label: "papers: Lefèvre, 6 cores".into(), points: cpu.collect() });
    shares.push(papers("papers: regular, GPU", |column| 100.0 * column.share_with(column.regular)));
    shares.push(papers("papers: Lefèvre, GPU", |column| 100.0 * column.share_with(column.lefevre)));
    let seconds = Lines { x: X, y: "s for 2^53 arguments", log2_x: false, from_zero: false };
    let percent = Lines { x: X, y: "share of generation, in %", log2_x: false, from_zero: true };
    Ok(vec![
        Picture {
            name: "binades-seconds",
            alternative: "Seconds for a binade of exp against its exponent, on a logarithmic axis: the Farey walk on one core \
                          lowest, then the regular test and Lefèvre's in lanes on one core, beside the papers' CPU and GPU",
            svg: seconds.svg(&times)?,
        },
        Picture {
            name: "binades-generation",
            alternative: "Share of polynomial generation in the time of a binade of exp against its exponent: about half \
                          for the papers' regular search near 1, a few per cent for all others",
            svg: percent.svg(&shares)?,
        },
    ])
}
