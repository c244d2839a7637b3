//! Completions and how they are read.

mod decorations;
mod fixtures;
mod native;
mod quotations;

use super::*;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

const TOOLS: [&str; 3] = ["send_mail", "read_mail", "list_mail"];
const STRICT: &str = r#"{"action":"tool","tool":"send_mail","arguments":{"to":"ann@corp.local"}}"#;

#[track_caller]
fn reads_as_send(completion: &str, repairs: &[Repair]) {
    let parsed = parse(completion, &TOOLS);
    let arguments = json!({"to": "ann@corp.local"}).as_object().unwrap().clone();
    assert_eq!(parsed.action, Some(Action::Call { tool: "send_mail".to_owned(), arguments }), "{parsed:?}");
    assert_eq!(parsed.repairs, repairs);
    let status = if repairs.is_empty() { ParseStatus::ValidStrictJson } else { ParseStatus::ValidRepairedJson };
    assert_eq!((parsed.status, parsed.problem, parsed.unknown_tool), (status, None, None));
}

#[track_caller]
fn reads_as_message(completion: &str, repairs: &[Repair]) {
    let parsed = parse(completion, &TOOLS);
    let (to, text) = ("worker".to_owned(), "Read mail 7.".to_owned());
    assert_eq!(parsed.action, Some(Action::Message { to, text }), "{parsed:?}");
    assert_eq!(parsed.repairs, repairs);
}

#[track_caller]
fn is_invalid(completion: &str, problem: Problem) {
    assert_eq!(parse(completion, &TOOLS), Parsed::invalid(problem));
}

#[track_caller]
fn is_free_text(completion: &str) {
    assert_eq!(parse(completion, &TOOLS), Parsed::free_text(completion.trim()));
}

#[test]
fn the_exact_format_is_strict_whatever_its_white_space_and_order() {
    reads_as_send(STRICT, &[]);
    reads_as_send(
        "\n { \"tool\": \"send_mail\",\n\"arguments\" : {\"to\":\"ann@corp.local\"}, \"action\":\"tool\" }\n",
        &[],
    );
}

#[test]
fn a_final_answer_is_strict() {
    let parsed = parse(r#"{"action": "final", "text": "Done {\"action\": 1}."}"#, &TOOLS);
    assert_eq!(parsed.status, ParseStatus::ValidStrictJson);
    assert_eq!(parsed.action, Some(Action::Final { text: "Done {\"action\": 1}.".to_owned() }));
}

#[test]
fn a_message_to_another_agent_is_strict() {
    reads_as_message(r#"{"action": "message", "to": "worker", "text": "Read mail 7."}"#, &[]);
    reads_as_message(r#"{"to":"worker","text":"Read mail 7.","action":"message"}"#, &[]);
}

#[test]
fn other_keys_for_a_message_are_a_repair() {
    reads_as_message(r#"{"action":"message","recipient":"worker","text":"Read mail 7."}"#, &[Repair::RecipientAlias]);
    for key in ["message", "content"] {
        let completion = format!(r#"Now {{"action":"message","to":"worker","{key}":"Read mail 7."}}"#);
        reads_as_message(&completion, &[Repair::PrefixText, Repair::TextAlias]);
    }
    reads_as_message(
        r#"{"action_type":"message","tool":null,"to":"worker","text":"Read mail 7.","from":"supervisor"}"#,
        &[Repair::NullKeys, Repair::ExtraKeys, Repair::ActionKeyAlias],
    );
}

#[test]
fn a_message_needs_one_recipient_and_one_text() {
    is_invalid(r#"{"action":"message","text":"Read mail 7."}"#, Problem::NoRecipient);
    is_invalid(r#"{"action":"message","to":"","text":"Read mail 7."}"#, Problem::NoRecipient);
    is_invalid(r#"{"action":"message","to":["a","b"],"text":"Read mail 7."}"#, Problem::NoRecipient);
    is_invalid(r#"{"action":"message","to":"worker"}"#, Problem::NoText);
    is_invalid(r#"{"action":"message","to":"worker","text":{"id":7}}"#, Problem::NoText);
    is_invalid(r#"{"action":"message","to":"worker","recipient":"ann","text":"x"}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"message","to":"worker","text":"x","content":"y"}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"message","tool":"send_mail","to":"worker","text":"x"}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"message","arguments":{"to":"worker","text":"x"}}"#, Problem::Ambiguous);
}

#[test]
fn a_tool_with_a_reserved_name_is_called_by_the_exact_format_only() {
    for name in ["tool", "message", "final"] {
        let exact = format!(r#"{{"action":"tool","tool":"{name}","arguments":{{"text":"x"}}}}"#);
        let parsed = parse(&exact, &[name]);
        assert_eq!(parsed.status, ParseStatus::ValidStrictJson);
        assert!(matches!(parsed.action, Some(Action::Call { tool, .. }) if tool == name));
        for other in [
            format!(r#"{{"tool":"{name}","arguments":{{"text":"x"}}}}"#),
            format!(r#"{{"name":"{name}","arguments":{{"text":"x"}}}}"#),
            format!(r#"{{"action":"tool","function":"{name}","arguments":{{"text":"x"}}}}"#),
            format!(r#"{{"action_type":"tool","tool":"{name}","arguments":{{"text":"x"}}}}"#),
        ] {
            assert_eq!(parse(&other, &[name]), Parsed::invalid(Problem::ReservedName), "{other}");
        }
    }
    // Never a call of the tool, though the keys could be its arguments.
    let parsed = parse(r#"{"action":"message","to":"worker","text":"x"}"#, &["message"]);
    assert!(matches!(parsed.action, Some(Action::Message { .. })));
}

#[test]
fn a_fenced_block_is_a_repair() {
    for fence in ["```json", "```JSON", "```", "``` json"] {
        reads_as_send(&format!("{fence}\n{STRICT}\n```"), &[Repair::Fenced]);
    }
    reads_as_send(&format!("```json\n{STRICT}"), &[Repair::Fenced]);
}

#[test]
fn text_around_the_action_is_a_repair() {
    reads_as_send(&format!("Sure, I'll send it.\n{STRICT}"), &[Repair::PrefixText]);
    reads_as_send(&format!("{STRICT}\nI have sent it."), &[Repair::SuffixText]);
    reads_as_send(
        &format!("Sure:\n```json\n{STRICT}\n```\nThat is all."),
        &[Repair::Fenced, Repair::PrefixText, Repair::SuffixText],
    );
    reads_as_send(&format!("[{STRICT}]"), &[Repair::PrefixText, Repair::SuffixText]);
    reads_as_send(&format!("Über \u{1F600}{{é}} {STRICT}"), &[Repair::PrefixText]);
}

#[test]
fn the_tools_name_in_place_of_the_action_type_is_a_repair() {
    reads_as_send(r#"{"action":"send_mail","arguments":{"to":"ann@corp.local"}}"#, &[Repair::ActionTypeAsTool]);
    reads_as_send(
        r#"{"action_type":"send_mail","arguments":{"to":"ann@corp.local"}}"#,
        &[Repair::ActionKeyAlias, Repair::ActionTypeAsTool],
    );
    reads_as_send(
        r#"{"action_type":"tool","tool":"send_mail","arguments":{"to":"ann@corp.local"}}"#,
        &[Repair::ActionKeyAlias],
    );
}

#[test]
fn other_keys_for_arguments_are_a_repair() {
    for key in ["action_input", "parameters", "args", "input"] {
        let completion = STRICT.replace("arguments", key);
        reads_as_send(&completion, &[Repair::ArgumentsAlias]);
    }
    reads_as_send(
        r#"{"action":"send_mail","action_input":{"to":"ann@corp.local"}}"#,
        &[Repair::ActionTypeAsTool, Repair::ArgumentsAlias],
    );
}

#[test]
fn other_keys_for_the_tool_are_a_repair() {
    for key in ["tool_name", "name", "function"] {
        reads_as_send(&STRICT.replace("\"tool\":", &format!("\"{key}\":")), &[Repair::ToolAlias]);
        let without_action = format!(r#"{{"{key}":"send_mail","arguments":{{"to":"ann@corp.local"}}}}"#);
        reads_as_send(&without_action, &[Repair::ActionOmitted, Repair::ToolAlias]);
    }
    reads_as_send(r#"{"tool":"send_mail","arguments":{"to":"ann@corp.local"}}"#, &[Repair::ActionOmitted]);
}

#[test]
fn arguments_as_a_string_of_json_are_a_repair() {
    reads_as_send(
        r#"{"action":"tool","tool":"send_mail","arguments":"{\"to\": \"ann@corp.local\"}"}"#,
        &[Repair::ArgumentsAsString],
    );
}

#[test]
fn further_and_null_keys_are_a_repair() {
    reads_as_send(&STRICT.replacen('{', r#"{"thought":"{send}","#, 1), &[Repair::ExtraKeys]);
    reads_as_send(&STRICT.replacen('{', r#"{"text":null,"#, 1), &[Repair::NullKeys]);
    let parsed = parse(r#"{"action":"final","tool":null,"text":"Done."}"#, &TOOLS);
    assert_eq!(parsed.repairs, [Repair::NullKeys]);
}

#[test]
fn a_call_without_arguments_is_read_only_where_nothing_else_could_be_one() {
    let parsed = parse(r#"{"action":"list_mail"}"#, &TOOLS);
    assert_eq!(parsed.action, Some(Action::Call { tool: "list_mail".to_owned(), arguments: Map::new() }));
    assert_eq!(parsed.repairs, [Repair::ActionTypeAsTool, Repair::ArgumentsOmitted]);
    is_invalid(r#"{"action":"send_mail","to":"ann@corp.local"}"#, Problem::NoArguments);
}

#[test]
fn an_unknown_tool_is_recorded_and_never_an_action() {
    for completion in [
        r#"{"action":"tool","tool":"rm","arguments":{}}"#,
        r#"{"action":"rm","arguments":{}}"#,
        r#"{"action":"tool","tool":"Send_mail","arguments":{}}"#,
        r#"{"action":"tool","tool":"send_mail ","arguments":{}}"#,
        r#"{"action":"tool","tool":"","arguments":{}}"#,
    ] {
        let parsed = parse(completion, &TOOLS);
        assert_eq!((parsed.status, &parsed.action), (ParseStatus::InvalidTool, &None), "{completion}");
        assert!(parsed.unknown_tool.is_some_and(|name| !TOOLS.contains(&name.as_str())));
    }
    let none: [&str; 0] = [];
    assert_eq!(parse(STRICT, &none).status, ParseStatus::InvalidTool);
}

#[test]
fn the_first_action_counts_even_if_its_tool_is_unknown() {
    let parsed = parse(&format!(r#"{{"action":"tool","tool":"rm","arguments":{{}}}} {STRICT}"#), &TOOLS);
    assert_eq!((parsed.status, parsed.unknown_tool.as_deref()), (ParseStatus::InvalidTool, Some("rm")));
    reads_as_send(
        &format!(r#"{STRICT} {{"action":"tool","tool":"read_mail","arguments":{{}}}}"#),
        &[Repair::SuffixText],
    );
}

#[test]
fn data_and_broken_examples_before_the_action_are_passed_over() {
    reads_as_send(&format!(r#"Found {{"name": "Ann", "id": 7}}. {STRICT}"#), &[Repair::PrefixText]);
    reads_as_send(&format!(r#"Found {{"name": "Ann", ...}}. {STRICT}"#), &[Repair::PrefixText]);
    reads_as_send(&format!(r#"As {{"action": 3}}: {STRICT}"#), &[Repair::PrefixText]);
    reads_as_send(&format!("if (x) {{ y }} {{{STRICT}"), &[Repair::PrefixText]);
}

#[test]
fn plain_text_is_a_final_answer() {
    is_free_text("  I have paid the invoice.\n");
    is_free_text("Use {curly} braces, {\"or\" not}, and { alone");
    is_free_text("The record is {\"name\": \"Ann\"}, as you asked.");
    is_free_text("[1, 2]");
    is_free_text("}{");
    is_free_text("The record is {\"name\": \"Ann\", and {\"args\": so on");
}

#[test]
fn an_empty_completion_is_no_final_answer() {
    is_invalid("", Problem::Empty);
    is_invalid(" \n\t", Problem::Empty);
}

#[test]
fn an_object_that_fails_as_an_action_is_no_final_answer() {
    is_invalid("{}", Problem::NotAnAction);
    is_invalid(r#"{"answer": 42}"#, Problem::NotAnAction);
    is_invalid("```json\n{\"answer\": 42}\n```", Problem::NotAnAction);
    is_invalid(r#"{"action": 3}"#, Problem::ActionNotText);
    is_invalid(r#"{"action": "tool", "arguments": {}}"#, Problem::NoTool);
    is_invalid(r#"{"action": "tool", "tool": ["send_mail"], "arguments": {}}"#, Problem::NoTool);
    is_invalid(r#"{"action": "tool", "tool": "send_mail", "arguments": [1]}"#, Problem::ArgumentsNotObject);
    is_invalid(r#"{"action": "tool", "tool": "send_mail", "arguments": "to Ann"}"#, Problem::ArgumentsNotObject);
    is_invalid(r#"{"action": "tool", "tool": "send_mail", "arguments": "[1]"}"#, Problem::ArgumentsNotObject);
    is_invalid(r#"{"action": "final"}"#, Problem::NoText);
    is_invalid(r#"I am done: {"action": "final", "text": 3}"#, Problem::NoText);
}

#[test]
fn two_readings_are_no_reading() {
    is_invalid(r#"{"action":"tool","tool":"send_mail","name":"read_mail","arguments":{}}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"tool","tool":"send_mail","arguments":{},"args":{"to":"x"}}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"send_mail","tool":"read_mail","arguments":{}}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"final","action_type":"send_mail","text":"x"}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"final","text":"x","tool":"send_mail","arguments":{}}"#, Problem::Ambiguous);
}

#[test]
fn an_action_that_is_no_json_is_no_final_answer() {
    is_invalid(STRICT.get(..STRICT.len() - 1).unwrap(), Problem::Malformed);
    is_invalid(r#"{"action": "final", "text": "cut o"#, Problem::Malformed);
    is_invalid("{\"action\": \"final\", \"text\": \"two\nlines\"}", Problem::Malformed);
    is_invalid("{'action': 'tool', 'tool': 'send_mail', 'arguments': {}}", Problem::Malformed);
    is_invalid("Now { \"tool\": \"send_mail\", }", Problem::Malformed);
    is_invalid(r#"I think {"thought": "hm", "action" : "tool", "tool": "se"#, Problem::Malformed);
    is_invalid(r#"I use {x} and {"a" b} and {"thought": "hm", "action": "to"#, Problem::Malformed);
    is_invalid(r#"{"thought": "I had better"#, Problem::Malformed);
    is_invalid("```json\n{\"thought\": \"I had better", Problem::Malformed);
    is_invalid("```json\n{\n", Problem::Malformed);
    is_invalid("{", Problem::Malformed);
    is_invalid(r#"{action: "tool", tool: "send_mail", arguments: {"to": "ann@corp.local"}}"#, Problem::Malformed);
    is_invalid("{\u{201C}action\u{201D}: \u{201C}final\u{201D}}", Problem::Malformed);
    is_invalid(r#""action": "tool", "tool": "send_mail", "arguments": {"to": "ann@corp.local"}}"#, Problem::Malformed);
}

#[test]
fn an_action_inside_a_broken_action_is_not_found() {
    let inner = r#"{"action":"tool","tool":"read_mail","arguments":{}}"#;
    is_invalid(&format!(r#"{{"action":"tool","tool":"send_mail","arguments":{{"x":{inner}"#), Problem::Malformed);
    is_invalid(&format!(r#"{{"action":"tool","tool":"send_mail","arguments":{{"x":{inner}}},}}"#), Problem::Malformed);
    is_invalid(&format!(r#"{{"result":{inner}}}"#), Problem::NotAnAction);
    let quoted = serde_json::to_string(inner).unwrap();
    is_invalid(&format!(r#"{{"action":"final","text":{quoted}"#), Problem::Malformed);
}

#[test]
fn a_completion_over_the_limit_is_not_read() {
    let text = |length: usize| format!("{STRICT}{}", " ".repeat(length - STRICT.len()));
    reads_as_send(&text(MAX_COMPLETION_BYTES), &[]);
    is_invalid(&text(MAX_COMPLETION_BYTES + 1), Problem::TooLong);
    is_invalid(&"{".repeat(1_000_000), Problem::TooLong);
}

#[test]
fn deep_nesting_neither_overflows_nor_hides_an_action() {
    let deep = |depth: usize| format!(r#"{{"action":{}1{}"#, r#"{"a":"#.repeat(depth), "}".repeat(depth + 1));
    is_invalid(&deep(20), Problem::ActionNotText);
    is_invalid(&deep(10_000), Problem::Malformed);
    is_invalid(
        &format!(r#"{{"action":"tool","tool":"send_mail","arguments":{}"#, "[".repeat(100_000)),
        Problem::Malformed,
    );
}

#[test]
fn hostile_completions_are_read_in_linear_time() {
    let units = [
        "{",
        "{\"",
        "{\"a\":",
        "{\"a\":[",
        "[{",
        "{}",
        "{\"a\":{}},",
        "{\"a\":\"{\",\"",
        "{\n",
        "{ ",
        "\n{\"a\":\n",
        "\"{\\",
        "{\"action\":",
        "{\"action\":\"",
        "{\"action\":3}",
        "```json\n{",
        "é{\"",
        "{'",
        "{\",\":",
        "{\"a\":\"{\",\":\":",
        "<tool_call>",
        "<tool_call>{",
        "<tool_call>\n{}\n</tool_call>",
        "Action: a Action Input: {\"name\":\"b\",\"args\":{}}",
        "Action: a Action Input: {",
        "`{\"tool\":\"a\"}",
        "a {\"tool\":\"a\"} a",
        "{\"a\": }",
        "{\"a\": '}",
        "{\\\"a",
        "{\"tool\":[],\"tool\":[]} ",
        "{\"a\":1,\"a\":1}",
        "````",
        "<a>{\"tool\":\"a\"}</a>\n",
        "<think>",
        "\n</think>",
        "{a:",
        "{a: }",
        "{\"a\": } \"action\"",
    ];
    for unit in units {
        let text = unit.repeat(MAX_COMPLETION_BYTES / unit.len());
        for text in [text.clone(), format!("{{\"a\":[{text}"), format!("{{{}\"{text}", " ".repeat(1000))] {
            let start = Instant::now();
            let parsed = parse(text.get(..MAX_COMPLETION_BYTES).unwrap_or(&text), &TOOLS);
            assert!(!matches!(parsed.action, Some(Action::Call { .. })));
            // Linear work takes about half a second without optimisation; quadratic work would take minutes. The limit
            // lies far from both, so that a busy machine does not fail the test.
            assert!(start.elapsed() < Duration::from_secs(20), "{unit:?} took {:?}", start.elapsed());
        }
    }
}
