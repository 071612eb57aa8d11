//! [`LivenessLock`]: a lock that the system gives back when its holder dies.
//!
//! A worker holds a lock on a file of its own for as long as it lives. Whoever gets that lock on
//! the same machine knows at once that its holder is gone, without waiting for a lease to expire.
//! Machines do not see each other's locks on every file system: there only beats count.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process,
};

/// The lock of a living worker.
pub(crate) struct LivenessLock {
    path: PathBuf,
    /// held until it is dropped
    _file: File,
}

impl LivenessLock {
    /// The lock of worker `number`; none where there are no locks.
    pub(crate) fn take(directory: &Path, number: i64) -> Option<Self> {
        let path = file(directory, number);
        fs::create_dir_all(path.parent()?).ok()?;
        if path.exists() && !path.is_file() {
            // of a pipe one would wait for its other end
            return None;
        }
        let file = File::options().create(true).truncate(false).write(true).open(&path).ok()?;
        file.try_lock().ok()?;
        Some(Self { path, _file: file })
    }

    /// Ends a worker that holds no units any more. One that still holds some leaves its file
    /// behind, for others to find.
    pub(crate) fn end(self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Whether the worker of this number and name was of this machine, and is gone.
    pub(crate) fn is_gone(directory: &Path, number: i64, name: &str) -> bool {
        let is_here = name.rsplit_once(':').is_some_and(|(machine, _)| machine == host());
        let path = file(directory, number);
        let lock = || File::options().write(true).open(&path).ok()?.try_lock().ok();
        let is_gone = is_here && path.is_file() && lock().is_some();
        if is_gone {
            let _ = fs::remove_file(&path);
        }
        is_gone
    }
}

fn file(directory: &Path, number: i64) -> PathBuf {
    directory.join("workers").join(format!("{number}.lock"))
}

/// The name of a worker: the machine and the process.
pub(crate) fn name() -> String {
    format!("{}:{}", host(), process::id())
}

/// The name of this machine.
fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).unwrap_or_else(|| "host".into())
}
