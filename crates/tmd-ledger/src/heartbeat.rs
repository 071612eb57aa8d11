//! [`Heartbeat`]: the thread that renews the leases of its worker, and reclaims units of dead
//! workers.

use std::{
    collections::BTreeMap,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{Builder, scope},
    time::{Duration, Instant},
};

use tmd_core::Interrupt;

use crate::{Leases, Ledger};

/// How often the caller's interrupt is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// The heartbeat of a worker.
pub(crate) struct Heartbeat<'a> {
    pub(crate) ledger: &'a Ledger,
    pub(crate) worker: i64,
    pub(crate) leases: Leases,
}

impl Heartbeat<'_> {
    /// Works while the heartbeat beats. The outer error is that of a thread that cannot be started.
    pub(crate) fn during<T>(
        &self,
        interrupt: &Interrupt,
        stop: &Interrupt,
        work: impl FnOnce() -> T,
    ) -> std::io::Result<T> {
        if interrupt.is_requested() {
            stop.request();
        }
        let signal = StopSignal::default();
        scope(|scope| {
            Builder::new()
                .name("heartbeat".into())
                .spawn_scoped(scope, || self.beat(&signal, interrupt, stop))?;
            // rung by a panic, too: the scope waits for the heartbeat
            let _rung = StopOnDrop(&signal);
            Ok(work())
        })
    }

    /// Until stopped: renews the leases, reclaims units of dead workers, forwards interrupts.
    fn beat(&self, signal: &StopSignal, interrupt: &Interrupt, stop: &Interrupt) {
        let mut seen: BTreeMap<i64, (i64, Instant)> = BTreeMap::new();
        let mut last = Instant::now();
        while !signal.wait(GLANCE) {
            if interrupt.is_requested() {
                stop.request();
            }
            if last.elapsed() < self.leases.beat {
                continue;
            }
            last = Instant::now();
            // a beat that fails costs the lease at worst; a result that cannot be written ends the
            // work
            let _ = self.ledger.beat(self.worker);
            let _ = self.ledger.reclaim_dead(self.worker);
            let holders = self.ledger.holders().unwrap_or_default();
            seen.retain(|worker, _| holders.contains_key(worker));
            for (worker, holder) in holders.into_iter().filter(|(worker, _)| *worker != self.worker) {
                let entry = seen.entry(worker).or_insert((holder.beats, last));
                if entry.0 != holder.beats {
                    *entry = (holder.beats, last);
                } else if entry.1.elapsed() >= holder.expiry {
                    let _ = self.ledger.give_back(worker);
                }
            }
        }
    }
}

/// Tells one thread that the others are done.
#[derive(Default)]
struct StopSignal {
    is_rung: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl StopSignal {
    fn ring(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_rung.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Waits; whether it was rung.
    fn wait(&self, time: Duration) -> bool {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_rung.load(Relaxed) {
            drop(self.changed.wait_timeout(guard, time).unwrap_or_else(PoisonError::into_inner));
        }
        self.is_rung.load(Relaxed)
    }
}

/// Rings when it is dropped.
struct StopOnDrop<'a>(&'a StopSignal);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.ring();
    }
}
