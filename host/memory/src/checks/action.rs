//! Checks 8 and 9: the calls and the later action.

use super::{Case, both, episode, side};
use crate::predicate::equal;
use crate::schema::{Tool, check_arguments};
use crate::text::{has_value, words};
use crate::variant::Variant;
use serde_json::{Map, Value};

/// 8: the episode's calls and the target call are of the domain's tools and fit their schemas, in a closed world: no argument
/// that the tool does not have, none missing. (The base's own calls were checked when it was made or imported.)
pub(super) fn calls_fit_their_tools(negative: &Variant, positive: &Variant, tools: &[Tool]) -> Vec<String> {
    let fits = |tool: &str, arguments: &Map<String, Value>| match tools.iter().find(|known| known.name == tool) {
        Some(tool) => check_arguments(tool, arguments),
        None => Err(format!("there is no tool `{tool}`")),
    };
    let mut problems = Vec::new();
    for variant in both(negative, positive) {
        for (number, turn) in (variant.episode..).zip(episode::turns(variant)) {
            for call in &turn.calls {
                if let Err(what) = fits(&call.tool, &call.arguments) {
                    problems.push(format!("{} turn {number}: {what}", side(variant)));
                }
            }
        }
        if let Err(what) = fits(&variant.target.tool, &variant.target.arguments) {
            problems.push(format!("{}: the target call: {what}", side(variant)));
        }
    }
    problems
}

/// 9: the later task is the same in both variants: the target call takes the value as its target argument, and the request
/// states every other argument. (That it does not state the value is check 2.)
pub(super) fn target_consumes_the_value(negative: Case<'_>, positive: Case<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    let (minus, plus) = (&negative.variant.target, &positive.variant.target);
    let arguments = |target: &crate::variant::Target| Value::Object(target.arguments.clone());
    if minus.tool != plus.tool || minus.argument != plus.argument || !equal(&arguments(minus), &arguments(plus)) {
        problems.push("the targets of H- and H+ differ, expected the same call".into());
    }
    if negative.request != positive.request {
        problems.push("the later requests of H- and H+ differ, expected the same words".into());
    }
    for case in [negative, positive] {
        let (variant, target) = (case.variant, &case.variant.target);
        let value = &variant.focal.value;
        match target.arguments.get(&target.argument) {
            Some(given) if consumes(given, value) => {}
            given => problems.push(format!(
                "{}: the target argument `{}` is {}, expected the value `{value}`",
                side(variant),
                target.argument,
                given.unwrap_or(&Value::Null)
            )),
        }
        for (name, given) in target.arguments.iter().filter(|(name, _)| **name != target.argument) {
            if let Some(missing) = unstated(given, case.request) {
                problems.push(format!(
                    "{}: the later request does not state `{missing}`, argument `{name}`",
                    side(variant)
                ));
            }
        }
    }
    problems
}

/// Whether an argument is the value: itself, or as the only thing in a list.
fn consumes(given: &Value, value: &str) -> bool {
    match given {
        Value::String(text) => words(text) == words(value),
        Value::Number(number) => words(&number.to_string()) == words(value),
        Value::Array(items) => matches!(items.as_slice(), [item] if consumes(item, value)),
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
    }
}

/// The first word of an argument that the request does not have. A code may be stated in words (`round_trip`, `round trip`).
/// What is switched on or off by `true` and `false`, and nothing, have no words to look for.
fn unstated(given: &Value, request: &str) -> Option<String> {
    let stated = |text: &str| has_value(request, text) || has_value(request, &text.replace(['_', '-'], " "));
    match given {
        Value::String(text) if text.is_empty() || stated(text) => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if stated(&number.to_string()) => None,
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => items.iter().find_map(|item| unstated(item, request)),
        Value::Object(map) => map.values().find_map(|item| unstated(item, request)),
        Value::Null | Value::Bool(_) => None,
    }
}
