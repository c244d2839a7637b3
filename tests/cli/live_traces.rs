//! A run with every topology, sessions that follow each other, messages, memories and repairs: what must hold of each of its
//! traces.

use crate::live::try_run;
use std::fs;
use std::path::Path;
use weir_suite::Row;
use weir_suite::store::{Store, read_traces};
use weir_trace::taint::{closure, reachable};
use weir_trace::{Body, Event, Hook, NodeKind, Trace, fact};

/// The user's requests in a trace: each begins a session.
pub fn sessions(trace: &Trace) -> usize {
    trace.events.iter().filter(|event| begins_session(event)).count()
}

fn begins_session(event: &Event) -> bool {
    event.kind == NodeKind::Source && matches!(&event.body, Body::Text { origin } if origin == "user")
}

/// Whether the policy is asked for repairs here.
pub fn asks_for_repairs(event: &Event) -> bool {
    matches!(event.body, Body::Decision { hook: Hook::Recover, .. })
}

/// Runs the suite into `out`.
pub fn run(home: &Path, out: &str) {
    let mut text = "name = \"many\"\ntitle = \"All that a trace can have\"\n\
        policies = [\"none\", \"taint-only\", \"intent-ledger\", \"rollback\"]\n\
        models = [\"sim:compromised-oracle\"]\nseeds = [1]\nledger = \"oracle\"\nconfirmation = \"absent\"\n"
        .to_owned();
    for domain in ["email", "documents", "crm"] {
        for stage in ["security", "memory-recovery", "control-reinfection", "control-rollback"] {
            text += &format!("\n[[scenarios]]\ndomain = \"{domain}\"\nstage = \"{stage}\"\ncount = 6\nseed = 1\n");
        }
    }
    fs::write(home.join("small.toml"), text).unwrap();
    try_run(home, out, &[]).good();
}

fn all() -> (tempfile::TempDir, Vec<Trace>, Vec<Row>) {
    let home = tempfile::tempdir().unwrap();
    run(home.path(), "run");
    let folder = home.path().join("run");
    let (_, traces) = read_traces(&folder.join("traces.jsonl.zst")).unwrap();
    let rows = Store::open(&folder).unwrap().rows().unwrap().map(Result::unwrap).collect();
    (home, traces, rows)
}

#[test]
fn every_trace_keeps_the_promises_about_taint_and_sessions() {
    let (_home, traces, rows) = all();
    let has = |test: &dyn Fn(&Event) -> bool| traces.iter().any(|trace| trace.events.iter().any(test));
    assert!(has(&|event| matches!(event.body, Body::Message { to: Some(_) })), "some agents write to each other");
    assert!(has(&|event| event.kind == NodeKind::MemoryRecord && event.labels & 1 != 0), "some memory is tainted");
    assert!(has(&|event| matches!(event.body, Body::Repair { done: true, .. })), "something is repaired");
    assert!(traces.iter().any(|trace| sessions(trace) > 1), "some rollout has a second session");
    for (trace, row) in traces.iter().zip(&rows) {
        let name = format!("{} under {}", row.scenario, row.policy);
        labels_are_the_closure(trace, &name);
        sessions_end_with_an_offer_to_repair(trace, &name);
        for text in trace.events.iter().map(|event| &event.text) {
            assert!(!text.contains(&row.scenario), "{name}: a policy could read the scenario's identifier in: {text}");
        }
        for ratio in ["blast_radius_norm", "taint_to_commit_rate"] {
            let value = row.measurements[ratio].value.unwrap_or(0.0);
            assert!((0.0..=1.0).contains(&value), "{name}: {ratio} is {value}");
        }
    }
}

fn labels_are_the_closure(trace: &Trace, name: &str) {
    let reached = reachable(&trace.events);
    for ((event, by_closure), by_any) in trace.events.iter().zip(closure(&trace.events)).zip(reached) {
        let tainted = event.labels & trace.header.taint_vocabulary != 0;
        assert_eq!(tainted, by_closure, "{name}: event {} bears {}", event.id, event.labels);
        assert!(by_any || !tainted, "{name}: event {} is tainted and not reachable", event.id);
        assert!(event.edges.is_sorted_by_key(|edge| edge.parent), "{name}: edges of event {}", event.id);
    }
}

/// After the offer there are only repairs, as many as were asked for.
fn sessions_end_with_an_offer_to_repair(trace: &Trace, name: &str) {
    let starts: Vec<usize> = (0..trace.events.len()).filter(|&at| begins_session(&trace.events[at])).collect();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(trace.events.len());
        let session = &trace.events[start..end];
        let offers: Vec<usize> = (0..session.len()).filter(|&at| asks_for_repairs(&session[at])).collect();
        assert_eq!(offers.len(), 1, "{name}: session {number}");
        let (offer, repairs) = (&session[offers[0]], &session[offers[0] + 1..]);
        let Body::Decision { message, .. } = &offer.body else { panic!("no decision") };
        let asked: Vec<serde_json::Value> = serde_json::from_str(message).unwrap_or_default();
        assert_eq!(asked.len(), repairs.len(), "{name}: session {number}");
        assert!(repairs.iter().all(|event| event.kind == NodeKind::Recovery), "{name}: session {number}");
        assert!(!session.iter().any(|event| event.is(fact::PLUGIN_FAULT)), "{name}");
    }
}
