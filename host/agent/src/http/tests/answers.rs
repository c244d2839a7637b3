//! What comes back: forms of a good answer, and limits.

use super::*;
use crate::backend::ChatCall;
use crate::http::answer::MAX_REPLY_BYTES;
use weir_scripted::Chat;

fn call(id: &str, name: &str, arguments: &str) -> ChatCall {
    ChatCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

#[test]
fn a_streamed_and_a_plain_answer_are_the_same_reply() {
    let chat = Chat { model: Some("m-2026".into()), ..Chat::text("Grüße, 世界 🌍") };
    let reply = Reply {
        text: "Grüße, 世界 🌍".into(),
        calls: Vec::new(),
        finish: "stop".into(),
        input_tokens: 7,
        output_tokens: 3,
        served_by: Some("m-2026".into()),
        fingerprint: Some("fp_scripted".into()),
    };
    assert_eq!(reply_to(Answer::chat(chat.clone())), reply);
    assert_eq!(reply_to(Answer::chat(chat).unstreamed()), reply);
}

#[test]
fn what_a_server_leaves_out_is_zero_or_absent() {
    let bare = Answer::json(200, &json!({"choices": [{"message": {"content": "hi"}}]}));
    assert_eq!(reply_to(bare), Reply { text: "hi".into(), ..Reply::default() });
    let chat = Chat { usage: None, ..Chat::text("hi") };
    assert_eq!(reply_to(Answer::chat(chat)).input_tokens, 0);
}

#[test]
fn pieces_may_end_anywhere_in_a_character_a_line_or_a_string() {
    let text = "ü\u{1f30d}\"\\\n\r\n世 data: {}\n\n";
    for bytes in 1..=7 {
        let chat = Chat { delta: 1, ..Chat::text(text) };
        assert_eq!(reply_to(Answer::chat(chat).in_pieces(bytes)).text, text);
    }
}

#[test]
fn streamed_calls_are_put_together_by_their_number() {
    let delta = |calls: Value| json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]}).to_string();
    let events = [
        delta(json!([{"index": 1, "id": "b", "function": {"name": "read_mail", "arguments": ""}}])),
        delta(json!([{"index": 0, "id": "a", "function": {"name": "send_mail", "arguments": "{\"to\""}}])),
        delta(
            json!([{"index": 1, "function": {"arguments": "{}"}}, {"index": 0, "function": {"arguments": ":\"ü\"}"}}]),
        ),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}).to_string(),
        "[DONE]".into(),
    ];
    for bytes in [1, 3, usize::MAX] {
        let reply = reply_to(Answer::events(&events).in_pieces(bytes));
        assert_eq!(reply.calls, [call("a", "send_mail", "{\"to\":\"ü\"}"), call("b", "read_mail", "{}")]);
        assert_eq!((reply.finish.as_str(), reply.text.as_str()), ("tool_calls", ""));
    }
}

#[test]
fn calls_are_read_with_and_without_a_stream_and_get_an_identifier_if_they_have_none() {
    let chat = Chat::call("send_mail", r#"{"to":"ann"}"#);
    for answer in [Answer::chat(Chat { delta: 1, ..chat.clone() }), Answer::chat(chat).unstreamed()] {
        assert_eq!(reply_to(answer).calls, [call("call_1", "send_mail", r#"{"to":"ann"}"#)]);
    }
    // An object in the place of a text, no identifiers, no numbers.
    let calls =
        json!([{"function": {"name": "a", "arguments": {"x": 1}}}, {"function": {"name": "b", "arguments": null}}]);
    let loose =
        json!({"choices": [{"message": {"content": null, "tool_calls": calls}, "finish_reason": "tool_calls"}]});
    assert_eq!(reply_to(Answer::json(200, &loose)).calls, [call("call_0", "a", r#"{"x":1}"#), call("call_1", "b", "")]);
}

#[test]
fn comments_other_fields_and_a_missing_last_line_do_not_matter() {
    let chunk = json!({"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]});
    let stream = format!(": keep-alive\r\n\r\nevent: message\r\nid: 1\r\ndata:{chunk}\r\n\r\nretry: 5\n\ndata: [DONE]");
    assert_eq!(reply_to(Answer::stream(stream)).text, "hi");
    // A stream that just ends, after its answer did.
    assert_eq!(reply_to(Answer::stream(format!("data: {chunk}\n\n"))).text, "hi");
}

#[test]
fn a_refusal_stands_in_the_texts_place() {
    let refused =
        json!({"choices": [{"message": {"content": null, "refusal": "I will not."}, "finish_reason": "stop"}]});
    assert_eq!(reply_to(Answer::json(200, &refused)).text, "I will not.");
}

#[test]
fn an_answer_under_a_schema_is_returned_as_it_is() {
    let (client, _server) = played(quick(), [Answer::text("not JSON at all")]);
    let reply = client.ask(&Ask { schema: Some(json!({"type": "object"})), ..ask() }).unwrap();
    assert_eq!(reply.text, "not JSON at all");
}

#[test]
fn two_megabytes_of_any_alphabet_come_through() {
    let text = "naïve 世界 \u{1f30d} ".repeat(2_000_000 / 19);
    assert!(text.len() > 1_900_000);
    let chat = Chat { delta: 500, ..Chat::text(&text) };
    assert_eq!(reply_to(Answer::chat(chat.clone()).in_pieces(10_007)).text, text);
    assert_eq!(reply_to(Answer::chat(chat).unstreamed()).text, text);
}

#[test]
fn a_reply_beyond_its_limit_is_refused_at_once() {
    let text = "x".repeat(MAX_REPLY_BYTES + 1);
    let piece = "x".repeat(MAX_REPLY_BYTES / 4);
    let chunk = json!({"choices": [{"delta": {"content": piece}}]}).to_string();
    for (answer, what) in [
        (Answer::text(&text).unstreamed(), "the reply"),
        (Answer::events(vec![chunk; 5]), "the reply"),
        (Answer::stream(format!("data: {text}")), "one event"),
    ] {
        let (reply, requests) = asked(quick(), [answer]);
        let expected = format!("model `openai-api/vllm/m` answers in an unknown form: {what} is longer than 8 MiB");
        assert_eq!((reply.unwrap_err().to_string(), requests), (expected, 1));
    }
}
