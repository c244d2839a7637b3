//! One name, one thing: a run keeps its results by the names of policies, models, domains, scenarios, conditions and seeds,
//! and its report sets policies and models of the paper's names beside the paper's numbers. Two things of one name would be
//! counted as one, and one thing twice would look like twice the evidence, so both are refused before anything is run.

use crate::error::Error;
use crate::manifest::Manifest;
use crate::models::{self, Known, NoRealModels};
use std::collections::BTreeSet;
use weir_components::find;
use weir_trace::json::sha256;

/// Demands that every name stands for one thing.
///
/// # Errors
/// The first name that is there twice.
pub(crate) fn distinct(what: &str, names: impl Iterator<Item = String>) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for name in names {
        if seen.contains(&name) {
            return Err(Error::Input(format!(
                "{what} `{name}` is there twice: its results could not be told apart\n  give each once, under a name of its own"
            )));
        }
        seen.insert(name);
    }
    Ok(())
}

/// Demands that a manifest's plugins have names of their own, and a built-in name only what is built in.
///
/// # Errors
/// The first plugin of which this does not hold.
pub(crate) fn check_plugins(manifest: &Manifest) -> Result<(), Error> {
    for kind in manifest.plugins.iter().map(|plugin| plugin.kind.as_str()).collect::<BTreeSet<_>>() {
        let names = manifest.plugins.iter().filter(|plugin| plugin.kind == kind).map(|plugin| plugin.name.clone());
        distinct(kind, names)?;
    }
    let impostor = manifest
        .plugins
        .iter()
        .find(|plugin| find(&plugin.kind, &plugin.name).is_some_and(|known| sha256(known.bytes) != plugin.digest));
    impostor.map_or(Ok(()), |plugin| Err(not_built_in(&plugin.kind, &plugin.name, "rename its file")))
}

/// Demands that models have names of their own, and a built-in name only what is built in.
///
/// # Errors
/// The first model of which this does not hold.
pub(crate) fn check_models(all: &[Known]) -> Result<(), Error> {
    distinct("model", all.iter().map(|model| model.name().to_owned()))?;
    for model in all {
        let name = model.name();
        let impostor = || Ok::<_, Error>(models::find(name, &NoRealModels)?.entry() != model.entry());
        if models::names().any(|known| known == name) && impostor()? {
            return Err(not_built_in("model", name, "give its profile another `name`"));
        }
    }
    Ok(())
}

fn not_built_in(kind: &str, name: &str, mend: &str) -> Error {
    Error::Input(format!(
        "{kind} `{name}` is not the built-in {kind} of this name: reports would take its numbers for that one's\n  {mend}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_twice_is_named() {
        let names = |names: &[&str]| distinct("policy", names.iter().map(ToString::to_string));
        names(&["a", "b"]).unwrap();
        assert!(names(&["a", "b", "a"]).unwrap_err().to_string().contains("policy `a` is there twice"));
    }
}
