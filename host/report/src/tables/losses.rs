//! To which rule each completion that a policy loses is due (section 7.2's rule-level analysis).

use crate::names::{self, ACTIVE, CLEAN, MEMORY, NONE, ROLLBACK, TOOL_BOUNDARY, V1, V2};
use crate::page::Table;
use crate::tables::head;
use crate::view::{Scope, View};
use std::collections::{BTreeMap, BTreeSet};

/// The words for a loss in which no authorised call was stopped.
pub(crate) const NO_CALL_STOPPED: &str = "no authorised call was stopped: none was proposed, or its parse failed";

/// Pairs that the first policy completes and the second does not, by the rules that stopped the second's calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Losses {
    /// Such pairs.
    pub(crate) pairs: usize,
    /// Their scenarios.
    pub(crate) scenarios: usize,
    /// Pairs and scenarios of each set of rules, joined by ` + `.
    pub(crate) rules: BTreeMap<String, (usize, usize)>,
    /// Pairs of each set of rules, by the place of their scenario.
    by_scenario: BTreeMap<String, BTreeMap<usize, usize>>,
}

impl Losses {
    /// Pairs of one scenario, perhaps by one set of rules.
    pub(crate) fn lost(&self, scenario: usize, rule: Option<&str>) -> usize {
        let rules = self.by_scenario.iter().filter(|(known, _)| rule.is_none_or(|rule| *known == rule));
        rules.filter_map(|(_, scenarios)| scenarios.get(&scenario)).sum()
    }
}

/// What the second policy loses of what the first completes; none where the run lacks one of them or the stage.
pub(crate) fn losses(view: &View, a: &str, b: &str, stage: &str) -> Option<Losses> {
    let metric = view.run.metric(names::completion(stage)).filter(|_| view.covers(Scope::Stage(stage)))?;
    let (a, b) = (view.run.policy(a)?, view.run.policy(b)?);
    let mut rules: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (row, rule, _) in view.run.losses(view.key(b)) {
        rules.entry(row).or_default().insert(rule);
    }
    let mut by_scenario: BTreeMap<String, BTreeMap<usize, usize>> = BTreeMap::new();
    let both = view.rollouts(a, Scope::Stage(stage)).zip(view.rollouts(b, Scope::Stage(stage)));
    for (_, lost) in both.filter(|(a, b)| a.value(metric) == Some(1.0) && b.value(metric) != Some(1.0)) {
        let rules = rules.get(&lost.row).map(|rules| rules.iter().copied().collect::<Vec<_>>().join(" + "));
        let scenarios = by_scenario.entry(rules.unwrap_or_else(|| NO_CALL_STOPPED.to_owned())).or_default();
        *scenarios.entry(lost.scenario).or_default() += 1;
    }
    let rules: BTreeMap<_, _> = by_scenario
        .iter()
        .map(|(rule, scenarios)| (rule.clone(), (scenarios.values().sum::<usize>(), scenarios.len())))
        .collect();
    let scenarios: BTreeSet<usize> = by_scenario.values().flat_map(|scenarios| scenarios.keys().copied()).collect();
    let pairs = rules.values().map(|(pairs, _)| pairs).sum();
    Some(Losses { pairs, scenarios: scenarios.len(), rules, by_scenario })
}

/// Losses against the boundary, which stops nothing that is authorised, and of the guard against no defence.
pub(crate) fn table(view: &View) -> Option<Table> {
    let mut compared: Vec<(&str, &str)> = vec![
        (TOOL_BOUNDARY, V2),
        (TOOL_BOUNDARY, V1),
        (TOOL_BOUNDARY, ROLLBACK),
        (NONE, "structured-guard"),
        (NONE, TOOL_BOUNDARY),
    ];
    let further = view.run.policies.iter().filter(|policy| !names::is_published(policy));
    compared.extend(further.map(|policy| (TOOL_BOUNDARY, policy.as_str())));
    let mut rows = Vec::new();
    for (a, b) in compared {
        for stage in [ACTIVE, CLEAN, MEMORY] {
            let Some(found) = losses(view, a, b, stage) else { continue };
            let pair = format!("{} completes, {} does not", names::policy(a), names::policy(b));
            let total = format!("{}/{}", found.pairs, view.count(Scope::Stage(stage)));
            if found.rules.is_empty() {
                rows.push(vec![pair, names::stage(stage).to_owned(), total, "none".into(), "0".into(), "0".into()]);
                continue;
            }
            for (rule, (pairs, scenarios)) in &found.rules {
                rows.push(vec![
                    pair.clone(),
                    names::stage(stage).to_owned(),
                    total.clone(),
                    rule.clone(),
                    pairs.to_string(),
                    scenarios.to_string(),
                ]);
            }
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "losses".into(),
        title: format!("What each lost completion is due to, {}", view.model_name()),
        head: head(&["Pair", "Stage", "Pairs lost", "Rule that stopped the authorised call", "Pairs", "Scenarios"]),
        rows,
        notes: vec!["Every pair of one scenario and seed that the first policy completes and the second does not is in exactly one row. A rule is that of the last decision about an authorised high-risk call that did not commit.".into()],
    })
}
