//! [`Totals`]: what a soak did; [`Disagreement`]: what it looks for.

use std::{collections::BTreeMap, fmt};

/// Two answers to the same question that differ.
#[derive(Debug)]
pub struct Disagreement {
    /// Who gave them, as a command line where there is one.
    pub sides: [String; 2],
    /// The first difference.
    pub difference: String,
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
    pub(super) execution: u64,
}

impl Totals {
    pub(super) fn count(&mut self, name: &str, arguments: u128) {
        let (answers, sum) = self.answers.entry(name.into()).or_default();
        *answers += 1;
        *sum += arguments;
    }

    pub(super) fn give_up(&mut self) {
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
