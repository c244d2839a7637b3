//! A trace as the conversations that agents had: what was said to whom, in order, and what each turn of a model had read.
//!
//! Nothing here is a guess: that an agent read something before a turn is a data-flow edge of the trace.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use weir_agent::{BLOCKED_PREFIX, INVALID_PREFIX};
use weir_trace::{Body, EdgeKind, Event, EventId, Hook, NodeKind, Origin, Speaker, Trace, Verdict};

/// Something that an agent said or read.
pub(crate) struct Said<'a> {
    pub(crate) event: &'a Event,
    pub(crate) speaker: Speaker,
    pub(crate) text: Cow<'a, str>,
    /// The calls that a model proposed in this turn.
    pub(crate) calls: Vec<&'a Event>,
}

/// The conversations of a rollout's agents as one list, in the order of the trace.
pub(crate) struct Conversation<'a> {
    pub(crate) said: Vec<Said<'a>>,
    /// What each turn had read: pieces of the list, each from a position to before another.
    heard: BTreeMap<EventId, Vec<(usize, usize)>>,
    proposals: BTreeMap<u32, &'a Event>,
}

impl<'a> Conversation<'a> {
    pub(crate) fn of(trace: &'a Trace) -> Self {
        let events = trace.events.as_slice();
        let (mut calls, words) = (children(events, NodeKind::Proposal), children(events, NodeKind::Message));
        let mut read = BTreeSet::new();
        for state in events.iter().filter(|event| event.kind == NodeKind::AgentState) {
            read.extend(flows(state));
        }
        let context = Context { events, read, recorded: matches!(trace.header.origin, Origin::Recorded { .. }) };
        let (mut said, mut at, mut notices) =
            (Vec::<Said<'_>>::new(), BTreeMap::new(), BTreeMap::<EventId, Vec<usize>>::new());
        for event in events {
            let Some((speaker, mut text)) = context.spoken(event) else { continue };
            let position = said.len();
            if event.kind == NodeKind::Message && speaker == Speaker::Tool {
                // An agent reads what was wrong with its turn, and the trace has no edge that says so.
                flows(event).for_each(|state| notices.entry(state).or_default().push(position));
            }
            if event.kind == NodeKind::AgentState && text.is_empty() {
                // A recorded agent's words are events of their own.
                let own = words.get(&event.id).into_iter().flatten().map(|message| &*message.text);
                text = own.collect::<Vec<_>>().join("\n").into();
            }
            let calls = calls.remove(&event.id).unwrap_or_default();
            said.push(Said { event, speaker, text, calls });
            at.insert(event.id, position);
            // An agent has its instructions before what it is first told, and the trace has them after: right before its turn.
            if let [.., Said { event: told, speaker: Speaker::User, .. }, Said { speaker: Speaker::System, .. }] =
                said.as_slice()
            {
                let before = position.saturating_sub(1);
                at.extend([(told.id, position), (event.id, before)]);
                said.swap(before, position);
            }
        }
        let heard = heard(events, &at, &notices);
        let proposals = events.iter().filter(|event| event.kind == NodeKind::Proposal);
        let proposals = proposals.filter_map(|event| Some((event.call?, event))).collect();
        Conversation { said, heard, proposals }
    }

    /// What a turn had read.
    pub(crate) fn heard(&self, turn: EventId) -> &[(usize, usize)] {
        self.heard.get(&turn).map_or(&[], Vec::as_slice)
    }

    /// The proposal that an event's call began with.
    pub(crate) fn proposal(&self, event: &Event) -> Option<&'a Event> {
        self.proposals.get(&event.call?).copied()
    }
}

/// Whether an event is where another agent's turn begins: it reads its instructions, or answers. Whoever keeps the memory or
/// the rules is no agent that acts.
pub(crate) fn takes_turn(event: &Event) -> bool {
    matches!(event.kind, NodeKind::AgentState | NodeKind::Source)
}

/// The stretches of a trace in which one agent acts.
pub(crate) fn stretches(events: &[Event]) -> Vec<&[Event]> {
    let (mut agent, mut begun, mut out) = (events.first().map(|event| event.agent), 0, Vec::new());
    for (position, event) in events.iter().enumerate() {
        if takes_turn(event) && agent != Some(event.agent) {
            agent = Some(event.agent);
            out.extend(events.get(begun..position).filter(|stretch| !stretch.is_empty()));
            begun = position;
        }
    }
    out.extend(events.get(begun..).filter(|stretch| !stretch.is_empty()));
    out
}

/// Events that content flowed from.
pub(crate) fn flows(event: &Event) -> impl Iterator<Item = EventId> + '_ {
    event.edges.iter().filter(|edge| edge.kind == EdgeKind::DataFlow).map(|edge| edge.parent)
}

/// Events of a kind by the event that their content flowed from.
fn children(events: &[Event], kind: NodeKind) -> BTreeMap<EventId, Vec<&Event>> {
    let mut all: BTreeMap<EventId, Vec<&Event>> = BTreeMap::new();
    for event in events.iter().filter(|event| event.kind == kind) {
        flows(event).for_each(|parent| all.entry(parent).or_default().push(event));
    }
    all
}

struct Context<'a> {
    events: &'a [Event],
    /// Events that a model read.
    read: BTreeSet<EventId>,
    recorded: bool,
}

impl Context<'_> {
    /// Who says an event's text to an agent, and the text; none where it is said to no agent.
    fn spoken<'e>(&self, event: &'e Event) -> Option<(Speaker, Cow<'e, str>)> {
        let text = Cow::Borrowed(&*event.text);
        match (event.kind, &event.body) {
            (NodeKind::Source, Body::Text { origin }) => Some((speaker(origin), text)),
            (NodeKind::AgentState, _) => Some((Speaker::Assistant, text)),
            (NodeKind::ToolResult, _) => self.reached(event).then_some((Speaker::Tool, text)),
            (NodeKind::Message, Body::Message { to: Some(_) }) => self.reached(event).then_some((Speaker::User, text)),
            (NodeKind::Message, Body::Text { origin }) if origin == "invalid call" => {
                Some((Speaker::Tool, format!("{INVALID_PREFIX} {}", event.text).into()))
            }
            (NodeKind::Decision, Body::Decision { hook, verdict, rule, message, .. }) => {
                let observed = match hook {
                    Hook::Filter => event.edges.first().and_then(|edge| at(self.events, edge.parent)),
                    Hook::Render => Some(event),
                    _ => None,
                };
                let takes_its_place = replaces(event) && !self.recorded;
                let shown = observed.filter(|_| takes_its_place || self.read.contains(&event.id))?;
                let speaker = if shown.kind == NodeKind::ToolResult { Speaker::Tool } else { Speaker::User };
                let notice = || format!("{BLOCKED_PREFIX} {message} ({})", rule.as_deref().unwrap_or_default());
                Some((speaker, if *verdict == Verdict::Block { notice().into() } else { text }))
            }
            _ => None,
        }
    }

    /// Whether an observation reached its reader, and nothing in its place.
    fn reached(&self, observation: &Event) -> bool {
        let about =
            |event: &Event| replaces(event) && event.edges.first().is_some_and(|edge| edge.parent == observation.id);
        // A ruling follows what it is about.
        let after = usize::try_from(observation.id).ok().and_then(|id| self.events.get(id.saturating_add(1)));
        self.read.contains(&observation.id) || self.recorded || !after.is_some_and(about)
    }
}

/// Whether a model reads a decision's text and not what it is about.
fn replaces(event: &Event) -> bool {
    matches!(
        event.body,
        Body::Decision { hook: Hook::Filter, verdict: Verdict::Block | Verdict::Replace, .. }
            | Body::Decision { hook: Hook::Render, .. }
    )
}

/// Who speaks in a source: `system`, `user`, or a turn of a history, whose name ends in its speaker's.
fn speaker(origin: &str) -> Speaker {
    match origin.rsplit(' ').next() {
        Some("system") => Speaker::System,
        Some("assistant") => Speaker::Assistant,
        Some("tool") => Speaker::Tool,
        _ => Speaker::User,
    }
}

/// For each turn, all that its agent had read and said before.
fn heard(
    events: &[Event],
    at: &BTreeMap<EventId, usize>,
    notices: &BTreeMap<EventId, Vec<usize>>,
) -> BTreeMap<EventId, Vec<(usize, usize)>> {
    let mut all: BTreeMap<EventId, Vec<(usize, usize)>> = BTreeMap::new();
    for state in events.iter().filter(|event| event.kind == NodeKind::AgentState) {
        let mut pieces = Vec::new();
        for parent in flows(state) {
            pieces.extend(all.get(&parent).into_iter().flatten());
            let own = at.get(&parent).into_iter().chain(notices.get(&parent).into_iter().flatten());
            pieces.extend(own.map(|position| (*position, position.saturating_add(1))));
        }
        all.insert(state.id, joined(pieces));
    }
    all
}

/// The same positions in as few pieces as possible, in order.
fn joined(mut pieces: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    pieces.sort_unstable();
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (start, end) in pieces {
        match out.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    out
}

/// An event by its identifier.
pub(crate) fn at(events: &[Event], id: EventId) -> Option<&Event> {
    events.get(usize::try_from(id).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_touch_or_overlap_are_one() {
        assert_eq!(joined(vec![(4, 5), (0, 1), (1, 2), (4, 6), (8, 9)]), [(0, 2), (4, 6), (8, 9)]);
    }

    #[test]
    fn the_speaker_of_a_turn_stands_at_its_end() {
        assert_eq!(speaker("turn 3, assistant"), Speaker::Assistant);
        assert_eq!(speaker("turn 6, tool"), Speaker::Tool);
        assert_eq!(speaker("system"), Speaker::System);
        assert_eq!(speaker("=HYPERLINK(1)"), Speaker::User);
        assert_eq!(speaker(""), Speaker::User);
    }
}
