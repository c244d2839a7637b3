//! Real models of a run. Where they come from, a server, weights or a cassette, is the caller's business.

use crate::error::Error;
use crate::grid::ModelEntry;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use weir_agent::{Backend, ChatModel, ChatSettings, Identity};
use weir_rollout::models::{RoleModel, Roles};
use weir_trace::json::{canonical, sha256};

/// How the names of real models begin.
pub const PREFIXES: [&str; 2] = ["openai-api/", "gguf:"];

/// Whether a name is a real model's.
#[must_use]
pub fn is_real(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// A real model and how it is asked.
#[derive(Clone)]
pub struct Real {
    /// The model.
    pub backend: Arc<dyn Backend>,
    /// How it is asked.
    pub settings: ChatSettings,
    /// Price of a million tokens read and written, in millionths of the price file's currency; 0 without a price.
    pub price: [u64; 2],
}

/// A real model, as a manifest has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealEntry {
    /// Which model it is.
    pub identity: Identity,
    /// How it is asked.
    pub settings: ChatSettings,
}

impl Real {
    /// The name under which results are reported.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.backend.identity().name
    }

    /// As a manifest has it.
    #[must_use]
    pub fn entry(&self) -> RealEntry {
        RealEntry { identity: self.backend.identity().clone(), settings: self.settings }
    }

    /// SHA-256 over what its answers depend on, as far as it is known.
    #[must_use]
    pub fn digest(&self) -> String {
        sha256(canonical(&json!(self.entry())).as_bytes())
    }

    /// The model in one rollout; `repeat` is 0, or the number of the repetition where a run measures its own noise.
    #[must_use]
    pub fn agent(&self, repeat: u32) -> ChatModel {
        ChatModel::new(Arc::clone(&self.backend), self.settings, repeat)
    }

    /// In a manifest's settings.
    pub(crate) fn model_entry(&self) -> ModelEntry {
        ModelEntry { name: self.name().to_owned(), digest: self.digest(), real: Some(self.entry()) }
    }
}

/// Where a run's real models come from.
pub trait RealModels {
    /// The model of this name.
    ///
    /// # Errors
    /// Where it cannot be had.
    fn find(&self, name: &str) -> Result<Real, Error>;

    /// Models for plugins, by role.
    ///
    /// # Errors
    /// Where one cannot be had.
    fn roles(&self) -> Result<BTreeMap<String, Real>, Error> {
        Ok(BTreeMap::new())
    }
}

/// None.
pub struct NoRealModels;

impl RealModels for NoRealModels {
    fn find(&self, name: &str) -> Result<Real, Error> {
        Err(Error::Input(format!("no real model is at hand here, and `{name}` is one")))
    }
}

/// Models by role as rollouts take them.
pub(crate) fn for_rollouts(roles: &BTreeMap<String, Real>) -> Roles {
    let one = |real: &Real| RoleModel {
        backend: Arc::clone(&real.backend),
        temperature: real.settings.temperature,
        price: real.price,
    };
    roles.iter().map(|(role, real)| (role.clone(), one(real))).collect()
}

/// Models by role as a manifest has them.
pub(crate) fn entries(roles: &BTreeMap<String, Real>) -> BTreeMap<String, ModelEntry> {
    roles.iter().map(|(role, real)| (role.clone(), real.model_entry())).collect()
}
