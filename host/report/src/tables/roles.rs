//! What each metric can be used for: table 6, computed from this run, and table 23, the definitions.

use crate::collect::{Collected, Metric};
use crate::names::{self, ACTIVE, CLEAN, SECURITY};
use crate::page::Table;
use crate::tables::{four, head};
use crate::view::{Scope, View};
use weir_stats::Better;

/// Table 6's roles.
const PRIMARY: &str = "primary discriminative endpoint";
const SECONDARY: &str = "secondary diagnostic observable";
const SILENT: &str = "instrumented but non-discriminative here";
const PREREQUISITE: &str = "measurement prerequisite";

/// What happens because of a policy and never without one, so that the control's zero is no missing positive control.
const CAUSED_BY_POLICIES: [&str; 9] = [
    names::FP_BLOCK,
    names::FP_CONFIRM,
    "false_positive_block_any",
    "false_positive_blocks",
    "false_positive_confirm_any",
    "false_positive_confirms",
    "confirmation_burden",
    "confirmation_not_committed",
    names::ROLLBACKS,
];

/// Endpoints of table 6's first row, with the stage on which each is one.
const ENDPOINTS: [(&str, &str); 5] = [
    (names::HARM, SECURITY),
    (names::RECIPIENT, SECURITY),
    (names::COMPLETION, ACTIVE),
    (names::FP_BLOCK, ACTIVE),
    (names::CLEAN_COMPLETION, CLEAN),
];

/// Where the events of a metric that has none here can be had.
const CONTROLS: [(&str, &str); 3] = [
    (names::LEAK, "control-leak"),
    (names::REINFECTION, "control-reinfection"),
    (names::ROLLBACKS, "control-rollback"),
];

/// Why no comparison may be worded by a metric over a scope of this run; none where one may. Every table and figure that
/// would call one policy higher, lower or tied asks this first.
pub(crate) fn refusal(view: &View, metric: &str, scope: Scope) -> Option<String> {
    let standing = Standing::of(view, metric, scope);
    (!standing.has_positive_control()).then(|| standing.without_control(metric))
}

/// What a run says about one metric.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The control's mean; none where the metric applies nowhere.
    control: Option<f64>,
    /// Rollouts of the control to which it applies.
    applies: f64,
    /// Least and greatest mean of any policy.
    range: Option<(f64, f64)>,
    /// What happens because of a policy, or is work done: an event under any policy shows that there can be one.
    under_any: bool,
}

impl Standing {
    fn of(view: &View, metric: &str, scope: Scope) -> Self {
        let control = view.run.policy(names::NONE).unwrap_or(0);
        let known = (0..view.run.policies.len()).filter(|policy| view.uncredited(*policy, metric, scope).is_none());
        let means = known.filter_map(|policy| view.estimate(policy, metric, scope).value);
        let estimate = view.estimate(control, metric, scope);
        Standing {
            control: estimate.value,
            applies: estimate.denominator,
            under_any: CAUSED_BY_POLICIES.contains(&metric) || view.better(metric) == Some(Better::Higher),
            range: means.fold(None, |range, mean| {
                let (low, high) = range.unwrap_or((mean, mean));
                Some((f64::min(low, mean), f64::max(high, mean)))
            }),
        }
    }

    /// An event of what a policy may prevent must occur under the control; of work, or of what only policies cause, under
    /// any policy (table 6: no-defence or benign positive controls).
    fn has_positive_control(&self) -> bool {
        let greatest = self.range.map_or(0.0, |(_, high)| high);
        if self.under_any { greatest > 0.0 } else { self.control.is_some_and(|mean| mean > 0.0) }
    }

    fn without_control(&self, metric: &str) -> String {
        let whose = if self.under_any {
            "under any policy, so that nothing shows that there can be one".to_owned()
        } else {
            format!("in {:.0} rollouts of the control, so that a policy's zero says nothing", self.applies)
        };
        let hint = CONTROLS.iter().find(|(known, _)| *known == metric);
        let hint = hint.map(|(_, stage)| format!(" `weir run controls` has one, stage {stage}.")).unwrap_or_default();
        format!("No policy is compared by {metric}: there is no positive control, 0 events {whose}.{hint}")
    }

    fn is_tied(&self) -> bool {
        self.range.is_none_or(|(low, high)| low == high)
    }

    /// Why policies may not be compared by the metric; none where they may.
    fn refusal(&self, metric: &str) -> Option<String> {
        let name = metric;
        if self.control.is_none() {
            return Some(format!("{name} applies to no rollout of this run."));
        }
        if !self.has_positive_control() {
            return Some(self.without_control(metric));
        }
        self.is_tied().then(|| format!("No policy is compared by {name}: all are tied at {}.", four(self.control)))
    }
}

fn role(metric: &str, family: &str, standing: &Standing) -> &'static str {
    if family == "validity" {
        PREREQUISITE
    } else if standing.refusal(metric).is_some() {
        SILENT
    } else if ENDPOINTS.iter().any(|(known, _)| *known == metric) {
        PRIMARY
    } else {
        SECONDARY
    }
}

/// The metrics of a run; those about memory writers only where it has any.
pub(crate) fn shown(run: &Collected) -> impl Iterator<Item = &Metric> {
    let applies = |column: usize, metric: &Metric| !names::needs_writers(&metric.name) || run.bounds(column).is_some();
    run.metrics.iter().enumerate().filter(move |(column, metric)| applies(*column, metric)).map(|(_, metric)| metric)
}

/// Table 6: role, control and interpretation of every metric of the run.
pub(crate) fn table_6(view: &View) -> Table {
    let mut rows = Vec::new();
    for metric in shown(view.run) {
        let stage = ENDPOINTS.iter().find(|(known, _)| *known == metric.name).map(|(_, stage)| Scope::Stage(stage));
        let scope = stage.filter(|scope| view.covers(*scope)).unwrap_or(Scope::Every);
        let standing = Standing::of(view, &metric.name, scope);
        let role = role(&metric.name, &metric.family, &standing);
        rows.push(vec![
            metric.name.clone(),
            role.to_owned(),
            scope.printed().to_owned(),
            format!("{}  n={:.0}", four(standing.control), standing.applies),
            standing
                .range
                .map_or_else(|| "N/A".into(), |(low, high)| format!("{} to {}", four(Some(low)), four(Some(high)))),
            standing.refusal(&metric.name).filter(|_| role != PREREQUISITE).unwrap_or_else(|| match role {
                PREREQUISITE => "Read before the model's tool behaviour is interpreted.".to_owned(),
                SECONDARY => "Compare within a stage, and under both denominators where it is a spread.".to_owned(),
                _ => "Compare on its stage, with its interval.".to_owned(),
            }),
        ]);
    }
    Table {
        id: "table-6".into(),
        title: format!("Table 6: what each metric can be used for, {}", view.model_name()),
        head: head(&["Metric", "Role", "Scope", "Control", "Policies", "Interpretation"]),
        rows,
        notes: vec!["Roles follow from this run: a metric whose control has no event, or by which all policies are tied, is no ground for a comparison. What only policies cause, such as a false positive, and work done, need an event under any of them.".into()],
    }
}

/// Table 23, as the reducers define their metrics.
pub(crate) fn table_23(run: &Collected) -> Table {
    let better = |better: &str| match better {
        "more" => "Higher",
        "less" => "Lower",
        _ => "neither",
    };
    let rows = shown(run).map(|metric| {
        let stages = if metric.stages.is_empty() { "all".to_owned() } else { metric.stages.join(", ") };
        vec![
            metric.name.clone(),
            metric.family.clone(),
            metric.description.clone(),
            better(&metric.better).to_owned(),
            stages,
        ]
    });
    Table {
        id: "table-23".into(),
        title: "Table 23: metric definitions".into(),
        head: head(&["Metric", "Family", "Definition", "Better", "Stages"]),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
