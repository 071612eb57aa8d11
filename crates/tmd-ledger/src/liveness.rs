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
    /// behind, for others to find: so it is the last thing that is done.
    pub(crate) fn end(self) {
        let _ = fs::remove_file(&self.path);
    }

    /// The lock of a worker of this number and name that was of this machine, and is gone: to be
    /// [ended](Self::end) when its units are given back.
    pub(crate) fn of_dead(directory: &Path, number: i64, name: &str) -> Option<Self> {
        let is_here = name.rsplit_once(':').is_some_and(|(machine, _)| machine == host());
        let path = file(directory, number);
        if !is_here || !path.is_file() {
            return None;
        }
        let file = File::options().write(true).open(&path).ok()?;
        file.try_lock().ok()?;
        Some(Self { path, _file: file })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever is killed while it gives back the units of a dead worker leaves them to be found
    /// again: otherwise they are nobody's until the lease is over.
    #[test]
    fn the_dead_are_found_until_their_units_are_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let dead = || LivenessLock::of_dead(folder.path(), 3, &name());
        assert!(dead().is_none(), "there was none");
        let alive = LivenessLock::take(folder.path(), 3).unwrap();
        assert!(dead().is_none());
        drop(alive);
        assert!(LivenessLock::of_dead(folder.path(), 3, "elsewhere:1").is_none());
        let killed_amid = dead().unwrap();
        assert!(dead().is_none(), "somebody is at it");
        drop(killed_amid);
        dead().unwrap().end();
        assert!(dead().is_none());
    }
}
