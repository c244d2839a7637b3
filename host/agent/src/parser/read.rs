//! Reads one JSON object as an action.

use super::json::{self, Object};
use crate::action::{Action, Problem, Repair};
use serde_json::{Map, Value};

/// Keys that hold the kind of an action, the first of which is the exact one; likewise below.
const ACTION_KEYS: [&str; 2] = ["action", "action_type"];
const TOOL_KEYS: [&str; 4] = ["tool", "tool_name", "name", "function"];
const ARGUMENT_KEYS: [&str; 5] = ["arguments", "action_input", "parameters", "args", "input"];
const RECIPIENT_KEYS: [&str; 2] = ["to", "recipient"];
const MESSAGE_KEYS: [&str; 3] = ["text", "message", "content"];

/// The kinds of action. A tool of that name can only be called by the exact format: in any other, `final` or `message`
/// may well mean the action.
const RESERVED: [&str; 3] = ["tool", "message", "final"];

/// Keys under which chat interfaces return calls.
const NATIVE_KEYS: [&str; 3] = ["tool_calls", "function_call", "function"];

/// An action's content before its tool is looked up.
#[derive(Debug)]
pub(super) struct Read {
    /// The action.
    pub action: Action,
    /// What was overlooked inside the object, in no order and perhaps twice.
    pub repairs: Vec<Repair>,
}

/// Reads an object as an action. `tagged` says that its place already makes it a call, so that a tool's name is enough.
///
/// # Errors
/// [`Problem::NotAnAction`] for an object that is plain data, any other for one that tries to be an action.
pub(super) fn action(Object { map: mut object, repeats }: Object, tagged: bool) -> Result<Read, Problem> {
    let mut repairs = Vec::new();
    let keys = object.len();
    object.retain(|_, value| !value.is_null());
    if object.len() < keys {
        repairs.push(Repair::NullKeys);
    }
    let native = is_native(&object);
    if !native && !has_any(&object, &ACTION_KEYS) && !names_a_tool(&object, tagged) {
        return Err(Problem::NotAnAction);
    }
    if repeats {
        return Err(Problem::Ambiguous);
    }
    // Takes the keys that it understands out of the object, so that the rest can be judged by what is left.
    let action = if native { native_call(&mut object, &mut repairs)? } else { plain(&mut object, &mut repairs)? };
    if !object.is_empty() {
        repairs.push(Repair::ExtraKeys);
    }
    Ok(Read { action, repairs })
}

/// Reads the pair of a name and arguments that a text labels as a call (`Action: .. Action Input: ..`).
pub(super) fn labelled(name: &str, arguments: Object) -> Result<Read, Problem> {
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(Problem::NoTool);
    }
    if RESERVED.contains(&name) {
        return Err(Problem::ReservedName);
    }
    // An action in the place of the arguments: which of the two is meant, nobody knows.
    if arguments.repeats || is_native(&arguments.map) || has_any(&arguments.map, &ACTION_KEYS) {
        return Err(Problem::Ambiguous);
    }
    if names_a_tool(&arguments.map, false) {
        return Err(Problem::Ambiguous);
    }
    let action = Action::Call { tool: name.to_owned(), arguments: arguments.map };
    Ok(Read { action, repairs: vec![Repair::TextCall] })
}

fn plain(object: &mut Map<String, Value>, repairs: &mut Vec<Repair>) -> Result<Action, Problem> {
    let kind = match take(object, &ACTION_KEYS)? {
        Some((key, Value::String(kind))) => {
            repairs.extend((key != "action").then_some(Repair::ActionKeyAlias));
            Some(kind)
        }
        Some(_) => return Err(Problem::ActionNotText),
        None => {
            repairs.push(Repair::ActionOmitted);
            None
        }
    };
    match kind.as_deref() {
        Some("final") => final_answer(object),
        Some("message") => message(object, repairs),
        Some("tool") | None => {
            let Some((key, Value::String(tool))) = take(object, &TOOL_KEYS)? else {
                return Err(Problem::NoTool);
            };
            repairs.extend((key != "tool").then_some(Repair::ToolAlias));
            if RESERVED.contains(&tool.as_str()) && repairs.iter().any(|repair| *repair != Repair::NullKeys) {
                return Err(Problem::ReservedName);
            }
            Ok(Action::Call { tool, arguments: take_arguments(object, repairs)? })
        }
        Some(tool) => {
            if has_any(object, &TOOL_KEYS) {
                return Err(Problem::Ambiguous);
            }
            repairs.push(Repair::ActionTypeAsTool);
            Ok(Action::Call { tool: tool.to_owned(), arguments: take_arguments(object, repairs)? })
        }
    }
}

fn final_answer(object: &mut Map<String, Value>) -> Result<Action, Problem> {
    if has_any(object, &TOOL_KEYS) || has_any(object, &ARGUMENT_KEYS) {
        return Err(Problem::Ambiguous);
    }
    match object.shift_remove("text") {
        Some(Value::String(text)) => Ok(Action::Final { text }),
        _ => Err(Problem::NoText),
    }
}

fn message(object: &mut Map<String, Value>, repairs: &mut Vec<Repair>) -> Result<Action, Problem> {
    if has_any(object, &TOOL_KEYS) || has_any(object, &ARGUMENT_KEYS) {
        return Err(Problem::Ambiguous);
    }
    let to = match take(object, &RECIPIENT_KEYS)? {
        Some((key, Value::String(to))) if !to.is_empty() => {
            repairs.extend((key != "to").then_some(Repair::RecipientAlias));
            to
        }
        _ => return Err(Problem::NoRecipient),
    };
    match take(object, &MESSAGE_KEYS)? {
        Some((key, Value::String(text))) => {
            repairs.extend((key != "text").then_some(Repair::TextAlias));
            Ok(Action::Message { to, text })
        }
        _ => Err(Problem::NoText),
    }
}

fn take_arguments(object: &mut Map<String, Value>, repairs: &mut Vec<Repair>) -> Result<Map<String, Value>, Problem> {
    let Some((key, value)) = take(object, &ARGUMENT_KEYS)? else {
        repairs.push(Repair::ArgumentsOmitted);
        return if object.is_empty() { Ok(Map::new()) } else { Err(Problem::NoArguments) };
    };
    repairs.extend((key != "arguments").then_some(Repair::ArgumentsAlias));
    arguments(value, repairs)
}

fn arguments(value: Value, repairs: &mut Vec<Repair>) -> Result<Map<String, Value>, Problem> {
    match value {
        Value::Object(arguments) => Ok(arguments),
        Value::String(text) => {
            repairs.push(Repair::ArgumentsAsString);
            match json::object(&text) {
                Some(Object { repeats: true, .. }) => Err(Problem::Ambiguous),
                Some(Object { map, .. }) => Ok(map),
                None => Err(Problem::ArgumentsNotObject),
            }
        }
        _ => Err(Problem::ArgumentsNotObject),
    }
}

/// Whether an object has the form in which chat interfaces return calls. A `function` that describes itself or that
/// stands without arguments is the definition or the choice of a tool, no call.
fn is_native(object: &Map<String, Value>) -> bool {
    let is_call = |function: &Value| {
        function.as_object().is_some_and(|function| function.contains_key("arguments") && !is_definition(function))
    };
    object.contains_key("tool_calls")
        || object.contains_key("function_call")
        || object.get("function").is_some_and(is_call)
}

/// Reads `tool_calls`, of which the first counts, `function_call` or `function`.
fn native_call(object: &mut Map<String, Value>, repairs: &mut Vec<Repair>) -> Result<Action, Problem> {
    let Some((key, mut value)) = take(object, &NATIVE_KEYS)? else {
        return Err(Problem::NoTool);
    };
    if has_any(object, &ACTION_KEYS) || has_any(object, &TOOL_KEYS) || has_any(object, &ARGUMENT_KEYS) {
        return Err(Problem::Ambiguous);
    }
    if key == "tool_calls" {
        repairs.push(Repair::ToolCalls);
        let Value::Array(calls) = value else {
            return Err(Problem::NoTool);
        };
        repairs.extend((calls.len() > 1).then_some(Repair::SuffixText));
        let Some(Value::Object(mut first)) = calls.into_iter().next() else {
            return Err(Problem::NoTool);
        };
        let Some(function) = first.shift_remove("function") else {
            return Err(Problem::NoTool);
        };
        if has_any(&first, &TOOL_KEYS) || has_any(&first, &ARGUMENT_KEYS) {
            return Err(Problem::Ambiguous);
        }
        value = function;
    } else {
        repairs.push(Repair::FunctionCall);
        if object.get("type").is_some_and(|kind| kind == "function") {
            object.shift_remove("type");
        }
        // Its identifier is the interface's business, as inside `tool_calls`.
        object.shift_remove("id");
    }
    let Value::Object(mut function) = value else {
        return Err(Problem::NoTool);
    };
    let Some(Value::String(tool)) = function.shift_remove("name") else {
        return Err(Problem::NoTool);
    };
    if RESERVED.contains(&tool.as_str()) {
        return Err(Problem::ReservedName);
    }
    let Some(given) = function.shift_remove("arguments") else {
        return Err(Problem::NoArguments);
    };
    if has_any(&function, &TOOL_KEYS) || has_any(&function, &ARGUMENT_KEYS) {
        return Err(Problem::Ambiguous);
    }
    repairs.extend((!function.is_empty()).then_some(Repair::ExtraKeys));
    Ok(Action::Call { tool, arguments: arguments(given, repairs)? })
}

/// Whether an object without `action` still proposes a call. `name` and `function` are common keys of plain data, so
/// they count only beside arguments, or where the object stands in the place of a call.
fn names_a_tool(object: &Map<String, Value>, tagged: bool) -> bool {
    has_any(object, &["tool", "tool_name"])
        || (has_any(object, &["name", "function"])
            && (tagged || has_any(object, &ARGUMENT_KEYS))
            && !is_definition(object))
}

/// Whether an object describes a tool, as interfaces list tools: its `parameters` are then a schema.
fn is_definition(object: &Map<String, Value>) -> bool {
    object.contains_key("description")
}

/// Takes the value of whichever of these keys the object has, without disturbing the order of the others.
fn take(object: &mut Map<String, Value>, keys: &[&'static str]) -> Result<Option<(&'static str, Value)>, Problem> {
    let mut taken = None;
    for &key in keys {
        if let Some(value) = object.shift_remove(key)
            && taken.replace((key, value)).is_some()
        {
            return Err(Problem::Ambiguous);
        }
    }
    Ok(taken)
}

fn has_any(object: &Map<String, Value>, keys: &[&str]) -> bool {
    keys.iter().any(|key| object.contains_key(*key))
}
