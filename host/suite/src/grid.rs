//! The units of a live run: every condition with every policy, model, scenario and seed; where each stands, and what it is
//! called.

use crate::models::Known;
use crate::models::real::RealEntry;
use crate::perturb::Condition;
use crate::plan::Identities;
use crate::suite_file::{LedgerErrors, Suite};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use weir_rollout::live::{Confirmation, TURNS};
use weir_runtime::wit::domains::{Request, Scenario};
use weir_trace::json::canonical;

/// The most memories that a writer keeps between sessions, as in AuthMem-Bench.
pub(crate) const LIMIT: u32 = 16;

/// Settings of a live run, as its manifest has them: with the run's components, all that its units follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// Which ledger the policies are given.
    pub(crate) ledger: String,
    /// Who confirms.
    pub(crate) confirmation: Confirmation,
    /// Turns after which a session is stopped, for each of its agents.
    #[serde(default = "turns", skip_serializing_if = "is_usual")]
    pub(crate) turns: u32,
    /// Rollout seeds.
    pub(crate) seeds: Vec<u64>,
    /// Models, in order.
    pub(crate) models: Vec<ModelEntry>,
    /// Models for plugins, by role.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) roles: BTreeMap<String, ModelEntry>,
    /// What is wrong, besides nothing.
    pub(crate) errors: Vec<LedgerErrors>,
    /// Memory writers, besides none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) writers: Vec<WriterEntry>,
    /// What the domains were asked for, in order.
    pub(crate) requests: Vec<Asked>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    /// Its name.
    pub(crate) name: String,
    /// SHA-256 of its profile; of a real model, over what its answers depend on.
    pub(crate) digest: String,
    /// What is known of a real model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) real: Option<RealEntry>,
}

/// A memory writer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WriterEntry {
    /// Its name.
    pub(crate) name: String,
    /// SHA-256 of its component.
    pub(crate) digest: String,
}

/// Scenarios that a domain was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// SHA-256 of the domain's component.
    pub(crate) domain: String,
    /// Evidence stage.
    pub(crate) stage: String,
    /// How many.
    pub(crate) count: u32,
    /// Seed of the scenarios themselves.
    pub(crate) seed: u64,
    /// Of these, only the ones with more than one session.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) several_sessions: bool,
}

// The form that serde asks for.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

impl Asked {
    /// Whether a scenario is one of those that are run.
    pub(crate) fn takes(&self, scenario: &Scenario) -> bool {
        !self.several_sessions || !scenario.later_goals.is_empty()
    }

    pub(crate) fn request(&self) -> Request {
        Request { stage: self.stage.clone(), count: self.count, seed: self.seed, parameters: "{}".into() }
    }
}

impl Setup {
    /// The settings of a suite, with what it names found.
    pub(crate) fn new(
        suite: &Suite,
        models: &[Known],
        roles: BTreeMap<String, ModelEntry>,
        writers: Vec<WriterEntry>,
        requests: Vec<Asked>,
    ) -> Self {
        Setup {
            ledger: suite.ledger.clone(),
            confirmation: suite.confirmation,
            turns: suite.turns,
            seeds: suite.seeds.clone(),
            models: models.iter().map(Known::entry).collect(),
            roles,
            errors: suite.errors.clone(),
            writers,
            requests,
        }
    }

    /// The settings in a manifest.
    pub(crate) fn of(settings: &BTreeMap<String, Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(Value::Object(settings.clone().into_iter().collect()))
    }

    /// The same, as a manifest's settings.
    pub(crate) fn settings(&self) -> BTreeMap<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(settings)) => settings.into_iter().collect(),
            _ => BTreeMap::new(),
        }
    }

    /// Under what everything is run: first with nothing wrong and no memory writer.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        let wrong = |errors: &LedgerErrors| {
            let kind = errors.kind;
            errors
                .rates
                .iter()
                .map(move |&rate| Condition { error: Some(kind), rate, writer: None })
                .collect::<Vec<_>>()
        };
        let writers = (0..self.writers.len()).map(|writer| Condition { writer: Some(writer), ..Condition::CORRECT });
        std::iter::once(Condition::CORRECT).chain(self.errors.iter().flat_map(wrong)).chain(writers).collect()
    }

    /// A condition's memory writer.
    pub(crate) fn writer(&self, condition: Condition) -> Option<&WriterEntry> {
        self.writers.get(condition.writer?)
    }

    /// A condition's name.
    pub(crate) fn name(&self, condition: Condition) -> String {
        self.writer(condition).map_or_else(|| condition.to_string(), |writer| format!("memory by {}", writer.name))
    }
}

/// Where a unit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) condition: usize,
    pub(crate) policy: usize,
    pub(crate) model: usize,
    pub(crate) case: usize,
    pub(crate) seed: usize,
}

impl Place {
    /// Of the unit at a position, given how many there are of each; none past the end.
    pub(crate) fn at(position: usize, of: Place) -> Option<Self> {
        let step = |rest: usize, size: usize| Some((rest.checked_div(size)?, rest.checked_rem(size)?));
        let (rest, seed) = step(position, of.seed)?;
        let (rest, case) = step(rest, of.case)?;
        let (rest, model) = step(rest, of.model)?;
        let (condition, policy) = step(rest, of.policy)?;
        (condition < of.condition).then_some(Place { condition, policy, model, case, seed })
    }

    /// How many units there are, given how many there are of each.
    pub(crate) fn product(self) -> usize {
        [self.policy, self.model, self.case, self.seed].into_iter().fold(self.condition, usize::saturating_mul)
    }
}

/// What a unit's result depends on, beside what all units share.
pub(crate) struct Parts<'a> {
    pub(crate) scenario: &'a str,
    pub(crate) domain: &'a str,
    pub(crate) policy: &'a str,
    pub(crate) model: &'a str,
    pub(crate) seed: u64,
    pub(crate) ledger: &'a str,
    pub(crate) confirmation: Confirmation,
    pub(crate) turns: u32,
    pub(crate) condition: Condition,
    /// Digest of the memory writer, where there is one.
    pub(crate) writer: Option<&'a str>,
}

impl Parts<'_> {
    /// A unit without a writer and with the usual turns is called as it was before there were any others.
    pub(crate) fn identity(&self, identities: &Identities) -> String {
        let mut parts = json!({
            "scenario": self.scenario,
            "domain": self.domain,
            "policy": self.policy,
            "model": self.model,
            "seed": self.seed,
            "ledger": self.ledger,
            "confirmation": self.confirmation,
            "condition": self.condition,
        });
        if let (Some(writer), Some(parts)) = (self.writer, parts.as_object_mut()) {
            parts.insert("writer".into(), json!({ "digest": writer, "limit": LIMIT }));
        }
        if let (false, Some(parts)) = (is_usual(&self.turns), parts.as_object_mut()) {
            parts.insert("turns".into(), json!(self.turns));
        }
        identities.of(&canonical(&parts))
    }
}

/// The turns of a suite that does not say how many.
pub(crate) fn turns() -> u32 {
    TURNS
}

fn is_usual(turns: &u32) -> bool {
    *turns == TURNS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_position_is_a_unit_of_its_own_with_seeds_turning_fastest_and_none_comes_after_the_last() {
        let of = Place { condition: 2, policy: 3, model: 1, case: 4, seed: 5 };
        let all: Vec<Place> = (0..of.product()).map(|at| Place::at(at, of).unwrap()).collect();
        let written = |p: &Place| format!("{}{}{}{}{}", p.condition, p.policy, p.model, p.case, p.seed);
        assert_eq!(all.iter().map(written).collect::<BTreeSet<_>>().len(), 120);
        assert!(all.iter().map(written).is_sorted());
        assert_eq!(Place::at(120, of), None);
        assert_eq!(Place::at(0, Place { seed: 0, ..of }), None);
    }

    fn parts<'a>(condition: Condition, writer: Option<&'a str>) -> Parts<'a> {
        Parts {
            scenario: "s",
            domain: "d",
            policy: "p",
            model: "m",
            seed: 1,
            ledger: "oracle",
            confirmation: Confirmation::Absent,
            turns: TURNS,
            condition,
            writer,
        }
    }

    #[test]
    fn a_unit_without_a_writer_is_called_as_before_and_a_writer_by_its_digest_wherever_it_stands() {
        let identities = Identities::new("shared");
        let before = json!({ "scenario": "s", "domain": "d", "policy": "p", "model": "m", "seed": 1, "ledger": "oracle",
            "confirmation": "absent", "condition": { "error": null, "rate": 0.0 } });
        assert_eq!(parts(Condition::CORRECT, None).identity(&identities), identities.of(&canonical(&before)));
        let at = |writer| Condition { writer: Some(writer), ..Condition::CORRECT };
        let identity = |place, digest| parts(at(place), Some(digest)).identity(&identities);
        assert_eq!(identity(0, "a"), identity(1, "a"));
        let shorter = Parts { turns: 12, ..parts(Condition::CORRECT, None) }.identity(&identities);
        let plain = parts(Condition::CORRECT, None).identity(&identities);
        let all = [identity(0, "a"), identity(0, "b"), plain, shorter];
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 4);
    }

    #[test]
    fn settings_without_writers_are_written_as_before_and_conditions_follow_the_writers() {
        let asked = Asked { domain: "d".into(), stage: "s".into(), count: 1, seed: 1, several_sessions: false };
        let writer = |name: &str| WriterEntry { name: name.into(), digest: name.into() };
        let setup = Setup {
            ledger: "oracle".into(),
            confirmation: Confirmation::Absent,
            turns: TURNS,
            seeds: vec![1],
            models: Vec::new(),
            roles: BTreeMap::new(),
            errors: Vec::new(),
            writers: Vec::new(),
            requests: vec![asked],
        };
        let settings = setup.settings();
        assert!(!settings.contains_key("writers") && settings["requests"][0].get("several_sessions").is_none());
        let setup = Setup { writers: vec![writer("x"), writer("y")], ..setup };
        let names: Vec<String> = setup.conditions().into_iter().map(|condition| setup.name(condition)).collect();
        assert_eq!(names, ["correct", "memory by x", "memory by y"]);
        assert_eq!(Setup::of(&setup.settings()).unwrap(), setup);
    }
}
