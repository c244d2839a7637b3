//! Calls in the forms in which chat interfaces and other prompts write them.

use super::*;

const CALL: &str = r#"{"name":"send_mail","arguments":{"to":"ann@corp.local"}}"#;
const QUOTED: &str = r#"{"name":"send_mail","arguments":"{\"to\": \"ann@corp.local\"}"}"#;

#[test]
fn the_first_of_the_tool_calls_is_read() {
    let one = format!(r#"{{"id":"call_1","type":"function","function":{QUOTED}}}"#);
    let two = one.replace("send_mail", "read_mail");
    reads_as_send(&format!(r#"{{"tool_calls":[{one}]}}"#), &[Repair::ToolCalls, Repair::ArgumentsAsString]);
    reads_as_send(&format!(r#"{{"tool_calls":[{{"function":{CALL}}}]}}"#), &[Repair::ToolCalls]);
    reads_as_send(
        &format!(r#"{{"tool_calls":[{one},{two}]}}"#),
        &[Repair::SuffixText, Repair::ToolCalls, Repair::ArgumentsAsString],
    );
    reads_as_send(
        &format!(r#"{{"role":"assistant","content":null,"tool_calls":[{one}]}}"#),
        &[Repair::ToolCalls, Repair::NullKeys, Repair::ExtraKeys, Repair::ArgumentsAsString],
    );
}

#[test]
fn a_single_function_object_is_read() {
    reads_as_send(&format!(r#"{{"type":"function","function":{CALL}}}"#), &[Repair::FunctionCall]);
    reads_as_send(
        &format!(r#"I call: [{{"id":"call_1","type":"function","function":{QUOTED}}}]"#),
        &[Repair::PrefixText, Repair::SuffixText, Repair::FunctionCall, Repair::ArgumentsAsString],
    );
    reads_as_send(&format!(r#"{{"function_call":{QUOTED}}}"#), &[Repair::FunctionCall, Repair::ArgumentsAsString]);
}

#[test]
fn a_native_call_needs_a_name_and_arguments() {
    is_invalid(r#"{"tool_calls":[]}"#, Problem::NoTool);
    is_invalid(r#"{"tool_calls":{}}"#, Problem::NoTool);
    is_invalid(r#"{"tool_calls":["send_mail"]}"#, Problem::NoTool);
    is_invalid(r#"{"tool_calls":[{"id":"call_1"}]}"#, Problem::NoTool);
    is_invalid(r#"{"tool_calls":[{"function":{"arguments":{}}}]}"#, Problem::NoTool);
    is_invalid(r#"{"tool_calls":[{"function":{"name":"list_mail"}}]}"#, Problem::NoArguments);
    is_invalid(r#"{"function_call":{"name":"send_mail","arguments":"to Ann"}}"#, Problem::ArgumentsNotObject);
    is_invalid(r#"{"tool_calls":[{"function":{"name":"final","arguments":{}}}]}"#, Problem::ReservedName);
}

#[test]
fn an_unknown_tool_of_a_native_call_is_recorded() {
    for completion in [
        r#"{"tool_calls":[{"function":{"name":"rm","arguments":"{}"}}]}"#,
        r#"{"type":"function","function":{"name":"rm","arguments":{}}}"#,
        "<tool_call>\n{\"name\": \"rm\", \"arguments\": {}}\n</tool_call>",
        "Action: rm\nAction Input: {}",
    ] {
        let parsed = parse(completion, &TOOLS);
        let found = (parsed.status, parsed.action, parsed.unknown_tool.as_deref());
        assert_eq!(found, (ParseStatus::InvalidTool, None, Some("rm")), "{completion}");
    }
}

#[test]
fn a_native_call_beside_another_action_is_ambiguous() {
    let calls = format!(r#""tool_calls":[{{"function":{CALL}}}]"#);
    for other in [
        r#""action":"final","text":"Done.""#.to_owned(),
        r#""action":"tool","tool":"read_mail","arguments":{}"#.to_owned(),
        r#""name":"read_mail""#.to_owned(),
        r#""arguments":{}"#.to_owned(),
        format!(r#""function_call":{CALL}"#),
        format!(r#""function":{CALL}"#),
        calls.clone(),
    ] {
        is_invalid(&format!("{{{calls},{other}}}"), Problem::Ambiguous);
    }
    is_invalid(&format!(r#"{{"tool_calls":[{{"name":"read_mail","function":{CALL}}}]}}"#), Problem::Ambiguous);
    is_invalid(&format!(r#"{{"action":"tool","function":{CALL}}}"#), Problem::Ambiguous);
}

#[test]
fn the_definition_or_choice_of_a_tool_is_no_call() {
    let schema = r#"{"type":"object","properties":{"to":{"type":"string"}}}"#;
    let function = format!(r#"{{"name":"send_mail","description":"Sends a mail.","parameters":{schema}}}"#);
    for definition in [
        format!(r#"{{"type":"function","function":{function}}}"#),
        r#"{"type":"function","function":{"name":"send_mail"}}"#.to_owned(),
        function,
    ] {
        is_invalid(&definition, Problem::NotAnAction);
        is_free_text(&format!("I have this tool: {definition}"));
    }
}

#[test]
fn tags_around_a_call_are_a_repair() {
    let form = [Repair::TaggedCall, Repair::ActionOmitted, Repair::ToolAlias];
    reads_as_send(&format!("<tool_call>\n{CALL}\n</tool_call>"), &form);
    reads_as_send(&format!("<tool_call>{STRICT}</tool_call>"), &[Repair::TaggedCall]);
    // Either half may be lost: to a limit of tokens, or to a server that takes it for its own.
    reads_as_send(&format!("<tool_call>\n{CALL}"), &form);
    reads_as_send(&format!("{CALL}\n</tool_call>"), &form);
    for wrapped in [
        format!("```xml\n<tool_call>\n{STRICT}\n</tool_call>\n```"),
        format!("<tool_call>\n```json\n{STRICT}\n```\n</tool_call>"),
    ] {
        reads_as_send(&wrapped, &[Repair::Fenced, Repair::TaggedCall]);
    }
    let second = CALL.replace("send_mail", "read_mail");
    reads_as_send(
        &format!("I send it.\n<tool_call>\n{STRICT}\n</tool_call>\n<tool_call>\n{second}\n</tool_call>"),
        &[Repair::PrefixText, Repair::SuffixText, Repair::TaggedCall],
    );
}

#[test]
fn a_name_in_tags_is_a_call_without_arguments() {
    let parsed = parse("<tool_call>\n{\"name\": \"list_mail\"}\n</tool_call>", &TOOLS);
    assert_eq!(parsed.action, Some(Action::Call { tool: "list_mail".to_owned(), arguments: Map::new() }));
    assert!(parsed.repairs.contains(&Repair::ArgumentsOmitted));
}

#[test]
fn what_fails_in_tags_is_no_final_answer() {
    is_invalid("<tool_call>\n{\"to\": \"ann@corp.local\"}\n</tool_call>", Problem::NotAnAction);
    is_invalid("I call <tool_call>\n{\"name\": \"send_mail\", \"argum", Problem::Malformed);
    is_invalid("<tool_call>send_mail</tool_call>", Problem::Malformed);
}

#[test]
fn labels_before_a_name_and_arguments_are_a_repair() {
    let given = r#"{"to":"ann@corp.local"}"#;
    reads_as_send(&format!("Action: send_mail\nAction Input: {given}"), &[Repair::TextCall]);
    reads_as_send(&format!("action: send_mail\naction_input: {given}"), &[Repair::TextCall]);
    reads_as_send(&format!("**Action:** `send_mail`\n**Action Input:** {given}"), &[Repair::TextCall]);
    reads_as_send(
        &format!("Thought: I send it. Action: send_mail Action Input: {given} Observation: sent"),
        &[Repair::PrefixText, Repair::SuffixText, Repair::TextCall],
    );
    reads_as_send(
        &format!("Thought: {{\"id\": 7}} asks.\nAction: send_mail\nAction Input:\n```json\n{given}\n```"),
        &[Repair::Fenced, Repair::PrefixText, Repair::TextCall],
    );
    // The label alone names no tool, so the object speaks for itself.
    reads_as_send(&format!("Action: {STRICT}"), &[Repair::PrefixText]);
    reads_as_send(&format!("Action Input: {STRICT}"), &[Repair::PrefixText]);
}

#[test]
fn labels_that_name_no_one_tool_are_no_final_answer() {
    is_invalid("Action: send_mail to Ann\nAction Input: {}", Problem::NoTool);
    is_invalid("Action:\nAction Input: {}", Problem::NoTool);
    is_invalid("Action: final\nAction Input: {\"text\": \"Done.\"}", Problem::ReservedName);
    is_invalid("Action: send_mail\nAction Input: {\"to\": \"ann@corp", Problem::Malformed);
    is_invalid("Action: send_mail\nAction Input: to Ann", Problem::Malformed);
    is_invalid("Action: send_mail\nAction Input: {to: Ann}", Problem::Malformed);
    is_invalid(&format!("Action: read_mail\nAction Input: {STRICT}"), Problem::Ambiguous);
    is_invalid(&format!("Action: read_mail\nAction Input: {CALL}"), Problem::Ambiguous);
    is_invalid("Action: send_mail\nAction Input: {\"to\": \"ann\", \"to\": \"bob\"}", Problem::Ambiguous);
}
