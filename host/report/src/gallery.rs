//! The report's figures: numbers of the run put into the forms that `figures` draws, and figures of traces.

use crate::collect::Collected;
use crate::figures::{self, Bars, Curve, CurvePanel, Curves, Panel, Panels, Parting, Point, Scatter, Value};
use crate::names::{self, ACTIVE, MEMORY, NONE, TOOL_BOUNDARY, V2};
use crate::page::{Block, Figure, Section};
use crate::tables::ledger_errors::kinds;
use crate::tables::roles::refusal;
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

/// The same, for a figure of one endpoint: with the words that it ranks nobody where it has no positive control.
fn scope_of(view: &View, what: &str, metric: &str, over: Scope) -> String {
    let silent = refusal(view, metric, over).map(|why| format!(". {}", why.trim_end_matches('.'))).unwrap_or_default();
    format!("{}{silent}", scope(view, what))
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
    Some(figures::bars(&Bars {
        scope: scope_of(view, names::stage(ACTIVE), names::COMPLETION, Scope::Stage(ACTIVE)),
        bars,
    }))
}

fn figure_4(view: &View) -> Option<Figure> {
    let violation = readings(view, names::HARM, Scope::All)?;
    let spread = readings(view, names::SPREAD, Scope::All)?;
    let point = |((policy, violation), (_, spread))| Point { policy, violation, spread };
    let points = violation.into_iter().zip(spread).map(point).collect();
    Some(figures::scatter(&Scatter { scope: scope_of(view, "All stages", names::HARM, Scope::All), points }))
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
    let first = rows.first().and_then(|(_, value)| value.value);
    let occurs = rows.iter().any(|(_, value)| value.value.is_some_and(|v| v > 0.0));
    let better = if metric == names::ROLLBACKS {
        // Only policies repair, so that the control's zero is no missing event.
        if occurs { "neither direction is better" } else { "no event under any policy" }
    } else if refusal(view, metric, over).is_some() {
        "not discriminative: no positive control"
    } else if rows.len() > 1 && rows.iter().all(|(_, value)| value.value == first) {
        "tied: it ranks nobody"
    } else {
        match view.better(metric) {
            Some(weir_stats::Better::Higher) => "higher is better",
            Some(weir_stats::Better::Lower) => "lower is better",
            None => "neither direction is better",
        }
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
            caption: "Three observables that do not make one scale: endpoint, work, and a spread that depends on stage and denominator (table 14). Whether a difference is more than chance is in table 25.".into(),
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
            caption: "A panel without events shows that the field is measured and ranks nobody; the suite `controls` has positive controls. Whether a difference is more than chance is in table 25.".into(),
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
        for (metric, over, words) in [
            (names::COMPLETION, Scope::Stage(ACTIVE), "completion (higher is better)"),
            // An address that the ledger confuses does its harm in benign work, so no stage is left out.
            (names::HARM, Scope::Every, "violation, all (lower is better)"),
        ] {
            let silent = views.first().is_some_and(|(_, view)| refusal(view, metric, over).is_some());
            let words = words.split_once(" (").filter(|_| silent).map_or_else(
                || words.to_owned(),
                |(what, _)| format!("{what} (not discriminative: no positive control)"),
            );
            let curves: Vec<Curve> = (0..run.policies.len())
                .filter_map(|policy| {
                    let point = |(rate, view): &(f64, View)| {
                        view.covers(over).then(|| (*rate, value(view, policy, metric, over)))
                    };
                    let points: Vec<(f64, Value)> = views.iter().filter_map(point).collect();
                    let name = names::policy(run.policies.get(policy)?).to_owned();
                    (!points.is_empty()).then_some(Curve { policy: name, points })
                })
                .collect();
            if !curves.is_empty() {
                panels.push(CurvePanel { kind: kind.clone(), metric: words.clone(), curves });
            }
        }
        if let Some((_, view)) = views.first() {
            about = scope(view, "Completion in the active-tainted stage, violation in all stages");
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
