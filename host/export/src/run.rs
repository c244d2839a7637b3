//! A run as an export reads it: plan, rows and traces side by side, one unit after the other, each checked against the
//! others.

use crate::What;
use serde::Deserialize;
use std::collections::BTreeMap;
use weir_memory::facts::Module;
use weir_suite::manifest::FORMAT;
use weir_suite::store::{Store, TRACES};
use weir_suite::{Error, Manifest, Row};
use weir_trace::Trace;
use weir_trace::json::{canonical, sha256};

/// A complete run.
pub(crate) struct Run<'a> {
    store: &'a Store,
    pub(crate) manifest: Manifest,
    /// SHA-256 of the manifest's file.
    pub(crate) manifest_digest: String,
    /// Digests of policies by name; none where several have the name.
    policies: BTreeMap<String, Option<String>>,
}

/// What the plan says of a unit beyond its row.
#[derive(Debug, Deserialize)]
pub(crate) struct Planned {
    unit: String,
    /// None in a replay, which has records instead.
    #[serde(default)]
    pub(crate) scenario_digest: Option<String>,
    /// In a replay, the record's identity.
    #[serde(default)]
    pub(crate) recorded: Option<String>,
}

impl<'a> Run<'a> {
    /// Opens a run.
    pub(crate) fn open(store: &'a Store) -> Result<Self, Error> {
        let manifest = store.manifest()?;
        if manifest.format != FORMAT {
            return Err(Error::Input(format!(
                "the run's format is {:?}, this Weir exports {FORMAT:?}",
                manifest.format
            )));
        }
        let bytes = store.read("manifest.json")?.unwrap_or_default();
        let mut policies: BTreeMap<String, Option<String>> = BTreeMap::new();
        for plugin in manifest.plugins.iter().filter(|plugin| plugin.kind == "policy") {
            let digest = Some(plugin.digest.clone());
            policies
                .entry(plugin.name.clone())
                .and_modify(|known| *known = known.take().filter(|known| *known == plugin.digest))
                .or_insert(digest);
        }
        Ok(Run { store, manifest, manifest_digest: sha256(&bytes), policies })
    }

    /// Visits the rows, without their traces.
    pub(crate) fn each_row(&self, visit: &mut dyn FnMut(&Row, &Planned) -> Result<(), Error>) -> Result<(), Error> {
        let (mut plan, mut units) = (self.store.plan()?, 0);
        for row in self.store.rows()? {
            let row = row?;
            units += 1;
            let planned = plan.next().transpose()?.and_then(|line| serde_json::from_str::<Planned>(&line).ok());
            let planned = planned
                .filter(|planned| planned.unit == row.unit)
                .ok_or_else(|| self.damaged(&format!("row {units} is not of the unit that the plan has there")))?;
            visit(&row, &planned)?;
        }
        if units != self.manifest.units {
            return Err(self.damaged(&format!("it has {units} rows, its plan has {} units", self.manifest.units)));
        }
        Ok(())
    }

    /// Visits the rows with their traces.
    pub(crate) fn each_trace(&self, visit: &mut dyn FnMut(&Row, &Trace) -> Result<(), Error>) -> Result<(), Error> {
        let mut traces = self.store.traces()?;
        let path = self.store.path().join(TRACES);
        self.each_row(&mut |row, _| match traces.next_trace().map_err(|e| Error::codec(&path, e))? {
            Some((trace, digest)) if digest == row.trace.sha256 && trace.header.unit == row.unit => visit(row, &trace),
            Some(_) => Err(self.damaged(&format!("the trace of unit {} is not the one of its row", row.unit))),
            None => Err(self.damaged(&format!("{TRACES} ends before unit {}", row.unit))),
        })
    }

    /// The digest of a row's policy; none where a writer writes and no policy takes part. Its name says which one, unless two
    /// files of the same name took part: then only the trace knows.
    pub(crate) fn policy_digest(&self, row: &Row) -> Result<Option<String>, Error> {
        if row.memory.as_ref().is_some_and(|facts| facts.module == Module::Writing) {
            return Ok(None);
        }
        match self.policies.get(&row.policy) {
            Some(Some(digest)) => Ok(Some(digest.clone())),
            Some(None) => {
                let policy = self.store.trace(row)?.header.policy;
                policy
                    .map(|policy| Some(policy.digest))
                    .ok_or_else(|| self.damaged(&format!("the trace of unit {} names no policy", row.unit)))
            }
            None => Err(self.damaged(&format!("policy `{}` is not in the manifest", row.policy))),
        }
    }

    /// What a file says of itself.
    pub(crate) fn about(&self, what: What, columns: &[crate::Column]) -> Vec<(String, String)> {
        let meanings: BTreeMap<&str, &str> =
            columns.iter().map(|column| (column.name.as_str(), column.meaning.as_str())).collect();
        let meanings = canonical(&serde_json::json!(meanings));
        [
            ("weir.version", self.manifest.host.clone()),
            ("weir.table", what.name().to_owned()),
            ("weir.run", self.manifest.identity()),
            ("weir.run.kind", self.manifest.kind.clone()),
            ("weir.manifest.sha256", self.manifest_digest.clone()),
            ("weir.columns", meanings),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
    }

    fn damaged(&self, what: &str) -> Error {
        let path = self.store.path().display();
        Error::Input(format!("{path}: {what}\n  the run was altered or damaged: `weir verify` says more"))
    }
}
