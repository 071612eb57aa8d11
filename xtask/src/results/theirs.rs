//! `results/lists.csv`: lists of others against ours, in both directions, as counts. The
//! lists themselves are their authors': whoever compares has fetched them, and none is copied here.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{Tool, compare, failure, jobs, said};
use crate::run::{Failure, capture, root};

pub(super) const TABLE: &str = "results/lists.csv";

/// `theirs`: arguments of their list. `theirs_hard`: those with [`HARD`] identical bits or more, by
/// our own computation; of these `listed` are in our list, `known` need no list, as an inequality
/// says all roundings, and `missing` are in none: an alarm. `ours_hard`: arguments of ours with so
/// many bits between the least and the greatest of theirs, a line of a rule as one, and of odd and
/// even functions x and -x as one; `ours_only`: those of them that theirs lacks. Of an excerpt of
/// their list these two say nothing, and are empty.
const HEADER: &str = "function,theirs,theirs_hard,listed,known,missing,ours_hard,ours_only,source,date";

/// Identical bits after the rounding bit from which on our lists have every case: those nearer than
/// 2^-45 ulp.
const HARD: u32 = 44;

/// Functions whose cases at x and -x are one.
const SYMMETRIC: [&str; 17] = [
    "sin", "cos", "tan", "asin", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "cbrt", "erf", "sinpi",
    "cospi", "tanpi", "asinpi", "atanpi",
];

/// The name that our list of a function of theirs has.
fn ours_of(name: &str) -> &str {
    match name {
        "log1p" => "logp1",
        other => other,
    }
}

/// The finite arguments of a list: the first word of each line that has one argument, without
/// comments, and each once.
fn arguments(text: &str) -> Vec<&str> {
    let mut seen = HashSet::new();
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    // some of theirs are written +0x1p-3
    let lines = lines.map(|line| line.strip_prefix('+').unwrap_or(line));
    let is_number = |line: &&str| {
        let digits = line.strip_prefix('-').unwrap_or(line).to_ascii_lowercase();
        digits.starts_with("0x") && !line.contains([',', ' ', '\t'])
    };
    lines.filter(is_number).filter(|line| seen.insert(*line)).collect()
}

/// The value of a number as C's `%a`, to the precision of a double.
fn value_of(text: &str) -> Option<f64> {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()? as f64;
    let exponent = exponent.parse::<i32>().ok()? - 4 * i32::try_from(part.len()).ok()?;
    // in two steps: the first alone may be too small for a double
    Some(sign * significand * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2))
}

/// The lists of a folder: `F.wc`, in it or in folders below it, by our names of the functions.
fn lists(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| failure(folder, &error))? {
        let path = entry.map_err(|error| failure(folder, &error))?.path();
        if path.is_dir() {
            found.extend(lists(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "wc") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.insert(ours_of(&name).to_owned(), path);
        }
    }
    Ok(found)
}

/// Where lists are from.
pub(super) struct Source {
    /// in words, for the table
    pub(super) text: String,
    /// whether each list is whole, or an excerpt
    pub(super) is_whole: bool,
}

/// What is counted of a function.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    theirs: usize,
    theirs_hard: usize,
    listed: usize,
    known: usize,
    missing: Vec<String>,
    ours_hard: usize,
    ours_only: usize,
}

impl Counts {
    fn row(&self, function: &str, from: &Source, date: &str) -> String {
        let Self { theirs, theirs_hard, listed, known, missing, ours_hard, ours_only } = self;
        let of_ours = if from.is_whole { format!("{ours_hard},{ours_only}") } else { ",".into() };
        let source = from.text.replace([',', '\n'], " ");
        format!(
            "{function},{theirs},{theirs_hard},{listed},{known},{},{of_ours},{source},{date}",
            missing.len()
        )
    }
}

/// Counts, of what the program says of their arguments, a line each, and of our list as CSV.
fn counted(function: &str, checks: &str, ours: &str) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    let file = format!("/{function}.json.zst");
    let mut theirs = HashSet::new();
    let one = |x: &str| match x.strip_prefix('-') {
        Some(positive) if SYMMETRIC.contains(&function) => positive.to_owned(),
        _ => x.to_owned(),
    };
    for line in checks.lines() {
        counts.theirs += 1;
        // exact results, and arguments without one, are no cases
        let Some(found) = compare::found(line, &file, HARD + 1) else { continue };
        let x = compare::value(line, "x").unwrap_or_default();
        theirs.insert(one(x));
        if found.bits < HARD {
            continue;
        }
        counts.theirs_hard += 1;
        match found.listed {
            compare::Listed::Yes => counts.listed += 1,
            compare::Listed::Known => counts.known += 1,
            _ => counts.missing.push(x.to_owned()),
        }
    }
    let mut lines = ours.lines();
    let names: HashMap<&str, usize> =
        lines.next().unwrap_or_default().split(',').enumerate().map(|(at, name)| (name, at)).collect();
    let (Some(&x), Some(&bits)) = (names.get("x"), names.get("identical_bits")) else {
        return Err(Failure::step(format!("the list of {function} has other columns")));
    };
    let values = || theirs.iter().filter_map(|x| value_of(x));
    let range = values().fold(f64::INFINITY, f64::min)..=values().fold(f64::NEG_INFINITY, f64::max);
    let hard: HashSet<String> = lines
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|cells| {
            cells.get(bits).and_then(|cell| cell.parse::<u32>().ok()).is_some_and(|bits| bits >= HARD)
        })
        .map(|cells| one(cells[x]))
        .filter(|x| value_of(x).is_some_and(|value| range.contains(&value)))
        .collect();
    counts.ours_hard = hard.len();
    counts.ours_only = hard.difference(&theirs).count();
    Ok(counts)
}

/// Counts the lists of a folder, of all functions or those named, and keeps the rows. A case of
/// theirs that ours lacks is an alarm.
pub(super) fn count(
    tool: &Tool,
    folder: &Path,
    source: &Source,
    functions: &[String],
) -> Result<(), Failure> {
    let date = capture(Command::new("date").args(["-u", "+%F"]))?;
    let (all, mut alarms) = (jobs::jobs(&[], &["binary64".into()])?, Vec::new());
    let path = root().join(TABLE);
    let mut table = fs::read_to_string(&path).unwrap_or_default();
    for (function, list) in lists(folder)? {
        let is_asked = functions.is_empty() || functions.contains(&function);
        let job = all.iter().find(|job| job.function == function && super::is_done(job));
        let Some(job) = job.filter(|_| is_asked) else {
            println!("{}: left out: no certificate of {function}, or not asked for", list.display());
            continue;
        };
        let text = fs::read_to_string(&list).map_err(|error| failure(&list, &error))?;
        let scratch = std::env::temp_dir().join(format!("tmd-theirs-{}", std::process::id()));
        fs::write(&scratch, arguments(&text).join("\n")).map_err(|error| failure(&scratch, &error))?;
        let certificate = super::certificate_of(job).display().to_string();
        let folder = root().join("results").join(job.target.format).display().to_string();
        let scratch_name = scratch.display().to_string();
        let words = ["check", "--function", &function, "--output", "json", "--arguments", &scratch_name];
        let words = words.into_iter().chain(["--data", &folder]).map(str::to_owned).collect::<Vec<_>>();
        let checks = said(tool, &words)?;
        let _ = fs::remove_file(&scratch);
        let ours = said(tool, &["export", &certificate, "--output", "csv"].map(str::to_owned))?;
        let counts = counted(&function, &checks, &ours)?;
        println!("{function}: {counts:?}");
        alarms.extend(counts.missing.iter().map(|x| format!("{function} at {x}")));
        table = with_row(&table, &counts.row(&function, source, date.trim()));
        fs::write(&path, &table).map_err(|error| failure(&path, &error))?;
    }
    if alarms.is_empty() {
        Ok(())
    } else {
        Err(Failure::step(format!("cases of theirs that ours lack: {}", alarms.join(", "))))
    }
}

/// The table with a row more, by function, one row each.
fn with_row(table: &str, row: &str) -> String {
    let function = |row: &str| row.split(',').next().unwrap_or_default().to_owned();
    let others = table.lines().skip(1).filter(|other| function(other) != function(row));
    let mut rows: Vec<&str> = others.chain([row]).collect();
    rows.sort_unstable();
    format!("{HEADER}\n{}\n", rows.join("\n"))
}

/// Its part of the page of comparisons.
pub(super) fn section(table: &str) -> String {
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split(',').collect()).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n## Lists of others\n\n\
         Lists of others, or excerpts of them, against ours, of binary64 ([lists.csv](lists.csv)): `cargo xtask results --compare --theirs FOLDER --source TEXT`\n\
         counts the lists of a folder, `F.wc` as CORE-MATH has them; with `--excerpt` they are not whole, and nothing is said of what they lack. Hard are arguments with {HARD} identical bits or more, as MPFR decides again. Of theirs: in our list, known\n\
         without one by an inequality, missing (an alarm). Of ours, the lines of the list between the least and the greatest argument\n\
         of theirs (a rule is one, and x and -x of odd and even functions are one): those that theirs lacks.\n\n\
         | function | theirs | of these hard | in our list | known | missing | ours, hard | not in theirs | source | date |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---|---|\n"
    );
    for cells in rows {
        // writing to a String does not fail
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn their_lists() {
        let text = "# a comment\n0x1.8p+0\n 0x1.cp-3 # hard\n-0X1p+1\n+0x1p-3\n0x1.8p+0\nnan\n0x1p+0,0x1p+1\n\nsnan\n1.5\n";
        assert_eq!(arguments(text), ["0x1.8p+0", "0x1.cp-3", "-0X1p+1", "0x1p-3"]);
        let folder = std::env::temp_dir().join(format!("tmd-lists-{}", std::process::id()));
        fs::create_dir_all(folder.join("log1p")).unwrap();
        for name in ["log1p/log1p.wc", "exp.wc", "exp.c"] {
            fs::write(folder.join(name), "").unwrap();
        }
        let found = lists(&folder).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["exp", "logp1"]);
        assert!(found["logp1"].ends_with("log1p/log1p.wc"));
        fs::remove_dir_all(&folder).unwrap();
    }

    /// In our list, known, missing, not hard, exact, without a result; ours that theirs has, as it
    /// is or mirrored, and ours alone.
    #[test]
    fn counts_in_both_directions() {
        let line = |x: &str, bits: u32, listed: &str| {
            format!(
                "{{\"case\":{{\"identical_bits\":{bits},\"kind\":\"midpoint\",\"log2_dist\":-{bits}.9,\"x\":\"{x}\"}},\
                 \"listed\":[{{\"because\":\"it, so\",\"certificate\":\"/a/atan.json.zst\",\"listed\":\"{listed}\"}}]}}"
            )
        };
        let checks = [
            line("0x1p+0", 50, "case"),
            line("0x1p+1", 44, "follows"),
            line("0x1p-50", 60, "known"),
            line("0x1p+2", 47, "not"),
            line("0x1p+3", 43, "not"),
            "{\"exact\":{\"kind\":\"number\",\"value\":\"0x0p+0\",\"x\":\"0x0p+0\"},\"function\":\"atan(x)\"}".into(),
            "{\"error\":\"no value, there\",\"function\":\"atan(x)\",\"x\":\"0x1p+20\"}".into(),
        ];
        let ours = "x,binade,identical_bits\n0x1p+0,0,50\n-0x1p+0,0,50\n-0x1p+1,1,44\n0x1.8p+1,1,45\n0x1p+7,7,45\n0x1p+1,1,43\n0x0p+0,,\n";
        let counts = counted("atan", &checks.join("\n"), ours).unwrap();
        let expected = Counts {
            theirs: 7,
            theirs_hard: 4,
            listed: 2,
            known: 1,
            missing: vec!["0x1p+2".into()],
            ours_hard: 3,
            ours_only: 1,
        };
        assert_eq!(counts, expected);
        let mut from = Source { text: "them".into(), is_whole: true };
        assert_eq!(counts.row("atan", &from, "2026-11-24"), "atan,7,4,2,1,1,3,1,them,2026-11-24");
        from.is_whole = false;
        assert_eq!(counts.row("atan", &from, "2026-11-24"), "atan,7,4,2,1,1,,,them,2026-11-24");
        // of a function without symmetry -0x1p+0 and -0x1p+1 are cases of their own
        let checks = checks.map(|line| line.replace("atan", "exp"));
        let counts = counted("exp", &checks.join("\n"), ours).unwrap();
        assert_eq!((counts.ours_hard, counts.ours_only), (2, 1));
        assert_eq!(value_of("-0x1p-1074"), Some(-f64::from_bits(1)));
        assert_eq!((value_of("0x1.fffffffffffffp+1023"), value_of("1.5")), (Some(f64::MAX), None));
        assert!(counted("exp", "", "a,b\n").is_err());
        let table = with_row(&with_row("", "b,1"), "a,2");
        assert_eq!(with_row(&table, "b,3"), format!("{HEADER}\na,2\nb,3\n"));
    }

    /// No row of the table in the repository has an alarm, and each adds up.
    #[test]
    fn no_case_of_theirs_is_missing() {
        let table = fs::read_to_string(root().join(TABLE)).unwrap();
        assert_eq!(table.lines().next(), Some(HEADER));
        assert!(table.lines().count() > 1);
        for row in table.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            assert_eq!(cells.len(), HEADER.split(',').count(), "{row}");
            let count = |cell: &&str| cell.parse::<usize>().unwrap();
            let counts: Vec<usize> = cells[1..6].iter().map(count).collect();
            let [theirs, hard, listed, known, missing] = counts[..] else { panic!("{row}") };
            assert_eq!((missing, hard), (0, listed + known), "{row}");
            // of an excerpt nothing is said of ours
            let of_ours: Vec<usize> = cells[6..8].iter().filter(|cell| !cell.is_empty()).map(count).collect();
            let [ours, ours_only] = of_ours[..] else {
                assert!(of_ours.is_empty() && hard <= theirs, "{row}");
                continue;
            };
            assert!(hard <= theirs && ours_only <= ours && ours - ours_only <= listed, "{row}");
        }
    }
}
