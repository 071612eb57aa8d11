//! What is written of a certificate, beside it: its lists and tables. They are written of it alone,
//! so that they can be written again, and compared.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use super::{
    Job, Tool, certificate_of, failure, index, is_done,
    record::{self, Record},
    run_directory,
};
use crate::run::{Failure, root};

/// Lists of more bytes than this are compressed.
const PLAIN: u64 = 256 << 10;

/// Parquet files of certificates of more cases than this are left out: `tmd export` makes them in
/// seconds.
const MOST_IN_PARQUET: usize = 200_000;

/// The share of the searched arguments that `--check` searches again with another engine.
const SHARE: &str = "0.1";

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
    tool.verify(&certificate, &[])?;
    let verify_s = record::children_seconds().zip(before).map(|(now, before)| now - before);
    let mut endings = lists(tool, job, &certificate, &scratch)?;
    Record::of(tool, job, &run, verify_s)?.keep()?;
    // the certificate last: where it is, the job is done
    endings.push("json.zst");
    put(job, &scratch, &endings)?;
    println!("{}: done; its run directory {} is not needed any more", job.stem(), run.display());
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
    let mut endings = vec!["md", "csv"];
    export("hardest", "md", &["--per-binade", &per_binade])?;
    export("hardest-csv", "csv", &["--per-binade", &per_binade])?;
    export("wc", "wc", &[])?;
    if fs::metadata(file("wc")).map_err(|error| failure(&file("wc"), &error))?.len() > PLAIN {
        fs::remove_file(file("wc")).map_err(|error| failure(&file("wc"), &error))?;
        export("wc", "wc.zst", &[])?;
        endings.push("wc.zst");
    } else {
        endings.push("wc");
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
    for ending in ["wc", "wc.zst", "parquet"].into_iter().filter(|ending| !endings.contains(ending)) {
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
    super::summarize()
}

/// Verifies all certificates that are there, searches a random tenth of each again with another
/// engine, writes their lists a second time and compares.
pub(super) fn check(tool: &Tool, jobs: &[Job]) -> Result<(), Failure> {
    let (started, mut wrong, mut count) = (Instant::now(), Vec::new(), 0);
    for job in jobs.iter().filter(|job| is_done(job)) {
        count += 1;
        let began = Instant::now();
        if tool.verify(&certificate_of(job), &["--share", SHARE]).is_err() {
            wrong.push(format!("{}.json.zst does not hold", job.stem()));
        }
        let scratch = scratch_of(job)?;
        for ending in lists(tool, job, &certificate_of(job), &scratch)? {
            let name = format!("{}.{ending}", job.function);
            let again =
                fs::read(scratch.join(&name)).map_err(|error| failure(&scratch.join(&name), &error))?;
            if fs::read(folder_of(job)?.join(&name)).ok() != Some(again) {
                wrong.push(format!("{}.{ending} is not what the certificate says", job.stem()));
            }
        }
        let _ = fs::remove_dir_all(&scratch);
        println!("{}: {:.0} s", job.stem(), began.elapsed().as_secs_f64());
    }
    let seconds = started.elapsed().as_secs_f64();
    if wrong.is_empty() {
        println!("{count} certificates hold, and their lists are what they say; that took {seconds:.0} s");
        Ok(())
    } else {
        Err(Failure::step(wrong.join("; ")))
    }
}
