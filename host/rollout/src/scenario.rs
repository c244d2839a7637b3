//! A scenario's identity, and the header that it gives a rollout.

use serde_json::{Value, json};
use weir_runtime::wit::domains::Scenario;
use weir_trace::contract::{Authorization, Ledger};
use weir_trace::json::{canonical, sha256};

/// SHA-256 over everything in a scenario, in lower-case hex.
#[must_use]
pub fn digest(scenario: &Scenario) -> String {
    let ledgers: Vec<Ledger> = ledgers(scenario);
    let value = json!({
        "id": scenario.id,
        "stage": scenario.stage,
        "family": scenario.family,
        "topology": scenario.topology,
        "memory_mode": scenario.memory_mode,
        "toolset": scenario.toolset,
        "agents": scenario.agents,
        "goal": scenario.goal,
        "later_goals": scenario.later_goals,
        "ledgers": serde_json::to_value(ledgers).unwrap_or(Value::Null),
        "canaries": scenario.canaries,
        "state": scenario.state,
        "script": scenario.script,
    });
    sha256(canonical(&value).as_bytes())
}

/// A scenario's ledgers as traces store them.
#[must_use]
pub fn ledgers(scenario: &Scenario) -> Vec<Ledger> {
    let entries = |l: &weir_runtime::wit::domains::Ledger| l.entries.iter().map(Authorization::from).collect();
    scenario.ledgers.iter().map(|l| Ledger { form: l.form.clone(), entries: entries(l) }).collect()
}
