//! Apache Parquet, by arrow-rs: typed columns for pandas, `DuckDB`, Polars and others.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, UInt32Array};
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
    number::exact_f64,
    rows::{Row, rows},
};

/// All rows, one row group, compressed with Snappy, with statistics.
///
/// | column | type | |
/// |---|---|---|
/// | `x` | string | the argument, C's `%a` |
/// | `x_value` | double | the argument; null if no double equals it |
/// | `binade` | int32 | the exponent e with 2^e ≤ abs(x) < 2^(e+1); null for 0 |
/// | `kind` | string | `number`, `midpoint` or `undecided` |
/// | `sign` | string | `+` if f(x) is above the breakpoint, else `-`; null if neither is known |
/// | `log2_distance` | double | log2 of the distance in ulps of the result; null for exact and undecided ones |
/// | `identical_bits` | uint32 | identical bits after the rounding bit; null for exact ones |
/// | `breakpoint` | string | the breakpoint; null for undecided ones |
/// | `lower`, `upper` | string | the numbers next to f(x); null where there is no distance |
/// | `exact` | boolean | whether f(x) is the breakpoint |
///
/// The file's metadata say `function`, `format`, `rounding`, `extra_bits`, `complete`, `digest` and `program`.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or arrow refuses the table.
pub fn to_parquet(certificate: &Certificate) -> Result<Vec<u8>, ReportError> {
    let failed = |reason: String| ReportError::Table { format: "Parquet", reason };
    let batch = batch(&rows(certificate)?).map_err(|error| failed(error.to_string()))?;
    let metadata = [
        ("function", certificate.function.clone()),
        ("format", certificate.format.name.clone()),
        ("rounding", certificate.rounding.clone()),
        ("extra_bits", certificate.extra_bits.to_string()),
        ("complete", certificate.is_complete().to_string()),
        ("digest", certificate.digest.clone()),
        ("program", certificate.program.clone()),
    ];
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
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

fn batch(rows: &[Row]) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let text = |of: fn(&Row) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let columns: [(&str, DataType, bool, ArrayRef); 11] = [
        ("x", DataType::Utf8, false, text(|row| Some(row.x.into()))),
        (
            "x_value",
            DataType::Float64,
            true,
            Arc::new(rows.iter().map(|row| exact_f64(row.argument)).collect::<Float64Array>()),
        ),
        (
            "binade",
            DataType::Int32,
            true,
            Arc::new(rows.iter().map(|row| row.binade).collect::<Int32Array>()),
        ),
        ("kind", DataType::Utf8, false, text(|row| Some(row.kind.into()))),
        ("sign", DataType::Utf8, true, text(|row| row.sign.map(String::from))),
        (
            "log2_distance",
            DataType::Float64,
            true,
            Arc::new(rows.iter().map(|row| row.log2_dist).collect::<Float64Array>()),
        ),
        (
            "identical_bits",
            DataType::UInt32,
            true,
            Arc::new(rows.iter().map(|row| row.identical_bits).collect::<UInt32Array>()),
        ),
        ("breakpoint", DataType::Utf8, true, text(|row| row.breakpoint.map(String::from))),
        ("lower", DataType::Utf8, true, text(|row| row.lower.map(String::from))),
        ("upper", DataType::Utf8, true, text(|row| row.upper.map(String::from))),
        (
            "exact",
            DataType::Boolean,
            false,
            Arc::new(BooleanArray::from(rows.iter().map(|row| row.exact).collect::<Vec<_>>())),
        ),
    ];
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns
        .into_iter()
        .map(|(name, kind, is_nullable, array)| (Field::new(name, kind, is_nullable), array))
        .unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}
