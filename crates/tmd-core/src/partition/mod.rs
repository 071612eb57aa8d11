//! [`Partition`]: how a piece is divided into lanes, runs and domains, and what that neglects.
//! Every engine asks for one.
//!
//! A *domain* is N consecutive arguments with one parabola, a *run* is ν consecutive domains with
//! one set of difference tables, a *lane* owns consecutive runs. Where the tables start and how
//! precise they are is `T`:
//!
//! * [`TwoLevels`] (lanes, GPUs): tables about the domains' centers, 64 bits in a run and 128 bits
//!   from run to run, for any number of lanes;
//! * [`OneLevel`] (scalar engines, one lane): rows at the domains' first arguments, in up to 192
//!   bits within a run, each run shifted from the piece itself. It takes any N and any curvature,
//!   so it is what is left for pieces that the others refuse.
//!
//! What is common is here: which domain is where, the bounds that a budget starts from
//! ([`ErrorBudget::of_piece`], [`Piece::derivatives`]), the choice of degrees, the soundness of
//! chords ([`Chords`]); and [`subdivide`] for pieces that do not fit as they are.
//!
//! Both kinds of tables lose by the same three theorems (bits: Theorem T.2, differences above the
//! degree: Theorem R.5, terms above `x²`); they differ in the weights, `C(N − 1, j)` at a domain's
//! end for rows, powers of N/2 about its center. Sums: Theorem B.8 of `proofs/Budget.v` for
//! [`TwoLevels`], Corollary P.13 and Lemma P.15 of the same chapter for [`OneLevel`].
//!
//! * [`one_level`], [`two_levels`]: the tables, and the lines of their budgets;
//! * [`rows`]: the entries of two levels of tables from run to run, exactly;
//! * [`chords`]: when a line may stand for a domain;
//! * [`subdivide`]: pieces that do not fit as they are.

pub mod chords;
pub mod one_level;
pub mod rows;
pub mod subdivide;
pub mod two_levels;

use core::ops::Range;

use tmd_difftable::{Upper, bounds, power_of_two};

use crate::{ErrorBudget, Piece, PiecePlan};
pub use chords::{Chords, Curvature};
pub use one_level::{OneLevel, ROWS};
pub use rows::RunRows;
pub use two_levels::{BETAS, Neglected, PartitionRequest, SLOPES, TwoLevels, budget};

/// Sub-domains into which phase 2 splits a failing domain (the papers' 8).
pub const SUBDOMAINS: u64 = 8;

/// Partition and budget of a piece, with tables of kind `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partition<T = TwoLevels> {
    /// Arguments per domain, N.
    pub domain: u64,
    /// Domains per run, ν.
    pub run: u64,
    /// Runs per lane.
    pub runs: u64,
    /// The tables.
    pub tables: T,
    /// What all of that neglects.
    pub budget: ErrorBudget,
}

/// Why a piece cannot be searched in lanes as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The curvature changes sign, or might, which the walk cannot follow: shorter parts may do.
    Inflection,
    /// Too many runs for the tables: shorter parts will do.
    PieceTooLong,
    /// The parabolas bend too much for domains of the smallest size, or too little for an engine
    /// that lives by it; another engine is better.
    CurvatureTooLarge,
}

impl<T> Partition<T> {
    /// Number of domains of the piece; the last one may be shorter.
    pub const fn domains(&self, piece: &Piece) -> u64 {
        piece.arguments().div_ceil(self.domain)
    }

    /// The arguments of a domain that are arguments of the piece; none beyond it.
    pub fn arguments(&self, piece: &Piece, domain: u64) -> Range<u64> {
        let end = |domain: u64| domain.saturating_mul(self.domain).min(piece.arguments());
        end(domain)..end(domain.saturating_add(1))
    }

    /// The plan of a search of the piece with this partition, by walks of this order, at `cost`
    /// nanoseconds an argument; whose engine it is, is left out.
    pub fn plan(&self, piece: &Piece, order: Option<u64>, cost: f64) -> PiecePlan {
        let (domain_size, run, budget) = (self.domain, self.run, self.budget);
        let seconds = cost * piece.arguments() as f64 * 1e-9;
        PiecePlan { engine: String::new(), domain_size, run, order, seconds, budget }
    }

    /// The number of the domain at this step of a lane's run; it may lie beyond the piece.
    pub const fn place(&self, lane: usize, run: u64, step: u32) -> u64 {
        (lane as u64 * self.runs + run) * self.run + step as u64
    }

    /// The first argument of the domain at this step of a lane's run; `None` beyond the piece,
    /// where the last lanes go on.
    pub fn first_argument(&self, piece: &Piece, lane: usize, run: u64, step: u32) -> Option<u64> {
        self.place(lane, run, step).checked_mul(self.domain).filter(|&k| k < piece.arguments())
    }

    /// How many domains of a lane's run hold arguments of the piece.
    pub fn steps_inside(&self, piece: &Piece, lane: usize, run: u64) -> u64 {
        self.domains(piece).saturating_sub(self.place(lane, run, 0)).min(self.run)
    }

    /// The domains of each run in order, if there is one lane.
    pub fn runs_of_one_lane(&self, piece: &Piece) -> impl Iterator<Item = Range<u64>> + use<T> {
        let (domains, run) = (self.domains(piece), self.run);
        (0..domains).step_by(run as usize).map(move |first| first..first.saturating_add(run).min(domains))
    }
}

/// The least degree up to `most` of a table that drops no more than `aim`; else `most`.
fn least_degree(most: usize, aim: f64, dropped: impl Fn(usize) -> Upper) -> usize {
    (0..most).find(|&degree| dropped(degree).get() <= aim).unwrap_or(most)
}

/// The range of the real curvature `R''/2` over a piece, or `None` if it is not known mod 1.
///
/// Where `R''` varies the ends are rounded outward. Where it does not, both are `c_2` to 128 bits
/// and then to the 53 of an `f64`, and so `|c|·N²/8` may be too small by `2^-128·N²/8` and a
/// relative 2^-53: the budget's *linear* has 2^-60 for that, and three products that are each
/// rounded up by a relative 2^-54 or more. The signs are right: a sum or a difference of two floats
/// has the sign of the exact one.
pub fn curvature(piece: &Piece) -> Option<(f64, f64)> {
    let half = piece.radius();
    let Some(c) = piece.polynomial().coefficients().get(2) else { return Some((0.0, 0.0)) };
    // the residue mod 1 next to 0 is the coefficient itself
    if piece.magnitudes()[2].get() >= 0.5 {
        return None;
    }
    let center = c.high128() as i128 as f64 * power_of_two(-128);
    let varies: Upper = (3..piece.magnitudes().len())
        .map(|k| bounds::binomial(k as u64, 2) * piece.magnitudes()[k] * half.power(k - 2))
        .sum();
    // outward: the rounding of the center to 53 bits, of 128 bits, and of the sums
    let slack = center.abs() * power_of_two(-50);
    let varies = if varies == Upper::ZERO { 0.0 } else { varies.get() + slack + power_of_two(-127) };
    Some((center - varies, center + varies))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_difftable::{Fixed, Polynomial};

    /// Domains tile the piece, in lanes and in one lane alike, and no lane's run has more of them
    /// inside than it says.
    #[test]
    fn every_argument_is_in_one_domain() {
        for arguments in [1, 2, 63, 64, 65, 1000, 4097] {
            let polynomial = Polynomial::new(vec![Fixed::ZERO]);
            let zero = Upper::ZERO;
            let piece = Piece::new(polynomial, vec![zero], arguments, 0, Upper::power_of_two(-9), zero, zero);
            let piece = piece.unwrap();
            for (domain, run, lanes) in [(1, 1, 1), (2, 3, 4), (64, 1, 8), (64, 512, 8), (10, 7, 1)] {
                let runs = arguments.div_ceil(domain).div_ceil(run * lanes);
                let partition = Partition { domain, run, runs, tables: (), budget: ErrorBudget::default() };
                let mut next = 0;
                for (lane, run) in (0..lanes as usize).flat_map(|lane| (0..runs).map(move |run| (lane, run)))
                {
                    let inside = partition.steps_inside(&piece, lane, run);
                    for step in 0..partition.run as u32 {
                        let first = partition.first_argument(&piece, lane, run, step);
                        assert_eq!(first.is_some(), u64::from(step) < inside, "{partition:?}");
                        let held = partition.arguments(&piece, partition.place(lane, run, step));
                        assert!(first.is_none_or(|first| first == held.start));
                        assert_eq!((held.is_empty(), held.start), (first.is_none(), next));
                        next = held.end;
                    }
                }
                assert_eq!(next, arguments, "{partition:?}");
                let runs: Vec<_> = partition.runs_of_one_lane(&piece).collect();
                assert!(runs.windows(2).all(|two| two[0].end == two[1].start));
                assert!(runs.iter().all(|run| (1..=partition.run).contains(&(run.end - run.start))));
                assert_eq!((runs[0].start, runs[runs.len() - 1].end), (0, partition.domains(&piece)));
            }
        }
    }
}
