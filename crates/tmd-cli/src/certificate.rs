//! Certificates from files, and from run directories.

use std::path::{Path, PathBuf};

use clap::Args;
use tmd_driver::{Certificate, Coverage};
use tmd_ledger::Access;
use tmd_report::file;

use crate::output::{Failure, tell};
use crate::run::Run;

/// A certificate that is written in another form.
#[derive(Args)]
pub(crate) struct Source {
    /// The certificate, as tmd solve --out writes it, or a run directory
    pub(crate) certificate: PathBuf,
    /// Read a certificate even if it was changed after it was written; the output says so
    #[arg(long)]
    force: bool,
}

impl Source {
    /// The certificate, unchanged unless `--force` is given.
    pub(crate) fn read(&self) -> Result<Certificate, Failure> {
        let certificate = read(&self.certificate)?;
        if let Some(sentence) = changed(&self.certificate, &certificate) {
            if !self.force {
                return Err(Failure::machine(format!(
                    "{sentence}; take the file that tmd solve wrote, or add --force to read this one all the same"
                )));
            }
            tell(format_args!("tmd: {sentence}; nothing that it says can be relied on"));
        }
        Ok(certificate)
    }
}

/// What is said of a certificate whose digest does not fit; nothing if it does.
pub(crate) fn changed(path: &Path, certificate: &Certificate) -> Option<String> {
    file::unchanged(path, certificate).err().map(|error| error.to_string())
}

/// The exit code of whatever is made of a certificate: 0 if all that was asked is answered, else 1,
/// also where the plan said before that something is out of reach. What is left is said.
pub(crate) fn ending(certificate: &Certificate) -> u8 {
    let coverage = match Coverage::of(certificate) {
        Ok(coverage) => coverage,
        Err(error) => {
            tell(format_args!("tmd: {error}"));
            return 1;
        }
    };
    if certificate.is_finished() && coverage.is_complete() {
        return 0;
    }
    tell(format_args!("tmd: {}", coverage.sentence()));
    1
}

/// The certificate in a file, or of a run directory; a sentence that names the file if there is
/// none in it. Its digest is not looked at.
pub(crate) fn read(path: &Path) -> Result<Certificate, Failure> {
    if path.is_dir() {
        return Run::open(path, Access::Read, None)?.certificate();
    }
    file::read(path).map_err(|error| Failure::question(error.to_string()))
}
