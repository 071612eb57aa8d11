//! One question to several engines, and to brute force where there are few arguments: the complete
//! lists must be the same.

use std::time::{Duration, Instant};

use tmd_core::{ArgumentRange, CoreError, Interrupt};
use tmd_driver::{DriverError, Observer, Progress, Search, confirm::confirm, interval::argument_ranges};
use tmd_simd::{Level, Simd};

use super::{Disagreement, Totals, draw::DrawnSearch, options::SearchOptions};
use crate::{ToolError, lists::Lists};

/// An answer to a question.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// all there is to know of the interval
    Lists(Lists),
    /// the function has no value there, or overflows
    Refused(DriverError),
    /// there was no time, or there are more cases than are listed: where exactly that is noticed is
    /// a matter of chance
    None,
}

/// Requests an interrupt when it is time.
pub(super) struct Deadline {
    pub(super) interrupt: Interrupt,
    at: Option<Instant>,
}

impl Deadline {
    pub(super) fn new(limit: Duration) -> Self {
        // without an end, if that is beyond all clocks
        Self { interrupt: Interrupt::new(), at: Instant::now().checked_add(limit) }
    }

    pub(super) fn is_over(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() > at)
    }
}

impl Observer for Deadline {
    fn progress(&self, _: Progress) {
        if self.is_over() {
            self.interrupt.request();
        }
    }
}

/// Asks all of them; nothing if they agree.
pub(super) fn contest(
    question: &DrawnSearch,
    all: &[SearchOptions],
    is_brute: bool,
    limit: Duration,
    totals: &mut Totals,
) -> Result<Option<Disagreement>, ToolError> {
    let deadline = Deadline::new(limit);
    let mut answers: Vec<(String, Answer)> = Vec::new();
    for options in all {
        let (answer, arguments) = search(question, options, &deadline)?;
        totals.count(&options.contender.name, arguments);
        answers.push((format!("tmd search {question} {}", options.words), answer));
    }
    if is_brute {
        let (answer, arguments) = brute_force(question, &deadline)?;
        totals.count("brute force", arguments);
        answers.push(("MPFR at every argument".into(), answer));
    }
    if deadline.is_over() {
        totals.give_up();
    }
    let answers: Vec<_> = answers.into_iter().filter(|(_, answer)| *answer != Answer::None).collect();
    let Some((who, first)) = answers.first() else { return Ok(None) };
    totals.refused += u64::from(matches!(first, Answer::Refused(_)));
    for (other, answer) in &answers[1..] {
        if let Some(difference) = first.difference(answer) {
            return Ok(Some(Disagreement { sides: [who.clone(), other.clone()], difference }));
        }
    }
    Ok(None)
}

impl Answer {
    /// In what they differ: in which words a question is refused is a matter of who comes first to
    /// where there is no value. A search ends at so many undecided arguments of one part; who has
    /// them in several parts, or in none, lists them.
    fn difference(&self, other: &Self) -> Option<String> {
        let only = |which: &str, reason| Some(format!("only the {which} has an answer: {reason}"));
        match (self, other) {
            (Self::Refused(DriverError::IdenticallyExact { count, .. }), Self::Lists(lists))
            | (Self::Lists(lists), Self::Refused(DriverError::IdenticallyExact { count, .. }))
                if lists.undecided.len() >= *count =>
            {
                None
            }
            (Self::Lists(a), Self::Lists(b)) => a.difference(b),
            (Self::Refused(_), Self::Refused(_)) | (Self::None, _) | (_, Self::None) => None,
            (Self::Refused(reason), Self::Lists(_)) => only("second", reason),
            (Self::Lists(_), Self::Refused(reason)) => only("first", reason),
        }
    }
}

/// The answer of an engine, and how many arguments it searched.
fn search(
    question: &DrawnSearch,
    options: &SearchOptions,
    deadline: &Deadline,
) -> Result<(Answer, u128), ToolError> {
    let walk = Simd::farey(Level::best());
    let workers = options.contender.workers(options.threads, &walk);
    let (from, to) = question.ends()?;
    let search = Search { function: &question.function, from, to, problem: question.problem, workers };
    let found = match search.run(deadline, &deadline.interrupt) {
        Err(error) => return Ok((refused(error)?, 0)),
        Ok(found) => options.contender.own(found)?,
    };
    let searched = found.searched;
    if found.is_partial() {
        return Ok((Answer::None, searched));
    }
    let lists = Lists {
        cases: found.cases,
        exact: found.exact_cases,
        exact_count: found.exact_count,
        undecided: found.undecided,
    };
    Ok((Answer::Lists(lists), searched))
}

/// A refused question is an answer; an error of the machine is none.
fn refused(error: DriverError) -> Result<Answer, ToolError> {
    match error {
        DriverError::TooManyFound { .. } | DriverError::Core(CoreError::Interrupted) => Ok(Answer::None),
        DriverError::Core(error) if error.is_of_the_machine() => Err(DriverError::Core(error).into()),
        error => Ok(Answer::Refused(error)),
    }
}

/// The answer of MPFR at every argument.
fn brute_force(question: &DrawnSearch, deadline: &Deadline) -> Result<(Answer, u128), ToolError> {
    let DrawnSearch { function, problem, .. } = question;
    let (from, to) = question.ends()?;
    let search = |ranges: &[ArgumentRange]| {
        let (mut lists, mut done) = (Lists::default(), 0);
        for x in ranges.iter().flat_map(|range| (0..range.count()).map(|k| range.argument(k))) {
            if deadline.is_over() {
                return Ok((Answer::None, done));
            }
            match confirm(function, problem, x) {
                Ok(verdict) => lists.add(verdict),
                Err(error) => return Ok((refused(error)?, done)),
            }
            done += 1;
        }
        Ok((Answer::Lists(lists), done))
    };
    match argument_ranges(&from, &to, problem.arguments()) {
        Ok(ranges) => search(&ranges),
        Err(error) => Ok((refused(error)?, 0)),
    }
}
