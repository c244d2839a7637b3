//! A history and its memories as nodes of a trace.

use super::ASSISTANT;
use std::sync::Arc;
use weir_memory::{Authority, Speaker, Variant};
use weir_runtime::wit::memory as wm;
use weir_trace::{Body, Edge, EventId, NewEvent, NodeKind, TraceBuilder, fact, label};

/// What memories are called in a trace.
const PREFIX: &str = "memory/";

pub(super) fn speaker(speaker: Speaker) -> wm::Speaker {
    match speaker {
        Speaker::System => wm::Speaker::System,
        Speaker::User => wm::Speaker::User,
        Speaker::Assistant => wm::Speaker::Assistant,
        Speaker::Tool => wm::Speaker::Tool,
    }
}

pub(super) fn authority(authority: Authority) -> wm::Authority {
    match authority {
        Authority::Unendorsed => wm::Authority::Unendorsed,
        Authority::Attested => wm::Authority::Attested,
        Authority::Authorized => wm::Authority::Authorized,
    }
}

pub(super) fn from_contract(authority: wm::Authority) -> Authority {
    match authority {
        wm::Authority::Unendorsed => Authority::Unendorsed,
        wm::Authority::Attested => Authority::Attested,
        wm::Authority::Authorized => Authority::Authorized,
    }
}

pub(super) fn kind_name(kind: wm::Kind) -> &'static str {
    match kind {
        wm::Kind::Fact => "fact",
        wm::Kind::Preference => "preference",
        wm::Kind::Intention => "intention",
        wm::Kind::Rule => "rule",
        wm::Kind::Other => "other",
    }
}

pub(super) fn kind(name: &str) -> wm::Kind {
    match name {
        "fact" => wm::Kind::Fact,
        "preference" => wm::Kind::Preference,
        "intention" => wm::Kind::Intention,
        "rule" => wm::Kind::Rule,
        _ => wm::Kind::Other,
    }
}

/// Appends a node for each turn: turn `i` is event `i`.
pub(super) fn history(variant: &Variant, texts: bool, out: &mut TraceBuilder) {
    for (index, turn) in variant.turns.iter().enumerate() {
        let (name, own_labels, facts) = match turn.speaker {
            Speaker::System => ("system", 0, 0),
            Speaker::User => ("user", 0, 0),
            Speaker::Assistant => ("assistant", ASSISTANT, 0),
            Speaker::Tool => ("tool", label::UNTRUSTED, fact::UNTRUSTED_SOURCE),
        };
        let text: Arc<str> = match (texts, turn.text.is_empty()) {
            (false, _) => Arc::from(""),
            (true, false) => Arc::from(turn.text.as_str()),
            (true, true) => {
                let call = |call: &weir_memory::history::Call| {
                    format!("{} {}", call.tool, serde_json::Value::Object(call.arguments.clone()))
                };
                Arc::from(turn.calls.iter().map(call).collect::<Vec<_>>().join("\n"))
            }
        };
        let origin = format!("turn {index}, {name}");
        out.push(NewEvent { own_labels, facts, ..NewEvent::text(NodeKind::Source, &origin, text) });
    }
}

/// Appends a memory, with what is true of it beside what its writer says.
pub(super) fn memory(item: &wm::Item, turns: usize, facts: u32, out: &mut TraceBuilder) -> EventId {
    let known = |turn: &&u32| usize::try_from(**turn).is_ok_and(|turn| turn < turns);
    let mut edges: Vec<Edge> = item.evidence.iter().filter(known).map(|&turn| Edge::flow(turn)).collect();
    edges.sort_by_key(|edge| edge.parent);
    edges.dedup();
    out.push(NewEvent {
        kind: NodeKind::MemoryRecord,
        agent: 0,
        tool_call: None,
        own_labels: 0,
        facts,
        edges,
        text: Arc::from(item.text.as_str()),
        body: Body::Text { origin: format!("{PREFIX}{}", item.id) },
    })
}
