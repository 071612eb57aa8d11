//! [`List`]: the cases of a certificate, those that follow from others listed one by one, or
//! counted.

use std::{borrow::Cow, collections::HashMap};

use tmd_driver::{Certificate, certificate::expand, report::Case};

use crate::ReportError;

/// Whether cases that rules of a certificate stand for are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// Each case has its line.
    Expanded,
    /// Each line says how many cases it stands for.
    Short,
}

impl Listing {
    /// Below this many cases they are listed one by one, unless asked otherwise.
    pub const MOST_EXPANDED: u128 = 1_000_000;

    /// What suits a certificate.
    pub fn of(certificate: &Certificate) -> Self {
        if certificate.case_count() < Self::MOST_EXPANDED { Self::Expanded } else { Self::Short }
    }
}

/// The cases of a certificate, by argument.
pub struct List<'a> {
    cases: Cow<'a, [Case]>,
    /// how many have no line and follow from the one at an argument
    behind: HashMap<&'a str, u128>,
}

impl<'a> List<'a> {
    /// The list.
    ///
    /// # Errors
    /// Rules without a case, or with numbers that no format has.
    pub fn new(certificate: &'a Certificate, listing: Listing) -> Result<Self, ReportError> {
        let mut behind = HashMap::new();
        if listing == Listing::Expanded && !certificate.rules.is_empty() {
            let cases: Vec<Case> = expand(certificate)?.map(|expanded| expanded.case).collect();
            return Ok(Self { cases: Cow::Owned(cases), behind });
        }
        for rule in &certificate.rules {
            *behind.entry(rule.anchor.as_str()).or_default() += u128::from(rule.count());
        }
        Ok(Self { cases: Cow::Borrowed(&certificate.cases), behind })
    }

    /// The cases that have a line, by argument.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// How many cases the line of one stands for: itself, and those that follow from it and have no
    /// line.
    pub fn stands_for(&self, case: &Case) -> u128 {
        1 + self.behind.get(case.x.as_str()).unwrap_or(&0)
    }

    /// All that the lines stand for together.
    pub fn total(&self) -> u128 {
        self.cases.iter().map(|case| self.stands_for(case)).sum()
    }

    /// What is said of cases that have no line; nothing if there are none.
    pub(crate) fn note(&self) -> Option<String> {
        let (lines, total) = (self.cases.len() as u128, self.total());
        (lines < total).then(|| {
            format!(
                "{lines} lines stand for {total} cases: {} repeat them by the certificate's rules; each line says how many it stands for, \
                 tmd export --expand lists them one by one",
                total - lines
            )
        })
    }
}
