//! Where text and bytes go, and how a failure ends the program.

use std::{
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use tempfile::NamedTempFile;
use tmd_core::CoreError;
use tmd_driver::DriverError;

/// A failure in one sentence, and whose it is.
#[derive(Debug)]
pub struct Failure {
    sentence: String,
    code: u8,
}

impl Failure {
    /// The question was wrong: exit code 2.
    pub fn question(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 2 }
    }

    /// The machine failed, or lacks what it takes: exit code 1.
    pub fn machine(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 1 }
    }

    /// The exit code that goes with it.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        // a thread pool that does not start or a device that is lost is the machine's failure
        let machine = match &error {
            DriverError::Threads { .. } => true,
            DriverError::Core(error) => error.is_of_the_machine(),
            _ => false,
        };
        Self { sentence: error.to_string(), code: if machine { 1 } else { 2 } }
    }
}

impl From<CoreError> for Failure {
    fn from(error: CoreError) -> Self {
        DriverError::from(error).into()
    }
}

/// The standard output, or a file that appears complete or not at all.
pub(crate) enum Destination {
    Standard,
    /// A temporary file in the directory of the final one, made before the search so that an unwritable place is
    /// found out first.
    File(Box<NamedTempFile>, PathBuf),
}

impl Destination {
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::Standard) };
        let refuse = |error: io::Error| unwritable(path, &error);
        if path.is_dir() {
            return Err(Failure::question(format!(
                "cannot write {}: it is a directory; name a file in it",
                path.display()
            )));
        }
        // through a symbolic link to the file itself: a rename would replace the link
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if target.exists() && !target.is_file() {
            return Err(Failure::question(format!(
                "cannot write {}: it is not an ordinary file; leave --out away to write to the standard output",
                path.display()
            )));
        }
        let path = target.as_path();
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        if !directory.is_dir() {
            let (path, directory) = (path.display(), directory.display());
            return Err(Failure::question(format!(
                "cannot write {path}: there is no directory {directory}; make it first"
            )));
        }
        // the error names the temporary file, of which nobody needs to know: its kind says enough
        let file = NamedTempFile::new_in(directory).map_err(|error| refuse(error.kind().into()))?;
        // an existing file that may not be written must stay, although renaming over it would work
        if path.exists() {
            std::fs::OpenOptions::new().append(true).open(path).map_err(refuse)?;
        }
        Ok(Self::File(Box::new(file), path.to_path_buf()))
    }

    /// Writes everything; a closed pipe (`| head`) is not a failure.
    pub(crate) fn write(self, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        let content = content.as_ref();
        match self {
            Self::Standard => match io::stdout().lock().write_all(content) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(Failure::machine(format!("cannot write to the standard output: {error}")))
                }
                _ => Ok(()),
            },
            Self::File(mut file, path) => {
                let written = file.write_all(content).and_then(|()| file.as_file().sync_all());
                let readable = written.and_then(|()| make_readable(file.as_file()));
                readable.map_err(|error| unwritable(&path, &error))?;
                file.persist(&path).map_err(|error| unwritable(&path, &error.error))?;
                Ok(())
            }
        }
    }
}

/// Temporary files are private; the result is an ordinary file.
fn make_readable(file: &std::fs::File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    let _ = file;
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::question(format!(
        "cannot write {}: {error}; name a file in a directory that exists and that you may write to",
        path.display()
    ))
}
