//! The other ranks: make the plan of rank 0's question again, compare it, search the units that
//! they are told, and report.

use std::{
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{scope, sleep},
};

use mpi::{topology::SimpleCommunicator, traits::Communicator};
use tmd_cli::{Asked, Failure, interrupt};
use tmd_core::Interrupt;
use tmd_driver::{DriverError, Solve, SolvePlan};
use tmd_ledger::Question;

use crate::message::{NAP, Order, Report, receive, report};

/// The whole of another rank.
pub(crate) fn run(world: &SimpleCommunicator) -> ExitCode {
    let order = loop {
        match receive(world) {
            Ok(None) => sleep(NAP),
            Ok(Some((_, order))) => break order,
            Err(failure) => give_up(world, &failure),
        }
    };
    if let Order::Begin { question, plan_sha256, threads } = order
        && let Err(failure) = search(world, &question, &plan_sha256, threads)
    {
        give_up(world, &failure);
    }
    ExitCode::SUCCESS
}

/// Ends the whole job: rank 0 waits for this one.
fn give_up(world: &SimpleCommunicator, failure: &Failure) -> ! {
    eprintln!("tmd-mpi: rank {}: {failure}", world.rank());
    world.abort(2)
}

fn search(
    world: &SimpleCommunicator,
    question: &Question,
    plan_sha256: &str,
    threads: u32,
) -> Result<(), Failure> {
    let asked = Asked::again(question, Some(threads))?;
    let solve = asked.solve();
    let plan = asked.plan(&solve)?;
    let here = Question::new(&solve, question.unit_s, question.options.clone());
    let differences = here.differences(question);
    if !differences.is_empty() {
        let differences = differences.join(", ");
        return Err(Failure::question(format!(
            "this machine would search otherwise than rank 0's: {differences}; name --simd and --backend that all have"
        )));
    }
    if plan.digest() != plan_sha256 {
        return Err(Failure::question(
            "the plan is not rank 0's; start the same version of tmd-mpi everywhere",
        ));
    }
    let units = solve.units_at_a_time(&plan).max(1);
    let searching = WorkerThreads { solve: &solve, plan: &plan, interrupt: &interrupt() };
    let (orders, queue) = channel();
    let (reports, done) = channel();
    let (searching, queue) = (&searching, &Mutex::new(queue));
    scope(|scope| {
        for _ in 0..units {
            let reports = reports.clone();
            scope.spawn(move || searching.search_units(queue, &reports));
        }
        // the channel ends when the last thread does
        drop(reports);
        let mut inbox = Inbox { world, interrupt: searching.interrupt, orders: Some(orders) };
        let spoken = inbox.speak(units, &done);
        // or the threads wait for units
        inbox.close();
        spoken
    })
}

/// The threads that search.
struct WorkerThreads<'a> {
    solve: &'a Solve<'a>,
    plan: &'a SolvePlan,
    interrupt: &'a Interrupt,
}

impl WorkerThreads<'_> {
    /// One thread: searches the units of the queue.
    fn search_units(&self, queue: &Mutex<Receiver<usize>>, reports: &Sender<Report>) {
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok(unit) = next() {
            // nobody listens any more only when all is over
            let _ = reports.send(self.search(unit));
        }
    }

    fn search(&self, unit: usize) -> Report {
        match self.solve.search_unit(&self.plan.units[unit], &(), self.interrupt) {
            Ok(Some(result)) => Report::Done { unit, result: Box::new(result) },
            Ok(None) => Report::Retired { unit, reason: None },
            // what a machine fails at, it fails at with the next unit, too
            Err(DriverError::Core(error)) if error.is_of_the_machine() => {
                Report::Retired { unit, reason: Some(error.to_string()) }
            }
            Err(error) => Report::Failed { unit, reason: error.to_string() },
        }
    }
}

/// Where rank 0's orders arrive.
struct Inbox<'a> {
    world: &'a SimpleCommunicator,
    interrupt: &'a Interrupt,
    /// to the threads that search; none after the last order
    orders: Option<Sender<usize>>,
}

impl Inbox<'_> {
    /// Passes orders on and reports back, until rank 0 says that it is over.
    fn speak(&mut self, units: usize, done: &Receiver<Report>) -> Result<(), Failure> {
        let world = self.world;
        report(world, &Report::Ready { units }, || self.empty())?;
        loop {
            self.empty()?;
            match done.recv_timeout(NAP) {
                Ok(what) => report(world, &what, || self.empty())?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        report(world, &Report::Gone, || Ok(()))
    }

    /// Takes in all orders that are there.
    fn empty(&mut self) -> Result<(), Failure> {
        while let Some((_, order)) = receive(self.world)? {
            match (order, &self.orders) {
                // the threads end after the last order only
                (Order::Search(unit), Some(orders)) => drop(orders.send(unit)),
                (Order::Stop, _) => self.close(),
                _ => {}
            }
        }
        Ok(())
    }

    /// There will be no more orders.
    fn close(&mut self) {
        self.interrupt.request();
        self.orders = None;
    }
}
