//! [`CongruenceVia`]: the cases of a square root by congruences, without a search.
//!
//! Let `x = X·2^e` be an argument and `y = M·2^s` a breakpoint, X and M integers, and `K = e − 2s`
//! at least 1. Then `y² − x = (M² − X·2^K)·2^(2s)`, so that
//!
//! ```text
//!     |√x − y| = |D|·2^(2s)/(√x + y),    D = M² − X·2^K:
//! ```
//!
//! where y is the breakpoint next to √x, |D| is below `2^(T+2−m)`, if all results and breakpoints
//! are at most `2^T·2^s` (Lemma M.23 of docs/proofs/domain.md). The M that belong to one D are
//! those with `M² ≡ D` modulo 2^K, which are a few residue classes modulo a power of two (Lemma
//! M.24). So all cases are among a few thousand pairs (M, X) (Theorem M.25 of proofs/Roots.v), and
//! each is confirmed like any candidate. `D = 0` are the exact cases, whose number follows from the
//! classes alone.

use std::{iter, time::Instant};

use rug::{
    Integer,
    ops::{DivRounding, RemRounding},
};
use tmd_core::{ArgumentRange, Breakpoints, Interrupt, Phase, Problem};
use tmd_functions::Function;

use crate::{
    DriverError, Observer, Outcome, Progress,
    certificate::MOST_EXACT,
    confirm::{Verdict, confirm},
    search::outcome::Findings,
};

#[cfg(test)]
mod tests;

/// log2 of the number of pairs (M, X) that are looked at, about, at most.
const MOST_PAIRS: u32 = 20;

/// What the congruences of a range of arguments are: of those with results of one binade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CongruenceVia {
    /// K: the congruences are modulo 2^K.
    pub modulus: u32,
    /// The largest |D|.
    pub remainders: u64,
    /// s: log2 of the distance of two breakpoints, numbers and midpoints.
    spacing: i32,
}

/// Integers that are `residue` modulo `2^modulus`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Residues {
    residue: Integer,
    modulus: u32,
}

/// All integers M with `M² ≡ d` modulo 2^k, k at least 1, as residue classes without a common
/// element (Lemma M.24).
fn square_roots(d: &Integer, k: u32) -> Vec<Residues> {
    // between 0 and 2^k, of a negative number too
    let d = d.clone().keep_bits(k);
    let Some(twos) = d.find_one(0) else {
        // 2^k divides M²
        return vec![Residues { residue: Integer::new(), modulus: k.div_ceil(2) }];
    };
    if twos % 2 == 1 {
        return Vec::new();
    }
    // M = 2^j·n, n odd, n² ≡ odd modulo 2^k
    let (j, odd, k) = (twos / 2, d >> twos, k - twos);
    let is_root = match k {
        1 => true,
        2 => odd.mod_u(4) == 1,
        _ => odd.mod_u(8) == 1,
    };
    let (roots, modulus) = match k {
        _ if !is_root => (Vec::new(), 0),
        1 | 2 => (vec![Integer::from(1)], 1),
        _ => {
            let root = odd_root(&odd, k);
            let modulus = k - 1;
            (vec![root.clone(), (Integer::from(1) << modulus) - root], modulus)
        }
    };
    roots.into_iter().map(|root| Residues { residue: root << j, modulus: modulus + j }).collect()
}

/// An n with `0 < n < 2^(k−1)` and `n² ≡ odd` modulo 2^k, of a number that is 1 modulo 8, k at
/// least 3.
fn odd_root(odd: &Integer, k: u32) -> Integer {
    let mut root = Integer::from(1);
    for bits in 3..k {
        // root² ≡ odd modulo 2^bits; with 2^(bits−1) added to it the next bit of root² changes
        let next = Integer::from(root.square_ref()) - odd;
        if next.get_bit(bits) {
            root.set_bit(bits - 1, true);
        }
    }
    debug_assert!((Integer::from(root.square_ref()) - odd).is_divisible_2pow(k));
    root
}

impl Residues {
    /// Those from `first` to `last`.
    fn between<'a>(&self, first: &Integer, last: &'a Integer) -> impl Iterator<Item = Integer> + use<'a> {
        let step = Integer::from(1) << self.modulus;
        let after = Integer::from(&self.residue - first).rem_euc(step.clone());
        let mut next = first + after;
        iter::from_fn(move || {
            let found = (next <= *last).then(|| next.clone());
            next += &step;
            found
        })
    }

    /// How many there are.
    fn count(&self, first: &Integer, last: &Integer) -> Integer {
        let upto = |end: Integer| (end - &self.residue).div_floor(Integer::from(1) << self.modulus);
        upto(last.clone()) - upto(first - Integer::from(1))
    }
}

impl CongruenceVia {
    /// The congruences of a range, if the function is √x, and they find all of its cases there in
    /// less than a moment.
    pub(crate) fn of(function: &dyn Function, problem: &Problem, range: &ArgumentRange) -> Option<Self> {
        if !function.is_square_root() || range.first() < 1 || range.count() == 0 {
            return None;
        }
        let (first, last) = (range.argument(0), range.argument(range.count() - 1));
        // results from 2^binade on, and below 2^(binade + 1)
        let binade = first.log2_floor()?.div_euclid(2);
        let format = problem.results();
        if last.log2_floor()?.div_euclid(2) != binade
            || !(format.min_exponent()..=format.max_exponent()).contains(&binade)
        {
            return None;
        }
        let spacing = format.ulp_exponent(binade) - 1;
        let modulus = u32::try_from(range.exponent() - 2 * spacing).ok().filter(|modulus| *modulus > 0)?;
        // T
        let top = u32::try_from(binade + 1 - spacing).ok()?;
        let reach = (top + 2).saturating_sub(problem.extra_bits());
        // a D that 2^K divides would have as many M as 0 has
        let is_quick = reach < modulus && top + reach < modulus + MOST_PAIRS && reach < MOST_PAIRS;
        is_quick.then(|| Self { modulus, remainders: (1 << reach) - 1, spacing })
    }

    /// X of a range's first and last argument.
    fn ends(range: &ArgumentRange) -> [Integer; 2] {
        let first = Integer::from(range.first());
        let last = first.clone() + (range.count() - 1);
        [first, last]
    }

    /// Numbers have an even M, midpoints an odd one.
    fn is_asked(problem: &Problem, root: &Integer) -> bool {
        match problem.breakpoints() {
            Breakpoints::All => true,
            Breakpoints::Directed => root.is_even(),
            Breakpoints::Nearest => root.is_odd(),
        }
    }

    /// X of all pairs of a D in the range, in any order, more than once perhaps.
    fn arguments(&self, problem: &Problem, range: &ArgumentRange, remainder: i64) -> Vec<Integer> {
        let [first, last] = Self::ends(range);
        let d = Integer::from(remainder);
        // M² = X·2^K + D
        let bounds =
            [&first, &last].map(|x| (Integer::from(x << self.modulus) + &d).max(Integer::new()).sqrt());
        let [from, to] = bounds;
        let mut found = Vec::new();
        for residues in square_roots(&d, self.modulus) {
            for root in residues.between(&from, &to).filter(|root| Self::is_asked(problem, root)) {
                let x: Integer = (Integer::from(root.square_ref()) - &d) >> self.modulus;
                if first <= x && x <= last {
                    found.push(x);
                }
            }
        }
        found
    }

    /// How many exact cases the range has: of an even M, as 2^⌈K/2⌉ divides it.
    fn exact_count(&self, problem: &Problem, range: &ArgumentRange) -> u64 {
        if problem.breakpoints() == Breakpoints::Nearest {
            return 0;
        }
        let [first, last] = Self::ends(range);
        // the least M with M² ≥ X·2^K, and the greatest with M² ≤ it
        let from = (Integer::from(&first << self.modulus) - 1u32).sqrt() + 1u32;
        let to = Integer::from(&last << self.modulus).sqrt();
        let residues = square_roots(&Integer::new(), self.modulus);
        // squares are no more than arguments
        residues
            .iter()
            .map(|residues| residues.count(&from, &to))
            .sum::<Integer>()
            .to_u64()
            .unwrap_or(u64::MAX)
    }

    /// Whether the exact cases of the range are listed: else they are only counted.
    fn lists_exact(&self, problem: &Problem, range: &ArgumentRange) -> bool {
        self.exact_count(problem, range) <= MOST_EXACT as u64
    }

    /// All cases, and the exact ones or their number.
    pub(crate) fn run(
        &self,
        function: &dyn Function,
        problem: &Problem,
        range: &ArgumentRange,
        observer: &dyn Observer,
        interrupt: &Interrupt,
    ) -> Result<Outcome, DriverError> {
        let started = Instant::now();
        let mut outcome = Outcome::new(range.count().into(), iter::empty());
        let most = self.remainders as i64; // below 2^20
        let mut found = Vec::new();
        for remainder in -most..=most {
            if interrupt.is_requested() {
                return Ok(outcome);
            }
            if remainder != 0 || self.lists_exact(problem, range) {
                found.extend(self.arguments(problem, range, remainder));
            }
        }
        found.sort_unstable();
        found.dedup();
        let mut verdicts: Vec<Verdict> = Vec::with_capacity(found.len());
        for x in found {
            if interrupt.is_requested() {
                return Ok(outcome);
            }
            let index = (x - range.first()).to_u64().unwrap_or(0); // of the range
            verdicts.push(confirm(function, problem, range.argument(index))?);
        }
        outcome.add(range.count(), Findings::of(verdicts));
        if !self.lists_exact(problem, range) {
            outcome.exact_count = self.exact_count(problem, range);
            // as if they had been looked at, too
            let Phase { domains_in, domains_out, arguments_in, .. } = &mut outcome.confirm;
            for count in [domains_in, domains_out, arguments_in] {
                *count += outcome.exact_count;
            }
        }
        outcome.sort();
        outcome.elapsed = started.elapsed();
        let (searched, arguments) = (outcome.searched, outcome.arguments);
        observer.progress(Progress { searched, arguments, cases: outcome.cases.len() });
        Ok(outcome)
    }

    /// Pairs that are looked at in a range, about.
    pub(crate) fn pairs(&self, range: &ArgumentRange) -> f64 {
        let modulus = f64::from(self.modulus).exp2();
        let [from, to] = Self::ends(range).map(|x| (x.to_f64() * modulus).sqrt());
        4.0 * (self.remainders as f64 + 1.0) * (1.0 + (to - from) / modulus)
    }
}
