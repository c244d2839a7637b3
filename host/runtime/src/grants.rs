//! Two-sided grants: a plugin's metadata ask, the operator's file grants, and both must agree.
//!
//! What a plugin asks for stands in the component, see [`weir_metadata`]. The operator's file, given with `--grants`:
//!
//! ```toml
//! grant = ["log", "transcript"]        # for every plugin; this is the default
//!
//! [plugin.my-guard]                    # for one plugin, instead of the above
//! grant = ["log", "transcript", "model:judge"]
//! profile = "strict"
//!
//! [limits]                             # see the limits' documentation
//! hook-fuel = 100000000
//! ```
//!
//! Unknown keys are errors. A plugin is named here as the operator loads it: by its file's name, whatever it calls itself.
//! Without metadata a plugin asks for `log` and `transcript`, which reach nothing outside its own rollout.

use crate::fault::Cause;
use crate::limits::Limits;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use weir_metadata::{Capability, Metadata};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asks {
    /// Capabilities that it cannot do without.
    pub needed: Vec<Capability>,
    /// Capabilities that it uses where they are granted.
    pub optional: Vec<Capability>,
}

impl Asks {
    /// What a component's metadata ask for, or what one without any does.
    #[must_use]
    pub fn of(metadata: Option<&Metadata>) -> Self {
        match metadata {
            Some(said) => Asks { needed: said.asks.clone(), optional: said.optional.clone() },
            None => Asks { needed: vec![Capability::Log, Capability::Transcript], optional: Vec::new() },
        }
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

    /// The roles in which a plugin may ask a model: those that it asks for and the operator grants.
    #[must_use]
    pub fn roles(&self, plugin: &str, asks: &Asks) -> BTreeSet<String> {
        let granted = self.granted(plugin);
        let wanted = asks.needed.iter().chain(&asks.optional).filter(|capability| granted.contains(capability));
        let role = |capability: &Capability| match capability {
            Capability::Model(role) => Some(role.clone()),
            Capability::Log | Capability::Transcript => None,
        };
        wanted.filter_map(role).collect()
    }

    fn granted(&self, plugin: &str) -> &[Capability] {
        self.plugin.get(plugin).map_or(&self.grant, |own| &own.grant)
    }

    /// Whether this plugin may import `log` or `transcript`.
    ///
    /// # Errors
    /// Who refused it, and what to change.
    pub fn check(&self, plugin: &str, asks: &Asks, wanted: &Capability) -> Result<(), Cause> {
        if asks.optional.contains(wanted) {
            return Ok(());
        }
        if !asks.needed.contains(wanted) {
            return Err(not_asked(&wanted.to_string(), &wanted.to_string()));
        }
        self.check_grant(plugin, wanted)
    }

    /// Whether this plugin may import `model`. The import is one for all roles; the role is checked again at each call.
    ///
    /// # Errors
    /// The first role that it needs and is not granted, or that it asks for none.
    pub fn check_model(&self, plugin: &str, asks: &Asks) -> Result<(), Cause> {
        let roles = |list: &[Capability]| list.iter().any(|one| matches!(one, Capability::Model(_)));
        if !roles(&asks.needed) && !roles(&asks.optional) {
            return Err(not_asked("model", "model:ROLE"));
        }
        let needed = asks.needed.iter().filter(|one| matches!(one, Capability::Model(_)));
        needed.into_iter().try_for_each(|role| self.check_grant(plugin, role))
    }

    fn check_grant(&self, plugin: &str, wanted: &Capability) -> Result<(), Cause> {
        if self.granted(plugin).contains(wanted) {
            return Ok(());
        }
        let refused_by =
            format!("the operator does not grant it: add it to `grant` for `{plugin}` in the file of --grants");
        Err(Cause::NotGranted { capability: wanted.to_string(), refused_by })
    }
}

fn not_asked(capability: &str, flag: &str) -> Cause {
    let refused_by = format!(
        "the plugin does not ask for it: add \"{flag}\" to `asks` in weir.toml, or run `weir annotate FILE --ask {flag}`"
    );
    Cause::NotGranted { capability: capability.into(), refused_by }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge() -> Capability {
        Capability::Model("judge".into())
    }

    fn asks(needed: &[Capability], optional: &[Capability]) -> Asks {
        Asks { needed: needed.to_vec(), optional: optional.to_vec() }
    }

    #[test]
    fn a_capability_needs_both_sides() {
        let needs = asks(&[judge()], &[]);
        let grants: Grants = toml::from_str("[plugin.guard]\ngrant = [\"model:judge\"]").unwrap();
        assert_eq!(grants.check_model("guard", &needs), Ok(()));
        assert!(
            matches!(grants.check_model("guard", &Asks::of(None)), Err(Cause::NotGranted { refused_by, .. }) if refused_by.contains("--ask model:ROLE"))
        );
        assert!(
            matches!(grants.check_model("other", &needs), Err(Cause::NotGranted { capability, refused_by }) if capability == "model:judge" && refused_by.contains("operator"))
        );
        assert!(
            matches!(grants.check("guard", &needs, &Capability::Log), Err(Cause::NotGranted { refused_by, .. }) if refused_by.contains("--ask log"))
        );
    }

    #[test]
    fn each_role_that_is_needed_must_be_granted() {
        let needs = asks(&[judge(), Capability::Model("writer".into())], &[]);
        let grants: Grants = toml::from_str("grant = [\"model:judge\"]").unwrap();
        assert!(
            matches!(grants.check_model("guard", &needs), Err(Cause::NotGranted { capability, .. }) if capability == "model:writer")
        );
    }

    #[test]
    fn an_optional_capability_may_be_refused_and_is_then_no_role() {
        let wants = asks(&[], &[judge()]);
        assert_eq!(Grants::default().check_model("guard", &wants), Ok(()));
        assert!(Grants::default().roles("guard", &wants).is_empty());
        let grants: Grants = toml::from_str("grant = [\"model:judge\", \"model:writer\"]").unwrap();
        assert_eq!(grants.roles("guard", &wants), BTreeSet::from(["judge".to_owned()]));
        assert!(grants.roles("guard", &Asks::of(None)).is_empty());
    }

    #[test]
    fn log_and_transcript_are_granted_by_default() {
        let (grants, asks) = (Grants::default(), Asks::of(None));
        assert_eq!(grants.check("any", &asks, &Capability::Log), Ok(()));
        assert_eq!(grants.check("any", &asks, &Capability::Transcript), Ok(()));
    }

    #[test]
    fn an_unknown_key_or_capability_is_an_error() {
        assert!(toml::from_str::<Grants>("grants = []").unwrap_err().to_string().contains("grants"));
        assert!(toml::from_str::<Grants>("grant = [\"files\"]").unwrap_err().to_string().contains("files"));
        assert!(toml::from_str::<Grants>("[limits]\nhook_fuel = 1").is_err());
    }
}
