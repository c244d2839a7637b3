use super::*;
use crate::action::{Action, ParseStatus};
use crate::backend::{ChatMessage, Identity, Speaker, Usage};
use crate::model::{Message, ParameterSpec, Role, ToolSpec};
use crate::parser::parse;
use crate::prompt::system_prompt;
use std::sync::Mutex;

/// Answers from a list and keeps what it was asked.
struct Scripted {
    identity: Identity,
    replies: Mutex<Vec<Reply>>,
    asked: Mutex<Vec<Ask>>,
}

impl Backend for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ask(&self, ask: &Ask) -> Result<Reply, ModelError> {
        self.asked.lock().unwrap().push(ask.clone());
        Ok(self.replies.lock().unwrap().remove(0))
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

fn scripted(replies: impl IntoIterator<Item = Reply>) -> Arc<Scripted> {
    let identity = Identity { name: "openai-api/test/m".into(), details: BTreeMap::new() };
    let replies = Mutex::new(replies.into_iter().collect());
    Arc::new(Scripted { identity, replies, asked: Mutex::default() })
}

fn tools() -> Vec<ToolSpec> {
    let parameter =
        |name: &str, required| ParameterSpec { name: name.into(), required, schema: r#"{"type":"string"}"#.into() };
    vec![ToolSpec {
        name: "send_mail".into(),
        description: "Sends a mail.".into(),
        parameters: vec![parameter("to", true), parameter("subject", false)],
    }]
}

fn says(text: &str) -> Reply {
    Reply { text: text.into(), finish: "stop".into(), input_tokens: 7, output_tokens: 3, ..Reply::default() }
}

fn calls(calls: &[(&str, &str)]) -> Reply {
    let call = |(name, arguments): &(&str, &str)| ChatCall {
        id: "x".into(),
        name: (*name).into(),
        arguments: (*arguments).into(),
    };
    Reply { calls: calls.iter().map(call).collect(), finish: "tool_calls".into(), ..Reply::default() }
}

/// Asks once in a mode; the completion's text, and what the backend was asked.
fn ask(mode: ActionMode, messages: &[Message], recipients: &[String], reply: Reply) -> (String, Ask) {
    ask_with(ChatSettings { mode, ..ChatSettings::default() }, messages, recipients, reply)
}

/// The same under other settings.
fn ask_with(settings: ChatSettings, messages: &[Message], recipients: &[String], reply: Reply) -> (String, Ask) {
    let backend = scripted([reply]);
    let mut model = ChatModel::new(backend.clone(), settings, 0);
    let tools = tools();
    let system = system_prompt(&tools, None, Some("Beware."));
    let request =
        Request { system: &system, messages, tools: &tools, recipients, seed: 5, turn: 0, agent: 0, session: 0 };
    let completion = model.complete(&request).unwrap();
    let asked = backend.asked.lock().unwrap().remove(0);
    (completion.text, asked)
}

const CALL: &str = r#"{"action":"tool","tool":"send_mail","arguments":{"to":"ann@corp.local"}}"#;

fn conversation() -> Vec<Message> {
    vec![
        Message::new(Role::User, "Write to Ann."),
        Message::new(Role::Assistant, CALL),
        Message::new(Role::Tool, "sent"),
        Message::new(Role::Assistant, "{\"action\": \"tool\""),
        Message::new(Role::Tool, "invalid action: the answer is malformed"),
    ]
}

#[test]
fn in_text_mode_the_prompt_and_the_answer_stay_as_they_are() {
    let (text, asked) = ask(ActionMode::Text, &conversation(), &[], says("Done, I think."));
    assert_eq!(text, "Done, I think.");
    assert!(asked.tools.is_empty() && asked.schema.is_none());
    assert!(asked.messages[0].content.contains(r#"{"action": "tool", "tool": "tool_name""#));
    let roles: Vec<Speaker> = asked.messages.iter().map(|message| message.role).collect();
    use Speaker::{Assistant, System, User};
    assert_eq!(roles, [System, User, Assistant, User, Assistant, User]);
    assert_eq!(asked.messages[3].content, "Result:\nsent");
}

#[test]
fn worked_examples_stand_before_the_conversation_and_change_nothing_in_it() {
    let with = |mode, examples| ChatSettings { mode, examples, ..ChatSettings::default() };
    let asked = |settings| ask_with(settings, &conversation(), &[], says("Done.")).1.messages;
    for mode in [ActionMode::Text, ActionMode::Schema] {
        let (plain, shown) = (asked(with(mode, false)), asked(with(mode, true)));
        let (before, own) = shown.split_at(shown.len() - plain.len() + 1);
        assert_eq!((&before[0], own), (&plain[0], &plain[1..]));
        let answers = before.iter().filter(|message| message.role == Speaker::Assistant);
        for answer in answers {
            let parsed = parse(&answer.content, &["read_note", "write_summary", "send_letter"]);
            assert_eq!(parsed.status, ParseStatus::ValidStrictJson, "{}", answer.content);
        }
        assert_eq!(before.last().unwrap().role, Speaker::Assistant);
    }
    assert_eq!(asked(with(ActionMode::Native, true)), asked(with(ActionMode::Native, false)));
}

#[test]
fn a_conversation_beyond_the_context_is_said_to_be_so() {
    let backend = scripted([Reply::overflow()]);
    let mut model = ChatModel::new(backend, ChatSettings::default(), 0);
    let (messages, tools) = (conversation(), tools());
    let request = Request {
        system: "",
        messages: &messages,
        tools: &tools,
        recipients: &[],
        seed: 5,
        turn: 0,
        agent: 0,
        session: 0,
    };
    let completion = model.complete(&request).unwrap();
    assert_eq!((completion.overflow, completion.text.as_str()), (true, ""));
}

#[test]
fn in_native_mode_calls_and_results_are_the_interfaces_own() {
    let (_, asked) = ask(ActionMode::Native, &conversation(), &[], says("Done."));
    let [system, _, call, result, attempt, notice] = asked.messages.as_slice() else { panic!("{asked:?}") };
    assert!(!system.content.contains("\"action\"") && system.content.ends_with("Beware.\n"), "{}", system.content);
    assert_eq!(call.calls[0].name, "send_mail");
    assert_eq!(call.calls[0].arguments, r#"{"to":"ann@corp.local"}"#);
    assert_eq!((result.role, result.call_id.as_deref()), (Speaker::Tool, Some(call.calls[0].id.as_str())));
    // What was no call is shown as it was, and the host's answer to it comes from the user's side.
    assert_eq!((attempt.role, attempt.content.as_str()), (Speaker::Assistant, "{\"action\": \"tool\""));
    assert_eq!(notice.role, Speaker::User);
    assert_eq!(asked.tools[0].parameters["required"], json!(["to"]));
}

#[test]
fn one_native_call_is_a_strict_action_and_two_are_not() {
    let tools = tools();
    let (text, _) = ask(ActionMode::Native, &[], &[], calls(&[("send_mail", r#"{"to":"ann@corp.local"}"#)]));
    let parsed = parse(&text, &tools);
    assert_eq!(parsed.status, ParseStatus::ValidStrictJson);
    let (text, _) = ask(ActionMode::Native, &[], &[], calls(&[("send_mail", r#"{"to":"a"}"#), ("send_mail", "{}")]));
    let parsed = parse(&text, &tools);
    assert_eq!(parsed.status, ParseStatus::ValidRepairedJson, "{text}");
    assert!(matches!(parsed.action, Some(Action::Call { .. })));
    let (text, _) = ask(ActionMode::Native, &[], &[], calls(&[("send_mail", "{\"to\":")]));
    assert_eq!(parse(&text, &tools).status, ParseStatus::InvalidSchema, "{text}");
    let (text, _) = ask(ActionMode::Native, &[], &[], calls(&[("no_such", "")]));
    assert_eq!(parse(&text, &tools).status, ParseStatus::InvalidTool, "{text}");
}

#[test]
fn a_team_has_a_tool_for_messages() {
    let worker = ["worker".to_owned()];
    let reply = calls(&[("message", r#"{"to":"worker","text":"Go."}"#)]);
    let (text, asked) = ask(ActionMode::Native, &[], &worker, reply);
    let expected = Action::Message { to: "worker".into(), text: "Go.".into() };
    assert_eq!(parse(&text, &tools()).action, Some(expected));
    assert_eq!(asked.tools[1].parameters["properties"]["to"]["enum"], json!(["worker"]));
    // The turn after it: the message was sent, and the answer comes from a peer.
    let messages =
        [Message::new(Role::User, "Do it."), Message::new(Role::Assistant, text), Message::new(Role::Peer, "Ok.")];
    let (_, asked) = ask(ActionMode::Native, &messages, &worker, says(""));
    let roles: Vec<Speaker> = asked.messages.iter().map(|message| message.role).collect();
    use Speaker::{Assistant, System, Tool, User};
    assert_eq!(roles, [System, User, Assistant, Tool, User]);
}

#[test]
fn the_schema_permits_exactly_the_action_format() {
    let worker = ["worker".to_owned()];
    let (_, asked) = ask(ActionMode::Schema, &[], &worker, says("{}"));
    let expected = json!({ "anyOf": [
        {
            "type": "object",
            "properties": {
                "action": { "const": "tool" },
                "tool": { "const": "send_mail" },
                "arguments": {
                    "type": "object",
                    "properties": { "to": { "type": "string" }, "subject": { "type": "string" } },
                    "required": ["to"],
                    "additionalProperties": false,
                },
            },
            "required": ["action", "tool", "arguments"],
            "additionalProperties": false,
        },
        {
            "type": "object",
            "properties": {
                "action": { "const": "message" }, "to": { "enum": ["worker"] }, "text": { "type": "string" },
            },
            "required": ["action", "to", "text"],
            "additionalProperties": false,
        },
        {
            "type": "object",
            "properties": { "action": { "const": "final" }, "text": { "type": "string" } },
            "required": ["action", "text"],
            "additionalProperties": false,
        },
    ] });
    assert_eq!(asked.schema, Some(expected));
}

#[test]
fn the_same_question_in_one_rollout_has_another_number() {
    let backend = scripted([says("a"), says("b"), says("c")]);
    let mut model = ChatModel::new(backend.clone(), ChatSettings::default(), 0);
    let messages = [Message::new(Role::User, "Hi.")];
    let request = Request {
        system: "",
        messages: &messages,
        tools: &[],
        recipients: &[],
        seed: 1,
        turn: 0,
        agent: 0,
        session: 0,
    };
    for request in [request, Request { turn: 1, ..request }, Request { seed: 2, ..request }] {
        assert_eq!(model.complete(&request).unwrap().input_tokens, 7);
    }
    let ordinals: Vec<u32> = backend.asked.lock().unwrap().iter().map(|ask| ask.ordinal).collect();
    assert_eq!(ordinals, [0, 1, 0]);
}

#[test]
fn words_from_the_users_side_in_a_row_are_one_message() {
    let messages = [Message::new(Role::User, "One."), Message::new(Role::Tool, "Two.")];
    let (_, asked) = ask(ActionMode::Text, &messages, &[], says(""));
    assert_eq!(asked.messages[1..], [ChatMessage::new(Speaker::User, "One.\n\nResult:\nTwo.")]);
}
