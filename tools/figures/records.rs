//! Records that grow row by row, as CSV files: what a long measurement has found survives whatever
//! happens next.

use std::{fs::OpenOptions, path::Path};

use serde::{Serialize, de::DeserializeOwned};

use crate::ToolError;

/// The rows of a file; none if there is no file.
///
/// # Errors
/// [`ToolError::Csv`] for a file that cannot be read, or has other rows.
pub fn read<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, ToolError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = || -> Result<Vec<R>, csv::Error> { csv::Reader::from_path(path)?.deserialize().collect() };
    rows().map_err(ToolError::csv(path))
}

/// Adds a row at the end, after a line of names in a new file.
///
/// # Errors
/// [`ToolError::Csv`] if it cannot be written.
pub fn append(path: &Path, row: &impl Serialize) -> Result<(), ToolError> {
    let write = || -> Result<(), csv::Error> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let is_new = file.metadata()?.len() == 0;
        let mut writer = csv::WriterBuilder::new().has_headers(is_new).from_writer(file);
        writer.serialize(row)?;
        Ok(writer.flush()?)
    };
    write().map_err(ToolError::csv(path))
}
