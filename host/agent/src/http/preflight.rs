//! Before thousands of asks: is the server there, has it the model, and how can it be asked for an action?

use super::exchange::{Exchanged, Inner};
use super::failure::{Kind, shown};
use super::server::Server;
use super::settings::ConnectError;
use crate::backend::{ActionMode, Ask, ChatMessage, ChatTool, Identity, Reply, Speaker};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tool and the word of the probes.
const TOOL: &str = "report_ready";
const WORD: &str = "ready";
/// Tokens of a probe: a call takes thirty, a model that reasons first some hundreds.
const PROBE_TOKENS: u32 = 1024;
/// A probe is not repeated often: a server may answer with 500 to what it does not support.
const PROBE_RETRIES: u32 = 1;
/// Names that are shown where a model is not listed.
const NEAR: usize = 5;

/// What was found out before the first ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preflight {
    /// The mode in which to ask for actions.
    pub mode: ActionMode,
    /// Whether the user chose it.
    pub forced: bool,
    /// Whether the server has a list of models, which then has this one.
    pub listed: bool,
    /// The model's name as the server gives it with its answers.
    pub served_by: Option<String>,
    /// The server's fingerprint of its configuration, in its answer to the first call. It may change later.
    pub fingerprint: Option<String>,
    /// What was tried to find the mode, in order. Empty where it is forced.
    pub probes: Vec<Probe>,
}

/// One mode that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The mode.
    pub mode: ActionMode,
    /// Whether it works.
    pub works: bool,
    /// What the server did, as one line.
    pub finding: String,
}

impl Preflight {
    /// Which model it is, for manifests.
    pub(crate) fn identity(&self, server: &Server) -> Identity {
        let mut details = BTreeMap::from(
            [
                ("base-url", server.base_url()),
                ("dialect", server.dialect().name),
                ("mode", self.mode.name()),
                ("mode-from", if self.forced { "user" } else { "probe" }),
                ("seed", if server.dialect().seed { "sent" } else { "not supported" }),
            ]
            .map(|(key, value)| (key.to_owned(), value.to_owned())),
        );
        // Not the fingerprint: it changes while a run goes on, and each recorded reply has its own.
        if let Some(value) = &self.served_by {
            details.insert("served-by".to_owned(), server.key().hidden_in(value));
        }
        Identity { name: server.name().to_owned(), details }
    }
}

/// Looks at the server.
pub(crate) fn run(client: &Inner) -> Result<Preflight, ConnectError> {
    let listed = is_listed(client)?;
    let first = first_token(client)?;
    if client.meter.is_limited() && first.as_ref().is_some_and(|reply| reply.input_tokens == 0) {
        let detail = "it gives no token counts, without which a cost limit would never be reached";
        return Err(client.server.protocol(detail).into());
    }
    let mut probes = Vec::new();
    let mode = match client.settings.mode {
        Some(mode) => mode,
        None => {
            for mode in ActionMode::ALL {
                let probe = probe(client, mode)?;
                let works = probe.works;
                probes.push(probe);
                if works {
                    break;
                }
            }
            probes.last().map_or(ActionMode::Text, |probe| probe.mode)
        }
    };
    let (served_by, fingerprint) = first.map(|reply| (reply.served_by, reply.fingerprint)).unwrap_or_default();
    Ok(Preflight { mode, forced: client.settings.mode.is_some(), listed, served_by, fingerprint, probes })
}

/// Whether there is a list, and the model is in it. A list without the model is an error.
fn is_listed(client: &Inner) -> Result<bool, ConnectError> {
    let server = &client.server;
    let names = match client.models()? {
        Ok(names) => names,
        // Not every server has the route.
        Err((failure, _)) if matches!(failure.status, Some(400 | 404 | 405 | 501)) => return Ok(false),
        Err((failure, attempts)) => return Err(failure.error(server, attempts).into()),
    };
    let model = server.model();
    // Ollama adds a tag, others a folder, to the name by which they can be asked.
    let is_it = |name: &String| {
        name == model
            || name.strip_suffix(":latest") == Some(model)
            || name.strip_suffix(model).is_some_and(|folder| folder.ends_with('/'))
    };
    if names.is_empty() {
        return Ok(false);
    }
    if names.iter().any(is_it) {
        return Ok(true);
    }
    let likeness = |name: &str| {
        let (name, model) = (name.to_lowercase(), model.to_lowercase());
        // A name within the other is nearer than any other likeness.
        f64::from(u8::from(name.contains(&model) || model.contains(&name))) + strsim::jaro_winkler(&name, &model)
    };
    let mut near: Vec<(f64, &String)> = names.iter().map(|name| (likeness(name), name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let told: Vec<String> = near.iter().take(NEAR).map(|(_, name)| shown(name)).collect();
    let more = names.len() - told.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Err(server.rejected(format!("the server does not list `{model}`; it has {}{more}", told.join(", "))).into())
}

/// One token. None where the server answers only that one is too few.
fn first_token(client: &Inner) -> Result<Option<Reply>, ConnectError> {
    let ask = ask(client, "Say yes.", 1);
    match client.ask(&ask, client.settings.max_retries, false)? {
        Ok(reply) => Ok(Some(reply)),
        // OpenAI's reasoning models, which cannot finish a thought in one token.
        Err((failure, _)) if failure.status == Some(400) && failure.cause.contains("output limit was reached") => {
            Ok(None)
        }
        Err((failure, attempts)) => Err(failure.error(&client.server, attempts).into()),
    }
}

/// Tries a mode.
fn probe(client: &Inner, mode: ActionMode) -> Result<Probe, ConnectError> {
    let outcome = match mode {
        ActionMode::Native => {
            let parameters = json!({
                "type": "object",
                "properties": {"word": {"type": "string", "description": "The word to report."}},
                "required": ["word"],
                "additionalProperties": false
            });
            let tool = ChatTool { name: TOOL.into(), description: "Reports that you are ready.".into(), parameters };
            let text = format!("Call the tool {TOOL} now, with the word \"{WORD}\". Write nothing else.");
            let ask = Ask { tools: vec![tool], ..ask(client, &text, PROBE_TOKENS) };
            client.ask(&ask, PROBE_RETRIES.min(client.settings.max_retries), false)?
        }
        ActionMode::Schema => {
            let schema = json!({
                "type": "object",
                "properties": {"word": {"type": "string", "enum": [WORD]}},
                "required": ["word"],
                "additionalProperties": false
            });
            // Without a word about JSON, so that only a server that enforces the schema passes.
            let ask = Ask { schema: Some(schema), ..ask(client, "Say that you are ready.", PROBE_TOKENS) };
            client.ask(&ask, PROBE_RETRIES.min(client.settings.max_retries), false)?
        }
        ActionMode::Text => {
            return Ok(Probe { mode, works: true, finding: "every model can be asked in words".into() });
        }
    };
    let (works, finding) =
        finding(mode, outcome).map_err(|(failure, attempts)| failure.error(&client.server, attempts))?;
    Ok(Probe { mode, works, finding: client.server.key().hidden_in(&finding) })
}

/// What an answer to a probe means; an error if it means nothing, since the server is not to be reached now.
fn finding(mode: ActionMode, outcome: Exchanged<Reply>) -> Exchanged<(bool, String)> {
    let reply = match outcome {
        Ok(reply) => reply,
        Err((failure, attempts)) => {
            let refused = failure.kind == Kind::Refused && !matches!(failure.status, Some(401 | 403 | 429));
            // llama.cpp says 500 to tools that a model's template does not know.
            let cannot = refused || failure.kind == Kind::Malformed || matches!(failure.status, Some(500 | 501));
            return if cannot { Ok((false, failure.cause)) } else { Err((failure, attempts)) };
        }
    };
    let found = match mode {
        ActionMode::Native => match reply.calls.first() {
            None => (false, "no tool_calls came back, only words".to_owned()),
            Some(call) => match serde_json::from_str::<Value>(&call.arguments) {
                Ok(Value::Object(_)) if call.name == TOOL => (true, "tool_calls came back".to_owned()),
                _ => (false, "the call that came back is not the one asked for".to_owned()),
            },
        },
        ActionMode::Schema => match serde_json::from_str::<Value>(&reply.text) {
            Ok(value) if value == json!({ "word": WORD }) => (true, "the answer satisfies the schema".to_owned()),
            Ok(_) => (false, "the answer does not satisfy the schema".to_owned()),
            Err(_) => (false, "the answer is not JSON, as the schema demands".to_owned()),
        },
        ActionMode::Text => (true, String::new()),
    };
    Ok(found)
}

fn ask(client: &Inner, text: &str, max_tokens: u32) -> Ask {
    Ask {
        messages: vec![ChatMessage::new(Speaker::User, text)],
        tools: Vec::new(),
        schema: None,
        max_tokens,
        temperature: client.settings.temperature,
        seed: 0,
        ordinal: 0,
        repeat: 0,
    }
}
