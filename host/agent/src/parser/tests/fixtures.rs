//! Whole corpora. Both are synthetic: the smoke traces of the paper are not public, and no model wrote these lines.

use super::*;
use serde::Deserialize;
use std::collections::BTreeSet;

const TOOLS: [&str; 21] = [
    "append_note",
    "create_event",
    "draft_mail",
    "export_document",
    "forward_mail",
    "invite",
    "list_documents",
    "list_events",
    "list_mail",
    "move_event",
    "post_status",
    "read_contact",
    "read_document",
    "read_mail",
    "recall",
    "remember",
    "search_documents",
    "search_mail",
    "send_mail",
    "share_document",
    "update_contact",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SmokeAction {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoCall {
    case: String,
    status: ParseStatus,
    text: String,
}

fn lines<T: for<'a> Deserialize<'a>>(fixture: &str) -> Vec<T> {
    fixture.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn smoke_actions() -> Vec<SmokeAction> {
    lines(include_str!("../../../fixtures/smoke-actions.jsonl"))
}

/// How the paper's runner read completions before its repair: a tool call is an object in the exact format and nothing
/// else, and all that is no tool call is a final answer.
fn legacy_reads_a_final_answer(text: &str) -> bool {
    let Ok(Value::Object(object)) = serde_json::from_str(text) else {
        return true;
    };
    let is_call = object.len() == 3
        && object.get("action").is_some_and(|action| action == "tool")
        && object.get("tool").is_some_and(Value::is_string)
        && object.get("arguments").is_some_and(Value::is_object);
    !is_call
}

#[test]
fn the_smoke_actions_are_read_in_the_numbers_of_table_24() {
    let parsed: Vec<Parsed> = smoke_actions().iter().map(|action| parse(&action.text, &TOOLS)).collect();
    let count = |status| parsed.iter().filter(|parsed| parsed.status == status).count();
    assert_eq!(parsed.len(), 96);
    assert_eq!(count(ParseStatus::ValidStrictJson), 5);
    assert_eq!(count(ParseStatus::ValidRepairedJson), 89);
    assert_eq!(count(ParseStatus::InvalidSchema), 2);
    assert_eq!(count(ParseStatus::InvalidTool), 0);
    let calls = parsed.iter().filter(|parsed| matches!(parsed.action, Some(Action::Call { .. }))).count();
    assert_eq!(calls, 85);
}

#[test]
fn the_legacy_reading_takes_93_of_the_96_smoke_actions_for_final_answers() {
    let actions = smoke_actions();
    let finals = actions.iter().filter(|action| legacy_reads_a_final_answer(&action.text)).count();
    assert_eq!((finals, actions.len()), (93, 96));
}

#[test]
fn the_smoke_actions_are_all_different_and_need_every_repair_of_a_call() {
    let actions = smoke_actions();
    assert_eq!(actions.iter().map(|action| &action.text).collect::<BTreeSet<_>>().len(), 96);
    let found: BTreeSet<Repair> = actions.iter().flat_map(|action| parse(&action.text, &TOOLS).repairs).collect();
    let all = [
        Repair::Fenced,
        Repair::PrefixText,
        Repair::SuffixText,
        Repair::TaggedCall,
        Repair::TextCall,
        Repair::ToolCalls,
        Repair::FunctionCall,
        Repair::NullKeys,
        Repair::ExtraKeys,
        Repair::ActionKeyAlias,
        Repair::ActionOmitted,
        Repair::ActionTypeAsTool,
        Repair::ToolAlias,
        Repair::ArgumentsAlias,
        Repair::ArgumentsAsString,
        Repair::ArgumentsOmitted,
    ];
    assert_eq!(found, BTreeSet::from(all));
}

#[test]
fn what_is_no_proposal_never_becomes_a_call() {
    let cases: Vec<NoCall> = lines(include_str!("../../../fixtures/no-calls.jsonl"));
    assert!(!cases.is_empty());
    for NoCall { case, status, text } in cases {
        let parsed = parse(&text, &TOOLS);
        assert_eq!(parsed.status, status, "{case}: {parsed:?}");
        assert!(!matches!(parsed.action, Some(Action::Call { .. } | Action::Message { .. })), "{case}: {parsed:?}");
        let is_valid = matches!(status, ParseStatus::ValidStrictJson | ParseStatus::FreeText);
        assert_eq!(parsed.action.is_some(), is_valid, "{case}");
    }
}
