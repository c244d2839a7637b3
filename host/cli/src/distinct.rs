//! One name, one thing: a run keeps its results by the names of policies, models, domains, scenarios and seeds, and its
//! report sets policies and models of the paper's names beside the paper's numbers. Two things of one name would be counted
//! as one, and one thing twice would look like twice the evidence, so both are refused before anything is run.

use std::collections::BTreeSet;
use weir_suite::suite_file::Suite;
use weir_suite::{Error, Manifest, models};
use weir_trace::json::sha256;

/// Demands that every name of a prepared run or replay stands for one thing, and a built-in name for what is built in.
pub fn check(manifest: &Manifest) -> Result<(), Error> {
    for (place, plugin) in manifest.plugins.iter().enumerate() {
        let (kind, name, digest) = (&plugin.kind, &plugin.name, plugin.digest.as_str());
        let mut others = manifest.plugins.iter().take(place);
        if let Some(other) = others.find(|other| other.kind == *kind && other.name == *name) {
            return Err(twice(kind, name, other.digest == digest));
        }
        if weir_components::find(kind, name).is_some_and(|known| sha256(known.bytes) != digest) {
            return Err(impostor(kind, name));
        }
    }
    let text = |model: &serde_json::Value, key: &str| model.get(key).and_then(|v| v.as_str()).map(str::to_owned);
    let mut seen: Vec<(String, String)> = Vec::new();
    for model in manifest.settings.get("models").and_then(|models| models.as_array()).into_iter().flatten() {
        let (Some(name), Some(digest)) = (text(model, "name"), text(model, "digest")) else { continue };
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == name) {
            return Err(twice("model", &name, *other == digest));
        }
        if models::names().any(|known| known == name) && models::find(&name)?.digest != digest {
            return Err(impostor("model", &name));
        }
        seen.push((name, digest));
    }
    Ok(())
}

/// Demands that a suite asks for no scenarios and no seed twice.
pub fn check_suite(suite: &Suite) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for wanted in &suite.scenarios {
        if !seen.insert((&wanted.domain, &wanted.stage, wanted.seed)) {
            return Err(Error::Input(format!(
                "scenarios of domain `{}`, stage `{}`, seed {} are asked for twice: each would be counted twice\n  a domain that the suite has needs no --domain; a suite file gives a larger `count` instead",
                wanted.domain, wanted.stage, wanted.seed
            )));
        }
    }
    let mut seen = BTreeSet::new();
    match suite.seeds.iter().find(|seed| !seen.insert(**seed)) {
        Some(seed) => Err(Error::Input(format!("seed {seed} is asked for twice: its rollouts would be counted twice"))),
        None => Ok(()),
    }
}

fn twice(kind: &str, name: &str, same: bool) -> Error {
    Error::Input(if same {
        format!("{kind} `{name}` is named twice: its rollouts would be counted twice\n  name it once")
    } else {
        format!("two {} are called `{name}`\n  rename the file of one of them", plural(kind))
    })
}

fn impostor(kind: &str, name: &str) -> Error {
    Error::Input(format!(
        "{kind} `{name}` is not the built-in {kind} of this name: reports would take its numbers for that one's\n  {}",
        if kind == "model" { "give its profile another `name`" } else { "rename its file" }
    ))
}

fn plural(kind: &str) -> String {
    kind.strip_suffix('y').map_or_else(|| format!("{kind}s"), |stem| format!("{stem}ies"))
}
