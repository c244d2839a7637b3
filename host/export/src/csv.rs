//! Comma-separated values after RFC 4180, in UTF-8: a head, lines that end in CR LF, doubled quotes.
//!
//! Texts, and lists and objects as JSON texts, always stand in quotes; numbers and booleans never do. A field with
//! nothing in it is null, `""` is an empty text.
//!
//! Spreadsheets run a cell as a formula if it begins with `=` or one of its kin, and what an attacker wrote into a mail
//! stands in `text`. So a text that begins so, white space aside, gets an apostrophe before it, which spreadsheets take
//! for "this is text". A text that begins with an apostrophe gets one too: whoever takes one leading apostrophe away
//! from every text has the exact content back. This is the one change that any format makes, and it is always made:
//! people open CSV files by double click, and for programs there are the other formats. It rests on the comma being
//! read as the separator; a spreadsheet that is told to split at another character makes cells of its own from the
//! middle of a text.

use crate::table::{Cell, Column, Sink};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// First characters of formulas, with the full-width forms that some spreadsheets take for them.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A CSV file.
pub(crate) struct Csv<'a> {
    out: BufWriter<&'a mut File>,
    line: String,
}

impl<'a> Csv<'a> {
    /// Begins the file with its head. Names of metrics are a plugin's words, so they are treated like any text.
    pub(crate) fn new(file: &'a mut File, columns: &[Column]) -> io::Result<Self> {
        let mut csv = Csv { out: BufWriter::new(file), line: String::new() };
        let head: Vec<Cell<'_>> = columns.iter().map(|column| Cell::text(&column.name)).collect();
        csv.row(&head)?;
        Ok(csv)
    }
}

impl Sink for Csv<'_> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.line.clear();
        for (position, cell) in cells.iter().enumerate() {
            if position > 0 {
                self.line.push(',');
            }
            field(cell, &mut self.line);
        }
        self.line.push_str("\r\n");
        self.out.write_all(self.line.as_bytes())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

fn field(cell: &Cell<'_>, line: &mut String) {
    match cell {
        Cell::Null => {}
        Cell::Bool(_) | Cell::Int(_) | Cell::Unsigned(_) | Cell::Double(_) => {
            line.push_str(&cell.json().unwrap_or_default());
        }
        Cell::Text(text) => quoted(&inert(text), line),
        Cell::Json(_) | Cell::Texts(_) | Cell::Ints(_) => quoted(&cell.json().unwrap_or_default(), line),
    }
}

fn quoted(text: &str, line: &mut String) {
    line.push('"');
    for (position, piece) in text.split('"').enumerate() {
        if position > 0 {
            line.push_str("\"\"");
        }
        line.push_str(piece);
    }
    line.push('"');
}

/// The text as no spreadsheet runs it.
fn inert(text: &str) -> Cow<'_, str> {
    // Some programs cut white space, control characters or a byte order mark away before they look.
    let unseen = |c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}';
    let runs = text.trim_start_matches(unseen).starts_with(FORMULA);
    // A tab or line end at the beginning makes some programs move to the next cell.
    if runs || text.starts_with(['\'', '\t', '\r', '\n']) { format!("'{text}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cells: &[Cell<'_>]) -> String {
        let mut file = tempfile::tempfile().unwrap();
        Csv { out: BufWriter::new(&mut file), line: String::new() }.row(cells).unwrap();
        let mut text = String::new();
        io::Seek::rewind(&mut file).unwrap();
        io::Read::read_to_string(&mut file, &mut text).unwrap();
        text
    }

    #[test]
    fn nothing_and_an_empty_text_are_told_apart() {
        assert_eq!(line(&[Cell::Null, Cell::text(""), Cell::Null]), ",\"\",\r\n");
    }

    #[test]
    fn numbers_are_bare_and_texts_quoted_with_their_quotes_doubled() {
        let cells = [Cell::Unsigned(u64::MAX), Cell::Double(0.1), Cell::Bool(true), Cell::text("a \"b\",\r\nc")];
        assert_eq!(line(&cells), "18446744073709551615,0.1,true,\"a \"\"b\"\",\r\nc\"\r\n");
    }

    #[test]
    fn negative_numbers_stay_numbers() {
        assert_eq!(line(&[Cell::Int(-1), Cell::Double(-0.5)]), "-1,-0.5\r\n");
    }

    #[test]
    fn a_text_that_a_spreadsheet_would_run_is_made_inert() {
        for hostile in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\u{feff}=1", "＝1", "\r\n", "\0=1"] {
            assert_eq!(inert(hostile), format!("'{hostile}"));
        }
    }

    #[test]
    fn taking_one_apostrophe_away_gives_every_text_back() {
        for text in ["=1", "'=1", "''", "'", "plain", "", "a=1", "\t", "[\"=1\"]"] {
            let written = inert(text);
            assert_eq!(written.strip_prefix('\'').unwrap_or(&written), text);
        }
    }
}
