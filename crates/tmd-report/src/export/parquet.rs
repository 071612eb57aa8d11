//! Apache Parquet: typed columns for pandas, `DuckDB`, Polars and others. Written column by column,
//! without Arrow's arrays.

use std::{fmt::Write as _, sync::Arc};

use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder},
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::{parser::parse_message_type, types::ColumnPath},
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

/// Tables are written once and read often.
const LEVEL: i32 = 19;

/// All rows, one row group, compressed by Zstandard, with statistics: the columns of
/// [`to_csv`](super::to_csv), typed, and `x_value`, the argument as a double, null if no double
/// equals it. docs/exports.md has the types.
///
/// The file's metadata say the question and the state, too, and `uncovered`, a line for each region
/// of which nothing is known.
///
/// # Errors
/// If the certificate lists arguments that are no numbers, or the table cannot be written.
pub fn to_parquet(certificate: &Certificate, choice: impl Into<Choice>) -> Result<Vec<u8>, ReportError> {
    let choice = choice.into();
    let (list, headline) = (List::new(certificate, choice.listing)?, Headline::new(certificate)?);
    let chosen = choice.of(certificate, rows(certificate, &list)?)?;
    let origin = super::origin(certificate, &headline, &chosen);
    let others = [
        ("program", certificate.program.clone()),
        ("cases", certificate.case_count().to_string()),
        ("uncovered", headline.uncovered.join("\n")),
    ];
    let metadata = std::iter::zip(Origin::COLUMNS, origin.cells()).chain(others);
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let failed = |error: ParquetError| ReportError::Table { format: "Parquet", reason: error.to_string() };
    let columns = columns(&chosen.rows, &origin);
    let properties = encoded(WriterProperties::builder(), &columns)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL).map_err(failed)?))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_created_by(certificate.program.clone())
        .set_key_value_metadata(Some(metadata))
        .build();
    write(&columns, properties).map_err(failed)
}

/// Columns of which hardly a value repeats itself: a dictionary would only be in the way. The
/// lengths of texts stand apart from the texts, the bytes of doubles by their places, and a column
/// is one page, so that the compression sees all of it. That makes files a fifth to a quarter
/// smaller; what is left is the random part of seven numbers a row.
const VARIED: [&str; 9] =
    ["x", "x_value", "breakpoint", "lower", "upper", "nearest_even", "zero", "up", "down"];

/// Bytes and rows of a page: all of a column.
const PAGE: usize = 1 << 28;

fn encoded(mut properties: WriterPropertiesBuilder, columns: &[Column]) -> WriterPropertiesBuilder {
    for (name, _, values) in columns.iter().filter(|(name, ..)| VARIED.contains(name)) {
        let encoding = match values {
            Values::Text(_) => Encoding::DELTA_LENGTH_BYTE_ARRAY,
            _ => Encoding::BYTE_STREAM_SPLIT,
        };
        let path = ColumnPath::from(*name);
        properties =
            properties.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, encoding);
    }
    properties.set_data_page_size_limit(PAGE).set_data_page_row_count_limit(PAGE)
}

/// The values of a column; null where there is none.
enum Values {
    Text(Vec<Option<ByteArray>>),
    Double(Vec<Option<f64>>),
    Signed(Vec<Option<i32>>),
    Unsigned(Vec<Option<u32>>),
    Count(Vec<Option<u64>>),
    Flag(Vec<Option<bool>>),
}

impl Values {
    /// Parquet's type, physical and logical, with the column's name between them.
    fn type_of(&self, name: &str) -> String {
        match self {
            Self::Text(_) => format!("BYTE_ARRAY {name} (STRING)"),
            Self::Double(_) => format!("DOUBLE {name}"),
            Self::Signed(_) => format!("INT32 {name}"),
            Self::Unsigned(_) => format!("INT32 {name} (INTEGER(32,false))"),
            Self::Count(_) => format!("INT64 {name} (INTEGER(64,false))"),
            Self::Flag(_) => format!("BOOLEAN {name}"),
        }
    }

    /// Unsigned integers are stored as the signed ones of the same bits.
    fn write(&self, to: &mut SerializedColumnWriter, is_nullable: bool) -> Result<(), ParquetError> {
        match self {
            Self::Text(values) => put::<ByteArrayType, _>(to, values, is_nullable, ByteArray::clone),
            Self::Double(values) => put::<DoubleType, _>(to, values, is_nullable, |value| *value),
            Self::Signed(values) => put::<Int32Type, _>(to, values, is_nullable, |value| *value),
            Self::Unsigned(values) => {
                put::<Int32Type, _>(to, values, is_nullable, |value| value.cast_signed())
            }
            Self::Count(values) => put::<Int64Type, _>(to, values, is_nullable, |value| value.cast_signed()),
            Self::Flag(values) => put::<BoolType, _>(to, values, is_nullable, |value| *value),
        }
    }
}

/// Writes a column: the values that are there, and for columns with nulls a level for each row, 1
/// where one is.
fn put<T: DataType, V>(
    to: &mut SerializedColumnWriter,
    values: &[Option<V>],
    is_nullable: bool,
    stored: fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let levels: Option<Vec<i16>> =
        is_nullable.then(|| values.iter().map(|value| value.is_some().into()).collect());
    let present: Vec<T::T> = values.iter().flatten().map(stored).collect();
    to.typed::<T>().write_batch(&present, levels.as_deref(), None)?;
    Ok(())
}

/// Name, whether there may be nulls, values.
type Column = (&'static str, bool, Values);

fn write(columns: &[Column], properties: WriterProperties) -> Result<Vec<u8>, ParquetError> {
    let mut schema = String::from("message certificate {\n");
    for (name, is_nullable, values) in columns {
        let repetition = if *is_nullable { "OPTIONAL" } else { "REQUIRED" };
        // writing to a String does not fail
        let _ = writeln!(schema, "{repetition} {};", values.type_of(name));
    }
    let schema = Arc::new(parse_message_type(&(schema + "}"))?);
    let mut file = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut file, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (name, is_nullable, values) in columns {
        let next = group.next_column()?;
        let mut column = next.ok_or_else(|| ParquetError::General(format!("no column for {name}")))?;
        values.write(&mut column, *is_nullable)?;
        column.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(file)
}

fn columns(rows: &[Row], origin: &Origin) -> [Column; 22] {
    let text = |of: fn(&Row) -> Option<String>| {
        Values::Text(rows.iter().map(|row| of(row).map(|text| ByteArray::from(text.into_bytes()))).collect())
    };
    // dictionaries make next to nothing of them
    let same = |value: &str| {
        let value = ByteArray::from(value.as_bytes().to_vec());
        Values::Text(vec![Some(value); rows.len()])
    };
    let doubles = |of: fn(&Row) -> Option<f64>| Values::Double(rows.iter().map(of).collect());
    let stands_for = rows.iter().map(|row| u64::try_from(row.stands_for).unwrap_or(u64::MAX));
    [
        ("x", false, text(|row| Some(row.x.into()))),
        ("x_value", true, doubles(|row| exact_f64(row.argument))),
        ("binade", true, Values::Signed(rows.iter().map(|row| row.binade).collect())),
        ("kind", false, text(|row| Some(row.kind.into()))),
        ("exact", false, Values::Flag(rows.iter().map(|row| Some(row.exact)).collect())),
        ("stands_for", false, Values::Count(stands_for.map(Some).collect())),
        ("sign", true, text(|row| row.sign.map(String::from))),
        ("log2_dist", true, doubles(|row| row.log2_dist)),
        ("identical_bits", true, Values::Unsigned(rows.iter().map(|row| row.identical_bits).collect())),
        ("breakpoint", true, text(|row| row.breakpoint.clone())),
        ("lower", true, text(|row| row.lower.map(String::from))),
        ("upper", true, text(|row| row.upper.map(String::from))),
        ("nearest_even", true, text(|row| row.nearest_even.clone())),
        ("zero", true, text(|row| row.zero.clone())),
        ("up", true, text(|row| row.up.clone())),
        ("down", true, text(|row| row.down.clone())),
        ("function", false, same(&origin.function)),
        ("format", false, same(&origin.format)),
        ("rounding", false, same(&origin.rounding)),
        ("extra_bits", false, Values::Unsigned(vec![Some(origin.extra_bits); rows.len()])),
        ("state", false, same(&origin.state)),
        ("digest", false, same(&origin.digest)),
    ]
}
