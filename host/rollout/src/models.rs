//! Models for plugins in one rollout: configured ones by role, or what a trace says that they answered; either way with a
//! record for the trace's header.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use weir_agent::{Ask, Backend, ChatMessage, ModelError};
use weir_runtime::models::{Answer, Completion, Exchange, ModelFailure, Models, Replay, Request, Speaker};
use weir_trace::Header;

/// The part in which a policy asks, in a trace's header.
pub const POLICY: &str = "policy";
/// The part in which a memory writer asks.
pub const WRITER: &str = "writer";
/// The part in which Module A's second judge is asked.
pub const JUDGE: &str = "judge";
/// The role of a model that judges what writers keep, beside the rules. The host asks it, and no plugin.
pub const MEMORY_JUDGE: &str = "memory-judge";

/// A model that answers in a role.
#[derive(Clone)]
pub struct RoleModel {
    /// The model.
    pub backend: Arc<dyn Backend>,
    /// Sampling temperature; 0 is greedy.
    pub temperature: f64,
    /// Price of a million tokens read and written, in millionths of the price file's currency; 0 without a price.
    pub price: [u64; 2],
}

/// Models by role, for all rollouts of a run.
pub type Roles = BTreeMap<String, RoleModel>;

static NO_ROLES: Roles = BTreeMap::new();

/// Where the answers to plugins come from in one rollout.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// Configured models, asked under a seed; without roles nobody answers.
    Live(&'a Roles, u64),
    /// What the header of a trace says.
    Trace(&'a Header),
}

impl Source<'_> {
    /// Nobody answers.
    pub const NONE: Source<'static> = Source::Live(&NO_ROLES, 0);
}

/// Hands out models for the plugins of one rollout and keeps what they were asked.
pub struct Desk<'a> {
    source: Source<'a>,
    parts: BTreeMap<&'static str, Arc<Mutex<Part>>>,
}

impl<'a> Desk<'a> {
    /// Over a source.
    #[must_use]
    pub fn new(source: Source<'a>) -> Self {
        Desk { source, parts: BTreeMap::new() }
    }

    /// Models for a plugin in its part; none where nobody would answer. A part may be asked for several times, as by a
    /// writer that consolidates several sessions: what it asks is one row of exchanges.
    pub fn models(&mut self, part: &'static str) -> Option<Box<dyn Models>> {
        let known = match self.parts.get(part) {
            Some(known) => known,
            None => {
                let teller = Teller::new(self.source, part)?;
                self.parts.entry(part).or_insert(Arc::new(Mutex::new(Part { teller, kept: Vec::new() })))
            }
        };
        Some(Box::new(Arc::clone(known)))
    }

    /// What was asked and answered, for a header.
    #[must_use]
    pub fn exchanges(&self) -> BTreeMap<String, Vec<Exchange>> {
        let kept = |part: &Arc<Mutex<Part>>| part.lock().unwrap_or_else(PoisonError::into_inner).kept.clone();
        let all = self.parts.iter().map(|(name, part)| ((*name).to_owned(), kept(part)));
        all.filter(|(_, kept)| !kept.is_empty()).collect()
    }
}

/// One plugin's models and what they were asked: kept beside the instance, for one that a fault ends takes its own record
/// with it.
struct Part {
    teller: Teller,
    kept: Vec<Exchange>,
}

impl Models for Part {
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure> {
        let outcome = match &mut self.teller {
            Teller::Configured(models) => models.complete(request),
            // A role of which there is no answer had no model.
            Teller::Recorded { roles, .. } if !roles.contains(&request.role) => {
                Err(ModelFailure::NoModel(request.role.clone()))
            }
            Teller::Recorded { replay, .. } => replay.complete(request),
        };
        let answer = match &outcome {
            Ok(completion) => Some(Answer::Completion(completion.clone())),
            Err(ModelFailure::Refused(what)) => Some(Answer::Refusal(what.clone())),
            Err(_) => None,
        };
        self.kept.extend(answer.map(|answer| Exchange { request: request.clone(), answer }));
        outcome
    }
}

/// Who answers.
enum Teller {
    /// Configured models.
    Configured(Configured),
    /// A record.
    Recorded { roles: BTreeSet<String>, replay: Replay },
}

impl Teller {
    fn new(source: Source<'_>, part: &str) -> Option<Self> {
        match source {
            Source::Live(roles, _) if roles.is_empty() => None,
            Source::Live(roles, seed) => {
                Some(Teller::Configured(Configured { roles: roles.clone(), seed, asked: BTreeMap::new() }))
            }
            Source::Trace(header) => {
                let recorded = header.exchanges.get(part)?;
                let roles = recorded.iter().map(|exchange| exchange.request.role.clone()).collect();
                Some(Teller::Recorded { roles, replay: Replay::new(recorded.as_slice()) })
            }
        }
    }
}

/// Configured models.
struct Configured {
    roles: Roles,
    seed: u64,
    /// How often each request has been made in this rollout.
    asked: BTreeMap<String, u32>,
}

impl Models for Configured {
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure> {
        let model = self.roles.get(&request.role).ok_or_else(|| ModelFailure::NoModel(request.role.clone()))?;
        let schema = request.response_schema.as_deref().map(serde_json::from_str).transpose();
        let schema = schema.map_err(|e| ModelFailure::Refused(format!("its response schema is no JSON: {e}")))?;
        // Writing JSON to memory cannot fail.
        let times = self.asked.entry(serde_json::to_string(request).unwrap_or_default()).or_insert(0);
        let ordinal = *times;
        *times = times.saturating_add(1);
        let message = |message: &weir_runtime::models::Message| {
            // A chat interface has results only of calls that it made.
            let speaker = if message.speaker == Speaker::Tool { Speaker::User } else { message.speaker };
            ChatMessage::new(speaker, message.content.clone())
        };
        let ask = Ask {
            messages: request.messages.iter().map(message).collect(),
            tools: Vec::new(),
            schema,
            max_tokens: request.max_tokens,
            temperature: model.temperature,
            seed: self.seed,
            ordinal,
            repeat: 0,
        };
        let reply = model.backend.ask(&ask).map_err(|error| match error {
            ModelError::Rejected { .. } => ModelFailure::Refused(error.to_string()),
            _ => ModelFailure::Failed(error.to_string()),
        })?;
        if reply.is_overflow() {
            return Err(ModelFailure::Refused("the request is longer than the model's context".into()));
        }
        let [input, output] = model.price;
        let cost = reply.input_tokens.saturating_mul(input).saturating_add(reply.output_tokens.saturating_mul(output));
        Ok(Completion {
            text: reply.text,
            input_tokens: reply.input_tokens,
            output_tokens: reply.output_tokens,
            cost_millionths: cost / 1_000_000,
        })
    }
}
