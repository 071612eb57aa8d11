//! An opened adapter.
//!
//! wgpu's own answer to an error that nobody waits for is a panic. It never gets to that: every
//! call into wgpu that can fail happens between error scopes ([`Gpu::scoped`]), what escapes them
//! lands in a slot that the next call reports, a lost device is remembered for good, and waiting
//! has a time limit.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    AdapterChoice, AdapterSummary, GpuError, adapter, occupancy::Occupancy, pipeline::Pipelines,
    probe::LoopRounds, staging::Pool,
};

/// How long a batch may take unless told otherwise: far beyond what a batch should take, short
/// enough to wait for.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// How long the last handle waits for a GPU that timed out before.
const FAREWELL: Duration = Duration::from_secs(10);

/// How 64-bit integers are to be calculated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Integers {
    /// Natively where the adapter offers it.
    #[default]
    Auto,
    /// As pairs of 32-bit integers. Shaders that use `u64` are refused.
    Emulated,
    /// Natively, or not at all.
    Native,
}

/// An opened adapter: makes buffers and pipelines, runs batches. Cheap to clone; threads may share
/// it.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) inner: Arc<Inner>,
    time_limit: Duration,
}

#[derive(Debug)]
pub(crate) struct Inner {
    /// Tells buffers, pipelines and reads of different devices apart.
    pub(crate) id: u64,
    pub(crate) device: wgpu::Device,
    /// `Some` until dropped.
    queue: Option<wgpu::Queue>,
    summary: AdapterSummary,
    native_integers: bool,
    pub(crate) pipelines: Pipelines,
    pub(crate) staging: Pool,
    pub(crate) loop_rounds: LoopRounds,
    pub(crate) occupancy: Occupancy,
    faults: Arc<Faults>,
    has_timed_out: AtomicBool,
}

/// What wgpu's callbacks have reported.
#[derive(Debug, Default)]
struct Faults {
    /// Why the device is lost, once it is.
    lost: Mutex<Option<String>>,
    /// An error outside of every scope, until somebody is told.
    stray: Mutex<Option<GpuError>>,
}

impl Faults {
    /// The first reason is the true one.
    fn lose(&self, reason: String) {
        locked(&self.lost).get_or_insert(reason);
    }
}

/// A mutex whose data are whole at every moment: a panic elsewhere does not spoil them.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that no other call returned.
pub(crate) fn fresh_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Gpu {
    /// Opens the adapter meant, with all it allows in size.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], [`GpuError::AdapterNotFound`], [`GpuError::AdapterAmbiguous`],
    /// [`GpuError::NativeIntegersMissing`], [`GpuError::RequestDevice`].
    pub fn open(choice: &AdapterChoice, integers: Integers) -> Result<Self, GpuError> {
        let (adapter, summary) = adapter::find(choice)?;
        let native_integers = match integers {
            Integers::Auto => summary.features.native_integers,
            Integers::Emulated => false,
            Integers::Native if summary.features.native_integers => true,
            Integers::Native => return Err(GpuError::NativeIntegersMissing { adapter: summary.name }),
        };
        let mut wanted =
            wgpu::Features::SHADER_F64 | wgpu::Features::SUBGROUP | wgpu::Features::TIMESTAMP_QUERY;
        wanted.set(wgpu::Features::SHADER_INT64, native_integers);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tmd"),
            required_features: wanted & adapter.features(),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
            GpuError::RequestDevice { adapter: summary.name.clone(), message: error.to_string() }
        })?;
        let faults = Arc::new(Faults::default());
        let sink = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            locked(&sink.stray).get_or_insert(error.into());
        }));
        let sink = Arc::clone(&faults);
        device.set_device_lost_callback(move |reason, message| {
            sink.lose(if message.is_empty() { format!("{reason:?}") } else { message });
        });
        let inner = Inner {
            id: fresh_id(),
            device,
            queue: Some(queue),
            summary,
            native_integers,
            pipelines: Pipelines::default(),
            staging: Pool::default(),
            loop_rounds: LoopRounds::default(),
            occupancy: Occupancy::default(),
            faults,
            has_timed_out: AtomicBool::new(false),
        };
        Ok(Self { inner: Arc::new(inner), time_limit: TIME_LIMIT })
    }

    /// The same device, but batches begun from this handle must be done after `limit` (120 s unless
    /// told otherwise).
    #[must_use]
    pub fn with_time_limit(self, limit: Duration) -> Self {
        Self { time_limit: limit, ..self }
    }

    /// The longest time that a batch may take.
    pub fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// The adapter, with what it can do.
    pub fn summary(&self) -> &AdapterSummary {
        &self.inner.summary
    }

    /// The adapter's name and where its 64-bit integers come from, for reports.
    pub(crate) fn name(&self) -> String {
        let integers = if self.native_integers() { "native" } else { "emulated" };
        format!("{} ({integers} integers)", self.summary().name)
    }

    /// Time since it was opened during which it had work: batches submitted that the host did not
    /// know to be done.
    pub fn busy(&self) -> Duration {
        self.inner.occupancy.busy()
    }

    /// Whether shaders may use `u64`: if not, take the emulated integers.
    pub fn native_integers(&self) -> bool {
        self.inner.native_integers
    }

    /// Gives the device up: whatever is called on it afterwards, by any thread, says
    /// [`GpuError::DeviceLost`].
    pub fn destroy(&self) {
        self.inner.faults.lose("it was destroyed".into());
        self.inner.device.destroy();
    }

    /// Whether the device is still there, and what went wrong unseen.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`], or an error that was nobody's.
    pub fn check(&self) -> Result<(), GpuError> {
        if let Some(reason) = &*locked(&self.inner.faults.lost) {
            return Err(GpuError::DeviceLost { reason: reason.clone() });
        }
        locked(&self.inner.faults.stray).take().map_or(Ok(()), Err)
    }

    pub(crate) fn queue(&self) -> Result<&wgpu::Queue, GpuError> {
        let gone = || GpuError::DeviceLost { reason: "its queue is closed".into() };
        self.inner.queue.as_ref().ok_or_else(gone)
    }

    /// Does the work and reports what went wrong in it. Scopes are per thread: other threads'
    /// errors stay theirs.
    pub(crate) fn scoped<R>(&self, work: impl FnOnce(&wgpu::Device) -> R) -> Result<R, GpuError> {
        self.check()?;
        let device = &self.inner.device;
        let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = work(device);
        // popped in reverse order
        let validation = pollster::block_on(validation.pop());
        let internal = pollster::block_on(internal.pop());
        let memory = pollster::block_on(memory.pop());
        self.check()?;
        // what follows from a failed allocation is told as a broken rule: the cause comes first
        memory.or(internal).or(validation).map_or(Ok(result), |error| Err(error.into()))
    }

    /// Waits until the submission is done.
    pub(crate) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let wait =
            wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(self.time_limit) };
        // wgpu 30 panics in `poll` (and only there) when the device is lost while it waits; it
        // holds no lock of ours
        let waited = catch_unwind(AssertUnwindSafe(|| self.inner.device.poll(wait)));
        match waited {
            Ok(Ok(_)) => self.check(),
            Ok(Err(wgpu::PollError::Timeout)) => {
                self.check()?;
                Err(self.timed_out())
            }
            Ok(Err(error)) => {
                self.check()?;
                Err(GpuError::Internal { message: error.to_string() })
            }
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map_or("lost while waiting", String::as_str);
                self.inner.faults.lose(words.into());
                self.check()
            }
        }
    }

    /// Notes that the GPU took too long.
    pub(crate) fn timed_out(&self) -> GpuError {
        self.inner.has_timed_out.store(true, Ordering::Relaxed);
        let whole = self.time_limit.as_secs();
        GpuError::TimedOut { seconds: whole + u64::from(self.time_limit.subsec_nanos() > 0) }
    }
}

impl Drop for Inner {
    /// wgpu waits without a limit, and asserts, when the last handle of a queue goes.
    fn drop(&mut self) {
        let Some(queue) = self.queue.take() else { return };
        if self.has_timed_out.load(Ordering::Relaxed) {
            let wait = wgpu::PollType::Wait { submission_index: None, timeout: Some(FAREWELL) };
            if !matches!(catch_unwind(AssertUnwindSafe(|| self.device.poll(wait))), Ok(Ok(_))) {
                // a hung GPU: a leak is better than a program that never ends
                std::mem::forget(queue);
                return;
            }
        }
        // a lost device may fail wgpu's assertion that the queue is empty; nobody is left to be
        // told
        let _ = catch_unwind(AssertUnwindSafe(move || drop(queue)));
    }
}
