//! Whether a call's arguments fit a tool: a closed world, in which an argument that the tool does not have is wrong.
//!
//! The subset of JSON Schema that tool descriptions use, and no more: a schema with a keyword that could forbid something and
//! that is not known here is an error, never a pass.

use crate::predicate::equal;
use serde_json::{Map, Value};

/// A tool, as far as calls are checked against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether a call without it is invalid.
    pub required: bool,
    /// JSON Schema of its value.
    pub schema: Value,
}

impl Tool {
    /// A tool from its name and the JSON Schema of its argument object, as function descriptions have it.
    ///
    /// # Errors
    /// Where the schema is not of an object with `properties`.
    pub fn from_schema(name: &str, schema: &Value) -> Result<Self, String> {
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => properties.clone(),
            None => Map::new(),
            Some(_) => return Err(format!("tool `{name}`: `properties` is not an object")),
        };
        let required: Vec<&str> = match schema.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            None => Vec::new(),
            Some(_) => return Err(format!("tool `{name}`: `required` is not a list")),
        };
        let parameters = properties.into_iter().map(|(name, schema)| {
            let required = required.contains(&name.as_str());
            Parameter { name, required, schema }
        });
        Ok(Tool { name: name.to_owned(), parameters: parameters.collect() })
    }
}

/// Whether the arguments of a call fit the tool.
///
/// # Errors
/// The first argument that the tool does not have, the first required one that is missing, or the first value outside its
/// schema, with its path.
pub fn check_arguments(tool: &Tool, arguments: &Map<String, Value>) -> Result<(), String> {
    if let Some(name) = arguments.keys().find(|name| !tool.parameters.iter().any(|p| p.name == **name)) {
        return Err(format!("`{}` has no argument `{name}`", tool.name));
    }
    for parameter in &tool.parameters {
        match arguments.get(&parameter.name) {
            Some(value) => check(value, &parameter.schema, &parameter.name)
                .map_err(|what| format!("argument of `{}`: {what}", tool.name))?,
            None if parameter.required => return Err(format!("`{}` needs argument `{}`", tool.name, parameter.name)),
            None => {}
        }
    }
    Ok(())
}

/// Keywords that describe and forbid nothing.
const ANNOTATIONS: [&str; 7] = ["description", "title", "default", "examples", "format", "deprecated", "$comment"];

/// Checks one value; `path` says where it stands.
fn check(value: &Value, schema: &Value, path: &str) -> Result<(), String> {
    let rules = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Bool(false) => return Err(format!("`{path}` may not be given")),
        Value::Object(rules) => rules,
        _ => return Err(format!("the schema of `{path}` is neither an object nor a boolean")),
    };
    rules.iter().try_for_each(|(keyword, rule)| keyword_holds(keyword, rule, value, rules, path))
}

fn keyword_holds(
    keyword: &str,
    rule: &Value,
    value: &Value,
    rules: &Map<String, Value>,
    path: &str,
) -> Result<(), String> {
    match keyword {
        "type" => has_type(value, rule, path),
        "enum" => match rule.as_array() {
            Some(values) if values.iter().any(|allowed| equal(allowed, value)) => Ok(()),
            _ => Err(format!("`{path}` is {value}, expected one of {rule}")),
        },
        "const" if equal(rule, value) => Ok(()),
        "const" => Err(format!("`{path}` is {value}, expected {rule}")),
        "anyOf" => any_of(value, rule, path),
        "items" => {
            let items = value.as_array().into_iter().flatten();
            items.enumerate().try_for_each(|(index, item)| check(item, rule, &format!("{path}[{index}]")))
        }
        "properties" => {
            let properties = rule.as_object().into_iter().flatten();
            let given = properties.filter_map(|(name, schema)| value.get(name).map(|value| (name, value, schema)));
            given.into_iter().try_for_each(|(name, value, schema)| check(value, schema, &format!("{path}.{name}")))
        }
        "required" if !value.is_object() => Ok(()),
        "required" => {
            let names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
            match names.into_iter().find(|name| value.get(name).is_none()) {
                Some(name) => Err(format!("`{path}` needs `{name}`")),
                None => Ok(()),
            }
        }
        "additionalProperties" => {
            let known = rules.get("properties").and_then(Value::as_object);
            let others = value.as_object().into_iter().flatten();
            let others = others.filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)));
            others.into_iter().try_for_each(|(name, value)| check(value, rule, &format!("{path}.{name}")))
        }
        "minimum" | "maximum" => match (value.as_f64(), rule.as_f64()) {
            (Some(value), Some(bound)) if keyword == "minimum" && value < bound => {
                Err(format!("`{path}` is {value}, expected at least {bound}"))
            }
            (Some(value), Some(bound)) if keyword == "maximum" && value > bound => {
                Err(format!("`{path}` is {value}, expected at most {bound}"))
            }
            _ => Ok(()),
        },
        _ if ANNOTATIONS.contains(&keyword) => Ok(()),
        _ => {
            Err(format!("the schema of `{path}` uses `{keyword}`, which is not checked here: say it in other keywords"))
        }
    }
}

fn any_of(value: &Value, rule: &Value, path: &str) -> Result<(), String> {
    let schemas = rule.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut problems = Vec::new();
    for schema in schemas {
        match check(value, schema, path) {
            Ok(()) => return Ok(()),
            Err(problem) => problems.push(problem),
        }
    }
    Err(format!("`{path}` fits none of {} alternatives: {}", schemas.len(), problems.join("; ")))
}

fn has_type(value: &Value, rule: &Value, path: &str) -> Result<(), String> {
    let names: Vec<&str> = match rule {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |name: &&str| match *name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        // As JSON Schema has it, 1.0 is an integer.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    };
    if names.iter().any(is) { Ok(()) } else { Err(format!("`{path}` is {value}, expected type {rule}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool() -> Tool {
        let schema = json!({
            "type": "object",
            "properties": {
                "user": {"type": "string", "description": "Who."},
                "cabin": {"type": "string", "enum": ["economy", "business"]},
                "bags": {"type": "integer", "minimum": 0, "maximum": 9},
                "flights": {"type": "array", "items": {"anyOf": [
                    {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"],
                     "additionalProperties": false},
                    {"type": "null"},
                ]}},
                "rate": {"type": ["number", "null"]},
            },
            "required": ["user", "cabin"],
        });
        Tool::from_schema("book", &schema).unwrap()
    }

    #[track_caller]
    fn says(arguments: Value, expected: &str) {
        let said = check_arguments(&tool(), arguments.as_object().unwrap()).unwrap_err();
        assert!(said.contains(expected), "{said}");
    }

    #[test]
    fn arguments_that_fit_pass() {
        for arguments in [
            json!({"user": "u", "cabin": "economy"}),
            json!({"user": "u", "cabin": "business", "bags": 2.0, "rate": null}),
            json!({"user": "u", "cabin": "business", "flights": [{"number": "HAT1"}, null], "rate": 1.5}),
        ] {
            check_arguments(&tool(), arguments.as_object().unwrap()).unwrap();
        }
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        says(json!({"user": "u"}), "`book` needs argument `cabin`");
        says(json!({"user": "u", "cabin": "economy", "seat": 1}), "`book` has no argument `seat`");
        says(json!({"user": 1, "cabin": "economy"}), "`user` is 1, expected type \"string\"");
        says(json!({"user": "u", "cabin": "first"}), "expected one of [\"economy\",\"business\"]");
        says(json!({"user": "u", "cabin": "economy", "bags": 1.5}), "expected type \"integer\"");
        says(json!({"user": "u", "cabin": "economy", "bags": -1}), "expected at least 0");
        says(json!({"user": "u", "cabin": "economy", "bags": 10}), "expected at most 9");
        says(json!({"user": "u", "cabin": "economy", "flights": [{}]}), "`flights[0]` needs `number`");
        says(
            json!({"user": "u", "cabin": "economy", "flights": [{"number": "A", "day": 1}]}),
            "`flights[0].day` may not be given",
        );
    }

    #[test]
    fn an_unknown_keyword_is_an_error_and_never_a_pass() {
        let tool = Tool::from_schema("t", &json!({"properties": {"a": {"pattern": "^x$"}}})).unwrap();
        let said = check_arguments(&tool, json!({"a": "x"}).as_object().unwrap()).unwrap_err();
        assert!(said.contains("uses `pattern`"), "{said}");
        assert!(Tool::from_schema("t", &json!({"properties": []})).unwrap_err().contains("`properties`"));
        assert!(Tool::from_schema("t", &json!({"required": "a"})).unwrap_err().contains("`required`"));
    }
}
