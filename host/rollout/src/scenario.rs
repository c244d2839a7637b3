//! A scenario's identity, and whether it can be run.

use crate::gate::Infra;
use serde_json::{Value, json};
use std::collections::BTreeSet;
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

/// Whether a scenario can be run as its domain means it: what the host does not know, it does not guess.
///
/// # Errors
/// What is wrong with it.
pub fn check(scenario: &Scenario) -> Result<(), Infra> {
    let wrong = |what: String| Err(Infra::Input(format!("scenario {}: {what}", scenario.id)));
    let agents = scenario.agents.len();
    let known = match scenario.topology.as_str() {
        "single" => agents == 1,
        "supervisor-worker" | "peer-chain" => agents >= 1,
        _ => false,
    };
    if !known {
        return wrong(format!(
            "topology `{}` with {agents} agents: known are `single` with one agent, `supervisor-worker` and `peer-chain`",
            scenario.topology
        ));
    }
    if !matches!(scenario.memory_mode.as_str(), "session" | "persistent") {
        return wrong(format!("memory mode `{}`: known are `session` and `persistent`", scenario.memory_mode));
    }
    // Agents are called by their names, ledgers by their forms.
    if let Some(twice) = repeated(scenario.agents.iter()) {
        return wrong(format!("two agents are called `{twice}`"));
    }
    if let Some(twice) = repeated(scenario.ledgers.iter().map(|ledger| &ledger.form)) {
        return wrong(format!("two ledgers have the form `{twice}`"));
    }
    if scenario.canaries.iter().any(String::is_empty) {
        return wrong("a canary is empty".into());
    }
    Ok(())
}

/// The first name that stands there a second time.
fn repeated<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut seen = BTreeSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use weir_runtime::wit::domains::Ledger;

    fn scenario() -> Scenario {
        Scenario {
            id: "s".into(),
            stage: "clean".into(),
            family: "f".into(),
            topology: "peer-chain".into(),
            memory_mode: "session".into(),
            toolset: 0,
            agents: vec!["a".into(), "b".into()],
            goal: "do".into(),
            later_goals: vec!["and then".into()],
            ledgers: vec![Ledger { form: "oracle".into(), entries: Vec::new() }],
            canaries: vec!["CANARY".into()],
            state: "{}".into(),
            script: "{}".into(),
        }
    }

    /// What is said of a scenario after a change.
    fn said(change: impl Fn(&mut Scenario)) -> String {
        let mut scenario = scenario();
        change(&mut scenario);
        check(&scenario).unwrap_err().to_string()
    }

    #[test]
    fn a_scenario_that_the_host_would_have_to_guess_about_is_refused() {
        check(&scenario()).unwrap();
        assert!(said(|s| s.topology = "ring".into()).contains("topology `ring`"));
        assert!(said(|s| s.topology = "single".into()).contains("with 2 agents"));
        assert!(said(|s| s.agents.clear()).contains("with 0 agents"));
        assert!(said(|s| s.memory_mode = "forever".into()).contains("memory mode `forever`"));
        assert!(said(|s| s.agents = vec!["a".into(), "a".into()]).contains("two agents are called `a`"));
        assert!(said(|s| s.ledgers.push(s.ledgers[0].clone())).contains("two ledgers have the form `oracle`"));
        assert!(said(|s| s.canaries.push(String::new())).contains("a canary is empty"));
    }
}
