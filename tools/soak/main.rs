//! `soak`: random searches by several engines until the time is over or two lists differ; the
//! program behind `cargo xtask soak`.
#![forbid(unsafe_code)]

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Parser;
use tmd_tools::soak::{Pool, Soak};

/// Random functions, precisions, intervals and engines against each other, and against MPFR at
/// every argument where the interval is small; stops at the first disagreement and says how to see
/// it again
#[derive(Parser)]
#[command(name = "soak", bin_name = "cargo xtask soak", max_term_width = 110)]
struct Options {
    /// How long
    #[arg(long, value_name = "M", default_value_t = 60.0)]
    minutes: f64,
    /// What all questions follow from [default: from the clock]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Number of the first execution
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// At most so many executions
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    executions: u64,
    /// Seconds that an execution may take; what takes longer is given up
    #[arg(long, value_name = "S", default_value_t = 20)]
    limit: u64,
    /// Without the engines of a GPU, even if there is one
    #[arg(long)]
    no_gpu: bool,
    /// Only print what the first execution asks, and of whom
    #[arg(long)]
    show: bool,
    /// Minutes between lines about how far it is
    #[arg(long, value_name = "M", default_value_t = 1.0)]
    tell: f64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let seed = options.seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |time| time.as_secs())
    });
    let (Ok(time), Ok(pause)) = (
        Duration::try_from_secs_f64(options.minutes * 60.0),
        Duration::try_from_secs_f64(options.tell * 60.0),
    ) else {
        eprintln!("soak: --minutes and --tell take numbers of minutes, such as 60 or 0.5");
        return ExitCode::from(2);
    };
    let cpu = Pool::of_the_cpu();
    let (pool, missing) = if options.no_gpu { (cpu, None) } else { cpu.with_devices() };
    if let Some(reason) = missing {
        println!("without a GPU: {reason}");
    }
    println!("seed {seed}");
    let soak = Soak {
        seed,
        first: options.first,
        pool,
        time,
        limit: Duration::from_secs(options.limit),
        executions: options.executions,
    };
    if options.show {
        return match soak.task(options.first) {
            Ok(task) => {
                println!("{task}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("soak: {error}");
                ExitCode::FAILURE
            }
        };
    }
    let mut told = Instant::now();
    let (totals, finding) = soak.run(|totals| {
        if told.elapsed() >= pause {
            println!("{totals}");
            told = Instant::now();
        }
    });
    println!("{totals}");
    for (name, (answers, arguments)) in &totals.answers {
        println!(
            "  {name:<28}{answers:>9} answers {:>8} arguments",
            format!("2^{:.1}", ((*arguments).max(1) as f64).log2())
        );
    }
    if !totals.abandoned.is_empty() {
        println!("given up: {:?} (--show --first N prints what was asked)", totals.abandoned);
    }
    match finding {
        None => {
            println!("no disagreement");
            ExitCode::SUCCESS
        }
        Some(finding) => {
            println!("{finding}");
            println!("again: cargo xtask soak --seed {seed} --first {} --executions 1", finding.execution);
            ExitCode::FAILURE
        }
    }
}
