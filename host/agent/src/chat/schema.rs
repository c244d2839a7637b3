//! JSON Schemas of tools' arguments and of the action format.

use super::MESSAGE;
use crate::model::{Request, ToolSpec};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments. A parameter's own schema is JSON by the contract; one that is not allows anything.
pub(super) fn arguments(tool: &ToolSpec) -> Value {
    let property = |schema: &str| serde_json::from_str::<Value>(schema).unwrap_or_else(|_| json!({}));
    let properties: Map<String, Value> =
        tool.parameters.iter().map(|parameter| (parameter.name.clone(), property(&parameter.schema))).collect();
    let required: Vec<&str> = tool.parameters.iter().filter(|p| p.required).map(|p| p.name.as_str()).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The schema of an agent's next action: one of its calls, a message to one that it may write to, or its answer.
pub(super) fn action(request: &Request<'_>) -> Value {
    let call = |tool: &ToolSpec| {
        object(&[
            ("action", json!({ "const": "tool" })),
            ("tool", json!({ "const": tool.name })),
            ("arguments", arguments(tool)),
        ])
    };
    let message = (!request.recipients.is_empty()).then(|| {
        object(&[
            ("action", json!({ "const": MESSAGE })),
            ("to", json!({ "enum": request.recipients })),
            ("text", json!({ "type": "string" })),
        ])
    });
    let answer = object(&[("action", json!({ "const": "final" })), ("text", json!({ "type": "string" }))]);
    let all: Vec<Value> = request.tools.iter().map(call).chain(message).chain([answer]).collect();
    json!({ "anyOf": all })
}

/// An object with exactly these properties, in this order.
fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
