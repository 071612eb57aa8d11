//! The program `tmd` as a library: its [`main`], and what another program needs that begins and
//! resumes runs in the same words and has them searched by other [`UnitWorkers`]. `tmd-mpi` is one.
//!
//! Exit codes: 0 done; 1 the machine failed, or arguments are left of which nothing is known (what
//! is known is printed); 2 the question was wrong; 130 interrupted (what is known is printed).
//!
//! * [`SolveOptions`], [`ResumeOptions`]: the command lines of `tmd solve` and `tmd resume`;
//!   [`solve()`], [`resume`]: what they do;
//! * [`UnitWorkers`], [`Job`]: who searches the units of a run; [`OwnThreads`]: this process;
//! * [`data_folder`]: where certificates are kept, and those about a function;
//! * [`Asked`]: a run's question, asked again elsewhere; [`interrupt`]: Ctrl-C; [`Failure`]: one
//!   clear sentence; [`expect_limits`]: what comes first.
#![forbid(unsafe_code)]

mod arguments;
mod certificate;
mod check;
mod command_line;
pub mod data_folder;
mod destination;
mod devices;
mod export;
mod listed;
mod needs;
mod output;
mod plan;
mod process;
mod progress;
mod run;
mod search;
mod shards;
mod solve;
mod table;
mod test_libm;
mod typed;
mod verify;
mod words;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Cli, Command};
pub use output::Failure;
pub use process::expect_limits;
pub use run::{Asked, Job, OwnThreads, ResumeOptions, UnitWorkers, resume};
pub use solve::{SolveOptions, interrupt, run as solve};

/// The program: arguments in, text out.
pub fn main() -> ExitCode {
    let command = Cli::parse().command;
    if command.may_look_for_devices() {
        process::without_window_system();
    }
    process::expect_limits();
    let result = match command {
        Command::Search(options) => search::run(&options),
        Command::Solve(options) => solve(&options, &OwnThreads),
        Command::Resume(options) => resume(&options, &OwnThreads),
        Command::Status(options) => run::status(&options),
        Command::Shard(options) => shards::shard(&options),
        Command::Work(options) => shards::work(&options),
        Command::Merge(options) => shards::merge(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Report(options) => export::report(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Needs(options) => needs::run(&options),
        Command::Table(options) => table::run(&options),
        Command::TestLibm(options) => test_libm::run(&options),
        Command::LibmWorker(options) => test_libm::serve(&options),
        Command::Adapters(options) => devices::adapters::run(&options),
    };
    result.unwrap_or_else(|failure| {
        output::tell(format_args!("tmd: {failure}"));
        failure.exit_code()
    })
}
