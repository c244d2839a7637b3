//! The client against a scripted server on a real socket. No test looks at a clock: requests are counted instead.

mod answers;
mod bodies;
mod concurrency;
mod preflight;
mod prices;
mod retries;
mod servers;

use super::*;
use crate::backend::{ActionMode, Ask, Backend, ChatMessage, ChatTool, Reply, Speaker};
use crate::model::ModelError;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use weir_scripted::{Answer, Request, Server as Scripted};

const KEY: &str = "sk-very-secret-0123456789";

/// A server's description, by name, at this address.
fn resolve(name: &str, base: &str) -> Server {
    let provider = name.split('/').nth(1).unwrap().to_uppercase().replace('-', "_");
    let variables = HashMap::from([
        (format!("{provider}_BASE_URL"), base.to_owned()),
        (format!("{provider}_API_KEY"), KEY.to_owned()),
    ]);
    Server::resolve(name, |variable| variables.get(variable).cloned()).unwrap()
}

/// Settings under which a failure is over in milliseconds.
fn quick() -> Settings {
    Settings {
        mode: Some(ActionMode::Text),
        max_retries: 3,
        backoff: Duration::from_millis(1),
        longest_backoff: Duration::from_millis(2),
        ..Settings::default()
    }
}

fn ask() -> Ask {
    Ask {
        messages: vec![ChatMessage::new(Speaker::System, "Act."), ChatMessage::new(Speaker::User, "Pay it.")],
        tools: Vec::new(),
        schema: None,
        max_tokens: 100,
        temperature: 0.0,
        seed: 5,
        ordinal: 0,
        repeat: 0,
    }
}

fn tool() -> ChatTool {
    let parameters = json!({"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]});
    ChatTool { name: "send_mail".into(), description: "Sends a mail.".into(), parameters }
}

/// A client that has passed its preflight (one chat request), and the server that plays these answers to its asks.
fn played(settings: Settings, answers: impl IntoIterator<Item = Answer>) -> (Client, Scripted) {
    let server = Scripted::script([Answer::text("yes")].into_iter().chain(answers)).unwrap();
    let client = Client::connect(resolve("openai-api/vllm/m", &server.base_url()), settings).unwrap();
    (client, server)
}

/// One ask, answered by these; and how many requests it took.
fn asked(settings: Settings, answers: impl IntoIterator<Item = Answer>) -> (Result<Reply, ModelError>, usize) {
    let (client, server) = played(settings, answers);
    let reply = client.ask(&ask());
    assert_eq!((client.usage().in_flight, client.usage().waiting), (0, None));
    (reply, server.chats().len() - 1)
}

fn reply_to(answer: Answer) -> Reply {
    let (reply, requests) = asked(quick(), [answer]);
    assert_eq!(requests, 1);
    reply.unwrap()
}
