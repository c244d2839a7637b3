//! One rendering: Markdown that reads well in a terminal.

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

/// A table in Markdown.
pub(crate) fn markdown(headers: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(headers.to_vec());
    for row in rows {
        table.add_row(row);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}
