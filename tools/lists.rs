//! [`Lists`]: what a search lists, or MPFR says of every argument, and in what two of them differ.

use tmd_core::{ExactCase, HrCase, Number};
use tmd_driver::confirm::Verdict;

/// What a search lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lists {
    pub(crate) cases: Vec<HrCase>,
    pub(crate) exact: Vec<ExactCase>,
    pub(crate) exact_count: u64,
    pub(crate) undecided: Vec<(Number, u32)>,
}

impl Lists {
    /// Adds what is known of the next argument.
    pub(crate) fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::NotHard => {}
            Verdict::Case(case) => self.cases.push(case),
            Verdict::Exact(case) => {
                self.exact_count += 1;
                self.exact.push(case);
            }
            Verdict::Undecided { argument, bits } => self.undecided.push((argument, bits)),
        }
    }

    /// In increasing order of the argument.
    pub(crate) fn sort(&mut self) {
        self.cases.sort_unstable_by_key(|case| case.argument);
        self.exact.sort_unstable_by_key(|case| case.argument);
        self.undecided.sort_unstable();
    }

    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        let one = |what: &str, a: Vec<String>, b: Vec<String>| {
            let only = |a: &[String], b: &[String]| a.iter().find(|line| !b.contains(line)).cloned();
            let (mine, theirs) = (only(&a, &b), only(&b, &a));
            let line = |line: Option<String>| line.unwrap_or_else(|| "nothing".into());
            (a != b).then(|| {
                format!(
                    "{} and {} {what}; only the first has {}, only the second {}",
                    a.len(),
                    b.len(),
                    line(mine),
                    line(theirs)
                )
            })
        };
        one("cases", text(&self.cases), text(&other.cases))
            .or_else(|| one("exact cases", text(&self.exact), text(&other.exact)))
            .or_else(|| one("undecided arguments", text(&self.undecided), text(&other.undecided)))
            .or_else(|| Some(format!("{} and {} exact cases", self.exact_count, other.exact_count)))
    }
}

/// The items of a list, one by one.
fn text<T: std::fmt::Debug>(list: &[T]) -> Vec<String> {
    list.iter().map(|item| format!("{item:?}")).collect()
}
