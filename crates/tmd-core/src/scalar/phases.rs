//! The papers' three phases, with any existence test.
//!
//! 1. *test*: can the segment that stands for the domain hold a case?
//! 2. *refine*: split a failing domain into 8, test each with its own segment;
//! 3. *exhaust*: tabulate the parabola of a failing sub-domain, argument by argument.
//!
//! Source: Lefèvre's isolation strategy; 2016 SIMD paper, algorithm 1; 2016 GPU paper, section 4.1.
//! Deviations: the segment is the chord of the parabola *lowered to the middle*, which halves the
//! width (the papers' is uncentered), and every width comes from the
//! [`ErrorBudget`](crate::ErrorBudget).
//!
//! That nothing is lost: Theorem E.20 of docs/proofs/phases.md.

use std::{ops::Range, time::Instant};

use tmd_exist::{ExistenceTest, NoProbe, Verdict};

use super::{generate::Generator, parabola::Parabola};
use crate::{
    CoreError, Interrupt, Piece, PieceOutcome, Window, candidates,
    partition::{OneLevel, Partition, SUBDOMAINS},
};

/// One piece being searched.
pub(super) struct Search<'a, T> {
    piece: &'a Piece,
    partition: &'a Partition<OneLevel>,
    /// The existence test; `None` searches exhaustively.
    test: Option<T>,
    outcome: PieceOutcome,
}

/// A domain or sub-domain that failed its test.
struct Failing {
    first: u64,
    arguments: u64,
    parabola: Parabola,
}

impl<'a, T: ExistenceTest> Search<'a, T> {
    pub(super) fn new(piece: &'a Piece, partition: &'a Partition<OneLevel>, test: Option<T>) -> Self {
        let (budget, domain_size) = (partition.budget, partition.domain);
        let outcome = PieceOutcome { budget, domain_size, ..PieceOutcome::default() };
        Self { piece, partition, test: test.filter(|_| partition.tables.is_linear), outcome }
    }

    pub(super) fn run(mut self, interrupt: &Interrupt) -> Result<PieceOutcome, CoreError> {
        let started = Instant::now();
        let generator = Generator::new(self.piece, self.partition);
        self.outcome.phases.generate.time += started.elapsed();
        let mut parabolas = Vec::new();
        for run in self.partition.runs_of_one_lane(self.piece) {
            interrupt.check()?;
            let started = Instant::now();
            generator.run(run.clone(), &mut parabolas);
            let generated = Instant::now();
            let failing = self.test(run, &parabolas);
            let tested = Instant::now();
            let refined = self.refine(failing);
            let finished = Instant::now();
            self.exhaust(&refined)?;

            let phases = &mut self.outcome.phases;
            phases.generate.domains_in += parabolas.len() as u64;
            phases.generate.domains_out += parabolas.len() as u64;
            phases.generate.time += generated - started;
            phases.test.time += tested - generated;
            phases.refine.time += finished - tested;
            phases.exhaust.time += finished.elapsed();
        }
        self.outcome.phases.generate.arguments_in = self.piece.arguments();
        Ok(self.outcome)
    }

    /// Phase 1 over the domains of a run.
    fn test(&mut self, run: Range<u64>, parabolas: &[Parabola]) -> Vec<Failing> {
        let Self { partition, piece, .. } = self;
        let domains = run.zip(parabolas).map(|(domain, &parabola)| {
            let Range { start, end } = partition.arguments(piece, domain);
            Failing { first: start, arguments: end - start, parabola }
        });
        let (Some(test), Some(window)) = (&self.test, Window::new(partition.budget.test_half_width())) else {
            return domains.collect();
        };
        let phase = &mut self.outcome.phases.test;
        phase.domains_in += parabolas.len() as u64;
        let failing = domains.filter(|domain| {
            phase.arguments_in += domain.arguments;
            may_hold(test, &domain.parabola, domain.arguments, window)
        });
        let failing: Vec<_> = failing.collect();
        phase.domains_out += failing.len() as u64;
        failing
    }

    /// Phase 2: the sub-domains of failing domains that fail again.
    fn refine(&mut self, failing: Vec<Failing>) -> Vec<Failing> {
        let size = self.partition.domain.div_ceil(SUBDOMAINS);
        let (Some(test), Some(window)) = (&self.test, Window::new(self.partition.budget.refine_half_width()))
        else {
            return failing;
        };
        let mut refined = Vec::new();
        let phase = &mut self.outcome.phases.refine;
        for domain in failing {
            for start in (0..domain.arguments).step_by(size as usize) {
                let arguments = size.min(domain.arguments - start);
                let parabola = domain.parabola.shifted(start);
                phase.domains_in += 1;
                phase.arguments_in += arguments;
                if may_hold(test, &parabola, arguments, window) {
                    phase.domains_out += 1;
                    refined.push(Failing { first: domain.first + start, arguments, parabola });
                }
            }
        }
        refined
    }

    /// Phase 3: the candidates of failing sub-domains.
    fn exhaust(&mut self, failing: &[Failing]) -> Result<(), CoreError> {
        let window = Window::new(self.partition.budget.exhaust_half_width());
        let candidates = &mut self.outcome.candidates;
        let phase = &mut self.outcome.phases.exhaust;
        let before = candidates.len();
        for domain in failing {
            phase.domains_in += 1;
            phase.arguments_in += domain.arguments;
            match window {
                Some(window) => {
                    domain.parabola.tabulate(domain.arguments, window, |x| candidates.push(domain.first + x));
                }
                None => candidates.extend(domain.first..domain.first + domain.arguments),
            }
            candidates::check(candidates, self.piece.arguments())?;
        }
        phase.domains_out += (candidates.len() - before) as u64;
        Ok(())
    }
}

/// The existence test of the segment that stands for a parabola.
#[inline]
fn may_hold<T: ExistenceTest>(test: &T, parabola: &Parabola, arguments: u64, window: Window) -> bool {
    match parabola.segment(arguments, window) {
        Ok(segment) => {
            !segment.stays_above(window.width())
                && test.test(segment, window.width(), &mut NoProbe) == Verdict::MayHold
        }
        // a domain no segment can stand for is refined, never dropped
        Err(_) => true,
    }
}
