//! [`measure()`]: every subject over the domains of a question, on all cores.

use rayon::prelude::*;
use serde::Serialize;
use tmd_core::{
    Piece,
    difftable::Upper,
    scalar::{self, generate::Generator},
    walk,
};

use super::{
    MeasuredInterval, Statistics, Subject,
    segments::Domains,
    subjects::{FAREY_WALK, crossings, trace_crossings},
    trace::{LANES, Trace},
};
use crate::ToolError;

/// Lanes per group: SSE or AVX2, AVX-512, half a warp, a warp, a wavefront.
pub const GROUPS: [usize; 5] = [4, 8, 16, 32, 64];

/// Which of the blocks of 64 consecutive domains are looked at, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Every how many-th block, from the first on; 1 is all of them.
    pub every: u64,
    /// Whether a test ends as soon as it cannot exclude a case, as in a search, or goes on until N
    /// points are placed.
    pub ends_early: bool,
}

impl Sample {
    /// Everything.
    pub const WHOLE: Self = Self { every: 1, ends_early: false };
    /// One block in 64.
    pub const QUICK: Self = Self { every: 64, ends_early: false };
}

/// What one subject did.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// Name of the test, or of the walk.
    pub name: &'static str,
    /// Arguments per domain; the last piece's for a walk, which chooses its own.
    pub domain: u64,
    /// Domains measured.
    pub domains: u64,
    /// Counts for the lanes of [`GROUPS`].
    pub groups: [Statistics; GROUPS.len()],
}

impl Measurement {
    fn new(name: &'static str, domain: u64) -> Self {
        Self { name, domain, domains: 0, groups: GROUPS.map(Statistics::new) }
    }

    /// The counts for groups of `lanes` lanes, if they are among [`GROUPS`].
    pub fn of(&self, lanes: usize) -> Option<&Statistics> {
        self.groups.iter().find(|statistics| statistics.lanes == lanes)
    }

    fn add(&mut self, trace: &Trace) {
        self.domains += LANES as u64;
        for statistics in &mut self.groups {
            statistics.add(trace);
        }
    }

    fn merge(mut self, other: &Self) -> Self {
        self.domains += other.domains;
        self.domain = other.domain;
        for (groups, others) in self.groups.iter_mut().zip(&other.groups) {
            groups.merge(others);
        }
        self
    }
}

/// Counts the turns of `subjects`, and of the Farey walk if asked, over the domains of the
/// question.
///
/// # Errors
/// If the question is wrong or its domains curve too much for an existence test. Pieces that a walk
/// cannot follow are left out of its counts; if they are all, so is the walk.
pub fn measure(
    question: &MeasuredInterval,
    subjects: &[Subject],
    with_walk: bool,
    sample: Sample,
) -> Result<Vec<Measurement>, ToolError> {
    let mut totals = empty(subjects, question);
    let mut walk: Option<Measurement> = None;
    for piece in question.pieces()? {
        if !subjects.is_empty() {
            totals = merge(totals, &tests(&piece, question, subjects, sample)?);
        }
        if with_walk && let Some(more) = walks(&piece, sample)? {
            walk = Some(walk.map_or_else(|| more.clone(), |walk| walk.merge(&more)));
        }
    }
    totals.extend(walk);
    Ok(totals)
}

fn empty(subjects: &[Subject], question: &MeasuredInterval) -> Vec<Measurement> {
    subjects.iter().map(|subject| Measurement::new(subject.name(), question.domain())).collect()
}

fn merge(totals: Vec<Measurement>, more: &[Measurement]) -> Vec<Measurement> {
    totals.into_iter().zip(more).map(|(total, more)| total.merge(more)).collect()
}

/// The existence tests over one piece.
fn tests(
    piece: &Piece,
    question: &MeasuredInterval,
    subjects: &[Subject],
    sample: Sample,
) -> Result<Vec<Measurement>, ToolError> {
    let domains = Domains::new(piece, question.domain_bits, question.from_end)?;
    let width = if sample.ends_early { domains.width() } else { 0 };
    let empty = || empty(subjects, question);
    let blocks = (domains.count / LANES as u64).div_ceil(sample.every);
    (0..blocks)
        .into_par_iter()
        .try_fold(
            || (empty(), Trace::default(), Vec::new(), Vec::new()),
            |(mut counts, mut trace, mut parabolas, mut segments), block| {
                let first = block * sample.every * LANES as u64;
                domains.segments(first, LANES as u64, &mut parabolas, &mut segments)?;
                for (subject, count) in subjects.iter().zip(&mut counts) {
                    subject.trace(&segments, width, &mut trace);
                    count.add(&trace);
                }
                Ok((counts, trace, parabolas, segments))
            },
        )
        .map(|folded| folded.map(|(counts, ..)| counts))
        .try_reduce(empty, |x, y| Ok(merge(x, &y)))
}

/// The Farey walk over one piece, with domains of its own plan; `None` if there is no plan, or if
/// the piece is too short for 64 lanes with a run of domains each.
fn walks(piece: &Piece, sample: Sample) -> Result<Option<Measurement>, ToolError> {
    // the costs of the lane-packed walk, which choose N (tmd-simd)
    let costs = walk::WalkCosts { domain: 2.0, dense: 100.0, point: 150.0, least: walk::MIN_DOMAIN };
    let Ok((plan, _)) = walk::request(piece, None, costs, |_, _| Upper::ZERO) else {
        return Ok(None);
    };
    let partition = scalar::partition(piece, Some(plan.domain))?;
    let domains = piece.arguments() / plan.domain;
    let steps = partition.run.min(domains / LANES as u64);
    if partition.domain != plan.domain || steps < 2 {
        return Ok(None);
    }
    let generator = Generator::new(piece, &partition);
    let empty = || Measurement::new(FAREY_WALK, plan.domain);
    let blocks = (domains / (steps * LANES as u64)).div_ceil(sample.every);
    (0..blocks)
        .into_par_iter()
        .map(|block| {
            let mut parabolas = Vec::new();
            let lanes = (0..LANES as u64).map(|lane| {
                let run = block * sample.every * LANES as u64 + lane;
                generator.run(run * steps..(run + 1) * steps, &mut parabolas);
                crossings(plan.order, plan.domain, &parabolas)
            });
            let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
            let (mut measurement, mut trace) = (empty(), Trace::default());
            for step in 0..steps as usize - 1 {
                trace_crossings(lanes.iter().map(|crossings| crossings[step]), &mut trace);
                measurement.add(&trace);
            }
            Ok(measurement)
        })
        .try_reduce(empty, |x, y| Ok(x.merge(&y)))
        .map(Some)
}
