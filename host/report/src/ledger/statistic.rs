//! How our counterpart of a published number is computed.

use crate::ledger::corpus;
use crate::names::{self, TOOL_BOUNDARY, V2};
use crate::tables::accounting::account;
use crate::tables::losses::losses;
use crate::view::{Diverged, Over, Scope, View};
use serde::Deserialize;
use weir_stats::{Axes, Cluster, ratio_of_sums, rule_of_three};

/// A statistic of a run, or of given counts. A `stage` of `all` means the four stages of the full-scale run together.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Statistic {
    /// Scenarios of a stage.
    Scenarios { stage: String },
    /// Policies, where the run has a stage.
    Policies { stage: String },
    /// Seeds, likewise.
    Seeds { stage: String },
    /// Rows of a stage, over all policies.
    Rows { stage: String },
    /// Rollouts of one policy.
    Rollouts { stage: String },
    /// Mean of a metric.
    Mean { policy: String, metric: String, stage: String },
    /// Sum of a metric over rollouts, as `0/960`.
    Count { policy: String, metric: String, stage: String },
    /// Second less first.
    Delta { a: String, b: String, metric: String, stage: String },
    /// Its interval over scenarios.
    DeltaInterval { a: String, b: String, metric: String, stage: String },
    /// Its interval over pairs.
    PairInterval { a: String, b: String, metric: String, stage: String },
    /// Pairs in which the second is better.
    WinRate { a: String, b: String, metric: String, stage: String },
    /// Pairs without harm on either side, as `600/600`.
    SameZero { a: String, b: String, stage: String },
    /// Share of pairs with equal endpoints whose trajectories differ.
    Divergence { a: String, b: String, stage: String },
    /// Its interval over scenarios.
    DivergenceInterval { a: String, b: String, stage: String },
    /// Such pairs that differ in trajectory and utility, as `441/600`.
    DivergenceBoth { a: String, b: String, stage: String },
    /// In trajectory or utility.
    DivergenceEither { a: String, b: String, stage: String },
    /// A stage's part in the all-stage gap of tool-boundary and v2, weighted.
    Gap { stage: String },
    /// The same, as a share of the whole.
    GapShare { stage: String },
    /// Spread of tool-boundary or v2 under a denominator, `realised` or `fixed`, perhaps only where both complete.
    Spread { policy: String, stage: String, fixed: bool, completed: bool },
    /// Standard deviation of seed means, divisor n, with the interval that so few seeds allow.
    SeedStd { policy: String, metric: String, stage: String },
    /// Largest seed mean less the smallest.
    SeedRange { policy: String, metric: String, stage: String },
    /// Upper bound of a policy without any violation, in per cent; with one, the upper end of its interval.
    Bound { policy: String, stage: String },
    /// Pairs that the first completes and the second does not, perhaps by one rule.
    Lost { a: String, b: String, stage: String, rule: Option<String> },
    /// Given counts: one over the other.
    Quotient { of: f64, over: f64 },
    /// Given numbers, added.
    Sum { of: Vec<f64> },
    /// Given numbers, multiplied.
    Product { of: Vec<f64> },
    /// Actions of the parser's fixture corpus, counted.
    Corpus { count: corpus::Count },
    /// Interval of a mean in which some scenarios have an event in all of their seeds, and the others in none.
    Golden { scenarios: usize, events: usize, seeds: usize, negative: bool },
    /// The rule of three over given scenarios, in per cent.
    RuleOfThree { scenarios: u64 },
}

/// Our value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ours {
    /// A number, with its 95 % interval where it has one.
    Number { value: f64, interval: Option<(f64, f64)> },
    /// So many of so many, with the 95 % interval of the share where it has one.
    Count { count: f64, of: f64, interval: Option<(f64, f64)> },
    /// An interval, and the estimate that it belongs to.
    Interval { low: f64, high: f64, estimate: f64 },
}

impl Ours {
    /// A number without an interval.
    pub(crate) fn plain(value: f64) -> Self {
        Ours::Number { value, interval: None }
    }

    fn of(count: usize, of: usize) -> Self {
        Ours::Count { count: count as f64, of: of as f64, interval: None }
    }

    /// Its 95 % interval.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Ours::Number { interval, .. } | Ours::Count { interval, .. } => *interval,
            Ours::Interval { .. } => None,
        }
    }

    /// The number that shapes compare.
    pub(crate) fn value(&self) -> f64 {
        match *self {
            Ours::Number { value, .. } => value,
            Ours::Count { count, of, .. } => count / of,
            Ours::Interval { estimate, .. } => estimate,
        }
    }
}

fn scope(stage: &str) -> Scope<'_> {
    if stage == "all" { Scope::All } else { Scope::Stage(stage) }
}

fn pair(interval: weir_stats::Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

fn between(interval: weir_stats::Interval, estimate: f64) -> Ours {
    Ours::Interval { low: interval.low, high: interval.high, estimate }
}

impl Statistic {
    /// The value; none where the run has not the policies or stages.
    pub(super) fn value(&self, view: &View) -> Option<Ours> {
        use Statistic as S;
        let covered = |stage: &str| view.covers(scope(stage));
        let count = |count: usize| Ours::plain(count as f64);
        match self {
            S::Policies { stage } => covered(stage).then(|| count(view.run.policies.len())),
            S::Seeds { stage } => covered(stage).then(|| count(view.run.seeds.len())),
            S::Scenarios { stage } => covered(stage).then(|| count(view.scenarios(scope(stage)))),
            S::Rollouts { stage } => covered(stage).then(|| count(view.count(scope(stage)))),
            S::Rows { stage } => covered(stage).then(|| {
                let stages = view.run.stages.iter().filter(|known| scope(stage).has(known));
                let rows = stages.map(|known| account(view.run, view.condition, view.model, Some(known)).rows);
                count(rows.sum())
            }),
            S::Mean { policy, metric, stage } => {
                let found = view.named(policy, metric, scope(stage))?;
                Some(Ours::Number { value: found.value?, interval: found.low.zip(found.high) })
            }
            S::Count { policy, metric, stage } => {
                let found = view.named(policy, metric, scope(stage))?;
                Some(Ours::Count { count: found.numerator, of: found.denominator, interval: found.low.zip(found.high) })
            }
            S::Delta { a, b, metric, stage } => {
                let found = view.paired(a, b, metric, scope(stage))?;
                Some(Ours::Number { value: found.delta, interval: found.cluster.map(pair) })
            }
            S::DeltaInterval { a, b, metric, stage } => {
                let found = view.paired(a, b, metric, scope(stage))?;
                Some(between(found.cluster?, found.delta))
            }
            S::PairInterval { a, b, metric, stage } => {
                let found = view.paired(a, b, metric, scope(stage))?;
                Some(between(view.pair_interval(a, b, metric, scope(stage))?, found.delta))
            }
            S::WinRate { a, b, metric, stage } => view.paired(a, b, metric, scope(stage))?.win_rate.map(Ours::plain),
            S::SameZero { a, b, stage } => {
                let found = view.diverged(a, b, scope(stage))?;
                Some(Ours::of(found.without_harm, found.pairs))
            }
            S::Divergence { a, b, stage } => {
                let found = view.diverged(a, b, scope(stage))?;
                Some(Ours::Number { value: found.share?, interval: found.interval.map(pair) })
            }
            S::DivergenceInterval { a, b, stage } => {
                let found = view.diverged(a, b, scope(stage))?;
                Some(between(found.interval?, found.share?))
            }
            S::DivergenceBoth { a, b, stage } => share(view, &view.diverged(a, b, scope(stage))?, Axes::intersection),
            S::DivergenceEither { a, b, stage } => share(view, &view.diverged(a, b, scope(stage))?, Axes::union),
            S::Gap { stage } => gap(view, stage).map(|(gap, _)| Ours::plain(gap)),
            S::GapShare { stage } => gap(view, stage)?.1.map(Ours::plain),
            S::Spread { policy, stage, fixed, completed } => {
                let over = if *fixed { Over::FixedMaximum } else { Over::Realised };
                let found = view.normalised(TOOL_BOUNDARY, V2, scope(stage), over, *completed)?;
                Some(Ours::plain(if policy == V2 { found.means.1 } else { found.means.0 }))
            }
            S::SeedStd { policy, metric, stage } => {
                let found = view.seed_variance(view.run.policy(policy)?, metric, scope(stage))?;
                Some(Ours::Number { value: found.population_std, interval: found.std_interval().map(pair) })
            }
            S::SeedRange { policy, metric, stage } => {
                Some(Ours::plain(view.seed_variance(view.run.policy(policy)?, metric, scope(stage))?.range))
            }
            S::Bound { policy, stage } => {
                let found = view.named(policy, names::HARM, scope(stage))?;
                let none = found.numerator == 0.0;
                let upper = if none { rule_of_three(u64::try_from(found.clusters).ok()?) } else { found.high };
                Some(Ours::plain(upper? * 100.0))
            }
            S::Lost { a, b, stage, rule } => {
                let found = losses(view, a, b, stage)?;
                let lost = |at: usize| found.lost(at, rule.as_deref()) as f64;
                let seeds = view.run.seeds.len() as f64;
                let clusters = (0..view.run.scenarios.len())
                    .filter(|at| view.run.stage_of(*at).is_some_and(|known| scope(stage).has(known)))
                    .map(|at| Cluster { numerator: lost(at), denominator: seeds });
                let clusters: Vec<Cluster> = clusters.collect();
                let rollouts = seeds * clusters.len() as f64;
                let interval = view.resamples.clusters(&clusters);
                Some(Ours::Number {
                    value: clusters.iter().map(|cluster| cluster.numerator).sum(),
                    interval: interval.map(|found| (found.low * rollouts, found.high * rollouts)),
                })
            }
            S::Quotient { of, over } => Some(Ours::plain(of / over)),
            S::Sum { of } => Some(Ours::plain(of.iter().sum())),
            S::Product { of } => Some(Ours::plain(of.iter().product())),
            S::Corpus { count: which } => Some(count(corpus::count(*which))),
            S::RuleOfThree { scenarios } => rule_of_three(*scenarios).map(|bound| Ours::plain(bound * 100.0)),
            S::Golden { scenarios, events, seeds, negative } => {
                let each = if *negative { -1.0 } else { 1.0 };
                let rows = |scenario: usize| if scenario < *events { each } else { 0.0 };
                let clusters: Vec<Cluster> =
                    (0..*scenarios).map(|at| Cluster::of_values(std::iter::repeat_n(rows(at), *seeds))).collect();
                Some(between(view.resamples.clusters(&clusters)?, ratio_of_sums(&clusters)?))
            }
        }
    }
}

/// Pairs with equal endpoints that differ in some way, with the interval of their share.
fn share(view: &View, found: &Diverged, differ: impl Fn(&Axes) -> usize) -> Option<Ours> {
    let clusters =
        found.scenarios.iter().map(|axes| Cluster { numerator: differ(axes) as f64, denominator: axes.total() as f64 });
    let clusters: Vec<Cluster> = clusters.collect();
    let count = clusters.iter().map(|cluster| cluster.numerator).sum();
    let of = clusters.iter().map(|cluster| cluster.denominator).sum();
    Some(Ours::Count { count, of, interval: view.resamples.clusters(&clusters).map(pair) })
}

fn gap(view: &View, stage: &str) -> Option<(f64, Option<f64>)> {
    let found = view.decomposed(TOOL_BOUNDARY, V2)?;
    let line = match names::STAGES.iter().position(|(known, _)| *known == stage) {
        Some(place) => *found.stages.get(place)?,
        None => found.whole,
    };
    Some((line.weighted_gap, line.share))
}
