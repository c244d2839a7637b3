//! A tool call read against the catalogue.

use crate::tools::{Behaviour, ParameterSpec, ToolSpec};
use serde_json::Value;
use std::collections::BTreeMap;
use weir_plugin::domain::{Call, Error, Role};
use weir_plugin::json;
use weir_plugin::json::canonical;

/// One call.
#[derive(Debug)]
pub struct Act {
    /// The tool.
    pub tool: &'static ToolSpec,
    /// Canonical values by argument name; absent ones left out.
    arguments: BTreeMap<String, String>,
}

impl Act {
    /// Reads a call.
    ///
    /// # Errors
    /// `invalid-input` where there is no such tool or the arguments are no JSON object.
    pub fn read(tools: &'static [ToolSpec], call: &Call) -> Result<Self, Error> {
        let Some(tool) = usize::try_from(call.tool).ok().and_then(|index| tools.get(index)) else {
            return Err(Error::InvalidInput(format!("there is no tool number {}", call.tool)));
        };
        // Not a `Map`: this one hashes nothing.
        let arguments: BTreeMap<String, Value> = serde_json::from_str(&call.arguments)
            .map_err(|e| Error::InvalidInput(format!("arguments of `{}` are not a JSON object: {e}", tool.name)))?;
        let arguments = arguments.into_iter().map(|(name, value)| (name, canonical(&value)));
        Ok(Act { tool, arguments: arguments.filter(|(_, value)| !json::is_absent(value)).collect() })
    }

    /// An argument's canonical value, if it is given.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str)
    }

    /// An argument's text, empty where it is not given or not text.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.given(name).and_then(json::string).unwrap_or_default()
    }

    /// The identifier of the existing object that it is about, if any.
    #[must_use]
    pub fn object(&self) -> Option<String> {
        self.tool.does.object().map(|name| self.text(name))
    }

    /// The scalar values of all arguments.
    #[must_use]
    pub fn values(&self) -> Vec<String> {
        self.arguments.values().flat_map(|value| json::leaves(value).unwrap_or_default()).collect()
    }

    /// The scalar values in a role.
    #[must_use]
    pub fn named(&self, role: Role) -> Vec<String> {
        let values = self.tool.parameters.iter().filter(|p| p.role == role).filter_map(|p| self.given(p.name));
        values.flat_map(|value| json::leaves(value).unwrap_or_default()).collect()
    }

    /// Whom and what it names.
    #[must_use]
    pub fn targets(&self) -> Vec<String> {
        let mut targets = self.named(Role::Recipient);
        targets.extend(self.named(Role::Target));
        targets
    }

    /// Its arguments as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let entries: Vec<String> =
            self.arguments.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
        format!("{{{}}}", entries.join(","))
    }

    /// What is wrong with the call as such: an argument that is missing, unknown or no text.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let spec = |name: &str| self.tool.parameters.iter().find(|p| p.name == name);
        if let Some(name) = self.arguments.keys().find(|name| spec(name).is_none()) {
            return Some(format!("error: `{}` has no argument `{name}`", self.tool.name));
        }
        if let Some((name, _)) = self.arguments.iter().find(|(_, value)| json::string(value).is_none()) {
            return Some(format!("error: `{name}` must be a string"));
        }
        if self.tool.does == Behaviour::Remember
            && !matches!(self.text("scope").as_str(), "" | "session" | "persistent")
        {
            return Some("error: `scope` must be `session` or `persistent`".into());
        }
        // An empty search is a search for everything.
        let missing =
            |p: &&ParameterSpec| p.required && self.given(p.name).is_none() && self.tool.does != Behaviour::Search;
        self.tool.parameters.iter().find(missing).map(|p| format!("error: `{}` needs `{}`", self.tool.name, p.name))
    }
}
