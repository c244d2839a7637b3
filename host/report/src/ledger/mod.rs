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

use crate::names;
use crate::page::{Block, Section, Table};
use crate::tables::head;
use crate::view::{Scope, View};
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

/// Judges every published number against one model's rows. Empty for a suite of somebody's own, which has neither all stages
/// of the full-scale run nor the stress slice: its numbers were never meant to be the paper's.
pub(crate) fn entries(view: &View) -> Vec<Entry> {
    let published = view.covers(Scope::All) || view.covers(Scope::Stage(names::STRESS));
    if published && view.run.policy(names::NONE).is_some() { judged(view) } else { Vec::new() }
}

fn judged(view: &View) -> Vec<Entry> {
    // That the built-in files can be read is held by a test.
    let library = Library::load().unwrap_or_default();
    library.numbers.iter().map(|number| judge::judge(view, &library, number)).collect()
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
    let mut absent: Vec<&str> = Vec::new();
    for lines in entries.chunk_by(|one, next| (&one.table, &one.model) == (&next.table, &next.model)) {
        let Some(first) = lines.first() else { continue };
        if lines.iter().all(|line| line.verdict == Verdict::NotInThisRun) {
            absent.push(first.table.as_str());
            continue;
        }
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
    if !absent.is_empty() {
        absent.dedup();
        let text = "This run has no rollouts of the stages or policies that these are about; `weir run` has all but table 17, and `weir run stress` has that";
        blocks.push(Block::Text(format!("{text}: {}.", absent.join(", "))));
    }
    Some(Section { id: "ledger".into(), title: "Reproduction ledger".into(), blocks })
}
