//! One stage, domain and model: an estimate for each metric and policy, and who may stand where.

use super::Board;
use crate::estimate::Estimate;
use crate::names;
use crate::stage_table::is_silent;
use crate::tables::roles::{refusal, shown};
use crate::view::{Scope, View};
use serde::Serialize;
use std::collections::BTreeMap;
use weir_stats::{Cluster, RankRange, rank_ranges};

/// An estimate, with what it is not credited with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Credited {
    /// The estimate.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Cases in which the policy failed, of a metric whose low values are read as safety: see [`Estimate::credited`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<usize>,
}

/// One stage, domain and model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// The stage.
    pub stage: String,
    /// The domain; none for all together.
    pub domain: Option<String>,
    /// The model.
    pub model: String,
    /// For each metric that applies to any policy here, an estimate for each policy in the order of the run.
    pub metrics: BTreeMap<String, Vec<Credited>>,
    /// Best and worst rank of each policy by the stage's primary metric, over resampled scenarios; none where the metric
    /// has no positive control, and for a policy that failed where failing would look like safety.
    pub ranks: Vec<Option<[usize; 2]>>,
    /// Metrics about events that the control does not have here.
    pub not_discriminative: Vec<String>,
}

impl Board<'_> {
    /// Every model's cells: stage by stage, all domains together first.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let domains = self.domains();
        let mut cells = Vec::new();
        for model in 0..self.run.models.len() {
            let view = self.view(model);
            for stage in &self.run.stages {
                cells.push(self.cell(&view, stage, None));
                // One domain alone is all of them.
                for domain in domains.iter().filter(|_| domains.len() > 1) {
                    let scope = Scope::Part { stage, domain };
                    if view.scenarios(scope) > 0 {
                        cells.push(self.cell(&view, stage, Some(domain)));
                    }
                }
            }
        }
        cells
    }

    fn cell(&self, view: &View, stage: &str, domain: Option<&str>) -> Cell {
        let scope = domain.map_or(Scope::Stage(stage), |domain| Scope::Part { stage, domain });
        let policies = || 0..self.run.policies.len();
        let (mut metrics, mut silent) = (BTreeMap::new(), Vec::new());
        for metric in shown(self.run) {
            let name = metric.name.as_str();
            let credited = |policy| Credited {
                estimate: view.estimate(policy, name, scope),
                faults: view.uncredited(policy, name, scope),
            };
            let row: Vec<Credited> = policies().map(credited).collect();
            if row.iter().all(|one| one.estimate.value.is_none()) {
                continue;
            }
            if is_silent(view, name, scope) {
                silent.push(name.to_owned());
            }
            metrics.insert(name.to_owned(), row);
        }
        let mut ranks = vec![None; self.run.policies.len()];
        if self.compares(view.model) {
            for (policy, range) in ranked(view, names::primary(stage), scope).unwrap_or_default() {
                if let Some(rank) = ranks.get_mut(policy) {
                    *rank = Some([range.best, range.worst]);
                }
            }
        }
        Cell {
            stage: stage.to_owned(),
            domain: domain.map(str::to_owned),
            model: self.model_name(view.model),
            metrics,
            ranks,
            not_discriminative: silent,
        }
    }
}

/// Ranks of those policies that may be ranked by a metric.
fn ranked(view: &View, metric: &str, scope: Scope) -> Option<Vec<(usize, RankRange)>> {
    let column = view.run.metric(metric)?;
    let better = view.better(metric)?;
    if refusal(view, metric, scope).is_some() {
        return None;
    }
    let policies: Vec<usize> =
        (0..view.run.policies.len()).filter(|policy| view.uncredited(*policy, metric, scope).is_none()).collect();
    let clusters: Vec<Vec<Cluster>> = policies.iter().map(|policy| view.clusters(*policy, column, scope)).collect();
    let ranges = rank_ranges(view.resamples, &clusters, better)?;
    Some(policies.into_iter().zip(ranges).collect())
}
