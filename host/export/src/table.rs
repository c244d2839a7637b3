//! What tables and formats agree on: columns, cells, and where rows go.

use std::borrow::Cow;
use std::io;
use weir_suite::Error;
use weir_trace::json::canonical;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A boolean.
    Bool,
    /// A count or a position, signed so that differences can be taken.
    Int,
    /// A number that needs all 64 bits, such as a seed.
    Unsigned,
    /// A number of a metric.
    Double,
    /// UTF-8 text.
    Text,
    /// A JSON object, in canonical form.
    Json,
    /// A list of texts, never null.
    Texts,
    /// A list of positions, never null.
    Ints,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether a row may have no value, which is never the same as zero or an empty text.
    pub nullable: bool,
    /// What a value means, for the file's metadata.
    pub meaning: String,
}

impl Column {
    /// A column with a value in every row.
    pub(crate) fn always(name: &str, kind: Kind, meaning: &str) -> Self {
        Column { name: name.into(), kind, nullable: false, meaning: meaning.into() }
    }

    /// A column whose value may be missing.
    pub(crate) fn maybe(name: &str, kind: Kind, meaning: &str) -> Self {
        Column { nullable: true, ..Column::always(name, kind, meaning) }
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Unsigned(u64),
    Double(f64),
    Text(Cow<'a, str>),
    Json(String),
    Texts(Vec<String>),
    Ints(Vec<i64>),
}

impl<'a> Cell<'a> {
    pub(crate) fn text(text: &'a str) -> Self {
        Cell::Text(Cow::Borrowed(text))
    }

    pub(crate) fn owned(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }

    /// The cell of a value, or nothing.
    pub(crate) fn of<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Cell::Null, cell)
    }

    /// Canonical JSON of a value that is no text; none for nothing. One text for the numbers of CSV and JSON lines
    /// alike.
    pub(crate) fn json(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Cell::Null => return None,
            Cell::Bool(true) => "true".into(),
            Cell::Bool(false) => "false".into(),
            Cell::Int(value) => value.to_string().into(),
            Cell::Unsigned(value) => value.to_string().into(),
            Cell::Double(value) => canonical(&(*value).into()).into(),
            Cell::Text(text) => canonical(&(**text).into()).into(),
            Cell::Json(text) => text.into(),
            Cell::Texts(texts) => canonical(&texts.as_slice().into()).into(),
            Cell::Ints(values) => canonical(&values.as_slice().into()).into(),
        })
    }
}

/// Where a table's rows go.
pub(crate) type Emit<'a> = &'a mut dyn FnMut(&[Cell<'_>]) -> Result<(), Error>;

/// A file of one format under construction.
pub(crate) trait Sink {
    /// Adds a row with a cell for each column.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Writes what is still held back.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
