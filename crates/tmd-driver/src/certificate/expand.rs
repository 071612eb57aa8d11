//! [`expand`]: the cases of a certificate one by one, those that rules stand for included.

use std::{cmp::Reverse, collections::BinaryHeap};

use tmd_core::Number;

use super::{
    Certificate, Rule,
    rule::{Anchor, number, unreadable},
};
use crate::{DriverError, report::Case};

/// All cases of a certificate in the order of their arguments: those of its list, and those that
/// its rules stand for, one by one, exactly as a confirmation by MPFR would list them.
///
/// # Errors
/// [`DriverError::Unreadable`] for rules without a case in the list, or with numbers that no format
/// has.
pub fn expand(certificate: &Certificate) -> Result<Expansion<'_>, DriverError> {
    let mut arguments = Vec::with_capacity(certificate.cases.len());
    for case in &certificate.cases {
        arguments.push(number(&case.x)?);
    }
    let mut expansion = Expansion {
        cases: &certificate.cases,
        arguments,
        next: 0,
        rows: Vec::new(),
        heap: BinaryHeap::new(),
    };
    for rule in certificate.rules.iter().filter(|rule| rule.count() > 0) {
        let x = number(&rule.anchor)?;
        let index = expansion.arguments.binary_search(&x);
        let case = index.ok().map(|index| &certificate.cases[index]);
        let case =
            case.ok_or_else(|| unreadable(&rule.anchor, "a rule is about a case that is not listed"))?;
        let anchor = Anchor::new(case)?;
        // what is mirrored, or is a multiple of a negative number, decreases
        let ends = [rule.at(x, rule.first), rule.at(x, rule.last)];
        let [Some(first), Some(last)] = ends else {
            return Err(unreadable(&rule.anchor, "images that are no numbers"));
        };
        if [rule.first, rule.last].iter().any(|&n| rule.case(&anchor, n).is_none()) {
            return Err(unreadable(&rule.anchor, "images whose results are no numbers"));
        }
        let is_increasing = first <= last;
        let n = if is_increasing { rule.first } else { rule.last };
        expansion.heap.push(Reverse((first.min(last), expansion.rows.len())));
        expansion.rows.push(ExpandedRow { rule, anchor, n, is_increasing });
    }
    Ok(expansion)
}

/// What [`expand`] gives.
pub struct Expansion<'a> {
    cases: &'a [Case],
    /// those of the list
    arguments: Vec<Number>,
    next: usize,
    rows: Vec<ExpandedRow<'a>>,
    /// the next argument of each row that is not at its end
    heap: BinaryHeap<Reverse<(Number, usize)>>,
}

struct ExpandedRow<'a> {
    rule: &'a Rule,
    anchor: Anchor,
    n: i64,
    is_increasing: bool,
}

/// A case of an [`Expansion`].
#[derive(Clone, Debug, PartialEq)]
pub struct Expanded {
    /// The argument.
    pub argument: Number,
    /// The case.
    pub case: Case,
    /// The number of the rule that stands for it; none of those in the list.
    pub rule: Option<usize>,
}

impl Iterator for Expansion<'_> {
    type Item = Expanded;

    fn next(&mut self) -> Option<Expanded> {
        let listed = self.arguments.get(self.next).copied();
        let Some(&Reverse((argument, row))) =
            self.heap.peek().filter(|Reverse((x, _))| listed.is_none_or(|y| *x < y))
        else {
            let (argument, case) = (listed?, self.cases.get(self.next)?.clone());
            self.next += 1;
            return Some(Expanded { argument, case, rule: None });
        };
        self.heap.pop();
        let ExpandedRow { rule, anchor, n, is_increasing } = &mut self.rows[row];
        let case = rule.case(anchor, *n)?;
        let is_last = *n == if *is_increasing { rule.last } else { rule.first };
        if !is_last {
            *n += if *is_increasing { 1 } else { -1 };
            if let Some(x) = rule.at(anchor.x, *n) {
                self.heap.push(Reverse((x, row)));
            }
        }
        Some(Expanded { argument, case, rule: Some(row) })
    }
}
