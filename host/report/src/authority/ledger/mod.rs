//! The reproduction ledger of AuthMem-Bench: every published number beside ours, and what must hold of a full run. Verdicts
//! follow by the same rule as ContainmentBench's (`crate::ledger`); the numbers are data (`published/*.toml`).

mod statistic;
#[cfg(test)]
mod tests;

use super::names;
use super::study::{Chosen, Study};
use crate::ledger::{Demanded, Entry, Library, VERDICTS, counts, demands_of, judge, table, tables_of_demands};
use crate::page::{Block, Section};
use statistic::Statistic;
use weir_memory::facts::Module;

const FILES: [&str; 4] = [
    include_str!("published/numbers.toml"),
    include_str!("published/identities.toml"),
    include_str!("published/shapes.toml"),
    include_str!("published/demands.toml"),
];

/// How the demands were set.
const DEMANDS: &str = "Rates in percent. The properties were set before the suite was made, from the paper; that about equal means within 5 points, and that to separate means by more than 20, is this ledger's reading.";

/// How agreement is to be read.
const READING: &str = "How to read agreement: the paper's numbers are those of seven backends of language models. Here writers that emulate an objective by rules, and simulated acting models, stand where those stood, unless a run names real ones; so most numbers of a backend have no counterpart, and where one has, the order and not the level is what can be compared.";

/// A run, as the ledger's statistics see it.
pub(crate) struct Run<'a> {
    pub(super) study: &'a Study<'a>,
    pub(super) chosen: &'a Chosen,
}

impl Run<'_> {
    /// Whether the numbers were meant to be the paper's: its stage has all three modules and all seven transitions.
    fn is_full(&self) -> bool {
        let transitions = self.study.transitions();
        self.study.stage == names::STAGE
            && [Module::Writing, Module::Acting, Module::Pipeline].iter().all(|module| self.study.has(*module))
            && names::TRANSITIONS.iter().all(|known| transitions.iter().any(|code| code == known.code))
    }
}

/// The built-in files. That they can be read is held by a test.
fn library() -> Library<Statistic> {
    Library::of(&FILES).unwrap_or_default()
}

/// Every published number, judged; none for a suite of somebody's own.
pub(super) fn entries(run: &Run) -> Vec<Entry> {
    if !run.is_full() {
        return Vec::new();
    }
    let library = library();
    library.numbers().iter().map(|number| judge(run, &library, number)).collect()
}

/// Every demand; none for a suite of somebody's own.
pub(super) fn demands(run: &Run) -> Vec<Demanded> {
    if run.is_full() { demands_of(run, &library()) } else { Vec::new() }
}

/// How many lines have each verdict, in words; none without lines.
pub(super) fn summary(entries: &[Entry], demands: &[Demanded]) -> Option<String> {
    (!entries.is_empty()).then(|| counts(entries, demands))
}

/// The page's section.
pub(super) fn section(entries: &[Entry], demands: &[Demanded]) -> Option<Section> {
    let mut blocks = vec![Block::Text(summary(entries, demands)?)];
    blocks.extend(tables_of_demands(demands, DEMANDS).into_iter().map(Block::Table));
    blocks.extend([VERDICTS, READING].map(|text| Block::Text(text.to_owned())));
    for lines in entries.chunk_by(|one, next| one.table == next.table) {
        blocks.extend(lines.first().map(|first| Block::Table(table(first, lines))));
    }
    Some(Section { id: "ledger".into(), title: "Reproduction ledger".into(), blocks })
}
