//! A plan without the component that is compared in it: what a track of a leaderboard publishes. Two runs of one suite have
//! the same, whatever policies each of them has.
//!
//! The file's format, `weir-plan/1`, is JSON lines in canonical form, so that its SHA-256 is the plan's digest. The first
//! line has all that the units share and that is the same for everybody: Weir's version, the contract, the limits, the
//! reducers and the run's settings, with the models by the digests of their profiles and the domains by those of their
//! components. Not in it are the suite's name and title, what an operator has granted, and the models that answer plugins in
//! roles: they are a component's means, and the manifest has them. Each further line is one unit, without its identity and its
//! policy.

use crate::authority;
use crate::error::Error;
use crate::frozen;
use crate::grid::{Asked, Place, Setup, WriterEntry};
use crate::manifest::Manifest;
use crate::models::{self, Known, NoRealModels};
use crate::plugins::Plugins;
use crate::store::Store;
use crate::suite_file::Suite;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use weir_components::find;
use weir_runtime::{Grants, Kind};
use weir_trace::json::{canonical, sha256};

/// The format's name.
pub const FORMAT: &str = "weir-plan/1";

/// Settings that differ between runs of one plan.
pub const OWN: [&str; 3] = ["suite", "title", "roles"];

/// A published plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    head: Map<String, Value>,
    /// Units, as canonical JSON, in the order of the plan.
    units: Vec<String>,
}

impl Published {
    /// The plan of a run, without the component of this kind: the units of its first policy, since every other has the same;
    /// in an authority suite, those of a policy or writer that takes part wherever others do.
    ///
    /// # Errors
    /// Where it cannot be read, or the run is of a kind that has none.
    pub fn of(store: &Store, kind: Kind) -> Result<Self, Error> {
        let manifest = store.manifest()?;
        let units = match manifest.kind.as_str() {
            "run" if kind == Kind::Policy => {
                let policy = manifest.plugins.iter().find(|plugin| plugin.kind == Kind::Policy.name());
                let policy = policy.map(|policy| policy.name.clone()).unwrap_or_default();
                units(store, |line| line.get("policy").and_then(Value::as_str) == Some(&policy))?
            }
            authority::KIND => authority::published(store, &manifest, kind)?,
            "run" => {
                return Err(Error::Input(format!(
                    "{} is a run of live rollouts, which compares policies: no {} is submitted with it",
                    store.path().display(),
                    kind.name()
                )));
            }
            other => {
                return Err(Error::Input(format!(
                    "{} is a {other}: its recorded events are an import's word, so it is no entry of a leaderboard",
                    store.path().display()
                )));
            }
        };
        Ok(Published { head: head(&manifest, kind), units })
    }

    /// The plan of a built-in suite as it is, where its scenarios are frozen: no component is executed for it.
    ///
    /// # Errors
    /// Where the suite's own files do not fit each other.
    pub fn of_suite(name: &str) -> Result<Option<Self>, Error> {
        if !Suite::names().any(|known| known == name) {
            return Ok(None);
        }
        let suite = Suite::find(name)?;
        let Some(list) = suite.frozen else { return Ok(None) };
        let cases = frozen::read(name, list)?;
        let component = |kind: Kind, wanted: &str| {
            let found = find(kind.name(), wanted).map(|found| sha256(found.bytes));
            found.ok_or_else(|| Error::Input(format!("suite `{name}`: there is no {} `{wanted}`", kind.name())))
        };
        let models = suite.models.iter().map(|model| models::find(model, &NoRealModels));
        let models: Vec<Known> = models.collect::<Result<_, _>>()?;
        let writers = suite.writers.iter().map(|writer| {
            Ok::<_, Error>(WriterEntry { name: writer.clone(), digest: component(Kind::Writer, writer)? })
        });
        let requests = suite.scenarios.iter().map(|wanted| {
            Ok::<_, Error>(Asked {
                domain: component(Kind::Domain, &wanted.domain)?,
                stage: wanted.stage.clone(),
                count: wanted.count,
                seed: wanted.seed,
                several_sessions: wanted.several_sessions,
            })
        });
        let (writers, requests) = (writers.collect::<Result<_, _>>()?, requests.collect::<Result<_, _>>()?);
        let setup = Setup::new(&suite, &models, BTreeMap::new(), writers, requests);
        let conditions: Vec<String> = setup.conditions().into_iter().map(|condition| setup.name(condition)).collect();
        let mut manifest = Manifest::new("run", &Grants::default());
        manifest.settings = setup.settings();
        manifest.settings.insert("conditions".into(), json!(conditions));
        manifest.settings.insert("scenarios".into(), json!(frozen::digest_of(&cases)));
        let mut head = head(&manifest, Kind::Policy);
        let reducers = Plugins::names(Kind::Reducer).map(|reducer| component(Kind::Reducer, reducer));
        head.insert("reducers".into(), json!(reducers.collect::<Result<Vec<_>, _>>()?));
        let sizes = Place {
            condition: conditions.len(),
            policy: 1,
            model: models.len(),
            case: cases.len(),
            seed: setup.seeds.len(),
        };
        let unit = |at: usize| {
            let place = Place::at(at, sizes)?;
            let case = cases.get(place.case)?;
            Some(canonical(&json!({
                "condition": conditions.get(place.condition)?,
                "model": models.get(place.model)?.name(),
                "domain": case.domain,
                "scenario": case.id,
                "scenario_digest": case.sha256,
                "seed": setup.seeds.get(place.seed)?,
            })))
        };
        Ok(Some(Published { head, units: (0..sizes.product()).filter_map(unit).collect() }))
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it, with its line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let head: Map<String, Value> = serde_json::from_str(first).map_err(|e| format!("line 1: {e}"))?;
        let format = head.get("format").and_then(Value::as_str).unwrap_or("none");
        if format != FORMAT {
            return Err(format!("its format is `{format}`, this Weir reads `{FORMAT}`"));
        }
        let units = (2..).zip(lines).map(|(number, line)| {
            let value: Value = serde_json::from_str(line).map_err(|e| format!("line {number}: {e}"))?;
            Ok::<_, String>(canonical(&value))
        });
        Ok(Published { units: units.collect::<Result<_, _>>()?, head })
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let head = canonical(&Value::Object(self.head.clone()));
        std::iter::once(&head).chain(&self.units).map(|line| format!("{line}\n")).collect()
    }

    /// SHA-256 of the file's text.
    #[must_use]
    pub fn digest(&self) -> String {
        sha256(self.text().as_bytes())
    }

    /// Units of the plan.
    #[must_use]
    pub fn units(&self) -> usize {
        self.units.len()
    }

    /// In what another plan differs from this one, first of all in what it lacks; none where they are equal.
    #[must_use]
    pub fn difference(&self, other: &Published) -> Option<String> {
        let (ours, theirs): (BTreeSet<&String>, BTreeSet<&String>) =
            (self.units.iter().collect(), other.units.iter().collect());
        let missing = |of: &[String], have: &BTreeSet<&String>| {
            let all: Vec<String> = of.iter().filter(|unit| !have.contains(unit)).cloned().collect();
            all.first().map(|first| (all.len(), said(first)))
        };
        // Another domain, model or seed is told by its setting first: it changes every unit.
        let shares = ours.intersection(&theirs).next().is_some();
        if shares && let Some((count, first)) = missing(&self.units, &theirs) {
            return Some(format!("{count} of {} rollouts are missing, the first is {first}", self.units.len()));
        }
        if shares && let Some((count, first)) = missing(&other.units, &ours) {
            return Some(format!("{count} rollouts are not in it, the first is {first}"));
        }
        let mut places = Vec::new();
        unequal("", &Value::Object(self.head.clone()), &Value::Object(other.head.clone()), &mut places);
        if let Some((place, ours, theirs)) = places.into_iter().next() {
            return Some(format!("`{place}` is {theirs}, expected {ours}"));
        }
        if let Some((_, first)) = missing(&self.units, &theirs) {
            return Some(format!("it has none of the rollouts, the first is {first}"));
        }
        (self.units != other.units).then(|| "its rollouts stand in another order".into())
    }
}

/// What is the same for everybody.
fn head(manifest: &Manifest, kind: Kind) -> Map<String, Value> {
    let settings = manifest.settings.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
    let settings: Map<String, Value> = settings.map(|(name, value)| (name.clone(), value.clone())).collect();
    let settings = if manifest.kind == authority::KIND { authority::shared(settings, kind) } else { settings };
    let reducers: Vec<&String> =
        manifest.plugins.iter().filter(|p| p.kind == Kind::Reducer.name()).map(|p| &p.digest).collect();
    let head = json!({
        "format": FORMAT,
        "kind": manifest.kind,
        "component": kind.name(),
        "host": manifest.host,
        "contract": manifest.contract_digest,
        "limits": manifest.grants.limits,
        "reducers": reducers,
        "settings": settings,
    });
    match head {
        Value::Object(head) => head,
        _ => Map::new(),
    }
}

/// The units of a plan that are wanted, without what names the component or depends on it; `wanted` may take more away.
pub(crate) fn units(store: &Store, wanted: impl Fn(&mut Map<String, Value>) -> bool) -> Result<Vec<String>, Error> {
    let mut units = Vec::new();
    for (number, line) in (1..).zip(store.plan()?) {
        let mut line: Map<String, Value> = serde_json::from_str(&line?)
            .map_err(|e| Error::Input(format!("{}: plan.jsonl line {number}: {e}", store.path().display())))?;
        if wanted(&mut line) {
            line.retain(|key, _| key != "unit" && key != "policy");
            units.push(canonical(&Value::Object(line)));
        }
    }
    Ok(units)
}

/// A unit in words.
fn said(unit: &str) -> String {
    let fields: Map<String, Value> = serde_json::from_str(unit).unwrap_or_default();
    let shown = fields.iter().filter(|(key, _)| *key != "scenario_digest");
    let each = shown.map(|(key, value)| match value {
        Value::String(text) => format!("{key} {text}"),
        other => format!("{key} {other}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The places in which two values differ, as paths with what stands there on either side.
fn unequal(place: &str, ours: &Value, theirs: &Value, found: &mut Vec<(String, String, String)>) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let (a, b) = (a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null));
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                unequal(&place, a, b, found);
            }
        }
        (ours, theirs) if ours != theirs => found.push((place.into(), short(ours), short(theirs))),
        _ => {}
    }
}

/// A value in a line of an error.
fn short(value: &Value) -> String {
    const SHOWN: usize = 120;
    let text = canonical(value);
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(seeds: &[u64], ledger: &str) -> Published {
        let head = json!({ "format": FORMAT, "settings": { "ledger": ledger, "seeds": seeds } });
        let Value::Object(head) = head else { panic!("an object") };
        let unit = |seed: &u64| canonical(&json!({ "scenario": "s", "seed": seed }));
        Published { head, units: seeds.iter().map(unit).collect() }
    }

    #[test]
    fn a_plan_is_read_as_it_was_written_and_its_digest_is_that_of_its_file() {
        let plan = plan(&[1, 2], "oracle");
        assert_eq!(Published::parse(&plan.text()).unwrap(), plan);
        assert_eq!(plan.digest(), sha256(plan.text().as_bytes()));
        assert!(Published::parse("{\"format\":\"other\"}\n").unwrap_err().contains("its format is `other`"));
        assert!(Published::parse(&format!("{}x\n", plan.text())).unwrap_err().starts_with("line 4"));
    }

    #[test]
    fn what_is_missing_is_told_before_what_is_different() {
        let published = plan(&[1, 2, 3], "oracle");
        let difference = |other: &Published| published.difference(other).unwrap();
        assert_eq!(published.difference(&published), None);
        assert_eq!(
            difference(&plan(&[1, 3], "oracle")),
            "1 of 3 rollouts are missing, the first is scenario s, seed 2"
        );
        assert!(
            difference(&plan(&[1, 2, 3, 4], "oracle"))
                .contains("1 rollouts are not in it, the first is scenario s, seed 4")
        );
        assert_eq!(difference(&plan(&[1, 2, 3], "prompt")), "`settings.ledger` is \"prompt\", expected \"oracle\"");
        assert!(difference(&plan(&[7], "oracle")).contains("`settings.seeds` is [7]"));
        let mut turned = plan(&[1, 2, 3], "oracle");
        turned.units.reverse();
        assert!(difference(&turned).contains("another order"));
    }

    #[test]
    fn the_plan_of_a_frozen_suite_needs_no_run() {
        for name in Suite::names() {
            let frozen = Suite::find(name).unwrap().frozen.is_some();
            let published = Published::of_suite(name).unwrap();
            assert_eq!(published.is_some(), frozen, "{name}");
            assert!(published.is_none_or(|plan| plan.units() > 0), "{name}");
        }
        assert_eq!(Published::of_suite("authmem").unwrap(), None);
    }
}
