//! The page.

use super::escape;
use super::figure::admitted;
use super::policy::policy;
use crate::figures::STYLE;
use crate::page::{Block, Figure, Page, Section, Table};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The sheet of the page; that of the figures follows it.
const SHEET: &str = include_str!("page.css");

/// One self-contained HTML file.
#[must_use]
pub fn render(page: &Page) -> String {
    let style = format!("{SHEET}{STYLE}");
    let mut ids = Ids::default();
    let sections: Vec<(String, &Section)> = page.sections.iter().map(|s| (ids.unique(&s.id), s)).collect();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<div class=\"shell\">\n<header>\n<h1>{}</h1>\n",
        // Its quotes are the policy's own.
        policy(&style),
        escape(&page.title),
        escape(&page.title),
    );
    for paragraph in &page.lead {
        text(&mut out, paragraph);
    }
    out.push_str("</header>\n<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ol>\n");
    for (id, section) in &sections {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "<li><a href=\"#{id}\">{}</a></li>", escape(&section.title));
    }
    out.push_str("</ol>\n</nav>\n<main id=\"content\">\n");
    for (id, section) in &sections {
        let _ = writeln!(out, "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>", escape(&section.title));
        for block in &section.blocks {
            match block {
                Block::Text(paragraph) => text(&mut out, paragraph),
                Block::Table(content) => table(&mut out, content, &ids.unique(&content.id)),
                Block::Figure(content) => figure(&mut out, content, &ids.unique(&content.id)),
                Block::Verbatim(content) => verbatim(&mut out, content),
            }
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</div>\n</body>\n</html>\n");
    out
}

fn text(out: &mut String, paragraph: &str) {
    let _ = writeln!(out, "<p class=\"text\">{}</p>", escape(paragraph));
}

/// Keyboards reach it, since it may be wider than the screen.
fn verbatim(out: &mut String, content: &str) {
    // HTML drops a line end right after the tag, so one is put there.
    let _ = writeln!(out, "<pre tabindex=\"0\">\n{}</pre>", escape(content));
}

/// The report's own words, in which what stands between backticks, such as a command, is code; escaped all the same. Cells
/// are not: they may quote a trace, whose every character counts.
fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd number of backticks marks nothing.
    if pieces.len().is_multiple_of(2) {
        return escape(text);
    }
    let written = pieces.iter().enumerate().map(|(place, piece)| match place % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    written.collect()
}

fn table(out: &mut String, table: &Table, id: &str) {
    let numeric: Vec<bool> = (0..table.head.len()).map(|column| is_numeric(table, column)).collect();
    let class = |column: usize| if numeric.get(column) == Some(&true) { " class=\"n\"" } else { "" };
    let _ = write!(
        out,
        "<figure class=\"table\" id=\"{id}\">\n<figcaption id=\"{id}--title\"><strong>{}</strong></figcaption>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{id}--title\">\n<table>\n",
        escape(&table.title)
    );
    // A head without a word in it says nothing, to nobody.
    if table.head.iter().any(|head| !head.is_empty()) {
        out.push_str("<thead><tr>");
        for (column, head) in table.head.iter().enumerate() {
            let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(column), escape(head));
        }
        out.push_str("</tr></thead>\n");
    }
    out.push_str("<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = if column == 0 {
                write!(out, "<th scope=\"row\"{}>{}</th>", class(column), escape(cell))
            } else {
                write!(out, "<td{}>{}</td>", class(column), escape(cell))
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    if !table.notes.is_empty() {
        out.push_str("<ul class=\"notes\">\n");
        for note in &table.notes {
            let _ = writeln!(out, "<li>{}</li>", prose(note));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</figure>\n");
}

/// Whether a column holds short numbers, with or without their intervals and counts, and at least one.
fn is_numeric(table: &Table, column: usize) -> bool {
    let mut numbers = 0usize;
    for cell in table.rows.iter().filter_map(|row| row.get(column)) {
        let cell = cell.trim();
        if cell.is_empty() || ["N/A", "–", "-"].contains(&cell) {
            continue;
        }
        // It stands in place of a number.
        if cell.starts_with("not discriminative") && cell.chars().count() <= 40 {
            numbers += 1;
            continue;
        }
        let digits = |c: char| c.is_ascii_digit() || " .,:;+-−–%()[]/=<>≤≥nN".contains(c);
        let first = cell.trim_start_matches(['+', '-', '−', '[', '<', '≤', '≥', ' ']).chars().next();
        if cell.chars().count() > 60
            || !cell.chars().all(digits)
            || !first.is_some_and(|c| c.is_ascii_digit() || c == 'n')
        {
            return false;
        }
        numbers += 1;
    }
    numbers > 0
}

fn figure(out: &mut String, figure: &Figure, id: &str) {
    let _ = write!(
        out,
        "<figure class=\"picture\" id=\"{id}\">\n<figcaption id=\"{id}--title\"><strong>{}</strong></figcaption>\n",
        escape(&figure.heading())
    );
    match admitted(&figure.svg) {
        Ok(svg) => {
            let _ = writeln!(
                out,
                "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{id}--title\">\n{svg}\n</div>"
            );
        }
        Err(why) => {
            let _ = writeln!(
                out,
                "<p class=\"refused\">This figure is not shown, since it has something that a page must not hold: {}.</p>",
                escape(&why)
            );
        }
    }
    if !figure.caption.is_empty() {
        let _ = writeln!(out, "<p class=\"under\">{}</p>", prose(&figure.caption));
    }
    out.push_str("</figure>\n");
}

/// Identifiers that are in use. The page's own are among them.
struct Ids(BTreeSet<String>);

impl Default for Ids {
    fn default() -> Self {
        Ids(["content", "contents"].map(str::to_owned).into())
    }
}

impl Ids {
    /// An identifier of lower-case words joined by `-`, which no other element has.
    fn unique(&mut self, wanted: &str) -> String {
        let letters: String = wanted
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
            .take(80)
            .collect();
        let words = letters.split_whitespace().collect::<Vec<_>>().join("-");
        let words = if words.is_empty() { "part".to_owned() } else { words };
        let mut id = words.clone();
        let mut number = 2u32;
        while !self.0.insert(id.clone()) {
            id = format!("{words}-{number}");
            number = number.saturating_add(1);
        }
        id
    }
}
