//! A page as Markdown that reads well in a terminal.

use crate::page::{Block, Page, Table};
use crate::table;
use std::fmt::Write;

/// The whole page.
#[must_use]
pub fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n\n", page.title);
    text.push_str(&notes(&page.lead));
    for section in &page.sections {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n## {}", section.title);
        for block in &section.blocks {
            text.push('\n');
            text.push_str(&written(block, "###"));
        }
    }
    text
}

/// Its blocks alone, and its lead after them: what a terminal shows.
#[must_use]
pub fn summary(page: &Page) -> String {
    let blocks = page.sections.iter().flat_map(|section| &section.blocks);
    let blocks: Vec<String> = blocks.map(|block| written(block, "##")).collect();
    format!("{}\n{}", blocks.join("\n"), notes(&page.lead))
}

fn written(block: &Block, heading: &str) -> String {
    match block {
        Block::Text(text) => format!("{text}\n"),
        Block::Table(table) => tabulated(table, heading),
        Block::Figure(figure) => {
            format!(
                "{heading} {}\n\n![{}](figures/{}.svg)\n\n{}\n",
                figure.heading(),
                figure.title,
                figure.id,
                figure.caption
            )
        }
        Block::Verbatim(text) => format!("```\n{}\n```\n", text.trim_end()),
    }
}

fn tabulated(table: &Table, heading: &str) -> String {
    let cell = |cell: &String| cell.replace('|', "\\|").replace('\n', " ");
    let head: Vec<&str> = table.head.iter().map(String::as_str).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let mut text = format!("{heading} {}\n\n{}", table.title, table::markdown(&head, rows));
    if !table.notes.is_empty() {
        text.push('\n');
        text.push_str(&notes(&table.notes));
    }
    text
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("- {note}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Figure, Section};

    #[test]
    fn a_figure_of_the_paper_has_its_number_and_any_other_has_none() {
        let figure = |id: &str| Figure { id: id.into(), title: "Bars".into(), ..Figure::default() };
        assert!(written(&Block::Figure(figure("figure-3")), "###").starts_with("### Figure 3: Bars\n"));
        assert!(written(&Block::Figure(figure("figure-errors")), "###").starts_with("### Bars\n"));
    }

    #[test]
    fn a_cell_cannot_break_its_table() {
        let table = Table {
            title: "t".into(),
            head: vec!["a".into()],
            rows: vec![vec!["x | y\nz".into()]],
            ..Table::default()
        };
        let section = Section { title: "s".into(), blocks: vec![Block::Table(table)], ..Section::default() };
        let text = markdown(&Page { title: "p".into(), lead: vec!["n".into()], sections: vec![section] });
        assert!(text.starts_with("# p\n\n- n\n\n## s\n\n### t\n\n| a "), "{text}");
        assert!(text.contains("x \\| y z"), "{text}");
    }
}
