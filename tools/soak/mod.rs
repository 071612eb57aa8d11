//! The soak: random functions, formats, intervals and engines against each other, and against brute
//! force where the interval is small, until the time is over or two complete lists differ.
//!
//! `cargo xtask soak` is the way to run it. Execution number `n` of seed `s` asks the same question
//! of the same engines each time, on machines with the same lanes and adapters: what is found is
//! found again by `--seed s --first n --executions 1`.

mod contest;
mod draw;
mod options;
mod whole;

use std::{
    collections::BTreeMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use tmd_core::CoreError;
use tmd_driver::{DriverError, InverseUse, Uses};
use tmd_functions::ParseError;

pub use self::options::Pool;
use self::{
    draw::{Domain, DrawnSearch, FEW},
    options::SearchOptions,
};
use crate::agreement::AgreementError;

/// Why a soak cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SoakError {
    /// A search failed for reasons that are not the question's.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A problem out of range.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// A function or number was drawn that cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A device failed.
    #[error(transparent)]
    Agreement(#[from] AgreementError),
}

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

/// Two answers to the same question that differ.
#[derive(Debug)]
pub struct Disagreement {
    /// Who gave them, as a command line where there is one.
    pub sides: [String; 2],
    /// The first difference.
    pub difference: String,
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
    Failure(String, SoakError),
}

/// What was done.
#[derive(Debug, Default)]
pub struct Totals {
    /// Questions that were answered or given up.
    pub executions: u64,
    /// Answers to them by name of the engine, brute force included, and the arguments that they
    /// looked at.
    pub answers: BTreeMap<String, (u64, u128)>,
    /// Questions about whole formats or binades …
    pub wholes: u64,
    /// … those whose certificate had units left out …
    pub incomplete: u64,
    /// … and those whose certificate was verified.
    pub verified: u64,
    /// Units of them that the walk in three dimensions searched.
    pub families: u64,
    /// Questions that all refused: the function has no value there.
    pub refused: u64,
    /// Executions that were given up for lack of time.
    pub abandoned: Vec<u64>,
    /// The execution that is under way, or was the last.
    execution: u64,
}

impl Totals {
    fn count(&mut self, name: &str, arguments: u128) {
        let (answers, sum) = self.answers.entry(name.into()).or_default();
        *answers += 1;
        *sum += arguments;
    }

    fn give_up(&mut self) {
        self.abandoned.push(self.execution);
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, wholes, incomplete, verified, families, refused, abandoned, .. } = self;
        let answers: u64 = self.answers.values().map(|(answers, _)| answers).sum();
        let arguments: u128 = self.answers.values().map(|(_, arguments)| arguments).sum();
        write!(
            f,
            "{executions} executions, {answers} answers about 2^{:.1} arguments; {wholes} of whole binades or formats \
             ({incomplete} incomplete, {verified} verified, {families} units of families); {refused} refused by all, {} given up",
            (arguments.max(1) as f64).log2(),
            abandoned.len(),
        )
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FindingKind::Disagreement(Disagreement { sides: [a, b], difference }) => {
                write!(f, "execution {}: two answers differ: {difference}\n  {a}\n  {b}", self.execution)
            }
            FindingKind::Panic(question) => {
                write!(f, "execution {}: a panic, see above\n  {question}", self.execution)
            }
            FindingKind::Failure(task, error) => {
                write!(f, "execution {}: {error}\n  {task}", self.execution)
            }
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
    pub fn task(&self, execution: u64) -> Result<Task, SoakError> {
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
    fn carry_out(&self, limit: Duration, totals: &mut Totals) -> Result<Option<Disagreement>, SoakError> {
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
        let pool = || Pool::of_the_cpu().with(Contender::cpu(Forgetful));
        let (_, found) = soak(pool(), 1, 1000);
        let Some(Finding { execution, kind: FindingKind::Disagreement(found) }) = found else {
            panic!("nothing was found: {found:?}")
        };
        assert!(found.sides.iter().any(|side| side.contains("forgetful")), "{found:?}");
        assert!(found.difference.contains("case"), "{found:?}");
        let again = Soak {
            seed: 1,
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
