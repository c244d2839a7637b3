//! A run's manifest: everything that its results depend on, by digest.

use crate::plan::Identities;
use crate::plugins::Plugins;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use weir_rollout::reduce::MetricInfo;
use weir_runtime::{Component, Grants, Kind};
use weir_trace::json::{canonical, sha256};

/// The format's name.
pub const FORMAT: &str = "weir-run/1";

/// A plugin that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginEntry {
    /// `policy`, `domain` or `reducer`.
    pub kind: String,
    /// The name by which it was asked for.
    pub name: String,
    /// SHA-256 of the component; a copy is at `components/DIGEST.wasm`.
    pub digest: String,
    /// Its own version, where it says.
    pub version: Option<String>,
}

/// The manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// Weir's version.
    pub host: String,
    /// The contract's package.
    pub contract: String,
    /// SHA-256 over the contract.
    pub contract_digest: String,
    /// `run` or `replay`.
    pub kind: String,
    /// Plugins, in the order in which they were named.
    pub plugins: Vec<PluginEntry>,
    /// What the operator granted, limits included.
    pub grants: Grants,
    /// The command's settings.
    pub settings: BTreeMap<String, Value>,
    /// The metrics that the reducers compute.
    pub metrics: Vec<MetricInfo>,
    /// Units in the plan.
    pub units: usize,
    /// SHA-256 of `plan.jsonl`.
    pub plan: String,
}

impl Manifest {
    /// A manifest without plugins, metrics and plan.
    #[must_use]
    pub fn new(kind: &str, grants: &Grants) -> Self {
        Manifest {
            format: FORMAT.into(),
            host: env!("CARGO_PKG_VERSION").into(),
            contract: weir_runtime::contract::CURRENT.package(),
            contract_digest: weir_runtime::contract::CURRENT.digest(),
            kind: kind.into(),
            plugins: Vec::new(),
            grants: grants.clone(),
            settings: BTreeMap::new(),
            metrics: Vec::new(),
            units: 0,
            plan: String::new(),
        }
    }

    /// Policies that were given as files: those whose name no built-in one has.
    pub fn own_policies(&self) -> impl Iterator<Item = &str> {
        let policies = self.plugins.iter().filter(|plugin| plugin.kind == Kind::Policy.name());
        let names = policies.map(|plugin| plugin.name.as_str());
        names.filter(|name| !Plugins::names(Kind::Policy).any(|known| known == *name))
    }

    /// Adds a plugin.
    pub fn add(&mut self, kind: Kind, component: &Component) {
        self.plugins.push(PluginEntry {
            kind: kind.name().into(),
            name: component.name().into(),
            digest: component.digest().into(),
            version: component.version().map(str::to_owned),
        });
    }

    /// Roles in which plugins asked models.
    #[must_use]
    pub fn roles(&self) -> Vec<String> {
        let roles = self.settings.get("roles").and_then(Value::as_object);
        roles.into_iter().flat_map(|roles| roles.keys().cloned()).collect()
    }

    /// Identity of the whole run, short enough for a folder's name: two runs share it iff their manifests are equal.
    #[must_use]
    pub fn identity(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        let digest = sha256(canonical(&value).as_bytes());
        digest.get(..8).unwrap_or(&digest).to_owned()
    }

    /// Identities of units: SHA-256 over all that a unit's result depends on. Complete once all reducers are added.
    #[must_use]
    pub fn identities(&self) -> Identities {
        let grants = serde_json::to_value(&self.grants).unwrap_or_default();
        let mut shared = serde_json::json!({
            "host": self.host,
            "contract": self.contract_digest,
            "grants": grants,
            "reducers": self.plugins.iter().filter(|p| p.kind == "reducer").map(|p| &p.digest).collect::<Vec<_>>(),
        });
        // Models for plugins, where there are any.
        if let (Some(roles), Some(shared)) = (self.settings.get("roles"), shared.as_object_mut()) {
            shared.insert("roles".into(), roles.clone());
        }
        Identities::new(&canonical(&shared))
    }
}
