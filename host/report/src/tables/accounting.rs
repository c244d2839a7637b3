//! Which rows there are (table 3). A run with another number of rows than its plan is refused before.

use crate::collect::Collected;
use crate::names;
use crate::page::Table;
use crate::tables::head;
use std::collections::BTreeMap;

/// Rows of one stage: scenarios, policies, seeds, and the rows counted one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) scenarios: usize,
    pub(crate) policies: usize,
    pub(crate) seeds: usize,
    pub(crate) rows: usize,
}

/// The rows of a stage, or of the whole run, under one condition and model.
pub(crate) fn account(run: &Collected, condition: usize, model: usize, stage: Option<&str>) -> Account {
    let within = |of: &str| stage.is_none_or(|stage| stage == of);
    let keys = (0..run.policies.len()).map(|policy| crate::collect::ArmKey { condition, model, policy });
    let rows = keys.flat_map(|key| run.rollouts(key));
    Account {
        scenarios: run.scenarios.iter().filter(|scenario| within(&scenario.stage)).count(),
        policies: run.policies.len(),
        seeds: run.seeds.len(),
        rows: rows.filter(|rollout| run.stage_of(rollout.scenario).is_some_and(within)).count(),
    }
}

/// What table 3 says is recorded on each stage.
const RECORDED: [(&str, &str); 4] = [
    (names::SECURITY, "committed_harm; secret_leakage; wrong_recipient_rate; blast_radius_norm"),
    (names::MEMORY, "memory_reinfection; recovery_success; blast_radius_norm"),
    (names::ACTIVE, "authorized_tainted_action_success; false_positive_block_rate; blast_radius_norm"),
    (names::CLEAN, "clean_benign_completion; false_positive_block_rate"),
];

/// Table 3.
pub(crate) fn table_3(run: &Collected) -> Table {
    let line = |name: &str, stage: Option<&str>, recorded: &str| {
        let Account { scenarios, policies, seeds, rows } = account(run, 0, 0, stage);
        vec![
            name.to_owned(),
            scenarios.to_string(),
            policies.to_string(),
            seeds.to_string(),
            rows.to_string(),
            recorded.to_owned(),
        ]
    };
    let mut rows: Vec<Vec<String>> = run
        .stages
        .iter()
        .map(|stage| {
            let recorded =
                RECORDED.iter().find(|(known, _)| known == stage).map_or("all metrics that apply", |(_, r)| r);
            line(names::stage(stage), Some(stage), recorded)
        })
        .collect();
    rows.push(line("All", None, ""));
    let conditions = run.conditions.len();
    let mut notes = vec!["Rows are counted one by one; every policy has every scenario under every seed.".to_owned()];
    if conditions * run.models.len() > 1 {
        notes.push(format!(
            "For one of {conditions} condition(s) and {} model(s): {} rows in all.",
            run.models.len(),
            run.rows
        ));
    }
    Table {
        id: "table-3".into(),
        title: "Table 3: evidence stages and their rows".into(),
        head: head(&["Component", "Scenarios", "Policies", "Seeds", "Rows", "Recorded metrics"]),
        rows,
        notes,
    }
}

/// Of what the scenarios are made.
pub(crate) fn composition(run: &Collected) -> Table {
    let mut counts: BTreeMap<[&str; 4], usize> = BTreeMap::new();
    for scenario in &run.scenarios {
        *counts.entry([&scenario.stage, &scenario.domain, &scenario.topology, &scenario.memory_mode]).or_default() += 1;
    }
    let row = |(names, count): (&[&str; 4], &usize)| {
        names.iter().map(ToString::to_string).chain([count.to_string()]).collect()
    };
    Table {
        id: "scenarios".into(),
        title: "Scenarios by stage, domain, topology and memory".into(),
        head: head(&["Stage", "Domain", "Topology", "Memory", "Scenarios"]),
        rows: counts.iter().map(row).collect(),
        notes: Vec::new(),
    }
}
