//! [`TwoLevels`]: tables of the engines that search many domains at once, in SIMD lanes or in the
//! invocations of a GPU.
//!
//! `|x| ≤ N/2` counts arguments from a domain's *center*. Per run and lane there is one curvature c
//! and one `κ = c·N²/8`.
//!
//! # What is neglected
//!
//! Two levels of difference tables give a domain's β, `−R`, and slope `R'` at its center: an
//! *inner* table in the lane, 64 bits, one step per domain, of degree 3 (betas) and 2 or 1
//! (slopes); its entry `l` at the start of a run, `Δ^l`, comes from an *outer* table, 128 bits, one
//! step per run, of a degree chosen below. An error in entry `l` at the start of a run is
//! multiplied by `w_l = C(ν − 1, l)` at its end, and for slopes by N/2 at the domain's end.
//!
//! Let `B_m ≥ |R^(m)/m!|` over all arguments touched, R being the polynomial with the coefficients
//! that are used.
//!
//! * *tables*: per entry `w_l·2^-64` for the inner table's bits and
//!   `w_l·Σ_{m ≤ d} C(runs − 1, m)·2^-128` for the outer table's. c is half the second difference
//!   at the start of the run over N²: it differs from a domain's by at most `3·B_3·(ν + 2)·N`,
//!   times `N²/4`; an error of the difference itself counts 1/8 there, and less than 1/16 in a
//!   sub-domain's chord, which is added to its `w_2`;
//! * *dropped*: terms above `x²`, `Σ_{m ≥ 3} B_m·(N/2)^m`; inner differences above the degree, and
//!   outer ones: entry `l` drops `w_l·Σ_{m > d} C(runs − 1, m)·(νN)^m·N^l·(l + m)!·B_{l+m}` (mean
//!   value theorem for differences, twice; Theorem R.4 of `proofs/Taylor.v`, Theorem T.6 of
//!   `proofs/Tables.v` for the two levels, Theorem R.6 for what value, slope and c make of a
//!   domain);
//! * *linear*: κ, by the largest `|c|` over the *piece*: see below;
//! * *refined*: the same for an eighth of a domain, `n = ⌈N/8⌉`, whose chord bends by the run's c:
//!   `|c|·n²/8`;
//! * *quantization*: what an engine does with the tables' values, its own matter.
//!
//! That these lines add up, for acceptance and for the boxes' height, is Theorem B.8 of
//! `proofs/Budget.v` (Theorem B.6 and Theorem B.7), whose formulas are those of [`budget`]. What it
//! is made of: a table mod 1 is Theorem B.1, entries of inner tables Theorem B.2, values at centers
//! Theorem B.3, and the run's c Theorem B.4.
//!
//! A second difference of slopes that is much less than 2^-64 is better left out: to keep it costs
//! `C(ν − 1, 2)·2^-64·N/2` of *tables*, to leave it out `C(ν − 1, 2)·N²·3!·B_3·N/2` of *dropped*.
//! An engine that asks for it ([`PartitionRequest::may_be_straight`]) gets what neglects less: in
//! x87, whose N is 2^21 and more, the one keeps runs to 64 domains, and the other does not.
//!
//! # Where domains and runs reach beyond the piece
//!
//! A run's c comes from a second difference, the mean of `R''/2` about a place up to two domains
//! after the run's first center. That place, and the center of the last domain itself, may lie
//! beyond the piece's end, where `|R''/2|` may be more than C, the bound over the piece
//! (`PartitionRequest::most`). Centers of domains that hold an argument of the piece are less than
//! N/2 beyond it.
//!
//! Let `c_i` be `R''/2` at the center of such a domain and c that of its run, without the errors of
//! table entries. Then `|c_i| ≤ C + 3·B_3·N/2`, and with `D = max(ν − 1, 2)·N`, the longest way
//! between the two places, `|c − c_i| ≤ 3·B_3·D`. For `|x| ≤ N/2` the line at `κ = c·N²/8` is off
//! the parabola of the domain itself by
//!
//! > `|κ − c_i·x²| = |c_i·(N²/8 − x²) + (c − c_i)·N²/8| ≤ C·N²/8 + 3·B_3·(N/2 + D)·N²/8`
//!
//! and *linear* + *tables* have `C·N²/8 + 3·B_3·(ν + 2)·N·N²/4` for it, which is more, as
//! `N/2 + D ≤ 2·(ν + 2)·N`. An error e of the second difference itself moves κ by e/16; the budget
//! has 3e/16. The chord of a sub-domain bends by the run's `|c| ≤ C + 3·B_3·(N/2 + D)`, and
//! `N/2 + D ≤ (ν + 2)·N`. So κ and chords of all domains that hold an argument are within the
//! half-widths, whether or not `|c| ≤ C` holds for their runs.
//!
//! # How slopes move
//!
//! Where `c ≥ 0` over the piece, slopes of consecutive domains grow; the tabulated ones may fall
//! behind and, now and then, step back: the tables lag, bits are dropped, and slopes that are
//! straight in a run end beside where the next one begins.
//! [`Partition::slope_step`] bounds how far they move either way.

use tmd_difftable::{Upper, bounds};

use super::{Partition, SUBDOMAINS, Unfit, least_degree};
use crate::{ErrorBudget, Piece};

/// Longest run.
const LONGEST_RUN: u64 = 1024;

/// Entries of the inner table of betas, Δ^0 to Δ^3.
pub const BETAS: usize = 4;

/// Entries of the inner table of slopes, Δ^0 to Δ^2. In lists of all entries they come after the
/// betas'.
pub const SLOPES: usize = 3;

/// What the outer tables drop aims at this share of what the half-width is anyway. A choice of
/// speed.
const SHARE: f64 = 1.0 / 16.0;

/// A part whose tables cost more than this share of a domain's time in points is cut. A choice of
/// speed.
const LAG: f64 = 0.1;

/// Nanoseconds to start a run in all lanes.
const RESTART: f64 = 400.0;

/// The tables of all lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLevels {
    /// whether the tables follow `−R`
    pub negated: bool,
    /// entries of the inner table of slopes: [`SLOPES`], or one less, the last one being 0
    pub slopes: usize,
    /// degrees of the outer tables: of the betas' entries, then of the slopes'
    pub degrees: [usize; BETAS + SLOPES],
    /// what the outer tables neglect, in spacings of breakpoints; it grows with the runs per lane
    pub outer: Upper,
}

/// What an engine asks of a partition.
#[derive(Clone, Copy, Debug)]
pub struct PartitionRequest {
    /// N, even
    pub domain: u64,
    /// bound of `|c|` over the piece, in spacings per squared argument
    pub most: Upper,
    /// whether the tables are to follow `−R`
    pub negated: bool,
    /// whether slopes may grow by the same step all over a run, where that neglects less
    pub may_be_straight: bool,
    /// what the engine neglects beside the tables, in spacings
    pub quantization: Upper,
    /// nanoseconds per domain, roughly
    pub time: f64,
    /// nanoseconds per argument within the half-width of acceptance, roughly
    pub point: f64,
}

impl Partition<TwoLevels> {
    /// Cuts `piece` for `lanes` lanes, into runs of the cheapest length.
    ///
    /// # Errors
    /// [`Unfit::PieceTooLong`].
    pub fn new(piece: &Piece, lanes: u64, request: PartitionRequest) -> Result<Self, Unfit> {
        let domains = piece.arguments().div_ceil(request.domain);
        // a lane is filled up with whole runs: shorter runs waste less
        let longest = (domains / (16 * lanes)).next_power_of_two().clamp(1, LONGEST_RUN);
        let partition = Self::cheapest(longest, RESTART / lanes as f64, request, |run| {
            Self::with_run(piece, lanes, run, request)
        });
        if partition.lags(request) { Err(Unfit::PieceTooLong) } else { Ok(partition) }
    }

    /// The cheapest of the partitions `of_run(ν)`, ν from `longest` down: starting runs again and
    /// again, at `restart` nanoseconds each over all lanes, against the points in the window that
    /// longer runs make wider.
    pub fn cheapest(
        longest: u64,
        restart: f64,
        request: PartitionRequest,
        of_run: impl Fn(u64) -> Self,
    ) -> Self {
        let cost = |partition: &Self| {
            let window = 2.0 * partition.budget.exhaust_half_width().get();
            restart / partition.run as f64 + window * request.domain as f64 * request.point
        };
        let mut best = of_run(longest);
        // while shorter ones are cheaper
        while best.run > 1 {
            let shorter = of_run((best.run / 4).max(1));
            if cost(&shorter) >= cost(&best) {
                break;
            }
            best = shorter;
        }
        best
    }

    /// Whether shorter parts would be cheaper: a wide window costs points, and what the outer
    /// tables add to it over many runs they do not in shorter parts.
    pub fn lags(&self, request: PartitionRequest) -> bool {
        self.runs > 1
            && 2.0 * self.tables.outer.get() * request.domain as f64 * request.point > LAG * request.time
    }

    /// Cuts `piece` for `lanes` lanes, into runs of `run` domains, whatever that costs.
    pub fn with_run(piece: &Piece, lanes: u64, run: u64, request: PartitionRequest) -> Self {
        let PartitionRequest { domain, most, negated, may_be_straight, quantization, .. } = request;
        let runs = piece.arguments().div_ceil(domain).div_ceil(run * lanes);
        let aim = (piece.half_width() + quantization) * Upper::new(SHARE);
        let neglected = |slopes| budget(piece, domain, run, runs, most, aim, slopes);
        let sum = |neglected: &Neglected| (neglected.budget.tables + neglected.budget.dropped).get();
        let (mut slopes, mut least) = (SLOPES, neglected(SLOPES));
        // in shorter runs second differences are of no use, and neglect nothing
        if may_be_straight && run > 2 {
            let straight = neglected(SLOPES - 1);
            if sum(&straight) < sum(&least) {
                (slopes, least) = (SLOPES - 1, straight);
            }
        }
        let Neglected { degrees, outer, budget } = least;
        let budget = ErrorBudget { quantization, ..budget };
        Self { domain, run, runs, tables: TwoLevels { negated, slopes, degrees, outer }, budget }
    }

    /// A bound of how far a tabulated slope is, after the engine's rounding, from that of the
    /// domain before, and of how far it is below that of *any* domain before, both of them domains
    /// of one lane that hold arguments of the piece; `most` is the request's bound of `|c|`, which
    /// is not negative.
    ///
    /// `2·most·N + (2/N)·(tables + 2·dropped + quantization)`: between the centers of neighbors, of
    /// which the last may be N/2 beyond the piece, the slope itself grows by at most
    /// `2·(most + 3·B_3·N/2)·N`, and falls, beyond the piece only, by at most `3·B_3·N²/4` in all.
    /// An error of slopes counts N/2 in the budget. What tables and rounding lose is lost in one
    /// direction, so that it counts once in the difference of two slopes; what is dropped has any
    /// sign, and counts twice. Of *tables* the share of the curvature, at least `9·B_3·N³/4`, is
    /// not about slopes: it is enough for the terms with `B_3`.
    pub fn slope_step(&self, most: Upper) -> Upper {
        let size = Upper::of_integer(self.domain);
        let ErrorBudget { tables, dropped, quantization, .. } = self.budget;
        let lost = tables + Upper::new(2.0) * dropped + quantization;
        Upper::new(2.0) * (most * size + lost * Upper::new((1.0 / self.domain as f64).next_up()))
    }
}

/// What tables neglect.
pub struct Neglected {
    /// Degrees of the outer tables.
    pub degrees: [usize; BETAS + SLOPES],
    /// The outer tables' share: it grows with the number of runs.
    outer: Upper,
    /// All of it, but for the engine's own *quantization*.
    pub budget: ErrorBudget,
}

/// The degrees of the outer tables and the error budget of `runs` runs of `run` domains of `n`
/// arguments per lane, with so many entries in the inner table of slopes.
pub fn budget(
    piece: &Piece,
    n: u64,
    run: u64,
    runs: u64,
    most: Upper,
    aim: Upper,
    slopes: usize,
) -> Neglected {
    debug_assert!((1..=SLOPES).contains(&slopes), "{slopes}");
    let steps = run - 1;
    let (size, half) = (Upper::of_integer(n), Upper::of_integer(n / 2));
    // the differences of the last run of a lane reach a little beyond the piece
    let touched = piece.derivatives(Upper::of_integer(run + 4) * size);
    let count = piece.polynomial().len();

    let mut degrees = [0; BETAS + SLOPES];
    let (mut tables, mut dropped, mut outer) = (Upper::ZERO, Upper::ZERO, Upper::ZERO);
    for (entry, degree) in degrees.iter_mut().enumerate().take(BETAS + slopes) {
        // entry l of the table of the derivative of order j
        let (l, j, factor) = if entry < BETAS { (entry, 0, Upper::ONE) } else { (entry - BETAS, 1, half) };
        // the second difference of the betas also makes c: divided by 2N², times (N/2)² and, in
        // chords, n²/8
        let makes_c = if entry == 2 { Upper::new(0.1875) } else { Upper::ZERO };
        let weight = factor * bounds::binomial(steps, l) + makes_c;
        let drop = |degree| {
            weight * size.power(l) * bounds::dropped_differences(&touched, l + j, degree, runs - 1, run * n)
        };
        let most = count.saturating_sub(l + j + 1);
        *degree = least_degree(most, aim.get() / 32.0, drop);
        dropped += drop(*degree);
        let lag = bounds::tabulation(*degree, runs - 1, 2);
        outer += drop(*degree) + weight * lag;
        tables += weight * (Upper::power_of_two(-64) + lag);
    }
    let third = touched.get(3).copied().unwrap_or(Upper::ZERO);
    let varies = Upper::new(3.0) * third * Upper::of_integer(run + 2) * size;
    let curvature = varies * half * half;
    let part = Upper::of_integer(n.div_ceil(SUBDOMAINS));
    let chord = |curvature: Upper, size: Upper| {
        curvature * size * size * Upper::new(0.125) + Upper::power_of_two(-60)
    };
    let terms: Upper = (3..touched.len()).map(|m| touched[m] * half.power(m)).sum();
    let inner = bounds::dropped_differences(&touched, 0, BETAS - 1, steps, n)
        + half * bounds::dropped_differences(&touched, 1, slopes - 1, steps, n);
    let budget = ErrorBudget {
        tables: tables + curvature,
        dropped: dropped + terms + inner,
        linear: chord(most, size),
        refined: chord(most + varies, part),
        ..ErrorBudget::of_piece(piece)
    };
    Neglected { degrees, outer, budget }
}
