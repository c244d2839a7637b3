//! The gate: every question to a policy passes here, with the events since the last one, and every answer leaves as
//! something the trace can hold. A policy that fails is closed from then on.

use std::sync::Arc;
use weir_runtime::fault::Fault;
use weir_runtime::models::Models;
use weir_runtime::wit::memory::{Authority, Item, Turn};
use weir_runtime::wit::policies::{Decision, Endorsement, Episode, Filtered, Recovery};
use weir_runtime::wit::trace as wit;
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::{Answer, Defence, DefenceFactory, Delta, PLUGIN_FAULT};
use weir_trace::{Body, Event, EventId, Hook, Labels, NodeKind, Verdict, fact};

/// Nothing is known about the rollout: it must be run again and is never scored.
#[derive(Debug, thiserror::Error)]
pub enum Infra {
    /// A plugin's call ended for a reason that is the host's.
    #[error("host error, not a result: {0}")]
    Host(Box<Fault>),
    /// A domain failed: no policy can be blamed for it.
    #[error("the domain failed: {0}")]
    Domain(Box<Fault>),
    /// A reducer failed.
    #[error("a reducer failed: {0}")]
    Reducer(Box<Fault>),
    /// The model failed.
    #[error("the model failed: {0}")]
    Model(#[from] weir_agent::ModelError),
    /// A scenario or trace is not what the code expects.
    #[error("{0}")]
    Input(String),
}

/// A policy's answer as the trace stores it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Which hook was asked.
    pub hook: Hook,
    /// The answer.
    pub verdict: Verdict,
    /// The rule behind it.
    pub rule: Option<String>,
    /// The policy's words, or the replacement of an observation.
    pub message: String,
    /// Fuel that the hook used.
    pub fuel: u64,
}

impl Ruling {
    /// As a decision node's body.
    #[must_use]
    pub fn body(&self) -> Body {
        Body::Decision {
            hook: self.hook,
            verdict: self.verdict,
            rule: self.rule.clone(),
            message: self.message.clone(),
            fuel: self.fuel,
        }
    }

    /// The decision in a node's body, if it is one.
    #[must_use]
    pub fn of(body: &Body) -> Option<Self> {
        match body {
            Body::Decision { hook, verdict, rule, message, fuel } => Some(Ruling {
                hook: *hook,
                verdict: *verdict,
                rule: rule.clone(),
                message: message.clone(),
                fuel: *fuel,
            }),
            _ => None,
        }
    }

    /// Facts of the decision node.
    #[must_use]
    pub fn facts(&self) -> u32 {
        if self.is_fault() { fact::PLUGIN_FAULT } else { 0 }
    }

    /// Whether the policy failed to answer.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        self.rule.as_deref() == Some(PLUGIN_FAULT)
    }
}

/// A policy in one rollout.
pub struct Gate {
    policy: Result<Box<dyn Defence>, Box<Fault>>,
    /// Events before this position were shown.
    shown: usize,
    events: Vec<wit::Event>,
    texts: Vec<Arc<str>>,
}

impl Gate {
    /// Starts a policy, with models for its granted roles if there are any. A policy that does not start blocks every call.
    ///
    /// # Errors
    /// A host failure.
    pub fn start(
        factory: &dyn DefenceFactory,
        episode: &Episode,
        canaries: &[String],
        models: Option<Box<dyn Models>>,
    ) -> Result<Self, Infra> {
        let policy = not_infrastructure(factory.start(episode, &Arc::from(canaries), models))?;
        Ok(Gate { policy, shown: 0, events: Vec::new(), texts: Vec::new() })
    }

    /// The policy's text for the agents' system prompt. A failure closes the policy.
    ///
    /// # Errors
    /// A host failure.
    pub fn guidance(&mut self) -> Result<Option<String>, Infra> {
        let Ok(policy) = &mut self.policy else { return Ok(None) };
        match not_infrastructure(policy.guidance())? {
            Ok(text) => Ok(text),
            Err(fault) => {
                self.policy = Err(fault);
                Ok(None)
            }
        }
    }

    /// What the trace says first of a policy that failed before there was anything to ask: a rollout in which nothing is
    /// asked later must not pass for a defended one.
    #[must_use]
    pub fn failed_start(&self) -> Option<Ruling> {
        let fault = self.policy.as_ref().err()?;
        Some(closed(Hook::Start, fault, fault.fuel_used.unwrap_or(0)))
    }

    /// Asks about a proposal, given the trace up to and without it.
    ///
    /// # Errors
    /// A host failure.
    pub fn authorize(&mut self, prefix: &[Event], proposal: &Proposal) -> Result<Ruling, Infra> {
        self.ask(Hook::Authorize, prefix, |policy, delta| Ok(decided(policy.authorize(delta, proposal)?)))
    }

    /// Asks again just before a high-risk call commits. None where the policy allows without a word.
    ///
    /// # Errors
    /// A host failure.
    pub fn precommit(&mut self, prefix: &[Event], proposal: &Proposal) -> Result<Option<Ruling>, Infra> {
        let ruling =
            self.ask(Hook::Precommit, prefix, |policy, delta| Ok(decided(policy.precommit(delta, proposal)?)))?;
        Ok((ruling.verdict != Verdict::Allow || ruling.rule.is_some()).then_some(ruling))
    }

    /// Asks about an untrusted observation, the last event of the prefix. None where it passes.
    ///
    /// # Errors
    /// A host failure.
    pub fn filter(&mut self, prefix: &[Event]) -> Result<Option<Ruling>, Infra> {
        let Some(observation) = prefix.last().map(|event| event.id) else { return Ok(None) };
        let ruling =
            self.ask(Hook::Filter, prefix, |policy, delta| Ok(filtered(policy.filter(delta, observation)?)))?;
        Ok((ruling.verdict != Verdict::Allow).then_some(ruling))
    }

    /// Asks which repairs the policy wants, at the end of a session. The ruling's message lists them as JSON, empty where
    /// there are none.
    ///
    /// # Errors
    /// A host failure.
    pub fn recover(&mut self, prefix: &[Event]) -> Result<(Ruling, Vec<Recovery>), Infra> {
        let mut repairs = Vec::new();
        let ruling = self.ask(Hook::Recover, prefix, |policy, delta| {
            let answer = policy.recover(delta)?;
            let ruling = repaired(&answer);
            repairs = answer.value;
            Ok(ruling)
        })?;
        Ok((ruling, repairs))
    }

    /// Asks which labels consolidated memories get. The ruling's message lists them as JSON, in the memories' order; none of
    /// them has a label where the policy failed.
    ///
    /// # Errors
    /// A host failure.
    pub fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<(Ruling, Vec<Endorsement>), Infra> {
        let mut given = Vec::new();
        // These two hooks are given no events, so none counts as shown.
        let ruling = self.ask(Hook::Endorse, &[], |policy, _| {
            let answer = policy.endorse(memories, history)?;
            let ruling = endorsed(&answer);
            given = answer.value;
            Ok(ruling)
        })?;
        Ok((ruling, given))
    }

    /// Asks for the memory block that the acting model sees: a replacement, or, where the policy leaves it to the host, an
    /// allowing answer without words. A failed policy shows no block.
    ///
    /// # Errors
    /// A host failure.
    pub fn render(&mut self, memories: &[Item]) -> Result<Ruling, Infra> {
        self.ask(Hook::Render, &[], |policy, _| {
            let answer = policy.render(memories)?;
            let (verdict, message) =
                answer.value.map_or((Verdict::Allow, String::new()), |text| (Verdict::Replace, text));
            Ok(Ruling { hook: Hook::Render, verdict, rule: None, message, fuel: answer.fuel })
        })
    }

    fn ask(
        &mut self,
        hook: Hook,
        prefix: &[Event],
        ask: impl FnOnce(&mut dyn Defence, Delta<'_>) -> Result<Ruling, Box<Fault>>,
    ) -> Result<Ruling, Infra> {
        self.events.clear();
        self.texts.clear();
        for event in prefix.get(self.shown..).unwrap_or_default() {
            self.events.push(event.into());
            self.texts.push(Arc::clone(&event.text));
        }
        self.shown = self.shown.max(prefix.len());
        let delta = Delta { events: &self.events, texts: &self.texts };
        let policy = match &mut self.policy {
            Ok(policy) => policy,
            Err(fault) => return Ok(closed(hook, fault, 0)),
        };
        match not_infrastructure(ask(policy.as_mut(), delta))? {
            Ok(mut ruling) => {
                ruling.hook = hook;
                Ok(ruling)
            }
            Err(fault) => {
                let ruling = closed(hook, &fault, fault.fuel_used.unwrap_or(0));
                self.policy = Err(fault);
                Ok(ruling)
            }
        }
    }
}

/// Separates what is the policy's from what is the host's.
fn not_infrastructure<T>(result: Result<T, Box<Fault>>) -> Result<Result<T, Box<Fault>>, Infra> {
    match result {
        Err(fault) if fault.cause.is_infrastructure() => Err(Infra::Host(fault)),
        other => Ok(other),
    }
}

/// Fail closed. The text is the cause alone: the full report has offsets that change with the toolchain.
fn closed(hook: Hook, fault: &Fault, fuel: u64) -> Ruling {
    let export = fault.export.as_deref().unwrap_or("start");
    let message = format!("{export}: {}", fault.cause);
    Ruling { hook, verdict: Verdict::Block, rule: Some(PLUGIN_FAULT.into()), message, fuel }
}

fn decided(answer: Answer<Decision>) -> Ruling {
    let (verdict, reason) = match answer.value {
        Decision::Allow(reason) => (Verdict::Allow, reason),
        Decision::Block(reason) => (Verdict::Block, Some(reason)),
        Decision::Confirm(reason) => (Verdict::Confirm, Some(reason)),
    };
    let (rule, message) = reason.map_or((None, String::new()), |r| (Some(r.rule), r.message));
    Ruling { hook: Hook::Authorize, verdict, rule, message, fuel: answer.fuel }
}

fn repaired(answer: &Answer<Vec<Recovery>>) -> Ruling {
    let one = |repair: &Recovery| match repair {
        Recovery::Rollback(call) => serde_json::json!({ "rollback": call }),
        Recovery::Quarantine(key) => serde_json::json!({ "quarantine": key }),
        Recovery::Scrub(key) => serde_json::json!({ "scrub": key }),
    };
    let list: Vec<_> = answer.value.iter().map(one).collect();
    let message = if list.is_empty() { String::new() } else { serde_json::Value::from(list).to_string() };
    Ruling { hook: Hook::Recover, verdict: Verdict::Allow, rule: None, message, fuel: answer.fuel }
}

fn endorsed(answer: &Answer<Vec<Endorsement>>) -> Ruling {
    let one = |endorsement: &Endorsement| {
        let authority = endorsement.authority.map(|authority| match authority {
            Authority::Unendorsed => "unendorsed",
            Authority::Attested => "attested",
            Authority::Authorized => "authorized",
        });
        serde_json::json!({ "authority": authority, "support": endorsement.support })
    };
    let message = serde_json::Value::from(answer.value.iter().map(one).collect::<Vec<_>>()).to_string();
    Ruling { hook: Hook::Endorse, verdict: Verdict::Allow, rule: None, message, fuel: answer.fuel }
}

/// Whether an event is an untrusted observation, about which the policy's filter is asked: a tool's answer that brings in
/// taint of its own or recalls tainted memory, or a tainted message from one agent to another.
#[must_use]
pub fn is_untrusted_observation(events: &[Event], event: &Event, taint: Labels) -> bool {
    let tainted_memory = |id: EventId| {
        let parent = usize::try_from(id).ok().and_then(|index| events.get(index));
        parent.is_some_and(|parent| parent.kind == NodeKind::MemoryRecord && parent.labels & taint != 0)
    };
    match event.kind {
        NodeKind::ToolResult => {
            event.is(fact::UNTRUSTED_SOURCE) || event.edges.iter().any(|edge| tainted_memory(edge.parent))
        }
        NodeKind::Message => matches!(event.body, Body::Message { to: Some(_) }) && event.labels & taint != 0,
        _ => false,
    }
}

fn filtered(answer: Answer<Filtered>) -> Ruling {
    let (verdict, rule, message) = match answer.value {
        Filtered::Pass => (Verdict::Allow, None, String::new()),
        Filtered::Replace(text) => (Verdict::Replace, None, text),
        Filtered::Withhold(reason) => (Verdict::Block, Some(reason.rule), reason.message),
    };
    Ruling { hook: Hook::Filter, verdict, rule, message, fuel: answer.fuel }
}

#[cfg(test)]
mod tests;
