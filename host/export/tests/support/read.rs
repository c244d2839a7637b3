//! Each format read back by a reader that is not ours, into one common form.

// Each test target uses its own part of this.
#![allow(dead_code)]

use csv_core::ReadRecordResult;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::path::Path;

/// Rows by column name. Lists are arrays, objects are their canonical text, numbers are numbers.
pub type Rows = Vec<Map<String, Value>>;

/// Columns whose values are JSON objects, which Parquet and CSV hold as text.
const OBJECTS: [&str; 4] = ["lost_calls_by_rule", "body", "arguments", "argument_labels"];

/// Reads Parquet.
pub fn parquet(path: &Path) -> Rows {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()).collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Long(value) => json!(value),
        Field::ULong(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Str(text) => json!(text),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => panic!("a type that no column has: {other:?}"),
    }
}

/// Reads JSON lines.
pub fn jsonl(path: &Path) -> Rows {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| {
            let mut row: Map<String, Value> = serde_json::from_str(line).unwrap();
            for (name, value) in &mut row {
                if OBJECTS.contains(&name.as_str()) && !value.is_null() {
                    *value = Value::String(weir_trace::json::canonical(value));
                }
            }
            row
        })
        .collect()
}

/// The fields of each record, the head's first.
fn records(mut input: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv_core::Reader::new();
    let (mut text, mut ends) = (vec![0; input.len()], vec![0; 256]);
    let mut records = Vec::new();
    loop {
        let (outcome, read, _, fields) = reader.read_record(input, &mut text, &mut ends);
        input = &input[read..];
        match outcome {
            ReadRecordResult::Record => {
                let starts = std::iter::once(&0).chain(&ends);
                let field = |(start, end): (&usize, &usize)| String::from_utf8(text[*start..*end].to_vec()).unwrap();
                records.push(starts.zip(&ends[..fields]).map(field).collect());
            }
            // The end of the last line.
            ReadRecordResult::InputEmpty => {}
            ReadRecordResult::End => return records,
            full => panic!("{full:?}"),
        }
    }
}

/// Reads CSV. What its fields are is taken from the rows of another format: CSV itself does not say. Nulls and empty
/// texts are alike to the reader, so an empty field is whichever of the two is expected.
pub fn csv(path: &Path, types: &Rows) -> Rows {
    let mut records = records(&fs::read(path).unwrap()).into_iter();
    let head = records.next().unwrap();
    let mut rows = Rows::new();
    for (record, like) in records.zip(types) {
        assert_eq!(record.len(), head.len());
        let cell = |(name, text): (&String, &String)| {
            let exact = || text.strip_prefix('\'').unwrap_or(text);
            let value = match &like[name.as_str()] {
                Value::Null if text.is_empty() => Value::Null,
                Value::String(_) => json!(exact()),
                _ => serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {text}: {e}")),
            };
            (name.clone(), value)
        };
        rows.push(head.iter().zip(record.iter()).map(cell).collect());
    }
    rows
}
