//! Two-sided grants: a plugin's manifest asks, the operator's file grants, and both must agree.
//!
//! The manifest is a TOML file beside the component, `my-guard.toml` for `my-guard.wasm`:
//!
//! ```toml
//! version = "1.2.0"
//! asks = ["log", "transcript"]
//! optional = ["model:judge"]
//! ```
//!
//! What it asks for must be granted, or it is not loaded. What is optional may be refused: it is loaded all the same, and a
//! model's role that is not granted answers `access-denied`.
//!
//! The operator's file, given with `--grants`:
//!
//! ```toml
//! grant = ["log", "transcript"]        # for every plugin; this is the default
//!
//! [plugin.my-guard]                    # for one plugin, instead of the above
//! grant = ["log", "transcript", "model:judge"]
//! profile = "strict"
//!
//! [limits]                             # see the limits' documentation
//! hook-fuel = 10000000
//! ```
//!
//! Unknown keys are errors in both. Without a manifest a plugin asks for `log` and `transcript`, which reach nothing outside
//! its own rollout.

use crate::fault::Cause;
use crate::limits::Limits;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Something that a plugin may be allowed to use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Capability {
    /// Lines for the audit log.
    Log,
    /// Texts of the events it was shown.
    Transcript,
    /// Completions, in a named role.
    Model(String),
}

impl TryFrom<String> for Capability {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "log" => Ok(Capability::Log),
            "transcript" => Ok(Capability::Transcript),
            other => match other.strip_prefix("model:") {
                Some(role) if !role.is_empty() => Ok(Capability::Model(role.into())),
                _ => Err(format!("unknown capability `{other}`: expected `log`, `transcript` or `model:ROLE`")),
            },
        }
    }
}

impl From<Capability> for String {
    fn from(capability: Capability) -> Self {
        capability.to_string()
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Capability::Log => f.write_str("log"),
            Capability::Transcript => f.write_str("transcript"),
            Capability::Model(role) => write!(f, "model:{role}"),
        }
    }
}

/// Which imports a plugin may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Only `weir:plugin`: the leaderboard.
    #[default]
    Strict,
    /// Also a virtual WASI 0.2 for language runtimes that insist on one: fixed clock, seeded random, empty environment, no
    /// files, no sockets.
    Compat,
}

/// What a plugin asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// The plugin's own version, for reports.
    pub version: Option<String>,
    /// Capabilities that it cannot do without.
    pub asks: Vec<Capability>,
    /// Capabilities that it uses where they are granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Capability>,
}

impl Default for Manifest {
    fn default() -> Self {
        Manifest { version: None, asks: vec![Capability::Log, Capability::Transcript], optional: Vec::new() }
    }
}

/// What the operator grants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Grants {
    /// For plugins that are not named below.
    pub grant: Vec<Capability>,
    /// For one plugin, by name.
    pub plugin: BTreeMap<String, PluginGrants>,
    /// For all plugins.
    pub limits: Limits,
}

/// What the operator grants to one plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginGrants {
    /// Capabilities, instead of the general ones.
    pub grant: Vec<Capability>,
    /// Which imports it may have.
    #[serde(default)]
    pub profile: Profile,
}

impl Default for Grants {
    fn default() -> Self {
        Grants {
            grant: vec![Capability::Log, Capability::Transcript],
            plugin: BTreeMap::new(),
            limits: Limits::default(),
        }
    }
}

impl Grants {
    /// The profile in which a plugin runs.
    #[must_use]
    pub fn profile(&self, plugin: &str) -> Profile {
        self.plugin.get(plugin).map(|own| own.profile).unwrap_or_default()
    }

    /// The roles in which a plugin may ask a model: those that its manifest names and the operator grants.
    #[must_use]
    pub fn roles(&self, plugin: &str, manifest: &Manifest) -> BTreeSet<String> {
        let granted = self.granted(plugin);
        let wanted = manifest.asks.iter().chain(&manifest.optional).filter(|capability| granted.contains(capability));
        let role = |capability: &Capability| match capability {
            Capability::Model(role) => Some(role.clone()),
            Capability::Log | Capability::Transcript => None,
        };
        wanted.filter_map(role).collect()
    }

    fn granted(&self, plugin: &str) -> &[Capability] {
        self.plugin.get(plugin).map_or(&self.grant, |own| &own.grant)
    }

    /// Whether this plugin may import the capability.
    ///
    /// # Errors
    /// Who refused it, and what to change.
    pub fn check(&self, plugin: &str, manifest: &Manifest, wanted: &Capability) -> Result<(), Cause> {
        let named = |list: &[Capability]| match wanted {
            // The import is one for all roles; the role is checked again at each call.
            Capability::Model(role) if role == "*" => list.iter().any(|c| matches!(c, Capability::Model(_))),
            _ => list.contains(wanted),
        };
        if named(&manifest.optional) {
            return Ok(());
        }
        let refused = |refused_by: String| Err(Cause::NotGranted { capability: wanted.to_string(), refused_by });
        if !named(&manifest.asks) {
            return refused(format!("the manifest does not ask for it: add it to `asks` in {plugin}.toml"));
        }
        if !named(self.granted(plugin)) {
            return refused(format!(
                "the operator does not grant it: add it to `grant` for `{plugin}` in the grants file"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge() -> Capability {
        Capability::Model("judge".into())
    }

    #[test]
    fn a_capability_needs_both_sides() {
        let asks = Manifest { asks: vec![judge()], ..Manifest::default() };
        let grants: Grants = toml::from_str("[plugin.guard]\ngrant = [\"model:judge\"]").unwrap();
        assert_eq!(grants.check("guard", &asks, &judge()), Ok(()));
        assert!(
            matches!(grants.check("guard", &Manifest::default(), &judge()), Err(Cause::NotGranted { refused_by, .. }) if refused_by.contains("manifest"))
        );
        assert!(
            matches!(grants.check("other", &asks, &judge()), Err(Cause::NotGranted { refused_by, .. }) if refused_by.contains("operator"))
        );
    }

    #[test]
    fn an_optional_capability_may_be_refused_and_is_then_no_role() {
        let wants = Manifest { optional: vec![judge()], ..Manifest::default() };
        assert_eq!(Grants::default().check("guard", &wants, &Capability::Model("*".into())), Ok(()));
        assert!(Grants::default().roles("guard", &wants).is_empty());
        let grants: Grants = toml::from_str("grant = [\"model:judge\", \"model:writer\"]").unwrap();
        assert_eq!(grants.roles("guard", &wants), BTreeSet::from(["judge".to_owned()]));
        assert!(grants.roles("guard", &Manifest::default()).is_empty());
    }

    #[test]
    fn log_and_transcript_are_granted_by_default() {
        let (grants, manifest) = (Grants::default(), Manifest::default());
        assert_eq!(grants.check("any", &manifest, &Capability::Log), Ok(()));
        assert_eq!(grants.check("any", &manifest, &Capability::Transcript), Ok(()));
    }

    #[test]
    fn an_unknown_key_or_capability_is_an_error() {
        assert!(toml::from_str::<Grants>("grants = []").unwrap_err().to_string().contains("grants"));
        assert!(toml::from_str::<Grants>("grant = [\"files\"]").unwrap_err().to_string().contains("files"));
        assert!(toml::from_str::<Grants>("[limits]\nhook_fuel = 1").is_err());
        assert!(toml::from_str::<Manifest>("ask = []").is_err());
    }
}
