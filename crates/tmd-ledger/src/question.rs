//! [`Question`]: what a run answers, and what it takes to ask it again.

use serde::{Deserialize, Serialize};
use tmd_driver::Solve;

use crate::record::sha256;

/// Everything on which the units of a run depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Name and version of the program.
    pub program: String,
    /// The function, as parsed.
    pub function: String,
    /// The format of arguments and results.
    pub format: String,
    /// `directed`, `nearest` or `all`.
    pub rounding: String,
    /// `m` with ε = 2^-m ulp.
    pub extra_bits: u32,
    /// The exponents asked for, first and one after the last; none if the whole domain is.
    pub binades: Option<[i32; 2]>,
    /// Core-seconds that a region may take, by the estimate; none if any may.
    pub limit_s: Option<f64>,
    /// Core-seconds of a unit, by the estimate.
    pub unit_s: f64,
    /// The engine, as the backend calls itself.
    pub engine: String,
    /// How the caller comes to this engine again: options of `tmd`, for example.
    pub options: Vec<String>,
    /// Whether one binade next to 0 stands for those below
    /// ([`Repeating`](tmd_driver::tmd_functions::Repeating)); runs of earlier versions do not say
    /// so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_repeating: bool,
    /// Whether large arguments stand for others, likewise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_repeating_at_large: bool,
}

/// Name and version of this program.
pub(crate) const PROGRAM: &str = concat!("tmd ", env!("CARGO_PKG_VERSION"));

impl Question {
    /// The question that `solve` asks, in units of so many core-seconds.
    pub fn new(solve: &Solve, unit_s: f64, options: Vec<String>) -> Self {
        Self {
            program: PROGRAM.into(),
            function: solve.function.name(),
            format: solve.problem.arguments().to_string(),
            rounding: solve.problem.breakpoints().to_string(),
            extra_bits: solve.problem.extra_bits(),
            binades: solve.binades.as_ref().map(|binades| [binades.start, binades.end]),
            limit_s: Some(solve.limit).filter(|limit| limit.is_finite()),
            unit_s,
            engine: solve.workers.name(),
            options,
            is_repeating: solve.function.near_zero().is_some(),
            is_repeating_at_large: solve.function.at_large().is_some(),
        }
    }

    /// Core-seconds that a region may take.
    pub fn limit(&self) -> f64 {
        self.limit_s.unwrap_or(f64::INFINITY)
    }

    /// What differs: `extra_bits is 12 there and 13 here`, where `there` is the other one.
    pub fn differences(&self, there: &Self) -> Vec<String> {
        self.fields()
            .into_iter()
            .zip(there.fields())
            .filter(|((_, here), (_, there))| here != there)
            .map(|((name, here), (_, there))| format!("{name} is {there} there and {here} here"))
            .collect()
    }

    /// Whether the cases must be the same, whoever searches, in whichever units.
    pub fn has_the_same_cases_as(&self, other: &Self) -> bool {
        let cases = |question: &Self| {
            let Self { function, format, rounding, extra_bits, .. } = question.clone();
            (function, format, rounding, extra_bits)
        };
        cases(self) == cases(other)
    }

    /// All fields but the options: the engine's name says what of them results depend on.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let option = |value: Option<String>| value.unwrap_or_else(|| "none".into());
        vec![
            ("program", self.program.clone()),
            ("function", self.function.clone()),
            ("format", self.format.clone()),
            ("rounding", self.rounding.clone()),
            ("extra_bits", self.extra_bits.to_string()),
            ("binades", option(self.binades.map(|[start, end]| format!("{start}..{end}")))),
            ("limit_s", option(self.limit_s.map(|limit| limit.to_string()))),
            ("unit_s", self.unit_s.to_string()),
            ("engine", self.engine.clone()),
            ("is_repeating", self.is_repeating.to_string()),
            ("is_repeating_at_large", self.is_repeating_at_large.to_string()),
        ]
    }

    /// The question as one line of JSON.
    pub(crate) fn to_json(&self) -> String {
        // strings and finite numbers only: serialization does not fail
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What the question's copies and results' files are marked with: the question and the plan.
    pub(crate) fn mark(&self, plan_sha256: &str) -> String {
        mark(&self.to_json(), plan_sha256)
    }
}

/// The same of a question that is a line of JSON.
pub(crate) fn mark(question: &str, plan_sha256: &str) -> String {
    sha256(format!("{question}\n{plan_sha256}\n").as_bytes())
}
