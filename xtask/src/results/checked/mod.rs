//! `cargo xtask results --check`: every certificate verified, a random share of what was searched
//! searched again by another engine, and all that is written of it written a second time and
//! compared.
//!
//! That takes many hours, so each certificate that held has a row in `results/checked.csv`
//! ([`table`]); with `--hours` a check goes on with those that have none.

mod table;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use self::table::{Row, Table, update};
use super::{
    Job, Tool, Verified, certificate_of, compare, files, index, is_done, large, page, record, sums, unchecked,
};
use crate::run::{Failure, root};

/// The record below `results/`. It has no checksum there: it changes while files are checked.
pub(super) const TABLE: &str = "checked.csv";

/// In place of a share: as many samples as `tmd verify` takes by itself.
const SAMPLES: &str = "samples";

/// How much is searched again, and by whom.
#[derive(Clone, Copy)]
pub(super) struct How<'a> {
    /// as `tmd verify` takes it, or [`SAMPLES`]
    pub(super) share: &'a str,
    /// whether a GPU walks families again that lanes walked
    pub(super) by_gpu: bool,
}

/// What is checked.
enum Subject {
    Job(Job),
    Large(large::Job),
}

impl Subject {
    /// Its files below `results/`, without an ending.
    fn stem(&self) -> String {
        match self {
            Self::Job(job) => job.stem(),
            Self::Large(job) => job.stem(),
        }
    }

    /// How it is searched again where this is asked for: without a GPU only samples of large
    /// arguments that lanes searched, as a share would take days in exact integers.
    fn how<'a>(&self, tool: &Tool, how: How<'a>) -> Result<How<'a>, Failure> {
        let is_sampled = match self {
            Self::Job(_) => false,
            Self::Large(job) => !how.by_gpu && large::is_by_lanes(tool, *job)?,
        };
        Ok(How { share: if is_sampled { SAMPLES } else { how.share }, ..how })
    }

    /// Verifies it, with a share of it or samples searched again, and writes what is written of it
    /// a second time; nothing if the time is over before that.
    fn check(
        &self,
        tool: &Tool,
        how: How<'_>,
        deadline: Option<Instant>,
    ) -> Result<Option<Checked>, Failure> {
        let (file, is_whole) = match self {
            // of all numbers nothing may be left out
            Self::Job(job) => (certificate_of(job), job.binades.is_none()),
            // a binade is a part of the numbers
            Self::Large(job) => (job.file("json.zst"), false),
        };
        let mut options = if how.share == SAMPLES { vec![] } else { vec!["--share", how.share] };
        if how.by_gpu {
            options.extend(["--backend", "gpu"]);
        }
        Ok(match tool.verify_until(&file, &options, is_whole, deadline)? {
            Verified::Stopped => None,
            Verified::Fails(why) => {
                let wrong = vec![format!("{}.json.zst does not hold: {why}", self.stem())];
                Some(Checked { said: String::new(), wrong })
            }
            Verified::Holds(said) => {
                let wrong = match self {
                    Self::Job(job) => files::differing_lists(tool, job)?,
                    Self::Large(job) => large::differing_list(tool, *job)?.into_iter().collect(),
                };
                Some(Checked { said, wrong })
            }
        })
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

/// Checks what is there: all of it, or with a deadline what has no row that stands for it. The
/// first certificate is checked to its end whatever the deadline is, so that no check is in vain.
pub(super) fn check(
    tool: &Tool,
    jobs: &[Job],
    how: How<'_>,
    deadline: Option<Instant>,
) -> Result<(), Failure> {
    let began = Instant::now();
    let subjects = subjects(jobs)?;
    let path = root().join("results").join(TABLE);
    let mut wrong = Vec::new();
    // as they come: a check takes hours, and may be interrupted
    let mut report = |what: String| {
        println!("WRONG: {what}");
        wrong.push(what);
    };
    let (mut count, mut is_over) = (0, false);
    for subject in &subjects {
        let stem = subject.stem();
        let digest = sums::digest(&sums::of(&stem)?)?;
        let asked = match subject.how(tool, how) {
            Ok(asked) => asked,
            Err(failure) => {
                report(format!("{stem} was not checked: {failure}"));
                continue;
            }
        };
        if deadline.is_some() && Table::read(&path)?.row(&stem, &digest, asked.share).is_some() {
            continue;
        }
        let before = record::children_seconds();
        match subject.check(tool, asked, deadline.filter(|_| count > 0)) {
            Ok(None) => {
                is_over = true;
                break;
            }
            Ok(Some(Checked { said, wrong })) => {
                let seconds = record::children_seconds().zip(before).map(|(now, before)| now - before);
                let left: Vec<&str> = unchecked(&said).collect();
                for what in &left {
                    println!("NOT CHECKED: {stem}: {what}");
                }
                let is_same = sums::digest(&sums::of(&stem)?)? == digest;
                let row = (wrong.is_empty() && is_same)
                    .then(|| Row::new(&stem, &digest, asked.share, &said, left.len(), seconds))
                    .transpose()?;
                update(&path, &stem, row)?;
                wrong.into_iter().for_each(&mut report);
                if !is_same {
                    report(format!("the files of {stem} changed while they were checked"));
                }
                println!("{stem}: {}", seconds.map_or("checked".into(), |s| format!("{s:.0} core-seconds")));
            }
            // that says nothing of the certificate: what is known of it stays
            Err(failure) => report(format!("{stem} was not checked: {failure}")),
        }
        count += 1;
    }
    if is_over {
        println!("time is over; the same command goes on");
    } else {
        differing(&written_again(tool)?).into_iter().for_each(&mut report);
    }
    println!("that took {:.0} s", began.elapsed().as_secs_f64());
    let of_all = sums::made()?.1;
    let digest = |subject: &Subject| {
        let stem = subject.stem();
        // one that cannot be read has no row, whatever is asked of it
        let asked = subject.how(tool, how).unwrap_or(how);
        Ok([sums::digest(&sums::about(&of_all, &stem))?, stem, asked.share.to_owned()])
    };
    let asked = subjects.iter().map(digest).collect::<Result<Vec<_>, Failure>>()?;
    println!("{}", Table::read(&path)?.summary(&asked, how.share));
    if wrong.is_empty() { Ok(()) } else { Err(Failure::step(wrong.join("; "))) }
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
    let is_other =
        |(path, text): &&(PathBuf, String)| std::fs::read_to_string(path).ok().as_ref() != Some(text);
    let sentence = |path: &Path| format!("{} is not what is written of the certificates", path.display());
    files.iter().filter(is_other).map(|(path, _)| sentence(path)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

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
}
