//! Taking a trace's decisions again: the promise that any decision can be re-executed, bit for bit, without a model.
//!
//! A fresh session of the policy receives the same events in the same portions; each answer must equal the one in the
//! trace, its fuel included.

use crate::gate::{Gate, Infra, Ruling, is_untrusted_observation};
use crate::models::{Desk, POLICY, Source};
use crate::replay::question;
use weir_runtime::convert::episode;
use weir_runtime::world::policy::DefenceFactory;
use weir_trace::taint::closure;
use weir_trace::{Event, EventId, Hook, NodeKind, Trace, Verdict, fact};

/// A decision that came out otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The event that was decided on.
    pub event: EventId,
    /// What the trace says; none where it logs no answer.
    pub recorded: Option<Ruling>,
    /// What the policy says now; none where it passes without a word.
    pub now: Option<Ruling>,
}

/// What re-executing a trace found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reexecution {
    /// Questions asked again.
    pub decisions: usize,
    /// Of these, the ones whose answer the trace logs.
    pub logged: usize,
    /// The first difference.
    pub difference: Option<Difference>,
    /// What else in the trace does not follow: an answer that nobody asked for, facts of a proposal or commit, labels.
    pub inconsistency: Option<String>,
}

/// Re-executes every decision of a trace, up to the first difference.
///
/// # Errors
/// A host failure, or a trace that no policy can have written.
pub fn reexecute(trace: &Trace, policy: &dyn DefenceFactory) -> Result<Reexecution, Infra> {
    let ledger = match trace.header.ledgers.as_slice() {
        [one] => &one.entries,
        many => return Err(Infra::Input(format!("the trace has {} ledgers, a decided one has 1", many.len()))),
    };
    let mut desk = Desk::new(Source::Trace(&trace.header));
    let episode = episode(&trace.header, &trace.tools, ledger);
    let mut gate = Gate::start(policy, &episode, &trace.header.canaries, desk.models(POLICY))?;
    // The prompt is part of the session's life even where its text went into the trace as a source.
    if is_live(trace) {
        gate.guidance()?;
    }
    let mut found = Reexecution::default();
    let said = trace.events.first().and_then(|event| Ruling::of(&event.body)).filter(|said| said.hook == Hook::Start);
    let failed = gate.failed_start();
    if (said.is_some() || failed.is_some()) && !found.compare(0, said, failed) {
        return Ok(found);
    }
    for event in &trace.events {
        let asked = match event.kind {
            NodeKind::Proposal => ask_proposal(trace, event, &mut gate, &mut found)?,
            NodeKind::Decision => match Ruling::of(&event.body) {
                Some(recorded) if recorded.hook == Hook::Recover => {
                    let (now, _) = gate.recover(before(trace, event.id))?;
                    found.compare(event.id, Some(recorded), Some(now))
                }
                _ => true,
            },
            _ if is_untrusted_observation(&trace.events, event, trace.header.taint_vocabulary) => {
                let now = gate.filter(through(trace, event.id))?;
                compare(trace, event.id, Hook::Filter, now, &mut found)
            }
            _ => true,
        };
        if !asked {
            return Ok(found);
        }
    }
    let asked_less = (desk.exchanges().get(POLICY) != trace.header.exchanges.get(POLICY))
        .then(|| "the policy asks a model for less than the trace says".to_owned());
    found.inconsistency = unasked(trace, &found)
        .or(asked_less)
        .or_else(|| trace.events.iter().find_map(|event| inconsistent(trace, event)))
        .or_else(|| mislabelled(trace));
    Ok(found)
}

/// An answer that no question led to.
fn unasked(trace: &Trace, found: &Reexecution) -> Option<String> {
    let logged = trace.events.iter().filter(|event| event.kind == NodeKind::Decision).count();
    (logged != found.logged).then(|| format!("{logged} decisions are logged, {} were asked for", found.logged))
}

/// Labels and the closure over data flow must say the same (ContainmentBench 3.5).
fn mislabelled(trace: &Trace) -> Option<String> {
    let tainted = |event: &Event| event.labels & trace.header.taint_vocabulary != 0;
    let closure = closure(&trace.events);
    let wrong = trace.events.iter().zip(closure).find(|(event, reached)| tainted(event) != *reached)?;
    Some(format!("the labels of event {} do not follow from the data that flowed to it", wrong.0.id))
}

/// What became of a call is written on its proposal, and follows from the decisions on it.
fn inconsistent(trace: &Trace, event: &Event) -> Option<String> {
    if event.kind == NodeKind::Commit {
        let allowed = |other: &Event| {
            other.kind == NodeKind::Proposal && other.call == event.call && other.is(fact::ALLOWED | fact::COMMITTED)
        };
        let good = trace.events.iter().any(allowed);
        return (!good).then(|| format!("event {} commits a call that was not allowed", event.id));
    }
    if event.kind != NodeKind::Proposal {
        return None;
    }
    let last = [Hook::Precommit, Hook::Authorize].into_iter().find_map(|hook| logged(trace, event.id, hook))?;
    let verdict = Ruling::of(&last.body)?.verdict;
    let confirmed = verdict == Verdict::Confirm && event.is(fact::CONFIRM_ASKED | fact::CONFIRM_GIVEN);
    let allowed = verdict == Verdict::Allow || confirmed;
    let expected = if allowed { fact::ALLOWED } else { fact::BLOCKED };
    let tool = event.tool.and_then(|t| usize::try_from(t).ok()).and_then(|t| trace.tools.get(t));
    let high_risk = tool.is_none_or(|tool| tool.effect.is_high_risk());
    let committed = trace.events.iter().any(|other| other.kind == NodeKind::Commit && other.call == event.call);
    let good = event.facts & (fact::ALLOWED | fact::BLOCKED) == expected
        && event.is(fact::HIGH_RISK) == high_risk
        && event.is(fact::COMMITTED) == committed;
    (!good).then(|| format!("the facts of event {} do not follow from the decisions on it", event.id))
}

/// Whether to go on.
fn ask_proposal(trace: &Trace, event: &Event, gate: &mut Gate, found: &mut Reexecution) -> Result<bool, Infra> {
    let asked = question(event)
        .ok_or_else(|| Infra::Input(format!("event {} is a proposal without tool, call or arguments", event.id)))?;
    let ruling = gate.authorize(before(trace, event.id), &asked)?;
    let allowed =
        ruling.verdict == Verdict::Allow || ruling.verdict == Verdict::Confirm && event.is(fact::CONFIRM_GIVEN);
    if !compare(trace, event.id, Hook::Authorize, Some(ruling), found) {
        return Ok(false);
    }
    let Some(decision) = logged(trace, event.id, Hook::Authorize) else { return Ok(true) };
    if allowed && event.is(fact::HIGH_RISK) {
        let now = gate.precommit(through(trace, decision.id), &asked)?;
        return Ok(compare(trace, event.id, Hook::Precommit, now, found));
    }
    Ok(true)
}

fn compare(trace: &Trace, event: EventId, hook: Hook, now: Option<Ruling>, found: &mut Reexecution) -> bool {
    let recorded = logged(trace, event, hook).and_then(|decision| Ruling::of(&decision.body));
    found.compare(event, recorded, now)
}

impl Reexecution {
    /// Whether to go on: both answers are the same.
    fn compare(&mut self, event: EventId, recorded: Option<Ruling>, now: Option<Ruling>) -> bool {
        self.decisions += 1;
        self.logged += usize::from(recorded.is_some());
        let same = recorded == now;
        if !same {
            self.difference = Some(Difference { event, recorded, now });
        }
        same
    }
}

/// The decision node about an event: it follows soon after, so the search starts there.
#[must_use]
pub fn logged(trace: &Trace, about: EventId, hook: Hook) -> Option<&Event> {
    let from = usize::try_from(about).ok()?;
    trace.events.get(from..)?.iter().find(|event| {
        event.edges.iter().any(|edge| edge.parent == about)
            && Ruling::of(&event.body).is_some_and(|ruling| ruling.hook == hook)
    })
}

fn before(trace: &Trace, id: EventId) -> &[Event] {
    usize::try_from(id).ok().and_then(|end| trace.events.get(..end)).unwrap_or_default()
}

fn through(trace: &Trace, id: EventId) -> &[Event] {
    usize::try_from(id).ok().and_then(|end| trace.events.get(..=end)).unwrap_or_default()
}

fn is_live(trace: &Trace) -> bool {
    matches!(trace.header.origin, weir_trace::Origin::Live { .. })
}
