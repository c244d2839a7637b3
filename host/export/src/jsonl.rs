//! JSON lines: one object a row in the project's canonical form, keys sorted and without white space. Lists are arrays
//! and objects are objects, not texts. A value that is not there is `null`, so that every line has every key.

use crate::table::{Cell, Column, Sink};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A file of JSON lines.
pub(crate) struct Jsonl<'a> {
    out: BufWriter<&'a mut File>,
    /// Positions of the columns in the order of their names, each with its key as JSON.
    order: Vec<(usize, String)>,
    line: String,
}

impl<'a> Jsonl<'a> {
    /// An empty file.
    pub(crate) fn new(file: &'a mut File, columns: &[Column]) -> Self {
        let mut named: Vec<(usize, &str)> = columns.iter().map(|column| column.name.as_str()).enumerate().collect();
        named.sort_by_key(|(_, name)| *name);
        let key = |name: &str| Cell::text(name).json().unwrap_or_default().into_owned();
        let order = named.into_iter().map(|(position, name)| (position, key(name))).collect();
        Jsonl { out: BufWriter::new(file), order, line: String::new() }
    }
}

impl Sink for Jsonl<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.line.clear();
        for (position, key) in &self.order {
            self.line.push(if self.line.is_empty() { '{' } else { ',' });
            self.line.push_str(key);
            self.line.push(':');
            let value = cells.get(*position).and_then(Cell::json);
            self.line.push_str(value.as_deref().unwrap_or("null"));
        }
        self.line.push_str("}\n");
        self.out.write_all(self.line.as_bytes())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}
