//! [`columns`]: rows as Arrow arrays.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int32Array, RecordBatch, StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use tmd_report::{number::exact_f64, rows::Row};

/// A column: its name and type, whether it may hold nulls, and its values.
pub(crate) type Column = (Field, ArrayRef);

/// The columns of rows, one value for each row: docs/exports.md has the names and types.
pub(crate) fn columns(rows: &[Row]) -> Vec<Column> {
    let text = |name, is_nullable, of: &dyn Fn(&Row) -> Option<String>| -> Column {
        let values: StringArray = rows.iter().map(of).collect();
        (Field::new(name, DataType::Utf8, is_nullable), Arc::new(values))
    };
    let doubles = |name, of: &dyn Fn(&Row) -> Option<f64>| -> Column {
        let values: Float64Array = rows.iter().map(of).collect();
        (Field::new(name, DataType::Float64, true), Arc::new(values))
    };
    let binades: Int32Array = rows.iter().map(|row| row.binade).collect();
    let exact = BooleanArray::from(rows.iter().map(|row| row.exact).collect::<Vec<_>>());
    let stands_for: UInt64Array =
        rows.iter().map(|row| Some(u64::try_from(row.stands_for).unwrap_or(u64::MAX))).collect();
    let bits: UInt32Array = rows.iter().map(|row| row.identical_bits).collect();
    vec![
        text("x", false, &|row| Some(row.x.into())),
        doubles("x_value", &|row| exact_f64(row.argument)),
        (Field::new("binade", DataType::Int32, true), Arc::new(binades)),
        text("kind", false, &|row| Some(row.kind.into())),
        (Field::new("exact", DataType::Boolean, false), Arc::new(exact)),
        (Field::new("stands_for", DataType::UInt64, false), Arc::new(stands_for)),
        text("sign", true, &|row| row.sign.map(String::from)),
        doubles("log2_dist", &|row| row.log2_dist),
        (Field::new("identical_bits", DataType::UInt32, true), Arc::new(bits)),
        text("breakpoint", true, &|row| row.breakpoint.clone()),
        text("lower", true, &|row| row.lower.map(String::from)),
        text("upper", true, &|row| row.upper.map(String::from)),
    ]
}

/// Columns as one batch.
///
/// # Errors
/// Columns of different lengths.
pub(crate) fn batch(columns: Vec<Column>) -> Result<RecordBatch, ArrowError> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}
