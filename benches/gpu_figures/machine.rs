//! What the figures were measured on: the facts that stand above them.

use std::{
    fs,
    process::Command,
    thread::available_parallelism,
    time::{SystemTime, UNIX_EPOCH},
};

use tmd_gpu::{AdapterSummary, Gpu, Shape};

use crate::{
    arguments::Arguments,
    table::{Table, count},
};

/// Year, month and day in UTC, as `2026-11-21`.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1970-01-01, in the Gregorian calendar.
fn date(days: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

/// Letters and digits in lower case, everything else one hyphen: a folder's name.
pub(crate) fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() { "unnamed".into() } else { words.join("-") }
}

/// The facts.
pub(crate) fn facts(arguments: &Arguments, gpu: &Gpu, shape: &Shape) -> Table {
    let AdapterSummary { name, api, kind, driver, features, .. } = gpu.summary();
    let mut table = Table::new("What was measured, and where", &["fact", "value"]);
    let mut fact = |name: &str, value: String| table.row(vec![name.into(), value]);
    fact("date", today());
    fact("command", command(std::env::args().skip(1)));
    fact("adapter", format!("{name} ({kind})"));
    fact("driver", driver.clone());
    fact("api", api.clone());
    let native = if features.native_integers { "native and emulated" } else { "emulated only" };
    fact("64-bit integers", native.into());
    let clock =
        if features.timestamps { "timestamps of the device" } else { "none: the device has no timestamps" };
    fact("kernel times", clock.into());
    let chosen =
        format!("{} invocations in workgroups of {}", count(shape.invocations.into()), shape.workgroup);
    fact("sizes (tuned unless software)", chosen);
    fact("CPU", cpu());
    fact("cores", available_parallelism().map_or(1, usize::from).to_string());
    fact("commit", commit(arguments));
    table
}

/// The command that brings these figures again, from what this program was told.
fn command(mut words: impl Iterator<Item = String>) -> String {
    let mut command = vec!["cargo xtask bench-gpu".to_owned()];
    while let Some(word) = words.next() {
        // where the figures go is no part of them, and a path of one machine
        match word.split_once('=').map_or(word.as_str(), |(option, _)| option) {
            "--out" | "--record" if word.contains('=') => {}
            "--out" | "--record" => drop(words.next()),
            _ => command.push(word),
        }
    }
    format!("`{}`", command.join(" "))
}

/// The processor's name, where the system tells it in a file.
fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into())
}

fn commit(arguments: &Arguments) -> String {
    let git = |words: &[&str]| {
        let output =
            Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let told = git(&["rev-parse", "--short", "HEAD"]).map(|hash| {
        let is_clean =
            git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|text| text.is_empty());
        if is_clean { hash } else { format!("{hash} with changes") }
    });
    arguments.commit.clone().or(told).unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (11_016, "2000-02-29"),
            (20_454, "2026-01-01"),
            (20_818, "2026-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), text, "{days}");
        }
    }

    #[test]
    fn commands() {
        let of = |line: &str| command(line.split_whitespace().map(Into::into));
        assert_eq!(of(""), "`cargo xtask bench-gpu`");
        assert_eq!(
            of("--record a --quick --out=b.md --adapter 0 --out c.md"),
            "`cargo xtask bench-gpu --quick --adapter 0`"
        );
    }

    #[test]
    fn slugs() {
        assert_eq!(slug("NVIDIA H200"), "nvidia-h200");
        assert_eq!(slug("llvmpipe (LLVM 15.0.6, 256 bits)"), "llvmpipe-llvm-15-0-6-256-bits");
        assert_eq!(slug("../.."), "unnamed");
    }
}
