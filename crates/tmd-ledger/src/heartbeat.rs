//! [`Heartbeat`]: the thread that renews the leases of its worker, and reclaims units of dead
//! workers.

use std::{
    collections::BTreeMap,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
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
        let (held, ended) = channel();
        scope(|scope| {
            Builder::new()
                .name("heartbeat".into())
                .spawn_scoped(scope, move || self.beat(&ended, interrupt, stop))?;
            let worked = work();
            // a panic drops it, too: the scope waits for the heartbeat
            drop(held);
            Ok(worked)
        })
    }

    /// Until the work has ended: renews the leases, reclaims units of dead workers, forwards
    /// interrupts.
    fn beat(&self, ended: &Receiver<()>, interrupt: &Interrupt, stop: &Interrupt) {
        let mut seen: BTreeMap<i64, (i64, Instant)> = BTreeMap::new();
        let mut last = Instant::now();
        while ended.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
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
