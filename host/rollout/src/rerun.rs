//! Running a live trace again: environment, oracle, policy and bookkeeping must make the same trace of the same words.
//!
//! What a decision rests on, the oracle's facts, labels, edges, repairs and the verdict are none of them taken from the
//! trace. Only the model's words are, and not even these where the model is simulated and at hand.

use crate::gate::Infra;
use crate::live::Rollout;
use weir_agent::{Completion, Model, ModelError, Request};
use weir_trace::{Event, Header, NodeKind, Origin, Trace, fact};

/// A model that says what a trace says that it said.
pub struct Words<'a> {
    id: &'a str,
    simulated: bool,
    said: Box<dyn Iterator<Item = &'a Event> + 'a>,
}

impl<'a> Words<'a> {
    /// The model of a live trace; none of a recorded one.
    #[must_use]
    pub fn of(trace: &'a Trace) -> Option<Self> {
        let Origin::Live { model, simulated, .. } = &trace.header.origin else { return None };
        let said = trace.events.iter().filter(|event| event.kind == NodeKind::AgentState);
        Some(Words { id: model, simulated: *simulated, said: Box::new(said) })
    }
}

impl Model for Words<'_> {
    fn id(&self) -> &str {
        self.id
    }

    fn simulated(&self) -> bool {
        self.simulated
    }

    fn complete(&mut self, _: &Request<'_>) -> Result<Completion, ModelError> {
        let detail = || "the trace has no more of its words".to_owned();
        let event =
            self.said.next().ok_or_else(|| ModelError::Protocol { model: self.id.to_owned(), detail: detail() })?;
        let overflow = event.is(fact::CONTEXT_OVERFLOW);
        Ok(Completion { text: event.text.to_string(), overflow, ..Completion::default() })
    }
}

/// Runs a rollout again; where its trace is another, says how.
///
/// # Errors
/// A host failure: nothing is known.
pub fn rerun(trace: &Trace, rollout: &Rollout<'_>, model: &mut dyn Model) -> Result<Option<String>, Infra> {
    match rollout.run(model) {
        Ok(again) => Ok(difference(trace, &again)),
        Err(Infra::Host(fault)) => Err(Infra::Host(fault)),
        // Whatever else stops it, it did not stop the rollout that was honestly recorded.
        Err(other) => Ok(Some(format!("the rollout cannot be run again: {other}"))),
    }
}

/// How a trace's header differs from the one that a rollout begins with, if it does. What only running the rollout tells is
/// taken from the trace: the oracle's verdict, and what plugins asked of models.
#[must_use]
pub fn header_difference(trace: &Trace, rollout: &Rollout<'_>, model: &dyn Model) -> Option<String> {
    let (verdict, exchanges) = (trace.header.verdict, trace.header.exchanges.clone());
    let expected = Header { verdict, exchanges, ..rollout.header(model) };
    (expected != trace.header).then(|| "its header is not the one that its rollout begins with".into())
}

/// How a trace differs from one that was made again, at the first place where it does.
#[must_use]
pub fn difference(trace: &Trace, again: &Trace) -> Option<String> {
    if let Some((one, other)) = trace.events.iter().zip(&again.events).find(|(one, other)| one != other) {
        let parts = [
            ("kind", one.kind != other.kind),
            ("text", one.text != other.text),
            ("agent", one.agent != other.agent),
            ("call", (one.tool, one.call) != (other.tool, other.call)),
            ("edges", one.edges != other.edges),
            ("labels", one.labels != other.labels),
            ("facts", one.facts != other.facts),
            ("content", one.body != other.body),
        ];
        let parts: Vec<&str> = parts.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
        return Some(format!("run again, event {} differs in its {}", one.id, parts.join(", ")));
    }
    if trace.events.len() != again.events.len() {
        return Some(format!("run again, it has {} events and not {}", again.events.len(), trace.events.len()));
    }
    if trace.header == again.header {
        return None;
    }
    if trace.header.exchanges != again.header.exchanges {
        return Some("run again, its plugins ask a model for less than the trace says".into());
    }
    let oracle = Header { verdict: trace.header.verdict, ..again.header.clone() } == trace.header;
    Some(format!("run again, {} differs", if oracle { "the oracle's verdict" } else { "its header" }))
}
