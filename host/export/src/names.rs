//! Names instead of bits and indices: a table is read without the trace's header beside it.

use serde::Serialize;
use weir_suite::Error;
use weir_trace::{Body, Event, EventId, Header, Labels, Trace, fact};

/// Bits 0 to 3 of the labels; 4 to 7 are reserved, and the header names the others.
const LABELS: [&str; 4] = ["untrusted", "canary", "private", "quarantined"];
/// The first label bit that the header names.
const FIRST_OWN_LABEL: usize = 8;

/// Names of labels, in the order of their bits; `bit_N` where a bit has none.
pub(crate) fn labels(header: &Header, labels: Labels) -> Vec<String> {
    let name = |bit: usize| {
        let own = || bit.checked_sub(FIRST_OWN_LABEL).and_then(|own| header.label_names.get(own));
        let known = LABELS.get(bit).map(|name| (*name).to_owned());
        known.or_else(|| own().cloned()).unwrap_or_else(|| format!("bit_{bit}"))
    };
    (0..64).filter(|bit| labels >> bit & 1 == 1).map(name).collect()
}

/// Names of facts, in the order of their bits; `bit_N` where a bit has none.
pub(crate) fn facts(facts: u32) -> Vec<String> {
    let name = |bit: usize| fact::NAMES.get(bit).map_or_else(|| format!("bit_{bit}"), |name| (*name).to_owned());
    (0..32).filter(|bit| facts >> bit & 1 == 1).map(name).collect()
}

/// The name of an enum's value, as traces write it.
pub(crate) fn variant(value: &impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// The agent of an event.
pub(crate) fn agent<'a>(trace: &'a Trace, event: &Event) -> Result<&'a str, Error> {
    let agents = &trace.header.agents;
    let found = at(agents, event.agent);
    found.map(String::as_str).ok_or_else(|| beyond(trace, event.id, "agent", event.agent, agents.len()))
}

/// The tool of an event, if it belongs to a call.
pub(crate) fn tool<'a>(trace: &'a Trace, event: &Event) -> Result<Option<&'a str>, Error> {
    let Some(index) = event.tool else { return Ok(None) };
    let found = at(&trace.tools, index);
    found.map(|tool| Some(tool.name.as_str())).ok_or_else(|| beyond(trace, event.id, "tool", index, trace.tools.len()))
}

/// The identifier of a proposal's call, unique in its rollout.
pub(crate) fn call(proposal: &Event) -> String {
    proposal.call.map_or_else(|| format!("event-{}", proposal.id), |call| format!("call-{call}"))
}

/// A proposal's arguments by name, without their labels.
pub(crate) fn arguments_by_name(
    trace: &Trace,
    proposal: &Event,
) -> Result<serde_json::Map<String, serde_json::Value>, Error> {
    let arguments = arguments(trace, proposal)?.unwrap_or_default();
    Ok(arguments.into_iter().map(|argument| (argument.name.to_owned(), argument.value)).collect())
}

/// An argument of a proposal with its parameter's name.
pub(crate) struct Argument<'a> {
    pub(crate) name: &'a str,
    /// As JSON.
    pub(crate) value: serde_json::Value,
    pub(crate) labels: Vec<String>,
}

/// The arguments of a proposal; none where the event is none.
pub(crate) fn arguments<'a>(trace: &'a Trace, event: &Event) -> Result<Option<Vec<Argument<'a>>>, Error> {
    let Body::Proposal { arguments } = &event.body else { return Ok(None) };
    let parameters = event.tool.and_then(|tool| at(&trace.tools, tool)).map_or(&[][..], |tool| &tool.parameters);
    let named = arguments.iter().map(|argument| {
        let index = argument.parameter;
        let parameter =
            at(parameters, index).ok_or_else(|| beyond(trace, event.id, "parameter", index, parameters.len()))?;
        let value = serde_json::from_str(&argument.value).map_err(|e| {
            let what = format!("the value of `{}` is not JSON: {e}", parameter.name);
            damaged(trace, event.id, &what)
        })?;
        Ok(Argument { name: &parameter.name, value, labels: labels(&trace.header, argument.labels) })
    });
    named.collect::<Result<Vec<_>, Error>>().map(Some)
}

fn at<T>(items: &[T], index: u32) -> Option<&T> {
    items.get(usize::try_from(index).ok()?)
}

fn beyond(trace: &Trace, event: EventId, what: &str, index: u32, length: usize) -> Error {
    damaged(trace, event, &format!("it names {what} {index}, there are {length}"))
}

fn damaged(trace: &Trace, event: EventId, what: &str) -> Error {
    Error::Input(format!("event {event} of unit {}: {what}", trace.header.unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_named_by_its_bit() {
        assert_eq!(facts(fact::AUTHORIZED | fact::BLOCKED), ["authorized", "blocked"]);
        assert_eq!(facts(fact::CONTEXT_OVERFLOW | fact::NAMES_SOURCE), ["names_source", "context_overflow"]);
    }

    #[test]
    fn a_bit_without_a_name_is_shown_and_not_dropped() {
        assert_eq!(facts(1 << 31), ["bit_31"]);
    }
}
