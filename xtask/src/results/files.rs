//! What is written of a certificate, beside it: its lists and tables. They are written of it alone,
//! so that they can be written again, and compared.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    Job, Tool, certificate_of, failure, index, is_done, large,
    record::{self, Record},
    run_directory, unfinished,
};
use crate::run::{Failure, root};

/// What there may be of a job, by the endings of the files' names.
pub(super) const ENDINGS: [&str; 7] = ["json.zst", "wc", "wc.zst", "parquet", "md", "csv", "csv.zst"];

/// Lists of more bytes than this are compressed.
const PLAIN: u64 = 100_000;

/// Lists of all cases of more bytes than this are left out, compressed or not: they would be 5 MB
/// each, the certificate beside them has the cases, and `tmd export` makes them in seconds.
const MOST_IN_LISTS: u64 = 25_000_000;

/// Parquet files of certificates of more cases than this are left out: `tmd export` makes them in
/// seconds. Seven of the columns are numbers as random as the arguments, so that a row takes 30 to
/// 50 bytes, however it is compressed.
const MOST_IN_PARQUET: usize = 50_000;

/// Pages of more bytes than this show [`FEW`] of each binade: the lists beside them have all of the
/// others, compressed.
const MOST_IN_PAGES: u64 = 300_000;

const FEW: &str = "2";

/// Where the files of a job are made before they are put in their place.
fn scratch_of(job: &Job) -> Result<PathBuf, Failure> {
    let scratch = run_directory(job).with_extension("files");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).map_err(|error| failure(&scratch, &error))?;
    Ok(scratch)
}

/// The folder of a job's files in `results/`.
fn folder_of(job: &Job) -> Result<PathBuf, Failure> {
    let folder = root().join("results").join(job.target.format);
    fs::create_dir_all(&folder).map_err(|error| failure(&folder, &error))?;
    Ok(folder)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// A complete run: its certificate verified and put in its place, with the lists.
pub(super) fn finish(tool: &Tool, job: &Job) -> Result<(), Failure> {
    let (run, scratch) = (run_directory(job), scratch_of(job)?);
    let certificate = scratch.join(format!("{}.json.zst", job.function));
    tool.run(&["export", &text(&run), "--out", &text(&certificate)])?;
    let before = record::children_seconds();
    tool.verify(&certificate, &[], job.binades.is_none())?;
    let verify_s = record::children_seconds().zip(before).map(|(now, before)| now - before);
    let mut endings = lists(tool, job, &certificate, &scratch)?;
    Record::of(tool, &job.into(), &run, verify_s)?.keep()?;
    // the certificate last: where it is, the job is done
    endings.push("json.zst");
    put(job, &scratch, &endings)?;
    unfinished::forget(job);
    if job.again {
        // the next time it begins anew
        fs::remove_dir_all(&run).map_err(|error| failure(&run, &error))?;
        record::forget(&run);
        println!("{}: done, in place of what was there", job.stem());
    } else {
        println!("{}: done; its run directory {} is not needed any more", job.stem(), run.display());
    }
    Ok(())
}

/// Writes the lists of a certificate to a folder; their endings.
fn lists(tool: &Tool, job: &Job, certificate: &Path, folder: &Path) -> Result<Vec<&'static str>, Failure> {
    let file = |ending: &str| folder.join(format!("{}.{ending}", job.function));
    let export = |output: &str, ending: &str, more: &[&str]| {
        let (certificate, out) = (text(certificate), text(&file(ending)));
        let mut words = vec!["export", &certificate, "--output", output, "--out", &out];
        words.extend(more);
        tool.run(&words)
    };
    let per_binade = job.target.per_binade.to_string();
    let bytes_of = |path: &Path| -> Result<u64, Failure> {
        Ok(fs::metadata(path).map_err(|error| failure(path, &error))?.len())
    };
    let mut endings = vec!["md"];
    export("hardest", "md", &["--per-binade", &per_binade])?;
    let page = file("md");
    if bytes_of(&page)? > MOST_IN_PAGES {
        fs::remove_file(&page).map_err(|error| failure(&page, &error))?;
        export("hardest", "md", &["--per-binade", FEW])?;
    }
    let hardest = ["--per-binade", per_binade.as_str()];
    for (output, plain, compressed, more) in
        [("hardest-csv", "csv", "csv.zst", &hardest[..]), ("wc", "wc", "wc.zst", &[])]
    {
        export(output, plain, more)?;
        let path = file(plain);
        let bytes = bytes_of(&path)?;
        if bytes <= PLAIN {
            endings.push(plain);
            continue;
        }
        fs::remove_file(&path).map_err(|error| failure(&path, &error))?;
        if bytes <= MOST_IN_LISTS {
            export(output, compressed, more)?;
            endings.push(compressed);
        }
    }
    if index::cases(&file("md"))? <= MOST_IN_PARQUET {
        export("parquet", "parquet", &[])?;
        endings.push("parquet");
    }
    Ok(endings)
}

/// Puts files of these endings in their place, in order, and takes away the lists that are none of
/// them any more.
fn put(job: &Job, from: &Path, endings: &[&str]) -> Result<(), Failure> {
    let folder = folder_of(job)?;
    for ending in endings {
        let name = format!("{}.{ending}", job.function);
        fs::rename(from.join(&name), folder.join(&name))
            .map_err(|error| failure(&folder.join(&name), &error))?;
    }
    // the certificate stays, whichever lists are written again
    for ending in ENDINGS[1..].iter().filter(|ending| !endings.contains(ending)) {
        let _ = fs::remove_file(folder.join(format!("{}.{ending}", job.function)));
    }
    let _ = fs::remove_dir_all(from);
    Ok(())
}

/// Writes the lists of all certificates that are there again.
pub(super) fn write_lists(tool: &Tool, jobs: &[Job]) -> Result<(), Failure> {
    for job in jobs.iter().filter(|job| is_done(job)) {
        let scratch = scratch_of(job)?;
        let endings = lists(tool, job, &certificate_of(job), &scratch)?;
        put(job, &scratch, &endings)?;
    }
    large::write_lists(tool, jobs)?;
    super::summarize(tool)
}

/// Writes the lists of a job that is done a second time: those that are not what is there, each as
/// a sentence.
pub(super) fn differing_lists(tool: &Tool, job: &Job) -> Result<Vec<String>, Failure> {
    let (scratch, mut wrong) = (scratch_of(job)?, Vec::new());
    for ending in lists(tool, job, &certificate_of(job), &scratch)? {
        let name = format!("{}.{ending}", job.function);
        let written = fs::read(scratch.join(&name)).map_err(|error| failure(&scratch.join(&name), &error))?;
        if fs::read(folder_of(job)?.join(&name)).ok() != Some(written) {
            wrong.push(format!("{}.{ending} is not what the certificate says", job.stem()));
        }
    }
    let _ = fs::remove_dir_all(&scratch);
    Ok(wrong)
}
