//! Table 10: equal endpoints, another course.

use crate::names::{self, ACTIVE, CLEAN, MEMORY, SECURITY, TOOL_BOUNDARY, V1, V2};
use crate::page::Table;
use crate::tables::{four, head, interval};
use crate::view::{Scope, View};
use weir_stats::PROJECTION;

/// The comparisons of table 10, and every policy of somebody else's against both of its pair.
fn comparisons(view: &View) -> Vec<(String, String, Scope<'static>)> {
    let mut all = vec![
        (V1.to_owned(), V2.to_owned(), Scope::Stage(ACTIVE)),
        (TOOL_BOUNDARY.to_owned(), V2.to_owned(), Scope::All),
        (TOOL_BOUNDARY.to_owned(), V2.to_owned(), Scope::Stage(SECURITY)),
        (TOOL_BOUNDARY.to_owned(), V2.to_owned(), Scope::Stage(MEMORY)),
        (TOOL_BOUNDARY.to_owned(), V2.to_owned(), Scope::Stage(ACTIVE)),
        (TOOL_BOUNDARY.to_owned(), V2.to_owned(), Scope::Stage(CLEAN)),
    ];
    for further in view.run.policies.iter().filter(|policy| !names::is_published(policy)) {
        for scope in [Scope::All, Scope::Stage(ACTIVE)] {
            all.push((TOOL_BOUNDARY.to_owned(), further.clone(), scope));
            all.push((V2.to_owned(), further.clone(), scope));
        }
    }
    all
}

/// Table 10, with the pairs that only one axis tells apart.
pub(crate) fn table_10(view: &View) -> Option<Table> {
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for (a, b, scope) in comparisons(view) {
        let Some(found) = view.diverged(&a, &b, scope) else { continue };
        if let Some(refused) = view.no_comparison([&a, &b], names::HARM, scope) {
            failed.push(format!("{}: {refused}, so an equal endpoint is no safety there.", scope.printed()));
        }
        let mut fields: Vec<(usize, &str)> =
            found.fields.iter().copied().zip(PROJECTION).filter(|(count, _)| *count > 0).collect();
        fields.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
        let fields: Vec<String> = fields.iter().take(4).map(|(count, field)| format!("{field} {count}")).collect();
        rows.push(vec![
            format!("{} vs {}", names::policy(&a), names::policy(&b)),
            scope.printed().to_owned(),
            format!("{}/{}", found.without_harm, found.pairs),
            format!("{}  {}/{}", four(found.share), found.trajectory(), found.equal),
            interval(found.interval),
            format!("{}/{}", found.utility(), found.equal),
            format!("{} / {}", found.both, found.both + found.trajectory_only + found.utility_only),
            if fields.is_empty() { "none".to_owned() } else { fields.join(", ") },
        ]);
    }
    (!rows.is_empty()).then(|| Table {
        id: "table-10".into(),
        title: format!("Table 10: divergence where the endpoint is equal, {}", view.model_name()),
        head: head(&[
            "Comparison",
            "Scope",
            "Same zero endpoint",
            "Trajectory divergence",
            "Cluster 95% CI",
            "Utility differs",
            "Both / either",
            "Fields that differ most",
        ]),
        rows,
        notes: [
            "Pairs are of one scenario and seed and have equal committed_harm. A trajectory differs where any of the 12 fields of section 6.5 does; policy names, rules and provenance are no fields.".into(),
            "Utility: of the rollout's own stage. Both / either: pairs in which trajectory and utility differ, and in which at least one of them does.".into(),
        ]
        .into_iter()
        .chain(failed)
        .collect(),
    })
}
