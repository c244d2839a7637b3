//! Single hooks: authorise with a two-event delta, and the start of a session.

use crate::clock::{median, timed};
use crate::line;
use crate::native::NativeFactory;
use std::marker::PhantomData;
use std::sync::Arc;
use weir_runtime::wit::policies::Episode;
use weir_runtime::wit::trace::{Edge, EdgeKind, Event, NodeKind};
use weir_runtime::wit::types::{Argument, Authorization, Effect, Parameter, Proposal, Role, Tool};
use weir_runtime::world::policy::{Defence, DefenceFactory, Delta};
use weir_suite::{Error, Plugins};

/// Calls in one session: a long rollout.
const CALLS: u32 = 50;
const SESSIONS: u32 = 200;
const ROUNDS: usize = 7;

/// Prints the hook lines.
pub fn bench(plugins: &Plugins) -> Result<(), Error> {
    let wasm = plugins.policy("intent-ledger")?.0;
    let native = NativeFactory::<weir_policy_intent_ledger::IntentLedger>(PhantomData);
    let (mut authorize, mut linked, mut start) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        authorize.push(calls(&wasm)?);
        linked.push(calls(&native)?);
        start.push(starts(&wasm)?);
    }
    let (authorize, linked) = (median(authorize), median(linked));
    line("authorise, two new events and five arguments", &format!("{:.2} us", authorize * 1e6), "at most 3 us");
    line("  the same policy, native", &format!("{:.2} us", linked * 1e6), "");
    line("  Wasm over native", &format!("{:.1}x", authorize / linked), "");
    line("instantiate, start a session, drop both", &format!("{:.1} us", median(start) * 1e6), "at most 20 us");
    Ok(())
}

/// CPU seconds of one authorisation.
fn calls(factory: &dyn DefenceFactory) -> Result<f64, Error> {
    let (episode, canaries) = (episode(), Arc::from([]));
    let mut spent = 0.0;
    for _ in 0..SESSIONS {
        let mut session = factory.start(&episode, &canaries, None)?;
        let (done, seconds) = timed(|| (0..CALLS).try_for_each(|call| authorize(session.as_mut(), call)));
        done?;
        spent += seconds;
    }
    Ok(spent / f64::from(SESSIONS * CALLS))
}

/// CPU seconds of one session's start and end.
fn starts(factory: &dyn DefenceFactory) -> Result<f64, Error> {
    let (episode, canaries) = (episode(), Arc::from([]));
    let many = SESSIONS * 10;
    let (done, seconds) = timed(|| (0..many).try_for_each(|_| factory.start(&episode, &canaries, None).map(drop)));
    done?;
    Ok(seconds / f64::from(many))
}

fn authorize(session: &mut dyn Defence, call: u32) -> Result<(), Error> {
    let event = |id, kind, parent| Event {
        id,
        kind,
        agent: 0,
        tool: Some(1),
        labels: 1,
        edges: vec![Edge { parent, kind: EdgeKind::DataFlow }],
        size: 120,
    };
    let first = call * 3;
    let events = [event(first, NodeKind::ToolResult, 0), event(first + 1, NodeKind::AgentState, first)];
    let texts: [Arc<str>; 2] = [Arc::from("an answer"), Arc::from("")];
    let argument =
        |parameter, value: &str| Argument { parameter, value: value.into(), labels: 1, sources: vec![first] };
    let proposal = Proposal {
        event: first + 2,
        call_id: call,
        agent: 0,
        tool: 1,
        arguments: vec![
            argument(0, r#"["ann@corp.local"]"#),
            argument(1, "null"),
            argument(2, r#""Minutes of the meeting""#),
            argument(3, r#""Here are the minutes that you asked for, with all the points that were open.""#),
            argument(4, "[]"),
        ],
        labels: 1,
    };
    session.authorize(Delta { events: &events, texts: &texts }, &proposal)?;
    Ok(())
}

/// Two tools and eight ledger entries.
fn episode() -> Episode {
    let parameter = |name: &str, role| Parameter { name: name.into(), role, required: false, schema: "{}".into() };
    let tool =
        |name: &str, effect, parameters| Tool { name: name.into(), description: String::new(), effect, parameters };
    let entry = |number: u32| Authorization {
        action: if number == 7 { "send".into() } else { format!("tool {number}") },
        targets: vec!["ann@corp.local".into()],
        constraints: Vec::new(),
    };
    Episode {
        goal: "Send Ann the minutes".into(),
        ledger: (0..8).map(entry).collect(),
        tools: vec![
            tool("read", Effect::Read, vec![parameter("query", Role::Other)]),
            tool(
                "send",
                Effect::SideEffect,
                vec![
                    parameter("to", Role::Recipient),
                    parameter("cc", Role::Recipient),
                    parameter("subject", Role::Content),
                    parameter("body", Role::Content),
                    parameter("attachments", Role::Content),
                ],
            ),
        ],
        agents: vec!["agent".into()],
        label_names: Vec::new(),
        taint_vocabulary: 1,
    }
}
