//! The report's figures: numbers of the run put into the forms that `figures` draws, and figures of traces.

use crate::collect::Collected;
use crate::figures::{self, Bars, Curve, CurvePanel, Curves, Panel, Panels, Parting, Point, Scatter, Value};
use crate::names::{self, ACTIVE, MEMORY, NONE, SECURITY, TOOL_BOUNDARY, V2};
use crate::page::{Block, Figure, Section};
use crate::tables::ledger_errors::kinds;
use crate::view::{Scope, View};
use weir_stats::Resamples;
use weir_trace::Trace;

/// A section's identifier, and a figure that ends it.
type Placed = (&'static str, Figure);

/// The figures of one model under the correct ledger, each with the section that it belongs to.
pub(crate) fn of_view(view: &View) -> Vec<Placed> {
    let everything = [
        ("finding-1", figure_3(view)),
        ("finding-3", figure_4(view)),
        ("finding-3", figure_5(view)),
        ("memory", figure_6(view)),
        ("controls", controls(view)),
    ];
    everything.into_iter().filter_map(|(section, figure)| Some((section, figure?))).collect()
}

fn scope(view: &View, what: &str) -> String {
    format!("{what}, {}", view.model_name())
}

/// A policy's reading; N/A where it failed and the metric would make safety of that.
fn value(view: &View, policy: usize, metric: &str, scope: Scope) -> Value {
    if view.uncredited(policy, metric, scope).is_some() {
        return Value::default();
    }
    Value::from(&view.estimate(policy, metric, scope))
}

/// Each policy's reading; none where the metric applies to no policy.
fn readings(view: &View, metric: &str, scope: Scope) -> Option<Vec<(String, Value)>> {
    if !view.covers(scope) {
        return None;
    }
    let read = |(at, name): (usize, &String)| (names::policy(name).to_owned(), value(view, at, metric, scope));
    let all: Vec<(String, Value)> = view.run.policies.iter().enumerate().map(read).collect();
    all.iter().any(|(_, value)| value.value.is_some()).then_some(all)
}

fn figure_3(view: &View) -> Option<Figure> {
    let bars = readings(view, names::COMPLETION, Scope::Stage(ACTIVE))?;
    Some(figures::bars(&Bars { scope: scope(view, names::stage(ACTIVE)), bars }))
}

fn figure_4(view: &View) -> Option<Figure> {
    let violation = readings(view, names::HARM, Scope::All)?;
    let spread = readings(view, names::SPREAD, Scope::All)?;
    let point = |((policy, violation), (_, spread))| Point { policy, violation, spread };
    let points = violation.into_iter().zip(spread).map(point).collect();
    Some(figures::scatter(&Scatter { scope: scope(view, "All stages"), points }))
}

/// A panel of those policies that are asked for; none where one of them is missing.
fn panel(view: &View, title: &str, metric: &str, over: Scope, only: Option<&[&str]>) -> Option<Panel> {
    let mut rows = readings(view, metric, over)?;
    if let Some(only) = only {
        let wanted: Vec<&str> = only.iter().map(|name| names::policy(name)).collect();
        rows.retain(|(name, _)| wanted.contains(&name.as_str()));
        if rows.len() < wanted.len() {
            return None;
        }
    }
    let better = match view.better(metric) {
        // Only policies repair, so that the control's zero is no missing event.
        _ if metric == names::ROLLBACKS => match rows.iter().any(|(_, value)| value.value.is_some_and(|v| v > 0.0)) {
            true => "neither direction is better",
            false => "no event under any policy",
        },
        _ if only.is_none() && !view.control_has_events(metric, over) && metric != names::SPREAD => {
            "not discriminative: no event without a defence"
        }
        Some(weir_stats::Better::Higher) => "higher is better",
        Some(weir_stats::Better::Lower) => "lower is better",
        None => "neither direction is better",
    };
    Some(Panel { title: format!("{title}, {}", over.printed()), note: better.into(), rows, control: None })
}

fn figure_5(view: &View) -> Option<Figure> {
    let both: Option<&[&str]> = Some(&[TOOL_BOUNDARY, V2]);
    let panels: Vec<Panel> = [
        panel(view, "Committed violation", names::HARM, Scope::All, both),
        panel(view, "Authorised completion", names::COMPLETION, Scope::Stage(ACTIVE), both),
        panel(view, "Logged spread", names::SPREAD, Scope::All, both),
    ]
    .into_iter()
    .flatten()
    .collect();
    (panels.len() == 3).then(|| {
        figures::panels(&Panels {
            id: "figure-5".into(),
            title: "Tool boundary against intent ledger: endpoint, utility, spread".into(),
            scope: scope(view, "Full-scale run"),
            caption: "Three observables that do not make one scale: equal endpoints, unequal work, and a spread that depends on stage and denominator (table 14).".into(),
            panels,
        })
    })
}

fn figure_6(view: &View) -> Option<Figure> {
    let over = Scope::Stage(MEMORY);
    let panels: Vec<Panel> = [
        panel(view, "Reinfection", names::REINFECTION, over, None),
        panel(view, "Recovery", names::RECOVERY, over, None),
        panel(view, "Repairs asked by the policy", names::ROLLBACKS, over, None),
        panel(view, "Logged spread", names::SPREAD, over, None),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!panels.is_empty()).then(|| {
        figures::panels(&Panels {
            id: "figure-6".into(),
            title: "Memory and recovery, by policy".into(),
            scope: scope(view, names::stage(MEMORY)),
            caption: "Where nothing comes back and recovery is tied, the field shows that it is measured and ranks nobody; the positive controls do (suite `controls`).".into(),
            panels,
        })
    })
}

fn controls(view: &View) -> Option<Figure> {
    let panels: Vec<Panel> = [
        ("Secret leakage", names::LEAK, "control-leak"),
        ("Memory reinfection", names::REINFECTION, "control-reinfection"),
        ("Recovery by rollback", names::RECOVERY, "control-rollback"),
    ]
    .into_iter()
    .filter_map(|(title, metric, stage)| {
        let control = Some(names::policy(NONE).to_owned());
        Some(Panel { control, ..panel(view, title, metric, Scope::Stage(stage), None)? })
    })
    .collect();
    (!panels.is_empty()).then(|| {
        figures::panels(&Panels {
            id: "controls-separation".into(),
            title: "Positive controls: what separates the policies".into(),
            scope: scope(view, "Control stages"),
            caption: "The band is the interval without a defence. A policy outside it differs; a control whose policies all lie within it would tell nobody apart.".into(),
            panels,
        })
    })
}

/// The curves of ledger errors; none where the run has none.
pub(crate) fn errors(run: &Collected, model: usize, resamples: &Resamples) -> Option<Figure> {
    let mut panels = Vec::new();
    let mut about = String::new();
    for (kind, rates) in kinds(run) {
        let views: Vec<(f64, View)> = rates
            .iter()
            .filter_map(|(condition, rate)| Some((rate.parse().ok()?, View::new(run, *condition, model, resamples))))
            .collect();
        for (metric, stage, words) in [
            (names::COMPLETION, ACTIVE, "authorised completion (higher is better)"),
            (names::HARM, SECURITY, "policy violation, security stage (lower is better)"),
        ] {
            let curves: Vec<Curve> = (0..run.policies.len())
                .filter_map(|policy| {
                    let point = |(rate, view): &(f64, View)| {
                        view.covers(Scope::Stage(stage))
                            .then(|| (*rate, value(view, policy, metric, Scope::Stage(stage))))
                    };
                    let points: Vec<(f64, Value)> = views.iter().filter_map(point).collect();
                    let name = names::policy(run.policies.get(policy)?).to_owned();
                    (!points.is_empty()).then_some(Curve { policy: name, points })
                })
                .collect();
            if !curves.is_empty() {
                panels.push(CurvePanel { kind: kind.clone(), metric: words.into(), curves });
            }
        }
        if let Some((_, view)) = views.first() {
            about = scope(view, "Security and active-tainted stages");
        }
    }
    (!panels.is_empty()).then(|| figures::curves(&Curves { scope: about, panels }))
}

/// Figures 1 and 2, from traces of the run.
pub(crate) fn of_traces(graph: Option<&Trace>, repair: Option<(&Trace, &Trace)>) -> Option<Section> {
    let first = graph.map(|trace| Block::Figure(figures::graph(trace)));
    let second = repair.map(|(left, right)| Block::Figure(figures::parting(Parting { left, right })));
    let blocks: Vec<Block> = first.into_iter().chain(second).collect();
    (!blocks.is_empty()).then(|| Section {
        id: "figures-of-traces".into(),
        title: "Taint and intent in single rollouts".into(),
        blocks,
    })
}
