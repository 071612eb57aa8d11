//! The report as `wc` list and table.

use std::{borrow::Cow, fmt::Write as _};

use tmd_core::HrCase;

use super::{
    BackendLine, CONFIRMATION, Case, KernelLine, LEGEND, PhaseLine, Precisions, Report, rounding_in_words,
};
use crate::confirm::BEYOND_PRECISION;

impl Report {
    /// One argument per line with `#` comments, as CORE-MATH's worst-case files.
    pub fn to_wc(&self) -> String {
        let mut text = String::new();
        // writing to a String does not fail
        let _ = writeln!(text, "# {} on [{}, {})", self.function, self.domain.from, self.domain.to);
        let Self { searched, precisions: Precisions { arguments, results }, extra_bits, cases_found, .. } =
            self;
        let (rounding, kept) = (rounding_in_words(&self.rounding), self.cases.len());
        let kept = if kept < *cases_found { format!(", the {kept} hardest kept") } else { String::new() };
        let partial = if self.partial { ", PARTIAL" } else { "" };
        let _ = writeln!(
            text,
            "# {searched} arguments of {arguments} bits, results of {results} bits, rounding {rounding}, \
             distance < 2^-{extra_bits} ulp, {cases_found} cases{kept}{partial}"
        );
        for known in self.known_lines() {
            let _ = writeln!(text, "# {known}");
        }
        for Case { x, kind, sign, identical_bits, .. } in &self.cases {
            let _ = writeln!(text, "{x} # {kind}, sign {sign}, {identical_bits} identical bits");
        }
        if !self.exact_cases.is_empty() {
            let _ = writeln!(text, "# exact");
        }
        if let Some(left_out) = self.exact_left_out() {
            let _ = writeln!(text, "# {left_out}");
        }
        for exact in &self.exact_cases {
            let _ = writeln!(text, "{}", exact.x);
        }
        for undecided in &self.undecided {
            let _ = writeln!(text, "# undecided: {}", undecided.x);
        }
        text
    }

    /// What is said of exact cases that are not listed.
    fn exact_left_out(&self) -> Option<String> {
        let listed = self.exact_cases.len() as u64;
        (listed < self.exact_found).then(|| format!("{} exact cases, too many to list", self.exact_found))
    }

    /// What is said of arguments that were not searched.
    fn known_lines(&self) -> impl Iterator<Item = String> {
        self.known.iter().map(|known| {
            format!(
                "not searched, as all roundings are known: {} arguments from {} to {}: {}",
                known.arguments, known.first, known.last, known.because
            )
        })
    }

    /// The cases for people to read.
    pub fn to_table(&self) -> String {
        let (mut text, width) = case_table(&self.cases, "x");
        for exact in &self.exact_cases {
            let _ = writeln!(text, "{:<width$}  exact {}, f(x) = {}", exact.x, exact.kind, exact.value);
        }
        if let Some(left_out) = self.exact_left_out() {
            let _ = writeln!(text, "{left_out}");
        }
        for undecided in &self.undecided {
            let _ = writeln!(text, "{:<width$}  undecided at {} bits", undecided.x, undecided.bits);
        }
        text
    }

    /// A few lines: counts, times, budget, and what the columns of the table say.
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
            rounding_in_words(&self.rounding),
            self.expected_cases,
            self.exact_found,
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
        for known in self.known_lines() {
            let _ = writeln!(text, "  {known}");
        }
        let [least, most] = self.domain_sizes;
        let sizes = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let pieces = match self.pieces {
            0 => "all arguments one by one".to_string(),
            pieces => format!("{pieces} pieces, domains of {sizes} arguments"),
        };
        let _ = writeln!(text, "{:.3} s, {}, {pieces}", self.elapsed_s, self.engine);
        let total: f64 = self.phases.iter().map(|phase| phase.seconds).sum();
        for PhaseLine { name, domains_in, domains_out, seconds, .. } in &self.phases {
            let percent = 100.0 * seconds / total.max(1e-9);
            let _ = writeln!(
                text,
                "  {name:<9}{domains_in:>14} in{domains_out:>14} out{seconds:>12.3} s{percent:>6.1} %"
            );
        }
        self.machines(&mut text);
        let lines = self.error_budget.iter().filter(|line| line.ulps > 0.0);
        let budget: Vec<_> = lines.map(|line| format!("{} 2^{:.1}", line.name, line.ulps.log2())).collect();
        if !budget.is_empty() {
            let _ = writeln!(text, "  error budget in ulps: {}", budget.join(", "));
        }
        if self.cases.is_empty() { text } else { text + "\n" + LEGEND }
    }

    /// Who searched how much, where that is a question; the devices' kernels; what failed.
    fn machines(&self, text: &mut String) {
        let is_shared = self.backends.iter().filter(|backend| backend.name != CONFIRMATION).count() > 1;
        if is_shared {
            let width = self.backends.iter().map(|backend| backend.name.len()).max().unwrap_or(0);
            for BackendLine { name, parts, arguments, share, seconds, busy, .. } in &self.backends {
                let s = if *parts == 1 { " " } else { "s" };
                let (arguments, share) = ((*arguments.max(&1) as f64).log2(), 100.0 * share);
                let busy = busy.map_or_else(String::new, |share| format!(", {:.0} % busy", 100.0 * share));
                let _ = writeln!(
                    text,
                    "  {name:<width$}{parts:>9} part{s}, 2^{arguments:.1} arguments{share:>6.1} %{seconds:>12.3} s{busy}"
                );
            }
        }
        let width = self.kernels.iter().map(|kernel| kernel.name.len()).max().unwrap_or(0);
        for KernelLine { name, invocations, seconds } in &self.kernels {
            let _ = writeln!(text, "  kernel {name:<width$}{invocations:>9} times{seconds:>12.3} s");
        }
        for failure in &self.failures {
            let _ = writeln!(text, "  {failure}");
        }
    }
}

/// Cases for people to read, below the names of the columns, `head` first; and the width of the
/// first column.
pub(crate) fn case_table<'a>(
    cases: impl IntoIterator<Item = &'a Case> + Clone,
    head: &str,
) -> (String, usize) {
    let width = cases.clone().into_iter().map(|case| case.x.len()).max().unwrap_or(0).max(8);
    let mut text = format!("{head:<width$}  {:<8}  sign  log2(distance)  identical bits\n", "near");
    for Case { x, kind, sign, log2_dist, identical_bits, .. } in cases {
        // writing to a String does not fail
        let _ = writeln!(text, "{x:<width$}  {kind:<8}  {sign:^4}  {log2_dist:>14.4}  {identical_bits:>14}");
    }
    (text, width)
}

/// A text from a file, as a line shows it: without what would speak to a terminal, end the line, or
/// write from right to left. These come as `\u{1b}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if !text.chars().any(is_hidden) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain.into()
}

/// One argument's hardness in words.
pub fn check_text(function: &str, case: &HrCase) -> String {
    let distance = if case.log2_distance < f64::from(BEYOND_PRECISION) {
        format!(
            "beyond all precision: distance more than 0, and less than 2^{:.0} ulp",
            case.log2_distance.ceil()
        )
    } else {
        format!(
            "distance 2^{:.4} ulp, {} identical bits after the rounding bit (all 0 or all 1)",
            case.log2_distance, case.identical_bits
        )
    };
    format!(
        "{function} at x = {}\nlies {} the {} {}: {distance}\nbetween {} and {}\n",
        case.argument,
        if case.above { "above" } else { "below" },
        case.kind,
        case.breakpoint,
        case.lower,
        case.upper
    )
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn texts_for_terminals() {
        assert_eq!(plain("host:1"), "host:1");
        assert_eq!(plain("h\u{1b}[2Jö\n\u{202e}"), r"h\u{1b}[2Jö\n\u{202e}");
    }
}
