//! Every two policies over the same scenarios and seeds (equation 12), stage by stage.

use super::Board;
use crate::estimate::Estimate;
use crate::names;
use crate::tables::roles::refusal;
use crate::view::{Over, Scope, View};
use serde::Serialize;
use weir_stats::Matched;

/// Two policies on one model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Place of the first policy.
    pub a: usize,
    /// Place of the second.
    pub b: usize,
    /// The model.
    pub model: String,
    /// Comparisons, stage by stage; the first of each is by the stage's primary metric where that applies.
    pub stages: Vec<PairStage>,
    /// Share of the pairs with equal endpoints whose trajectories differ (table 10), over all stages of the run.
    pub divergence: Option<Estimate>,
}

/// Two policies by one metric in one stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PairStage {
    /// The stage.
    pub stage: String,
    /// The metric.
    pub metric: &'static str,
    /// Matched rollouts.
    pub pairs: usize,
    /// Their scenarios.
    pub clusters: usize,
    /// Mean of second less first, with its interval over resampled scenarios.
    pub delta: Estimate,
    /// The 2x2 of a metric that is yes or no.
    pub table: Option<Table2x2>,
    /// Two-sided exact test over discordant scenarios; none without any.
    pub p: Option<f64>,
    /// Of logged spread: the same comparison over the other denominator.
    pub fixed_maximum: Option<FixedMaximum>,
    /// Why nothing may be concluded; none where something may.
    pub refused: Option<String>,
}

/// Matched rollouts by which side has the event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Table2x2 {
    /// Both.
    pub both: usize,
    /// Only the first.
    pub only_a: usize,
    /// Only the second.
    pub only_b: usize,
    /// Neither.
    pub neither: usize,
}

/// Means of spread over the most nodes that any policy reached at a scenario and seed (table 14).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FixedMaximum {
    /// Of the first policy.
    pub a: f64,
    /// Of the second.
    pub b: f64,
    /// Second less first.
    pub delta: f64,
}

/// What two policies are compared by, beside a stage's primary metric and its work.
const METRICS: [&str; 6] =
    [names::HARM, names::RECIPIENT, names::LEAK, names::FP_BLOCK, names::SPREAD, names::REINFECTION];

impl Board<'_> {
    /// Every two policies on every model on which policies are compared.
    #[must_use]
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for model in (0..self.run.models.len()).filter(|model| self.compares(*model)) {
            let view = self.view(model);
            for a in 0..self.run.policies.len() {
                for b in a + 1..self.run.policies.len() {
                    pairs.extend(self.pair(&view, a, b));
                }
            }
        }
        pairs
    }

    fn pair(&self, view: &View, a: usize, b: usize) -> Option<Pair> {
        let names = [self.run.policies.get(a)?.as_str(), self.run.policies.get(b)?.as_str()];
        let stages = self.run.stages.iter().flat_map(|stage| stage_of(view, names, stage)).collect();
        Some(Pair { a, b, model: self.model_name(view.model), stages, divergence: divergence(view, names) })
    }
}

fn stage_of(view: &View, names: [&str; 2], stage: &str) -> Vec<PairStage> {
    let mut metrics: Vec<&'static str> = Vec::new();
    for metric in [names::primary(stage), names::completion(stage)].into_iter().chain(METRICS) {
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics.into_iter().filter_map(|metric| by_metric(view, names, stage, metric)).collect()
}

fn by_metric(view: &View, [a, b]: [&str; 2], stage: &str, metric: &'static str) -> Option<PairStage> {
    let scope = Scope::Stage(stage);
    let matched = view.matched(a, b, metric, scope)?;
    let found = view.compared(&matched, metric)?;
    let pairs = found.pairs as f64;
    let discordant = view.better(metric).and_then(|better| matched.discordant_scenarios(better));
    let delta = Estimate {
        value: Some(found.delta),
        low: found.cluster.map(|interval| interval.low),
        high: found.cluster.map(|interval| interval.high),
        numerator: found.delta * pairs,
        denominator: pairs,
        clusters: found.scenarios,
        counted: false,
    };
    let fixed_maximum = (metric == names::SPREAD)
        .then(|| view.normalised(a, b, scope, Over::FixedMaximum, false))
        .flatten()
        .map(|found| FixedMaximum { a: found.means.0, b: found.means.1, delta: found.means.1 - found.means.0 });
    Some(PairStage {
        stage: stage.to_owned(),
        metric,
        pairs: found.pairs,
        clusters: found.scenarios,
        delta,
        table: names::is_indicator(metric).then(|| table(&matched)),
        p: found.p_value.filter(|_| discordant.is_some_and(|found| found.wins + found.losses > 0)),
        fixed_maximum,
        refused: view.no_comparison([a, b], metric, scope).or_else(|| refusal(view, metric, scope)),
    })
}

fn table(matched: &Matched<usize>) -> Table2x2 {
    let mut table = Table2x2::default();
    for pair in matched.pairs() {
        *match (pair.a > 0.0, pair.b > 0.0) {
            (true, true) => &mut table.both,
            (true, false) => &mut table.only_a,
            (false, true) => &mut table.only_b,
            (false, false) => &mut table.neither,
        } += 1;
    }
    table
}

fn divergence(view: &View, [a, b]: [&str; 2]) -> Option<Estimate> {
    let found = view.diverged(a, b, Scope::Every)?;
    Some(Estimate {
        value: Some(found.share?),
        low: found.interval.map(|interval| interval.low),
        high: found.interval.map(|interval| interval.high),
        numerator: found.trajectory() as f64,
        denominator: found.equal as f64,
        clusters: found.scenarios.iter().filter(|axes| axes.total() > 0).count(),
        counted: true,
    })
}
