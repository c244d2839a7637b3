//! The reproduction ledger: every published number that can be computed, beside ours, with a verdict by rule.
//!
//! The numbers are data (`published/*.toml`): the value as printed, and how ours is computed. The verdicts are not: they
//! follow from both by [`judge`], so that no line can be called reproduced that is not.

mod judge;
mod published;
mod statistic;
#[cfg(test)]
mod tests;

pub use judge::Verdict;

use crate::page::{Block, Section, Table};
use crate::tables::head;
use crate::view::View;
use published::Library;
use serde::Serialize;
use std::collections::BTreeMap;

/// One published number beside ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// The paper's table or section.
    pub table: String,
    /// Row there.
    pub row: String,
    /// Column there.
    pub column: String,
    /// As printed there.
    pub published: String,
    /// Ours, with as many decimals, and its interval.
    pub ours: String,
    /// The model.
    pub model: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What the verdict rests on.
    pub because: String,
}

/// Judges every published number against one model's rows. Empty where the run has no row that any of them is about.
pub(crate) fn entries(view: &View) -> Vec<Entry> {
    let Ok(library) = Library::load() else { return Vec::new() };
    let entries: Vec<Entry> = library.numbers.iter().map(|number| judge::judge(view, &library, number)).collect();
    let about_this_run = library.numbers.iter().any(|number| number.ours.is_of_a_run() && number.ours.of(view).is_some());
    if about_this_run { entries } else { Vec::new() }
}

/// How many lines have each verdict, in words.
pub(crate) fn counts(entries: &[Entry]) -> String {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.verdict).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!("Of {} published numbers: {}.", entries.len(), counts.join(", "))
}

/// The page's section: a table for each of the paper's.
pub(crate) fn section(entries: &[Entry]) -> Option<Section> {
    if entries.is_empty() {
        return None;
    }
    let mut blocks = vec![
        Block::Text(counts(entries)),
        Block::Text("Reproduced exactly: equal as printed, for what no model has a part in. Within interval: our 95 % interval has the published value in it. Shape only: it has not, but the order, sign or zero in which the number takes part holds. Calibrated: the simulated model was set on this number, so that it says nothing. Cannot be reproduced as defined: the printed number does not follow from its own definition.".into()),
    ];
    for lines in entries.chunk_by(|one, next| (&one.table, &one.model) == (&next.table, &next.model)) {
        let Some(first) = lines.first() else { continue };
        let rows = lines.iter().map(|e| {
            let place = format!("{}, {}", e.row, e.column);
            vec![place, e.published.clone(), e.ours.clone(), e.verdict.to_string(), e.because.clone()]
        });
        let model = crate::tables::slug(&first.model);
        blocks.push(Block::Table(Table {
            id: format!("ledger-{}-{model}", crate::tables::slug(&first.table)),
            title: format!("Published numbers of {} and ours, {}", first.table, first.model),
            head: head(&["Number", "Published", "Ours", "Verdict", "Because"]),
            rows: rows.collect(),
            notes: Vec::new(),
        }));
    }
    Some(Section { id: "ledger".into(), title: "Reproduction ledger".into(), blocks })
}
