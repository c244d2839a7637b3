//! The same forger at work on a live run with several agents and sessions, messages, memories and repairs. Each edit leaves
//! every digest right and every decision as the policy would take it, or nearly.

use crate::folder::copy;
use crate::forgery::forge;
use crate::live_traces::{asks_for_repairs, run, sessions};
use crate::tamper::{assert_found, verify};
use std::fs;
use std::path::Path;
use weir_suite::Row;
use weir_trace::{Body, Event, NodeKind, Trace, fact};

/// An edit of one trace; whether it found something to edit.
type Edit = fn(&mut Trace) -> bool;

/// The first event of this kind, changed.
fn change(trace: &mut Trace, of: impl Fn(&Event) -> bool, how: impl FnOnce(&mut Event)) -> bool {
    trace.events.iter_mut().find(|event| of(event)).map(how).is_some()
}

/// Takes an event out, and makes all others point where they pointed.
fn take_out(trace: &mut Trace, of: impl Fn(&Event) -> bool) -> bool {
    let Some(gone) = trace.events.iter().position(of) else { return false };
    trace.events.remove(gone);
    let gone = u32::try_from(gone).unwrap();
    let moved = |id: u32| if id > gone { id - 1 } else { id };
    for event in &mut trace.events {
        event.id = moved(event.id);
        event.edges.retain(|edge| edge.parent != gone);
        for edge in &mut event.edges {
            edge.parent = moved(edge.parent);
        }
        if let Body::Proposal { arguments } = &mut event.body {
            for argument in arguments {
                argument.sources.retain(|&id| id != gone);
                argument.sources.iter_mut().for_each(|id| *id = moved(*id));
            }
        }
    }
    true
}

const EDITS: [(&str, Edit); 14] = [
    ("a dropped offer to repair", |trace| take_out(trace, asks_for_repairs)),
    ("a dropped last offer to repair", |trace| {
        trace.events.last().is_some_and(asks_for_repairs) && trace.events.pop().is_some()
    }),
    ("a dropped repair", |trace| take_out(trace, |event| event.kind == NodeKind::Recovery)),
    ("a repair of another call", |trace| {
        change(
            trace,
            |event| event.kind == NodeKind::Recovery,
            |event| {
                if let Body::Repair { target, .. } = &mut event.body {
                    target.push('1');
                }
            },
        )
    }),
    ("a repair that is said to have failed", |trace| {
        change(
            trace,
            |event| event.kind == NodeKind::Recovery,
            |event| {
                if let Body::Repair { done, .. } = &mut event.body {
                    *done = !*done;
                }
            },
        )
    }),
    ("sessions in another order", |trace| {
        let users: Vec<usize> = (0..trace.events.len())
            .filter(|&at| matches!(&trace.events[at].body, Body::Text { origin } if origin == "user"))
            .collect();
        let [first, second, ..] = users.as_slice() else { return false };
        let text = trace.events[*first].text.clone();
        trace.events[*first].text = trace.events[*second].text.clone();
        trace.events[*second].text = text;
        sessions(trace) > 1
    }),
    ("a message to the user that went to an agent", |trace| {
        change(
            trace,
            |event| matches!(event.body, Body::Message { to: Some(_) }) && event.labels == 0,
            |event| {
                event.body = Body::Message { to: None };
            },
        )
    }),
    ("a message to another agent", |trace| {
        change(
            trace,
            |event| matches!(event.body, Body::Message { to: Some(_) }),
            |event| {
                event.body = Body::Message { to: Some(7) };
            },
        )
    }),
    ("a memory that bears another label", |trace| {
        change(trace, |event| event.kind == NodeKind::MemoryRecord, |event| event.labels ^= 4)
    }),
    ("an attack that is said to be none", |trace| {
        change(trace, |event| event.is(fact::ATTACK), |event| event.facts &= !fact::ATTACK)
    }),
    ("an authorised call that is said to be none", |trace| {
        change(trace, |event| event.is(fact::AUTHORIZED), |event| event.facts &= !fact::AUTHORIZED)
    }),
    ("a violation that is said to be none", |trace| {
        change(trace, |event| event.is(fact::UNAUTHORIZED), |event| event.facts = 0)
    }),
    ("another verdict", |trace| {
        trace.header.verdict.recovered = trace.header.verdict.recovered.map(|recovered| !recovered);
        trace.header.verdict.recovered.is_some()
    }),
    ("another prompt", |trace| {
        change(
            trace,
            |event| matches!(&event.body, Body::Text { origin } if origin == "system"),
            |event| event.text = format!("{} Be good.", event.text).into(),
        )
    }),
];

fn forged(home: &Path, what: &str, edit: impl Fn(&mut Vec<(Trace, Row)>)) {
    let changed = home.join("changed");
    copy(&home.join("run"), &changed);
    forge(&changed, edit);
    assert_found(what, &verify(home, "changed"), "unit ");
    fs::remove_dir_all(changed).unwrap();
}

#[test]
fn whatever_is_edited_in_a_live_trace_is_found() {
    let home = tempfile::tempdir().unwrap();
    run(home.path(), "run");
    verify(home.path(), "run").good();
    for (what, edit) in EDITS {
        // `forge` demands that something was edited.
        forged(home.path(), what, |units| {
            units.iter_mut().any(|(trace, _)| edit(trace));
        });
    }
}

/// A simulated model's words are no less a function of scenario and seed than the rest.
#[test]
fn other_words_of_a_simulated_model_are_found() {
    let home = tempfile::tempdir().unwrap();
    run(home.path(), "run");
    forged(home.path(), "other words", |units| {
        let last = |event: &&mut Event| matches!(event.body, Body::Message { to: None });
        let events = &mut units[0].0.events;
        let message = events.iter_mut().rev().find(last).unwrap();
        let (old, new) = (message.text.to_string(), "All is well.");
        message.text = new.into();
        let state = events.iter_mut().rev().find(|event| event.kind == NodeKind::AgentState).unwrap();
        state.text = state.text.replace(&old, new).into();
    });
}
