//! Apache Parquet, by arrow-rs: typed columns for pandas, `DuckDB`, Polars and others.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
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
    choice::Choice,
    head::{Headline, Origin},
    list::List,
    number::exact_f64,
    rows::{Row, rows},
};

/// All rows, one row group, compressed with Snappy, with statistics: the columns of [`to_csv`](super::to_csv), typed, and `x_value`, the
/// argument as a double, null if no double equals it. docs/exports.md has the types.
///
/// The file's metadata say the question and the state, too, and `uncovered`, a line for each region of which nothing is known.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or arrow refuses the table.
pub fn to_parquet(certificate: &Certificate, choice: impl Into<Choice>) -> Result<Vec<u8>, ReportError> {
    let choice = choice.into();
    let failed = |reason: String| ReportError::Table { format: "Parquet", reason };
    let (list, headline) = (List::new(certificate, choice.listing)?, Headline::new(certificate)?);
    let chosen = choice.of(certificate, rows(certificate, &list)?)?;
    let origin = super::origin(certificate, &headline, &chosen);
    let batch = batch(&chosen.rows, &origin).map_err(|error| failed(error.to_string()))?;
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

fn batch(rows: &[Row], origin: &Origin) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let text = |of: fn(&Row) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    // dictionaries make next to nothing of them
    let same = |value: &str| -> ArrayRef {
        Arc::new(std::iter::repeat_n(Some(value), rows.len()).collect::<StringArray>())
    };
    let doubles =
        |of: fn(&Row) -> Option<f64>| -> ArrayRef { Arc::new(rows.iter().map(of).collect::<Float64Array>()) };
    let counts = |of: &dyn Fn(&Row) -> Option<u32>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<UInt32Array>())
    };
    let binades = Arc::new(rows.iter().map(|row| row.binade).collect::<Int32Array>());
    let exact = Arc::new(BooleanArray::from(rows.iter().map(|row| row.exact).collect::<Vec<_>>()));
    let stands_for = rows.iter().map(|row| u64::try_from(row.stands_for).unwrap_or(u64::MAX));
    let stands_for = Arc::new(stands_for.map(Some).collect::<UInt64Array>());
    let columns: [(&str, DataType, bool, ArrayRef); 22] = [
        ("x", DataType::Utf8, false, text(|row| Some(row.x.into()))),
        ("x_value", DataType::Float64, true, doubles(|row| exact_f64(row.argument))),
        ("binade", DataType::Int32, true, binades),
        ("kind", DataType::Utf8, false, text(|row| Some(row.kind.into()))),
        ("exact", DataType::Boolean, false, exact),
        ("stands_for", DataType::UInt64, false, stands_for),
        ("sign", DataType::Utf8, true, text(|row| row.sign.map(String::from))),
        ("log2_dist", DataType::Float64, true, doubles(|row| row.log2_dist)),
        ("identical_bits", DataType::UInt32, true, counts(&|row| row.identical_bits)),
        ("breakpoint", DataType::Utf8, true, text(|row| row.breakpoint.clone())),
        ("lower", DataType::Utf8, true, text(|row| row.lower.map(String::from))),
        ("upper", DataType::Utf8, true, text(|row| row.upper.map(String::from))),
        ("nearest_even", DataType::Utf8, true, text(|row| row.nearest_even.clone())),
        ("zero", DataType::Utf8, true, text(|row| row.zero.clone())),
        ("up", DataType::Utf8, true, text(|row| row.up.clone())),
        ("down", DataType::Utf8, true, text(|row| row.down.clone())),
        ("function", DataType::Utf8, false, same(&origin.function)),
        ("format", DataType::Utf8, false, same(&origin.format)),
        ("rounding", DataType::Utf8, false, same(&origin.rounding)),
        ("extra_bits", DataType::UInt32, false, counts(&|_| Some(origin.extra_bits))),
        ("state", DataType::Utf8, false, same(&origin.state)),
        ("digest", DataType::Utf8, false, same(&origin.digest)),
    ];
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns
        .into_iter()
        .map(|(name, kind, is_nullable, array)| (Field::new(name, kind, is_nullable), array))
        .unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}
