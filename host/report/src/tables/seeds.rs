//! Table 26: whether a result hangs on a single rollout seed.

use crate::names::{self, ACTIVE, CLEAN, MEMORY, SECURITY};
use crate::page::Table;
use crate::tables::{four, head};
use crate::view::{Scope, View};
use weir_stats::four_decimals;

const METRICS: [(&str, &str, &str); 8] = [
    (ACTIVE, names::COMPLETION, "Authorized completion"),
    (ACTIVE, names::SPREAD, "Logged taint spread"),
    (ACTIVE, names::HARM, "Committed policy violation"),
    (SECURITY, names::HARM, "Committed policy violation"),
    (SECURITY, names::SPREAD, "Logged taint spread"),
    (MEMORY, names::RECOVERY, "Recovery success"),
    (MEMORY, names::SPREAD, "Logged taint spread"),
    (CLEAN, names::CLEAN_COMPLETION, "Clean utility"),
];

/// Table 26, for every policy.
pub(crate) fn table_26(view: &View) -> Option<Table> {
    let mut rows = Vec::new();
    for (stage, metric, printed) in METRICS {
        for (policy, name) in view.run.policies.iter().enumerate() {
            let Some(found) = view.seed_variance(policy, metric, Scope::Stage(stage)) else { continue };
            rows.push(vec![
                stage.to_owned(),
                names::policy(name).to_owned(),
                printed.to_owned(),
                found.seeds.to_string(),
                four_decimals(found.mean),
                four_decimals(found.population_std),
                four(found.sample_std),
                four_decimals(found.range),
            ]);
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "table-26".into(),
        title: format!("Table 26: variance between seeds, {}", view.model_name()),
        head: head(&["Evidence stage", "Policy", "Metric", "Seeds", "Mean", "Std. (n)", "Std. (n-1)", "Range"]),
        rows,
        notes: vec!["The paper's Std. follows from its counts with divisor n only.".into()],
    })
}
