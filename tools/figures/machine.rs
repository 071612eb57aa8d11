//! What figures were measured on, as far as the system tells it.

use std::{
    collections::BTreeSet,
    fs,
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

/// Year, month and day in UTC, as `2026-11-21`.
pub fn today() -> String {
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
pub fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() { "unnamed".into() } else { words.join("-") }
}

/// The processor's name, family and model, where the system tells them in a file: kinds that are
/// years apart have one name, and of one family are some with AVX-512 and some without.
pub fn cpu() -> String {
    cpu_in(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// What a line says, if it is about this.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    Some(line.strip_prefix(name)?.trim_start().strip_prefix(':')?.trim())
}

fn cpu_in(text: &str) -> String {
    let field = |name| text.lines().find_map(|line| value(line, name));
    let kind = field("cpu family").zip(field("model"));
    let kind = kind.map_or_else(String::new, |(family, model)| format!(" (family {family} model {model})"));
    field("model name").map_or_else(|| std::env::consts::ARCH.into(), |name| name.to_owned() + &kind)
}

/// How many cores the system tells, whatever the threads on each; `None` where it does not tell.
pub fn cores() -> Option<usize> {
    cores_in(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// Different pairs of package and core.
fn cores_in(text: &str) -> Option<usize> {
    let number = |line, name| value(line, name)?.parse::<u32>().ok();
    let (mut cores, mut package) = (BTreeSet::new(), 0);
    for line in text.lines() {
        package = number(line, "physical id").unwrap_or(package);
        cores.extend(number(line, "core id").map(|core| (package, core)));
    }
    (!cores.is_empty()).then_some(cores.len())
}

/// The commit that git tells, and whether files differ from it.
pub fn commit() -> String {
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
    told.unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_families_and_models() {
        let text = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n";
        assert_eq!(slug(&cpu_in(text)), "amd-epyc-family-25-model-17");
        assert_eq!(cpu_in(""), std::env::consts::ARCH);
    }

    /// Two packages of two cores, one of which has two threads.
    #[test]
    fn cores_are_not_threads() {
        let thread =
            |package, core| format!("processor\t: 9\nphysical id\t: {package}\ncore id\t\t: {core}\n\n");
        let text: String =
            [(0, 0), (0, 0), (0, 4), (1, 0), (1, 4)].map(|(package, core)| thread(package, core)).concat();
        assert_eq!(cores_in(&text), Some(4));
        assert_eq!(cores_in("processor : 0\nBogoMIPS : 48.00\n"), None);
    }

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
    fn slugs() {
        assert_eq!(slug("NVIDIA H200"), "nvidia-h200");
        assert_eq!(slug("llvmpipe (LLVM 15.0.6, 256 bits)"), "llvmpipe-llvm-15-0-6-256-bits");
        assert_eq!(slug("../.."), "unnamed");
    }
}
