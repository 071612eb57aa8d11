//! [`map`]: many jobs on a few threads, begun in their order.
//!
//! Jobs here are whole searches, whose threads are counted: there are as many as are asked for, and
//! the caller's is one of them.

use std::{
    panic::resume_unwind,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread::{Builder, panicking, scope},
};

use crate::DriverError;

/// What `job` makes of the items, in their order. An item is begun when all before it are.
///
/// # Errors
/// [`DriverError::Threads`].
pub(crate) fn map<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    job: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, DriverError> {
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    for_each(threads, items.len(), &|index| {
        let result = job(&items[index]);
        *results[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    })?;
    let results: Vec<R> = results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect();
    assert_eq!(results.len(), items.len(), "each job was done");
    Ok(results)
}

/// Does the jobs with these numbers: the same code for all jobs, which are dozens of types.
fn for_each(threads: usize, jobs: usize, job: &(dyn Fn(usize) + Sync)) -> Result<(), DriverError> {
    let next = AtomicUsize::new(0);
    let work = || {
        // after a panic no thread begins anything
        let _guard = EndOnPanic(|| next.store(jobs, Relaxed));
        while let Some(index) = Some(next.fetch_add(1, Relaxed)).filter(|index| *index < jobs) {
            job(index);
        }
    };
    let threads = threads.clamp(1, jobs.max(1));
    scope(|scope| {
        let spawned =
            (1..threads).map(|_| Builder::new().spawn_scoped(scope, work)).collect::<Result<Vec<_>, _>>();
        let spawned = spawned.map_err(|error| {
            next.store(jobs, Relaxed);
            DriverError::Threads { threads, reason: error.to_string() }
        })?;
        work();
        for thread in spawned {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        Ok(())
    })
}

/// Does something if its thread panics.
struct EndOnPanic<F: Fn()>(F);

impl<F: Fn()> Drop for EndOnPanic<F> {
    fn drop(&mut self) {
        if panicking() {
            (self.0)();
        }
    }
}

/// Cores of the machine.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_order() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [0, 1, 3, 2000] {
            let squares = map(threads, &items, |x| x * x).unwrap();
            assert!(squares.iter().zip(&items).all(|(square, x)| *square == x * x) && squares.len() == 1000);
        }
        assert!(map(4, &[], |x: &u8| *x).unwrap().is_empty());
    }

    /// Of a job that panics at once the others hear before they begin another item.
    #[test]
    fn a_panic_ends_it() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 3] {
            let begun = AtomicUsize::new(0);
            let job = |x: &usize| {
                begun.fetch_add(1, Relaxed);
                assert_ne!(*x, 0, "the first");
                // until it was heard of
                std::thread::sleep(std::time::Duration::from_millis(5));
            };
            assert!(std::panic::catch_unwind(|| map(threads, &items, job)).is_err());
            assert!(begun.into_inner() < items.len(), "{threads}");
        }
    }

    #[test]
    #[should_panic(expected = "at 7")]
    fn panics_are_passed_on() {
        let _ = map(2, &[5, 6, 7, 8], |x| assert!(*x != 7, "at {x}"));
    }
}
