//! Which two numbers a trade-off is between: work that is authorised, and harm that is not.

use super::Board;
use crate::names::{self, ACTIVE, CLEAN, MEMORY, SECURITY};
use crate::stage_table;
use crate::view::Scope;
use serde::Serialize;

/// One axis: a metric in a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// The stage.
    pub stage: String,
    /// The metric.
    pub metric: &'static str,
    /// 1 - value is drawn, so that more is better on both axes.
    pub complement: bool,
    /// What stands beside it.
    pub label: String,
}

/// Two axes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AxisPair {
    /// A name for addresses.
    pub id: String,
    /// What is weighed against what.
    pub title: String,
    /// Across: work.
    pub x: Axis,
    /// Up: what did not happen.
    pub y: Axis,
}

/// A stage and a metric in it.
type Place = (&'static str, &'static str);

/// The trade-offs of the paper's full-scale run: name, title, and what stands on each axis.
const KNOWN: [(&str, &str, Place, Place); 4] = [
    (
        "authorised-work",
        "Authorised tainted work against security",
        (ACTIVE, names::COMPLETION),
        (SECURITY, names::HARM),
    ),
    ("clean-work", "Clean work against security", (CLEAN, names::CLEAN_COMPLETION), (SECURITY, names::HARM)),
    ("spread", "Authorised tainted work against logged spread", (ACTIVE, names::COMPLETION), (SECURITY, names::SPREAD)),
    ("recovery", "Recovery against violations in memory scenarios", (MEMORY, names::RECOVERY), (MEMORY, names::HARM)),
];

impl Board<'_> {
    /// The trade-offs that the run has numbers for; of a run with other stages, each stage's own.
    #[must_use]
    pub fn axes(&self) -> Vec<AxisPair> {
        let views: Vec<_> = (0..self.run.models.len()).map(|model| self.view(model)).collect();
        let measured = |stage: &str, metric: &str| {
            let policies = || 0..self.run.policies.len();
            let has = |policy| views.iter().any(|v| v.estimate(policy, metric, Scope::Stage(stage)).value.is_some());
            self.run.stages.iter().any(|known| known == stage) && policies().any(has)
        };
        let mut pairs: Vec<AxisPair> = KNOWN
            .iter()
            .filter(|(_, _, x, y)| measured(x.0, x.1) && measured(y.0, y.1))
            .map(|(id, title, x, y)| pair((*id).to_owned(), (*title).to_owned(), *x, *y))
            .collect();
        let has_own = |stage: &str| [SECURITY, ACTIVE, CLEAN, MEMORY].contains(&stage) && !pairs.is_empty();
        let further: Vec<AxisPair> = self
            .run
            .stages
            .iter()
            .filter(|stage| !has_own(stage))
            .map(|stage| (stage, names::completion(stage)))
            .filter(|(stage, work)| measured(stage, work) && measured(stage, names::HARM))
            .map(|(stage, work)| {
                let title = format!("{}: work against violations", names::stage(stage));
                pair(format!("stage-{}", crate::tables::slug(stage)), title, (stage, work), (stage, names::HARM))
            })
            .collect();
        pairs.extend(further);
        pairs
    }
}

fn pair(id: String, title: String, x: (&str, &'static str), y: (&str, &'static str)) -> AxisPair {
    let axis = |(stage, metric): (&str, &'static str), complement: bool| Axis {
        stage: stage.to_owned(),
        metric,
        complement,
        label: format!(
            "{}{}, {} stage",
            if complement { "1 - " } else { "" },
            stage_table::title(metric),
            names::stage(stage)
        ),
    };
    AxisPair { id, title, x: axis(x, false), y: axis(y, true) }
}
