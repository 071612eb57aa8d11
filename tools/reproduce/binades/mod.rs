//! Time by phase and binade: exp from 1/2 to 256, sin on [1/2, 1), log on [1, 3.17), scaled from
//! stretches of each.
//!
//! * [`published`]: the papers' tables; [`strata`]: which arguments are searched; [`measure`]: what
//!   they take;
//! * [`tables`], [`pictures`]: how it is shown.

mod measure;
mod pictures;
mod published;
mod strata;
mod tables;

use measure::{Figures, Task};

use super::{Scale, Section};
use crate::ToolError;
use crate::figures::table::thousands;

pub(super) fn section(scale: Scale) -> Result<Section, ToolError> {
    let full = scale.pick(false, true);
    let mut figures = Vec::new();
    for binade in strata::binades() {
        let measured = Task::new(&binade)?.measure(full)?;
        let strata::Binade { function, interval, exponent, .. } = binade;
        figures.push(Figures { function, interval, exponent, measured });
    }
    Ok(Section {
        title: "Seconds per phase and binade",
        source: "TOMS 2016, tables IV, V, VI and VII",
        measured: measured(full, &figures),
        tables: vec![
            tables::one_core(&figures),
            tables::binades(&figures),
            tables::phases(&figures),
            tables::exponents(&figures),
            tables::hours(&figures),
        ],
        details: vec![tables::details(&figures)],
        pictures: pictures::pictures(&figures)?,
        differences: &DIFFERENCES,
    })
}

/// What was searched.
fn measured(full: bool, figures: &[Figures]) -> String {
    let cases: usize = figures.iter().map(|found| found.measured[0].cases).sum();
    let expected: f64 = figures.iter().map(|found| found.measured[0].expected()).sum();
    format!(
        "Arguments of 54 bits, 2^53 to a binade, results of 53 bits, directed, 33 extra bits; one thread, {} lanes, domain sizes by \
         our cost model. Seconds are **scaled from samples**: {} evenly spaced stretches per binade, of up to 2^43 arguments each by \
         engine and binade (constants; the column *arguments searched* adds them up). Polynomials are made over as many arguments as \
         in a whole search, and counted by the share of their arguments that was searched. For log, arguments near 1 are special: \
         results shrink with x − 1, ulps with them, and in ulps the function bends ever more; so [1, 2) is sampled in 17 strata, \
         [1+2^-(j+1), 1+2^-j) for j from 0 to 15 and [1, 1+2^-16), and [2, 3.17) is one more, each scaled by its own number of \
         arguments. Left out is what borders of the results' binades cost: some 40 polynomials each, and less than 200 borders in a \
         binade of exp. The engines' lists agree wherever two searched the same arguments: {} cases by the walk, {} \
         expected.",
        tmd_simd::Level::best(),
        if full { 64 } else { 8 },
        thousands(cases as u64),
        thousands(expected.round() as u64),
    )
}

/// One sentence a table.
const DIFFERENCES: [&str; 6] = [
    "Table IV: a core's lanes test several domains at once, N comes from a cost model instead of being 2^15, and generation gains \
         most, because its tables step in 64 bits in lanes, where the papers add multiprecision words.",
    "Table V: our one core against their six grows with the exponent, because their domains keep 2^15 arguments where ours \
         shrink as the function bends.",
    "Table VI: at 2^15 arguments nearly all of the papers' domains on [128, 256) fail phase 1, and a tenth of the arguments is \
         tabulated; with N by the cost model phase 2 sees a tenth or less of the arguments in either binade, and phase 3 next to nothing.",
    "Table VII: the papers' two searches meet at large exponents, where phases 2 and 3 take their time; ours keep their ratio, \
         because phase 1 stays the largest, and generation is nowhere the bottleneck.",
    "Hours: the papers' are wall-clock hours of six cores and a GPU together, ours are hours of one core.",
    "Phases: the walk has no phase 2; what it flags is enumerated at once, under *exhaust*.",
];
