//! A tool call read against the catalogue: its values by parameter, and whom and what it names.

use crate::catalogue::ToolSpec;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use weir_plugin::domain::Role;
use weir_plugin::json;
use weir_plugin::json::canonical;

/// One call, of the ground truth or proposed.
#[derive(Debug)]
pub struct Reading {
    /// The tool.
    pub tool: &'static ToolSpec,
    /// Canonical values by argument name.
    arguments: BTreeMap<String, String>,
}

impl Reading {
    /// Reads a call.
    pub fn new(tool: &'static ToolSpec, arguments: &Map<String, Value>) -> Self {
        let arguments = arguments.iter().map(|(name, value)| (name.clone(), canonical(value))).collect();
        Reading { tool, arguments }
    }

    /// An argument's value, unless it counts as absent.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str).filter(|value| !json::is_absent(value))
    }

    /// All arguments by name, also those whose value counts as absent.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.arguments.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first argument that the tool does not have.
    pub fn unknown(&self) -> Option<&str> {
        self.arguments.keys().map(String::as_str).find(|name| !self.knows(name))
    }

    /// The scalar leaves of the arguments in these roles, by parameter and in order, each with its argument's name. An
    /// argument that the tool does not have counts as a target, as in the SDK's ledger: it must be authorised.
    pub fn leaves(&self, roles: &[Role]) -> Vec<(&str, String)> {
        let known = self.tool.parameters.iter().filter(|p| roles.contains(&p.role)).map(|p| p.name);
        let unknown =
            self.arguments.keys().map(String::as_str).filter(|name| roles.contains(&Role::Target) && !self.knows(name));
        known
            .chain(unknown)
            .filter_map(|name| Some((name, self.arguments.get(name)?)))
            .flat_map(|(name, value)| json::leaves(value).unwrap_or_default().into_iter().map(move |leaf| (name, leaf)))
            .collect()
    }

    fn knows(&self, name: &str) -> bool {
        self.tool.parameters.iter().any(|p| p.name == name)
    }
}
