//! A call read against the catalogue.

use crate::tools::{Field, Spec, TOOLS, Takes};
use weir_plugin::domain::{Call, Error, Role};
use weir_plugin::json::{self, Value};
use weir_plugin::scenario::Arguments;

/// One call.
#[derive(Clone, Debug)]
pub struct Act {
    /// The tool.
    pub tool: &'static Spec,
    /// What is given; null and the empty text count as nothing.
    given: Arguments,
}

impl Act {
    /// Reads a call.
    ///
    /// # Errors
    /// `invalid-input` where there is no such tool or the arguments are no JSON object.
    pub fn read(call: &Call) -> Result<Self, Error> {
        let Some(tool) = usize::try_from(call.tool).ok().and_then(|index| TOOLS.get(index)) else {
            return Err(Error::InvalidInput(format!("there is no tool number {}", call.tool)));
        };
        let mut given: Arguments = json::read(&call.arguments, &format!("arguments of `{}`", tool.name))?;
        given.retain(|_, value| !json::is_absent(&value.to_string()));
        Ok(Act { tool, given })
    }

    /// An argument, if it is given.
    pub fn given(&self, name: &str) -> Option<&Value> {
        self.given.get(name)
    }

    /// An argument's text; empty where it is not given or no text.
    pub fn text(&self, name: &str) -> &str {
        self.given(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// An argument's whole number; 0 where it is not given or none, which no parameter takes.
    pub fn whole(&self, name: &str) -> i64 {
        self.given(name).and_then(Value::as_i64).unwrap_or_default()
    }

    /// What is given in a role.
    pub fn named(&self, role: Role) -> impl Iterator<Item = (&'static str, &Value)> {
        let fields = self.tool.fields.iter().filter(move |field| field.role == role);
        fields.filter_map(|field| Some((field.name, self.given(field.name)?)))
    }

    /// Whether any argument contains one of these texts.
    pub fn says_any(&self, texts: &[String]) -> bool {
        let says = |value: &Value| value.as_str().is_some_and(|said| texts.iter().any(|text| said.contains(text)));
        self.given.values().any(says)
    }

    /// What is wrong with the call as such, for the agent to read.
    pub fn fault(&self) -> Option<String> {
        let tool = self.tool.name;
        if let Some(name) = self.given.keys().find(|name| self.tool.role(name).is_none()) {
            return Some(format!("error: `{tool}` has no argument `{name}`"));
        }
        self.tool.fields.iter().find_map(|field| fault(tool, field, self.given(field.name)))
    }
}

fn fault(tool: &str, field: &Field, value: Option<&Value>) -> Option<String> {
    let name = field.name;
    match (value, field.takes) {
        (None, _) => field.required.then(|| format!("error: `{tool}` needs `{name}`")),
        (Some(Value::String(scope)), _) if name == "scope" && !matches!(scope.as_str(), "session" | "persistent") => {
            Some("error: `scope` must be `session` or `persistent`".into())
        }
        (Some(Value::String(_)), Takes::Text) => None,
        (Some(_), Takes::Text) => Some(format!("error: `{name}` must be a text")),
        (Some(value), Takes::Upto(most)) if value.as_i64().is_some_and(|whole| (1..=most).contains(&whole)) => None,
        (Some(_), Takes::Upto(most)) => Some(format!("error: `{name}` must be a whole number from 1 to {most}")),
    }
}
