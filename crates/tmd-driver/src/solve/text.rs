//! A plan for people to read, and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::{PlannedRegion, Solve, SolvePlan, Totals, Treatment};
use crate::{
    certificate::{ClassRecord, RegionRecord},
    coverage::count as power,
    plan::{RangePlan, Rival, WindowPlan, calibration_lines, duration},
};

/// The plan as a document.
#[derive(Serialize)]
struct Document<'a> {
    function: String,
    format: String,
    rounding: String,
    extra_bits: u32,
    engine: String,
    regions: Vec<RegionPlan<'a>>,
    units: usize,
    totals: Totals,
    calibration: f64,
    #[serde(rename = "family_pace")]
    family_calibration: f64,
}

#[derive(Serialize)]
struct RegionPlan<'a> {
    #[serde(flatten)]
    region: RegionRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a RangePlan>,
    /// the function that is searched, if it is the inverse
    #[serde(skip_serializing_if = "Option::is_none")]
    inverse: Option<&'a str>,
}

impl SolvePlan {
    /// The plan as JSON.
    pub fn to_json(&self, solve: &Solve) -> String {
        let document = Document {
            function: solve.function.name(),
            format: solve.problem.arguments().to_string(),
            rounding: solve.problem.breakpoints().to_string(),
            extra_bits: solve.problem.extra_bits(),
            engine: solve.workers.name(),
            regions: self
                .regions
                .iter()
                .map(|planned| RegionPlan {
                    region: RegionRecord::from(planned),
                    plan: planned.treatment.plan(),
                    inverse: planned.treatment.inverse(),
                })
                .collect(),
            units: self.units.len(),
            totals: self.totals(solve),
            calibration: self.calibration,
            family_calibration: self.family_calibration,
        };
        // strings and numbers only: serialization cannot fail
        serde_json::to_string_pretty(&document).map_or_else(|error| error.to_string(), |text| text + "\n")
    }

    /// What it comes to, in a few lines.
    pub fn summary(&self, solve: &Solve) -> String {
        self.totals(solve).describe(solve)
            + &calibration_lines(self.calibration, self.family_calibration)
            + &self.windows()
    }

    /// How the windows of searches all at once are cut: a line for each kind.
    fn windows(&self) -> String {
        let mut kinds: Vec<(&str, WindowPlan, f64)> = Vec::new();
        let searched = self.regions.iter().filter_map(|planned| match &planned.treatment {
            Treatment::Searched { plan, .. } => Some(plan),
            _ => None,
        });
        for plan in searched {
            let Some(windows) = &plan.windows else { continue };
            let is_known =
                |kind: &&mut (&str, WindowPlan, f64)| kind.0 == plan.engine && kind.1.is_alike(windows);
            match kinds.iter_mut().find(is_known) {
                Some((_, narrowest, widest)) => {
                    narrowest.log2_width = narrowest.log2_width.min(windows.log2_width);
                    *widest = widest.max(windows.log2_width);
                }
                None => kinds.push((&plan.engine, windows.clone(), windows.log2_width)),
            }
        }
        kinds.iter().map(|(engine, windows, widest)| windows.describe(engine, *widest)).collect()
    }

    /// The plan as a table: what it comes to, then a line per region, or for several that are
    /// alike.
    pub fn to_table(&self, solve: &Solve) -> String {
        let mut text = self.summary(solve);
        let _ = writeln!(
            text,
            "\n{:<24} {:<24} {:>9}  {:>9} {:>11}  what",
            "from", "to", "arguments", "N", "core time"
        );
        // neighbors that nothing is done with, and about which the same is known, in one line
        let is_same = |a: &PlannedRegion, b: &PlannedRegion| {
            a.treatment.plan().is_none() && b.treatment.plan().is_none() && a.describe() == b.describe()
        };
        for group in self.regions.chunk_by(is_same) {
            let [planned, ..] = group else { continue };
            let last = group.last().unwrap_or(planned);
            let (size, time) = planned.treatment.plan().map_or_else(Default::default, |plan| {
                (plan.domain_size.to_string(), duration(plan.core_seconds))
            });
            let _ = writeln!(
                text,
                "{:<24} {:<24} {:>9}  {size:>9} {time:>11}  {}",
                planned.region.first().to_string(),
                last.region.last().to_string(),
                power(group.iter().map(|planned| planned.region.arguments()).sum()),
                planned.describe(),
            );
        }
        text + "\nN: arguments per domain of the search; core time: on one core\n"
    }
}

impl Totals {
    /// What there is to do, in three lines.
    fn describe(&self, solve: &Solve) -> String {
        let shares = [
            ("searched", self.searched),
            ("follow by symmetry", self.followed),
            ("known without a search", self.known),
            ("without a value", self.undefined),
            ("NOT COVERED", self.uncovered),
        ];
        let shares: Vec<String> =
            shares.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{} {what}", power(*n))).collect();
        let mut text = format!("{} arguments: {}\n", power(self.arguments), shares.join(", "));
        let seconds = self.core_seconds;
        let threads = solve.workers.threads().max(1);
        let _ = writeln!(
            text,
            "about {:.*} cases; expected {} on one core, {} on {threads}",
            if self.expected_cases < 100.0 { 3 } else { 0 },
            self.expected_cases,
            duration(seconds),
            duration(seconds / threads as f64),
        );
        if let Some(rule) = solve.function.exact_rule() {
            let _ = writeln!(text, "exact results: {rule}");
        }
        text
    }
}

impl PlannedRegion {
    fn describe(&self) -> String {
        match (&self.treatment, ClassRecord::from(&self.region.class)) {
            (Treatment::Searched { plan, inverse: Some(inverse), .. }, _) => {
                let results = power(plan.arguments.into());
                let rival = plan
                    .rival
                    .as_ref()
                    .map_or_else(String::new, |rival| format!("; the function itself {}", rival.describe()));
                format!("search {inverse} over {results} results by {}{rival}", plan.engine)
            }
            (Treatment::Searched { plan, with, .. }, _) if plan.rival.is_some() => {
                let how = match (with, plan.is_family) {
                    (Some(leader), _) => format!("with region {leader} all at once "),
                    (None, true) => "all at once ".into(),
                    (None, false) => String::new(),
                };
                let rival = plan.rival.as_ref().map_or_else(String::new, Rival::describe);
                format!("search {how}by {}; {rival}", plan.engine)
            }
            (Treatment::Searched { plan, .. }, _) => format!("search by {}", plan.engine),
            (Treatment::OutOfReach { .. } | Treatment::Stranded, _) => {
                "NOT COVERED: a search would take too long".into()
            }
            (_, known) => known.to_string(),
        }
    }
}

impl Treatment {
    fn plan(&self) -> Option<&RangePlan> {
        match self {
            Self::Searched { plan, .. } | Self::OutOfReach { plan } => Some(plan),
            Self::Known | Self::Refused | Self::Followed | Self::Stranded => None,
        }
    }

    /// The inverse function, if it is searched.
    fn inverse(&self) -> Option<&str> {
        match self {
            Self::Searched { inverse, .. } => inverse.as_deref(),
            _ => None,
        }
    }
}

impl std::fmt::Display for ClassRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Searched => f.write_str("searched"),
            Self::Mirrored { parity } => write!(f, "as at -x: the function is {parity}"),
            Self::Translated { rule } => write!(f, "follows from what is known at other arguments: {rule}"),
            Self::Between { below: Some(below), above: Some(above) } => write!(f, "{below} < f(x) < {above}"),
            Self::Between { below: Some(below), above: None } => {
                write!(f, "f(x) > {below}: beyond all numbers")
            }
            Self::Between { below: None, above: Some(above) } => {
                write!(f, "f(x) < {above}: beyond all numbers")
            }
            Self::Between { below: None, above: None } => f.write_str("no breakpoint at all"),
            Self::Beside { line, side } => {
                let (relation, next) = if side == "above" { ("<", "above") } else { (">", "below") };
                write!(f, "{line} {relation} f(x) {relation} the next breakpoint {next}")
            }
            Self::Exact { value, kind } => write!(f, "f(x) = {value}, a {kind}"),
            Self::Undefined => f.write_str("no real value"),
            Self::Refused { reason } => write!(f, "NOT COVERED: {reason}"),
            Self::OutOfReach { .. } => f.write_str("NOT COVERED: a search would take too long"),
        }
    }
}
