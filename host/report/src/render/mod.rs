//! A page as files: the same content in each format.

mod csv;
mod markdown;

pub use csv::csv;
pub use markdown::{markdown, summary};

use crate::page::{Block, Page};

/// A file of a report, by its path within the report's folder.
pub type File = (String, String);

/// The page's tables as CSV files.
#[must_use]
pub fn tables(page: &Page) -> Vec<File> {
    let tables = blocks(page).filter_map(|block| match block {
        Block::Table(table) => Some((format!("tables/{}.csv", table.id), csv(table))),
        _ => None,
    });
    tables.collect()
}

/// The page's figures as SVG files.
#[must_use]
pub fn figures(page: &Page) -> Vec<File> {
    let figures = blocks(page).filter_map(|block| match block {
        Block::Figure(figure) => Some((format!("figures/{}.svg", figure.id), figure.svg.clone())),
        _ => None,
    });
    figures.collect()
}

fn blocks(page: &Page) -> impl Iterator<Item = &Block> {
    page.sections.iter().flat_map(|section| &section.blocks)
}
