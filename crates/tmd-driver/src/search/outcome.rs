//! [`Outcome`]: what a search found, and who found it.

use std::time::Duration;

use tmd_core::{CoreError, ErrorBudget, ExactCase, HrCase, KernelTime, Number, Phase, Phases, PieceOutcome};

use super::MAX_CASES;
use crate::{confirm::Verdict, regions::Region};

/// log2 of the share of arguments up to which exact cases are a function's own: the squares that
/// make √ exact are one in 2^25. More mean a function that is exact by its nature, such as 2·x.
const EXACT_SHARE: u32 = 10;

/// What a search found. Sums of times are over threads.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The cases, in increasing order of the argument.
    pub cases: Vec<HrCase>,
    /// Arguments whose results are breakpoints, in increasing order; none if they are more than
    /// [`MAX_CASES`], which only theory lists then.
    pub exact_cases: Vec<ExactCase>,
    /// Their number.
    pub exact_count: u64,
    /// Arguments that could not be decided, with the bits of agreement tried.
    pub undecided: Vec<(Number, u32)>,
    /// Arguments in the interval …
    pub arguments: u128,
    /// … and those searched; with those that are [`known`](Self::known) fewer only if the search
    /// was interrupted, or ended by a [`failure`](Self::failure).
    pub searched: u128,
    /// Arguments that were not searched, because all roundings of their results are known: each
    /// result is proved to be strictly between two neighboring breakpoints. It may be closer to one
    /// of them than ε where nearly all of a region's are, and is not listed.
    pub known: Vec<Region>,
    /// Taylor pieces searched.
    pub pieces: u64,
    /// Arguments per domain, least and most.
    pub domain_sizes: (u64, u64),
    /// Of a family: numbers of the segments that the walk refused, in the order in which it was
    /// given them.
    pub refused: Vec<u64>,
    /// Line by line the largest error bound of all pieces.
    pub budget: ErrorBudget,
    /// Counts and times of the backends' phases.
    pub phases: Phases,
    /// Taylor polynomials: pieces tried, pieces made.
    pub taylor: Phase,
    /// Confirmation: candidates, cases.
    pub confirm: Phase,
    /// What each backend did, devices first; what is missing to `searched` was confirmed argument
    /// by argument.
    pub backends: Vec<BackendShare>,
    /// Times that devices measured, kernel by kernel.
    pub kernels: Vec<KernelTime>,
    /// The failure of a machine that ended the search, because there was no fallback: the
    /// cases are those of the parts finished before.
    pub failure: Option<CoreError>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// What one backend did in a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BackendShare {
    /// Its name.
    pub name: String,
    /// Parts of pieces that it searched …
    pub parts: u64,
    /// … and the arguments in them.
    pub arguments: u128,
    /// Time in its searches, successful or not, summed over threads; a device's threads wait for it
    /// side by side.
    pub time: Duration,
    /// Wall-clock time during which its machine had work; `None` where nobody knows.
    pub busy: Option<Duration>,
    /// How often it failed as a machine: what failed was searched again elsewhere, and is not
    /// counted here.
    pub failures: u64,
    /// The first of these failures.
    pub reason: Option<CoreError>,
    /// Whether it was not asked again after the last one.
    pub is_lost: bool,
}

/// What one part adds to the outcome: all of it or nothing.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) cases: Vec<HrCase>,
    pub(crate) exact_cases: Vec<ExactCase>,
    pub(crate) undecided: Vec<(Number, u32)>,
    pub(crate) confirm: Phase,
}

impl Findings {
    /// What some verdicts, each of an argument that was looked at, say.
    pub(crate) fn of(verdicts: Vec<Verdict>) -> Self {
        let mut findings = Self::default();
        findings.confirm.domains_in = verdicts.len() as u64;
        findings.confirm.arguments_in = findings.confirm.domains_in;
        for verdict in verdicts {
            findings.confirm.domains_out += u64::from(verdict != Verdict::NotHard);
            match verdict {
                Verdict::NotHard => {}
                Verdict::Case(case) => findings.cases.push(case),
                Verdict::Exact(case) => findings.exact_cases.push(case),
                Verdict::Undecided { argument, bits } => findings.undecided.push((argument, bits)),
            }
        }
        findings
    }
}

impl Outcome {
    /// Nothing yet of so many arguments.
    pub(crate) fn new(arguments: u128, backends: impl Iterator<Item = String>) -> Self {
        let share = |name| BackendShare { name, ..BackendShare::default() };
        Self {
            arguments,
            domain_sizes: (u64::MAX, 0),
            backends: backends.map(share).collect(),
            ..Self::default()
        }
    }

    /// Whether the search ended early: the cases are then those of the parts finished.
    pub fn is_partial(&self) -> bool {
        self.searched + self.known.iter().map(Region::arguments).sum::<u128>() < self.arguments
    }

    /// The `most` hardest cases, the hardest first.
    pub fn hardest(&self, most: usize) -> Vec<&HrCase> {
        let mut cases: Vec<_> = self.cases.iter().collect();
        cases.sort_by(|x, y| x.log2_distance.total_cmp(&y.log2_distance));
        cases.truncate(most);
        cases
    }

    /// Whether the lists are longer than lists should be: too many cases, or almost everything is
    /// exact.
    pub(crate) fn is_too_long(&self) -> bool {
        let listed = (self.cases.len() + self.undecided.len()) as u64;
        let is_exact = u128::from(self.exact_count) << EXACT_SHARE > self.searched;
        listed > MAX_CASES || (self.exact_count > MAX_CASES && is_exact)
    }

    /// Adds what confirmation found among so many arguments.
    pub(crate) fn add(&mut self, arguments: u64, findings: Findings) {
        self.cases.extend(findings.cases);
        self.exact_count += findings.exact_cases.len() as u64;
        if self.exact_count <= MAX_CASES {
            self.exact_cases.extend(findings.exact_cases);
        } else {
            self.exact_cases = Vec::new();
        }
        self.undecided.extend(findings.undecided);
        self.confirm.domains_in += findings.confirm.domains_in;
        self.confirm.domains_out += findings.confirm.domains_out;
        self.confirm.arguments_in += findings.confirm.arguments_in;
        self.confirm.time += findings.confirm.time;
        self.searched += u128::from(arguments);
    }

    /// Adds what a backend says about a part.
    pub(crate) fn add_part(&mut self, backend: usize, arguments: u64, time: Duration, found: &PieceOutcome) {
        self.phases.add(&found.phases);
        self.budget = self.budget.max(&found.budget);
        let (least, most) = self.domain_sizes;
        self.domain_sizes = (least.min(found.domain_size), most.max(found.domain_size));
        KernelTime::add(&mut self.kernels, &found.kernels);
        let share = &mut self.backends[backend];
        share.parts += 1;
        share.arguments += u128::from(arguments);
        share.time += time;
    }

    /// Notes that a backend failed as a machine.
    pub(crate) fn add_failure(&mut self, backend: usize, time: Duration, error: &CoreError, is_lost: bool) {
        let share = &mut self.backends[backend];
        share.time += time;
        share.failures += 1;
        share.reason.get_or_insert_with(|| error.clone());
        share.is_lost |= is_lost;
    }

    /// Brings the lists into the order of the arguments, which is not the one in which parts are
    /// finished.
    pub(crate) fn sort(&mut self) {
        self.cases.sort_by_key(|case| case.argument);
        self.exact_cases.sort_by_key(|case| case.argument);
        self.undecided.sort_by_key(|&(argument, _)| argument);
    }
}
