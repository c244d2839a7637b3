//! Actions that a model quotes, considers or fails to write are not run.

use super::*;

#[test]
fn an_action_in_quotation_marks_or_code_is_no_proposal() {
    for completion in [
        format!("The mail says \"{STRICT}\", which I ignore."),
        format!("The mail says '{STRICT}'."),
        format!("The mail says “please run {STRICT}”."),
        format!("The mail says \"please run {STRICT}\""),
        format!("I was told to answer `{STRICT}`"),
        format!("I was told to run `POST {STRICT}`"),
        format!("She wrote:\n> {STRICT}\nI did not obey."),
        format!("```python\nrequests.post(url, json={STRICT})\n```"),
        format!("The mail holds an order ({STRICT})"),
    ] {
        is_invalid(&completion, Problem::Quoted);
    }
}

#[test]
fn an_action_amid_a_sentence_is_no_proposal() {
    is_invalid(&format!("The order {STRICT} came from outside."), Problem::Quoted);
    is_invalid(&format!("The order {STRICT}, which came from outside, is void."), Problem::Quoted);
    let other = STRICT.replace("send_mail", "read_mail");
    reads_as_send(&format!("I do {STRICT} {other}"), &[Repair::PrefixText, Repair::SuffixText]);
    reads_as_send(&format!("I do {STRICT}. Then I am done."), &[Repair::PrefixText, Repair::SuffixText]);
}

#[test]
fn an_action_in_other_tags_is_no_proposal() {
    for tag in ["tool_response", "example", "untrusted source=\"mail\""] {
        let name = tag.split(' ').next().unwrap();
        is_invalid(&format!("<{tag}>\n{STRICT}\n</{name}>"), Problem::Quoted);
    }
    reads_as_send(&format!("<plan>I send it.</plan>\n{STRICT}"), &[Repair::PrefixText]);
}

#[test]
fn an_example_is_no_proposal() {
    for introduction in ["For example: ", "Here is an example:\n```json\n", "I can answer e.g. ", "Such as this,\n\n"] {
        is_invalid(&format!("{introduction}{STRICT}"), Problem::Quoted);
    }
    reads_as_send(&format!("I forward the example file.\n{STRICT}"), &[Repair::PrefixText]);
    reads_as_send(&format!("I write to ann@example.local:\n{STRICT}"), &[Repair::PrefixText]);
}

#[test]
fn a_proposal_after_a_quotation_counts() {
    let quoted = STRICT.replace("ann@corp", "mallory@evil");
    reads_as_send(&format!("The mail says `{quoted}`. I do what you asked:\n{STRICT}"), &[Repair::PrefixText]);
    reads_as_send(&format!("I answer \"Ann\":\n{STRICT}"), &[Repair::PrefixText]);
    reads_as_send(&format!("I use `send_mail`\n{STRICT}"), &[Repair::PrefixText]);
}

#[test]
fn what_a_model_only_considers_is_no_proposal() {
    let considered = STRICT.replace("ann@corp", "mallory@evil");
    reads_as_send(&format!("<think>\n{considered}? No.\n</think>\n\n{STRICT}"), &[Repair::PrefixText]);
    is_invalid(&format!("<think>\n{considered}? No"), Problem::Unfinished);
    // A server may have taken the first tag for its own.
    reads_as_send(&format!("Perhaps {considered}? No.\n</think>\n\n{STRICT}"), &[Repair::PrefixText]);
    reads_as_send(&format!("</think>\n{STRICT}"), &[]);
    reads_as_send(&format!("{STRICT}\nI closed </think> here."), &[Repair::SuffixText]);
    is_invalid(&format!("Perhaps {considered}? No.\n</think>"), Problem::Empty);
    is_invalid("<think>Nothing to do.</think>\n", Problem::Empty);
    assert_eq!(parse("<think>Hm.</think>\nPaid.", &TOOLS), Parsed::free_text("Paid."));
    // What an argument says of reasoning is an argument.
    let parsed = parse(r#"{"action":"final","text":"<think> {} </think>"}"#, &TOOLS);
    assert_eq!(parsed.status, ParseStatus::ValidStrictJson);
}

#[test]
fn a_repeated_key_is_ambiguous_wherever_it_stands() {
    is_invalid(r#"{"action":"tool","tool":"read_mail","tool":"send_mail","arguments":{}}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"final","action":"tool","tool":"send_mail","arguments":{}}"#, Problem::Ambiguous);
    is_invalid(
        r#"{"action":"send_mail","arguments":{"to":"ann@corp.local","to":"bob@corp.local"}}"#,
        Problem::Ambiguous,
    );
    is_invalid(r#"{"action":"send_mail","arguments":{"to":[{"a":1,"\u0061":2}]}}"#, Problem::Ambiguous);
    is_invalid(r#"{"action":"send_mail","arguments":"{\"to\":\"ann\",\"to\":\"bob\"}"}"#, Problem::Ambiguous);
    is_free_text(r#"The record is {"id": 1, "id": 2}."#);
}

#[test]
fn nothing_inside_or_behind_a_broken_action_is_read() {
    let broken = [
        // A quotation mark that is not escaped, the most common fault of all.
        format!(r#"{{"action":"final","text":"She wrote " {STRICT} " to me"}}"#),
        format!(r#"{{"action":"tool","tool":"read_mail","arguments":{{body: {STRICT}}}}}"#),
        format!(r#"{{"action":"tool","tool":"read_mail","arguments":{{"id": 7}}, }} {STRICT}"#),
        format!(r#"I do {{action: "tool", tool: "read_mail", arguments: {STRICT}}}"#),
        format!(r#"Action: read_mail Action Input: {{"id": m-7}}. {STRICT}"#),
        format!(r#"<tool_call>{{"name": "read_mail", "arguments": m-7}}</tool_call> {STRICT}"#),
        format!(r#"As {{"action": "tool", "tool": NAME}}: {STRICT}"#),
        format!("{{'action': 'final', 'text': 'a }} {STRICT}'}}"),
        // A whole action inside a string.
        serde_json::to_string(STRICT).unwrap(),
    ];
    for completion in broken {
        is_invalid(&completion, Problem::Malformed);
    }
}

#[test]
fn nothing_inside_broken_data_is_read() {
    let parsed = parse(&format!(r#"The mail is {{"from": Bob, "text": {STRICT}}}"#), &TOOLS);
    assert_eq!(parsed, Parsed::invalid(Problem::Malformed));
    let parsed = parse(&format!(r#"The mail is {{"from": "Bob", "text": "a }} " {STRICT} "}}"#), &TOOLS);
    assert_eq!(parsed.action, None);
}
