//! `tmd shard`, `tmd work`, `tmd merge`.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use tmd_core::Interrupt;
use tmd_driver::{
    Coverage,
    certificate::merge::{self, Disagreement, Merged, Part},
};
use tmd_ledger::{Access, Ledger, Shard, Shards, plain, quoted};

use crate::arguments::function;
use crate::certificate::{changed, read};
use crate::destination::CertificateOut;
use crate::output::{Destination, Failure, tell};
use crate::progress::Bar;
use crate::run::{Asked, Run, say_damaged, say_disputed};
use crate::solve::{end, interrupt};

#[derive(Args)]
pub(crate) struct ShardOptions {
    /// The run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Number of shards
    #[arg(long, value_name = "K")]
    count: u64,
}

#[derive(Args)]
pub(crate) struct WorkOptions {
    /// The run directory, or a directory with its shards/plan.json
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Which of the shards: 1/K to K/K
    #[arg(long, value_name = "I/K", value_parser = parse_shard)]
    shard: Shard,
    /// Threads of the CPU [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
}

#[derive(Args)]
pub(crate) struct MergeOptions {
    /// The run directory that takes results in, those of its own shards first; with --out, a run
    /// directory or a certificate
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Other run directories of the same question: of the same engine and plan, results are taken
    /// in; else cases are compared. With --out: of any binades, and certificates, too
    #[arg(value_name = "OTHER")]
    others: Vec<PathBuf>,
    /// Changes no run, and writes one certificate of all that DIR and OTHER have searched,
    /// whichever binades each of them was asked for
    #[command(flatten)]
    out: CertificateOut,
}

/// Stretches of arguments that are not covered and are shown.
const SHOWN: usize = 10;

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, k)| Some((i.parse().ok()?, k.parse().ok()?)));
    let (index, count) =
        parts.ok_or_else(|| format!("`{text}` is not I/K; --shard 3/8 means the third of eight"))?;
    Ok(Shard { index, count })
}

/// `tmd shard`.
pub(crate) fn shard(options: &ShardOptions) -> Result<ExitCode, Failure> {
    Ledger::open(&options.directory, Access::Read)?.shard(options.count)?;
    let (directory, count) = (quoted(&options.directory), options.count);
    Destination::Standard.write(format!(
        "{count} shards: run `tmd work {directory} --shard I/{count}` for I = 1 to {count}, anywhere and as often as you like, then `tmd merge {directory}`\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// `tmd work`.
pub(crate) fn work(options: &WorkOptions) -> Result<ExitCode, Failure> {
    let shards = Shards::open(&options.directory)?;
    let asked = Asked::again(shards.question(), options.threads)?;
    let solve = asked.solve();
    let plan = asked.plan(&solve)?;
    shards.check(&solve, &plan)?;
    let interrupt = interrupt();
    let bar = Bar::new();
    let worked = shards.work(&solve, &plan, options.shard, &bar, &interrupt);
    bar.finish();
    let worked = worked?;
    for (unit, failure) in &worked.failed {
        eprintln!("tmd: unit {unit} FAILED: {}", plain(failure));
    }
    let Shard { index, count } = options.shard;
    let (finished, there) = (worked.finished, worked.there);
    Destination::Standard
        .write(format!("shard {index}/{count}: {finished} units searched, {there} were there\n"))?;
    if worked.is_complete {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("tmd: the shard is not complete; the same command continues it");
    Ok(ExitCode::from(if interrupt.is_requested() { 130 } else { 1 }))
}

/// `tmd merge`. Exit code 1 where something that came is damaged, disputed or not compared: it is
/// named, and the rest is taken in.
pub(crate) fn merge(options: &MergeOptions) -> Result<ExitCode, Failure> {
    let paths: Vec<&Path> =
        std::iter::once(&options.directory).chain(&options.others).map(PathBuf::as_path).collect();
    if let Some(destination) = options.out.open(&paths)? {
        return merge_certificates(&paths, destination);
    }
    let run = Run::open(&options.directory, Access::Write, None)?;
    // a directory that is none is found out before anything is taken in
    let others = options.others.iter().map(|path| Ledger::open(path, Access::Read));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let solve = run.solve();
    let plan = run.plan(&solve)?;
    let mut is_sound = report("shards", &run.ledger.merge_shards(&solve, &plan)?)?;
    for other in &others {
        is_sound &= report(&quoted(other.directory()), &run.ledger.merge(&solve, &plan, other)?)?;
    }
    let status = run.ledger.status(false)?;
    let mut sentence = format!("{} of {} units are finished", status.finished, status.units);
    let disputed = status.disputed.len();
    if disputed > 0 {
        // writing to a String does not fail
        let _ = write!(sentence, "; {disputed} are DISPUTED, tmd resume searches them again");
    }
    Destination::Standard.write(sentence + "\n")?;
    Ok(if is_sound && disputed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// `tmd merge --out`. Exit code 1 where two of the sources disagree, or something is left that
/// nobody has searched: it is named, and the rest is written.
fn merge_certificates(paths: &[&Path], destination: Destination) -> Result<ExitCode, Failure> {
    let mut parts = Vec::with_capacity(paths.len());
    for path in paths {
        let certificate = read(path)?;
        if let Some(sentence) = changed(path, &certificate) {
            return Err(Failure::machine(sentence));
        }
        parts.push(Part { name: quoted(path), certificate });
    }
    let name = parts.first().map_or("", |part| part.certificate.function.as_str());
    let Merged { certificate, compared, uncompared, disagreements } = merge::merge(&function(name)?, &parts)?;
    for Disagreement { x, what, parts: [one, other] } in &disagreements {
        let (x, one, other) = (plain(x), plain(one), plain(other));
        tell(format_args!(
            "tmd: {one} and {other} DISAGREE: the {what} at {x} is in one of the two only; one of the machines or programs is wrong: please find out which; the binade counts as not searched"
        ));
    }
    if compared > 0 && disagreements.is_empty() {
        tell(format_args!(
            "tmd: the cases of 2^{:.1} arguments that two of them searched agree",
            (compared as f64).log2()
        ));
    }
    if uncompared > 0 {
        tell(format_args!(
            "tmd: {uncompared} regions that two of them searched are NOT compared: not finished, or regions of another kind in one of the two"
        ));
    }
    let coverage = Coverage::of(&certificate)?;
    let left: Vec<_> = coverage.stretches().iter().filter(|stretch| !stretch.is_covered()).collect();
    for stretch in left.iter().take(SHOWN) {
        tell(format_args!("tmd: NOT COVERED: {stretch}"));
    }
    if left.len() > SHOWN {
        tell(format_args!("tmd: NOT COVERED: and {} more", left.len() - SHOWN));
    }
    let code = end(&certificate, Some(destination), &Interrupt::new())?;
    Ok(if disagreements.is_empty() { code } else { ExitCode::from(1) })
}

/// Says what came of a merge; whether all of it was in order.
fn report(from: &str, merged: &tmd_ledger::Merged) -> Result<bool, Failure> {
    say_damaged(&merged.damaged);
    say_disputed(&merged.disputes);
    let tmd_ledger::Merged { new, again, compared, uncompared, damaged, disputes } = merged;
    let mut sentence = match compared {
        None => format!("{from}: {new} results taken in, {again} were there and agree\n"),
        Some(0) => format!(
            "{from}: NOT compared: no argument was searched by both; with --out FILE.json, tmd merge writes one certificate of different binades\n"
        ),
        Some(compared) => {
            let agree = if disputes.is_empty() { "agree" } else { "were compared" };
            format!("{from}: the cases of 2^{:.1} arguments {agree}\n", (*compared as f64).log2())
        }
    };
    // writing to a String does not fail
    if *uncompared > 0 {
        let _ = writeln!(
            sentence,
            "{from}: {uncompared} units that searched the inverse function, or a family of arguments, are NOT compared: their regions are not finished in both runs"
        );
    }
    for (count, what) in [(damaged.len(), "DAMAGED"), (disputes.len(), "not the same as others, see above")] {
        if count > 0 {
            let _ = writeln!(sentence, "{from}: {count} results are {what}");
        }
    }
    Destination::Standard.write(sentence)?;
    Ok(merged.is_sound())
}
