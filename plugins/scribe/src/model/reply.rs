//! What a model answers.

use crate::claim::Claim;
use crate::sight::Voice;
use crate::store::Draft;
use serde::Deserialize;
use serde_json::json;
use std::borrow::Cow;
use weir_plugin::writer::{Error, Kind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    memories: Vec<Memory>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    text: String,
    #[serde(rename = "type")]
    kind: String,
}

/// The five types by their names.
const KINDS: [(&str, Kind); 5] = [
    ("fact", Kind::Fact),
    ("preference", Kind::Preference),
    ("intention", Kind::Intention),
    ("rule", Kind::Rule),
    ("other", Kind::Other),
];

/// The schema of an answer with at most so many memories.
#[must_use]
pub fn schema(limit: u32) -> String {
    let kinds = KINDS.map(|(name, _)| name);
    json!({
        "type": "object",
        "properties": { "memories": {
            "type": "array",
            "maxItems": limit,
            "items": {
                "type": "object",
                "properties": { "text": { "type": "string", "minLength": 1 }, "type": { "enum": kinds } },
                "required": ["text", "type"],
                "additionalProperties": false,
            },
        } },
        "required": ["memories"],
        "additionalProperties": false,
    })
    .to_string()
}

/// The memories of an answer.
///
/// # Errors
/// Whatever is not exactly in the schema's form: prose around the JSON, an unknown type, an empty text, too many.
pub fn memories(answer: &str, limit: u32) -> Result<Vec<Draft>, Error> {
    let reply: Reply = serde_json::from_str(answer).map_err(|e| {
        Error::Other(format!(
            "the model's answer is not {{\"memories\": [{{\"text\", \"type\"}}]}} alone: {e}; it begins with {:?}",
            answer.chars().take(60).collect::<String>()
        ))
    })?;
    if !u32::try_from(reply.memories.len()).is_ok_and(|count| count <= limit) {
        return Err(Error::Other(format!("the model wrote {} memories, the limit is {limit}", reply.memories.len())));
    }
    reply.memories.into_iter().enumerate().map(|(position, memory)| draft(position, memory)).collect()
}

fn draft(position: usize, memory: Memory) -> Result<Draft, Error> {
    let Memory { text, kind } = memory;
    let known = KINDS.iter().find(|(name, _)| *name == kind).map(|(_, known)| *known);
    let Some(known) = known else {
        return Err(Error::Other(format!(
            "memory {position} of the model's answer has the type `{kind}`: expected one of fact, preference, intention, rule, other"
        )));
    };
    if text.trim().is_empty() {
        return Err(Error::Other(format!("memory {position} of the model's answer has no text")));
    }
    let claim = Claim::new(Cow::Borrowed(&text), Voice::User, false);
    let mut draft = Draft::of(&claim, text.clone());
    draft.kind = known;
    Ok(draft)
}
