//! Trajectories of APIGen-MT (Salesforce) as histories: a list of
//! `{"conversations": [{"from", "value"}], "system", "tools"}`, in which `from` is `human`, `gpt`, `function_call` (a JSON
//! object of `name` and `arguments`) or `observation`.
//!
//! The set has verified trajectories alone, so there is no reward to ask for. Calls are checked against the tools that the
//! trajectory itself describes. They have no identifiers: an observation answers the call before it. `think` is a call like
//! any other.

use super::history::{Asked, HistoryError, Message, Options, Place, Read, Recorded, domain_of, safe_id};
use serde::Deserialize;
use serde_json::{Map, Value};
use weir_memory::schema::Tool;

#[derive(Deserialize)]
struct Trajectory {
    conversations: Vec<Value>,
    system: Option<String>,
    tools: Option<Value>,
}

#[derive(Deserialize)]
struct Said {
    from: String,
    value: String,
}

#[derive(Deserialize)]
struct Called {
    name: String,
    arguments: Map<String, Value>,
}

/// `{name, parameters}`, or the same under `function`.
#[derive(Deserialize)]
struct Described {
    name: Option<String>,
    parameters: Option<Value>,
    function: Option<Box<Described>>,
}

/// Reads a file.
///
/// # Errors
/// A file that is not JSON, or a list of trajectories one of which is broken.
pub fn read(file: &str, bytes: &[u8], options: &Options) -> Result<Read, HistoryError> {
    let whole = Place { file: file.to_owned(), part: None };
    let value: Value =
        serde_json::from_slice(bytes).map_err(|e| HistoryError::whole(&whole, format!("not JSON: {e}")))?;
    let trajectories = match value {
        Value::Array(trajectories)
            if trajectories.first().is_some_and(|first| first.get("conversations").is_some()) =>
        {
            trajectories
        }
        _ => {
            return Ok(Read::Other(
                "JSON, but no trajectories: expected a list of objects with `conversations`".into(),
            ));
        }
    };
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".json");
    let mut recorded = Vec::with_capacity(trajectories.len());
    for (index, trajectory) in trajectories.into_iter().enumerate() {
        let place = Place { file: file.to_owned(), part: Some(format!("[{index}]")) };
        let Trajectory { conversations, system, tools } = Trajectory::deserialize(trajectory)
            .map_err(|e| HistoryError::whole(&place, format!("not a trajectory of APIGen-MT: {e}")))?;
        let tools = tools.map(|tools| described(&place, tools)).transpose()?;
        let mut messages = Vec::with_capacity(conversations.len());
        for (number, said) in conversations.iter().enumerate() {
            messages.push(message(said).map_err(|what| HistoryError::turn(&place, number, what))?);
        }
        let names = tools.iter().flatten().map(|tool| tool.name.as_str());
        let Some(domain) = options.domain.clone().or_else(|| domain_of(names).map(str::to_owned)) else {
            return Err(HistoryError::whole(&place, "its tools are of no domain that is known: give --domain"));
        };
        recorded.push(Recorded {
            id: safe_id(&format!("{stem}-{index:05}")),
            source: format!("APIGen-MT {file}, number {index}"),
            place,
            domain,
            instructions: system,
            messages,
            tools,
        });
    }
    Ok(Read::Conversations { recorded, unsuccessful: 0 })
}

fn message(said: &Value) -> Result<Message, String> {
    let Said { from, value } = Said::deserialize(said).map_err(|e| format!("not a message: {e}"))?;
    let role = |role: &str, text: String| Message { role: role.to_owned(), text, ..Message::default() };
    match from.as_str() {
        "human" => Ok(role("user", value)),
        "gpt" => Ok(role("assistant", value)),
        "observation" => Ok(role("tool", value)),
        "function_call" => {
            let Called { name, arguments } = serde_json::from_str(&value)
                .map_err(|e| format!("the call is not an object of `name` and `arguments`: {e}"))?;
            Ok(Message { calls: vec![Asked { id: None, tool: name, arguments }], ..role("assistant", String::new()) })
        }
        other => Err(format!("unknown role `{other}`, expected human, gpt, function_call or observation")),
    }
}

/// The tools that a trajectory describes: a list, or its text.
fn described(place: &Place, tools: Value) -> Result<Vec<Tool>, HistoryError> {
    let wrong = |what: String| HistoryError::whole(place, format!("`tools`: {what}"));
    let tools = match tools {
        Value::String(text) => serde_json::from_str(&text).map_err(|e| wrong(format!("not JSON: {e}")))?,
        tools => tools,
    };
    let list: Vec<Described> = serde_json::from_value(tools).map_err(|e| wrong(e.to_string()))?;
    let one = |tool: Described| {
        let Described { name, parameters, .. } = tool.function.map_or(Described { function: None, ..tool }, |f| *f);
        let name = name.ok_or_else(|| wrong("a tool has no name".into()))?;
        Tool::from_schema(&name, &parameters.unwrap_or_default()).map_err(wrong)
    };
    list.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests;
