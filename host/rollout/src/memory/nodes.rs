//! A history and its memories as nodes of a trace.

use super::ASSISTANT;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use weir_memory::{Authority, Speaker, Turn, Variant};
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

/// The nodes of turns, by the turns' indices.
pub(super) type Turns = BTreeMap<u32, EventId>;

/// Appends a node for each turn, with its text.
pub(super) fn history(variant: &Variant, out: &mut TraceBuilder) -> Turns {
    let text = |turn: &Turn| match turn.text.is_empty() {
        false => Arc::from(turn.text.as_str()),
        true => {
            let call = |call: &weir_memory::history::Call| {
                format!("{} {}", call.tool, serde_json::Value::Object(call.arguments.clone()))
            };
            Arc::from(turn.calls.iter().map(call).collect::<Vec<_>>().join("\n"))
        }
    };
    (0..).zip(&variant.turns).map(|(index, turn)| (index, self::turn(index, turn, text(turn), out))).collect()
}

/// Appends a node for each turn that some memory lists as evidence, without its text.
pub(super) fn evidence(variant: &Variant, items: &[wm::Item], out: &mut TraceBuilder) -> Turns {
    let listed: BTreeSet<u32> = items.iter().flat_map(|item| item.evidence.iter().copied()).collect();
    let named = listed.into_iter().filter_map(|index| {
        let turn = variant.turns.get(usize::try_from(index).ok()?)?;
        Some((index, self::turn(index, turn, Arc::from(""), out)))
    });
    named.collect()
}

fn turn(index: u32, turn: &Turn, text: Arc<str>, out: &mut TraceBuilder) -> EventId {
    let (name, own_labels, facts) = match turn.speaker {
        Speaker::System => ("system", 0, 0),
        Speaker::User => ("user", 0, 0),
        Speaker::Assistant => ("assistant", ASSISTANT, 0),
        Speaker::Tool => ("tool", label::UNTRUSTED, fact::UNTRUSTED_SOURCE),
    };
    let origin = format!("turn {index}, {name}");
    out.push(NewEvent { own_labels, facts, ..NewEvent::text(NodeKind::Source, &origin, text) })
}

/// Appends a memory, with what is true of it beside what its writer says.
pub(super) fn memory(item: &wm::Item, turns: &Turns, facts: u32, out: &mut TraceBuilder) -> EventId {
    let mut edges: Vec<Edge> =
        item.evidence.iter().filter_map(|turn| turns.get(turn).copied()).map(Edge::flow).collect();
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
