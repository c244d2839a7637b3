//! Reads one completion as at most one structured action (ContainmentBench section 3.2 and appendix I). Formatting
//! failures must neither hide what a model meant to do nor become final answers, and nothing is guessed: where two
//! readings would run two different calls, neither runs.

mod json;
mod locate;
mod place;
mod read;
#[cfg(test)]
mod tests;

use crate::action::{Action, ParseStatus, Parsed, Problem, Repair};
use locate::{Found, objects};
use place::{Place, attempts_call};
use read::Read;

/// The longest completion that is read, in bytes. A model that answers in 4,096 tokens writes about 16 KiB; sixteen
/// times that leaves room for long arguments and bounds the work of a hostile completion to about 0.1 s.
pub const MAX_COMPLETION_BYTES: usize = 256 * 1024;

/// Reads a completion, given the names of the tools that the agent has.
///
/// The first JSON object that is an action counts, whether its tool is known or not: the model proposed it first. Calls
/// in the forms of chat interfaces count likewise: `tool_calls` and `function` objects, `<tool_call>` tags, and
/// `Action: .. Action Input: ..`. The inside of an object is never searched for another one, so that an argument that
/// looks like an action stays an argument. Nothing behind an action-like object that is no JSON is read: nobody can say
/// where it ends. An object that stands in quotation marks, in a blockquote, amid a sentence or as an example is no
/// proposal; one that follows prose on a line of its own is, as the paper has it, whatever the prose says.
///
/// `tool`, `message` and `final` are reserved words: a tool of that name can only be called by the exact format. The
/// work is linear in the completion's length.
pub fn parse<T: AsRef<str>>(completion: &str, tools: &[T]) -> Parsed {
    if completion.len() > MAX_COMPLETION_BYTES {
        return Parsed::invalid(Problem::TooLong);
    }
    let text = completion.trim();
    let Some((reasoning, text)) = split_reasoning(text) else {
        return Parsed::invalid(Problem::Unfinished);
    };
    if text.is_empty() {
        return Parsed::invalid(Problem::Empty);
    }
    let mut problem = None;
    for found in objects(text) {
        match found {
            Found::Object { object, before, after } => {
                let place = Place::new(before, after);
                let read = match place.label {
                    Some(tool) => read::labelled(tool, object),
                    None => read::action(object, place.tagged),
                };
                let reason = match read {
                    Ok(_) if place.is_quotation() => Problem::Quoted,
                    Ok(read) => return read.resolve(&place, !reasoning.is_empty(), tools),
                    // Data that a text quotes is no failed action, unless the object is all there is.
                    Err(Problem::NotAnAction) if !place.is_bare() && !place.tagged => continue,
                    Err(reason) => reason,
                };
                problem = problem.or(Some(reason));
            }
            Found::Broken { before, extent } => {
                let place = Place::new(before, "");
                if place.is_call() || mentions_action(extent) || opens_as_action(extent) {
                    return Parsed::invalid(problem.unwrap_or(Problem::Malformed));
                }
                problem = problem.or(place.opens().then_some(Problem::Malformed));
            }
        }
    }
    // An action may also lack its own brace.
    let attempts = attempts_call(text) || text.split('{').next().is_some_and(mentions_action);
    match problem.or(attempts.then_some(Problem::Malformed)) {
        Some(problem) => Parsed::invalid(problem),
        None => Parsed::free_text(text),
    }
}

impl Read {
    /// Looks up the tool and takes the status from the repairs.
    fn resolve<T: AsRef<str>>(self, place: &Place<'_>, reasoned: bool, tools: &[T]) -> Parsed {
        let mut repairs = place.repairs();
        repairs.extend(self.repairs);
        repairs.extend(reasoned.then_some(Repair::PrefixText));
        repairs.sort_unstable();
        repairs.dedup();
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

/// Parts a completion into the reasoning that it opens with, in `<think>` tags, and the answer: what a model only
/// considered is no proposal. `None` if the reasoning never ends.
fn split_reasoning(text: &str) -> Option<(&str, &str)> {
    const END: &str = "</think>";
    let split = match text.strip_prefix("<think>") {
        Some(inside) => Some(inside.split_once(END)?),
        // Some servers take the first tag for their own. The other one then stands on a line of its own, as it cannot in
        // a string of JSON.
        None => text.match_indices(END).map(|(at, _)| text.split_at(at)).find_map(|(reasoning, rest)| {
            let answer = rest.strip_prefix(END)?;
            let begins = reasoning.is_empty() || reasoning.ends_with('\n');
            let is_line = begins && (answer.is_empty() || answer.starts_with(['\n', '\r']));
            is_line.then_some((reasoning, answer))
        }),
    };
    let (reasoning, answer) = split.unwrap_or(("", text));
    Some((reasoning.trim(), answer.trim_start()))
}

/// The keys that only an action has.
const TELLTALES: [&str; 7] =
    ["action", "action_type", "action_input", "tool", "tool_name", "tool_calls", "function_call"];

/// Whether text that is no JSON has one of the keys that only an action has, in quotation marks and followed by a colon.
fn mentions_action(text: &str) -> bool {
    // The end of a quoted key: in JSON, in Python, or in JSON inside a string.
    let is_key = |quote: char, after: &str| {
        let after = after.strip_prefix('\\').unwrap_or(after).strip_prefix(quote);
        after.is_some_and(|after| after.trim_start().starts_with(':'))
    };
    ['"', '\''].iter().any(|quote| {
        TELLTALES.iter().any(|key| text.split(&format!("{quote}{key}")).skip(1).any(|after| is_key(*quote, after)))
    })
}

/// Whether the first key of a text in braces is one that only an action has, without quotation marks as in JavaScript.
fn opens_as_action(extent: &str) -> bool {
    let key = extent.trim_start_matches(|c: char| c == '{' || c.is_whitespace());
    let key = key.split(|c: char| c == ':' || c.is_whitespace()).next().unwrap_or_default();
    TELLTALES.contains(&key)
}
