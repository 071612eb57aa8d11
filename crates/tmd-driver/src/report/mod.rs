//! [`Report`]: what a search found, as one document; and its forms as table, CSV and `wc` list.

mod text;

use serde::{Deserialize, Serialize};
use tmd_core::{CoreError, ExactCase, HrCase, KernelTime, Phase, Problem, difftable::power_of_two};

use crate::{BackendShare, Outcome, Search, certificate::ClassRecord, regions::Region};

pub(crate) use text::case_table;
pub use text::{check_text, plain};

/// What the columns of a list of cases say: printed below it, and in the program's help.
pub const LEGEND: &str = "\
near: the kind of breakpoint next to f(x): a number (hard to round in directed modes) or the midpoint of two (to nearest)
sign: + if f(x) is above it, - if it is below
log2(distance): of the distance between them in ulps of the result; the more negative, the harder
identical bits: bits of f(x) after the rounding bit that are all 0 or all 1
";

/// The breakpoints that are named `rounding`, in the words of people who did not read the help.
pub fn rounding_in_words(rounding: &str) -> &str {
    match rounding {
        "all" => "all (directed and to nearest)",
        "nearest" => "to nearest",
        other => other,
    }
}

/// Name under which arguments stand that were confirmed one by one.
const CONFIRMATION: &str = "confirmation";

/// The document that `--output json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// the function, as parsed
    pub function: String,
    /// the interval, exactly
    pub domain: Domain,
    /// significant bits
    pub precisions: Precisions,
    /// `directed`, `nearest` or `all`
    pub rounding: String,
    /// `m` with ε = 2^-m ulp
    pub extra_bits: u32,
    /// the engine that searched
    pub engine: String,
    /// arguments in the interval
    pub arguments: u128,
    /// arguments searched: all that are not known, unless the search ended early
    pub searched: u128,
    /// arguments that were not searched, because all roundings of their results are known by an
    /// inequality: such results may be closer to a breakpoint than ε, and are not listed
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Known>,
    /// whether the search ended early, by an interrupt or by a failure
    pub partial: bool,
    /// Taylor pieces searched
    pub pieces: u64,
    /// arguments per domain, least and most
    pub domain_sizes: [u64; 2],
    /// cases expected if results were spread evenly
    pub expected_cases: f64,
    /// the cases, by argument; with `--hardest`, the hardest first
    #[serde(serialize_with = "in_columns")]
    pub cases: Vec<Case>,
    /// cases found, of which `--hardest` may have kept a part
    pub cases_found: usize,
    /// arguments whose result is a breakpoint; none if they are too many to list
    pub exact_cases: Vec<Exact>,
    /// their number
    pub exact_found: u64,
    /// arguments that no precision tried could decide
    pub undecided: Vec<Undecided>,
    /// largest error bound of all pieces, line by line
    pub error_budget: Vec<BudgetLine>,
    /// counts and times, summed over threads
    pub phases: Vec<PhaseLine>,
    /// what each backend searched, devices first, and last what was confirmed argument by argument,
    /// if anything
    pub backends: Vec<BackendLine>,
    /// times that devices measured, kernel by kernel
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<KernelLine>,
    /// machines that failed: a sentence each
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// wall-clock time
    pub elapsed_s: f64,
}

/// The interval `from ≤ x < to`, as exact rational numbers.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Domain {
    pub from: String,
    pub to: String,
}

/// Neighboring arguments that were not searched.
#[derive(Clone, Debug, Serialize)]
pub struct Known {
    /// the least one
    pub first: String,
    /// the greatest one
    pub last: String,
    /// how many they are
    pub arguments: u128,
    /// what is known of each of them
    pub because: String,
}

impl From<&Region> for Known {
    fn from(region: &Region) -> Self {
        Self {
            first: region.first().to_string(),
            last: region.last().to_string(),
            arguments: region.arguments(),
            because: ClassRecord::from(&region.class).to_string(),
        }
    }
}

/// Significant bits of arguments and results.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Precisions {
    pub arguments: u32,
    pub results: u32,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// the argument, as C's `%a`
    pub x: String,
    /// `number` or `midpoint`: the kind of breakpoint
    pub kind: String,
    /// `+` if f(x) is above the breakpoint, else `-`
    pub sign: char,
    /// log2 of the distance in ulps
    pub log2_dist: f64,
    /// identical bits after the rounding bit
    pub identical_bits: u32,
    /// the breakpoint
    #[serde(default)]
    pub breakpoint: String,
    /// the numbers of the result format next below and above f(x)
    #[serde(default)]
    pub bracket: [String; 2],
}

/// One exact case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exact {
    /// the argument
    pub x: String,
    /// the kind of breakpoint
    pub kind: String,
    /// the value
    pub value: String,
}

/// One undecided argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undecided {
    /// the argument
    pub x: String,
    /// bits with which its result cannot be told from a breakpoint
    pub bits: u32,
}

/// One line of the error budget.
#[derive(Clone, Debug, Serialize)]
pub struct BudgetLine {
    /// name, see docs/proofs/piece.md
    pub name: &'static str,
    /// bound in ulps of the result
    pub ulps: f64,
}

/// One phase.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseLine {
    /// name
    pub name: &'static str,
    /// domains, sub-domains or candidates that entered
    pub domains_in: u64,
    /// those that went on
    pub domains_out: u64,
    /// arguments in those that entered
    pub arguments_in: u64,
    /// time, summed over threads
    pub seconds: f64,
}

/// What one backend searched.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BackendLine {
    /// name, or `confirmation` for what was confirmed argument by argument
    pub name: String,
    /// parts of pieces; 0 for `confirmation`
    pub parts: u64,
    /// arguments in them
    pub arguments: u128,
    /// their share of the arguments searched
    pub share: f64,
    /// time in the backend's searches, summed over threads
    pub seconds: f64,
    /// share of the search's time during which the machine had work, where that is known
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy: Option<f64>,
    /// how often the machine failed
    pub failures: u64,
}

/// Time that a device measured.
#[derive(Clone, Debug, Serialize)]
pub struct KernelLine {
    /// the kernel
    pub name: String,
    /// how often it was started
    pub invocations: u64,
    /// time, by the device's clock
    pub seconds: f64,
}

impl From<&HrCase> for Case {
    fn from(case: &HrCase) -> Self {
        Self {
            x: case.argument.to_string(),
            kind: case.kind.to_string(),
            sign: if case.above { '+' } else { '-' },
            log2_dist: (case.log2_distance * 1e4).round() / 1e4,
            identical_bits: case.identical_bits,
            breakpoint: case.breakpoint.to_string(),
            bracket: [case.lower.to_string(), case.upper.to_string()],
        }
    }
}

impl From<&ExactCase> for Exact {
    fn from(case: &ExactCase) -> Self {
        Self { x: case.argument.to_string(), kind: case.kind.to_string(), value: case.value.to_string() }
    }
}

impl Report {
    /// The report of a search; `hardest` keeps only that many cases, and puts the hardest first.
    pub fn new(search: &Search, outcome: &Outcome, hardest: Option<usize>) -> Self {
        let problem = &search.problem;
        let phases = [("taylor", outcome.taylor)]
            .into_iter()
            .chain(outcome.phases.named())
            .chain([("confirm", outcome.confirm)]);
        Self {
            function: search.function.name(),
            domain: Domain { from: search.from.to_string(), to: search.to.to_string() },
            precisions: Precisions {
                arguments: problem.arguments().precision(),
                results: problem.results().precision(),
            },
            rounding: problem.breakpoints().to_string(),
            extra_bits: problem.extra_bits(),
            engine: engine(search, outcome),
            arguments: outcome.arguments,
            searched: outcome.searched,
            known: outcome.known.iter().map(Known::from).collect(),
            partial: outcome.is_partial(),
            pieces: outcome.pieces,
            domain_sizes: match outcome.domain_sizes {
                (least, most) if least <= most => [least, most],
                // no part was searched
                _ => [0, 0],
            },
            expected_cases: problem
                .breakpoints()
                .expected_cases(outcome.searched as f64, problem.extra_bits()),
            cases: kept(&outcome.cases, hardest).into_iter().map(Case::from).collect(),
            cases_found: outcome.cases.len(),
            exact_cases: outcome.exact_cases.iter().map(Exact::from).collect(),
            exact_found: outcome.exact_count,
            undecided: outcome
                .undecided
                .iter()
                .map(|(x, bits)| Undecided { x: x.to_string(), bits: *bits })
                .collect(),
            error_budget: budget(outcome, problem),
            phases: phases.map(|(name, phase)| PhaseLine::new(name, &phase)).collect(),
            backends: shares(outcome),
            kernels: outcome.kernels.iter().map(KernelLine::from).collect(),
            failures: outcome.backends.iter().filter_map(|share| failure(share, outcome)).collect(),
            elapsed_s: outcome.elapsed.as_secs_f64(),
        }
    }

    /// The document as JSON, indented.
    pub fn to_json(&self) -> String {
        // strings and numbers only: serialisation cannot fail; should it ever, the error is the
        // document
        let mut text =
            serde_json::to_string_pretty(self).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
        text.push('\n');
        text
    }
}

/// Cases with the fields that all lists have as columns.
fn in_columns<S: serde::Serializer>(cases: &[Case], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Columns<'a> {
        x: &'a str,
        kind: &'a str,
        sign: char,
        log2_dist: f64,
        identical_bits: u32,
        breakpoint: &'a str,
        lower: &'a str,
        upper: &'a str,
    }
    serializer.collect_seq(cases.iter().map(|case| Columns {
        x: &case.x,
        kind: &case.kind,
        sign: case.sign,
        log2_dist: case.log2_dist,
        identical_bits: case.identical_bits,
        breakpoint: &case.breakpoint,
        lower: &case.bracket[0],
        upper: &case.bracket[1],
    }))
}

impl PhaseLine {
    fn new(name: &'static str, phase: &Phase) -> Self {
        Self {
            name,
            domains_in: phase.domains_in,
            domains_out: phase.domains_out,
            arguments_in: phase.arguments_in,
            seconds: phase.time.as_secs_f64(),
        }
    }
}

impl From<&KernelTime> for KernelLine {
    fn from(kernel: &KernelTime) -> Self {
        let KernelTime { name, time, invocations } = kernel;
        Self { name: name.clone(), invocations: *invocations, seconds: time.as_secs_f64() }
    }
}

/// Names of those who searched: of the workers, and of a walk of its that searched arguments all at
/// once.
fn engine(search: &Search, outcome: &Outcome) -> String {
    let groups = search.workers.groups();
    let is_known = |backend: &BackendShare| groups.iter().any(|group| group.backend.name() == backend.name);
    if outcome.backends.iter().all(is_known) {
        return search.workers.name();
    }
    let names: Vec<&str> = outcome.backends.iter().map(|backend| backend.name.as_str()).collect();
    names.join(" + ")
}

/// Who searched how much.
fn shares(outcome: &Outcome) -> Vec<BackendLine> {
    let share = |arguments: u128| arguments as f64 / outcome.searched.max(1) as f64;
    let mut lines: Vec<BackendLine> = outcome
        .backends
        .iter()
        .map(|backend| BackendLine {
            name: backend.name.clone(),
            parts: backend.parts,
            arguments: backend.arguments,
            share: share(backend.arguments),
            seconds: backend.time.as_secs_f64(),
            busy: backend.busy.map(|busy| busy.as_secs_f64() / outcome.elapsed.as_secs_f64().max(1e-9)),
            failures: backend.failures,
        })
        .collect();
    let alone = outcome.searched - outcome.backends.iter().map(|backend| backend.arguments).sum::<u128>();
    if alone > 0 {
        let (name, share) = (CONFIRMATION.into(), share(alone));
        lines.push(BackendLine { name, arguments: alone, share, ..BackendLine::default() });
    }
    lines
}

/// What failed, how often, and what came of it: one sentence.
fn failure(backend: &BackendShare, outcome: &Outcome) -> Option<String> {
    let BackendShare { name, failures, reason, is_lost, .. } = backend;
    let reason = match reason.as_ref()? {
        CoreError::Backend { reason, .. } | CoreError::BackendLost { reason, .. } => reason.clone(),
        other => other.to_string(),
    };
    let how_often = match failures {
        1 => format!("once ({reason})"),
        2 => format!("twice (first: {reason})"),
        n => format!("{n} times (first: {reason})"),
    };
    let what_next = match (&outcome.failure, is_lost) {
        // the failure of this one, or of another for which nobody stood in
        (Some(_), _) => "and the search ended early; all that was finished is kept",
        (None, true) => "and was not asked again; the CPU took over",
        (None, false) => "and the CPU took over there",
    };
    let safe = if outcome.is_partial() { "" } else { ": nothing is missing, nothing is counted twice" };
    Some(format!("{name} failed {how_often} {what_next}{safe}"))
}

/// The budget in ulps: a unit of a backend's is the breakpoints' spacing.
fn budget(outcome: &Outcome, problem: &Problem) -> Vec<BudgetLine> {
    let unit = power_of_two(-(problem.breakpoints().scale_bits() as i32));
    let lines = outcome.budget.lines();
    lines.iter().map(|&(name, bound)| BudgetLine { name, ulps: bound.get() * unit }).collect()
}

/// The `hardest` hardest cases, the hardest first; all of them, in the order given, for `None`.
fn kept(cases: &[HrCase], hardest: Option<usize>) -> Vec<&HrCase> {
    let mut order: Vec<&HrCase> = cases.iter().collect();
    let Some(most) = hardest else { return order };
    // ties by argument, so that the choice does not depend on anything else
    order.sort_by(|a, b| a.log2_distance.total_cmp(&b.log2_distance).then(a.argument.cmp(&b.argument)));
    order.truncate(most);
    order
}
