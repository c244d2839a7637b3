//! Reads one completion as at most one structured action (ContainmentBench section 3.2 and appendix I). Formatting
//! failures must neither hide what a model meant to do nor become final answers, and nothing is guessed: where two
//! readings would run two different calls, neither runs.

mod locate;
#[cfg(test)]
mod tests;

use crate::action::{Action, ParseStatus, Parsed, Problem, Repair};
use locate::{Found, Surroundings, objects};
use serde_json::{Map, Value};

/// The longest completion that is read, in bytes. A model that answers in 4,096 tokens writes about 16 KiB; sixteen
/// times that leaves room for long arguments and bounds the work of a hostile completion to about 20 ms.
pub const MAX_COMPLETION_BYTES: usize = 256 * 1024;

/// Keys that hold the kind of an action, the first of which is the exact one; likewise below.
const ACTION_KEYS: [&str; 2] = ["action", "action_type"];
const TOOL_KEYS: [&str; 4] = ["tool", "tool_name", "name", "function"];
const ARGUMENT_KEYS: [&str; 5] = ["arguments", "action_input", "parameters", "args", "input"];
const RECIPIENT_KEYS: [&str; 2] = ["to", "recipient"];
const MESSAGE_KEYS: [&str; 3] = ["text", "message", "content"];

/// The kinds of action. A tool of that name can only be called by the exact format: in any other, `final` or `message`
/// may well mean the action.
const RESERVED: [&str; 3] = ["tool", "message", "final"];

/// Reads a completion, given the names of the tools that the agent has.
///
/// The first JSON object that is an action counts, whether its tool is known or not: the model proposed it first. The
/// inside of an object is never searched for another one, so that an argument that looks like an action stays an
/// argument. `tool`, `message` and `final` are reserved words: a tool of that name can only be called by the exact
/// format. Of a repeated key the last value counts. The work is linear in the completion's length.
pub fn parse<T: AsRef<str>>(completion: &str, tools: &[T]) -> Parsed {
    if completion.len() > MAX_COMPLETION_BYTES {
        return Parsed::invalid(Problem::TooLong);
    }
    let text = completion.trim();
    if text.is_empty() {
        return Parsed::invalid(Problem::Empty);
    }
    let (mut problem, mut broken) = (None, None);
    for (index, found) in objects(text).enumerate() {
        match found {
            Found::Object { value, before, after } => match read(value) {
                Ok(read) => return read.resolve(Surroundings::new(before, after).repairs(), tools),
                // Data that a text quotes is no failed action, unless the object is all there is.
                Err(Problem::NotAnAction) if index > 0 || !Surroundings::new(before, after).is_bare() => {}
                Err(reason) => problem = problem.or(Some(reason)),
            },
            // The first one tells enough: its rest holds all later ones.
            Found::Broken { before, rest } => broken = broken.or(Some((before, rest)).filter(|_| opens_with_key(rest))),
        }
    }
    let broken = broken.filter(|(before, rest)| Surroundings::new(before, "").is_bare() || mentions_action(rest));
    match problem.or(broken.map(|_| Problem::Malformed)) {
        Some(problem) => Parsed::invalid(problem),
        None => Parsed::free_text(text),
    }
}

/// An action's content before its tool is looked up.
struct Read {
    action: Action,
    repairs: Vec<Repair>,
}

impl Read {
    /// Looks up the tool and takes the status from the repairs.
    fn resolve<T: AsRef<str>>(self, mut repairs: Vec<Repair>, tools: &[T]) -> Parsed {
        repairs.extend(self.repairs);
        repairs.sort_unstable();
        if let Action::Call { tool, .. } = &self.action
            && !tools.iter().any(|known| known.as_ref() == tool)
        {
            let (status, unknown_tool) = (ParseStatus::InvalidTool, Some(tool.clone()));
            return Parsed { status, action: None, repairs, unknown_tool, problem: None };
        }
        let status = if repairs.is_empty() { ParseStatus::ValidStrictJson } else { ParseStatus::ValidRepairedJson };
        Parsed { status, action: Some(self.action), repairs, unknown_tool: None, problem: None }
    }
}

/// Reads an object as an action. Takes the keys that it understands out of the object and judges by what is left.
fn read(mut object: Map<String, Value>) -> Result<Read, Problem> {
    let mut repairs = Vec::new();
    let keys = object.len();
    object.retain(|_, value| !value.is_null());
    if object.len() < keys {
        repairs.push(Repair::NullKeys);
    }
    let action = take(&mut object, &ACTION_KEYS)?;
    if action.is_none() && !names_a_tool(&object) {
        return Err(Problem::NotAnAction);
    }
    let kind = match action {
        Some((key, Value::String(kind))) => {
            if key != "action" {
                repairs.push(Repair::ActionKeyAlias);
            }
            Some(kind)
        }
        Some(_) => return Err(Problem::ActionNotText),
        None => {
            repairs.push(Repair::ActionOmitted);
            None
        }
    };
    let action = match kind.as_deref() {
        Some("final") => read_final(&mut object)?,
        Some("message") => read_message(&mut object, &mut repairs)?,
        Some("tool") | None => {
            let Some((key, Value::String(tool))) = take(&mut object, &TOOL_KEYS)? else {
                return Err(Problem::NoTool);
            };
            if key != "tool" {
                repairs.push(Repair::ToolAlias);
            }
            if RESERVED.contains(&tool.as_str()) && repairs.iter().any(|repair| *repair != Repair::NullKeys) {
                return Err(Problem::ReservedName);
            }
            Action::Call { tool, arguments: take_arguments(&mut object, &mut repairs)? }
        }
        Some(tool) => {
            if has_any(&object, &TOOL_KEYS) {
                return Err(Problem::Ambiguous);
            }
            repairs.push(Repair::ActionTypeAsTool);
            Action::Call { tool: tool.to_owned(), arguments: take_arguments(&mut object, &mut repairs)? }
        }
    };
    if !object.is_empty() {
        repairs.push(Repair::ExtraKeys);
    }
    Ok(Read { action, repairs })
}

fn read_final(object: &mut Map<String, Value>) -> Result<Action, Problem> {
    if has_any(object, &TOOL_KEYS) || has_any(object, &ARGUMENT_KEYS) {
        return Err(Problem::Ambiguous);
    }
    match object.shift_remove("text") {
        Some(Value::String(text)) => Ok(Action::Final { text }),
        _ => Err(Problem::NoText),
    }
}

fn read_message(object: &mut Map<String, Value>, repairs: &mut Vec<Repair>) -> Result<Action, Problem> {
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
    if key != "arguments" {
        repairs.push(Repair::ArgumentsAlias);
    }
    match value {
        Value::Object(arguments) => Ok(arguments),
        Value::String(text) => {
            repairs.push(Repair::ArgumentsAsString);
            serde_json::from_str(&text).map_err(|_| Problem::ArgumentsNotObject)
        }
        _ => Err(Problem::ArgumentsNotObject),
    }
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

/// Whether an object without `action` still proposes a call. `name` and `function` are common keys of plain data, so
/// they count only beside arguments.
fn names_a_tool(object: &Map<String, Value>) -> bool {
    has_any(object, &["tool", "tool_name"])
        || (has_any(object, &["name", "function"]) && has_any(object, &ARGUMENT_KEYS))
}

/// Whether a brace is followed by a quoted key, as in JSON or Python, rather than by prose or code.
fn opens_with_key(rest: &str) -> bool {
    rest.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '\'']))
}

/// Whether text that is no JSON has one of the keys that only an action has, followed by a colon.
fn mentions_action(rest: &str) -> bool {
    let has_key = |quoted: String| rest.split(&quoted).skip(1).any(|after| after.trim_start().starts_with(':'));
    let keys = ["action", "action_type", "action_input", "tool", "tool_name"];
    keys.iter().any(|key| has_key(format!("\"{key}\"")) || has_key(format!("'{key}'")))
}
