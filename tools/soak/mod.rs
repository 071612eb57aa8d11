//! The soak: random functions, formats, intervals and engines against each other, and against brute
//! force where the interval is small, until the time is over or two complete lists differ.
//!
//! `cargo xtask soak` is the way to run it. Execution number `n` of seed `s` asks the same question
//! of the same engines each time, on machines with the same lanes and adapters: what is found is
//! found again by `--seed s --first n --executions 1`.

mod contest;
mod draw;
mod options;
mod totals;
mod whole;

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use tmd_driver::{InverseUse, Uses};

pub(crate) use self::draw::family;
use self::{
    draw::{Domain, DrawnSearch, FEW},
    options::SearchOptions,
};
pub use self::{
    options::Pool,
    totals::{Disagreement, Totals},
};
use crate::ToolError;

/// A soak.
pub struct Soak {
    /// What all questions follow from.
    pub seed: u64,
    /// The first execution.
    pub first: u64,
    /// The engines.
    pub pool: Pool,
    /// No execution begins after so long.
    pub time: Duration,
    /// What an execution may take: what takes longer is given up.
    pub limit: Duration,
    /// At most so many executions.
    pub executions: u64,
}

/// What an execution asks, and of whom; printed as command lines.
pub struct Task(Kind);

enum Kind {
    /// an interval
    Search(DrawnSearch, Vec<SearchOptions>),
    /// a whole format, or binades of it
    Whole(Domain, Uses, Vec<SearchOptions>),
}

/// What a soak found, and in which execution.
#[derive(Debug)]
pub struct Finding {
    /// The number of the execution.
    pub execution: u64,
    /// What it was.
    pub kind: FindingKind,
}

/// What a soak may find.
#[derive(Debug)]
pub enum FindingKind {
    /// Two lists differ.
    Disagreement(Disagreement),
    /// Something panicked.
    Panic(String),
    /// Something failed that should not have.
    Failure(String, ToolError),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "execution {}: ", self.execution)?;
        match &self.kind {
            FindingKind::Disagreement(Disagreement { sides: [a, b], difference }) => {
                write!(f, "two answers differ: {difference}\n  {a}\n  {b}")
            }
            FindingKind::Panic(question) => write!(f, "a panic, see above\n  {question}"),
            FindingKind::Failure(task, error) => write!(f, "{error}\n  {task}"),
        }
    }
}

impl Soak {
    /// Goes on until time or executions are over, or something is found; `observer` is told after
    /// each execution.
    pub fn run(&self, mut observer: impl FnMut(&Totals)) -> (Totals, Option<Finding>) {
        let started = Instant::now();
        let mut totals = Totals::default();
        for execution in (self.first..).take(self.executions as usize) {
            if started.elapsed() >= self.time {
                break;
            }
            totals.execution = execution;
            if let Some(kind) = self.execute(execution, &mut totals) {
                return (totals, Some(Finding { execution, kind }));
            }
            totals.executions += 1;
            observer(&totals);
        }
        (totals, None)
    }

    /// What an execution asks, and of whom.
    ///
    /// # Errors
    /// A question that cannot be put, which is a fault of this module.
    pub fn task(&self, execution: u64) -> Result<Task, ToolError> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&execution.to_le_bytes());
        let rng = &mut StdRng::from_seed(seed);
        if rng.random_bool(0.125) {
            let domain = Domain::draw(rng)?;
            let inverse_use = [InverseUse::Never, InverseUse::WherePossible][rng.random_range(0..2)];
            return Ok(Task(Kind::Whole(domain, inverse_use.into(), self.pool.draw(rng, 16, 1))));
        }
        if rng.random_bool(0.0625) {
            let uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };
            return Ok(Task(Kind::Whole(Domain::draw_family(rng)?, uses, self.pool.draw(rng, 16, 1))));
        }
        let question = DrawnSearch::draw(rng)?;
        let count = rng.random_range(2..=4);
        let all = self.pool.draw(rng, question.log2_arguments, count);
        Ok(Task(Kind::Search(question, all)))
    }

    fn execute(&self, execution: u64, totals: &mut Totals) -> Option<FindingKind> {
        let task = match catch_unwind(AssertUnwindSafe(|| self.task(execution))) {
            Ok(Ok(task)) => task,
            Ok(Err(error)) => return Some(FindingKind::Failure("while it was drawn".into(), error)),
            Err(_) => return Some(FindingKind::Panic("while it was drawn".into())),
        };
        match catch_unwind(AssertUnwindSafe(|| task.carry_out(self.limit, totals))) {
            Ok(Ok(found)) => found.map(FindingKind::Disagreement),
            Ok(Err(error)) => Some(FindingKind::Failure(task.to_string(), error)),
            Err(_) => Some(FindingKind::Panic(task.to_string())),
        }
    }
}

impl Task {
    fn carry_out(&self, limit: Duration, totals: &mut Totals) -> Result<Option<Disagreement>, ToolError> {
        match &self.0 {
            Kind::Search(question, all) => {
                contest::contest(question, all, question.log2_arguments <= FEW, limit, totals)
            }
            Kind::Whole(domain, uses, drawn) => drawn
                .first()
                .map_or(Ok(None), |options| whole::contest(domain, options, *uses, limit, totals)),
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |all: &[SearchOptions]| {
            all.iter().map(|options| options.words.clone()).collect::<Vec<_>>().join(", ")
        };
        match &self.0 {
            Kind::Search(question, all) => write!(f, "tmd search {question}, by {}", words(all)),
            Kind::Whole(domain, uses, all) => {
                write!(f, "tmd solve {domain} {} ({uses:?})", words(all))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agreement::Contender, testing::Forgetful};
    use tmd_functions::{Function, Repetition};

    fn soak(pool: Pool, seed: u64, executions: u64) -> (Totals, Option<Finding>) {
        Soak { seed, first: 0, pool, time: Duration::MAX, limit: Duration::MAX, executions }.run(|_| ())
    }

    /// An engine that loses one case per piece is found out, and the execution that found it finds
    /// it again.
    #[test]
    fn a_forgetful_engine_is_found() {
        // it meets some cases soon
        const SEED: u64 = 8;
        let pool = || Pool::of_the_cpu().with(Contender::cpu(Forgetful));
        let (_, found) = soak(pool(), SEED, 1000);
        let Some(Finding { execution, kind: FindingKind::Disagreement(found) }) = found else {
            panic!("nothing was found: {found:?}")
        };
        assert!(found.sides.iter().any(|side| side.contains("forgetful")), "{found:?}");
        assert!(found.difference.contains("case"), "{found:?}");
        let again = Soak {
            seed: SEED,
            first: execution,
            pool: pool(),
            time: Duration::MAX,
            limit: Duration::MAX,
            executions: 1,
        };
        let (_, finding) = again.run(|_| ());
        let Some(Finding { kind: FindingKind::Disagreement(again), .. }) = finding else {
            panic!("only once")
        };
        assert_eq!((again.sides, again.difference), (found.sides, found.difference));
    }

    #[test]
    fn honest_engines_agree() {
        let (totals, found) = soak(Pool::of_the_cpu(), 2, 40);
        assert!(found.is_none(), "{found:?}");
        assert_eq!(totals.executions, 40);
        assert!(totals.answers["brute force"].0 > 5 && totals.answers.len() > 5, "{totals}");
        assert!(totals.refused < 20, "most questions have an answer: {totals}");
    }

    /// Families are drawn that the walk in three dimensions searches, and of every kind.
    #[test]
    fn families_are_drawn() {
        let mut rng = StdRng::seed_from_u64(3);
        let (mut periods, mut doublings) = (0, 0);
        for _ in 0..8 {
            let domain = Domain::draw_family(&mut rng).unwrap();
            let options = Pool::of_the_cpu().draw(&mut rng, 16, 1);
            let uses = Uses { inverse: InverseUse::Never, families: InverseUse::WherePossible };
            let mut totals = Totals::default();
            let found = whole::contest(&domain, &options[0], uses, Duration::MAX, &mut totals).unwrap();
            assert!(found.is_none(), "{found:?}");
            assert_eq!(totals.verified, 1, "{domain}");
            match domain.function.family().unwrap().repetition() {
                Repetition::Period => periods += totals.families,
                Repetition::Doubling => doublings += totals.families,
            }
        }
        assert!(periods > 0 && doublings > 0, "{periods} and {doublings} units");
    }

    /// Other seeds ask other questions, the same seed the same ones.
    #[test]
    fn seeds() {
        let text = |seed| {
            let mut rng = StdRng::seed_from_u64(seed);
            DrawnSearch::draw(&mut rng).unwrap().to_string()
        };
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
    }
}
