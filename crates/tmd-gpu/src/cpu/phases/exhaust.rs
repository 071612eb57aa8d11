//! Phase 3, every argument of the failing parts: `phases/exhaust.wgsl`.
//!
//! Lemma G.9 of docs/proofs/gpu.md.

use super::{FailingPart, Hit, Parabola, Parameters, Tables, tabulation::tabulate};

/// The hits, part by part.
pub fn exhaust(parameters: &Parameters, tables: &Tables<'_>, parts: &[FailingPart]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for &part in parts {
        let parabola = Parabola::at(parameters, tables, part.run, part.step);
        for stretch in 0..parameters.stretches() {
            tabulate(parameters, &parabola, part, stretch, &mut hits);
        }
    }
    hits
}
