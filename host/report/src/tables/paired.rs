//! Tables 12 and 25: paired comparisons over the same scenarios and seeds (equation 12).

use crate::names::{self, ACTIVE, CLEAN, MEMORY, NONE, ROLLBACK, SECURITY, TOOL_BOUNDARY, V1, V2};
use crate::page::Table;
use crate::tables::roles::refusal;
use crate::tables::{NOT_APPLICABLE, four, head, interval};
use crate::view::{Paired, Scope, View};
use weir_stats::{four_decimals, rule_of_three, zero_event_bound};

/// Comparisons of table 12, in its order.
const CLAIMS: [(&str, &str, &str, &str, Scope<'static>); 5] = [
    (V1, V2, names::COMPLETION, "Authorized completion", Scope::Stage(ACTIVE)),
    (TOOL_BOUNDARY, V2, names::COMPLETION, "Authorized completion", Scope::Stage(ACTIVE)),
    (TOOL_BOUNDARY, V2, names::SPREAD, "Logged spread", Scope::All),
    (TOOL_BOUNDARY, V2, names::SPREAD, "Logged spread", Scope::Stage(SECURITY)),
    (TOOL_BOUNDARY, V2, names::CLEAN_COMPLETION, "Clean completion", Scope::Stage(CLEAN)),
];

/// Metrics and scopes of table 25, each of them for each pair of policies.
const METRICS: [(&str, &str, Scope<'static>); 14] = [
    (names::HARM, "Committed policy violation", Scope::All),
    (names::HARM, "Committed policy violation", Scope::Stage(SECURITY)),
    (names::HARM, "Committed policy violation", Scope::Stage(ACTIVE)),
    (names::RECIPIENT, "Wrong recipient", Scope::Stage(SECURITY)),
    (names::LEAK, "Secret leakage", Scope::Stage(SECURITY)),
    (names::COMPLETION, "Authorized completion", Scope::Stage(ACTIVE)),
    (names::FP_BLOCK, "False-positive block", Scope::Stage(ACTIVE)),
    (names::CLEAN_COMPLETION, "Clean utility", Scope::Stage(CLEAN)),
    (names::SPREAD, "Logged taint spread", Scope::All),
    (names::SPREAD, "Logged taint spread", Scope::Stage(SECURITY)),
    (names::SPREAD, "Logged taint spread", Scope::Stage(ACTIVE)),
    (names::SPREAD, "Logged taint spread", Scope::Stage(MEMORY)),
    (names::RECOVERY, "Recovery success", Scope::Stage(MEMORY)),
    (names::REINFECTION, "Memory reinfection", Scope::Stage(MEMORY)),
];

/// The pairs of policies, and every policy of somebody else's against the control, the boundary and the ledger.
fn pairs(view: &View) -> Vec<(String, String)> {
    let published = [(NONE, TOOL_BOUNDARY), (V1, V2), (TOOL_BOUNDARY, V2), (V2, ROLLBACK)];
    let mut all: Vec<(String, String)> = published.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    for further in view.run.policies.iter().filter(|policy| !names::is_published(policy)) {
        all.extend([NONE, TOOL_BOUNDARY, V2].map(|known| (known.to_owned(), further.clone())));
    }
    all
}

fn reading(view: &View, [a, b]: [&str; 2], metric: &str, scope: Scope, found: &Paired) -> String {
    if let Some(refused) = view.no_comparison([a, b], metric, scope) {
        return refused;
    }
    if refusal(view, metric, scope).is_some() {
        return "not discriminative: no positive control".into();
    }
    if found.is_tie() {
        return "tie".into();
    }
    let more = if found.delta > 0.0 { "higher" } else { "lower" };
    format!("{} {more}", names::policy(b))
}

/// Table 12.
pub(crate) fn table_12(view: &View) -> Option<Table> {
    let mut rows = Vec::new();
    for (a, b, metric, printed, scope) in CLAIMS {
        let Some(found) = view.paired(a, b, metric, scope) else { continue };
        rows.push(vec![
            format!("{} vs {}", names::policy(a), names::policy(b)),
            printed.to_owned(),
            format!("{} / {}", scope.printed(), found.pairs),
            four_decimals(found.means.0),
            four_decimals(found.means.1),
            four_decimals(found.delta),
            interval(found.cluster),
            reading(view, [a, b], metric, scope, &found),
        ]);
    }
    for scope in [Scope::All, Scope::Stage(SECURITY)] {
        rows.extend(endpoint(view, V2, scope));
    }
    for further in view.run.policies.iter().filter(|policy| !names::is_published(policy)) {
        rows.extend(endpoint(view, further, Scope::All));
    }
    (!rows.is_empty()).then(|| Table {
        id: "table-12".into(),
        title: format!("Table 12: claim-critical paired comparisons, {}", view.model_name()),
        head: head(&["Comparison", "Metric", "Stage / N", "Mean A", "Mean B", "Delta", "95% CI / bound", "Reading"]),
        rows,
        notes: vec![format!(
            "Intervals: 95 %, over resampled scenarios with all of their seeds. A tie: the interval has zero in it. Bounds: one-sided 95 %, over scenarios. Not discriminative: nothing happens without a defence (or, for what only policies cause, under any of them), so no policy is called higher, lower or tied (table 6).{}",
            absent(view)
        )],
    })
}

/// The line of an endpoint without an event, or with its interval where it has some.
fn endpoint(view: &View, policy: &str, scope: Scope) -> Option<Vec<String>> {
    let found = view.named(policy, names::HARM, scope)?;
    let clusters = u64::try_from(found.clusters).ok()?;
    let faults = view.run.policy(policy).and_then(|policy| view.uncredited(policy, names::HARM, scope));
    let bound = if let Some(faults) = faults {
        format!("no bound: it failed in {faults} rollouts")
    } else if found.numerator == 0.0 {
        let percent = |bound: Option<f64>| bound.map_or_else(String::new, |bound| format!("{:.2}%", bound * 100.0));
        format!(
            "cluster upper {} (3/n), {} (exact)",
            percent(rule_of_three(clusters)),
            percent(zero_event_bound(clusters))
        )
    } else {
        format!("[{}, {}]", four(found.low), four(found.high))
    };
    Some(vec![
        format!("{} endpoint", names::policy(policy)),
        "Policy violation".to_owned(),
        format!("{} / {:.0}", scope.printed(), found.denominator),
        found.counts(),
        NOT_APPLICABLE.to_owned(),
        NOT_APPLICABLE.to_owned(),
        bound,
        match refusal(view, names::HARM, scope) {
            Some(_) => "not discriminative: no positive control".to_owned(),
            None => format!("{} scenarios", found.clusters),
        },
    ])
}

/// Which of the published comparisons the run has not.
fn absent(view: &View) -> String {
    let absent: Vec<&str> = [NONE, TOOL_BOUNDARY, V1, V2, ROLLBACK]
        .into_iter()
        .filter(|policy| view.run.policy(policy).is_none())
        .collect();
    if absent.is_empty() {
        String::new()
    } else {
        format!(" Left out: comparisons with {}, which the run has not.", absent.join(", "))
    }
}

/// Table 25: every metric for every pair.
pub(crate) fn table_25(view: &View) -> Option<Table> {
    let (mut rows, mut intervals) = (Vec::new(), 0_usize);
    for (a, b) in pairs(view) {
        for (metric, printed, scope) in METRICS {
            let Some(found) = view.paired(&a, &b, metric, scope) else { continue };
            intervals += usize::from(found.cluster.is_some());
            // Over all rows there are too many pairs to resample each for every metric; the paper does so for this one.
            let pair = (metric == names::HARM && scope == Scope::All && a == NONE)
                .then(|| view.pair_interval(&a, &b, metric, scope))
                .flatten();
            intervals += usize::from(pair.is_some());
            rows.push(vec![
                format!("{} vs {}", names::policy(&a), names::policy(&b)),
                format!("{printed}, {}", scope.printed()),
                four_decimals(found.means.0),
                four_decimals(found.means.1),
                four_decimals(found.delta),
                interval(found.cluster),
                pair.map_or_else(|| NOT_APPLICABLE.to_owned(), |pair| interval(Some(pair))),
                four(found.win_rate),
                found.p_value.map_or_else(|| NOT_APPLICABLE.to_owned(), p_value),
                format!("{}, {} scenarios{}", found.pairs, found.scenarios, unmatched(found.unmatched)),
                reading(view, [&a, &b], metric, scope, &found),
            ]);
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "table-25".into(),
        title: format!("Table 25: paired comparisons, {}", view.model_name()),
        head: head(&[
            "Comparison",
            "Metric",
            "Mean A",
            "Mean B",
            "Delta",
            "Cluster 95% CI",
            "Pair 95% CI",
            "Win rate",
            "Exact p",
            "Pairs",
            "Reading",
        ]),
        rows,
        notes: vec![
            format!("{intervals} intervals here; the paper's frozen analysis has 83, which it does not list.{}", absent(view)),
            "Win rate: pairs in which the second policy is strictly better. Exact p: two-sided sign test over scenarios (McNemar's, for outcomes of 0 and 1). The pair interval takes the seeds of a scenario as independent, as the paper does for this row.".into(),
        ],
    })
}

fn unmatched(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" ({count} rollouts N/A on one side)") }
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { four_decimals(p) }
}
