//! Settings of an authority run, as its manifest has them: with the run's components, all that its units follow from; and
//! where each unit stands.

use super::suite_file::{AuthoritySuite, MemoryName, MethodName, ViewName};
use crate::error::Error;
use crate::grid::ModelEntry;
use crate::plan::Identities;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) seeds: Vec<u64>,
    pub(crate) limit: u32,
    pub(crate) method: MethodName,
    /// What the domains were asked for, in order.
    pub(crate) requests: Vec<Asked>,
    /// SHA-256 of the imported bases, where the pairs are made of such.
    pub(crate) bases: Option<String>,
    pub(crate) writers: Vec<WriterEntry>,
    pub(crate) conditions: Vec<ConditionEntry>,
    pub(crate) arms: Vec<ArmEntry>,
    pub(crate) models: Vec<ModelEntry>,
    /// Models for plugins, by role.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) roles: BTreeMap<String, ModelEntry>,
    pub(crate) blocks: Vec<Block>,
}

/// Bases that a domain was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// SHA-256 of the domain's component.
    pub(crate) domain: String,
    /// The domain's name, by which imported bases name it.
    pub(crate) name: String,
    pub(crate) stage: String,
    pub(crate) count: u32,
    pub(crate) seed: u64,
}

/// A writer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WriterEntry {
    /// SHA-256 of the component.
    pub(crate) digest: String,
    pub(crate) marks: bool,
}

/// A condition of Module B.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConditionEntry {
    pub(crate) key: String,
    pub(crate) memory: MemoryName,
    pub(crate) gold: bool,
    /// SHA-256 of the policy's component.
    pub(crate) policy: String,
}

/// An arm of Module C.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ArmEntry {
    pub(crate) key: String,
    pub(crate) gold: bool,
    /// SHA-256 of the policy's component.
    pub(crate) policy: String,
}

/// Units that are every combination of the listed things with every case, and with every seed where a model acts. Lists are
/// positions in the settings' own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "module", rename_all = "kebab-case")]
pub(crate) enum Block {
    Writing { writers: Vec<usize>, view: ViewName },
    Acting { conditions: Vec<usize>, models: Vec<usize> },
    Pipeline { writers: Vec<usize>, view: ViewName, arms: Vec<usize>, models: Vec<usize> },
}

/// Where a unit stands: positions in the settings' lists, and of its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Writing { writer: usize, view: ViewName, case: usize },
    Acting { condition: usize, model: usize, case: usize, seed: u64 },
    Pipeline { writer: usize, view: ViewName, arm: usize, model: usize, case: usize, seed: u64 },
}

impl Setup {
    /// The settings in a manifest.
    pub(crate) fn of(settings: &BTreeMap<String, Value>) -> Result<Self, Error> {
        serde_json::from_value(Value::Object(settings.clone().into_iter().collect()))
            .map_err(|e| Error::Input(format!("the manifest's settings are not those of an authority run: {e}")))
    }

    /// The same, as a manifest's settings.
    pub(crate) fn settings(&self) -> BTreeMap<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(settings)) => settings.into_iter().collect(),
            _ => BTreeMap::new(),
        }
    }

    /// The blocks of a suite. Names that the suite does not define were refused with the file.
    pub(crate) fn blocks(suite: &AuthoritySuite, models: &[String]) -> Vec<Block> {
        let at = |names: &[String], all: &[&str]| -> Vec<usize> {
            names.iter().filter_map(|name| all.iter().position(|known| known == name)).collect()
        };
        let writers: Vec<&str> = suite.writers.iter().map(|writer| writer.name.as_str()).collect();
        let conditions: Vec<&str> = suite.conditions.iter().map(|condition| condition.key.as_str()).collect();
        let arms: Vec<&str> = suite.arms.iter().map(|arm| arm.key.as_str()).collect();
        let models: Vec<&str> = models.iter().map(String::as_str).collect();
        let writing =
            suite.writing.iter().map(|part| Block::Writing { writers: at(&part.writers, &writers), view: part.view });
        let acting = suite.acting.iter().map(|part| Block::Acting {
            conditions: at(&part.conditions, &conditions),
            models: at(&part.models, &models),
        });
        let pipeline = suite.pipeline.iter().map(|part| Block::Pipeline {
            writers: at(&part.writers, &writers),
            view: part.view,
            arms: at(&part.arms, &arms),
            models: at(&part.models, &models),
        });
        writing.chain(acting).chain(pipeline).collect()
    }

    /// How many units there are with so many cases.
    pub(crate) fn units(&self, cases: usize) -> usize {
        self.blocks.iter().fold(0_usize, |all, block| all.saturating_add(self.size(block, cases)))
    }

    fn size(&self, block: &Block, cases: usize) -> usize {
        let sizes = match block {
            Block::Writing { writers, .. } => vec![writers.len(), cases],
            Block::Acting { conditions, models } => vec![conditions.len(), models.len(), cases, self.seeds.len()],
            Block::Pipeline { writers, arms, models, .. } => {
                vec![writers.len(), arms.len(), models.len(), cases, self.seeds.len()]
            }
        };
        sizes.into_iter().fold(1, usize::saturating_mul)
    }

    /// Where the unit at a position stands; none past the end.
    pub(crate) fn at(&self, position: usize, cases: usize) -> Option<Place> {
        let mut rest = position;
        for block in &self.blocks {
            let size = self.size(block, cases);
            if rest >= size {
                rest = rest.checked_sub(size)?;
                continue;
            }
            return self.within(block, rest, cases);
        }
        None
    }

    fn within(&self, block: &Block, position: usize, cases: usize) -> Option<Place> {
        let mut rest = position;
        let mut turn = |size: usize| {
            let at = rest.checked_rem(size)?;
            rest = rest.checked_div(size)?;
            Some(at)
        };
        Some(match block {
            Block::Writing { writers, view } => {
                let case = turn(cases)?;
                Place::Writing { writer: *writers.get(turn(writers.len())?)?, view: *view, case }
            }
            Block::Acting { conditions, models } => {
                let seed = *self.seeds.get(turn(self.seeds.len())?)?;
                let case = turn(cases)?;
                let model = *models.get(turn(models.len())?)?;
                Place::Acting { condition: *conditions.get(turn(conditions.len())?)?, model, case, seed }
            }
            Block::Pipeline { writers, view, arms, models } => {
                // The arms of a case follow each other, so that what a writer wrote of it is at hand for all of them.
                let seed = *self.seeds.get(turn(self.seeds.len())?)?;
                let model = *models.get(turn(models.len())?)?;
                let arm = *arms.get(turn(arms.len())?)?;
                let case = turn(cases)?;
                Place::Pipeline { writer: *writers.get(turn(writers.len())?)?, view: *view, arm, model, case, seed }
            }
        })
    }

    /// A unit's identity: SHA-256 over all that its result depends on.
    pub(crate) fn identity(
        &self,
        place: Place,
        scenario: &str,
        domain: &str,
        identities: &Identities,
    ) -> Option<String> {
        self.parts(place, scenario, domain).map(|parts| identities.of(&parts))
    }

    /// The canonical text of what a unit's result depends on, beside what all units share.
    fn parts(&self, place: Place, scenario: &str, domain: &str) -> Option<String> {
        let writing = |writer: usize, view: ViewName| {
            let writer = self.writers.get(writer)?;
            Some(WritingParts {
                digest: &writer.digest,
                limit: self.limit,
                marks: writer.marks,
                method: self.method,
                view,
            })
        };
        let mut unit = UnitParts::default();
        match place {
            Place::Writing { writer, view, .. } => unit.writer = Some(writing(writer, view)?),
            Place::Acting { condition, model, seed, .. } => {
                let ConditionEntry { key, memory, gold, policy } = self.conditions.get(condition)?;
                unit.condition = Some(ConditionParts { gold: *gold, key, memory: *memory, policy });
                unit.model = Some(&self.models.get(model)?.digest);
                unit.seed = Some(seed);
            }
            Place::Pipeline { writer, view, arm, model, seed, .. } => {
                let ArmEntry { key, gold, policy } = self.arms.get(arm)?;
                unit.arm = Some(ArmParts { gold: *gold, key, policy });
                unit.model = Some(&self.models.get(model)?.digest);
                unit.seed = Some(seed);
                unit.writer = Some(writing(writer, view)?);
            }
        }
        serde_json::to_string(&Parts { domain, scenario, unit }).ok()
    }
}

/// What a unit's result depends on, beside what all units share. Fields stand in the order of their names, so that this is
/// canonical JSON as it is written: a suite has tens of thousands of units, and each is named several times.
#[derive(Serialize)]
struct Parts<'a> {
    domain: &'a str,
    scenario: &'a str,
    unit: UnitParts<'a>,
}

#[derive(Default, Serialize)]
struct UnitParts<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    arm: Option<ArmParts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<ConditionParts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    writer: Option<WritingParts<'a>>,
}

#[derive(Serialize)]
struct ArmParts<'a> {
    gold: bool,
    key: &'a str,
    policy: &'a str,
}

#[derive(Serialize)]
struct ConditionParts<'a> {
    gold: bool,
    key: &'a str,
    memory: MemoryName,
    policy: &'a str,
}

#[derive(Serialize)]
struct WritingParts<'a> {
    digest: &'a str,
    limit: u32,
    marks: bool,
    method: MethodName,
    view: ViewName,
}

impl Place {
    /// Position of the case.
    pub(crate) fn case(self) -> usize {
        match self {
            Place::Writing { case, .. } | Place::Acting { case, .. } | Place::Pipeline { case, .. } => case,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use weir_trace::json::canonical_text;

    fn setup() -> Setup {
        let suite = AuthoritySuite::built_in("authmem").unwrap().unwrap();
        let models: Vec<String> = suite.acting[0].models.clone();
        let entry = |name: &String| ModelEntry { name: name.clone(), digest: name.clone(), real: None };
        Setup {
            seeds: vec![1, 2],
            limit: suite.limit,
            method: suite.method,
            requests: Vec::new(),
            bases: None,
            writers: suite
                .writers
                .iter()
                .map(|writer| WriterEntry { digest: writer.name.clone(), marks: writer.marks })
                .collect(),
            conditions: suite
                .conditions
                .iter()
                .map(|c| ConditionEntry {
                    key: c.key.clone(),
                    memory: c.memory,
                    gold: c.gold,
                    policy: c.policy.clone(),
                })
                .collect(),
            arms: suite
                .arms
                .iter()
                .map(|arm| ArmEntry { key: arm.key.clone(), gold: arm.gold, policy: arm.policy.clone() })
                .collect(),
            models: models.iter().map(entry).collect(),
            roles: BTreeMap::new(),
            blocks: Setup::blocks(&suite, &models),
        }
    }

    #[test]
    fn every_position_is_a_unit_of_its_own_and_none_comes_after_the_last() {
        let (setup, cases) = (setup(), 3);
        let units = setup.units(cases);
        let identities = Identities::new("shared");
        let identity = |position| {
            let place = setup.at(position, cases).unwrap();
            setup.identity(place, &place.case().to_string(), "domain", &identities).unwrap()
        };
        assert_eq!((0..units).map(identity).collect::<BTreeSet<_>>().len(), units);
        assert_eq!(setup.at(units, cases), None);
        // 9 writers and 5 in their native view; 9 conditions with 3 models; 7 arms, 3 with 2 more models, 3 with 8 more writers.
        assert_eq!(units, cases * (14 + 2 * (9 * 3 + 7 + 3 * 2 + 8 * 3)));
    }

    #[test]
    fn what_is_hashed_is_canonical_json() {
        let setup = setup();
        for position in 0..setup.units(1) {
            let text = setup.parts(setup.at(position, 1).unwrap(), "scenario", "domain").unwrap();
            assert_eq!(canonical_text(&text).unwrap(), text);
        }
    }

    #[test]
    fn settings_survive_a_manifest() {
        assert_eq!(Setup::of(&setup().settings()).unwrap(), setup());
    }
}
