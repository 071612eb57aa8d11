//! Binades whose cases follow from others: do they have too few cases together, though each alone
//! may have so few?
//!
//! With 16 cases expected, a binade without one has the probability e^-16: not so little among
//! hundreds of binades. Dozens of such binades are another matter. They are not independent,
//! though: of x^(1/a), the binades of 2^k and 2^(k+a) have the same cases. Those with the same
//! residue of k modulo a are one trial, whose probability is at most that of its least likely
//! binade times their number. Of n independent trials the chance that some j of them are each at
//! most as likely as p is at most `C(n, j)·p^j`, and n times that for any j.
//!
//! By the residues of theory, not by what the plan lets follow from what: it is the plan that is
//! checked.

use std::collections::BTreeMap;

use tmd_functions::{Function, symmetry::Translation};

use super::{
    Certificate,
    statistics::{BinadeCounts, FollowedCounts, UNLIKELY},
};
use crate::DriverError;

impl Certificate {
    /// The binades of what follows from other binades of a root that have fewer cases than chance
    /// would hardly bring about together: the first argument of them, the last one, and the sums of
    /// what is expected and found. `None` if that is likely, or the function repeats itself
    /// otherwise.
    ///
    /// # Errors
    /// If the certificate names no breakpoints, or numbers that are none.
    pub fn few_together(&self, function: &dyn Function) -> Result<Option<BinadeCounts>, DriverError> {
        let Some(Translation::Power { log2_ratio, .. }) = function.translation() else { return Ok(None) };
        let followed = self.followed_counts(function)?;
        let mut trials = BTreeMap::<i32, Vec<FollowedCounts>>::new();
        for one in followed {
            trials.entry(one.exponent.rem_euclid(log2_ratio as i32)).or_default().push(one);
        }
        Ok(few(trials.into_values().collect()))
    }
}

/// Trials that are likelier are not counted among the few: a function may have a tenth less than
/// chance says all over.
const RARE: f64 = 0.01;

/// The trials that are too unlikely together, if some are.
fn few(trials: Vec<Vec<FollowedCounts>>) -> Option<BinadeCounts> {
    let ln_probability = |trial: &Vec<FollowedCounts>| {
        let counts = trial.iter().map(|one| &one.counts);
        let few = counts.filter(|one| (one.found as f64) < one.expected && !one.is_arithmetic);
        let least = few.map(|one| one.probability).fold(1.0, f64::min);
        (least.max(f64::MIN_POSITIVE) * trial.len() as f64).min(1.0).ln()
    };
    let mut trials: Vec<(f64, Vec<FollowedCounts>)> =
        trials.into_iter().map(|trial| (ln_probability(&trial), trial)).collect();
    trials.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = trials.len() as f64;
    let mut ln_choices = 0.0;
    let rare = trials.iter().take_while(|(ln_p, _)| *ln_p < RARE.ln());
    let bounds = rare.enumerate().map(|(index, (ln_p, _))| {
        let j = index as f64 + 1.0;
        ln_choices += ((n - j + 1.0) / j).ln();
        (index + 1, n.ln() + ln_choices + j * ln_p)
    });
    let (count, ln_bound) = bounds.min_by(|a, b| a.1.total_cmp(&b.1))?;
    if ln_bound >= UNLIKELY.ln() {
        return None;
    }
    let few = trials.into_iter().take(count).flat_map(|(_, trial)| trial);
    let mut few: Vec<FollowedCounts> =
        few.filter(|one| (one.counts.found as f64) < one.counts.expected).collect();
    few.sort_by_key(|one| one.exponent);
    let (first, last) = (&few.first()?.counts, &few.last()?.counts);
    Some(BinadeCounts {
        first: first.first.clone(),
        last: last.last.clone(),
        expected: few.iter().map(|one| one.counts.expected).sum(),
        found: few.iter().map(|one| one.counts.found).fold(0, u64::saturating_add),
        cluster: 1.0,
        probability: ln_bound.exp(),
        is_arithmetic: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Binades of 16 cases expected, with so many, and as likely as that.
    fn trials(counts: &[&[(u64, f64)]]) -> Vec<Vec<FollowedCounts>> {
        let mut exponent = 0;
        let mut binade = |(found, probability)| {
            exponent += 1;
            let (first, last) = (exponent.to_string(), format!("{exponent}.9"));
            let expected = 16.0;
            let counts = BinadeCounts {
                first,
                last,
                expected,
                found,
                cluster: 1.0,
                probability,
                is_arithmetic: false,
            };
            FollowedCounts { exponent, counts }
        };
        counts.iter().map(|trial| trial.iter().copied().map(&mut binade).collect()).collect()
    }

    #[test]
    fn many_that_are_possible_alone() {
        let (none, usual) = ((0, (-16f64).exp()), (16, 0.5));
        // C(4, 2)·e^-32·4
        let two = few(trials(&[&[usual], &[none], &[none], &[usual]])).unwrap();
        assert!((two.probability / (24.0 * (-32f64).exp()) - 1.0).abs() < 1e-9, "{two:?}");
        assert_eq!((&two.first[..], &two.last[..], two.found, two.expected), ("2", "3.9", 0, 32.0));
        // one is possible, and so are others that have the same cases
        assert_eq!(few(trials(&[&[usual], &[none], &[usual], &[usual]])), None);
        assert_eq!(few(trials(&[&[usual], &[none, none, none], &[usual], &[usual]])), None);
        // too many are no alarm
        assert_eq!(few(trials(&[&[(100, 1e-40)], &[(100, 1e-40)]])), None);
        assert_eq!(few(Vec::new()), None);
        // chance, and a function that is not chance, but for no missing binades
        let by_chance: Vec<[(u64, f64); 1]> =
            (0..500).map(|k| [(12, (f64::from(k) + 0.5) / 500.0)]).collect();
        let by_chance: Vec<&[(u64, f64)]> = by_chance.iter().map(|trial| &trial[..]).collect();
        assert_eq!(few(trials(&by_chance)), None);
        assert_eq!(few(trials(&[&[(14, 0.3)][..]; 500])), None);
    }
}
