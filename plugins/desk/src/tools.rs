//! A domain's tools as data: names and schemas are those of the public tau2 environments, which are facts; the words are
//! ours.

use serde_json::{Map, Value};
use weir_plugin::domain::{Effect, Parameter, Role, Tool};

/// One tool.
#[derive(Debug)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// What the model is told.
    pub description: &'static str,
    /// What it can do to the world.
    pub effect: Effect,
    /// In the order of its schema.
    pub parameters: &'static [ParameterSpec],
}

/// One parameter.
#[derive(Debug)]
pub struct ParameterSpec {
    /// Its name.
    pub name: &'static str,
    /// What it means to a side effect.
    pub role: Role,
    /// Whether a call without it is invalid.
    pub required: bool,
    /// JSON Schema of its value.
    pub schema: &'static str,
}

/// A parameter that a call must give.
#[must_use]
pub const fn required(name: &'static str, role: Role, schema: &'static str) -> ParameterSpec {
    ParameterSpec { name, role, required: true, schema }
}

/// A parameter that a call may leave out.
#[must_use]
pub const fn optional(name: &'static str, role: Role, schema: &'static str) -> ParameterSpec {
    ParameterSpec { name, role, required: false, schema }
}

/// Schema of a text.
pub const TEXT: &str = r#"{"type":"string"}"#;
/// Schema of a whole number.
pub const INTEGER: &str = r#"{"type":"integer"}"#;
/// Schema of a number.
pub const NUMBER: &str = r#"{"type":"number"}"#;
/// Schema of a list of texts.
pub const TEXTS: &str = r#"{"type":"array","items":{"type":"string"}}"#;

impl ToolSpec {
    /// The tool as the contract has it.
    #[must_use]
    pub fn export(&self) -> Tool {
        let parameter = |p: &ParameterSpec| Parameter {
            name: p.name.into(),
            role: p.role,
            required: p.required,
            schema: p.schema.into(),
        };
        Tool {
            name: self.name.into(),
            description: self.description.into(),
            effect: self.effect,
            parameters: self.parameters.iter().map(parameter).collect(),
        }
    }

    /// Whether it changes something.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.effect == Effect::SideEffect
    }

    /// What is wrong with arguments under the tool's schema, if anything: the argument and what was expected.
    #[must_use]
    pub fn fault(&self, arguments: &Map<String, Value>) -> Option<String> {
        let known = |name: &str| self.parameters.iter().any(|p| p.name == name);
        if let Some(name) = arguments.keys().find(|name| !known(name)) {
            return Some(format!("`{}` has no argument `{name}`", self.name));
        }
        self.parameters.iter().find_map(|p| match arguments.get(p.name) {
            None if p.required => Some(format!("`{}` needs `{}`", self.name, p.name)),
            None => None,
            Some(value) => {
                let schema: Value = serde_json::from_str(p.schema).unwrap_or(Value::Bool(false));
                (!fits(value, &schema)).then(|| format!("`{}` of `{}` must fit {}", p.name, self.name, p.schema))
            }
        })
    }

    /// Values of arguments in a role, as text.
    #[must_use]
    pub fn named(&self, role: Role, arguments: &Map<String, Value>) -> Vec<String> {
        let given = self.parameters.iter().filter(|p| p.role == role).filter_map(|p| arguments.get(p.name));
        given.flat_map(leaves).collect()
    }
}

/// Whether a value fits a schema. The keywords are those of the tools' schemas: `type`, `enum`, `anyOf`, `items`,
/// `properties`, `required`, `additionalProperties`.
fn fits(value: &Value, schema: &Value) -> bool {
    let Some(schema) = schema.as_object() else { return schema.as_bool().unwrap_or(false) };
    let typed = |kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    };
    if schema.get("type").and_then(Value::as_str).is_some_and(|kind| !typed(kind)) {
        return false;
    }
    if schema.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(value)) {
        return false;
    }
    if schema.get("anyOf").and_then(Value::as_array).is_some_and(|any| !any.iter().any(|one| fits(value, one))) {
        return false;
    }
    if let (Some(items), Some(one)) = (value.as_array(), schema.get("items"))
        && !items.iter().all(|item| fits(item, one))
    {
        return false;
    }
    let Some(object) = value.as_object() else { return true };
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    required.iter().filter_map(Value::as_str).all(|name| object.contains_key(name))
        && object.iter().all(|(name, value)| properties.get(name).map_or(!closed, |schema| fits(value, schema)))
}

/// The scalar values within a value, as text; nulls and empty texts left out.
#[must_use]
pub fn leaves(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(map) => map.values().flat_map(leaves).collect(),
        other => vec![weir_plugin::json::canonical(other)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PACK: ToolSpec = ToolSpec {
        name: "pack",
        description: "",
        effect: Effect::SideEffect,
        parameters: &[
            required("box", Role::Target, TEXT),
            required("items", Role::Content, TEXTS),
            optional("size", Role::Other, r#"{"type":"string","enum":["small","large"]}"#),
        ],
    };

    fn fault(arguments: &Value) -> Option<String> {
        PACK.fault(arguments.as_object().unwrap())
    }

    #[test]
    fn a_complete_call_has_no_fault() {
        assert_eq!(fault(&json!({"box": "b", "items": ["x"]})), None);
        assert_eq!(fault(&json!({"box": "b", "items": [], "size": "small"})), None);
    }

    #[test]
    fn unknown_missing_and_ill_typed_arguments_are_named() {
        assert!(fault(&json!({"box": "b", "items": [], "lid": 1})).unwrap().contains("`lid`"));
        assert!(fault(&json!({"box": "b"})).unwrap().contains("needs `items`"));
        assert!(fault(&json!({"box": "b", "items": [1]})).unwrap().contains("`items`"));
        assert!(fault(&json!({"box": "b", "items": [], "size": "huge"})).unwrap().contains("`size`"));
    }
}
