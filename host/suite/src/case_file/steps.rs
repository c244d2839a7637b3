//! Steps in order. Events are numbered as they come, from 0; a question about a call is one too, since its proposal is a
//! node of the trace. Nothing else becomes an event by itself: a decision that a policy shall see is written as one.

use super::expectation::Word;
use super::raw::{Ask, RawAuthority, RawKind, RawMemory, RawStep, RawTurn};
use super::resolve::object;
use super::{Asked, Question, Step, labels};
use serde_json::{Map, Value};
use std::sync::Arc;
use weir_runtime::wit::memory::{Authority, Item, Kind, Speaker, Turn};
use weir_trace::contract::Tool;
use weir_trace::json::canonical;
use weir_trace::{Argument, Body, Edge, EventId, NewEvent, NodeKind};

/// Keys of an event.
const EVENT: &[&str] = &["agent", "tool", "text", "labels", "from", "edges"];
/// Keys of a call.
const CALL: &[&str] = &[
    "agent",
    "tool",
    "call",
    "text",
    "labels",
    "from",
    "edges",
    "arguments",
    "arguments-json",
    "argument-labels",
    "sources",
];

/// Steps under way.
pub(super) struct Steps<'a> {
    tools: &'a [Tool],
    agents: &'a [String],
    label_names: &'a [String],
    done: Vec<Step>,
    /// The number of the next event.
    next: EventId,
    /// Calls so far, each with its proposal's event.
    calls: Vec<(u32, EventId)>,
}

impl<'a> Steps<'a> {
    /// No step yet.
    pub fn new(tools: &'a [Tool], agents: &'a [String], label_names: &'a [String]) -> Self {
        Steps { tools, agents, label_names, done: Vec::new(), next: 0, calls: Vec::new() }
    }

    /// All of them.
    pub fn finish(self) -> Vec<Step> {
        self.done
    }

    /// Adds a step.
    pub fn add(&mut self, number: usize, line: usize, raw: &RawStep) -> Result<(), String> {
        let step = match (raw.event, raw.ask) {
            (Some(kind), None) => {
                only(raw, EVENT, "an event")?;
                if raw.expect.is_some() {
                    return Err("`expect` belongs to a question, and this is an event".into());
                }
                Step::Event(self.event(raw, kind)?)
            }
            (None, Some(ask)) => Step::Ask(Box::new(self.question(number, line, raw, ask)?)),
            _ => return Err("a step is either an `event` or a question: `ask`".into()),
        };
        self.done.push(step);
        Ok(())
    }

    fn event(&mut self, raw: &RawStep, kind: NodeKind) -> Result<NewEvent, String> {
        let tool = raw.tool.as_deref().map(|name| self.tool(name)).transpose()?;
        let new = NewEvent {
            kind,
            agent: self.agent(raw.agent.as_deref())?,
            // A policy is not told the call of an event.
            tool_call: tool.map(|(index, _)| (index, 0)),
            own_labels: labels::bits(raw.labels.as_deref().unwrap_or_default(), self.label_names)?,
            edges: self.edges(raw)?,
            ..NewEvent::text(kind, "", raw.text.as_deref().unwrap_or_default())
        };
        self.next = self.next.saturating_add(1);
        Ok(new)
    }

    fn question(&mut self, number: usize, line: usize, raw: &RawStep, ask: Ask) -> Result<Question, String> {
        let name = ask.name();
        let expect = raw.expect.as_ref().ok_or_else(|| {
            format!(
                "this question to `{name}` has no `expect`: state what must hold, or `expect = {{ decision = \"any\" }}`, or leave `expect = {{}}` to `--bless`"
            )
        })?;
        let expect = expect.get_ref().clone();
        let (words, keys) = answers(ask);
        if let Some(word) = expect.decision.filter(|word| !words.contains(word) && *word != Word::Any) {
            let known: Vec<&str> = words.iter().map(|word| word.name()).collect();
            return Err(format!("`{name}` is never answered `{}`: {}, or any", word.name(), known.join(", ")));
        }
        if let Some((key, _)) = expect.stated().into_iter().find(|(key, _)| !keys.contains(key)) {
            return Err(format!("an answer to `{name}` has no `{key}`: it has {}", keys.join(", ")));
        }
        let what = format!("a question to `{name}`");
        let mut about = name.to_owned();
        let asked = match ask {
            Ask::Guidance | Ask::Recover => {
                only(raw, &[], &what)?;
                if ask == Ask::Guidance { Asked::Guidance } else { Asked::Recover }
            }
            Ask::Filter => {
                only(raw, &[], &what)?;
                if !matches!(self.done.last(), Some(Step::Event(_))) {
                    return Err("`filter` is asked about the event just before it, and there is none".into());
                }
                Asked::Filter
            }
            Ask::Authorize | Ask::Precommit => {
                only(raw, CALL, &what)?;
                let known = raw.call.and_then(|call| self.calls.iter().rev().find(|(known, _)| *known == call));
                match (ask, known.copied()) {
                    (Ask::Precommit, Some((call, proposal))) => {
                        only(raw, &["call"], "a second question about a call")?;
                        about = format!("{name} of call {call}");
                        Asked::Precommit { proposal }
                    }
                    (_, Some((call, _))) => return Err(format!("call {call} was proposed before")),
                    (_, None) => {
                        let proposal = self.proposal(raw)?;
                        about = format!("{name} {}", raw.tool.as_deref().unwrap_or_default());
                        if ask == Ask::Precommit {
                            let id = self.next.saturating_sub(1);
                            self.done.push(Step::Event(proposal));
                            Asked::Precommit { proposal: id }
                        } else {
                            Asked::Authorize(proposal)
                        }
                    }
                }
            }
            Ask::Endorse => {
                only(raw, &["memories", "history"], &what)?;
                Asked::Endorse { memories: memories(raw), history: history(raw) }
            }
            Ask::Render => {
                only(raw, &["memories"], &what)?;
                Asked::Render { memories: memories(raw) }
            }
        };
        Ok(Question { number, line, about, ask, asked, expect })
    }

    fn proposal(&mut self, raw: &RawStep) -> Result<NewEvent, String> {
        let name = raw.tool.as_deref().ok_or("a question about a call names its `tool`")?;
        let (index, tool) = self.tool(name)?;
        let given: Map<String, Value> = match (&raw.arguments, &raw.arguments_json) {
            (Some(_), Some(_)) => return Err("either `arguments` or `arguments-json`, not both".into()),
            (Some(table), None) => object(table).map_err(|what| format!("`arguments`: {what}"))?,
            (None, Some(text)) => serde_json::from_str(text).map_err(|e| format!("`arguments-json`: {e}"))?,
            (None, None) => Map::new(),
        };
        let named = raw.argument_labels.iter().flat_map(|all| all.keys());
        if let Some(name) = named.chain(raw.sources.iter().flat_map(|all| all.keys())).find(|n| !given.contains_key(*n))
        {
            return Err(format!("there is no argument `{name}` to say more about"));
        }
        if let Some(name) = given.keys().find(|name| !tool.parameters.iter().any(|p| p.name == **name)) {
            let known: Vec<&str> = tool.parameters.iter().map(|p| p.name.as_str()).collect();
            return Err(format!("tool `{}` has no parameter `{name}`: it has {}", tool.name, known.join(", ")));
        }
        let mut arguments = Vec::new();
        for (parameter, name) in (0..).zip(tool.parameters.iter().map(|p| &p.name)) {
            let Some(value) = given.get(name) else { continue };
            let own = raw.argument_labels.as_ref().and_then(|all| all.get(name));
            let sources = raw.sources.as_ref().and_then(|all| all.get(name)).cloned().unwrap_or_default();
            if let Some(late) = sources.iter().find(|source| **source >= self.next) {
                return Err(format!("argument `{name}` cannot come from event {late}: it is not there yet"));
            }
            let labels = labels::bits(own.map(Vec::as_slice).unwrap_or_default(), self.label_names)?;
            arguments.push(Argument { parameter, value: canonical(value), labels, sources });
        }
        let call =
            raw.call.unwrap_or_else(|| self.calls.iter().map(|(call, _)| call.saturating_add(1)).max().unwrap_or(0));
        let own = labels::bits(raw.labels.as_deref().unwrap_or_default(), self.label_names)?;
        let text = raw.text.clone().unwrap_or_else(|| canonical(&Value::Object(given)));
        let new = NewEvent {
            kind: NodeKind::Proposal,
            agent: self.agent(raw.agent.as_deref())?,
            tool_call: Some((index, call)),
            // As in a live rollout: what is proposed is in the proposing agent's context.
            own_labels: arguments.iter().fold(own, |all, argument| all | argument.labels),
            facts: 0,
            edges: self.edges(raw)?,
            text: Arc::from(text),
            body: Body::Proposal { arguments },
        };
        self.calls.push((call, self.next));
        self.next = self.next.saturating_add(1);
        Ok(new)
    }

    fn tool(&self, name: &str) -> Result<(u32, &'a Tool), String> {
        (0..).zip(self.tools).find(|(_, tool)| tool.name == name).ok_or_else(|| {
            let hint = crate::error::nearest(name, self.tools.iter().map(|tool| tool.name.as_str()));
            let hint = hint.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("the case has no tool `{name}`{hint}")
        })
    }

    fn agent(&self, name: Option<&str>) -> Result<u32, String> {
        let Some(name) = name else { return Ok(0) };
        let found = (0..).zip(self.agents).find(|(_, agent)| *agent == name);
        found
            .map(|(index, _)| index)
            .ok_or_else(|| format!("there is no agent `{name}`: there is {}", self.agents.join(", ")))
    }

    /// `from` are the events whose content is in this one; `edges` all others, or all.
    fn edges(&self, raw: &RawStep) -> Result<Vec<Edge>, String> {
        let from = raw.from.iter().flatten().map(|parent| Edge::flow(*parent));
        let mut edges: Vec<Edge> = from.chain(raw.edges.iter().flatten().map(|edge| Edge::from(*edge))).collect();
        if let Some(late) = edges.iter().find(|edge| edge.parent >= self.next) {
            return Err(format!(
                "nothing can come from event {}: it is not there yet, this is event {}",
                late.parent, self.next
            ));
        }
        edges.sort_by_key(|edge| edge.parent);
        Ok(edges)
    }
}

/// Demands that a step has no keys but these.
fn only(raw: &RawStep, keys: &[&str], what: &str) -> Result<(), String> {
    let Some(key) = raw.given().into_iter().find(|key| !keys.contains(key)) else { return Ok(()) };
    let known = if keys.is_empty() { "no more keys".to_owned() } else { keys.join(", ") };
    Err(format!("{what} has no `{key}`: it has {known}"))
}

/// The words and keys with which a hook may be answered.
fn answers(ask: Ask) -> (&'static [Word], &'static [&'static str]) {
    match ask {
        Ask::Authorize | Ask::Precommit => {
            (&[Word::Allow, Word::Block, Word::Confirm, Word::Fault], &["decision", "rule", "message"])
        }
        Ask::Filter => {
            (&[Word::Pass, Word::Replace, Word::Withhold, Word::Fault], &["decision", "rule", "message", "text"])
        }
        Ask::Recover => (&[Word::Fault], &["decision", "message", "repairs"]),
        Ask::Endorse => (&[Word::Fault], &["decision", "message", "labels"]),
        Ask::Guidance | Ask::Render => (&[Word::Text, Word::None, Word::Fault], &["decision", "message", "text"]),
    }
}

fn memories(raw: &RawStep) -> Vec<Item> {
    let item = |raw: &RawMemory| Item {
        id: raw.id.clone(),
        text: raw.text.clone(),
        kind: match raw.kind {
            RawKind::Fact => Kind::Fact,
            RawKind::Preference => Kind::Preference,
            RawKind::Intention => Kind::Intention,
            RawKind::Rule => Kind::Rule,
            RawKind::Other => Kind::Other,
        },
        authority: raw.authority.map(|authority| match authority {
            RawAuthority::Unendorsed => Authority::Unendorsed,
            RawAuthority::Attested => Authority::Attested,
            RawAuthority::Authorized => Authority::Authorized,
        }),
        evidence: raw.evidence.clone(),
    };
    raw.memories.iter().flatten().map(item).collect()
}

fn history(raw: &RawStep) -> Vec<Turn> {
    let turn = |(index, raw): (u32, &RawTurn)| Turn {
        index,
        speaker: match raw.speaker {
            weir_trace::Speaker::System => Speaker::System,
            weir_trace::Speaker::User => Speaker::User,
            weir_trace::Speaker::Assistant => Speaker::Assistant,
            weir_trace::Speaker::Tool => Speaker::Tool,
        },
        text: raw.text.clone(),
        calls: Vec::new(),
        call_id: None,
    };
    (0..).zip(raw.history.iter().flatten()).map(turn).collect()
}
