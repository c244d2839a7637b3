//! What plugins ask of models, through the sandbox: grants, budgets, the record and its replay. The plugins are built-in
//! writers; [`policies`] has the policies that ask, and [`crate::resources::asks_the_model`] the one that asks without end.

mod policies;

use crate::common::{Host, asking, built_in, episode, expect_in_authorize, nothing, proposal};
use std::sync::{Arc, Mutex};
use weir_runtime::models::{Answer, Completion, Exchange, ModelFailure, Models, Replay, Request};
use weir_runtime::wit::memory::{Item, Speaker, Turn};
use weir_runtime::wit::policies::Decision;
use weir_runtime::wit::writers::{Method, Task, View};
use weir_runtime::world::{Consolidated, Defence, WriterPlugin};
use weir_runtime::{Capability, Cause, Fault, Grants, Kind, Limits};

const ANSWER: &str = r#"{"memories":[{"text":"The user sits by the window.","type":"preference"}]}"#;

/// Answers each request with the next of these, and counts 1,000 tokens read and 20 written for each.
struct Scripted(Vec<&'static str>);

impl Models for Scripted {
    fn complete(&mut self, _: &Request) -> Result<Completion, ModelFailure> {
        let text = self.0.pop().ok_or_else(|| ModelFailure::Failed("the script is over".into()))?;
        Ok(Completion { text: text.into(), input_tokens: 1_000, output_tokens: 20, ..Completion::default() })
    }
}

fn scripted(answer: &'static str) -> Option<Box<dyn Models>> {
    Some(Box::new(Scripted(vec![answer])))
}

fn role() -> Capability {
    Capability::Model("writer".into())
}

/// A built-in writer as the suite loads it: it works without a model too.
fn writer(name: &str, grants: Grants) -> (Host, WriterPlugin) {
    let host = Host::with(grants);
    let component = host.loader.load(name, Kind::Writer, built_in("writer", name)).unwrap();
    (host, WriterPlugin::new(component).unwrap())
}

fn granted(limits: Limits) -> Grants {
    Grants { grant: vec![Capability::Log, role()], limits, ..Grants::default() }
}

fn task(method: Method) -> Task {
    let said = "I always sit at window W-12.";
    let turn = Turn { index: 0, speaker: Speaker::User, text: said.into(), calls: vec![], call_id: None };
    Task { history: vec![turn], marks: vec![], existing: vec![], limit: 16, view: View::Full, method }
}

fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

fn said(exchange: &Exchange) -> &str {
    match &exchange.answer {
        Answer::Completion(completion) => &completion.text,
        Answer::Refusal(what) => panic!("{what}"),
    }
}

fn cause(done: Consolidated) -> Cause {
    done.answer.unwrap_err().cause
}

#[test]
fn every_built_in_writer_works_by_rules_without_a_grant_and_by_the_model_with_one() {
    let mut writers = 0;
    for embedded in weir_components::ALL.iter().filter(|one| one.kind == "writer") {
        let (_, bare) = writer(embedded.name, Grants::default());
        let written = bare.consolidate(&task(Method::Rules)).unwrap();
        assert!(texts(&written.value)[0].contains("W-12"), "{}: {:?}", embedded.name, written.value);
        let message = "access denied: the role `writer` is not granted to this plugin".into();
        assert_eq!(cause(bare.consolidate_with(&task(Method::Model), scripted(ANSWER))), Cause::Refused { message });

        let (_, able) = writer(embedded.name, granted(Limits::default()));
        let done = able.consolidate_with(&task(Method::Model), scripted(ANSWER));
        assert_eq!(texts(&done.answer.unwrap().value), ["The user sits by the window."]);
        let [exchange] = done.exchanges.as_slice() else { panic!("{}: {:?}", embedded.name, done.exchanges) };
        assert_eq!((exchange.request.role.as_str(), said(exchange)), ("writer", ANSWER));
        assert!(exchange.request.messages[1].content.contains("I always sit at window W-12."));
        writers += 1;
    }
    assert_eq!(writers, 9);
}

#[test]
fn a_writer_that_cannot_do_without_the_model_is_not_loaded_without_a_grant() {
    let host = Host::new();
    let needy = asking(built_in("writer", "minimal"), &[Capability::Log, role()]);
    let refused = host.loader.load("minimal", Kind::Writer, &needy);
    assert!(matches!(refused.err().map(|fault| fault.cause), Some(Cause::NotGranted { .. })));
}

#[test]
fn without_a_model_the_granted_role_is_denied() {
    let (_, writer) = writer("minimal", granted(Limits::default()));
    let message = "access denied: no model is configured for role `writer`".into();
    assert_eq!(cause(writer.consolidate_with(&task(Method::Model), None)), Cause::Refused { message });
}

#[test]
fn an_answer_in_another_form_is_the_writers_error_and_is_recorded_all_the_same() {
    let (_, writer) = writer("minimal", granted(Limits::default()));
    let done = writer.consolidate_with(&task(Method::Model), scripted("Sure! Here they are."));
    assert_eq!(said(&done.exchanges[0]), "Sure! Here they are.");
    assert!(
        matches!(cause(done), Cause::Refused { message } if message.starts_with("other: the model's answer is not"))
    );
}

#[test]
fn past_a_budget_the_writer_is_told_so_and_fails() {
    for (limits, said) in [
        (Limits { model_calls: 0, ..Limits::default() }, "0 calls"),
        (Limits { model_input_tokens: 0, ..Limits::default() }, "0 tokens read"),
        (Limits { model_output_tokens: 0, ..Limits::default() }, "0 tokens written"),
        (Limits { model_cost_millionths: Some(0), ..Limits::default() }, "0 millionths of money"),
    ] {
        let (host, writer) = writer("minimal", granted(limits));
        let message = format!("budget exceeded: the budget of this rollout is {said}");
        assert_eq!(cause(writer.consolidate_with(&task(Method::Model), scripted(ANSWER))), Cause::Refused { message });
        host.goes_on();
    }
}

/// The attacker, asking for the role of a judge.
fn asker() -> Vec<u8> {
    asking(crate::ASKS_TOO_MUCH, &[Capability::Log, Capability::Model("judge".into())])
}

/// What the attacker is told, with a model in that role behind it.
fn told(goal: &str) -> Result<String, Box<Fault>> {
    let grant = vec![Capability::Log, Capability::Model("judge".into())];
    // Fuel is not what ends these.
    let limits = Limits { hook_fuel: 1_000_000_000, ..Limits::default() };
    let host = Host::with(Grants { grant, limits, ..Grants::default() });
    let policy = host.policy(&asker());
    let mut session = policy.session_with(&episode(goal), &Arc::from([]), scripted(ANSWER)).unwrap();
    let told = session.authorize(nothing(), &proposal(0));
    match told?.value {
        Decision::Block(reason) => Ok(reason.message),
        other => panic!("{other:?}"),
    }
}

pub fn asks_too_much() {
    assert_eq!(told("").unwrap(), ANSWER);
    let denied = r#"AccessDenied("the role `agent [2J` is not granted to this plugin")"#;
    assert!(told("another role").unwrap().contains(denied), "{}", told("another role").unwrap());
    for goal in ["a huge prompt", "many messages"] {
        let fault = told(goal).unwrap_err();
        expect_in_authorize(&fault, &asker(), &Cause::Output { limit: 1 << 20 });
    }
    // More than it may have is cut, and what is no schema is the model's to refuse.
    for goal in ["a long answer", "no schema"] {
        assert_eq!(told(goal).unwrap(), ANSWER);
    }
    Host::new().goes_on();
}

#[test]
fn a_model_that_fails_is_a_host_failure() {
    let (_, writer) = writer("minimal", granted(Limits::default()));
    let cause = cause(writer.consolidate_with(&task(Method::Model), Some(Box::new(Scripted(vec![])))));
    assert_eq!(cause, Cause::Host { message: "the model failed: the script is over".into() });
    assert!(cause.is_infrastructure());
}

/// Takes longer than a whole call may.
struct Slow;

impl Models for Slow {
    fn complete(&mut self, _: &Request) -> Result<Completion, ModelFailure> {
        std::thread::sleep(std::time::Duration::from_millis(2_500));
        Ok(Completion { text: ANSWER.into(), input_tokens: 1, output_tokens: 1, ..Completion::default() })
    }
}

#[test]
fn waiting_for_a_model_is_no_time_of_the_plugins() {
    let (_, writer) = writer("minimal", granted(Limits { call_seconds: 1, ..Limits::default() }));
    let done = writer.consolidate_with(&task(Method::Model), Some(Box::new(Slow)));
    assert_eq!(texts(&done.answer.unwrap().value), ["The user sits by the window."]);
}

#[test]
fn a_recorded_consolidation_replays_to_the_same_memories_with_the_same_fuel() {
    let (_, writer) = writer("mem0-inspired", granted(Limits::default()));
    let live = writer.consolidate_with(&task(Method::Model), scripted(ANSWER));
    let record = serde_json::to_string(&live.exchanges).unwrap();
    let recorded: Vec<Exchange> = serde_json::from_str(&record).unwrap();

    let replay = Arc::new(Mutex::new(Replay::new(recorded.clone())));
    let again = writer.consolidate_with(&task(Method::Model), Some(Box::new(Arc::clone(&replay))));
    assert_eq!(again.answer.unwrap(), live.answer.unwrap());
    assert_eq!(again.exchanges, live.exchanges);
    assert_eq!(replay.lock().unwrap().difference(), None);

    let replay = Arc::new(Mutex::new(Replay::new(recorded)));
    let mut other = task(Method::Model);
    other.history[0].text.push_str(" Or by the door.");
    let differing = writer.consolidate_with(&other, Some(Box::new(Arc::clone(&replay))));
    assert!(
        matches!(cause(differing), Cause::Replay { message } if message.starts_with("exchange 0: message 1 differs"))
    );
    assert!(replay.lock().unwrap().difference().unwrap().starts_with("exchange 0: message 1 differs"));
}
