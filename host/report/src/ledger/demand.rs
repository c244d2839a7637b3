//! What must hold of a full-scale run, whatever the single numbers are, computed from it.

use crate::ledger::counterpart::Counterpart;
use crate::ledger::published::Library;
use crate::ledger::shape::{Broken, broken};
use crate::ledger::{has_published_domains, library, print};
use crate::page::Table;
use crate::tables::{head, slug};
use crate::view::{Scope, View};
use serde::Serialize;
use std::fmt;

/// Whether a demand holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holding {
    /// It does.
    Holds,
    /// It does not.
    DoesNotHold,
    /// The run lacks a policy or stage of it.
    NotInThisRun,
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Holding::Holds => "holds",
            Holding::DoesNotHold => "does not hold",
            Holding::NotInThisRun => "not in this run",
        })
    }
}

/// One demand, with what the run says to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Demanded {
    /// Its name.
    pub id: String,
    /// What must hold, in words.
    pub demand: String,
    /// Ours, with intervals, in the order in which the words name them.
    pub ours: String,
    /// The model.
    pub model: String,
    /// Whether it holds.
    pub holding: Holding,
    /// What broke it; empty where nothing did.
    pub broken: String,
}

/// Every demand; none for a run without the four stages or with a domain beyond the paper's, of which they are not asked.
pub(crate) fn demands(view: &View) -> Vec<Demanded> {
    if view.covers(Scope::All) && has_published_domains(view) { of(view, &library()) } else { Vec::new() }
}

/// Every demand of a library.
pub(crate) fn of<S: Counterpart>(run: &S::Run<'_>, library: &Library<S>) -> Vec<Demanded> {
    let each = library.demands.iter().map(|demand| {
        let (holding, broken) = match broken(run, &demand.tests) {
            None => (Holding::Holds, String::new()),
            Some(Broken::Lacking) => (Holding::NotInThisRun, Broken::Lacking.says()),
            Some(broken) => (Holding::DoesNotHold, broken.says()),
        };
        let ours = demand.ours.iter().map(|statistic| match statistic.of(run) {
            Some(ours) => print::written(&ours, demand.places, "", true),
            None => "N/A".to_owned(),
        });
        Demanded {
            id: demand.id.clone(),
            demand: demand.says.clone(),
            ours: ours.collect::<Vec<_>>().join("; "),
            model: S::models(run),
            holding,
            broken,
        }
    });
    each.collect()
}

/// A table for each model, with a note on how the demands were set.
pub(crate) fn tables(demands: &[Demanded], note: &str) -> Vec<Table> {
    let models = demands.chunk_by(|one, next| one.model == next.model);
    let table = |lines: &[Demanded]| {
        let model = lines.first().map(|line| line.model.clone()).unwrap_or_default();
        let row = |line: &Demanded| {
            let broken = if line.broken.is_empty() { String::new() } else { format!(": {}", line.broken) };
            vec![line.demand.clone(), line.ours.clone(), format!("{}{broken}", line.holding)]
        };
        Table {
            id: format!("must-hold-{}", slug(&model)),
            title: format!("What must hold, {model}"),
            head: head(&["Demand", "Ours", "Verdict"]),
            rows: lines.iter().map(row).collect(),
            notes: vec![note.to_owned()],
        }
    };
    models.map(table).collect()
}
