//! How messages become turns.

use super::*;
use serde_json::json;

fn say(role: &str, text: &str) -> Message {
    Message { role: role.into(), text: text.into(), ..Message::default() }
}

fn ask(role: &str, id: Option<&str>, tool: &str, arguments: serde_json::Value) -> Message {
    let arguments = arguments.as_object().unwrap().clone();
    let call = Asked { id: id.map(str::to_owned), tool: tool.into(), arguments };
    Message { role: role.into(), calls: vec![call], ..Message::default() }
}

fn answer(id: Option<&str>, text: &str) -> Message {
    Message { answers: id.map(str::to_owned), ..say("tool", text) }
}

fn recorded(messages: Vec<Message>) -> Recorded {
    Recorded {
        place: Place { file: "runs.json".into(), part: Some("[2]".into()) },
        id: "h".into(),
        domain: "airline".into(),
        source: "s".into(),
        instructions: None,
        messages,
        tools: None,
    }
}

fn tools() -> Vec<Tool> {
    let schema = json!({"properties": {"user_id": {"type": "string"}}, "required": ["user_id"]});
    vec![Tool::from_schema("get_user", &schema).unwrap()]
}

#[test]
fn what_is_wrong_is_named_with_file_and_turn() {
    let hello = || say("user", "Hello");
    let no_arguments = json!({});
    for (messages, expected) in [
        (
            vec![hello(), say("narrator", "Meanwhile")],
            "turn 1: unknown role `narrator`, expected system, user, assistant",
        ),
        (
            vec![hello(), answer(Some("x"), "r")],
            "turn 1: the tool's result answers call `x`, which is not open: none is",
        ),
        (vec![hello(), answer(None, "r")], "turn 1: the tool's result answers no call: none is open"),
        (
            vec![hello(), ask("assistant", Some("a"), "get_user", json!({"user_id": "u"})), answer(Some("b"), "r")],
            "turn 2: the tool's result answers call `b`, which is not open: open are `a`",
        ),
        (
            vec![
                hello(),
                ask("assistant", Some("a"), "get_user", json!({"user_id": "u"})),
                answer(Some("a"), "r"),
                answer(Some("a"), "r"),
            ],
            "turn 3: the tool's result answers call `a`, which is not open",
        ),
        (vec![ask("assistant", None, "get_user", no_arguments.clone())], "turn 0: `get_user` needs argument `user_id`"),
        (
            vec![ask("assistant", None, "get_user", json!({"user_id": 7}))],
            "turn 0: argument of `get_user`: `user_id` is 7, expected type \"string\"",
        ),
        (vec![ask("assistant", None, "get_users", no_arguments.clone())], "turn 0: the domain has no tool `get_users`"),
        (vec![ask("system", None, "think", no_arguments)], "turn 0: a turn of role `system` makes calls"),
        (vec![say("assistant", "Hello?")], "runs.json [2]: the user says nothing"),
    ] {
        let said = recorded(messages).history(Some(&tools())).unwrap_err().to_string();
        assert!(said.starts_with("runs.json [2]") && said.contains(expected), "{said}");
    }
}

#[test]
fn a_result_is_of_the_tool_and_the_party_that_asked() {
    let subject = |message: Message| {
        let asked = ask("user", Some("a"), "check_status_bar", json!({}));
        recorded(vec![asked, message]).history(Some(&tools()))
    };
    let with = |tool: &str, requestor: &str| Message {
        tool: Some(tool.into()),
        requestor: Some(requestor.into()),
        ..answer(Some("a"), "bars: 3")
    };
    let history = subject(with("check_status_bar", "user")).unwrap();
    assert_eq!((history.turns[1].speaker, history.turns[1].call_id.as_deref()), (Speaker::Tool, Some("a")));
    assert!(subject(with("reboot", "user")).unwrap_err().to_string().contains("is of tool `reboot`"));
    assert!(subject(with("check_status_bar", "assistant")).unwrap_err().to_string().contains("the assistant's"));
    assert!(subject(with("check_status_bar", "nobody")).unwrap_err().to_string().contains("unknown requestor"));
}

#[test]
fn identifiers_become_unique_and_results_follow_their_calls() {
    let call = |id| ask("assistant", id, "think", json!({}));
    let messages = vec![
        say("user", "Hello"),
        call(Some("a")),
        answer(Some("a"), "1"),
        call(Some("a")),
        call(Some("a#2")),
        answer(Some("a#2"), "3"),
        answer(Some("a"), "2"),
        call(None),
        call(Some("")),
        answer(None, "4"),
    ];
    let history = recorded(messages).history(Some(&tools())).unwrap();
    let ids: Vec<&str> = history.turns.iter().flat_map(|turn| &turn.calls).map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["a", "a#2", "a#2#2", "call-4", "call-5"]);
    let answers: Vec<(&str, &str)> =
        history.turns.iter().filter_map(|turn| Some((turn.text.as_str(), turn.call_id.as_deref()?))).collect();
    assert_eq!(answers, [("1", "a"), ("3", "a#2#2"), ("2", "a#2"), ("4", "call-4")]);
}

#[test]
fn stop_tokens_are_the_simulators_and_nobody_elses() {
    let messages = vec![
        say("system", "Say ###STOP### never."),
        say("user", "Hello  "),
        say("assistant", "Bye ###STOP###"),
        say("user", "That is all.\n\n###STOP###\n"),
        say("user", "###OUT-OF-SCOPE###"),
        say("user", ""),
    ];
    let history = recorded(messages).history(None).unwrap();
    let texts: Vec<&str> = history.turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["Say ###STOP### never.", "Hello  ", "Bye ###STOP###", "That is all.", ""]);
}

#[test]
fn the_customer_is_the_first_identifier_that_a_tool_accepted() {
    let customer = |messages: Vec<Message>| recorded(messages).history(None).unwrap().customer;
    let hello = || say("user", "Hello");
    let get = |user: &str| ask("assistant", None, "get_user", json!({"user_id": user}));
    let find = || ask("assistant", None, "find_user_id_by_email", json!({"email": "a@b"}));
    let look = || ask("assistant", None, "get_customer_by_phone", json!({"phone_number": "1"}));
    assert_eq!(customer(vec![hello()]), "h");
    assert_eq!(customer(vec![hello(), get("wrong"), answer(None, "Error: no such user")]), "h");
    assert_eq!(
        customer(vec![hello(), get("wrong"), answer(None, "Error: no user"), get("u1"), answer(None, "{}")]),
        "u1"
    );
    assert_eq!(customer(vec![hello(), find(), answer(None, "u2"), get("u3"), answer(None, "{}")]), "u2");
    assert_eq!(customer(vec![hello(), look(), answer(None, r#"{"customer_id": "C1", "name": "N"}"#)]), "C1");
    // A call that nobody answered says nothing of who the customer is.
    assert_eq!(customer(vec![hello(), get("u4")]), "h");
}

#[test]
fn names_of_files_are_safe_and_stay_different() {
    assert_eq!(safe_id("sample-airline-01"), "sample-airline-01");
    for (a, b) in [("a/b", "a:b"), ("../x", "x"), ("", "."), ("é", "è"), (&"x".repeat(81), &"x".repeat(82))] {
        let (safe_a, safe_b) = (safe_id(a), safe_id(b));
        assert_ne!(safe_a, safe_b);
        for safe in [safe_a, safe_b] {
            assert!(safe.len() <= MAX_ID && !safe.starts_with('.') && !safe.contains(['/', ':']), "{safe}");
            assert_eq!(safe_id(&safe), safe);
        }
    }
}

#[test]
fn two_histories_of_one_name_are_an_error() {
    let history = |text: &str| recorded(vec![say("user", text)]).history(None).unwrap();
    let place = |file: &str| Place { file: file.into(), part: None };
    let one = vec![(place("a.json"), history("1")), (place("b.json"), history("2"))];
    let said = unique(one).unwrap_err().to_string();
    assert_eq!(said, "b.json: the history is called `h` as that of a.json: import the two to folders of their own");
}
