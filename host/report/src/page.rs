//! A report before it is rendered: the same content for a terminal, a Markdown file, CSV files and one HTML page.

use serde::Serialize;

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What a reader must know first, a paragraph each.
    pub lead: Vec<String>,
    /// In order.
    pub sections: Vec<Section>,
}

/// A part with a heading.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Section {
    /// For links and file names: lower-case words joined by `-`.
    pub id: String,
    /// The heading.
    pub title: String,
    /// In order.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Block {
    /// A paragraph. Plain text: it holds no markup, and text from traces is escaped wherever it is rendered.
    Text(String),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Figure),
    /// Text as it stands, in a fixed-width face: a command, an excerpt of a trace.
    Verbatim(String),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// For links and file names, for example `table-9`.
    pub id: String,
    /// What it shows, with the paper's number where it has one.
    pub title: String,
    /// Column heads.
    pub head: Vec<String>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
    /// Denominators, intervals, what is simulated: whatever a reader must know to read a cell.
    pub notes: Vec<String>,
}

/// A figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figure {
    /// For links and file names, for example `figure-3`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What to see in it, and of what it is made.
    pub caption: String,
    /// A complete SVG document that looks right in light and in dark.
    pub svg: String,
}

impl Figure {
    /// What it shows, after the paper's number where its identifier has one: the way tables have theirs.
    #[must_use]
    pub fn heading(&self) -> String {
        let number = self.id.strip_prefix("figure-").and_then(|rest| rest.split('-').next());
        match number.filter(|number| number.parse::<u8>().is_ok()) {
            Some(number) => format!("Figure {number}: {}", self.title),
            None => self.title.clone(),
        }
    }
}
