//! Tables 13 and 14: of what the all-stage gap in logged spread is made, and how much of it is its denominator.

use crate::names::{self, ACTIVE, SECURITY, TOOL_BOUNDARY, V2};
use crate::page::Table;
use crate::tables::roles::refusal;
use crate::tables::{four, head, interval};
use crate::view::{Normalised, Over, Scope, View};
use weir_stats::{Comparison, StageGap, four_decimals};

/// Table 13.
pub(crate) fn table_13(view: &View) -> Option<Table> {
    let found = view.decomposed(TOOL_BOUNDARY, V2)?;
    let failed = |scope: Scope| view.no_comparison([TOOL_BOUNDARY, V2], names::SPREAD, scope);
    // A share needs all gaps.
    let whole = failed(Scope::All);
    let line = |name: &str, scope: Scope, gap: &StageGap| {
        let without_sign = |value: f64| if value == 0.0 { 0.0 } else { value };
        let mean = |policy, mean| view.mean(policy, names::SPREAD, scope, mean, gap.means.rows as f64);
        vec![
            name.to_owned(),
            gap.means.rows.to_string(),
            mean(TOOL_BOUNDARY, gap.means.a),
            mean(V2, gap.means.b),
            failed(scope).unwrap_or_else(|| format!("{:.6}", without_sign(gap.weighted_gap))),
            four(gap.share.filter(|_| whole.is_none())),
        ]
    };
    let stages = names::STAGES.iter().zip(&found.stages);
    let mut rows: Vec<_> = stages.map(|((stage, name), gap)| line(name, Scope::Stage(stage), gap)).collect();
    rows.push(line("All stages", Scope::All, &found.whole));
    Some(Table {
        id: "table-13".into(),
        title: format!("Table 13: the gap in logged spread between tool-boundary and intent-ledger v2, by stage, {}", view.model_name()),
        head: head(&["Stage", "N/policy", "Tool-boundary", "V2", "Weighted gap", "Gap share"]),
        rows,
        notes: vec!["Positive where tool-boundary has the higher spread. Shares are of the whole gap; stages that pull in different directions have shares below 0 and above 1.".into()],
    })
}

/// The lines of table 14: scope, denominator, whether only over what both complete.
const SCOPES: [(&str, Scope<'static>, Over, bool); 7] = [
    ("All stages, realised denominator", Scope::All, Over::Realised, false),
    ("Security only, realised denominator", Scope::Stage(SECURITY), Over::Realised, false),
    ("Active stage, realised denominator", Scope::Stage(ACTIVE), Over::Realised, false),
    ("Authorized-completion subset", Scope::Stage(ACTIVE), Over::Realised, true),
    ("All stages, fixed max denominator", Scope::All, Over::FixedMaximum, false),
    ("Security only, fixed max denominator", Scope::Stage(SECURITY), Over::FixedMaximum, false),
    ("Active stage, fixed max denominator", Scope::Stage(ACTIVE), Over::FixedMaximum, false),
];

/// Whether the order of two policies turns round between the denominators.
pub(crate) fn flips(view: &View, scope: Scope) -> Option<bool> {
    let under = |over| view.normalised(TOOL_BOUNDARY, V2, scope, over, false);
    let (realised, fixed) = (under(Over::Realised)?, under(Over::FixedMaximum)?);
    Some(Comparison { keys: realised.pairs, realised: realised.means, fixed_maximum: fixed.means }.flips_sign())
}

/// Table 14.
pub(crate) fn table_14(view: &View) -> Option<Table> {
    let mut rows = Vec::new();
    for (name, scope, over, completed) in SCOPES {
        let Some(found) = view.normalised(TOOL_BOUNDARY, V2, scope, over, completed) else { continue };
        let Normalised { means: (a, b), interval: range, pairs } = found;
        let failed = view.no_comparison([TOOL_BOUNDARY, V2], names::SPREAD, scope);
        let reading = match (range, b - a) {
            _ if failed.is_some() => failed.as_deref().unwrap_or_default(),
            _ if refusal(view, names::SPREAD, scope).is_some() => "not discriminative: no positive control",
            (Some(range), _) if range.is_tie() => "tie: the interval has zero in it",
            (_, gap) if gap < 0.0 => "v2 lower",
            _ => "tool-boundary lower",
        };
        let turned = failed.is_none() && over == Over::FixedMaximum && flips(view, scope) == Some(true);
        rows.push(vec![
            name.to_owned(),
            pairs.to_string(),
            view.mean(TOOL_BOUNDARY, names::SPREAD, scope, a, pairs as f64),
            view.mean(V2, names::SPREAD, scope, b, pairs as f64),
            four_decimals(b - a),
            interval(range),
            format!("{reading}{}", if turned { "; the sign turns round" } else { "" }),
        ]);
    }
    (!rows.is_empty()).then(|| Table {
        id: "table-14".into(),
        title: format!("Table 14: logged spread under two denominators, {}", view.model_name()),
        head: head(&["Scope", "Pairs", "Tool-boundary", "Intent-ledger v2", "Delta", "Cluster 95% CI", "Reading"]),
        rows,
        notes: vec![
            "Realised: each rollout's own reachable nodes. Fixed max: the most reachable nodes of any policy of this run at the same scenario and seed. Completion subset: pairs in which both complete the authorised tainted action.".into(),
            "Where the sign turns round between denominators, the spread is evidence for neither policy.".into(),
        ],
    })
}
