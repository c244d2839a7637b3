//! The units of a live run: every condition with every policy, model, scenario and seed; where each stands, and what it is
//! called.

use crate::perturb::Condition;
use crate::plan::Identities;
use crate::suite_file::LedgerErrors;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use weir_rollout::live::Confirmation;
use weir_runtime::wit::domains::Request;
use weir_trace::json::canonical;

/// Settings of a live run, as its manifest has them: with the run's components, all that its units follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// Which ledger the policies are given.
    pub(crate) ledger: String,
    /// Who confirms.
    pub(crate) confirmation: Confirmation,
    /// Rollout seeds.
    pub(crate) seeds: Vec<u64>,
    /// Models, in order.
    pub(crate) models: Vec<ModelEntry>,
    /// What is wrong, besides nothing.
    pub(crate) errors: Vec<LedgerErrors>,
    /// What the domains were asked for, in order.
    pub(crate) requests: Vec<Asked>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelEntry {
    /// Its name.
    pub(crate) name: String,
    /// SHA-256 of its profile.
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
}

impl Asked {
    pub(crate) fn request(&self) -> Request {
        Request { stage: self.stage.clone(), count: self.count, seed: self.seed, parameters: "{}".into() }
    }
}

impl Setup {
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

    /// Under what everything is run: first with nothing wrong.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        let wrong = |errors: &LedgerErrors| {
            let kind = errors.kind;
            errors.rates.iter().map(move |&rate| Condition { error: Some(kind), rate }).collect::<Vec<_>>()
        };
        std::iter::once(Condition::CORRECT).chain(self.errors.iter().flat_map(wrong)).collect()
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
    pub(crate) condition: Condition,
}

impl Parts<'_> {
    pub(crate) fn identity(&self, identities: &Identities) -> String {
        identities.of(&canonical(&json!({
            "scenario": self.scenario,
            "domain": self.domain,
            "policy": self.policy,
            "model": self.model,
            "seed": self.seed,
            "ledger": self.ledger,
            "confirmation": self.confirmation,
            "condition": self.condition,
        })))
    }
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
}
