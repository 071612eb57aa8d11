//! A certificate for people to read: what was found, and the hardest cases.

use std::fmt::Write as _;

use super::Certificate;
use crate::{
    Coverage,
    plan::duration,
    report::{Case, LEGEND, case_table, rounding_in_words},
};

/// Cases that a summary shows.
const SHOWN: usize = 10;

impl Certificate {
    /// The `most` hardest cases, the hardest first.
    pub fn hardest(&self, most: usize) -> Vec<&Case> {
        let mut order: Vec<&Case> = self.cases.iter().collect();
        // a stable sort: ties stay in the order of the arguments
        order.sort_by(|a, b| a.log2_dist.total_cmp(&b.log2_dist));
        order.truncate(most);
        order
    }

    /// A few lines: what is covered, the numbers, the hardest cases.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let totals = self.totals();
        let _ = writeln!(
            text,
            "{} in {}, rounding {}: {} cases with distance < 2^-{} ulp, {:.0} expected; {} exact",
            self.function,
            self.format.name,
            rounding_in_words(&self.rounding),
            self.case_count(),
            self.extra_bits,
            totals.expected_cases,
            self.units.iter().map(|unit| unit.exact).sum::<u64>(),
        );
        if !self.undecided.is_empty() {
            let _ = writeln!(text, "{} arguments could not be decided", self.undecided.len());
        }
        if !self.rules.is_empty() {
            let (listed, rules) = (self.cases.len(), self.rules.len());
            let _ = writeln!(text, "{listed} cases are listed, the others repeat these by {rules} rules");
        }
        match Coverage::of(self) {
            Ok(coverage) => {
                let _ = writeln!(text, "{}", coverage.sentence());
                let left: Vec<_> =
                    coverage.stretches().iter().filter(|stretch| !stretch.is_covered()).collect();
                for stretch in left.iter().take(SHOWN) {
                    let _ = writeln!(text, "  NOT COVERED: {stretch}");
                }
                if left.len() > SHOWN {
                    let _ = writeln!(text, "  and {} more", left.len() - SHOWN);
                }
            }
            Err(error) => {
                let _ = writeln!(text, "NOT COMPLETE: {error}");
            }
        }
        for failure in self.failures.iter().take(SHOWN) {
            let _ = writeln!(text, "FAILED {failure}");
        }
        let cases = self.hardest(SHOWN);
        let legend = if cases.is_empty() { String::new() } else { format!("\n{LEGEND}") };
        if !cases.is_empty() {
            text += "\n";
            text += &case_table(cases, "hardest").0;
        }
        let digest = &self.digest[..16.min(self.digest.len())];
        if self.effort.threads == 0 {
            // that of a run directory, which says nothing of times
            let _ = writeln!(text, "\n{} units; digest {digest}", self.units.len());
            return text + &legend;
        }
        // an empty sum is −0
        let spent = self.effort.unit_s.iter().sum::<f64>() + 0.0;
        let _ = writeln!(
            text,
            "\n{} units in {} on {} threads: {} of search, {} planned; digest {}",
            self.units.len(),
            duration(self.effort.elapsed_s),
            self.effort.threads,
            duration(spent),
            duration(totals.core_seconds + 0.0),
            digest,
        );
        text + &legend
    }
}
