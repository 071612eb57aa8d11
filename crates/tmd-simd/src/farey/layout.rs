//! How a piece is cut into lanes, runs and domains for the walk, and what that neglects.
//!
//! A *lane* owns consecutive runs, a *run* is ν consecutive domains of N arguments with one set of difference tables, and
//! `|x| ≤ N/2` counts arguments from a domain's center. Per run and lane there is one curvature c and one `κ = c·N²/8`.
//!
//! # What is neglected
//!
//! Two levels of difference tables give a domain's height `−R` and slope `R'` at its center: an *inner* table in the lane,
//! 64 bits, one step per domain, of degree 3 (heights) and 2 (slopes); its entry `l` at the start of a run, `Δ^l`, comes
//! from an *outer* table, 128 bits, one step per run, of a degree chosen below. An error in entry `l` at the start of a
//! run is multiplied by `w_l = C(ν − 1, l)` at its end, and for slopes by N/2 at the domain's end.
//!
//! Let `B_m ≥ |R^(m)/m!|` over all arguments touched.
//!
//! * *tables*: per entry `w_l·2^-64` for the inner table's bits and `w_l·Σ_{m ≤ d} C(runs − 1, m)·2^-128` for the outer
//!   table's. c is half the second difference at the start of the run over N²: it differs from a domain's by at most
//!   `3·B_3·(ν + 2)·N`, times `N²/4`; an error of the difference itself counts 1/8 there, which is added to its `w_2`;
//! * *dropped*: terms above `x²`, `Σ_{m ≥ 3} B_m·(N/2)^m`; inner differences above the degree, and outer ones: entry `l`
//!   drops `w_l·Σ_{m > d} C(runs − 1, m)·(νN)^m·N^l·(l + m)!·B_{l+m}` (mean value theorem for differences, twice);
//! * *line*: κ;
//! * *quantization*: the slope is used to 52 bits, `2^-52·N/2`; the height too, `2^-52`; κ to 64 bits (its error cancels
//!   in g, h covers it); `g` is formed with three roundings of quantities below `2κ + 2^-52·N < 1`: `3·2^-53`.

use tmd_core::{
    ErrorBudget, FareyPlan, Piece,
    difftable::{Upper, bounds},
    farey::FareyCosts,
};

/// Longest run.
const LONGEST_RUN: u64 = 1024;

/// Entries of the inner tables: heights, then slopes.
pub(super) const HEIGHTS: usize = 4;
pub(super) const SLOPES: usize = 3;

/// What the outer tables drop aims at this share of what the half-width is anyway. A choice of speed.
const SHARE: f64 = 1.0 / 16.0;

/// A part whose tables cost more than this share of a domain's time in points is cut. A choice of speed.
const LAG: f64 = 0.1;

/// Nanoseconds to start a run in all lanes.
const RESTART: f64 = 400.0;

/// What the parts of a walk cost on one core with eight lanes, in nanoseconds, roughly.
const COSTS: FareyCosts = FareyCosts { domain: 2.0, dense: 100.0, point: 150.0 };

/// Cut and budget of one part of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct FareyLayout {
    pub(super) plan: FareyPlan,
    /// ν
    pub(super) run: u64,
    /// runs per lane
    pub(super) runs: u64,
    /// whether c is negative: the walk then follows `−R`
    pub(super) negated: bool,
    /// degrees of the outer tables: of the heights' entries, then of the slopes'
    pub(super) degrees: [usize; HEIGHTS + SLOPES],
    pub(super) budget: ErrorBudget,
}

/// Why a piece cannot be walked as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The curvature changes sign, or might: shorter parts may do.
    Inflection,
    /// Too many runs for the tables: shorter parts will do.
    Long,
    /// The parabolas bend too much for domains of the smallest size; another engine is better.
    Bent,
}

impl FareyLayout {
    /// The layout of `piece` in `lanes` lanes, with domains of `domain` arguments or of the cheapest size.
    pub(super) fn new(piece: &Piece, lanes: u64, domain: Option<u64>) -> Result<Self, Unfit> {
        let half = Upper::of_integer(piece.center().max(piece.arguments() - piece.center()));
        let (lowest, highest) = curvature(piece, half).ok_or(Unfit::Bent)?;
        let negated = highest <= 0.0 && lowest < 0.0;
        if lowest < 0.0 && !negated {
            return Err(Unfit::Inflection);
        }
        let most = Upper::new(lowest.abs().max(highest));
        let acceptance = |n: u64| piece.half_width() + quantization(n);
        let plan = match domain {
            None => FareyPlan::cheapest(most, acceptance, piece.arguments(), COSTS),
            Some(n) => FareyPlan::of_domain(n, most, acceptance(n), COSTS),
        };
        let plan = plan.ok_or(Unfit::Bent)?;
        // slopes of neighboring domains must be less than 2^-13 apart
        if most.get() * 2.0 * plan.domain as f64 >= 2f64.powi(-14) {
            return Err(Unfit::Bent);
        }
        Self::with_plan(piece, lanes, plan, most, negated)
    }

    fn with_plan(
        piece: &Piece,
        lanes: u64,
        plan: FareyPlan,
        most: Upper,
        negated: bool,
    ) -> Result<Self, Unfit> {
        let n = plan.domain;
        let domains = piece.arguments().div_ceil(n);
        let aim = (piece.half_width() + quantization(n)) * Upper::new(SHARE);
        // a lane is filled up with whole runs: shorter runs waste less
        let longest = (domains / (16 * lanes)).next_power_of_two().clamp(1, LONGEST_RUN);
        let of_run = |run: u64| {
            let runs = domains.div_ceil(run * lanes);
            let (degrees, budget) = budget(piece, n, run, runs, most, aim);
            // starting a run again and again, against a wider window for the points
            let points = 2.0 * budget.exhaust_half_width().get() * n as f64 * COSTS.point;
            let cost = RESTART / (run * lanes) as f64 + points;
            (cost, Self { plan, run, runs, negated, degrees, budget })
        };
        // from the longest down, while shorter ones are cheaper
        let (mut best, mut layout) = of_run(longest);
        let mut run = longest;
        while run > 1 {
            run = (run / 4).max(1);
            let (cost, shorter) = of_run(run);
            if cost >= best {
                break;
            }
            (best, layout) = (cost, shorter);
        }
        // a wide window costs points; over many runs it is the outer tables that make it wide, in shorter parts they do not
        let tables = (layout.budget.tables + layout.budget.dropped).get();
        let lags = 2.0 * tables * n as f64 * COSTS.point > LAG * COSTS.domain;
        if lags && layout.runs > 1 { Err(Unfit::Long) } else { Ok(layout) }
    }
}

/// The range of the real curvature `R''/2` over a piece, or `None` if it is not known mod 1.
fn curvature(piece: &Piece, half: Upper) -> Option<(f64, f64)> {
    let Some(c) = piece.polynomial().coefficients().get(2) else { return Some((0.0, 0.0)) };
    // the residue mod 1 next to 0 is the coefficient itself
    if piece.magnitudes()[2].get() >= 0.5 {
        return None;
    }
    let center = c.high128() as i128 as f64 * 2f64.powi(-128);
    let varies: Upper = (3..piece.magnitudes().len())
        .map(|k| bounds::binomial(k as u64, 2) * piece.magnitudes()[k] * half.power(k - 2))
        .sum();
    // outward: the rounding of the center to 53 bits, of 128 bits, and of the sums
    let slack = center.abs() * 2f64.powi(-50);
    let varies = if varies == Upper::ZERO { 0.0 } else { varies.get() + slack + 2f64.powi(-127) };
    Some((center - varies, center + varies))
}

/// What 52 bits of slope and height neglect.
fn quantization(n: u64) -> Upper {
    (Upper::of_integer(n / 2) + Upper::new(4.0)) * Upper::power_of_two(-52)
}

/// The degrees of the outer tables and the error budget of `runs` runs of `run` domains of `n` arguments per lane.
pub(super) fn budget(
    piece: &Piece,
    n: u64,
    run: u64,
    runs: u64,
    most: Upper,
    aim: Upper,
) -> ([usize; HEIGHTS + SLOPES], ErrorBudget) {
    let steps = run - 1;
    let (size, half) = (Upper::of_integer(n), Upper::of_integer(n / 2));
    let farthest = Upper::of_integer(piece.center().max(piece.arguments() - piece.center()));
    // the differences of the last run of a lane reach a little beyond the piece
    let touched = farthest + Upper::of_integer(run + 4) * size;
    let touched = bounds::derivatives(piece.magnitudes(), touched);
    let count = piece.polynomial().len();

    let mut degrees = [0; HEIGHTS + SLOPES];
    let (mut tables, mut dropped) = (Upper::ZERO, Upper::ZERO);
    for (entry, degree) in degrees.iter_mut().enumerate() {
        // entry l of the table of the derivative of order j
        let (l, j, factor) =
            if entry < HEIGHTS { (entry, 0, Upper::ONE) } else { (entry - HEIGHTS, 1, half) };
        // the second difference of the heights also makes c: divided by 2N², times (N/2)²
        let makes_c = if entry == 2 { Upper::new(0.125) } else { Upper::ZERO };
        let weight = factor * bounds::binomial(steps, l) + makes_c;
        let drop = |degree| {
            weight * size.power(l) * bounds::dropped_differences(&touched, l + j, degree, runs - 1, run * n)
        };
        let most = count.saturating_sub(l + j + 1);
        *degree = (0..most).find(|&degree| drop(degree).get() <= aim.get() / 32.0).unwrap_or(most);
        dropped += drop(*degree);
        let lag = bounds::tabulation(*degree, runs - 1, 2);
        tables += weight * (Upper::power_of_two(-64) + lag);
    }
    let third = touched.get(3).copied().unwrap_or(Upper::ZERO);
    let curvature = Upper::new(3.0) * third * Upper::of_integer(run + 2) * size * half * half;
    let terms: Upper = (3..touched.len()).map(|m| touched[m] * half.power(m)).sum();
    let inner = bounds::dropped_differences(&touched, 0, HEIGHTS - 1, steps, n)
        + half * bounds::dropped_differences(&touched, 1, SLOPES - 1, steps, n);
    let budget = ErrorBudget {
        tolerance: piece.tolerance(),
        taylor: piece.taylor(),
        coefficients: piece.coefficients(),
        tables: tables + curvature,
        dropped: dropped + terms + inner,
        linear: most * size * size * Upper::new(0.125) + Upper::power_of_two(-60),
        refined: Upper::ZERO,
        quantization: quantization(n),
    };
    (degrees, budget)
}
