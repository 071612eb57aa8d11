//! Apache Parquet, by arrow-rs: typed columns for pandas, `DuckDB`, Polars and others.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field};
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
    },
};
use tmd_driver::Certificate;

use crate::{
    ReportError,
    columns::{self, columns},
    head::{Headline, Origin},
    list::{List, Listing},
    rows::{Row, rows},
};

/// All rows, one row group, compressed with Snappy, with statistics: the columns of [`to_csv`](super::to_csv), typed, and `x_value`, the
/// argument as a double, null if no double equals it. docs/exports.md has the types.
///
/// The file's metadata say the question and the state, too, and `uncovered`, a line for each region of which nothing is known.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or arrow refuses the table.
pub fn to_parquet(certificate: &Certificate, listing: Listing) -> Result<Vec<u8>, ReportError> {
    let failed = |reason: String| ReportError::Table { format: "Parquet", reason };
    let (list, headline) = (List::new(certificate, listing)?, Headline::new(certificate)?);
    let origin = Origin::new(certificate, &headline);
    let batch = batch(&rows(certificate, &list)?, &origin).map_err(|error| failed(error.to_string()))?;
    let others = [
        ("program", certificate.program.clone()),
        ("cases", certificate.case_count().to_string()),
        ("uncovered", headline.uncovered.join("\n")),
    ];
    let metadata = std::iter::zip(Origin::COLUMNS, origin.cells()).chain(others);
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_created_by(certificate.program.clone())
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut file = Vec::new();
    let written = (|| {
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties))?;
        writer.write(&batch)?;
        writer.close()
    })();
    written.map_err(|error| failed(error.to_string()))?;
    Ok(file)
}

/// The columns of the rows, and those that are the same in every row: dictionaries make next to nothing of them.
fn batch(rows: &[Row], origin: &Origin) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let mut columns = columns(rows);
    for (name, value) in std::iter::zip(Origin::COLUMNS, origin.cells()) {
        let (kind, array): (DataType, ArrayRef) = if name == "extra_bits" {
            (DataType::UInt32, Arc::new(UInt32Array::from_value(origin.extra_bits, rows.len())))
        } else {
            let same = std::iter::repeat_n(Some(value), rows.len());
            (DataType::Utf8, Arc::new(same.collect::<StringArray>()))
        };
        columns.push((Field::new(name, kind, false), array));
    }
    columns::batch(columns)
}
