//! Apache Parquet: typed columns, zstd, row groups of a size that other programs read in parallel.
//!
//! | kind | Parquet |
//! |---|---|
//! | boolean | `BOOLEAN` |
//! | count, position | `INT64` |
//! | seed, fuel | `INT64 (INTEGER(64, unsigned))` |
//! | metric | `DOUBLE` |
//! | text | `BYTE_ARRAY (STRING)` |
//! | object | `BYTE_ARRAY (STRING)`, canonical JSON: the type that every reader has |
//! | list | the standard three levels, elements never null |
//!
//! What is not there is null: no program has to know which number stands for "not applicable". The file's key-value
//! metadata names the run and explains the columns.

use crate::table::{Cell, Column, Kind, Sink};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Rows of a row group: what DuckDB gives one thread at a time.
const ROWS: usize = 122_880;

/// Bytes of values in memory after which a row group ends early: traces have texts of any length.
const BYTES: usize = 64 << 20;

/// A Parquet file.
pub(crate) struct Parquet<'a> {
    writer: SerializedFileWriter<&'a mut File>,
    columns: &'a [Column],
    group: Vec<Chunk>,
    rows: usize,
    bytes: usize,
}

/// One column of the row group that is being filled.
#[derive(Default)]
struct Chunk {
    bools: Vec<bool>,
    ints: Vec<i64>,
    doubles: Vec<f64>,
    texts: Vec<ByteArray>,
    /// Definition levels; empty in a column that is neither nullable nor a list.
    defined: Vec<i16>,
    /// Repetition levels; empty unless the column is a list.
    repeated: Vec<i16>,
}

impl<'a> Parquet<'a> {
    /// Begins the file; `about` becomes its key-value metadata.
    pub(crate) fn new(file: &'a mut File, columns: &'a [Column], about: &[(String, String)]) -> io::Result<Self> {
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>().map_err(other)?;
        let schema = Type::group_type_builder("weir").with_fields(fields).build().map_err(other)?;
        let metadata = about.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("weir version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(metadata))
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).map_err(other)?;
        Ok(Parquet { writer, columns, group: empty(columns), rows: 0, bytes: 0 })
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (column, chunk) in self.columns.iter().zip(&self.group) {
            let Some(mut writer) = group.next_column()? else { break };
            let defined = (!chunk.defined.is_empty()).then_some(chunk.defined.as_slice());
            let repeated = (!chunk.repeated.is_empty()).then_some(chunk.repeated.as_slice());
            match column.kind {
                Kind::Bool => writer.typed::<BoolType>().write_batch(&chunk.bools, defined, repeated)?,
                Kind::Double => writer.typed::<DoubleType>().write_batch(&chunk.doubles, defined, repeated)?,
                Kind::Int | Kind::Unsigned | Kind::Ints => {
                    writer.typed::<Int64Type>().write_batch(&chunk.ints, defined, repeated)?
                }
                Kind::Text | Kind::Json | Kind::Texts => {
                    writer.typed::<ByteArrayType>().write_batch(&chunk.texts, defined, repeated)?
                }
            };
            writer.close()?;
        }
        group.close()?;
        (self.group, self.rows, self.bytes) = (empty(self.columns), 0, 0);
        Ok(())
    }
}

impl Sink for Parquet<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        if cells.len() != self.columns.len() {
            return Err(io::Error::other(format!("a row of {} cells in {} columns", cells.len(), self.columns.len())));
        }
        for ((column, chunk), cell) in self.columns.iter().zip(&mut self.group).zip(cells) {
            self.bytes += chunk
                .push(column, cell)
                .ok_or_else(|| io::Error::other(format!("column `{}` cannot hold {cell:?}", column.name)))?;
        }
        self.rows += 1;
        if self.rows >= ROWS || self.bytes >= BYTES { self.flush().map_err(other) } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush().map_err(other)?;
        self.writer.close().map(|_| ()).map_err(other)
    }
}

impl Chunk {
    /// Adds a cell and returns the bytes that it takes, roughly; none where the column is of another kind.
    fn push(&mut self, column: &Column, cell: &Cell<'_>) -> Option<usize> {
        let bytes = match (column.kind, cell) {
            (Kind::Texts, Cell::Texts(texts)) => {
                self.list(texts.len());
                self.texts.extend(texts.iter().map(|text| ByteArray::from(text.as_str())));
                return Some(texts.iter().map(|text| text.len() + 36).sum::<usize>() + 4);
            }
            (Kind::Ints, Cell::Ints(values)) => {
                self.list(values.len());
                self.ints.extend(values);
                return Some(values.len() * 12 + 4);
            }
            (Kind::Texts | Kind::Ints, _) => return None,
            (_, Cell::Null) if column.nullable => {
                self.defined.push(0);
                return Some(2);
            }
            (Kind::Bool, Cell::Bool(value)) => {
                self.bools.push(*value);
                1
            }
            (Kind::Int, Cell::Int(value)) => {
                self.ints.push(*value);
                8
            }
            (Kind::Unsigned, Cell::Unsigned(value)) => {
                self.ints.push(value.cast_signed());
                8
            }
            (Kind::Double, Cell::Double(value)) => {
                self.doubles.push(*value);
                8
            }
            (Kind::Text, Cell::Text(text)) => self.text(text),
            (Kind::Json, Cell::Json(text)) => self.text(text),
            _ => return None,
        };
        if column.nullable {
            self.defined.push(1);
        }
        Some(bytes + 2)
    }

    fn text(&mut self, text: &str) -> usize {
        self.texts.push(ByteArray::from(text));
        text.len() + 32
    }

    /// Levels of a list: an empty one is one place without an element.
    fn list(&mut self, length: usize) {
        self.repeated.push(0);
        self.defined.push(i16::from(length > 0));
        for _ in 1..length {
            self.repeated.push(1);
            self.defined.push(1);
        }
    }
}

fn empty(columns: &[Column]) -> Vec<Chunk> {
    columns.iter().map(|_| Chunk::default()).collect()
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let (physical, logical) = match column.kind {
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Int | Kind::Ints => (Physical::INT64, None),
        Kind::Unsigned => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Kind::Double => (Physical::DOUBLE, None),
        Kind::Text | Kind::Json | Kind::Texts => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let plain = |name: &str, repetition| {
        let typed = Type::primitive_type_builder(name, physical).with_logical_type(logical.clone());
        typed.with_repetition(repetition).build().map(Arc::new)
    };
    if !matches!(column.kind, Kind::Texts | Kind::Ints) {
        return plain(&column.name, repetition);
    }
    let element = plain("element", Repetition::REQUIRED)?;
    let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED).with_fields(vec![element]);
    Type::group_type_builder(&column.name)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list.build()?)])
        .build()
        .map(Arc::new)
}

fn other(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => io::Error::other(source),
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    #[test]
    fn a_row_group_ends_when_it_is_full_and_no_row_is_lost() {
        let columns = [Column::always("n", Kind::Int, ""), Column::always("list", Kind::Ints, "")];
        let mut file = tempfile::tempfile().unwrap();
        let mut sink = Box::new(Parquet::new(&mut file, &columns, &[]).unwrap());
        let rows = i64::try_from(ROWS).unwrap() + 1;
        for n in 0..rows {
            sink.row(&[Cell::Int(n), Cell::Ints((0..n % 3).collect())]).unwrap();
        }
        sink.finish().unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
        assert_eq!(groups, [rows - 1, 1]);
        for (n, row) in (0..).zip(reader.get_row_iter(None).unwrap()) {
            let elements = (0..n % 3).map(|element| element.to_string()).collect::<Vec<_>>().join(", ");
            assert_eq!(row.unwrap().to_string(), format!("{{n: {n}, list: [{elements}]}}"));
        }
    }

    #[test]
    fn a_cell_that_its_column_cannot_hold_is_an_error_and_never_another_value() {
        let columns = [Column::always("n", Kind::Int, "")];
        let mut file = tempfile::tempfile().unwrap();
        let mut sink = Parquet::new(&mut file, &columns, &[]).unwrap();
        assert!(sink.row(&[Cell::Null]).is_err());
        assert!(sink.row(&[Cell::Unsigned(1)]).is_err());
        assert!(sink.row(&[]).is_err());
    }
}
