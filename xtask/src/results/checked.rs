//! `cargo xtask results --check`: every certificate verified, a random share of what was searched
//! searched again by another engine, and all that is written of it written a second time and
//! compared.
//!
//! That takes many hours, so each certificate that held has a row in `results/checked.csv`, with
//! its digest; with `--hours` a check goes on with those that have none.

use std::{
    collections::HashMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use super::{
    Job, Tool, certificate_of, compare, failure, files, index, is_done, large, page, record, sums, unchecked,
};
use crate::run::{Failure, capture, root};

/// The record below `results/`. It has no checksum there: it changes while files are checked.
pub(super) const TABLE: &str = "checked.csv";

/// The columns: a certificate below `results/` and its SHA-256; the share that was searched again,
/// and how many arguments of how many; how many sentences said what could not be checked; seconds
/// of one core for all of it; the day, and the processor.
const HEADER: &str = "certificate,sha256,share,again,left,core_s,date,processor";

/// What is checked.
enum Subject {
    Job(Job),
    Large(large::Job),
}

impl Subject {
    /// Its certificate, below `results/`.
    fn certificate(&self) -> String {
        match self {
            Self::Job(job) => format!("{}.json.zst", job.stem()),
            Self::Large(job) => format!("{}.json.zst", job.stem()),
        }
    }

    /// Verifies it, with a share of it searched again, and writes what is written of it a second
    /// time: what the program said, and what is wrong; nothing if the time is over before that.
    fn check(&self, tool: &Tool, share: &str, deadline: Option<Instant>) -> Result<Option<Checked>, Failure> {
        let (file, is_whole) = match self {
            // of all numbers nothing may be left out
            Self::Job(job) => (certificate_of(job), job.binades.is_none()),
            // a binade is a part of the numbers
            Self::Large(job) => (job.file("json.zst"), false),
        };
        let said = match tool.verify_until(&file, &["--share", share], is_whole, deadline) {
            Ok(Some(said)) => said,
            Ok(None) => return Ok(None),
            Err(failure) => {
                let wrong = vec![format!("{} does not hold: {failure}", self.certificate())];
                return Ok(Some(Checked { said: String::new(), wrong }));
            }
        };
        let wrong = match self {
            Self::Job(job) => files::differing_lists(tool, job)?,
            Self::Large(job) => large::differing_list(tool, *job)?.into_iter().collect(),
        };
        Ok(Some(Checked { said, wrong }))
    }
}

/// What a check of a certificate says.
struct Checked {
    /// what the program said
    said: String,
    /// what does not hold, or is not what the certificate says
    wrong: Vec<String>,
}

/// All that is there of these jobs.
fn subjects(jobs: &[Job]) -> Result<Vec<Subject>, Failure> {
    let done = jobs.iter().filter(|job| is_done(job)).copied().map(Subject::Job);
    Ok(done.chain(large::jobs_of(jobs)?.into_iter().map(Subject::Large)).collect())
}

/// Checks what is there: all of it, or with a deadline what has no row that holds.
pub(super) fn check(
    tool: &Tool,
    jobs: &[Job],
    share: &str,
    deadline: Option<Instant>,
) -> Result<(), Failure> {
    let began = Instant::now();
    let digests = digests(&sums::made()?.1);
    let subjects = subjects(jobs)?;
    let path = root().join("results").join(TABLE);
    let mut table = Table::read(&path)?;
    let (mut wrong, mut left, mut is_whole) = (Vec::new(), Vec::new(), true);
    for subject in &subjects {
        let name = subject.certificate();
        let digest = digests.get(&name).cloned().unwrap_or_default();
        if deadline.is_some() && table.holds(&name, &digest, share) {
            continue;
        }
        let before = record::children_seconds();
        let Some(found) = subject.check(tool, share, deadline)? else {
            is_whole = false;
            break;
        };
        let seconds = record::children_seconds().zip(before).map(|(now, before)| now - before);
        // a row of an earlier time says nothing if this one is wrong
        table.forget(&name);
        if found.wrong.is_empty() {
            let sentences: Vec<&str> = unchecked(&found.said).collect();
            table.put(&Row::new(&name, &digest, share, &found.said, sentences.len(), seconds)?);
            left.extend(sentences.iter().map(|what| format!("{name}: {what}")));
        }
        wrong.extend(found.wrong);
        table.write(&path)?;
        println!("{name}: {:.0} core-seconds", seconds.unwrap_or_default());
    }
    if is_whole {
        wrong.extend(differing(&written_again(tool)?));
    }
    for what in &left {
        println!("NOT CHECKED: {what}");
    }
    println!("that took {:.0} s", began.elapsed().as_secs_f64());
    let names: Vec<(String, &String)> = subjects
        .iter()
        .map(Subject::certificate)
        .filter_map(|name| Some((name.clone(), digests.get(&name)?)))
        .collect();
    println!("{}", table.summary(&names, share));
    if wrong.is_empty() { Ok(()) } else { Err(Failure::step(wrong.join("; "))) }
}

/// Digests by the names of files, of the lines of `sha256sum`.
fn digests(sums: &str) -> HashMap<String, String> {
    let lines = sums.lines().filter_map(|line| line.split_once("  "));
    lines.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect()
}

/// What is written of all certificates together, made again: each file with its text.
fn written_again(tool: &Tool) -> Result<Vec<(PathBuf, String)>, Failure> {
    let files = [record::made, index::made, page::made, sums::made, large::made, large::made_binades];
    let mut files = files.into_iter().map(|made| made()).collect::<Result<Vec<_>, _>>()?;
    files.push(compare::made(tool)?);
    Ok(files)
}

/// The files that are not what they should be, each as a sentence.
fn differing(files: &[(PathBuf, String)]) -> Vec<String> {
    let is_other = |(path, text): &&(PathBuf, String)| fs::read_to_string(path).ok().as_ref() != Some(text);
    files
        .iter()
        .filter(is_other)
        .map(|(path, _)| format!("{} is not what is written of the certificates", path.display()))
        .collect()
}

/// A row of the record.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    certificate: String,
    cells: Vec<String>,
}

impl Row {
    /// Of a certificate that held: what the program said of it, and how much it left.
    fn new(
        certificate: &str,
        digest: &str,
        share: &str,
        said: &str,
        left: usize,
        seconds: Option<f64>,
    ) -> Result<Self, Failure> {
        let date = capture(Command::new("date").args(["-u", "+%F"]))?.trim().to_owned();
        let mut again = Again::default();
        again.add(said);
        let seconds = seconds.map_or_else(String::new, |s| format!("{s:.1}"));
        let cells =
            [digest.into(), share.into(), again.text(), left.to_string(), seconds, date, record::processor()];
        Ok(Self { certificate: certificate.into(), cells: cells.to_vec() })
    }

    fn cell(&self, name: &str) -> &str {
        let place = HEADER.split(',').position(|column| column == name);
        place.and_then(|place| self.cells.get(place.checked_sub(1)?)).map_or("", String::as_str)
    }
}

/// The record: the certificates that held, as they were then.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
}

impl Table {
    fn read(path: &Path) -> Result<Self, Failure> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(Self::of(&text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failure(path, &error)),
        }
    }

    fn of(text: &str) -> Self {
        let row = |line: &str| {
            let mut cells = line.split(',').map(str::to_owned);
            Some(Row { certificate: cells.next()?, cells: cells.collect() })
        };
        Self { rows: text.lines().skip(1).filter_map(row).collect() }
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for row in &self.rows {
            // writing to a String does not fail
            let _ = writeln!(text, "{},{}", row.certificate, row.cells.join(","));
        }
        text
    }

    /// Writes it in one step: an interruption leaves the old one or the new one.
    fn write(&self, path: &Path) -> Result<(), Failure> {
        let scratch = path.with_extension("csv.new");
        fs::write(&scratch, self.text()).map_err(|error| failure(&scratch, &error))?;
        fs::rename(&scratch, path).map_err(|error| failure(path, &error))
    }

    fn forget(&mut self, certificate: &str) {
        self.rows.retain(|row| row.certificate != certificate);
    }

    /// Keeps a row in place of an earlier one; rows are sorted.
    fn put(&mut self, row: &Row) {
        self.forget(&row.certificate);
        self.rows.push(row.clone());
        self.rows.sort_by(|a, b| a.certificate.cmp(&b.certificate));
    }

    /// The row that says that a certificate of this digest held, with this share or a larger one.
    fn row(&self, certificate: &str, digest: &str, share: &str) -> Option<&Row> {
        let number = |text: &str| text.parse::<f64>().ok();
        let is_enough = |row: &Row| number(row.cell("share")) >= number(share);
        let is_it = |row: &&Row| row.certificate == certificate && row.cell("sha256") == digest;
        self.rows.iter().find(|row| is_it(row) && !digest.is_empty() && is_enough(row))
    }

    fn holds(&self, certificate: &str, digest: &str, share: &str) -> bool {
        self.row(certificate, digest, share).is_some()
    }

    /// How many of the certificates, with their digests, held, and how long that took.
    fn summary(&self, names: &[(String, &String)], share: &str) -> String {
        let rows: Vec<&Row> =
            names.iter().filter_map(|(name, digest)| self.row(name, digest, share)).collect();
        let (mut seconds, mut again) = (0.0, Again::default());
        for row in &rows {
            seconds += row.cell("core_s").parse().unwrap_or(0.0);
            again.add_cell(row.cell("again"));
        }
        let (held, all) = (rows.len(), names.len());
        let which = if held == all {
            format!("all {all} certificates hold")
        } else {
            format!(
                "{held} of {all} certificates hold, and the others have not been checked since they were written"
            )
        };
        format!(
            "{which}; with a random {share} of each searched again, {}, that took {:.1} core-hours \
             (results/{TABLE})",
            again.text(),
            seconds / 3600.0
        )
    }
}

/// What verifications searched again, by what they say.
#[derive(Default)]
struct Again {
    arguments: f64,
    searched: f64,
}

impl Again {
    fn add(&mut self, said: &str) {
        for line in said.lines() {
            let arguments = |text: &str| count(text.split_whitespace().next()?);
            if let Some(rest) =
                line.strip_prefix("checked: ").filter(|rest| rest.contains(" searched again by "))
            {
                self.arguments += arguments(rest).unwrap_or_default();
            }
            if let Some(rest) = line.strip_prefix("not checked: of the ") {
                self.searched += arguments(rest).unwrap_or_default();
            }
        }
    }

    /// Adds what [`text`](Self::text) has written.
    fn add_cell(&mut self, text: &str) {
        let mut counts =
            text.split(" of ").map(|part| part.split_whitespace().next().and_then(count).unwrap_or_default());
        self.arguments += counts.next().unwrap_or_default();
        self.searched += counts.next().unwrap_or_default();
    }

    fn text(&self) -> String {
        let power = |count: f64| if count < 1.0 { "0".into() } else { format!("2^{:.1}", count.log2()) };
        format!("{} of {} arguments", power(self.arguments), power(self.searched))
    }
}

/// A number of arguments as the program prints it: `2^49.7`, or in full.
fn count(text: &str) -> Option<f64> {
    match text.strip_prefix("2^") {
        Some(power) => power.parse().ok().map(f64::exp2),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_again() {
        let mut again = Again::default();
        again.add(
            "checked: 4 Taylor pieces derived again\n\
             checked: 2^9 arguments in 2 parts searched again by regular avx512\n\
             not checked: of the 2^12.0 arguments that were searched, 10.06 % were searched again: a case\n\
             not checked: the counts of phases of 2 of 2 units\n",
        );
        again.add("checked: 512 arguments in 1 parts searched again by farey\n");
        assert_eq!(again.text(), "2^10.0 of 2^12.0 arguments");
        let none = Again::default();
        assert_eq!(none.text(), "0 of 0 arguments");
        again.add_cell(&again.text());
        again.add_cell(&none.text());
        assert_eq!(again.text(), "2^11.0 of 2^13.0 arguments");
    }

    /// A file that is another one, and one that is missing.
    #[test]
    fn what_differs() {
        let folder = std::env::temp_dir().join(format!("tmd-differs-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("same"), "a").unwrap();
        fs::write(folder.join("other"), "a").unwrap();
        let files = [("same", "a"), ("other", "b"), ("missing", "c")];
        let files = files.map(|(name, text)| (folder.join(name), text.to_owned()));
        let said = differing(&files);
        assert_eq!(said.len(), 2);
        assert!(said[0].contains("other is not") && said[1].contains("missing is not"), "{said:?}");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A row stands for a certificate as it was, and for a share up to its own.
    #[test]
    fn what_holds() {
        let said = "checked: 2^9 arguments in 2 parts searched again by regular avx512\n\
                    not checked: of the 2^12.0 arguments that were searched, 10.06 % were searched again\n";
        let row = |name: &str, digest: &str| Row::new(name, digest, "0.1", said, 1, Some(1800.0)).unwrap();
        let mut table = Table::default();
        table.put(&row("b", "2"));
        table.put(&row("a", "0"));
        table.put(&row("a", "1"));
        let again = Table::of(&table.text());
        assert_eq!((again.rows.clone(), again.rows.len()), (table.rows, 2));
        assert_eq!(again.rows[0].certificate, "a");
        let holds = |name: &str, digest: &str, share: &str| again.holds(name, digest, share);
        assert!(holds("a", "1", "0.1") && holds("a", "1", "0.05") && holds("b", "2", "1e-1"));
        assert!(!holds("a", "0", "0.1"), "another digest");
        assert!(!holds("a", "1", "0.2"), "a larger share");
        assert!(!holds("c", "1", "0.1"), "another certificate");
        assert!(!Table::of(&format!("{HEADER}\na,,0.1,,,,,\n")).holds("a", "", "0.1"), "no digest");

        let digests = ["1", "2", "3"].map(str::to_owned);
        let names: Vec<_> = ["a", "b", "c"].map(str::to_owned).into_iter().zip(&digests).collect();
        let took = "; with a random 0.1 of each searched again, 2^10.0 of 2^13.0 arguments, that took 1.0 \
                    core-hours (results/checked.csv)";
        assert_eq!(again.summary(&names[..2], "0.1"), format!("all 2 certificates hold{took}"));
        let said = again.summary(&names, "0.1");
        assert!(
            said.starts_with("2 of 3 certificates hold, and the others") && said.ends_with(took),
            "{said}"
        );
    }

    /// The record in the repository is of certificates that are there, whole and sorted.
    #[test]
    fn the_record_is_well_formed() {
        let path = root().join("results").join(TABLE);
        let text = fs::read_to_string(&path).unwrap();
        let table = Table::read(&path).unwrap();
        assert_eq!(table.text(), text);
        assert!(table.rows.is_sorted_by(|a, b| a.certificate < b.certificate));
        let columns = HEADER.split(',').count();
        for row in &table.rows {
            assert_eq!(row.cells.len() + 1, columns, "{row:?}");
            assert!(root().join("results").join(&row.certificate).is_file(), "{row:?}");
            assert!(row.cell("core_s").parse::<f64>().is_ok_and(|s| s >= 0.0), "{row:?}");
        }
    }
}
