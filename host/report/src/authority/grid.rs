//! What the manifest says of an authority run's grid: the order of its names, which condition is the null control, and
//! which cells there must be.

use super::error::GatherError;
use super::gather::{Group, Writer};
use serde::Deserialize;
use serde_json::Value;
use std::cmp::Ordering;
use weir_memory::facts::Module;
use weir_suite::Manifest;

/// The memory under which no focal proposition is shown.
const NULL_MEMORY: &str = "null";
/// The null control's name where the manifest does not say which condition it is.
const NULL_KEY: &str = "Null";

/// The part of the settings that a report needs. A field that is not there says nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Settings {
    method: String,
    writers: Vec<Component>,
    conditions: Vec<Keyed>,
    arms: Vec<Keyed>,
    models: Vec<Named>,
    blocks: Vec<Block>,
}

#[derive(Debug, Deserialize)]
struct Component {
    digest: String,
}

#[derive(Debug, Deserialize)]
struct Keyed {
    key: String,
    #[serde(default)]
    memory: String,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

/// Every combination of what it lists, by position in the settings' lists.
#[derive(Debug, Deserialize)]
struct Block {
    module: Module,
    #[serde(default)]
    writers: Vec<usize>,
    #[serde(default)]
    view: String,
    #[serde(default)]
    conditions: Vec<usize>,
    #[serde(default)]
    arms: Vec<usize>,
    #[serde(default)]
    models: Vec<usize>,
}

/// Names in the order of the suite, and what must be there.
#[derive(Debug, Default)]
pub(super) struct Grid {
    pub(super) writers: Vec<String>,
    pub(super) conditions: Vec<String>,
    pub(super) arms: Vec<String>,
    pub(super) models: Vec<String>,
    pub(super) null: Vec<String>,
    pub(super) expected: Vec<Group>,
}

impl Grid {
    pub(super) fn of(manifest: &Manifest) -> Result<Self, GatherError> {
        let settings = Value::Object(manifest.settings.clone().into_iter().collect());
        let settings: Settings = serde_json::from_value(settings).map_err(|e| GatherError::Settings(e.to_string()))?;
        let plugins = || manifest.plugins.iter().filter(|plugin| plugin.kind == "writer");
        let keys = |keyed: &[Keyed]| keyed.iter().map(|one| one.key.clone()).collect::<Vec<_>>();
        let named = |digest: &String| plugins().find(|plugin| plugin.digest == *digest).map(|p| p.name.clone());
        let writers: Vec<Option<String>> = settings.writers.iter().map(|writer| named(&writer.digest)).collect();
        let null = settings.conditions.iter().filter(|one| one.memory == NULL_MEMORY).map(|one| one.key.clone());
        let mut null: Vec<String> = null.collect();
        if settings.conditions.is_empty() {
            null.push(NULL_KEY.into());
        }
        let mut grid = Grid {
            writers: plugins().map(|plugin| plugin.name.clone()).collect(),
            conditions: keys(&settings.conditions),
            arms: keys(&settings.arms),
            models: settings.models.iter().map(|model| model.name.clone()).collect(),
            null,
            expected: Vec::new(),
        };
        for block in &settings.blocks {
            grid.expected.extend(groups(block, &grid, &writers, &settings.method)?);
        }
        Ok(grid)
    }
}

/// The groups of a block.
fn groups(block: &Block, grid: &Grid, writers: &[Option<String>], method: &str) -> Result<Vec<Group>, GatherError> {
    let pick = |places: &[usize], names: &[String], what: &str| {
        let one = |at: &usize| {
            let missing = || GatherError::Settings(format!("a block names {what} {at}, and there is none"));
            names.get(*at).cloned().ok_or_else(missing)
        };
        places.iter().map(one).collect::<Result<Vec<_>, _>>()
    };
    let names: Vec<String> = writers.iter().map(|name| name.clone().unwrap_or_default()).collect();
    let writers: Vec<Writer> = pick(&block.writers, &names, "writer")?
        .into_iter()
        .map(|name| Writer { name, view: block.view.clone(), method: method.to_owned() })
        .collect();
    let models = pick(&block.models, &grid.models, "model")?;
    Ok(match block.module {
        Module::Writing => writers.into_iter().map(|writer| Group::Writing { writer }).collect(),
        Module::Acting => pick(&block.conditions, &grid.conditions, "condition")?
            .into_iter()
            .flat_map(|condition| {
                models.iter().map(move |model| Group::Acting { condition: condition.clone(), model: model.clone() })
            })
            .collect(),
        Module::Pipeline => {
            let arms = pick(&block.arms, &grid.arms, "arm")?;
            let mut groups = Vec::new();
            for writer in &writers {
                for arm in &arms {
                    groups.extend(models.iter().map(|model| Group::Pipeline {
                        writer: writer.clone(),
                        arm: arm.clone(),
                        model: model.clone(),
                    }));
                }
            }
            groups
        }
    })
}

/// Sorts names as a list has them; those that it does not have come after, by name.
pub(super) fn in_order(known: &[String], names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_by(|one, other| compare(known, one, other));
    names.dedup();
    names
}

/// How two names stand to each other.
pub(super) fn compare(known: &[String], one: &str, other: &str) -> Ordering {
    let rank = |name: &str| known.iter().position(|known| known == name).unwrap_or(known.len());
    rank(one).cmp(&rank(other)).then_with(|| one.cmp(other))
}
