//! Logarithms and their relatives, whose families are arguments of all exponents that share a
//! significand: the arguments of some exponents, one sweep for each binade of results.

use rug::{Integer, Rational};
use tmd_core::{
    ArgumentRange, Interrupt, Number, Problem,
    difftable::power_of_two as power,
    lattice3::{MAX_SPANS, Model, Span},
};
use tmd_functions::{Family, Repetition, Scale};

use super::{
    FamilyOutcome, FamilySearch, SMALL, Told,
    indices::{across, bits},
    sweep::{Scaling, Sweep},
};
use crate::{DriverError, interval::power_of_two, regions::translate::holds};

impl FamilySearch<'_> {
    /// Searches all arguments with `2^e ≤ x < 2^(e+1)`, `first ≤ e ≤ last`, of a logarithm.
    ///
    /// What has exponent 0 or −1 is [left](FamilyOutcome::left): next to 1 results have all
    /// exponents, and arguments few.
    ///
    /// # Errors
    /// [`DriverError::Family`] for other functions, [`DriverError::Binades`] for exponents that the
    /// format does not have.
    pub fn run_exponents(
        &self,
        first: i32,
        last: i32,
        interrupt: &Interrupt,
    ) -> Result<FamilyOutcome, DriverError> {
        let format = self.problem.arguments();
        if first > last || first < format.min_exponent() || last > format.max_exponent() {
            let (lowest, end) = (format.min_exponent(), format.max_exponent() + 1);
            return Err(DriverError::Binades { binades: first..last + 1, format, lowest, end });
        }
        self.run_doubling(&[(first, last)], None, &|_, _| {}, interrupt)
    }

    /// Searches the arguments of these exponents, first and last; of these ranges only, if there
    /// are some.
    pub(super) fn run_doubling(
        &self,
        exponents: &[(i32, i32)],
        asked: Option<&[ArgumentRange]>,
        told: &Told,
        interrupt: &Interrupt,
    ) -> Result<FamilyOutcome, DriverError> {
        if self.family.repetition() != Repetition::Doubling {
            return Err(self.refuse("its families are of one exponent"));
        }
        let format = self.problem.arguments();
        let precision = format.precision();
        let mut outcome = FamilyOutcome::default();
        let all = || exponents.iter().flat_map(|&(first, last)| first..=last);
        outcome.left.extend(
            all().filter(|&e| !self.has_exponent(e)).map(|e| {
                ArgumentRange::new(1 << (precision - 1), format.ulp_exponent(e), 1 << (precision - 1))
            }),
        );
        // what is near no logarithm has no place in its windows
        let near: Vec<(i32, i32)> = exponents
            .iter()
            .filter(|_| self.family.is_relative())
            .filter_map(|&(first, last)| Some(((first..=last).find(|&e| self.has_exponent(e))?, last)))
            .collect();
        let exponents = if self.family.is_relative() { &near } else { exponents };
        if exponents.is_empty() {
            return Ok(outcome);
        }
        self.with_doubling(exponents, asked, |sweeps| {
            for sweep in sweeps {
                let half = Integer::from(1) << (sweep.model.angle_bits - 1);
                let (from, to) = self.clipped(sweep, &half, &Integer::from(&half * 2u32));
                if from < to {
                    outcome.add(self.sweep(sweep, &from, &to, told, interrupt)?);
                }
            }
            Ok::<_, DriverError>(())
        })??;
        // a logarithm has no zero and no pole among its significands
        self.conclude(outcome, std::iter::empty(), interrupt)
    }

    /// The sweeps of the arguments of some exponents, or of these ranges of them in increasing
    /// order, one for each group of binades of results.
    pub(super) fn with_doubling<R>(
        &self,
        exponents: &[(i32, i32)],
        asked: Option<&[ArgumentRange]>,
        job: impl FnOnce(&[Sweep]) -> R,
    ) -> Result<R, DriverError> {
        let precision = self.problem.arguments().precision();
        // b·x = 2^i·t with 1/2 ≤ t < 1 and b = 2^k, so i = e + k + 1
        let more = i128::from(self.family.factor().1) + 1;
        let indices: Vec<(i128, i128)> = exponents
            .iter()
            .map(|&(first, last)| (i128::from(first) + more, i128::from(last) + more))
            .collect();
        let index_bits = indices.iter().map(|&(a, b)| bits(a).max(bits(b))).max().unwrap_or(0);
        let angle_bits = self.angle_bits(precision);
        let log2_period = angle_bits - precision;
        let model = Model { angle_bits, alpha: tmd_core::lattice3::Wide::ZERO, log2_period };
        let argument = |index: i128, angle: tmd_core::lattice3::Wide| {
            // the angle is a multiple of 2^-precision
            let significand = (angle >> log2_period).to_i128()?;
            // the last window may end beyond the significands
            if bits(significand) != precision {
                return None;
            }
            let exponent = i32::try_from(index - more).ok()?;
            let x = Number::new(significand, exponent + 1 - precision as i32);
            // a span that reaches across 0 has exponents that are left
            (self.has_exponent(exponent) && asked.is_none_or(|ranges| holds_one(ranges, x))).then_some(x)
        };
        // Theorem S.23 of proofs/Families.v
        if self.binades > 1 && self.problem.breakpoints().is_shifted() {
            return Err(self.refuse("midpoints of a binade of results are none of those below"));
        }
        let sweeps = self.logarithm_binades(&indices, index_bits)?.into_iter().map(
            |Binades { least: binade, more, spans }| {
                // t ≥ 1/2
                let least = spans.iter().map(|span| span.first).min().unwrap_or_default() - 1;
                let least = i32::try_from(least).map_or_else(|_| Rational::new(), power_of_two);
                let perturbation = self.family.perturbation(&least).ok_or_else(|| self.refuse(SMALL))?;
                let scale = self.scale(binade, index_bits, perturbation);
                // ε of the largest results, in units of the least
                let scale = Scale { tolerance: scale.tolerance * f64::from(1u32 << more), ..scale };
                Ok(Sweep {
                    search: self,
                    model,
                    alpha: Integer::new(),
                    spans,
                    scaling: Scaling::Fixed(scale),
                    index_bits,
                    argument: &argument,
                    perturbation,
                })
            },
        );
        let sweeps: Vec<Sweep> = sweeps.collect::<Result<_, DriverError>>()?;
        Ok(job(&sweeps))
    }

    /// Whether arguments with this exponent are searched as a logarithm's: not those next to 1,
    /// where results have all exponents, and not where a relative is too far from the logarithm.
    pub(super) fn has_exponent(&self, exponent: i32) -> bool {
        let exponent = exponent + self.family.factor().1;
        if (-1..=0).contains(&exponent) {
            return false;
        }
        // |log y| of y ≥ 2^e is more than e/4; m times that is in a higher binade, by ⌊log2 m⌋, and m·δ
        // is larger by less than 2^(⌊log2 m⌋ + 1)
        let binade = 29 - exponent.unsigned_abs().leading_zeros() as i32;
        let more = u32::from(self.family.multiplier() != 1);
        !self.family.is_relative()
            || exponent > 0 && power_of_two(exponent) >= self.family.least(self.wanted(binade) + more)
    }

    /// The binades of |log x| over these indices, first and last, in groups of at most so many as
    /// are searched together.
    fn logarithm_binades(
        &self,
        indices: &[(i128, i128)],
        index_bits: u32,
    ) -> Result<Vec<Binades>, DriverError> {
        let period = self.family.period(256)?;
        let period = period.midpoint().to_rational().unwrap_or_default() * self.family.multiplier();
        // |m·log x| of index i is between (|i| − 1)·m·L and (|i| + 1)·m·L
        let most = indices.iter().map(|&(first, last)| first.abs().max(last.abs())).max().unwrap_or(0) + 1;
        let top = crate::interval::floor_log2(&(Rational::from(most) * &period)).unwrap_or(0) + 1;
        // exponents −1 and 0 are left, so that |m·log x| ≥ m·L
        let bottom = crate::interval::floor_log2(&period).unwrap_or(0);
        let spans = |binade: i32, more: i32| -> Vec<Span> {
            // outward by one, for the rounding of L and for the significand
            let near = power_of_two(binade) / &period;
            let far = (near.clone() << (more + 1)).ceil().into_numer_denom().0.to_i128_wrapping() + 2;
            let near = near.floor().into_numer_denom().0.to_i128_wrapping() - 2;
            let both = indices.iter().flat_map(|&(first, last)| {
                let above = (near.max(2).max(first), far.min(last));
                let below = ((-far).max(first), (-near).min(-1).min(last));
                [above, below].into_iter().filter(|(first, last)| first <= last)
            });
            let span = |(first, last)| Span { first, last, is_mirrored: false };
            match across(both.clone()) {
                Some(hull) if more > 0 => vec![span(hull)],
                _ => both.map(span).collect(),
            }
        };
        let mut found = Vec::new();
        let mut greatest = top;
        while greatest >= bottom {
            if spans(greatest, 0).is_empty() {
                greatest -= 1;
                continue;
            }
            // the largest group in whose windows ε is small, from the largest results down
            let group =
                |more: i32| Binades { least: greatest - more, more, spans: spans(greatest - more, more) };
            let most = (self.binades.max(1) as i32 - 1).min(greatest - bottom);
            let largest = (1..=most).rev().map(group).find(|group| self.is_fine(group, index_bits));
            let group = largest.unwrap_or_else(|| group(0));
            if group.spans.len() > MAX_SPANS {
                return Err(self.refuse("they are in too many ranges"));
            }
            greatest = group.least - 1;
            found.push(group);
        }
        Ok(found)
    }

    /// Whether ε of a group's largest results is small beside the height of its windows, which is
    /// least at t = 1, so that lanes can do with it (Lemma L.15 of docs/proofs/lattice3.md).
    fn is_fine(&self, Binades { least, more, spans }: &Binades, index_bits: u32) -> bool {
        #[cfg(test)]
        if tests::ANY_HEIGHT.get() {
            return true;
        }
        let scale = self.scale(*least, index_bits, 0.0);
        let half_of = spans.iter().map(|span| span.last - span.first + 1).max().unwrap_or(0) as f64 / 2.0;
        let points = self.engine.volume(spans.len()) * power(-(self.problem.arguments().precision() as i32));
        let curvature = self.family.curvature(1.0) * power(scale.log2);
        let half = (points / (2.0 * half_of * curvature)).cbrt();
        let height = points / (8.0 * half_of * half);
        half_of > 0.0 && scale.tolerance * power(*more) <= SMALL_SHARE * height
    }
}

/// Share of a window's height that ε is at most in a group: three quarters of what lanes have for
/// it.
const SMALL_SHARE: f64 = 0.75 / 8192.0;

/// Binades of results from the least on, and the spans where results may lie in one of them.
struct Binades {
    /// `2^least ≤ |f|`
    least: i32,
    /// and so many more binades
    more: i32,
    spans: Vec<Span>,
}

/// Binades of results that are searched together, at most: as many as binades of arguments are
/// (`solve::join`), as the product of the indices and of the curvature in the units of the least
/// results grows alike.
const TOGETHER: u32 = 4;

/// So many, for a family and a problem: one where breakpoints are midpoints alone.
pub(super) fn together(family: Family, problem: &Problem) -> u32 {
    let is_possible = family.repetition() == Repetition::Doubling && !problem.breakpoints().is_shifted();
    if is_possible { TOGETHER } else { 1 }
}

/// Whether one of these ranges, which are in increasing order, has a number.
pub(super) fn holds_one(ranges: &[ArgumentRange], x: Number) -> bool {
    let after = ranges.partition_point(|range| range.argument(0) <= x);
    after.checked_sub(1).is_some_and(|index| holds(&ranges[index], x))
}

#[cfg(test)]
pub(super) mod tests {
    std::thread_local! {
        /// Whether groups are as large as they may be: no small format has windows that are high
        /// enough, and the lists do not depend on it.
        pub(crate) static ANY_HEIGHT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
}
