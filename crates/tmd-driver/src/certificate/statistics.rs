//! Are the numbers of cases what chance would make them?
//!
//! If results fell evenly between breakpoints, a search of n arguments would find a number of cases
//! with Poisson's law, of mean `n·2^(1+s−m)`
//! ([`Breakpoints::expected_cases`](tmd_core::Breakpoints::expected_cases)). Where the function is
//! flat, neighbors fall next to each other: a breakpoint has `2ε/a` cases or none, if results move
//! by a ulps from argument to argument, and it is these clusters that Poisson's law counts. That is
//! no theorem, but a list far from it was cut, or its function has a reason: a number that is less
//! likely than one in 10^9 calls for a look.
//!
//! What follows from other arguments is counted, too, binade by binade: a plan that lets arguments
//! follow from others that were never searched loses cases that no search misses. Where a function
//! has a period, its results repeat from integer to integer, and the copies are one cluster.
//!
//! One such reason is known. Near 0, exp(x) is `1 + x + x²/2` but for less than ε: with
//! `x = j·2^-53 + …` the cases are where `j²`, and not some random number, is next to a multiple of
//! a power of two, and `j = 2^k·i` are all among them. Of regions that begin where f is so near to
//! a polynomial with dyadic coefficients, chance is not asked.
//!
//! Binades of what follows may each have too few cases to be believed, and enough to be possible:
//! [`together`](super::together) asks of all of them.

use std::collections::BTreeMap;

use rug::{Float, Rational, ops::Pow};
use serde::Serialize;
use tmd_core::{Number, Problem, difftable::power_of_two};
use tmd_functions::{Function, Interval, parse_number, symmetry::Translation};

use super::{Certificate, ClassRecord, RegionRecord, number_from};
use crate::{
    DriverError,
    coverage::ranges_of,
    interval::{argument, floor_log2, power_of_two as power},
    regions::negated,
};

/// Precision in bits at which slopes are taken.
const PRECISION: u32 = 96;

/// Degree of the polynomials with dyadic coefficients that are looked for.
const MOST_DEGREE: usize = 8;

/// Cases in one region that was searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BinadeCounts {
    /// The region's first argument.
    pub first: String,
    /// Its last.
    pub last: String,
    /// Cases expected.
    pub expected: f64,
    /// Cases found.
    pub found: u64,
    /// Cases that come together where there are any, at least 1; from the slope in the middle.
    pub cluster: f64,
    /// Probability of a number of clusters at least as far from the expected one, on its side; at
    /// most 1.
    pub probability: f64,
    /// Whether arithmetic, and not chance, says how many there are: f begins there as a polynomial
    /// with dyadic coefficients.
    pub is_arithmetic: bool,
}

/// Probability below which a number of cases is called unlikely, for all regions together.
pub(super) const UNLIKELY: f64 = 1e-9;

impl Certificate {
    /// The numbers of cases, region by region.
    ///
    /// # Errors
    /// If the certificate names no breakpoints.
    pub fn counts(&self, function: &dyn Function) -> Result<Vec<BinadeCounts>, DriverError> {
        let problem = self.problem()?;
        // cases, and arguments that were searched
        let sums = self.found_by_region()?;
        let searched =
            self.regions.iter().zip(sums).filter(|(region, _)| region.class == ClassRecord::Searched);
        let counts = searched
            .map(|(region, (found, done))| BinadeCounts::new(function, &problem, region, found, done));
        Ok(counts.collect())
    }

    /// The numbers of cases of all arguments that are covered: of regions that were searched, and
    /// binade by binade of those whose cases follow from them. Nothing but the list and the rules
    /// is counted, whatever argument they should follow from.
    ///
    /// # Errors
    /// If the certificate names no breakpoints, or numbers that are none.
    pub fn all_counts(&self, function: &dyn Function) -> Result<Vec<BinadeCounts>, DriverError> {
        let mut counts = self.counts(function)?;
        counts.extend(self.followed_counts(function)?.into_iter().map(|followed| followed.counts));
        Ok(counts)
    }

    /// Those of what follows alone.
    pub(super) fn followed_counts(
        &self,
        function: &dyn Function,
    ) -> Result<Vec<FollowedCounts>, DriverError> {
        let problem = self.problem()?;
        let format = problem.arguments();
        // by sign and exponent; the subnormal numbers together
        let mut binades = BTreeMap::<(bool, i32), Followed>::new();
        let key = |x: Number| {
            let exponent = x.log2_floor().map(|exponent| exponent.max(format.min_exponent()));
            exponent.map(|exponent| (x < Number::ZERO, exponent))
        };
        let is_followed = |region: &RegionRecord| {
            matches!(region.class, ClassRecord::Mirrored { .. } | ClassRecord::Translated { .. })
        };
        let mut ends = Vec::with_capacity(self.regions.len());
        for region in &self.regions {
            ends.push(number_from(&region.last, format)?);
            if is_followed(region) {
                for range in ranges_of(region, format)? {
                    if let Some(key) = key(range.argument(range.count() / 2)) {
                        let followed = binades.entry(key).or_default();
                        followed.arguments += u128::from(range.count());
                        let (first, last) = (range.argument(0), range.argument(range.count() - 1));
                        let hull = followed.hull.get_or_insert((first, last));
                        *hull = (hull.0.min(first), hull.1.max(last));
                    }
                }
            }
        }
        for case in &self.cases {
            let x = number_from(&case.x, format)?;
            let region = self.regions.get(ends.partition_point(|last| *last < x));
            if let (true, Some(key)) = (region.is_some_and(is_followed), key(x)) {
                binades.entry(key).or_default().found += 1;
            }
        }
        for rule in &self.rules {
            for (is_negative, exponent, count) in rule.by_binades()? {
                let key = (is_negative, exponent.max(format.min_exponent()));
                let found = &mut binades.entry(key).or_default().found;
                *found = found.saturating_add(count);
            }
        }
        let mut counts = Vec::new();
        for ((is_negative, exponent), Followed { found, arguments, hull }) in binades {
            // of what is covered: f may be another one in the rest of the binade
            let (first, last) = hull.unwrap_or_else(|| {
                let least =
                    if exponent == format.min_exponent() { format.ulp_exponent(exponent) } else { exponent };
                let (first, last) = (
                    Number::new(1, least),
                    Number::new((1 << format.precision()) - 1, format.ulp_exponent(exponent)),
                );
                if is_negative { (negated(last), negated(first)) } else { (first, last) }
            });
            let region = RegionRecord {
                first: first.to_string(),
                last: last.to_string(),
                arguments,
                class: ClassRecord::Searched,
                units: None,
                with: None,
            };
            let of_binade = BinadeCounts::new(function, &problem, &region, found, arguments);
            counts.push(FollowedCounts { exponent, counts: of_binade });
        }
        Ok(counts)
    }
}

/// What follows in a binade: cases, arguments, and the first and the last of them.
#[derive(Default)]
struct Followed {
    found: u64,
    arguments: u128,
    hull: Option<(Number, Number)>,
}

/// Cases in a binade of what follows.
pub(super) struct FollowedCounts {
    pub(super) exponent: i32,
    pub(super) counts: BinadeCounts,
}

impl BinadeCounts {
    /// What is said of so many cases among so many arguments of a region.
    fn new(
        function: &dyn Function,
        problem: &Problem,
        region: &RegionRecord,
        found: u64,
        arguments: u128,
    ) -> Self {
        let expected = problem.breakpoints().expected_cases(arguments as f64, problem.extra_bits());
        let cluster = cluster(function, problem, region).unwrap_or(1.0) * copies(function, region);
        // whole clusters, towards the mean
        let clusters = found as f64 / cluster;
        let clusters = if found as f64 > expected { clusters.floor() } else { clusters.ceil() };
        let is_arithmetic = is_dyadic(function, problem, region).unwrap_or(false)
            || is_exact(function, problem, region).unwrap_or(false);
        Self {
            first: region.first.clone(),
            last: region.last.clone(),
            expected,
            found,
            cluster,
            probability: tail(expected / cluster, clusters as u64),
            is_arithmetic,
        }
    }
}

/// How often each result of a region is repeated in it, but for signs and powers of two: once for
/// each integer, of a function that has a period, and once more if it is even or odd.
fn copies(function: &dyn Function, region: &RegionRecord) -> f64 {
    let is_periodic =
        matches!(function.translation(), Some(Translation::Sign { .. } | Translation::Scaling { .. }));
    let ends = [&region.first, &region.last].map(|end| parse_number(end).ok());
    let [Some(first), Some(last)] = ends else { return 1.0 };
    let integers = (last - first).to_f64();
    if !is_periodic || integers < 0.4 {
        return 1.0;
    }
    integers.max(1.0) * if function.parity().is_some() { 2.0 } else { 1.0 }
}

/// Whether f has breakpoints' values at three neighbors in the middle of a region, as x itself has:
/// then it has them everywhere.
fn is_exact(function: &dyn Function, problem: &Problem, region: &RegionRecord) -> Option<bool> {
    let format = problem.arguments();
    let ends = [&region.first, &region.last].map(|end| parse_number(end).ok());
    let [Some(first), Some(last)] = ends else { return None };
    let middle = (first + last) / 2u32;
    let spacing = power(format.ulp_exponent(floor_log2(&middle)?));
    let index = Rational::from((middle / &spacing).floor_ref());
    // not where all numbers have few bits
    let is_even = Rational::from(&index / 2u32).is_integer();
    let index = if is_even { index + 1u32 } else { index };
    Some((0..3u32).all(|step| {
        let x = Rational::from(&index + 2 * step) * &spacing;
        function.exact(&x).is_some_and(|value| argument(&value, format).is_ok())
    }))
}

/// Arguments within ε of a breakpoint, if one is: `2ε` over the slope in ulps per argument, by its
/// value in the middle.
fn cluster(function: &dyn Function, problem: &Problem, region: &RegionRecord) -> Option<f64> {
    let format = problem.arguments();
    let exact = |text: &str| parse_number(text).ok();
    let middle = (exact(&region.first)? + exact(&region.last)?) / 2u32;
    let at = Interval::from_rational(&middle, PRECISION).ok()?;
    let series = function.series(&at, 1, PRECISION).ok()?;
    let [value, slope] = [0, 1].map(|k| series.coefficients().get(k).map(Interval::midpoint));
    let (value, slope) = (value?, slope?);
    // MPFR: 2^(e−1) ≤ |value| < 2^e
    let ulp_of = |exponent: i32| format.ulp_exponent(exponent);
    let spacing = ulp_of(floor_log2(&middle)?);
    let ulps = (slope.abs() << (spacing - ulp_of(value.get_exp()? - 1))).to_f64();
    let cluster = 2.0 * power_of_two(-(problem.extra_bits() as i32)) / ulps;
    cluster.is_finite().then(|| cluster.max(1.0))
}

/// Whether f, where the region begins (at its end next to 0), is within 2ε ulp of its Taylor
/// polynomial at 0 up to the last coefficient before one that no double-length number is: `None` if
/// there is no such polynomial. The value at 0 may be any number: acos(x) is `π/2 − x` but for less
/// than ε, and passes all breakpoints, which are dyadic, at the same distance. A line does so even
/// where more than ε is missing, as long as it is less than f's step from argument to argument.
fn is_dyadic(function: &dyn Function, problem: &Problem, region: &RegionRecord) -> Option<bool> {
    let zero = Interval::zero(PRECISION).ok()?;
    let series = function.series(&zero, MOST_DEGREE, PRECISION).ok()?;
    // MPFR's enclosure of anything else has two ends
    let degree = 1 + series.coefficients().iter().skip(1).take_while(|c| c.is_point()).count();
    let ends = [&region.first, &region.last].map(|end| parse_number(end).ok());
    let [Some(first), Some(last)] = ends else { return None };
    let (first_size, last_size) = (Rational::from(first.abs_ref()), Rational::from(last.abs_ref()));
    let near = if first_size < last_size { &first } else { &last };
    let x = Interval::from_rational(near, PRECISION).ok()?;
    let value = function.series(&x, 0, PRECISION).ok()?.coefficient(0)?.midpoint();
    let ulp = problem.arguments().ulp_exponent(value.get_exp()? - 1);
    let rest = function.series(&x.hull(&zero), degree, PRECISION).ok()?;
    let rest = rest.coefficient(degree)?.mag() * x.mag().pow(degree as u32);
    let is_line = (2..degree).all(|k| series.coefficients().get(k).is_some_and(|c| c.mag().is_zero()));
    let slope = series.coefficient(1)?.mag();
    let spacing = problem.arguments().ulp_exponent(floor_log2(near)?);
    let is_within_a_step = is_line && rest < Float::with_val(PRECISION, &slope) << spacing;
    Some(is_within_a_step || rest < Float::with_val(PRECISION, 2) << (ulp - problem.extra_bits() as i32))
}

/// The counts that chance alone would hardly bring about, given how many there are, and that are
/// too small: cases may be missing there.
pub fn unlikely(counts: &[BinadeCounts]) -> Vec<&BinadeCounts> {
    far_from_chance(counts).filter(|count| (count.found as f64) < count.expected).collect()
}

/// The counts that chance alone would hardly bring about, and that are too large. Nothing can be
/// wrong with them, as each case is confirmed: the function is nearly rational there.
pub fn abundant(counts: &[BinadeCounts]) -> Vec<&BinadeCounts> {
    far_from_chance(counts).filter(|count| (count.found as f64) > count.expected).collect()
}

fn far_from_chance(counts: &[BinadeCounts]) -> impl Iterator<Item = &BinadeCounts> {
    let is_far = |count: &&BinadeCounts| count.probability * (counts.len() as f64) < UNLIKELY;
    counts.iter().filter(|count| !count.is_arithmetic).filter(is_far)
}

/// Numbers up to which a tail is summed term by term; there are some square roots of it.
const MOST_SUMMED: u64 = 1 << 32;

/// Probability that a variable of Poisson's law with this mean is at least as far out as `found`:
/// at least `found` if that is above the mean, else at most `found`. Beyond [`MOST_SUMMED`], more
/// than any list holds, it is Chernoff's bound of it.
fn tail(mean: f64, found: u64) -> f64 {
    if mean <= 0.0 {
        return if found == 0 { 1.0 } else { 0.0 };
    }
    if found > MOST_SUMMED || mean > MOST_SUMMED as f64 {
        let (k, excess) = (found as f64, (found as f64 - mean) / mean);
        // (e λ/k)^k e^-λ, of which next to the mean nothing must cancel
        let log = if excess.abs() < 0.5 {
            mean * (excess - (1.0 + excess) * excess.ln_1p())
        } else if found == 0 {
            -mean
        } else {
            k - mean - k * (k.ln() - mean.ln())
        };
        // an infinite mean: nothing that was found is likely
        return if log.is_nan() { 0.0 } else { log.exp().min(1.0) };
    }
    // log of the probability of exactly k, from which the tail is summed outward: its terms
    // decrease
    let log_mean = Float::with_val(PRECISION, mean).ln();
    let log_factorial = Float::with_val(PRECISION, found + 1).ln_gamma();
    let mut term = (found * log_mean - mean - log_factorial).exp().to_f64();
    let (mut sum, mut k) = (0.0, found as f64);
    let is_above = k > mean;
    while term > sum * 1e-17 && k >= 0.0 {
        sum += term;
        if is_above {
            k += 1.0;
            term *= mean / k;
        } else {
            term *= k / mean;
            k -= 1.0;
        }
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{BinadeCounts, abundant, tail, unlikely};

    /// Too few cases are an alarm, too many are a remark; neither where arithmetic says how many
    /// there are.
    #[test]
    fn what_chance_does_not_bring_about() {
        let count = |expected: f64, found: u64, is_arithmetic: bool| BinadeCounts {
            first: "0x1p+0".into(),
            last: "0x1.8p+0".into(),
            expected,
            found,
            cluster: 1.0,
            probability: tail(expected, found),
            is_arithmetic,
        };
        let counts = [
            count(100.0, 101, false),
            count(100.0, 0, false),
            count(16.0, 100, false),
            count(100.0, 0, true),
        ];
        assert_eq!(unlikely(&counts), [&counts[1]]);
        assert_eq!(abundant(&counts), [&counts[2]]);
    }

    #[test]
    fn tails_of_poissons_law() {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.max(1e-300) + 1e-15;
        // e^-2 and its sums, by hand
        let e2 = (-2f64).exp();
        assert!(close(tail(2.0, 0), e2));
        assert!(close(tail(2.0, 1), 3.0 * e2));
        assert!(close(tail(2.0, 2), 5.0 * e2));
        assert!(close(tail(2.0, 3), 1.0 - 5.0 * e2));
        assert!(close(tail(2.0, 4), 1.0 - (5.0 + 4.0 / 3.0) * e2));
        assert!(close(tail(0.0, 0), 1.0) && close(tail(0.0, 1), 0.0));
        // a tenth missing of 10,000 is ten standard deviations, 2^-75 or so
        assert!(tail(1e4, 9000) < 1e-22 && tail(1e4, 9000) > 1e-26, "{}", tail(1e4, 9000));
        assert!(tail(1e4, 9950) > 0.3 && tail(1e4, 10_050) > 0.3);
    }

    /// Numbers that only a forger writes take no longer, and are no likelier.
    #[test]
    fn tails_of_numbers_that_nobody_counts() {
        assert!(tail(1e9, 1_000_000_000) > 0.49 && tail(1e9, 1_000_400_000) < 1e-30);
        // seven standard deviations, on either side of where sums end: e^-24.5 and a factor of 1/17
        // or so
        let (below, above) = ((1u64 << 32) - 1, (1u64 << 32) + 1);
        let seven = |mean: f64| mean - 7.0 * mean.sqrt();
        let (summed, bound) = (tail(seven(below as f64), below), tail(seven(above as f64), above));
        assert!(
            summed > 1e-12 && summed < 2e-12 && bound > summed && bound < 20.0 * summed,
            "{summed:e}, {bound:e}"
        );
        for (mean, found) in [(1e19, u64::MAX), (1.0, u64::MAX), (1e-300, 1 << 33), (f64::INFINITY, 7)] {
            assert_eq!(tail(mean, found), 0.0, "{mean}, {found}");
        }
        // far below the mean
        for found in [0, 1, 5, 200, 1 << 20, 1 << 40] {
            assert_eq!(tail(1e19, found), 0.0, "{found}");
        }
        assert!(tail(1e18, 1_000_000_000_000_000_000) == 1.0);
    }
}
