//! An authority run cut down to one policy or one writer, and its plan without that one.

use super::setup::{Block, Setup};
use super::suite_file::MemoryName;
use crate::cut::Wanted;
use crate::error::Error;
use crate::manifest::Manifest;
use crate::published::units;
use crate::store::Store;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use weir_runtime::Kind;

/// What is left of a run.
pub(crate) struct Cut {
    pub(crate) settings: BTreeMap<String, Value>,
    /// Digests of the policies that take part.
    pub(crate) policies: BTreeSet<String>,
    /// Digests of the writers that take part.
    pub(crate) writers: BTreeSet<String>,
    /// Whether a line of the plan stays.
    pub(crate) wanted: Wanted,
}

/// Keeps the conditions and arms of one policy and what they need; or, of one writer, what it writes and all arms after it.
///
/// # Errors
/// Where the settings are not those of an authority run.
pub(crate) fn cut(settings: &BTreeMap<String, Value>, kind: Kind, name: &str, digest: &str) -> Result<Cut, Error> {
    let mut setup = Setup::of(settings)?;
    let is_policy = kind == Kind::Policy;
    let conditions = kept(&mut setup.conditions, |one| is_policy && one.policy == digest);
    let arms = kept(&mut setup.arms, |one| !is_policy || one.policy == digest);
    let writers = kept(&mut setup.writers, |one| is_policy || one.digest == digest);
    let moved = |list: &[usize], kept: &[usize]| -> Vec<usize> {
        list.iter().filter_map(|at| kept.iter().position(|known| known == at)).collect()
    };
    let block = |block: &Block| match block {
        Block::Writing { .. } if is_policy => None,
        Block::Writing { writers: own, view } => {
            let own = moved(own, &writers);
            (!own.is_empty()).then_some(Block::Writing { writers: own, view: *view })
        }
        Block::Acting { conditions: own, models } => {
            let own = moved(own, &conditions);
            (!own.is_empty()).then(|| Block::Acting { conditions: own, models: models.clone() })
        }
        Block::Pipeline { writers: own, view, arms: some, models } => {
            let (own, some) = (moved(own, &writers), moved(some, &arms));
            let empty = own.is_empty() || some.is_empty();
            (!empty).then(|| Block::Pipeline { writers: own, view: *view, arms: some, models: models.clone() })
        }
    };
    setup.blocks = setup.blocks.iter().filter_map(block).collect();
    let policies = setup.conditions.iter().map(|one| &one.policy).chain(setup.arms.iter().map(|one| &one.policy));
    let policies = policies.cloned().collect();
    let writers = setup.writers.iter().map(|one| one.digest.clone()).collect();
    let conditions: BTreeSet<String> = setup.conditions.iter().map(|one| one.key.clone()).collect();
    let arms: BTreeSet<String> = setup.arms.iter().map(|one| one.key.clone()).collect();
    let name = name.to_owned();
    let wanted = Box::new(move |line: &Map<String, Value>| {
        let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
        match (text("module"), is_policy) {
            ("B", true) => conditions.contains(text("condition")),
            ("C", true) => arms.contains(text("arm")),
            ("A" | "C", false) => text("writer") == name,
            _ => false,
        }
    });
    let mut left = settings.clone();
    left.extend(setup.settings());
    Ok(Cut { settings: left, policies, writers, wanted })
}

/// Leaves what is wanted, and says where it stood.
fn kept<T: Clone>(list: &mut Vec<T>, wanted: impl Fn(&T) -> bool) -> Vec<usize> {
    let places = list.iter().enumerate().filter(|(_, one)| wanted(one)).map(|(at, _)| at).collect();
    list.retain(|one| wanted(one));
    places
}

/// Settings that are the same for everybody who submits a component of a kind.
pub(crate) fn shared(mut settings: Map<String, Value>, kind: Kind) -> Map<String, Value> {
    // What they list is what the plan's units name.
    let own: &[&str] = match kind {
        Kind::Writer => &["blocks", "conditions", "writers"],
        _ => &["blocks", "conditions", "arms"],
    };
    settings.retain(|name, _| !own.contains(&name.as_str()));
    settings
}

/// The units that a policy, or a writer, which takes part wherever others do has in a run, without what names it: in Module B
/// the memory is washed, and nobody is told what is gold.
///
/// # Errors
/// Where the plan cannot be read.
pub(crate) fn published(store: &Store, manifest: &Manifest, kind: Kind) -> Result<Vec<String>, Error> {
    let setup = Setup::of(&manifest.settings)?;
    let plain = |one: &&super::setup::ConditionEntry| one.memory == MemoryName::Washed && !one.gold;
    let conditions: BTreeSet<&str> = setup.conditions.iter().filter(plain).map(|one| one.key.as_str()).collect();
    let arms: BTreeSet<&str> = setup.arms.iter().filter(|one| !one.gold).map(|one| one.key.as_str()).collect();
    let is_policy = kind == Kind::Policy;
    let found = units(store, |line| {
        let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let wanted = match (text("module").as_str(), is_policy) {
            ("B", true) => conditions.contains(text("condition").as_str()),
            ("C", true) => arms.contains(text("arm").as_str()),
            ("A" | "C", false) => true,
            _ => false,
        };
        let own: &[&str] = if is_policy { &["condition", "arm"] } else { &["writer"] };
        line.retain(|key, _| !own.contains(&key.as_str()));
        wanted
    })?;
    Ok(found.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
}
