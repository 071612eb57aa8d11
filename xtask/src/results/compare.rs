//! `results/comparison.md`: worst cases that others have published, beside ours.
//!
//! The data file names arguments and their sources; what is said of each is computed: MPFR decides
//! how hard it is, and the certificates whether they list it. A published case that a certificate
//! should list and does not is an alarm.

use std::{fmt::Write as _, fs, io::ErrorKind, path::PathBuf};

use super::{Tool, failure, index, jobs::TARGETS, record, said, theirs};
use crate::run::{Failure, root};

const DATA: &str = "results/published.csv";
const PAGE: &str = "results/comparison.md";

/// The words of the data file for its sources, and what they are.
const SOURCES: [(&str, &str); 2] = [
    (
        "handbook",
        "V. Lefèvre, J.-M. Muller and others: worst cases for correct rounding, as collected in Muller et al., \
         *Handbook of Floating-Point Arithmetic*",
    ),
    (
        "core-math",
        "[CORE-MATH](https://core-math.gitlabpages.inria.fr/) (A. Sibidanov, P. Zimmermann and others): some lines of \
         `src/binary64/FUNCTION/FUNCTION.wc`, lists of arguments with 43 identical bits or more; no number is claimed of each",
    ),
];

/// A line of the data file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Published {
    format: String,
    function: String,
    argument: String,
    /// the kind of breakpoint, if the source says so …
    kind: Option<String>,
    /// … and the number of identical bits
    bits: Option<u32>,
    source: String,
}

/// What MPFR and the certificates say of an argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    kind: String,
    pub(super) bits: u32,
    log2_distance: f64,
    pub(super) listed: Listed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    Yes,
    /// all roundings are known by an inequality there, so that no case is listed
    Known,
    /// it is no case: farther than the certificate's ε
    Farther,
    /// not listed, although it is a case
    Missing,
    /// there is no certificate, or it says nothing of the argument
    NoList,
}

impl Listed {
    fn text(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Known => "known by an inequality",
            Self::Farther => "no case there: farther than its ε",
            Self::Missing => "**MISSING**",
            Self::NoList => "no list yet",
        }
    }
}

fn published(text: &str) -> Result<Vec<Published>, Failure> {
    let wrong = |line: &str| Failure::step(format!("{DATA}: {line}"));
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [format, function, argument, kind, bits, source] = cells[..] else { return Err(wrong(line)) };
        let is_known = SOURCES.iter().any(|(word, _)| *word == source)
            && ["", "number", "midpoint"].contains(&kind)
            && [format, function, argument].iter().all(|cell| !cell.is_empty());
        let bits = if bits.is_empty() { Ok(None) } else { bits.parse().map(Some) };
        let (Ok(bits), true) = (bits, is_known) else { return Err(wrong(line)) };
        Ok(Published {
            format: format.into(),
            function: function.into(),
            argument: argument.into(),
            kind: Some(kind.to_owned()).filter(|kind| !kind.is_empty()),
            bits,
            source: source.into(),
        })
    });
    rows.collect()
}

/// The text after a key of a line of JSON, up to the end of its value.
pub(super) fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!("\"{key}\":"))?;
    Some(rest.split([',', '}', ']']).next()?.trim_matches('"'))
}

/// What a line of `tmd check --output json` says; `certificate` is the end of its file's name.
pub(super) fn found(line: &str, certificate: &str, extra_bits: u32) -> Option<Found> {
    let log2_distance: f64 = value(line, "log2_dist")?.parse().ok()?;
    // to four digits
    let is_case = log2_distance < -f64::from(extra_bits) - 1e-4;
    let word = line.split_once(&format!("{certificate}\",\"listed\":\"")).map(|(_, rest)| rest);
    // lists of a part of the domain, and of large arguments, are beside that of the function
    let is_in_another =
        ["case", "follows"].iter().any(|word| line.contains(&format!("\"listed\":\"{word}\"")));
    let listed = match word.and_then(|rest| rest.split('"').next()) {
        Some("case" | "follows") => Listed::Yes,
        None | Some("not-covered" | "not-asked") if is_in_another => Listed::Yes,
        Some("known") => Listed::Known,
        Some("not") if !is_case => Listed::Farther,
        None | Some("not-covered" | "not-asked") => Listed::NoList,
        Some(_) => Listed::Missing,
    };
    Some(Found {
        kind: value(line, "kind")?.into(),
        bits: value(line, "identical_bits")?.parse().ok()?,
        log2_distance,
        listed,
    })
}

/// A line of the table: published, and found.
fn row(case: &Published, found: &Found) -> String {
    let Published { function, argument, bits, source, .. } = case;
    let claimed = bits.map_or_else(|| "≥ 43".into(), |bits| bits.to_string());
    let differs = if agrees(case, found) { "" } else { " **differs**" };
    let Found { kind, bits, log2_distance, listed } = found;
    format!(
        "| {function} | `{argument}` | {kind} | {source} | {claimed} | {bits}{differs} | {log2_distance:.4} | {} |",
        listed.text()
    )
}

/// Whether all that the source says is so.
fn agrees(case: &Published, found: &Found) -> bool {
    let bits = case.bits.map_or(found.bits >= 43, |bits| bits == found.bits);
    bits && case.kind.as_ref().is_none_or(|kind| *kind == found.kind)
}

/// Writes the comparison again. A published case that a certificate should list and does not is an
/// alarm, and an error once all is written.
pub(super) fn write(tool: &Tool) -> Result<(), Failure> {
    let (path, text) = made(tool)?;
    fs::write(&path, &text).map_err(|error| failure(&path, &error))?;
    let alarms: Vec<&str> = text.lines().filter(|line| line.contains(Listed::Missing.text())).collect();
    if alarms.is_empty() {
        Ok(())
    } else {
        Err(Failure::step(format!(
            "published cases that our certificates should list: {}",
            alarms.join("; ")
        )))
    }
}

/// The file of the comparison, and its text.
pub(super) fn made(tool: &Tool) -> Result<(PathBuf, String), Failure> {
    let data = root().join(DATA);
    let cases = published(&fs::read_to_string(&data).map_err(|error| failure(&data, &error))?)?;
    let mut all = Vec::new();
    for same in of_functions(&cases) {
        all.extend(ask(tool, same)?);
    }
    Ok((root().join(PAGE), page(&cases, &all)?))
}

/// Cases in parts of one function each.
fn of_functions(cases: &[Published]) -> impl Iterator<Item = &[Published]> {
    cases.chunk_by(|a, b| (&a.format, &a.function) == (&b.format, &b.function))
}

/// The page, of what is published and what is found of each, and of what lies beside it.
fn page(cases: &[Published], all: &[Found]) -> Result<String, Failure> {
    let (mut rows, mut news, mut differing) = (String::new(), String::new(), 0);
    let (mut counts, mut from) = ([0usize; 5], 0);
    for (case, found) in cases.iter().zip(all) {
        let _ = writeln!(rows, "{}", row(case, found));
        counts[found.listed as usize] += 1;
        differing += usize::from(!agrees(case, found));
    }
    for same in of_functions(cases) {
        news += &harder(&same[0].format, &same[0].function, &all[from..from + same.len()])?;
        from += same.len();
    }
    let [listed, known, farther, missing, without] = counts;
    let mut text = format!(
        "# Published worst cases, beside ours\n\n\
         Written by `cargo xtask results --compare` of [published.csv](published.csv). MPFR decides each argument again, at whatever precision\n\
         that takes (141 bits at least): identical bits after the rounding bit, and the distance from the breakpoint in ulps. The last column is\n\
         whether a certificate of the function lists it.\n\n\
         {} arguments: {listed} are in our lists, of {known} all roundings are known by an inequality, {farther} are farther from a breakpoint than\n\
         our lists look, {missing} are missing, of {without} there is no list yet. {differing} differ from what the source says.\n\n",
        cases.len()
    );
    for (word, what) in SOURCES {
        let _ = writeln!(text, "- {word}: {what}.");
    }
    let _ = write!(
        text,
        "\n| function | argument | breakpoint | source | its bits | bits | log2(distance) | in our list |\n\
         |---|---|---|---|---:|---:|---:|---|\n{rows}"
    );
    let read = |name: &str| match fs::read_to_string(root().join(name)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| failure(&root().join(name), &error)),
    };
    text += &theirs::section(&read(theirs::TABLE)?);
    text += &nine_years(&read("results/effort.csv")?);
    let _ = write!(
        text,
        "\n## News\n\nOurs, where they are harder than all that is named in the first table (which is a sample, and not all that is published):\n\n\
         | function | rounding | hardest argument | log2(distance) | identical bits | hardest above |\n|---|---|---|---:|---:|---:|\n{news}"
    );
    Ok(text)
}

/// CPU-years that the papers name for 2^x on [1/2, 1) in the format of x87 with 64 bits.
const PAPERS_YEARS: f64 = 9.0;

/// What that search takes here, beside the papers', once it is done.
fn nine_years(effort: &str) -> String {
    let Some(row) = record::row_of(effort, "x87", "exp2") else { return String::new() };
    let cell = |name: &str| record::cell(row, name).unwrap_or_default();
    let Ok(seconds) = cell("core_s").parse::<f64>() else { return String::new() };
    let hours = seconds / 3600.0;
    let times = PAPERS_YEARS * 365.25 * 24.0 / hours;
    format!(
        "\n## 2^x in double extended precision\n\n\
         The papers name {PAPERS_YEARS} CPU-years for 2^x on [1/2, 1) in double extended precision (64 bits). Ours of {}, nearer than 2^-{} ulp,\n\
         took {hours:.1} core-hours ({}): {times:.0} times less, of which processors that are faster today are a part.\n",
        cell("domain"),
        cell("extra_bits"),
        cell("processor"),
    )
}

/// What is found of the arguments of one function.
fn ask(tool: &Tool, cases: &[Published]) -> Result<Vec<Found>, Failure> {
    let Some(Published { format, function, .. }) = cases.first() else { return Ok(Vec::new()) };
    let list = std::env::temp_dir().join(format!("tmd-published-{}", std::process::id()));
    let arguments: Vec<&str> = cases.iter().map(|case| case.argument.as_str()).collect();
    fs::write(&list, arguments.join("\n")).map_err(|error| failure(&list, &error))?;
    let folder = root().join("results");
    let words = ["check", "--function", function, "--format", format, "--output", "json", "--arguments"];
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    words.extend([list.display().to_string(), "--data".into(), folder.display().to_string()]);
    let said = said(tool, &words)?;
    let _ = fs::remove_file(&list);
    let name = format!("{function}.json.zst");
    let extra_bits =
        TARGETS.iter().find(|target| target.format == *format).map_or(0, |target| target.extra_bits);
    let lines: Vec<&str> = said.lines().collect();
    let all: Option<Vec<Found>> =
        lines.iter().map(|line| found(line, &format!("/{name}"), extra_bits)).collect();
    all.filter(|all| all.len() == cases.len())
        .ok_or_else(|| Failure::step(format!("`tmd check` says something else of {function}: {said}")))
}

/// Rows of a function whose hardest case of ours is harder than all that are published here.
fn harder(format: &str, function: &str, published: &[Found]) -> Result<String, Failure> {
    let path = root().join("results").join(format).join(format!("{function}.md"));
    if !path.is_file() {
        return Ok(String::new());
    }
    let table = fs::read_to_string(&path).map_err(|error| failure(&path, &error))?;
    Ok(news(function, &table, published))
}

fn news(function: &str, table: &str, published: &[Found]) -> String {
    let mut rows = String::new();
    for (rounding, kind) in [("directed", "number"), ("to nearest", "midpoint")] {
        let ours = index::hardest(table, rounding);
        let cells: Vec<&str> = ours.split(" | ").collect();
        let Some(distance) = cells.get(1).and_then(|cell| cell.parse::<f64>().ok()) else { continue };
        let theirs = published.iter().filter(|found| found.kind == kind).map(|found| found.log2_distance);
        let least = theirs.reduce(f64::min);
        if least.is_none_or(|least| distance < least) {
            let least = least.map_or_else(|| "none".into(), |least| format!("{least:.4}"));
            let _ = writeln!(rows, "| {function} | {rounding} | {ours} | {least} |");
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{super::jobs, *};

    const HEAD: &str = "format,function,argument,breakpoint,identical_bits,source\n";

    #[test]
    fn lines_of_the_data_file() {
        let text = format!("{HEAD}binary64,exp,0x1p-1,number,53,handbook\nbinary64,erf,0x1p-2,,,core-math\n");
        let cases = published(&text).unwrap();
        assert_eq!((cases.len(), cases[0].bits, cases[1].bits), (2, Some(53), None));
        for wrong in
            ["binary64,exp,0x1p-1,number,53", "binary64,exp,0x1p-1,number,x,handbook", "a,b,c,,,nobody"]
        {
            assert!(published(&format!("{HEAD}{wrong}\n")).is_err(), "{wrong}");
        }
    }

    /// What is listed, what is too far to be, what should be there and is not.
    #[test]
    fn what_is_found() {
        let line = |distance: &str, listed: &str| {
            format!(
                "{{\"case\":{{\"identical_bits\":55,\"kind\":\"midpoint\",\"log2_dist\":{distance},\"x\":\"0x1p+0\"}},\
                 \"listed\":[{{\"certificate\":\"/a/results/binary64/cbrt.json.zst\",\"listed\":\"{listed}\"}}]}}"
            )
        };
        let listed = |distance: &str, listed: &str| {
            found(&line(distance, listed), "/cbrt.json.zst", 45).unwrap().listed
        };
        for (distance, word, expected) in [
            ("-56.0013", "case", Listed::Yes),
            ("-56.0013", "follows", Listed::Yes),
            ("-56.0013", "known", Listed::Known),
            ("-44.9", "not", Listed::Farther),
            ("-45.1", "not", Listed::Missing),
            ("-44.9", "missing", Listed::Missing),
            ("-56.0013", "exact", Listed::Missing),
            ("-45.1", "not-covered", Listed::NoList),
        ] {
            assert_eq!(listed(distance, word), expected, "{distance} {word}");
        }
        // the list of a part, beside that of the function or without one
        for (word, expected) in [
            ("case", Listed::Yes),
            ("follows", Listed::Yes),
            ("known", Listed::NoList),
            ("not", Listed::NoList),
        ] {
            assert_eq!(found(&line("-56.0013", word), "/sin.json.zst", 45).unwrap().listed, expected);
        }
        let found = found(&line("-56.0013", "case"), "/cbrt.json.zst", 45).unwrap();
        assert_eq!((found.bits, found.kind.as_str()), (55, "midpoint"));
        let case = |text: &str| published(&format!("{HEAD}{text}\n")).unwrap().remove(0);
        assert!(agrees(&case("binary64,cbrt,0x1p+0,midpoint,55,handbook"), &found));
        assert!(!agrees(&case("binary64,cbrt,0x1p+0,midpoint,54,handbook"), &found));
        assert!(!agrees(&case("binary64,cbrt,0x1p+0,number,55,handbook"), &found));
        let table = "| directed | `0x1p+3` | -57.5 | 56 | x |\n| to nearest | `0x1p+4` | -55.0 | 54 | x |\n";
        let rows = news("cbrt", table, &[found]);
        assert_eq!(rows, "| cbrt | directed | `0x1p+3` | -57.5 | 56 | none |\n");
    }

    #[test]
    fn ours_beside_nine_years() {
        let head = record::HEADER;
        let text = nine_years(&format!(
            "{head}\nx87,exp2,all numbers,56,50000.0,39447.0,0.79,0.00,90.0,,some processor\n"
        ));
        assert!(text.contains("9 CPU-years for 2^x on [1/2, 1)"), "{text}");
        // 9 * 8766 hours over 10.9575 hours
        let said =
            "all numbers, nearer than 2^-56 ulp,\ntook 11.0 core-hours (some processor): 7200 times less";
        assert!(text.contains(said), "{text}");
        for other in [
            "x87,cbrt,all,56,1.0,2.0,,,1.0,,p",
            "binary64,exp2,all,45,1.0,2.0,,,1.0,,p",
            "x87,exp2,all,56,1.0,,,,1.0,,p",
        ] {
            assert_eq!(nine_years(&format!("{head}\n{other}\n")), "", "{other}");
        }
    }

    /// What a row of the page says of its argument.
    fn said_of(row: &str) -> Found {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).split(" | ").collect();
        let all = [Listed::Yes, Listed::Known, Listed::Farther, Listed::Missing, Listed::NoList];
        Found {
            kind: cells[2].into(),
            bits: cells[5].trim_end_matches(" **differs**").parse().unwrap(),
            log2_distance: cells[6].parse().unwrap(),
            listed: all.into_iter().find(|listed| listed.text() == cells[7]).unwrap(),
        }
    }

    /// The page in the repository is that of the data file, the tables and the certificates in the
    /// repository, and names no alarm: a certificate that is there is asked, and none that is not.
    #[test]
    fn the_comparison_is_up_to_date() {
        let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
        let (cases, written) = (published(&read(DATA)).unwrap(), read(PAGE));
        assert!(!written.contains("MISSING") && !written.contains("differs"));
        let jobs = jobs::jobs(&[], &[]).unwrap();
        let rows: Vec<&str> =
            written.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take(cases.len()).collect();
        let all: Vec<Found> = rows.into_iter().map(said_of).collect();
        for (case, found) in cases.iter().zip(&all) {
            let job =
                jobs.iter().find(|job| job.function == case.function && job.target.format == case.format);
            let is_there = job.is_some_and(super::super::is_done);
            let is_whole = job.is_some_and(|job| job.binades.is_none());
            let has_list = found.listed != Listed::NoList;
            // where there is no list of the function, there may be some of parts
            let may_be = is_there || found.listed == Listed::Yes;
            assert!(if is_whole && is_there { has_list } else { may_be || !has_list }, "{case:?}");
        }
        let again = page(&cases, &all).unwrap();
        for (written, again) in written.lines().zip(again.lines()) {
            assert_eq!(written, again, "cargo xtask results --compare writes it again");
        }
        assert_eq!(written.lines().count(), again.lines().count());
    }
}
