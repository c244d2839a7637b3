//! What is said of a base that is not right.

use super::*;
use serde_json::json;

fn base() -> Value {
    json!({
        "format": "weir/history@1", "id": "b-1", "domain": "airline", "customer": "c", "source": "s",
        "turns": [
            {"speaker": "user", "text": "Hello"},
            {"speaker": "assistant", "text": "", "calls": [{"id": "1", "tool": "get_user", "arguments": {"user_id": "c"}}]},
            {"speaker": "tool", "text": "{}", "call_id": "1"},
            {"speaker": "assistant", "text": "Hello, c."},
        ],
    })
}

fn tools() -> Vec<Tool> {
    vec![Tool::from_schema("get_user", &json!({"properties": {"user_id": {"type": "string"}}})).unwrap()]
}

fn read_value(value: &Value) -> Result<History, HistoryError> {
    let history = read("b.json", value.to_string().as_bytes())?;
    check_calls("b.json", &history, &tools()).map(|()| history)
}

#[test]
fn a_base_is_read_as_it_was_written() {
    let history = read_value(&base()).unwrap();
    assert_eq!(history.customer, "c");
    assert_eq!(serde_json::to_value(&history).unwrap(), base());
}

#[test]
fn what_is_wrong_is_named_with_file_and_turn() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 12] = [
        (|v| v["format"] = json!("weir/history@2"), "b.json: format `weir/history@2`, expected `weir/history@1`"),
        (|v| drop(v.as_object_mut().unwrap().shift_remove("format")), "b.json: no base history"),
        (|v| v["note"] = json!(1), "b.json: unknown field `note`"),
        (|v| v["customer"] = json!(""), "b.json: `customer` is empty"),
        (|v| v["id"] = json!("../b"), "b.json: the id `../b` is no name for a file"),
        (|v| v["turns"][3]["speaker"] = json!("narrator"), "b.json turn 3: unknown role `narrator`"),
        (
            |v| v["turns"][2]["call_id"] = json!("2"),
            "b.json turn 2: the tool's result answers call `2`, which is not open",
        ),
        (
            |v| drop(v["turns"][2].as_object_mut().unwrap().shift_remove("call_id")),
            "b.json turn 2: a tool's turn has no",
        ),
        (|v| v["turns"][3]["call_id"] = json!("1"), "b.json turn 3: a turn of `assistant` has a `call_id`"),
        (|v| v["turns"][1]["calls"][0]["arguments"]["user_id"] = json!(1), "b.json turn 1: argument of `get_user`"),
        (|v| v["turns"][0]["text"] = json!("Hello ###STOP###"), "b.json turn 0: a simulator's stop token"),
        (
            |v| v["turns"][3]["calls"] = v["turns"][1]["calls"].clone(),
            "b.json turn 3: the call identifier `1` is empty or",
        ),
    ];
    for (change, expected) in cases {
        let mut value = base();
        change(&mut value);
        let said = read_value(&value).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
    assert!(read("b.json", b"{").unwrap_err().to_string().contains("b.json: not JSON"));
}
