//! Time by phase and binade: exp from 1/2 to 256, sin on [1/2, 1), log on [1, 3.17), scaled from stretches of each.
//!
//! * [`published`]: the papers' tables; [`strata`]: which arguments are searched; [`measure`]: what they take;
//! * [`tables`], [`pictures`]: how it is shown.

mod measure;
mod pictures;
mod published;
mod strata;
mod tables;

use measure::{Measured, Task};
use strata::ENGINES;

use super::{Context, ReproduceError, Section};

/// What all engines take for a binade.
struct Figures {
    function: &'static str,
    interval: String,
    exponent: Option<i32>,
    measured: [Measured; ENGINES],
}

impl Figures {
    /// As in the tables' first column.
    fn name(&self) -> String {
        format!("{}, {}", self.function, self.interval)
    }
}

pub(super) fn section(context: Context) -> Result<Section, ReproduceError> {
    let full = context.pick(false, true);
    let mut figures = Vec::new();
    for binade in strata::binades() {
        let measured = Task::new(&binade)?.measure(full)?;
        let strata::Binade { function, interval, exponent, .. } = binade;
        figures.push(Figures { function, interval, exponent, measured });
    }
    Ok(Section {
        title: "Seconds per phase and binade".into(),
        source: "TOMS 2016, tables IV, V, VI and VII".into(),
        measured: measured(full, &figures),
        tables: vec![
            tables::one_core(&figures),
            tables::binades(&figures),
            tables::phases(&figures),
            tables::exponents(&figures),
            tables::hours(&figures),
            tables::details(&figures),
        ],
        pictures: pictures::pictures(&figures)?,
        differences: differences(),
    })
}

/// What was searched.
fn measured(full: bool, figures: &[Figures]) -> String {
    let cases: usize = figures.iter().map(|found| found.measured[0].cases).sum();
    let expected: f64 = figures.iter().map(|found| found.measured[0].expected()).sum();
    format!(
        "Arguments of 54 bits, 2^53 to a binade, results of 53 bits, directed, 33 extra bits; one thread, {} lanes, domain sizes by \
         our cost model. Seconds are **scaled from samples**: {} evenly spaced stretches per binade, of 2^35 to 2^43 arguments each by \
         engine and binade (constants; the column *arguments searched* adds them up). Polynomials are made over as many arguments as \
         in a whole search, and counted by the share of their arguments that was searched. For log, arguments near 1 are special: \
         results shrink with x − 1, ulps with them, and in ulps the function bends ever more; so [1, 2) is sampled in 17 strata, \
         [1+2^-(j+1), 1+2^-j) for j from 0 to 15 and [1, 1+2^-16), and [2, 3.17) is one more, each scaled by its own number of \
         arguments. Left out is what borders of the results' binades cost: some 40 polynomials each, and less than 200 borders in a \
         binade of exp. The engines' lists agree wherever two searched the same arguments: {cases} cases by the walk, {expected:.0} \
         expected.",
        tmd_simd::Level::best(),
        if full { 64 } else { 8 },
    )
}

/// One sentence a table.
fn differences() -> Vec<String> {
    [
        "Table IV: one of our cores does what one of theirs did many times faster, because eight lanes test eight domains at \
         once and a larger domain (N by a cost model, not 2^15) needs fewer polynomials and fewer tests.",
        "Table V: for the same reasons one core is faster than their six, and the gain grows with the exponent, where they fix \
         the domain size while ours follows the function's curvature.",
        "Table VI: the counts are not meant to be equal; they follow from N and from the half-width of the test, and our chords \
         are centered, which halves that half-width.",
        "Table VII: Lefèvre's test costs two to three times the regular one in our lanes too as long as phase 1 dominates, \
         and the two meet at large exponents as they do in the papers; generation is never our bottleneck.",
        "Hours: the papers' are wall-clock hours of six cores and a GPU together, ours are hours of one core.",
    ]
    .map(String::from)
    .to_vec()
}
