//! A sample of our own.

use super::*;
use std::path::Path;
use weir_memory::history::Speaker;

fn sample() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/apigen/trajectories.json");
    std::fs::read(path).unwrap()
}

#[test]
fn trajectories_become_histories() {
    let read = read("apigen/trajectories.json", &sample(), &Options::default()).unwrap();
    let Read::Conversations { recorded, unsuccessful: 0 } = read else { panic!("{read:?}") };
    let histories: Vec<_> = recorded.iter().map(|one| one.history(None).unwrap()).collect();
    let first = &histories[0];
    assert_eq!((first.id.as_str(), first.domain.as_str()), ("trajectories-00000", "airline"));
    assert_eq!(first.customer, "ana_lopez_1177");
    let speakers: Vec<Speaker> = first.turns.iter().map(|turn| turn.speaker).collect();
    use Speaker::{Assistant, System, Tool, User};
    assert_eq!(speakers, [System, User, Assistant, Tool, Assistant, Tool, Assistant, Tool, Assistant]);
    assert_eq!(first.turns[2].calls[0].tool, "think");
    assert_eq!(first.turns[6].calls[0].arguments["cabin"], "economy");
    assert_eq!(first.turns[7].text, "\"booked\"");
    assert_eq!((first.turns[7].call_id.as_deref(), first.turns[6].calls[0].id.as_str()), (Some("call-3"), "call-3"));
    let second = &histories[1];
    assert_eq!((second.id.as_str(), second.domain.as_str()), ("trajectories-00001", "retail"));
    assert_eq!((second.customer.as_str(), second.turns.len()), ("trajectories-00001", 4));
}

#[test]
fn what_is_broken_is_named_with_its_place() {
    let with = |said: &str, tools: &str| format!(r#"[{{"system": "s", "tools": {tools}, "conversations": [{said}]}}]"#);
    let tools = r#"[{"name": "book_reservation", "parameters": {"properties": {"a": {"type": "string"}}}}]"#;
    let call = |value: &str| format!(r#"{{"from": "function_call", "value": {value:?}}}"#);
    for (text, expected) in [
        ("[".to_owned(), "f.json: not JSON"),
        (
            with(r#"{"from": "narrator", "value": ""}"#, tools),
            "f.json [0] turn 0: unknown role `narrator`, expected human",
        ),
        (with(r#"{"from": "human"}"#, tools), "f.json [0] turn 0: not a message: missing field `value`"),
        (with(&call("{}"), tools), "turn 0: the call is not an object of `name` and `arguments`"),
        (
            with(r#"{"from": "observation", "value": ""}"#, tools),
            "f.json [0] turn 0: the tool's result answers no call",
        ),
        (
            with(&call(r#"{"name": "book_reservation", "arguments": {"a": 1}}"#), tools),
            "f.json [0] turn 0: argument of `book_reservation`: `a` is 1, expected type",
        ),
        (with(&call(r#"{"name": "steal", "arguments": {}}"#), tools), "turn 0: the domain has no tool `steal`"),
        (with("", "\"x\""), "f.json [0]: `tools`: not JSON"),
        (with("", "[{}]"), "f.json [0]: `tools`: a tool has no name"),
        (
            with("", r#"[{"name": "unheard_of"}]"#),
            "f.json [0]: its tools are of no domain that is known: give --domain",
        ),
    ] {
        let result = read("f.json", text.as_bytes(), &Options::default()).and_then(|read| match read {
            Read::Conversations { recorded, .. } => recorded[0].history(None),
            Read::Other(why) => panic!("{why}"),
        });
        let said = result.unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
    for text in ["{}", "[]", "[{}]"] {
        assert!(matches!(read("f", text.as_bytes(), &Options::default()).unwrap(), Read::Other(_)), "{text}");
    }
}
