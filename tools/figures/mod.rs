//! What all programs that take figures share: tables, records, pictures, and the facts of the
//! machine.

pub mod machine;
pub mod picture;
pub mod records;
pub mod table;

use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::ToolError;

/// Runs something and tells how many seconds it took.
pub fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let result = run();
    (result, started.elapsed().as_secs_f64())
}

/// So many threads.
///
/// # Errors
/// If they cannot be had.
pub fn pool(threads: usize) -> Result<ThreadPool, ToolError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| ToolError::failed(format!("cannot start {threads} threads: {error}")))
}
