//! Where results go: the standard output, or a file that appears complete or not at all and takes
//! nothing else's place.
//!
//! The rule for `--out FILE`:
//!
//! | FILE | |
//! |---|---|
//! | `-` | the standard output |
//! | is a directory, a pipe, a device | refused |
//! | is what the command reads, or lies in a run directory | refused |
//! | exists and is not empty | refused without `--overwrite`, and replaced by what is whole only |
//! | anything else | written beside its place, then renamed |
//!
//! A FILE whose name ends with `.zst` is compressed. All of this is found out before the work
//! begins, as is whether the place can be written to. Space can run out later: then what took long
//! to find goes to a rescue file, or to the standard output.

use std::{
    fs,
    io::{self, IsTerminal, Seek, Write},
    path::{Path, PathBuf, absolute},
};

use clap::Args;
use tempfile::NamedTempFile;

use crate::output::Failure;
use tmd_report::compressed;

/// Where a list, a table or a page goes.
#[derive(Args)]
pub(crate) struct Out {
    /// Write to a file instead of the standard output; it appears complete or not at all
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Let --out replace an existing file
    #[arg(long, requires = "out")]
    pub(crate) overwrite: bool,
}

/// Where a certificate goes that is not printed otherwise.
#[derive(Args)]
pub(crate) struct CertificateOut {
    /// Write the certificate to a file (- for the standard output); it appears complete or not at
    /// all
    #[arg(short, long, value_name = "FILE.json")]
    out: Option<PathBuf>,
    /// Let --out replace an existing file
    #[arg(long, requires = "out")]
    overwrite: bool,
}

impl Out {
    /// The destination. `inputs` are the files and run directories that the command reads.
    pub(crate) fn open(&self, inputs: &[&Path]) -> Result<Destination, Failure> {
        self.out
            .as_deref()
            .map_or(Ok(Destination::Standard), |path| Destination::open(path, self.overwrite, inputs))
    }
}

impl CertificateOut {
    /// The destination, if there is one. `inputs` are the run directories that the command works
    /// on.
    pub(crate) fn open(&self, inputs: &[&Path]) -> Result<Option<Destination>, Failure> {
        self.out.as_deref().map(|path| Destination::open(path, self.overwrite, inputs)).transpose()
    }
}

/// The standard output, or a file.
pub(crate) enum Destination {
    Standard,
    File(Box<Pending>),
}

/// A file that is not there yet.
pub(crate) struct Pending {
    /// A temporary file in the directory of the final one, made before the search so that an
    /// unwritable place is found out first.
    file: NamedTempFile,
    /// The final place.
    path: PathBuf,
    may_replace: bool,
}

/// Bytes that are written to a place, and taken back, to see whether there is space for anything.
const TRIAL: usize = 1 << 16;

impl Destination {
    /// The place that is named, tried.
    pub(crate) fn open(path: &Path, may_replace: bool, inputs: &[&Path]) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Standard);
        }
        let name = path.display();
        let refuse = |reason: String| Err(Failure::question(format!("cannot write {name}: {reason}")));
        if path.is_dir() {
            return refuse("it is a directory; name a file in it".into());
        }
        if path.is_symlink() && !path.exists() {
            return refuse("it is a link to a file that is not there; name the file itself".into());
        }
        // through a symbolic link to the file itself: a rename would replace the link
        let target = path.canonicalize().or_else(|_| absolute(path)).map_err(|e| unwritable(path, &e))?;
        // of a file that is not there its directory, so that one place has one name
        let folder = target.parent().and_then(|folder| folder.canonicalize().ok());
        let target =
            folder.zip(target.file_name()).map_or(target.clone(), |(folder, name)| folder.join(name));
        if target.exists() && !target.is_file() {
            return refuse(
                "it is not an ordinary file; leave --out away to write to the standard output".into(),
            );
        }
        let directory = target.parent().unwrap_or(Path::new("."));
        if let Some(run) = run_directory_of(directory, inputs) {
            return refuse(format!("{} is a run directory; name a file elsewhere", run.display()));
        }
        if !directory.is_dir() {
            let directory = path.parent().unwrap_or(directory).display();
            return refuse(format!("there is no directory {directory}; make it first"));
        }
        let is_input = |input: &&Path| input.canonicalize().is_ok_and(|input| input == target);
        if inputs.iter().any(is_input) {
            return refuse("it is what this command reads, and would be lost; name another file".into());
        }
        if !may_replace && is_occupied(&target) {
            return refuse("it exists; name another file, or add --overwrite to replace it".into());
        }
        // an existing file that may not be written must stay, although renaming over it would work
        if target.exists() {
            fs::OpenOptions::new().append(true).open(&target).map_err(|error| unwritable(path, &error))?;
        }
        // the error names the temporary file, of which nobody needs to know: its kind says enough
        let tried = temporary_in(directory, ".tmd-", ".part").and_then(|mut file| {
            file.write_all(&vec![0; TRIAL])?;
            file.as_file().sync_data()?;
            file.as_file().set_len(0)?;
            file.rewind()?;
            Ok(file)
        });
        let file = tried.map_err(|error| unwritable(path, &error.kind().into()))?;
        Ok(Self::File(Box::new(Pending { file, path: target, may_replace })))
    }

    /// Refuses two documents in one place.
    pub(crate) fn is_not(&self, other: &Self) -> Result<(), Failure> {
        let name = match (self, other) {
            (Self::Standard, Self::Standard) => "the standard output".into(),
            (Self::File(one), Self::File(other)) if one.path == other.path => one.path.display().to_string(),
            _ => return Ok(()),
        };
        Err(Failure::question(format!("two documents cannot go to {name}; name a file for each")))
    }

    /// Writes what is made again in no time; a closed pipe (`| head`) is not a failure.
    pub(crate) fn write(self, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        match self {
            Self::Standard => {
                to_standard(content.as_ref()).map_err(|error| Failure::machine(no_output(&error)))
            }
            Self::File(pending) => {
                let path = pending.path.clone();
                pending.write(content.as_ref()).map_err(|error| unwritable(&path, &error))
            }
        }
    }

    /// Writes what took long to find. If its place fails, or has something that is not to give way
    /// to what is not whole, it goes to a new file in the working directory or in that for
    /// temporary files, whose name ends with `ending`; or else to the standard output. The failure
    /// says where it is.
    pub(crate) fn keep(self, content: impl AsRef<[u8]>, ending: &str, is_whole: bool) -> Result<(), Failure> {
        let content = content.as_ref();
        let (sentence, is_standard) = match self {
            Self::Standard => match to_standard(content) {
                Ok(()) => return Ok(()),
                Err(error) => (no_output(&error), true),
            },
            Self::File(pending) => {
                let path = pending.path.clone();
                if !is_whole && is_occupied(&path) {
                    let sentence =
                        format!("{} is left as it was, as what was found is partial", path.display());
                    (sentence, false)
                } else {
                    match pending.write(content) {
                        Ok(()) => return Ok(()),
                        Err(error) => (format!("cannot write {}: {error}", path.display()), false),
                    }
                }
            }
        };
        let places = [std::env::current_dir().ok(), Some(std::env::temp_dir())];
        let rescued = places.into_iter().flatten().find_map(|place| rescue(&place, content, ending).ok());
        Err(Failure::machine(match rescued {
            Some(path) => format!("{sentence}; it is in {} instead", path.display()),
            None if !is_standard && to_standard(content).is_ok() => {
                format!("{sentence}; it went to the standard output instead")
            }
            None => format!("{sentence}, nor any other place: it is LOST"),
        }))
    }

    /// Whether the standard output is a terminal, and gets it.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Standard) && io::stdout().is_terminal()
    }
}

impl Pending {
    fn write(mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(&compressed::as_named(&self.path, content)?)?;
        make_readable(self.file.as_file())?;
        self.file.as_file().sync_all()?;
        // it may have come into being since
        if !self.may_replace && is_occupied(&self.path) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it came into being meanwhile"));
        }
        self.file.persist(&self.path).map_err(|error| error.error)?;
        // so that a power failure does not take the name away; a directory that cannot be opened is
        // left alone
        if let Some(directory) = self.path.parent().and_then(|path| fs::File::open(path).ok()) {
            let _ = directory.sync_all();
        }
        Ok(())
    }
}

/// Whether a file has something to lose.
fn is_occupied(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| !metadata.is_file() || metadata.len() > 0)
}

/// The run directory that a directory is, or lies in: one that is there, or one of `inputs`, which
/// may be about to be made.
fn run_directory_of(directory: &Path, inputs: &[&Path]) -> Option<PathBuf> {
    let made = inputs.iter().filter(|input| !input.is_file()).filter_map(|input| {
        let input = input.canonicalize().or_else(|_| absolute(input)).ok()?;
        directory.starts_with(&input).then_some(input)
    });
    let there = directory.ancestors().filter(|path| tmd_ledger::is_run(path)).map(Path::to_path_buf);
    made.chain(there).next()
}

/// Writes everything, also what the buffer holds back; nobody who reads it is not a failure.
fn to_standard(content: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(content).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// A new file in a directory, with the content.
fn rescue(directory: &Path, content: &[u8], ending: &str) -> io::Result<PathBuf> {
    let mut file = temporary_in(directory, "tmd-rescue-", ending)?;
    file.write_all(content)?;
    make_readable(file.as_file())?;
    file.as_file().sync_all()?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path)
}

fn temporary_in(directory: &Path, prefix: &str, suffix: &str) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(prefix).suffix(suffix).tempfile_in(directory)
}

/// Temporary files are private; the result is an ordinary file.
fn make_readable(file: &fs::File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    let _ = file;
    Ok(())
}

fn no_output(error: &io::Error) -> String {
    format!("cannot write to the standard output: {error}")
}

/// Whose failure it is: a disk that is full is the machine's.
fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Failure::machine(format!(
                "there is no space left to write {path}: {error}; make space, or name a file elsewhere"
            ))
        }
        _ => Failure::question(format!(
            "cannot write {path}: {error}; name a file in a directory that exists and that you may write to"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is partial replaces nothing, whatever was allowed, and is kept elsewhere.
    #[test]
    fn partial_work_replaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        let keep = |content: &str, is_whole| {
            Destination::open(&path, true, &[]).and_then(|place| place.keep(content, ".csv", is_whole))
        };
        keep("partial", false).unwrap();
        keep("whole", true).unwrap();
        let said = keep("partial again", false).unwrap_err().to_string();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert!(
            said.contains("list.csv is left as it was, as what was found is partial; it is in "),
            "{said}"
        );
        let elsewhere = said.split("it is in ").nth(1).unwrap().strip_suffix(" instead").unwrap();
        assert_eq!(fs::read_to_string(elsewhere).unwrap(), "partial again");
        fs::remove_file(elsewhere).unwrap();
    }
}
