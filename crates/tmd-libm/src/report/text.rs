//! The report as text.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

use super::{Example, ModeReport, Report};
use crate::FlagPolicy;

/// Binades with wrong results that are listed, those with the most.
const BINADES: usize = 8;
/// Examples of each finding.
const EXAMPLES: usize = 3;

impl Report {
    /// The document as text: a table of the modes, a table of the binades with the most wrong
    /// results, and a line for each finding.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // writing to a string does not fail
        let _ = self.write_text(&mut text);
        text
    }

    fn write_text(&self, text: &mut String) -> fmt::Result {
        let Self { function, format, symbol, arguments, .. } = self;
        writeln!(text, "{symbol} of {} as {function} in {format}", self.library_in_words())?;
        let of_lists =
            if self.lists.is_empty() { String::new() } else { format!(" of {}", self.lists.join(" and ")) };
        if arguments.exhaustive > 0 {
            writeln!(text, "arguments: all {}; exact results at {}", arguments.exhaustive, arguments.exact)?;
        } else {
            writeln!(
                text,
                "arguments: {} hard cases{of_lists}, {} special, {} random (seed {}); exact results at {}",
                arguments.hard, arguments.special, arguments.random, self.seed, arguments.exact
            )?;
        }
        if self.partial {
            writeln!(text, "INTERRUPTED: what follows is of these arguments only")?;
        }
        if let Some(speed) = self.speed {
            let millions = speed.calls_per_second / 1e6;
            writeln!(
                text,
                "speed: {millions:.1} million calls per second, {:.1} ns each",
                speed.nanoseconds
            )?;
        }
        writeln!(
            text,
            "\n{:<8} {:>10} {:>9} {:>9} {:>11} {:>9} {:>6}  largest error, ulps",
            "rounding", "calls", "wrong", "of hard", "wrong flags", "changed", "died"
        )?;
        for mode in &self.modes {
            write!(
                text,
                "{:<8} {:>10} {:>9} {:>9} {:>11} {:>9} {:>6}  ",
                mode.rounding,
                mode.calls,
                mode.wrong,
                mode.wrong_hard,
                mode.wrong_flags,
                mode.changed,
                mode.died
            )?;
            match &mode.largest_error {
                Some(largest) => writeln!(text, "{} at {}", ulps(largest.ulps), largest.x)?,
                None => writeln!(text, "-")?,
            }
        }
        self.write_binades(text)?;
        let mut findings = String::new();
        for mode in &self.modes {
            mode.write_findings(&mut findings)?;
        }
        for death in &self.not_reproduced {
            writeln!(findings, "a process {death}, and did not with the same calls one by one")?;
        }
        if !findings.is_empty() {
            writeln!(text, "\n{}", findings.trim_end())?;
        }
        let compared = match self.flags {
            FlagPolicy::Ieee => "results and flags",
            FlagPolicy::C => "results and flags other than inexact",
            FlagPolicy::None => "results",
        };
        let verdict = match (self.passed, self.partial) {
            (true, false) => format!("passed: all {compared} are those of IEEE 754"),
            (true, true) => format!("nothing wrong so far: all {compared} are those of IEEE 754"),
            (false, _) => "FAILED".to_owned(),
        };
        writeln!(text, "\n{verdict}")
    }

    fn write_binades(&self, text: &mut String) -> fmt::Result {
        // wrong results by mode
        let mut binades = BTreeMap::<(Option<i32>, Option<char>), Vec<u64>>::new();
        for (i, mode) in self.modes.iter().enumerate() {
            for binade in mode.binades.iter().filter(|binade| binade.wrong > 0) {
                let counts = binades.entry((binade.exponent, binade.sign)).or_default();
                counts.resize(self.modes.len(), 0);
                counts[i] = binade.wrong;
            }
        }
        if binades.is_empty() {
            return Ok(());
        }
        let mut worst: Vec<_> = binades.iter().collect();
        worst.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
        worst.truncate(BINADES);
        worst.sort_by_key(|(place, _)| **place);
        write!(text, "\n{:<24}", "wrong results by binade")?;
        for mode in &self.modes {
            write!(text, " {:>9}", mode.rounding)?;
        }
        writeln!(text)?;
        for ((exponent, sign), counts) in worst {
            let place = match (exponent, sign) {
                (Some(e), Some('-')) => format!("-2^{} < x <= -2^{e}", e + 1),
                (Some(e), _) => format!("2^{e} <= x < 2^{}", e + 1),
                _ => "zeros, infinities, NaN".to_owned(),
            };
            write!(text, "{place:<24}")?;
            for i in 0..self.modes.len() {
                write!(text, " {:>9}", counts.get(i).unwrap_or(&0))?;
            }
            writeln!(text)?;
        }
        if binades.len() > BINADES {
            writeln!(text, "and {} more binades: --output json lists all", binades.len() - BINADES)?;
        }
        Ok(())
    }
}

impl ModeReport {
    fn write_findings(&self, text: &mut String) -> fmt::Result {
        let mode = self.rounding;
        for Example { x, result, expected, ulps: error, .. } in self.wrong_results.iter().take(EXAMPLES) {
            let (result, expected) =
                (result.as_deref().unwrap_or_default(), expected.as_deref().unwrap_or_default());
            write!(text, "{mode}: f({x}) = {result}, should be {expected}")?;
            match error {
                Some(error) => writeln!(text, " (error {} ulps)", ulps(*error))?,
                None => writeln!(text)?,
            }
        }
        more(text, mode, "wrong results", self.wrong, self.wrong_results.len())?;
        for flag in &self.flags {
            for (what, count, examples) in
                [("missing", flag.missing, &flag.missing_at), ("spurious", flag.spurious, &flag.spurious_at)]
            {
                if count > 0 {
                    let first = examples.first().map(|e| format!("{} ({})", e.x, e.text)).unwrap_or_default();
                    writeln!(text, "{mode}: {} is {what} after {count} calls, first at {first}", flag.flag)?;
                }
            }
        }
        for (what, count, examples) in
            [("changed", self.changed, &self.changes), ("died", self.died, &self.deaths)]
        {
            for example in examples.iter().take(EXAMPLES) {
                writeln!(text, "{mode}: f({}): {}", example.x, example.text)?;
            }
            let what = if what == "died" {
                "calls that end the process"
            } else {
                "calls that change the environment"
            };
            more(text, mode, what, count, examples.len())?;
        }
        if self.not_made > 0 {
            writeln!(
                text,
                "{mode}: {} calls were not made after so many that ended the process",
                self.not_made
            )?;
        }
        if self.undecided > 0 {
            writeln!(
                text,
                "{mode}: the right result of {} calls is not known, and not compared",
                self.undecided
            )?;
        }
        Ok(())
    }
}

fn more(text: &mut String, mode: &str, what: &str, count: u64, listed: usize) -> fmt::Result {
    let listed = listed.min(EXAMPLES) as u64;
    if count > listed { writeln!(text, "{mode}: {} more {what}", count - listed) } else { Ok(()) }
}

/// An enclosure as the digits that both ends share, rounded up in the last one: the error is that
/// at most, and less by a unit of that digit at most.
fn ulps([lo, hi]: [f64; 2]) -> String {
    if hi >= 1e6 {
        let unit = 10f64.powf(hi.log10().floor() - 3.0);
        return format!("<= {:.3e}", ((hi / unit).next_up()).ceil() * unit);
    }
    let scale = 1e4;
    let up = (hi * scale).ceil() / scale;
    if lo == hi && up == hi { format!("{hi}") } else { format!("<= {up:.4}") }
}

#[cfg(test)]
mod tests {
    use super::ulps;

    #[test]
    fn errors_are_rounded_up() {
        assert_eq!(ulps([0.499_91, 0.499_92]), "<= 0.5000");
        assert_eq!(ulps([0.500_01, 0.500_02]), "<= 0.5001");
        assert_eq!(ulps([0.0, 0.0]), "0");
        assert_eq!(ulps([1.0, 1.0]), "1");
        assert_eq!(ulps([1e300, 1.2341e301]), "<= 1.235e301");
        assert_eq!(ulps([8_388_607.0, 8_388_608.0]), "<= 8.389e6");
    }
}
