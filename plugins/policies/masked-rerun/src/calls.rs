//! The calls that a masked run proposes, and whether one of them is the call in question.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use weir_plugin::json::{canonical, leaves, value};
use weir_plugin::policy::{Parameter, Role, Tool};

/// The masked run's answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Calls {
    pub(crate) calls: Vec<Call>,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
}

/// The schema of an answer over these tools.
pub(crate) fn schema<'a>(tools: impl Iterator<Item = &'a Tool>) -> Value {
    let call = |tool: &Tool| {
        let required: Vec<&str> = tool.parameters.iter().filter(|p| p.required).map(|p| p.name.as_str()).collect();
        let arguments = json!({
            "type": "object", "properties": parameters(tool), "required": required, "additionalProperties": false,
        });
        exactly(&[("tool", json!({ "const": tool.name })), ("arguments", arguments)])
    };
    let calls: Vec<Value> = tools.map(call).collect();
    exactly(&[("calls", json!({ "type": "array", "items": { "anyOf": calls } }))])
}

/// Each parameter's own schema.
pub(crate) fn parameters(tool: &Tool) -> Map<String, Value> {
    tool.parameters.iter().map(|p| (p.name.clone(), value(&p.schema).unwrap_or_else(|| json!({})))).collect()
}

/// An object with these properties and no others.
fn exactly(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

impl Call {
    /// Whether this is the proposed call: the same tool and the same operative arguments. Those are the recipients and
    /// targets, for what is said to whom would differ in its words; where the proposal names none, all arguments.
    pub(crate) fn is(&self, tool: &Tool, proposed: &Map<String, Value>) -> bool {
        let operative = |p: &&Parameter| matches!(p.role, Role::Recipient | Role::Target);
        let names_one = tool.parameters.iter().filter(operative).any(|p| !content(proposed.get(&p.name)).is_empty());
        let mut compared = tool.parameters.iter().filter(|p| !names_one || operative(p));
        self.tool == tool.name
            && compared.all(|p| content(proposed.get(&p.name)) == content(self.arguments.get(&p.name)))
    }
}

/// The scalars of a value without order, repetition, case and outer white space: `["ann@x"]` is `"Ann@x"`, and an absent
/// value is an empty one. Two writings of one argument must not pass for two arguments.
fn content(given: Option<&Value>) -> Vec<String> {
    let found = given.and_then(|value| leaves(&canonical(value)).ok()).unwrap_or_default();
    let mut found: Vec<String> = found.iter().map(|leaf| leaf.trim().to_lowercase()).collect();
    found.retain(|leaf| !leaf.is_empty());
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::testing::episode;

    fn tool(name: &str) -> Tool {
        episode(Vec::new()).tools.into_iter().find(|tool| tool.name == name).unwrap()
    }

    fn same(name: &str, proposed: Value, masked: Value) -> bool {
        let call: Call = serde_json::from_value(json!({ "tool": name, "arguments": masked })).unwrap();
        call.is(&tool(name), proposed.as_object().unwrap())
    }

    #[test]
    fn recipients_and_targets_make_a_call_whatever_it_says() {
        let send = |to: Value, body: &str| json!({ "to": to, "body": body });
        assert!(same("send", send(json!(["m@x"]), "one"), send(json!(["m@x"]), "two")));
        assert!(!same("send", send(json!(["m@x"]), "one"), send(json!(["n@x"]), "one")));
        assert!(!same("send", send(json!(["m@x"]), "one"), json!({ "to": ["m@x"], "bcc": ["n@x"] })));
        let share = |file: &str, visibility: &str| json!({ "file": file, "visibility": visibility });
        assert!(same("share", share("plan.txt", "public"), share("plan.txt", "team")));
        assert!(!same("share", share("plan.txt", "public"), share("other.txt", "public")));
    }

    #[test]
    fn the_same_argument_in_another_writing_is_the_same() {
        for (one, other) in [
            (json!("m@x"), json!(["m@x"])),
            (json!(["a@x", "b@x"]), json!(["b@x", "a@x", "b@x"])),
            (json!("M@X "), json!("m@x")),
            (json!(10000), json!(10000.0)),
            (json!("ÄÖ"), json!("äö")),
        ] {
            assert!(same("send", json!({ "to": one, "bcc": null }), json!({ "to": other })), "{one} {other}");
        }
    }

    #[test]
    fn without_a_recipient_or_target_all_arguments_count() {
        let said = |body: &str| json!({ "body": body, "to": [] });
        assert!(same("send", said("one"), json!({ "body": "one" })));
        assert!(!same("send", said("one"), said("two")));
        assert!(!same("send", said("one"), json!({ "body": "one", "to": "m@x" })));
        assert!(same("send", json!({}), json!({ "no such": 1 })), "what the tool does not take makes no difference");
    }

    #[test]
    fn another_tool_is_another_call() {
        let call = Call { tool: "send".into(), arguments: Map::new() };
        assert!(!call.is(&tool("scrub"), &Map::new()));
    }

    #[test]
    fn the_schema_has_each_tool_with_its_arguments() {
        let tools = [tool("scrub")];
        let schema = schema(tools.iter());
        let item = &schema["properties"]["calls"]["items"]["anyOf"][0]["properties"];
        assert_eq!(item["tool"], json!({ "const": "scrub" }));
        assert_eq!(item["arguments"]["properties"], json!({ "key": {} }));
    }
}
