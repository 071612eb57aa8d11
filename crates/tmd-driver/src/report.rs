//! [`Report`]: what a search found, as one document; and its forms as table, CSV and `wc` list.

use std::fmt::Write as _;

use serde::Serialize;
use tmd_core::{ExactCase, HrCase, Phase, Problem};

use crate::{Outcome, Search};

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
    /// arguments searched: all of them unless the search was interrupted
    pub searched: u128,
    /// whether the search was interrupted
    pub partial: bool,
    /// Taylor pieces searched
    pub pieces: u64,
    /// arguments per domain, least and most
    pub domain_sizes: [u64; 2],
    /// cases expected if results were spread evenly
    pub expected_cases: f64,
    /// the cases, by argument
    pub cases: Vec<Case>,
    /// cases found, of which `--hardest` may have kept a part
    pub cases_found: usize,
    /// arguments whose result is a breakpoint
    pub exact_cases: Vec<Exact>,
    /// arguments that no precision tried could decide
    pub undecided: Vec<Undecided>,
    /// largest error bound of all pieces, line by line
    pub error_budget: Vec<BudgetLine>,
    /// counts and times, summed over threads
    pub phases: Vec<PhaseLine>,
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

/// Significant bits of arguments and results.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Precisions {
    pub arguments: u32,
    pub results: u32,
}

/// One case.
#[derive(Clone, Debug, Serialize)]
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
    pub breakpoint: String,
    /// the numbers of the result format next below and above f(x)
    pub bracket: [String; 2],
}

/// One exact case.
#[derive(Clone, Debug, Serialize)]
pub struct Exact {
    /// the argument
    pub x: String,
    /// the kind of breakpoint
    pub kind: String,
    /// the value
    pub value: String,
}

/// One undecided argument.
#[derive(Clone, Debug, Serialize)]
pub struct Undecided {
    /// the argument
    pub x: String,
    /// bits to which its result agrees with a breakpoint
    pub bits: u32,
}

/// One line of the error budget.
#[derive(Clone, Debug, Serialize)]
pub struct BudgetLine {
    /// name, see docs/algorithms.md
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
    /// The report of a search; `hardest` keeps only that many cases, the hardest ones.
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
            engine: search.backend.name(),
            arguments: outcome.arguments,
            searched: outcome.searched,
            partial: outcome.is_partial(),
            pieces: outcome.pieces,
            domain_sizes: if outcome.pieces == 0 { [0, 0] } else { outcome.domain_sizes.into() },
            expected_cases: problem
                .breakpoints()
                .expected_cases(outcome.searched as f64, problem.extra_bits()),
            cases: kept(&outcome.cases, hardest).into_iter().map(Case::from).collect(),
            cases_found: outcome.cases.len(),
            exact_cases: outcome.exact_cases.iter().map(Exact::from).collect(),
            undecided: outcome
                .undecided
                .iter()
                .map(|(x, bits)| Undecided { x: x.to_string(), bits: *bits })
                .collect(),
            error_budget: budget(outcome, problem),
            phases: phases.map(|(name, phase)| PhaseLine::new(name, &phase)).collect(),
            elapsed_s: outcome.elapsed.as_secs_f64(),
        }
    }

    /// The document as JSON, indented.
    pub fn to_json(&self) -> String {
        // strings and numbers only: serialisation cannot fail; should it ever, the error is the document
        let mut text =
            serde_json::to_string_pretty(self).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
        text.push('\n');
        text
    }

    /// One line per case; exact and undecided arguments follow with their kind.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = ["x", "kind", "sign", "log2_dist", "identical_bits", "breakpoint", "lower", "upper"];
        let mut rows = vec![header.map(String::from)];
        for case in &self.cases {
            let [lower, upper] = case.bracket.clone();
            rows.push([
                case.x.clone(),
                case.kind.clone(),
                case.sign.to_string(),
                case.log2_dist.to_string(),
                case.identical_bits.to_string(),
                case.breakpoint.clone(),
                lower,
                upper,
            ]);
        }
        for exact in &self.exact_cases {
            let kind = format!("exact {}", exact.kind);
            let none = String::new;
            rows.push([exact.x.clone(), kind, none(), none(), none(), exact.value.clone(), none(), none()]);
        }
        for undecided in &self.undecided {
            let none = String::new;
            let bits = undecided.bits.to_string();
            rows.push([
                undecided.x.clone(),
                "undecided".into(),
                none(),
                none(),
                bits,
                none(),
                none(),
                none(),
            ]);
        }
        // writing to memory does not fail
        let written = rows.iter().try_for_each(|row| writer.write_record(row));
        debug_assert!(written.is_ok());
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// One argument per line with `#` comments, as CORE-MATH's worst-case files.
    pub fn to_wc(&self) -> String {
        let mut text = String::new();
        // writing to a String does not fail
        let _ = writeln!(text, "# {} on [{}, {})", self.function, self.domain.from, self.domain.to);
        let _ = writeln!(
            text,
            "# {} arguments of {} bits, results of {} bits, rounding {}, distance < 2^-{} ulp, {} cases{}",
            self.searched,
            self.precisions.arguments,
            self.precisions.results,
            self.rounding,
            self.extra_bits,
            self.cases.len(),
            if self.partial { ", PARTIAL" } else { "" }
        );
        for case in &self.cases {
            let _ = writeln!(text, "{} # {}, sign {}, {} identical bits", case.x, case.kind, case.sign, case.identical_bits);
        }
        if !self.exact_cases.is_empty() {
            let _ = writeln!(text, "# exact");
        }
        for exact in &self.exact_cases {
            let _ = writeln!(text, "{}", exact.x);
        }
        for undecided in &self.undecided {
            let _ = writeln!(text, "# undecided: {}", undecided.x);
        }
        text
    }

    /// The cases for people to read.
    pub fn to_table(&self) -> String {
        let mut text = String::new();
        let width = self.cases.iter().map(|case| case.x.len()).max().unwrap_or(0).max(8);
        let _ = writeln!(text, "{:<width$}  {:<8}  sign  log2(dist)  identical bits", "x", "near");
        for case in &self.cases {
            let _ = writeln!(
                text,
                "{:<width$}  {:<8}  {:^4}  {:>10.4}  {:>14}",
                case.x, case.kind, case.sign, case.log2_dist, case.identical_bits
            );
        }
        for exact in &self.exact_cases {
            let _ = writeln!(text, "{:<width$}  exact {}, f(x) = {}", exact.x, exact.kind, exact.value);
        }
        for undecided in &self.undecided {
            let _ = writeln!(text, "{:<width$}  undecided at {} bits", undecided.x, undecided.bits);
        }
        text
    }

    /// A few lines: counts, times, budget.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let count = self.arguments as f64;
        let _ = writeln!(
            text,
            "{}: {} case{} with distance < 2^-{} ulp ({}), {:.0} expected; {} exact{}",
            self.function,
            self.cases_found,
            if self.cases_found == 1 { "" } else { "s" },
            self.extra_bits,
            self.rounding,
            self.expected_cases,
            self.exact_cases.len(),
            if self.undecided.is_empty() {
                String::new()
            } else {
                format!("; {} undecided", self.undecided.len())
            },
        );
        let share = if self.partial {
            format!(", of which {} were searched: PARTIAL", self.searched)
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{} arguments (2^{:.1}) of {} bits, results of {} bits{share}",
            self.arguments,
            count.log2(),
            self.precisions.arguments,
            self.precisions.results
        );
        let [least, most] = self.domain_sizes;
        let sizes = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let pieces = match self.pieces {
            0 => "all arguments one by one".to_string(),
            pieces => format!("{pieces} pieces, domains of {sizes} arguments"),
        };
        let _ = writeln!(text, "{:.3} s, {}, {pieces}", self.elapsed_s, self.engine);
        let total: f64 = self.phases.iter().map(|phase| phase.seconds).sum();
        for phase in &self.phases {
            let _ = writeln!(
                text,
                "  {:<9}{:>14} in{:>14} out{:>12.3} s{:>6.1} %",
                phase.name,
                phase.domains_in,
                phase.domains_out,
                phase.seconds,
                100.0 * phase.seconds / total.max(1e-9)
            );
        }
        let lines = self.error_budget.iter().filter(|line| line.ulps > 0.0);
        let budget: Vec<_> = lines.map(|line| format!("{} 2^{:.1}", line.name, line.ulps.log2())).collect();
        if !budget.is_empty() {
            let _ = writeln!(text, "  error budget in ulps: {}", budget.join(", "));
        }
        text
    }
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

/// The budget in ulps: a unit of a backend's is the breakpoints' spacing.
fn budget(outcome: &Outcome, problem: &Problem) -> Vec<BudgetLine> {
    let unit = 2f64.powi(-(problem.breakpoints().scale_bits() as i32));
    let lines = outcome.budget.lines();
    lines.iter().map(|&(name, bound)| BudgetLine { name, ulps: bound.get() * unit }).collect()
}

/// The `hardest` hardest cases, in the order given; all of them for `None`.
fn kept(cases: &[HrCase], hardest: Option<usize>) -> Vec<&HrCase> {
    let Some(most) = hardest.filter(|&most| most < cases.len()) else { return cases.iter().collect() };
    let mut order: Vec<&HrCase> = cases.iter().collect();
    // ties by argument, so that the choice does not depend on anything else
    order.sort_by(|a, b| a.log2_distance.total_cmp(&b.log2_distance).then(a.argument.cmp(&b.argument)));
    order.truncate(most);
    order.sort_by_key(|case| case.argument);
    order
}

/// One argument's hardness in words.
pub fn check_text(function: &str, case: &HrCase) -> String {
    format!(
        "{function} at x = {}\nlies {} the {} {}: distance 2^{:.4} ulp, {} identical bits after the rounding bit\nbetween {} and {}\n",
        case.argument,
        if case.above { "above" } else { "below" },
        case.kind,
        case.breakpoint,
        case.log2_distance,
        case.identical_bits,
        case.lower,
        case.upper
    )
}
