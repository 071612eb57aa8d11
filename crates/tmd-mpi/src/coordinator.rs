//! Rank 0: takes the command line, holds the ledger, hands out units one by one and takes results
//! in.
//!
//! A slot of another rank gets its next unit when the result of its last one is written through. So
//! what is in work and not in the ledger is one unit a slot, at any moment.

use std::{
    cell::Cell,
    collections::{BTreeSet, VecDeque},
    process::ExitCode,
    thread::sleep,
    time::{Duration, Instant},
};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use mpi::{Rank, topology::SimpleCommunicator, traits::Communicator};
use tmd_cli::{Failure, Job, ResumeOptions, SolveOptions, UnitWorkers, resume, solve};
use tmd_ledger::UnitServer;

use crate::message::{NAP, Order, Report, order, receive};

/// A run of tmd solve on the ranks of an MPI job: rank 0 keeps the ledger, the others search.
#[derive(Parser)]
#[command(name = "tmd-mpi", version, propagate_version = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve the dilemma of a function over its whole domain, with a certificate, in a new run
    /// directory
    Solve(Box<SolveOptions>),
    /// Go on with a run that tmd-mpi solve or tmd solve --run began
    Resume(ResumeOptions),
}

/// Time between two questions for open units when there are none: other processes may give some
/// back.
const PATIENCE: Duration = Duration::from_millis(50);

/// The whole of rank 0.
pub(crate) fn run(world: &SimpleCommunicator) -> ExitCode {
    let ranks = Ranks { world, have_begun: Cell::new(false) };
    let code = answer(&ranks);
    if !ranks.have_begun.get() {
        // they wait for a question, and there is none
        ranks.tell_all(&Order::Stop);
    }
    code
}

fn answer(ranks: &Ranks) -> ExitCode {
    let cli = match command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // nothing is to be done about a closed pipe
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match cli.command {
        _ if ranks.others().is_empty() => {
            Err(Failure::question("rank 0 only hands out units; start two ranks at least, as by mpirun -n 2"))
        }
        Command::Solve(options) => solve(&options, ranks),
        Command::Resume(options) => resume(&options, ranks),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("tmd-mpi: {failure}");
        failure.exit_code()
    })
}

/// The words of `tmd`, but that a run directory is needed, and that a rank has one thread unless
/// more are asked for.
fn command() -> clap::Command {
    let threads = |command: clap::Command| {
        let help = "Threads of each rank but the first: a unit for each at a time";
        command.mut_arg("threads", |argument| argument.default_value("1").help(help))
    };
    Cli::command()
        .mut_subcommand("solve", |command| {
            threads(command).mut_arg("run", |argument| argument.required(true))
        })
        .mut_subcommand("resume", threads)
}

/// The other ranks.
struct Ranks<'a> {
    world: &'a SimpleCommunicator,
    have_begun: Cell<bool>,
}

impl Ranks<'_> {
    fn others(&self) -> std::ops::Range<Rank> {
        1..self.world.size()
    }

    fn tell_all(&self, what: &Order) {
        self.others().for_each(|rank| order(self.world, rank, what));
    }
}

impl UnitWorkers for Ranks<'_> {
    fn work(&self, job: &Job) -> Result<(), Failure> {
        let Job { ledger, solve, plan, leases, interrupt, .. } = job;
        let (threads, others) = (solve.workers.threads().max(1), self.others().len());
        self.have_begun.set(true);
        self.tell_all(&Order::Begin {
            question: Box::new(ledger.question().clone()),
            plan_sha256: ledger.plan_sha256().into(),
            threads: threads as u32,
        });
        let mut shift =
            Shift { ranks: self, job, free: VecDeque::new(), held: 0, away: BTreeSet::new(), gone: 0 };
        let mut are_dismissed = false;
        let worked = ledger.serve(solve, plan, threads * others, *leases, interrupt, |server| {
            are_dismissed = true;
            let served = shift.serve(server);
            // they would wait for ever, whatever happened here
            served.and(shift.dismiss(server))
        });
        if !are_dismissed {
            // nobody was served: the ledger could not be joined
            shift.send_away();
        }
        let worked = worked?;
        eprintln!("tmd-mpi: {} units searched by {others} ranks", worked.finished + worked.again);
        Ok(())
    }
}

/// What rank 0 knows of the others.
struct Shift<'a> {
    ranks: &'a Ranks<'a>,
    job: &'a Job<'a>,
    /// a rank for each unit that it may search beside those it has
    free: VecDeque<Rank>,
    /// units that are being searched
    held: usize,
    /// ranks that take no more units …
    away: BTreeSet<Rank>,
    /// … and those that said that they are gone
    gone: usize,
}

impl Shift<'_> {
    fn serve(&mut self, server: &mut UnitServer) -> Result<(), Failure> {
        let mut asked: Option<Instant> = None;
        while !server.is_interrupted() {
            let has_news = self.take_in(server)?;
            if asked.is_none_or(|time| time.elapsed() > PATIENCE) {
                let units = server.take(self.free.len())?;
                // fewer than wanted: there are no more for now
                asked = (units.len() < self.free.len()).then(Instant::now);
                for unit in units {
                    let Some(rank) = self.free.pop_front() else { break };
                    order(self.ranks.world, rank, &Order::Search(unit));
                    self.held += 1;
                }
                if self.held == 0 && server.is_over()? {
                    return Ok(());
                }
                if self.away.len() == self.ranks.others().len() {
                    return Err(Failure::machine("no rank is left that can search; tmd resume goes on"));
                }
            }
            if !has_news {
                sleep(NAP);
            }
        }
        Ok(())
    }

    /// Ends the others' work. What they finish meanwhile is kept.
    fn dismiss(&mut self, server: &mut UnitServer) -> Result<(), Failure> {
        self.ranks.tell_all(&Order::Stop);
        let mut result = Ok(());
        while self.gone < self.ranks.others().len() {
            match self.take_in(server) {
                Ok(true) => {}
                Ok(false) => sleep(NAP),
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    }

    /// Ends the others' work before any was handed out.
    fn send_away(&mut self) {
        self.ranks.tell_all(&Order::Stop);
        while self.gone < self.ranks.others().len() {
            match receive::<Report>(self.ranks.world) {
                Ok(Some((_, Report::Gone))) => self.gone += 1,
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => sleep(NAP),
            }
        }
    }

    /// Hears what the others say; whether they said anything.
    fn take_in(&mut self, server: &mut UnitServer) -> Result<bool, Failure> {
        let mut results = Vec::new();
        let mut has_news = false;
        while results.len() < UnitServer::BATCH
            && let Some((rank, report)) = receive::<Report>(self.ranks.world)?
        {
            has_news = true;
            match report {
                Report::Ready { units } => self.free.extend(std::iter::repeat_n(rank, units)),
                Report::Done { unit, result } => {
                    results.push((unit, *result));
                    self.is_back(rank);
                }
                Report::Failed { unit, reason } => {
                    server.fail(unit, &reason)?;
                    self.is_back(rank);
                }
                Report::Retired { unit, reason } => {
                    server.give_back(unit, reason.as_deref())?;
                    self.held -= 1;
                    self.away.insert(rank);
                    self.free.retain(|free| *free != rank);
                }
                Report::Gone => self.gone += 1,
            }
        }
        server.finish(&results)?;
        if !results.is_empty() {
            self.job.observer.progress(server.progress());
        }
        Ok(has_news)
    }

    /// A unit came back, and the rank may have another one.
    fn is_back(&mut self, rank: Rank) {
        self.held -= 1;
        if !self.away.contains(&rank) {
            self.free.push_back(rank);
        }
    }
}
