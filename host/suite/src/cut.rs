//! A run cut down to one component: what is left is a run of its own, with the units that the component had, under the same
//! identities, since no unit depends on what else was compared with it.

use crate::authority;
use crate::error::Error;
use crate::manifest::Manifest;
use crate::plan::Plan;
use crate::row::Row;
use crate::store::{RESULTS, Store, planned};
use serde_json::{Map, Value};
use std::path::Path;
use weir_runtime::Kind;
use weir_trace::codec::Frame;
use weir_trace::json::sha256_of_pieces;

/// Rows that are written at once.
const PORTION: usize = 256;

/// Whether a line of the plan stays.
pub(crate) type Wanted = Box<dyn Fn(&Map<String, Value>) -> bool>;

/// Cuts a run down to one policy, or, for a run of an authority suite, to one writer. `to` becomes the new run's folder.
///
/// # Errors
/// Where the run is not complete, has no such component, or cannot be read; or where `to` cannot be written.
pub fn cut(store: &Store, kind: Kind, name: &str, to: &Path) -> Result<Store, Error> {
    let mut manifest = store.manifest()?;
    let digest = component(&manifest, store.path(), kind, name)?;
    let wanted: Wanted = match (manifest.kind.as_str(), kind) {
        ("run", Kind::Policy) => {
            let name = name.to_owned();
            Box::new(move |line| line.get("policy").and_then(Value::as_str) == Some(&name))
        }
        (authority::KIND, Kind::Policy | Kind::Writer) => {
            let cut = authority::cut(&manifest.settings, kind, name, &digest)?;
            manifest.settings = cut.settings;
            manifest.plugins.retain(|plugin| {
                let used = match plugin.kind.as_str() {
                    "policy" => &cut.policies,
                    "writer" => &cut.writers,
                    _ => return true,
                };
                used.contains(&plugin.digest)
            });
            cut.wanted
        }
        (other, kind) => {
            let path = store.path().display();
            return Err(Error::Input(format!("{path} is a {other}: no {} of it can be told apart", kind.name())));
        }
    };
    if manifest.kind == "run" {
        manifest.plugins.retain(|plugin| plugin.kind != Kind::Policy.name() || plugin.digest == digest);
    }
    let kept = Kept::of(store, wanted.as_ref())?;
    manifest.units = kept.len();
    manifest.plan = sha256_of_pieces(kept.pieces());
    let components = manifest.plugins.iter().map(|plugin| {
        let bytes = store.component(&plugin.digest)?;
        Ok((plugin.digest.clone(), bytes))
    });
    let components: Vec<(String, Vec<u8>)> = components.collect::<Result<_, Error>>()?;
    let new = Store::create(to)?;
    if let Some(bases) = store.read(authority::BASES)? {
        new.write(authority::BASES, &bases)?;
    }
    let toolsets = store.traces()?.toolsets().clone();
    let begun = new.begin(&manifest, &kept, &components, &toolsets)?;
    let Some(mut writing) = begun else {
        return Err(Error::Input(format!("{}: holds a run already: give another folder", to.display())));
    };
    let frames = store.frames()?;
    let mut units = Vec::with_capacity(PORTION);
    let mut next = kept.0.iter().map(|(unit, _)| unit).peekable();
    for row in store.rows()? {
        let row: Row = row?;
        if next.next_if(|unit| **unit == row.unit).is_none() {
            continue;
        }
        let frame = Frame { bytes: frames.of(&row)?, sha256: row.trace.sha256.clone() };
        units.push((row, frame));
        if units.len() == PORTION {
            writing.append(std::mem::take(&mut units))?;
        }
    }
    writing.append(units)?;
    if let Some(missing) = next.next() {
        return Err(Error::Input(format!(
            "{}: {RESULTS} has no row of unit {missing} of {} `{name}`, or not where the plan has it",
            store.path().display(),
            kind.name()
        )));
    }
    new.finish(writing)?;
    Ok(new)
}

/// The digest of a component of a run.
fn component(manifest: &Manifest, run: &Path, kind: Kind, name: &str) -> Result<String, Error> {
    let all = manifest.plugins.iter().filter(|plugin| plugin.kind == kind.name());
    let found = all.clone().find(|plugin| plugin.name == name);
    found.map(|plugin| plugin.digest.clone()).ok_or_else(|| {
        let known: Vec<&str> = all.map(|plugin| plugin.name.as_str()).collect();
        Error::Input(format!("{} has no {} `{name}`: it has {}", run.display(), kind.name(), known.join(", ")))
    })
}

/// The units that are left, with their lines.
struct Kept(Vec<(String, String)>);

impl Kept {
    fn of(store: &Store, wanted: &dyn Fn(&Map<String, Value>) -> bool) -> Result<Self, Error> {
        let mut kept = Vec::new();
        for (number, line) in (1..).zip(store.plan()?) {
            let line = line?;
            let wrong =
                |what: String| Error::Input(format!("{}: plan.jsonl line {number}: {what}", store.path().display()));
            let fields: Map<String, Value> = serde_json::from_str(&line).map_err(|e| wrong(e.to_string()))?;
            if wanted(&fields) {
                let unit = planned(&line, "unit").ok_or_else(|| wrong("it names no unit".into()))?;
                kept.push((unit, line));
            }
        }
        Ok(Kept(kept))
    }
}

impl Plan for Kept {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn unit(&self, position: usize) -> Option<String> {
        self.0.get(position).map(|(unit, _)| unit.clone())
    }

    fn line(&self, position: usize) -> Option<String> {
        self.0.get(position).map(|(_, line)| line.clone())
    }
}
