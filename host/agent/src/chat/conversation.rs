//! An agent's conversation as a chat interface takes it.

use super::MESSAGE;
use crate::action::Action;
use crate::backend::{ChatCall, ChatMessage, Speaker};
use crate::model::{Request, Role};
use crate::parser::parse;
use crate::prompt::native_prompt;
use serde_json::{Value, json};

/// The messages of a turn's request, the system prompt first, then worked examples where they are wanted. In native mode the agent's calls and their results are what
/// the interface has for them; otherwise a result is something that the user's side says.
pub(super) fn messages(request: &Request<'_>, native: bool, examples: bool) -> Vec<ChatMessage> {
    let system = if native { native_prompt(request.system) } else { request.system.to_owned() };
    let mut out = vec![ChatMessage::new(Speaker::System, system)];
    // The call that the next result answers.
    let mut open: Option<String> = None;
    let before = if examples { super::examples::examples() } else { Vec::new() };
    for message in before.iter().chain(request.messages) {
        match message.role {
            Role::Assistant => {
                // An action without a result, such as a message whose answer comes from a peer, still needs one.
                close(&mut open, "Done.", &mut out);
                let call = if native { call(&message.text, request, out.len()) } else { None };
                open = call.as_ref().map(|call| call.id.clone());
                let mut said = ChatMessage::new(Speaker::Assistant, if call.is_some() { "" } else { &message.text });
                said.calls.extend(call);
                out.push(said);
            }
            Role::Tool if open.is_some() => close(&mut open, &message.text, &mut out),
            Role::Tool => says(&format!("Result:\n{}", message.text), &mut out),
            Role::Peer => {
                close(&mut open, "Done.", &mut out);
                says(&format!("From another agent of your team:\n{}", message.text), &mut out);
            }
            Role::User => {
                close(&mut open, "Done.", &mut out);
                says(&message.text, &mut out);
            }
        }
    }
    close(&mut open, "Done.", &mut out);
    out
}

/// Answers an open call.
fn close(open: &mut Option<String>, text: &str, out: &mut Vec<ChatMessage>) {
    if let Some(id) = open.take() {
        out.push(ChatMessage { call_id: Some(id), ..ChatMessage::new(Speaker::Tool, text) });
    }
}

/// Words from the user's side. Some models' templates refuse two such messages in a row, so they become one.
fn says(text: &str, out: &mut Vec<ChatMessage>) {
    match out.last_mut() {
        Some(last) if last.role == Speaker::User => {
            last.content.push_str("\n\n");
            last.content.push_str(text);
        }
        _ => out.push(ChatMessage::new(Speaker::User, text)),
    }
}

/// The native call in an earlier turn's text; none where it was another answer.
fn call(text: &str, request: &Request<'_>, position: usize) -> Option<ChatCall> {
    let (name, arguments) = match parse(text, request.tools).action? {
        Action::Call { tool, arguments } => (tool, Value::Object(arguments)),
        Action::Message { to, text } => (MESSAGE.to_owned(), json!({ "to": to, "text": text })),
        Action::Final { .. } => return None,
    };
    // Nine letters and digits: Mistral's template takes no other identifier.
    Some(ChatCall { id: format!("call{position:05}"), name, arguments: arguments.to_string() })
}
