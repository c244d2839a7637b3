//! A forger who keeps every digest right: only what follows from what can still find it.

use crate::support::program::Ran;
use crate::tamper::{Honest, RESULTS, TRACES, assert_found};
use std::fs;
use std::path::Path;
use weir_suite::Row;
use weir_suite::store::read_traces;
use weir_trace::codec::{encode, encode_prelude};
use weir_trace::{Body, NodeKind, Trace, Verdict, fact};

/// Rewrites a run's traces and rows after a change, so that every offset and digest is right again.
pub fn forge(folder: &Path, change: impl Fn(&mut Vec<(Trace, Row)>)) {
    let (toolsets, traces) = read_traces(&folder.join(TRACES)).unwrap();
    let text = fs::read_to_string(folder.join(RESULTS)).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut units: Vec<(Trace, Row)> = traces.into_iter().zip(rows).collect();
    let before = units.clone();
    change(&mut units);
    assert!(units != before, "nothing was forged");
    let mut frames = encode_prelude(&toolsets).unwrap();
    let mut lines = String::new();
    for (trace, mut row) in units {
        let frame = encode(&trace.header, &trace.events).unwrap();
        row.trace.offset = u64::try_from(frames.len()).unwrap();
        row.trace.length = u64::try_from(frame.bytes.len()).unwrap();
        row.trace.sha256 = frame.sha256;
        frames.extend(frame.bytes);
        lines += &(serde_json::to_string(&row).unwrap() + "\n");
    }
    fs::write(folder.join(TRACES), frames).unwrap();
    fs::write(folder.join(RESULTS), lines).unwrap();
}

fn forged(change: impl Fn(&mut Vec<(Trace, Row)>)) -> Vec<(&'static str, Ran)> {
    Honest::new().changed(|folder| forge(folder, &change))
}

/// The first unit in which a policy blocked something.
fn a_blocked_one(units: &mut [(Trace, Row)]) -> &mut (Trace, Row) {
    let blocks = |trace: &Trace| trace.events.iter().any(|event| event.is(fact::BLOCKED));
    units.iter_mut().find(|(trace, _)| blocks(trace)).expect("a policy blocked something")
}

#[test]
fn rewriting_without_a_change_would_verify() {
    // Otherwise the other tests here would find the forger's own mistakes.
    let rewrite = |folder: &Path| {
        let before = fs::read(folder.join(TRACES)).unwrap();
        forge(folder, |units| units.reverse());
        forge(folder, |units| units.reverse());
        assert!(before == fs::read(folder.join(TRACES)).unwrap(), "encoding again gives other bytes");
    };
    for (kind, ran) in Honest::new().changed(rewrite) {
        assert_eq!(ran.code, Some(0), "{kind}: {}", ran.stdout);
    }
}

#[test]
fn a_changed_verdict_is_found_by_taking_the_decision_again() {
    let change = |units: &mut Vec<(Trace, Row)>| {
        for event in &mut a_blocked_one(units).0.events {
            if let Body::Decision { verdict: verdict @ Verdict::Block, .. } = &mut event.body {
                *verdict = Verdict::Allow;
            }
        }
    };
    for (kind, ran) in forged(change) {
        assert_found(kind, &ran, "decision on event ");
        assert_found(kind, &ran, "recorded  allow by block_");
        assert_found(kind, &ran, "now       block by block_");
    }
}

#[test]
fn changed_fuel_is_found_by_taking_the_decision_again() {
    let change = |units: &mut Vec<(Trace, Row)>| {
        let decision = units[0].0.events.iter_mut().find_map(|event| match &mut event.body {
            Body::Decision { fuel, .. } => Some(fuel),
            _ => None,
        });
        *decision.expect("something was decided") += 1;
    };
    for (kind, ran) in forged(change) {
        assert_found(kind, &ran, "decision on event ");
    }
}

#[test]
fn a_decision_that_was_left_out_is_found() {
    let change = |units: &mut Vec<(Trace, Row)>| {
        for event in &mut a_blocked_one(units).0.events {
            if event.kind == NodeKind::Decision {
                event.body = Body::Text { origin: "nobody".into() };
            }
        }
    };
    for (kind, ran) in forged(change) {
        assert_found(kind, &ran, "no word");
    }
}

/// The decision stays, but the trace says that the call went through, and the row follows from the trace.
#[test]
fn a_blocked_call_that_is_said_to_have_been_allowed_is_found() {
    let ran = Honest::new().changed_one("replay", |folder| {
        forge(folder, |units| {
            let (trace, row) = a_blocked_one(units);
            let mut cleared = 0;
            for event in trace.events.iter_mut().filter(|event| event.is(fact::BLOCKED | fact::AUTHORIZED)) {
                event.facts = event.facts & !fact::BLOCKED | fact::ALLOWED;
                cleared += 1;
            }
            for event in trace.events.iter_mut().filter(|event| event.is(fact::BLOCKED | fact::ATTACK)) {
                event.facts = event.facts & !fact::BLOCKED | fact::ALLOWED;
                row.recorded.as_mut().unwrap().attack_blocked -= 1;
            }
            row.recorded.as_mut().unwrap().authorised_blocked -= cleared;
        });
    });
    assert_found("replay", &ran, "unit ");
}

#[test]
fn units_in_another_order_are_found() {
    for (kind, ran) in forged(|units| units.swap(0, 1)) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn one_unit_in_the_place_of_another_is_found() {
    for (kind, ran) in forged(|units| units[0] = units[1].clone()) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn a_trace_of_another_policy_is_found() {
    let change = |units: &mut Vec<(Trace, Row)>| {
        let last = units.last().unwrap().0.header.policy.clone();
        units[0].0.header.policy = last;
    };
    for (kind, ran) in forged(change) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn a_row_that_claims_another_policy_is_found() {
    for (kind, ran) in forged(|units| units[0].1.policy = "intent-ledger".into()) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn a_row_that_claims_another_ledger_is_found() {
    for (kind, ran) in forged(|units| units[0].1.ledger = "another".into()) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn a_row_that_claims_another_condition_is_found() {
    for (kind, ran) in forged(|units| units[0].1.condition = "omitted 0.50".into()) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn an_answer_that_nobody_asked_for_is_found() {
    let change = |units: &mut Vec<(Trace, Row)>| {
        let events = &mut units[0].0.events;
        let mut decision = events.iter().rfind(|event| event.kind == NodeKind::Decision).unwrap().clone();
        decision.id = u32::try_from(events.len()).unwrap();
        events.push(decision);
    };
    for (kind, ran) in forged(change) {
        assert_found(kind, &ran, "unit 1");
    }
}

#[test]
fn a_label_that_was_washed_off_is_found() {
    let change = |units: &mut Vec<(Trace, Row)>| {
        let tainted = |trace: &Trace| trace.events.iter().any(|event| event.labels & 1 != 0);
        let (trace, _) = units.iter_mut().find(|(trace, _)| tainted(trace)).unwrap();
        // One that no policy is asked about, and no later event bears a label because of.
        let event = trace.events.iter_mut().rfind(|event| event.labels & 1 != 0).unwrap();
        event.labels = 0;
    };
    for (kind, ran) in forged(change) {
        assert_found(kind, &ran, "unit ");
    }
}

#[test]
fn a_replay_of_another_ledger_that_decides_alike_is_found() {
    let ran = Honest::new().changed_one("replay", |folder| {
        forge(folder, |units| {
            for (trace, row) in units.iter_mut() {
                trace.header.ledgers[0].form = "another".into();
                row.ledger = "another".into();
            }
        });
    });
    assert_found("replay", &ran, "unit 1");
}
