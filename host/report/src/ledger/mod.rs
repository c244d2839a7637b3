//! The reproduction ledger: every published number that can be computed, beside ours, with a verdict by rule.
//!
//! The numbers are data (`published/*.toml`): the value as printed, and how ours is computed. The verdicts are not: they
//! follow from both by [`judge`], so that no line can be called reproduced that is not. Beside a verdict stands its cause,
//! written by hand: what in this benchmark makes ours what it is. On top stands what must hold of any run of the suite.

mod corpus;
mod counterpart;
mod demand;
mod judge;
mod print;
mod published;
mod section;
mod shape;
mod statistic;
#[cfg(test)]
mod tests;

pub use demand::{Demanded, Holding};
pub use judge::Verdict;

pub(crate) use counterpart::Counterpart;
pub(crate) use demand::{demands, of as demands_of, tables as tables_of_demands};
pub(crate) use judge::judge;
pub(crate) use published::Library;
pub(crate) use section::{VERDICTS, counts, section, table};
pub(crate) use statistic::Ours;

use crate::names;
use crate::view::{Scope, View};
use serde::Serialize;

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
    /// What in this benchmark makes ours what it is; none for what no model has a part in.
    pub cause: Option<String>,
}

/// Judges every published number against one model's rows. Empty for a suite of somebody's own, which has neither all stages
/// of the full-scale run nor the stress slice, or a domain beyond the paper's: its numbers were never meant to be the paper's.
pub(crate) fn entries(view: &View) -> Vec<Entry> {
    let published = view.covers(Scope::All) || view.covers(Scope::Stage(names::STRESS));
    if published && has_published_domains(view) && view.run.policy(names::NONE).is_some() {
        judged(view)
    } else {
        Vec::new()
    }
}

/// Whether the run has no domain beyond the paper's: a mean over other scenarios would be another number.
pub(crate) fn has_published_domains(view: &View) -> bool {
    view.run.scenarios.iter().all(|scenario| names::DOMAINS.contains(&scenario.domain.as_str()))
}

fn judged(view: &View) -> Vec<Entry> {
    let library = library();
    library.numbers.iter().map(|number| judge(view, &library, number)).collect()
}

/// The built-in files. That they can be read is held by a test.
fn library() -> Library {
    Library::load().unwrap_or_default()
}
