//! The table of jobs: every univariate function of IEEE 754-2019 over every number of a format,
//! cheap ones first.

use crate::run::Failure;

/// A format, and how near to a breakpoint a result must be to be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// as `tmd` names it, and the folder in `results/`
    pub(super) format: &'static str,
    /// ε is 2^-extra_bits ulp
    pub(super) extra_bits: u32,
    /// cases of a binade in the tables of the hardest
    pub(super) per_binade: u32,
    /// who searches, as `tmd solve --engine` takes it
    pub(super) engine: &'static str,
}

/// The formats, cheap ones first. So many extra bits make lists that are long enough to test a
/// library with. In x87 arcs take a third of the walk's time.
pub(super) const TARGETS: [Target; 5] = [
    Target { format: "binary16", extra_bits: 8, per_binade: 5, engine: "auto" },
    Target { format: "bfloat16", extra_bits: 6, per_binade: 5, engine: "auto" },
    Target { format: "binary32", extra_bits: 21, per_binade: 5, engine: "auto" },
    Target { format: "binary64", extra_bits: 45, per_binade: 20, engine: "auto" },
    Target { format: "x87", extra_bits: 56, per_binade: 20, engine: "arcs" },
];

/// A function over the numbers of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) function: &'static str,
    pub(super) target: Target,
    /// as `tmd solve --binades` takes them; all numbers if none are named
    pub(super) binades: Option<&'static str>,
    /// whether it is computed although it is there
    pub(super) again: bool,
}

/// The functions over all numbers, in the order of what they cost in binary64.
const FUNCTIONS: [&str; 35] = [
    "sqrt", "rsqrt", "cbrt", "exp2", "asin", "cospi", "tanh", "atanh", "acos", "acospi", "atan", "log2",
    "asinpi", "sinpi", "tanpi", "atanpi", "exp", "acosh", "cosh", "sinh", "asinh", "exp10", "log", "log10",
    "erf", "exp2m1", "logp1", "log2p1", "expm1", "exp10m1", "log10p1", "sin", "cos", "erfc", "tan",
];

/// What of sin, cos and tan is searched argument by argument in binary64: |x| < 2^13, with 0 and
/// all that is below normal numbers. `results/large` has the rest.
const SMALL_ARGUMENTS: &str = "-1074..13";

/// Functions that are searched over half a binade or a binade in x87.
const X87: [(&str, Option<&str>); 9] = [
    ("exp2", None),
    ("cbrt", None),
    ("rsqrt", None),
    ("sqrt", None),
    ("exp", Some("-1..1")),
    ("log", Some("-1..1")),
    ("log2", Some("-1..1")),
    ("sin", Some("-1..1")),
    ("cos", Some("-1..1")),
];

impl Job {
    /// The name of its files in `results/`, without an ending.
    pub(super) fn stem(&self) -> String {
        format!("{}/{}", self.target.format, self.function)
    }

    /// The name of its run directory.
    pub(super) fn run_name(&self) -> String {
        let again = if self.again { "-again" } else { "" };
        format!("{}-{}{again}", self.target.format, self.function)
    }

    /// The domain in words.
    pub(super) fn domain(&self) -> String {
        match self.binades.and_then(|binades| binades.split_once("..")) {
            None => "all numbers".into(),
            // from the least number on, 0 is among them
            Some((_, to)) if self.binades == Some(SMALL_ARGUMENTS) => format!("abs(x) < 2^{to}"),
            Some((from, to)) => format!("2^{from} ≤ abs(x) < 2^{to}"),
        }
    }

    /// The words that ask `tmd solve` or `tmd plan` for it.
    pub(super) fn question(&self) -> Vec<String> {
        let mut words = vec![self.function.into(), "--format".into(), self.target.format.into()];
        words.extend(["--extra-bits".into(), self.target.extra_bits.to_string()]);
        words.extend(self.binades.map(|binades| format!("--binades={binades}")));
        if self.target.engine != "auto" {
            words.extend(["--engine".into(), self.target.engine.into()]);
        }
        words
    }
}

/// All jobs, or those of the functions and formats named.
pub(super) fn jobs(functions: &[String], formats: &[String]) -> Result<Vec<Job>, Failure> {
    if let Some(name) = functions.iter().find(|name| !FUNCTIONS.contains(&name.as_str())) {
        return Err(Failure::usage(format!(
            "there is no result `{name}`; there are {}",
            FUNCTIONS.join(", ")
        )));
    }
    let known: Vec<&str> = TARGETS.iter().map(|target| target.format).collect();
    if let Some(name) = formats.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::usage(format!(
            "there are no results in `{name}`; there are {}",
            known.join(", ")
        )));
    }
    let is_asked = |names: &[String], name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    let mut jobs = Vec::new();
    for target in TARGETS.into_iter().filter(|target| is_asked(formats, target.format)) {
        let all: Vec<(&str, Option<&str>)> = match target.format {
            "x87" => X87.to_vec(),
            format => FUNCTIONS
                .map(|function| {
                    let is_large = format == "binary64" && ["sin", "cos", "tan"].contains(&function);
                    (function, is_large.then_some(SMALL_ARGUMENTS))
                })
                .to_vec(),
        };
        let asked = all.into_iter().filter(|(function, _)| is_asked(functions, function));
        jobs.extend(asked.map(|(function, binades)| Job { function, target, binades, again: false }));
    }
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        let all = jobs(&[], &[]).unwrap();
        assert_eq!(all.len(), 4 * FUNCTIONS.len() + X87.len());
        let mut names: Vec<String> = all.iter().map(Job::run_name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len(), "a job is there twice");
        let some = jobs(&["sin".into(), "exp".into()], &["binary64".into()]).unwrap();
        assert_eq!(some.iter().map(Job::stem).collect::<Vec<_>>(), ["binary64/exp", "binary64/sin"]);
        assert_eq!(some[1].domain(), "abs(x) < 2^13");
        assert_eq!(
            some[1].question(),
            ["sin", "--format", "binary64", "--extra-bits", "45", "--binades=-1074..13"]
        );
        let log = jobs(&["log".into()], &["x87".into()]).unwrap()[0];
        assert_eq!(
            log.question(),
            ["log", "--format", "x87", "--extra-bits", "56", "--binades=-1..1", "--engine", "arcs"]
        );
        // not the directory of the first time, which is complete
        assert_eq!(
            (some[0].run_name(), Job { again: true, ..some[0] }.run_name()),
            ("binary64-exp".into(), "binary64-exp-again".into())
        );
        assert_eq!(jobs(&["sine".into()], &[]).unwrap_err().exit_code(), 2);
        assert_eq!(jobs(&[], &["binary65".into()]).unwrap_err().exit_code(), 2);
    }
}
