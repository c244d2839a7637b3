//! Table 26: whether a result hangs on a single rollout seed.

use crate::names::{self, ACTIVE, CLEAN, MEMORY, SECURITY};
use crate::page::Table;
use crate::tables::{four, head};
use crate::view::{Scope, View};

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
            let scope = Scope::Stage(stage);
            let Some(found) = view.seed_variance(policy, metric, scope) else { continue };
            // Where the policy failed, how often differs from seed to seed, and that is no variance of what is measured.
            let known = view.uncredited(policy, metric, scope).is_none();
            rows.push(vec![
                stage.to_owned(),
                names::policy(name).to_owned(),
                printed.to_owned(),
                found.seeds.to_string(),
                view.mean(name, metric, scope, found.mean, view.count(scope) as f64),
                four(Some(found.population_std).filter(|_| known)),
                four(found.sample_std.filter(|_| known)),
                four(Some(found.range).filter(|_| known)),
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
