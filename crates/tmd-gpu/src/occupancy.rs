//! [`Occupancy`]: how much of the time a device has work.
//!
//! A device idles while its only thread prepares, transfers and enumerates; with a second thread's
//! batch under way it does not. The time with at least one batch under way tells whether that
//! works.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use crate::device::locked;

/// When batches were under way, from submission until the host knew that they were done.
#[derive(Debug, Default)]
pub(crate) struct Occupancy(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    under_way: u32,
    /// since when at least one is
    since: Option<Instant>,
    /// before that
    busy: Duration,
    /// most batches at once
    #[cfg(test)]
    most: u32,
}

impl State {
    fn enter(&mut self, now: Instant) {
        self.under_way += 1;
        #[cfg(test)]
        {
            self.most = self.most.max(self.under_way);
        }
        self.since.get_or_insert(now);
    }

    fn leave(&mut self, now: Instant) {
        self.under_way -= 1;
        if self.under_way == 0
            && let Some(since) = self.since.take()
        {
            self.busy += now.saturating_duration_since(since);
        }
    }

    fn busy(&self, now: Instant) -> Duration {
        self.busy + self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }
}

impl Occupancy {
    /// A batch is under way until what is returned is dropped.
    pub(crate) fn enter(&self) -> UnderWay<'_> {
        locked(&self.0).enter(Instant::now());
        UnderWay(self)
    }

    /// Time with at least one batch under way.
    pub(crate) fn busy(&self) -> Duration {
        locked(&self.0).busy(Instant::now())
    }
}

/// One batch.
#[derive(Debug)]
pub(crate) struct UnderWay<'a>(&'a Occupancy);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        locked(&self.0.0).leave(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUSY: &str = "
        @group(0) @binding(0) var<storage, read_write> words: array<u32>;
        @compute @workgroup_size(64)
        fn busy(@builtin(global_invocation_id) id: vec3<u32>) {
            var x = words[id.x];
            for (var i = 0u; i < 20000u; i++) { x = x * 1664525u + 1013904223u; }
            words[id.x] = x;
        }";

    /// Batches side by side count once, gaps not at all.
    #[test]
    fn time_with_work() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut state = State::default();
        assert_eq!(state.busy(at(5)), Duration::ZERO);
        state.enter(at(10));
        state.enter(at(30));
        assert_eq!(state.busy(at(35)), Duration::from_millis(25));
        state.leave(at(40));
        assert_eq!(state.busy(at(45)), Duration::from_millis(35));
        state.leave(at(50));
        assert_eq!(state.busy(at(100)), Duration::from_millis(40));
        state.enter(at(100));
        state.leave(at(101));
        assert_eq!(state.busy(at(200)), Duration::from_millis(41));
    }

    /// While the device works on one thread's batch, another thread uploads and submits the next
    /// one.
    #[test]
    fn transfers_and_kernels_overlap() {
        let Some(gpu) = crate::testing::gpu() else { return };
        let kernel = gpu.pipeline("busy", BUSY, "busy", &[]).unwrap();
        let mut expected = 3_u32;
        (0..20_000).for_each(|_| expected = expected.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
        // one round would do, but for a machine that runs the threads one after the other
        for _ in 0..100 {
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        let words = gpu.buffer("words", 1 << 12).unwrap();
                        for _ in 0..5 {
                            let mut batch = gpu.batch();
                            batch.write(&words, 0, &[3; 1 << 12]);
                            batch.dispatch("busy", &kernel, &[&words], 64);
                            let read = batch.read(&words, 0..1 << 12);
                            assert_eq!(batch.run().unwrap().take(read).unwrap(), [expected; 1 << 12]);
                        }
                    });
                }
            });
            if locked(&gpu.inner.occupancy.0).most > 1 {
                break;
            }
        }
        let state = locked(&gpu.inner.occupancy.0);
        assert_eq!((state.most, state.under_way), (2, 0));
        assert!(state.busy > Duration::ZERO);
    }

    #[test]
    fn a_batch_leaves_whatever_happens() {
        let occupancy = Occupancy::default();
        let outer = occupancy.enter();
        assert!(
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let _inner = occupancy.enter();
                panic!("a kernel fails");
            }))
            .is_err()
        );
        assert_eq!(locked(&occupancy.0).under_way, 1);
        drop(outer);
        assert_eq!(locked(&occupancy.0).under_way, 0);
    }
}
