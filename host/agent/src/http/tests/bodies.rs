//! What goes out, byte for byte, in each dialect.

use super::*;
use crate::backend::ChatCall;
use crate::http::body::body;

/// A chat with everything in it.
fn full() -> Ask {
    let call = ChatCall { id: "c1".into(), name: "send_mail".into(), arguments: r#"{"to":"ann"}"#.into() };
    let mut assistant = ChatMessage::new(Speaker::Assistant, "");
    assistant.calls.push(call);
    let mut result = ChatMessage::new(Speaker::Tool, "sent");
    result.call_id = Some("c1".into());
    let mut ask = ask();
    ask.messages.extend([assistant, result]);
    Ask { tools: vec![tool()], temperature: 0.5, ..ask }
}

fn sent(ask: &Ask, provider: &str) -> Value {
    serde_json::from_slice(&body(ask, "org/m", Dialect::of(provider)).unwrap()).unwrap()
}

/// What all dialects have in common, with these fields after `tools` and at the end.
fn expected(after_tools: &Value, end: &Value) -> String {
    let mut body = json!({
        "model": "org/m",
        "messages": [
            {"role": "system", "content": "Act."},
            {"role": "user", "content": "Pay it."},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "send_mail", "arguments": "{\"to\":\"ann\"}"}}
            ]},
            {"role": "tool", "content": "sent", "tool_call_id": "c1"}
        ],
        "tools": [{"type": "function", "function": {
            "name": "send_mail", "description": "Sends a mail.",
            "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
        }}],
        "tool_choice": "auto"
    });
    for part in [after_tools, &json!({"temperature": 0.5}), end] {
        body.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    }
    body.to_string()
}

#[test]
fn each_dialect_gets_what_it_supports_and_no_more() {
    let single = json!({"parallel_tool_calls": false});
    let usage = json!({"include_usage": true});
    let local = json!({"seed": 5, "max_tokens": 100, "stream": true, "stream_options": usage});
    for (provider, after_tools, end) in [
        ("openai", &single, &json!({"seed": 5, "max_completion_tokens": 100, "stream": true, "stream_options": usage})),
        ("vllm", &single, &local),
        ("llama-cpp", &single, &local),
        ("ollama", &json!({}), &local),
        ("some-other", &json!({}), &json!({"max_tokens": 100, "stream": true})),
    ] {
        assert_eq!(sent(&full(), provider).to_string(), expected(after_tools, end), "{provider}");
    }
}

#[test]
fn a_schema_is_strict_and_named_action_and_there_is_no_word_of_tools_without_tools() {
    let schema = json!({"type": "object"});
    let body = sent(&Ask { schema: Some(schema.clone()), ..ask() }, "openai");
    let format = json!({"type": "json_schema", "json_schema": {"name": "action", "strict": true, "schema": schema}});
    assert_eq!(body["response_format"], format);
    for absent in ["tools", "tool_choice", "parallel_tool_calls"] {
        assert!(body.get(absent).is_none(), "{absent}");
    }
}

#[test]
fn a_seed_means_the_same_to_servers_of_any_width() {
    assert_eq!(sent(&Ask { seed: u64::MAX, ..ask() }, "vllm")["seed"], json!(0x7fff_ffff));
    assert_eq!(sent(&Ask { seed: 7, ..ask() }, "vllm")["seed"], json!(7));
}

#[test]
fn the_request_goes_to_the_route_with_the_programs_name() {
    let (client, server) = played(quick(), [Answer::text("ok")]);
    client.ask(&full()).unwrap();
    let request = server.chats().pop().unwrap();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert!(request.header("user-agent").unwrap().starts_with("weir/"));
    assert_eq!(request.body, body(&full(), "m", Dialect::of("vllm")).unwrap());
}
