//! [`run`]: work in a thread of its own, while Python sees signals and is told of progress.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use pyo3::{prelude::*, types::PyBool};
use tmd_driver::{Interrupt, Observer};

use crate::errors::Fault;

/// How long Python waits before it looks for signals again: short for a person who types Ctrl-C,
/// long for a processor.
const POLL: Duration = Duration::from_millis(20);

/// How long it waits before it tells of progress again.
const TELL: Duration = Duration::from_millis(100);

/// Deeply nested expressions are walked by recursion.
const STACK: usize = 16 << 20;

/// How far a search is, or the searches of a whole function.
#[pyclass(frozen, module = "tablemaker")]
#[derive(Clone)]
pub(crate) struct Progress {
    /// Arguments searched so far.
    #[pyo3(get)]
    searched: u128,
    /// Arguments to be searched.
    #[pyo3(get)]
    arguments: u128,
    /// Cases found so far.
    #[pyo3(get)]
    cases: usize,
}

#[pymethods]
impl Progress {
    /// The share that is done, from 0 to 1.
    #[getter]
    fn fraction(&self) -> f64 {
        self.searched as f64 / self.arguments.max(1) as f64
    }

    fn __repr__(&self) -> String {
        let Self { searched, arguments, cases } = self;
        format!("Progress(searched={searched}, arguments={arguments}, cases={cases})")
    }
}

/// The last progress that anybody told.
#[derive(Default)]
pub(crate) struct Watch(Mutex<Option<tmd_driver::Progress>>);

impl Observer for Watch {
    fn progress(&self, progress: tmd_driver::Progress) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }
}

impl Watch {
    fn latest(&self) -> Option<Progress> {
        let progress = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.map(|tmd_driver::Progress { searched, arguments, cases }| Progress {
            searched,
            arguments,
            cases,
        })
    }
}

/// What comes of an end that was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The work stops soon, and what it returns is wanted.
    Keep,
    /// The work says nothing then, or cannot stop: nobody waits for it.
    Abandon,
}

/// What the work returned, and the exception that ended it early, if one did.
pub(crate) struct Ended<T> {
    pub(crate) value: T,
    pub(crate) reason: Option<PyErr>,
}

/// Runs `work` without Python's lock. A signal whose handler raises (Ctrl-C), a callback that
/// raises, and one that returns `False` request its end; a second signal ends the wait for it.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    ending: Ending,
    work: impl FnOnce(&Watch, &Interrupt) -> T + Send + 'static,
) -> PyResult<Ended<T>> {
    let (watch, interrupt) = (Arc::new(Watch::default()), Arc::new(Interrupt::new()));
    let (sender, mut receiver) = channel::<Result<T, Box<dyn Any + Send>>>();
    let (its_watch, its_interrupt) = (Arc::clone(&watch), Arc::clone(&interrupt));
    let body = move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&its_watch, &its_interrupt)));
        // nobody waits for it any more: nothing is lost that anybody wants
        let _ = sender.send(result);
    };
    let started = thread::Builder::new().name("tablemaker".into()).stack_size(STACK).spawn(body);
    started.map_err(|error| Fault::Machine(format!("cannot start a thread: {error}")).raise(py))?;

    let (mut reason, mut told) = (None, Instant::now());
    let value = loop {
        let waited;
        (receiver, waited) = py.detach(move || {
            let waited = receiver.recv_timeout(POLL);
            (receiver, waited)
        });
        match waited {
            Ok(Ok(value)) => break value,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::Machine("the thread that searched is gone".into()).raise(py));
            }
        }
        if let Err(signal) = py.check_signals() {
            interrupt.request();
            if ending == Ending::Abandon || reason.is_some() {
                return Err(signal);
            }
            reason = Some(signal);
        }
        if told.elapsed() >= TELL && reason.is_none() && !interrupt.is_requested() {
            told = Instant::now();
            match tell(callback, &watch) {
                Ok(true) => {}
                Ok(false) => interrupt.request(),
                Err(error) => {
                    interrupt.request();
                    reason = Some(error);
                }
            }
        }
    };
    if reason.is_none() && !interrupt.is_requested() {
        // once more, so that it ends with the end
        reason = tell(callback, &watch).err();
    }
    Ok(Ended { value, reason })
}

/// Whether to go on.
fn tell(callback: Option<&Bound<'_, PyAny>>, watch: &Watch) -> PyResult<bool> {
    let (Some(callback), Some(progress)) = (callback, watch.latest()) else { return Ok(true) };
    let answer = callback.call1((progress,))?;
    Ok(!answer.is(&*PyBool::new(callback.py(), false)))
}
