//! What a leaderboard shows of live runs: the report's own estimates for every stage, domain and model, ranks, and every pair
//! of policies. Nothing is estimated here: each number is a [`View`]'s, as in the report's tables.

mod axes;
mod cells;
mod pairs;
#[cfg(test)]
mod tests;

pub use axes::{Axis, AxisPair};
pub use cells::{Cell, Credited};
pub use pairs::{FixedMaximum, Pair, PairStage, Table2x2};

use crate::collect::{Collected, Metric};
use crate::names;
use crate::qualification::{Qualification, refusal};
use crate::stage_table;
use crate::tables::roles::shown;
use crate::view::View;
use serde::Serialize;
use weir_stats::Resamples;
use weir_suite::Manifest;

/// A run's numbers as a leaderboard shows them, of its first condition.
pub struct Board<'a> {
    run: &'a Collected,
    condition: usize,
    resamples: Resamples,
    /// Why no policies are compared on a model, by its place.
    refused: Vec<Option<String>>,
}

/// A stage, for a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// Its name in rows.
    pub id: String,
    /// As the paper prints it.
    pub title: String,
    /// The metric by which its policies are ranked.
    pub primary: &'static str,
    /// Scenarios.
    pub scenarios: usize,
    /// Rollouts of each policy on each model.
    pub rollouts: usize,
}

/// A metric, for a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Measure {
    /// Its name in rows.
    pub name: String,
    /// As the head of a column.
    pub title: String,
    /// `more`, `less` or `neither`.
    pub better: String,
    /// Its definition, by the reducer that measures it.
    pub description: String,
    /// Stages where it applies; empty means all.
    pub stages: Vec<String>,
}

impl<'a> Board<'a> {
    /// The board of one condition of a run. `manifest` is the run's, of several the first's; `known` are qualifications of
    /// real models, without which no policies are compared on one.
    #[must_use]
    pub fn new(run: &'a Collected, condition: usize, manifest: &Manifest, known: &[Qualification]) -> Self {
        let refused = run.models.iter().map(|model| refusal(manifest, model, known)).collect();
        Board { run, condition, resamples: Resamples::default(), refused }
    }

    /// Stages in the order of the run.
    #[must_use]
    pub fn stages(&self) -> Vec<Stage> {
        let stage = |id: &String| {
            let scenarios = self.run.scenarios.iter().filter(|scenario| scenario.stage == *id).count();
            Stage {
                id: id.clone(),
                title: names::stage(id).to_owned(),
                primary: names::primary(id),
                scenarios,
                rollouts: scenarios * self.run.seeds.len(),
            }
        };
        self.run.stages.iter().map(stage).collect()
    }

    /// Domains in the order of the run.
    #[must_use]
    pub fn domains(&self) -> Vec<String> {
        let mut domains: Vec<String> = Vec::new();
        for scenario in &self.run.scenarios {
            if !domains.contains(&scenario.domain) {
                domains.push(scenario.domain.clone());
            }
        }
        domains
    }

    /// The metrics of the run that apply anywhere.
    #[must_use]
    pub fn metrics(&self) -> Vec<Measure> {
        let measure = |metric: &Metric| Measure {
            name: metric.name.clone(),
            title: stage_table::title(&metric.name),
            better: metric.better.clone(),
            description: metric.description.clone(),
            stages: metric.stages.clone(),
        };
        shown(self.run).map(measure).collect()
    }

    /// What a reader must know of all numbers.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = stage_table::notes(self.run);
        notes.extend(self.refused.iter().flatten().cloned());
        notes
    }

    fn compares(&self, model: usize) -> bool {
        self.refused.get(model).is_none_or(Option::is_none)
    }

    fn view(&self, model: usize) -> View<'_> {
        View::new(self.run, self.condition, model, &self.resamples)
    }

    fn model_name(&self, model: usize) -> String {
        self.run.models.get(model).map(|model| model.name.clone()).unwrap_or_default()
    }
}

/// Whether a policy is drawn on every board: no defence, and the strongest one without provenance.
#[must_use]
pub fn is_baseline(policy: &str) -> bool {
    [names::NONE, names::TOOL_BOUNDARY].contains(&policy)
}
