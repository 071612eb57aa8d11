//! The papers' three phases in lanes: an existence test of every domain, a refined one of the
//! sub-domains of those that fail, and tabulated differences over what fails again. The SIMD study
//! of 2016 redone, beside the Farey walk.
//!
//! 1. *test*: each lane owns consecutive domains, whose segments come from its difference tables;
//! 2. *refine*: the 8 sub-domains of failing domains, packed into lanes;
//! 3. *exhaust*: blocks of a failing sub-domain in 32 bits, then the stretches of those that are
//!    left, one per lane.
//!
//! A hit is accepted by the polynomial's exact value, so that what is returned does not depend on
//! the test.
//!
//! * [`layout`]: N, lanes, runs and the error budget; [`domain`]: a domain's parabola, its segments
//!   and stretches;
//! * [`kernel`]: runs and batches of segments, for any test; [`regular`], [`lefevre`]: the tests;
//!   [`exhaustive`]: phase 3.
//!
//! Source: 2016 SIMD paper, algorithms 1 to 3; docs/proofs/phases.md (Lemmas E.22 to E.24).
//! Deviations: the segment is the chord lowered to the middle, and every width comes from the error
//! budget; lanes are filled with neighboring domains, whose quotients are alike.

mod domain;
mod exhaustive;
mod kernel;
mod layout;
mod lefevre;
mod regular;
#[cfg(test)]
mod tests;

use std::{ops::Range, time::Instant};

use tmd_core::{
    Candidates, CoreError, Interrupt, Phases, Piece, PieceOutcome, PiecePlan, Window,
    coarse::{BLOCK, Coarse, MOST_BLOCKS},
    difftable::Upper,
    exist::Logms,
    partition::Unfit,
};

use crate::SimdEngine;
use crate::division::{Division, Hybrid, Reciprocal};
use crate::lanes::{Lanes, MAX_LANES};
use crate::tables::LaneTables;
use domain::{Chords, Parabola};
use exhaustive::{Coarsely, Hit, Stretches, Tabulate};
use kernel::{Failing, TestBounds, Tests, UNIT};
use layout::{Costs, ExistenceLayout};
use lefevre::{Masked, Swap};
use regular::{Regular, Retested};

/// What an engine's test costs; `None` if phase 3 is made of every domain.
const fn costs(engine: SimdEngine) -> Option<Costs> {
    match engine {
        SimdEngine::Regular | SimdEngine::RegularTrimmed => Some(Costs { test: 8.0, points: 3.0 }),
        SimdEngine::Lefevre | SimdEngine::LefevreSwap => Some(Costs { test: 24.0, points: 3.0 }),
        SimdEngine::Exhaustive | SimdEngine::Farey | SimdEngine::Arcs => None,
    }
}

/// Searches a whole piece, or says why it cannot be done in lanes.
pub(crate) fn search<L: Lanes>(
    lanes: L,
    engine: SimdEngine,
    logms: Logms,
    piece: &Piece,
    domain: Option<u64>,
    interrupt: &Interrupt,
) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
    let layout = ExistenceLayout::new(piece, L::WIDTH as u64, costs(engine), domain)?;
    if logms == Logms::INSTRUCTION {
        search_by(lanes, engine, Reciprocal, piece, layout, interrupt)
    } else {
        search_by(lanes, engine, Hybrid::new(logms), piece, layout, interrupt)
    }
}

/// The same with quotients of one kind.
fn search_by<L: Lanes, D: Division>(
    lanes: L,
    engine: SimdEngine,
    division: D,
    piece: &Piece,
    layout: ExistenceLayout,
    interrupt: &Interrupt,
) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
    let test: Option<&dyn Tests<L>> = match engine {
        SimdEngine::Regular => Some(&Regular(division)),
        SimdEngine::RegularTrimmed => Some(&Retested(division)),
        SimdEngine::Lefevre => Some(&Masked(division)),
        SimdEngine::LefevreSwap => Some(&Swap(division)),
        SimdEngine::Exhaustive | SimdEngine::Farey | SimdEngine::Arcs => None,
    };
    search_with(lanes, test, piece, layout, interrupt)
}

fn search_with<L: Lanes>(
    lanes: L,
    test: Option<&dyn Tests<L>>,
    piece: &Piece,
    layout: ExistenceLayout,
    interrupt: &Interrupt,
) -> Result<Result<PieceOutcome, CoreError>, Unfit> {
    let (candidates, tabulated) = prepared(piece, &layout)?;
    let budget = &layout.partition.budget;
    let search = Search {
        lanes,
        test,
        piece,
        layout,
        domains: Phase::new(layout.partition.domain, budget.test_half_width()),
        parts: Phase::new(layout.part, budget.refine_half_width()),
        candidates,
        tabulated,
        hits: Vec::new(),
        outcome: PieceOutcome::default(),
    };
    Ok(search.run(interrupt))
}

/// No candidates yet, and the window of what tabulation lets pass.
fn prepared<'a>(piece: &'a Piece, layout: &ExistenceLayout) -> Result<(Candidates<'a>, Window), Unfit> {
    let tabulated = Window::new(layout.partition.budget.exhaust_half_width());
    Candidates::new(piece).zip(tabulated).ok_or(Unfit::CurvatureTooLarge)
}

/// How a piece would be searched.
pub(crate) fn plan(
    piece: &Piece,
    lanes: u64,
    engine: SimdEngine,
    domain: Option<u64>,
) -> Result<PiecePlan, Unfit> {
    let layout = ExistenceLayout::new(piece, lanes, costs(engine), domain)?;
    prepared(piece, &layout)?;
    Ok(layout.partition.plan(piece, None, layout.cost))
}

/// What a phase asks of its segments.
#[derive(Clone, Copy, Debug)]
struct Phase {
    bounds: TestBounds,
    /// by how much the segments are raised, in units of 2^-64
    half_width: u64,
}

impl Phase {
    /// A case is within `half_width` below 1/4 of an integer on its segment; raised by that, it is
    /// no higher than twice.
    fn new(arguments: u64, half_width: Upper) -> Self {
        let units = (half_width.get() / UNIT).ceil();
        let bounds = TestBounds { arguments: arguments as f64, beyond: (2.0 * units + 1.0) * UNIT };
        Self { bounds, half_width: (units as u64) << 12 }
    }
}

/// A domain, or a part of one, that failed its test.
struct Suspect {
    /// number of the domain's first argument within the piece
    domain: u64,
    /// first argument of the part within the domain
    start: u64,
    parabola: Parabola,
}

/// A piece being searched.
struct Search<'a, L> {
    lanes: L,
    /// `None` searches exhaustively
    test: Option<&'a dyn Tests<L>>,
    piece: &'a Piece,
    layout: ExistenceLayout,
    domains: Phase,
    parts: Phase,
    candidates: Candidates<'a>,
    /// of the tabulated values
    tabulated: Window,
    hits: Vec<Hit>,
    outcome: PieceOutcome,
}

impl<L: Lanes> Search<'_, L> {
    fn run(mut self, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let partition = self.layout.partition;
        let started = Instant::now();
        let mut outer = LaneTables::new(self.piece, &partition, L::WIDTH);
        self.outcome.phases.generate.time += started.elapsed();
        for run in 0..partition.runs {
            interrupt.check()?;
            let started = Instant::now();
            let chords = Chords::new(&outer.inner(), partition.domain / 2);
            outer.step();
            let generated = Instant::now();
            let failing = self.test(run, &chords);
            let tested = Instant::now();
            let refined = self.refine(failing);
            let finished = Instant::now();
            for suspect in &refined {
                self.exhaust(suspect)?;
            }
            let phases = &mut self.outcome.phases;
            phases.generate.time += generated - started;
            phases.test.time += tested - generated;
            phases.refine.time += finished - tested;
            phases.exhaust.time += finished.elapsed();
        }
        let Self { mut outcome, piece, candidates, .. } = self;
        outcome.candidates = candidates.into_sorted();
        let Phases { generate, test, exhaust, .. } = &mut outcome.phases;
        let domains = partition.domains(piece);
        (generate.domains_in, generate.domains_out, generate.arguments_in) =
            (domains, domains, piece.arguments());
        if self.test.is_some() {
            (test.domains_in, test.arguments_in) = (domains, piece.arguments());
        }
        exhaust.domains_out = outcome.candidates.len() as u64;
        (outcome.budget, outcome.domain_size) = (partition.budget, partition.domain);
        Ok(outcome)
    }

    /// Phase 1: the domains of a run that may hold a case.
    fn test(&mut self, run: u64, chords: &Chords) -> Vec<Suspect> {
        let partition = &self.layout.partition;
        let mut failing = Vec::new();
        if let Some(test) = self.test {
            let Phase { bounds, half_width } = &self.domains;
            let (tables, steps) = (&chords.segments(*half_width), partition.run as u32);
            test.run(self.lanes, bounds, tables, steps, &mut failing);
        } else {
            let lanes = 0..L::WIDTH as u32;
            failing.extend(
                lanes.flat_map(|lane| (0..partition.run as u32).map(move |step| Failing { step, lane })),
            );
        }
        let suspects = failing.into_iter().filter_map(|Failing { step, lane }| {
            let lane = lane as usize;
            let domain = partition.first_argument(self.piece, lane, run, step)?;
            Some(Suspect { domain, start: 0, parabola: chords.parabola(lane, step) })
        });
        let suspects: Vec<_> = suspects.collect();
        if self.test.is_some() {
            self.outcome.phases.test.domains_out += suspects.len() as u64;
        }
        suspects
    }

    /// Phase 2: the parts of failing domains that fail again.
    fn refine(&mut self, domains: Vec<Suspect>) -> Vec<Suspect> {
        let Some(test) = self.test else { return domains };
        let (size, part) = (self.layout.partition.domain, self.layout.part);
        let parts = size.div_ceil(part) as usize;
        let Phase { bounds, half_width } = &self.parts;
        // number i is part i mod `parts` of domain i/parts, in row i/WIDTH
        let mut rows = vec![([0; MAX_LANES], [0; MAX_LANES]); (domains.len() * parts).div_ceil(L::WIDTH)];
        for (i, suspect) in domains.iter().enumerate() {
            let mut number = i * parts;
            suspect.parabola.segments(part, parts, *half_width, |a, b| {
                let (row_a, row_b) = &mut rows[number / L::WIDTH];
                (row_a[number % L::WIDTH], row_b[number % L::WIDTH]) = (a, b);
                number += 1;
            });
        }
        let mut failing = Vec::new();
        test.batch(self.lanes, bounds, &rows, &mut failing);
        let numbers = failing.iter().map(|place| place.step as usize * L::WIDTH + place.lane as usize);
        let suspects = numbers.filter_map(|i| {
            let start = (i % parts) as u64 * part;
            // the last row may not be full, and the last domain may reach beyond the piece
            let domain =
                domains.get(i / parts).filter(|domain| domain.domain + start < self.piece.arguments())?;
            Some(Suspect { start, ..*domain })
        });
        let refined: Vec<_> = suspects.collect();
        let phase = &mut self.outcome.phases.refine;
        let entered = (domains.len() * parts) as u64;
        phase.domains_in += entered;
        phase.domains_out += refined.len() as u64;
        phase.arguments_in += entered * part;
        refined
    }

    /// Phase 3: the candidates of a part.
    fn exhaust(&mut self, suspect: &Suspect) -> Result<(), CoreError> {
        let Suspect { domain, start, parabola } = suspect;
        let end =
            (start + self.layout.part).min(self.layout.partition.domain).min(self.piece.arguments() - domain);
        let curvature = parabola.second_difference() as i64;
        // one more, as it is rounded
        match Coarse::new(self.tabulated.half(), curvature.unsigned_abs() + 1) {
            Some(coarse) => {
                let packet = u64::from(MOST_BLOCKS) * BLOCK;
                for first in (*start..end).step_by(packet as usize) {
                    // the value is off by less than 2^12 units of 2^-64 (`layout`), the differences
                    // by 2 and by 1/2: over 2^14 arguments less than 2^12 + 2^15 + 2^26
                    let start = [parabola.value(first), parabola.difference(first), curvature as u64];
                    let blocks = (end - first).min(packet).div_ceil(BLOCK) as u32;
                    let mut suspects = self.lanes.run(Coarsely { coarse, start, blocks });
                    while suspects != 0 {
                        let block = first + u64::from(suspects.trailing_zeros()) * BLOCK;
                        self.tabulate(*domain, parabola, block..(block + BLOCK).min(end))?;
                        suspects &= suspects - 1;
                    }
                }
            }
            None => self.tabulate(*domain, parabola, *start..end)?,
        }
        let phase = &mut self.outcome.phases.exhaust;
        phase.domains_in += 1;
        phase.arguments_in += end - start;
        Ok(())
    }

    /// The candidates among arguments of a domain.
    fn tabulate(&mut self, domain: u64, parabola: &Parabola, arguments: Range<u64>) -> Result<(), CoreError> {
        let Range { start, end } = arguments;
        let width = (exhaustive::VECTORS * L::WIDTH) as u64;
        let stretch = (end - start).div_ceil(width).min(self.layout.stretch);
        for first in (start..end).step_by((width * stretch) as usize) {
            let mut stretches = Stretches {
                values: [[0; MAX_LANES]; exhaustive::VECTORS],
                differences: [[0; MAX_LANES]; exhaustive::VECTORS],
                second: parabola.second_difference(),
            };
            for vector in 0..exhaustive::VECTORS {
                for lane in 0..L::WIDTH {
                    let y = first + (vector * L::WIDTH + lane) as u64 * stretch;
                    stretches.values[vector][lane] = parabola.value(y);
                    stretches.differences[vector][lane] = parabola.difference(y);
                }
            }
            self.lanes.run(Tabulate {
                stretches: &stretches,
                steps: stretch as u32,
                half: self.tabulated.half(),
                hits: &mut self.hits,
            });
            for hit in self.hits.drain(..) {
                let y = first + u64::from(hit.stretch) * stretch + u64::from(hit.step);
                if y < end {
                    self.candidates.look_at(domain + y);
                }
            }
            self.candidates.check()?;
        }
        Ok(())
    }
}
