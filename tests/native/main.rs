//! What `weir bench` asks a policy's component, its native build is asked too: the host writes the questions with its types,
//! the SDK reads them with its own, and the answers are the same.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::path::PathBuf;
use weir_plugin::policy as sdk;
use weir_plugin::replay::{Line, Question, measure, read};
use weir_runtime::compile::Compiler;
use weir_runtime::wit::{memory, policies, trace, types};
use weir_runtime::{Engines, Grants, Kind, Loader};
use weir_suite::Plugins;
use weir_suite::bench::{against, bench, questions};

fn plugins() -> Plugins {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_weir-under-test"));
    // Each component is compiled once for all tests here.
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("native-cache");
    Plugins::new(Loader::new(Engines::new(1).unwrap(), Grants::default(), Compiler { program }, Some(cache)))
}

/// The questions to a built-in policy, as both sides have them, once its native build has answered all of them as the component
/// did.
fn asked<P: sdk::Policy>(plugins: &Plugins, name: &str) -> Vec<Line> {
    let written = questions(plugins, &Plugins::find(Kind::Policy, name).unwrap()).unwrap();
    let lines = read(written.text()).unwrap();
    assert_eq!(lines.len(), written.count(), "{name}");
    for (number, (line, text)) in lines.iter().zip(written.text().lines().skip(1)).enumerate() {
        assert_eq!(serde_json::to_string(line).unwrap(), text, "{name}, question {number}: nothing is lost");
    }
    let times = measure::<P>(&lines, 1).unwrap();
    assert_eq!((times.otherwise, times.first), (0, None), "{name}");
    lines
}

fn hook(question: &Question) -> &'static str {
    match question {
        Question::Start { .. } => "start",
        Question::Guidance => "guidance",
        Question::Filter { .. } => "filter",
        Question::Authorize { .. } => "authorize",
        Question::Precommit { .. } => "precommit",
        Question::Recover { .. } => "recover",
        Question::Endorse { .. } => "endorse",
        Question::Render { .. } => "render",
    }
}

#[test]
fn native_builds_answer_every_hook_as_their_components() {
    let plugins = plugins();
    let all = [
        asked::<weir_policy_authority_gate::AuthorityGate>(&plugins, "authority-gate"),
        asked::<weir_policy_information_flow::InformationFlow>(&plugins, "information-flow"),
        asked::<weir_policy_intent_ledger::IntentLedger>(&plugins, "intent-ledger"),
        asked::<weir_policy_prompt_only::PromptOnly>(&plugins, "prompt-only"),
        asked::<weir_policy_rollback::Rollback>(&plugins, "rollback"),
        asked::<weir_policy_structured_guard::StructuredGuard>(&plugins, "structured-guard"),
        asked::<weir_policy_task_alignment::TaskAlignment>(&plugins, "task-alignment"),
    ];
    // A hook whose answer is always the default would hold whatever was lost on the way.
    let answers: BTreeSet<(&str, String)> =
        all.iter().flatten().map(|line| (hook(&line.question), line.answer.to_string())).collect();
    for named in ["guidance", "filter", "authorize", "recover", "endorse", "render"] {
        assert!(answers.iter().filter(|(hook, _)| *hook == named).count() > 1, "{named} is answered in one way only");
    }
    // What `rollback` is told there decides what it undoes later.
    assert!(answers.iter().any(|(hook, _)| *hook == "precommit"));
    let shown = |line: &Line| match &line.question {
        Question::Filter { delta, texts, .. } | Question::Recover { delta, texts } => (delta.len(), texts.len()),
        Question::Authorize { delta, texts, .. } | Question::Precommit { delta, texts, .. } => {
            (delta.len(), texts.len())
        }
        _ => (0, 0),
    };
    assert!(all.iter().flatten().all(|line| shown(line).0 == shown(line).1), "each event has its text");
    // All were asked the same, whatever they answer; what a policy renders has the labels that it gave.
    let same = |lines: &[Line]| -> Vec<Question> {
        let lines = lines.iter().map(|line| line.question.clone());
        lines.filter(|question| !matches!(question, Question::Render { .. })).collect()
    };
    assert!(all.iter().all(|lines| same(lines) == same(&all[0])));
}

#[test]
fn times_stand_beside_those_of_the_component_for_the_same_questions() {
    let (plugins, found) = (plugins(), Plugins::find(Kind::Policy, "intent-ledger").unwrap());
    let (measured, written) = (bench(&plugins, &found, Kind::Policy).unwrap(), questions(&plugins, &found).unwrap());
    let lines = read(written.text()).unwrap();
    let times = |rounds| measure::<weir_policy_intent_ledger::IntentLedger>(&lines, rounds).unwrap();
    let whole = serde_json::to_vec(&times(measured.rounds)).unwrap();
    let native = against(&measured, &written, &whole).unwrap();
    let component: Vec<(&str, usize)> = measured.exports.iter().map(|cost| (cost.name.as_str(), cost.count)).collect();
    let natively: Vec<(&str, usize)> = native.exports.iter().map(|cost| (cost.name.as_str(), cost.count)).collect();
    assert_eq!(component[0].0, "instantiation");
    assert_eq!(component[1..], natively, "all but what there is no counterpart of, and as often");
    assert_eq!(
        measured.whole.iter().map(|cost| (&cost.name, cost.count)).collect::<Vec<_>>(),
        native.whole.iter().map(|cost| (&cost.name, cost.count)).collect::<Vec<_>>()
    );
    assert_eq!((native.rounds, native.questions, native.otherwise), (measured.rounds, lines.len(), 0));

    let refused = |times: &[u8]| against(&measured, &written, times).unwrap_err().to_string();
    let fewer = refused(&serde_json::to_vec(&times(measured.rounds - 1)).unwrap());
    assert!(fewer.contains("measured something else: ") && fewer.contains(" rounds, and not "), "{fewer}");
    assert!(refused(b"{}").contains("clock"));
    let mut short = times(measured.rounds);
    short.rounds[0].pop();
    let short = refused(&serde_json::to_vec(&short).unwrap());
    assert!(short.contains(&format!("not the {} questions in each round", lines.len())), "{short}");
}

#[test]
fn a_native_build_that_answers_otherwise_is_told_with_the_first_question() {
    let plugins = plugins();
    let lines = asked::<weir_policy_intent_ledger::IntentLedger>(&plugins, "intent-ledger");
    let times = measure::<weir_policy_prompt_only::PromptOnly>(&lines, 2).unwrap();
    let first = times.first.unwrap();
    assert!(times.otherwise > 1 && times.otherwise < lines.len(), "{} of {}", times.otherwise, lines.len());
    assert_eq!(first.component, lines[first.question].answer);
    assert_ne!(first.component, first.native);
    let early = measure::<weir_policy_prompt_only::PromptOnly>(&lines[1..], 1).unwrap_err();
    assert_eq!(early, "question 0: it comes before the first `start`");
}

#[test]
fn lines_that_are_no_questions_are_refused_by_their_number() {
    let head = r#"{"format":"weir-questions/1"}"#;
    assert_eq!(read(head).unwrap(), []);
    assert!(read("").unwrap_err().starts_with("line 1: "));
    assert!(read(r#"{"format":"weir-questions/2"}"#).unwrap_err().contains("expected the format weir-questions/1"));
    let guidance = r#"{"question":"guidance","answer":null}"#;
    assert_eq!(read(&format!("{head}\n{guidance}")).unwrap().len(), 1);
    let more = guidance.replace("null}", "null,\"more\":1}");
    assert!(read(&format!("{head}\n{guidance}\n{more}")).unwrap_err().starts_with("line 3: unknown field `more`"));
}

/// What the host writes, the SDK reads, and writes in the same way.
fn held<H: Serialize + std::fmt::Debug, S: Serialize + DeserializeOwned + std::fmt::Debug>(host: &[H]) {
    let written = serde_json::to_string(host).unwrap();
    let read: Vec<S> = serde_json::from_str(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
    assert_eq!(serde_json::to_string(&read).unwrap(), written);
    assert_eq!(format!("{read:?}"), format!("{host:?}"));
}

#[test]
fn every_value_of_the_contract_is_read_as_it_was_written() {
    use types::{Effect, Error, Role, Rule};
    held::<_, sdk::Effect>(&[
        Effect::Read,
        Effect::EgressRead,
        Effect::Draft,
        Effect::SideEffect,
        Effect::MemoryWrite,
        Effect::Recovery,
    ]);
    held::<_, sdk::Role>(&[Role::Recipient, Role::Target, Role::Visibility, Role::Content, Role::Other]);
    held::<_, sdk::Rule>(&[
        Rule::Any,
        Rule::Absent,
        Rule::Equals("\"a\\u0000\"".into()),
        Rule::OneOf(vec!["1".into(), String::new()]),
        Rule::Prefix("\u{1f980}\n".into()),
        Rule::AtMost(0.1 + 0.2),
        Rule::AtMost(-0.0),
        Rule::MaxLength(u32::MAX),
    ]);
    held::<_, sdk::Error>(&[
        Error::InvalidInput("a".into()),
        Error::Unsupported("b".into()),
        Error::BudgetExceeded("c".into()),
        Error::AccessDenied("d".into()),
        Error::Other("e".into()),
    ]);
    use trace::{Edge, EdgeKind, Event, NodeKind};
    let edge = |kind| Edge { parent: 7, kind };
    let edges = [EdgeKind::DataFlow, EdgeKind::Structural, EdgeKind::Temporal, EdgeKind::Audit].map(edge);
    let kinds = [
        NodeKind::Source,
        NodeKind::AgentState,
        NodeKind::Message,
        NodeKind::MemoryRecord,
        NodeKind::Proposal,
        NodeKind::Decision,
        NodeKind::ToolResult,
        NodeKind::Commit,
        NodeKind::Recovery,
    ];
    let event =
        |kind| Event { id: 1, kind, agent: 2, tool: Some(3), labels: u64::MAX, edges: edges.to_vec(), size: u32::MAX };
    held::<_, sdk::Event>(&kinds.map(event));
    use memory::{Authority, Call, Item, Kind, Speaker, Turn};
    let item = |(kind, authority)| Item { id: "m".into(), text: "t".into(), kind, authority, evidence: vec![0, 9] };
    let labelled = [
        (Kind::Fact, None),
        (Kind::Preference, Some(Authority::Unendorsed)),
        (Kind::Intention, Some(Authority::Attested)),
        (Kind::Rule, Some(Authority::Authorized)),
        (Kind::Other, None),
    ];
    held::<_, sdk::Item>(&labelled.map(item));
    let call = || Call { id: "c".into(), tool: "t".into(), arguments: "{}".into() };
    let turn = |speaker| Turn { index: 1, speaker, text: "t".into(), calls: vec![call()], call_id: Some("c".into()) };
    held::<_, sdk::Turn>(&[Speaker::System, Speaker::User, Speaker::Assistant, Speaker::Tool].map(turn));
    use policies::{Decision, Endorsement, Filtered, Recovery};
    let reason = || types::Reason { rule: "r".into(), message: "m".into() };
    held::<_, sdk::Decision>(&[
        Decision::Allow(None),
        Decision::Allow(Some(reason())),
        Decision::Block(reason()),
        Decision::Confirm(reason()),
    ]);
    held::<_, sdk::Filtered>(&[Filtered::Pass, Filtered::Replace("x".into()), Filtered::Withhold(reason())]);
    held::<_, sdk::Recovery>(&[Recovery::Rollback(1), Recovery::Quarantine("k".into()), Recovery::Scrub("k".into())]);
    held::<_, sdk::Endorsement>(&[Endorsement { authority: Some(Authority::Attested), support: Some(4) }]);
}
