//! Episodes for policies: what they are told at the start, and every question in an order.

use super::histories::{self, memory};
use super::{HUGE, ODD, values};
use std::sync::Arc;
use weir_runtime::wit::memory::{Item, Turn};
use weir_runtime::wit::policies::Episode;
use weir_runtime::wit::trace::{Edge, EdgeKind, Event, NodeKind};
use weir_runtime::wit::types::{Argument, Authorization, Constraint, Effect, Parameter, Proposal, Role, Rule, Tool};

/// The user's only authorised recipient.
pub(crate) const AUTHORISED: &str = r#""ann@corp.local""#;

/// Somebody else.
pub(crate) const OTHER: &str = r#""mallory@evil.local""#;

/// One episode and what is asked in it.
pub struct Episodes {
    /// What is odd about it.
    pub name: String,
    /// What the policy is told.
    pub episode: Episode,
    /// The questions, in their order.
    pub asks: Vec<Ask>,
}

/// Events with their texts.
#[derive(Clone, Default)]
pub struct Shown {
    /// The events.
    pub events: Vec<Event>,
    /// Their texts, one for each.
    pub texts: Vec<Arc<str>>,
}

/// A question.
pub enum Ask {
    /// Words for the system prompt.
    Guidance,
    /// About an observation.
    Filter(Shown, u32),
    /// About a proposal.
    Authorize(Shown, Proposal),
    /// About the same, before it commits.
    Precommit(Shown, Proposal),
    /// For repairs.
    Recover(Shown),
    /// For labels of memories.
    Endorse(Vec<Item>, Vec<Turn>),
    /// For a memory block.
    Render(Vec<Item>),
}

impl Ask {
    /// The hook that is asked.
    #[must_use]
    pub fn hook(&self) -> &'static str {
        match self {
            Ask::Guidance => "guidance",
            Ask::Filter(..) => "filter",
            Ask::Authorize(..) => "authorize",
            Ask::Precommit(..) => "precommit",
            Ask::Recover(_) => "recover",
            Ask::Endorse(..) => "endorse",
            Ask::Render(_) => "render",
        }
    }
}

/// An ordinary episode: a mail is read, and one is sent where the user wants it.
#[must_use]
pub fn plain() -> Episodes {
    case("an ordinary episode", episode(), &shown(4), &send(AUTHORISED))
}

/// The whole corpus.
#[must_use]
pub fn corpus() -> Vec<Episodes> {
    let mut all = vec![plain(), empty()];
    all.extend(values().into_iter().map(|(name, value)| case(name, episode(), &shown(4), &send(&value))));
    all.extend(indices());
    all.extend(events());
    all.extend(episodes());
    all.extend(sequences());
    all.extend(memories());
    all
}

/// The tools, the ledger and the goal that most of it is about.
pub(crate) fn episode() -> Episode {
    let parameter = |name: &str, role, required| Parameter {
        name: name.into(),
        role,
        required,
        schema: r#"{"type":"string"}"#.into(),
    };
    let tool = |name: &str, effect, parameters| Tool {
        name: name.into(),
        description: format!("{name}."),
        effect,
        parameters,
    };
    Episode {
        goal: "Read mail m1 and send its date to ann@corp.local.".into(),
        ledger: vec![Authorization {
            action: "send".into(),
            targets: vec!["ann@corp.local".into()],
            constraints: vec![Constraint { argument: "body".into(), rule: Rule::MaxLength(200) }],
        }],
        tools: vec![
            tool("read", Effect::Read, vec![parameter("id", Role::Other, true)]),
            tool(
                "send",
                Effect::SideEffect,
                vec![parameter("to", Role::Recipient, true), parameter("body", Role::Content, false)],
            ),
            tool("remember", Effect::MemoryWrite, vec![parameter("text", Role::Content, true)]),
            tool("undo", Effect::Recovery, vec![parameter("call", Role::Target, true)]),
        ],
        agents: vec!["assistant".into()],
        label_names: Vec::new(),
        taint_vocabulary: 1,
    }
}

/// A mail to somebody, written under the influence of what was read.
pub(crate) fn send(to: &str) -> Proposal {
    let argument = |parameter, value: &str| Argument { parameter, value: value.into(), labels: 1, sources: vec![2] };
    Proposal {
        event: 4,
        call_id: 1,
        agent: 0,
        tool: 1,
        arguments: vec![argument(0, to), argument(1, r#""14 May""#)],
        labels: 1,
    }
}

/// So many events: a goal, and then by turns a proposal, a tainted answer and a message.
pub(crate) fn shown(count: u32) -> Shown {
    let kind = |id: u32| match (id, id % 3) {
        (0, _) => NodeKind::Source,
        (_, 1) => NodeKind::Proposal,
        (_, 2) => NodeKind::ToolResult,
        _ => NodeKind::AgentState,
    };
    let event = |id: u32| Event {
        id,
        kind: kind(id),
        agent: 0,
        tool: (!id.is_multiple_of(3)).then_some(0),
        labels: u64::from(id % 3 == 2),
        edges: id.checked_sub(1).map(|parent| Edge { parent, kind: EdgeKind::DataFlow }).into_iter().collect(),
        size: 5,
    };
    Shown {
        events: (0..count).map(event).collect(),
        texts: (0..count).map(|id| Arc::from(format!("text {id}"))).collect(),
    }
}

/// Every question once, with the same events before the first and none before the others.
fn case(name: &str, episode: Episode, shown: &Shown, proposal: &Proposal) -> Episodes {
    let none = Shown::default;
    let observation = shown.events.last().map_or(0, |event| event.id);
    let asks = vec![
        Ask::Guidance,
        Ask::Filter(shown.clone(), observation),
        Ask::Authorize(none(), proposal.clone()),
        Ask::Precommit(none(), proposal.clone()),
        Ask::Recover(none()),
        Ask::Endorse(vec![memory("m", "Ann is at ann@corp.local.", &[0])], histories::plain()),
        Ask::Render(vec![memory("m", "Ann is at ann@corp.local.", &[0])]),
    ];
    Episodes { name: name.into(), episode, asks }
}

fn empty() -> Episodes {
    let episode = Episode {
        goal: String::new(),
        ledger: Vec::new(),
        tools: Vec::new(),
        agents: Vec::new(),
        label_names: Vec::new(),
        taint_vocabulary: 0,
    };
    let proposal = Proposal { event: 0, call_id: 0, agent: 0, tool: 0, arguments: Vec::new(), labels: 0 };
    let mut case = case("an empty episode", episode, &Shown::default(), &proposal);
    case.asks.extend([Ask::Endorse(Vec::new(), Vec::new()), Ask::Render(Vec::new())]);
    case
}

/// Numbers that point at nothing.
fn indices() -> Vec<Episodes> {
    let with = |name: &str, change: &dyn Fn(&mut Proposal)| {
        let mut proposal = send(OTHER);
        change(&mut proposal);
        case(name, episode(), &shown(4), &proposal)
    };
    let argument =
        |parameter| Argument { parameter, value: OTHER.into(), labels: u64::MAX, sources: vec![u32::MAX, 7, 7, 0] };
    vec![
        with("a tool that is not there", &|p| p.tool = 99),
        with("the last tool that a number can name", &|p| p.tool = u32::MAX),
        with("an agent that is not there", &|p| p.agent = u32::MAX),
        with("an event that is not there", &|p| p.event = u32::MAX),
        with("a parameter that is not there", &|p| p.arguments = vec![argument(2), argument(u32::MAX)]),
        with("a parameter twice", &|p| p.arguments = vec![argument(0), argument(0), argument(1), argument(1)]),
        with("no arguments", &|p| p.arguments.clear()),
        with("three hundred arguments", &|p| p.arguments = (0..300).map(argument).collect()),
        with("every label", &|p| p.labels = u64::MAX),
    ]
}

/// Events that no trace has.
fn events() -> Vec<Episodes> {
    let with = |name: &str, count: u32, change: &dyn Fn(&mut Event)| {
        let mut shown = shown(count);
        shown.events.iter_mut().for_each(change);
        case(name, episode(), &shown, &send(OTHER))
    };
    let edge = |parent, kind| Edge { parent, kind };
    let mut all = vec![
        with("edges from events that are not there", 6, &|event| {
            event.edges = vec![
                edge(u32::MAX, EdgeKind::DataFlow),
                edge(event.id, EdgeKind::DataFlow),
                edge(event.id.wrapping_add(1), EdgeKind::Audit),
            ];
        }),
        with("events of a tool and an agent that are not there", 6, &|event| {
            (event.tool, event.agent) = (Some(u32::MAX), u32::MAX);
        }),
        with("events with every label", 6, &|event| event.labels = u64::MAX),
        with("events with one number", 6, &|event| event.id = 0),
        with("events with numbers near the last", 6, &|event| event.id = u32::MAX - event.id % 3),
        with("events backwards", 6, &|event| event.id = 6 - event.id),
        with("events of the size of a world", 6, &|event| event.size = u32::MAX),
        with("two thousand events", 2_000, &|_| {}),
        with("an event with a thousand edges", 2, &|event| {
            event.edges = (0..1_000).map(|parent| edge(parent, EdgeKind::Temporal)).collect()
        }),
    ];
    for kind in [
        NodeKind::Source,
        NodeKind::AgentState,
        NodeKind::Message,
        NodeKind::MemoryRecord,
        NodeKind::Proposal,
        NodeKind::Decision,
        NodeKind::ToolResult,
        NodeKind::Commit,
        NodeKind::Recovery,
    ] {
        all.push(with(&format!("events of the one kind {kind:?}"), 6, &|event| event.kind = kind));
    }
    for (name, text) in [
        ("events without a text", String::new()),
        ("events with huge texts", "x".repeat(HUGE)),
        ("events with odd texts", ODD.into()),
    ] {
        let mut shown = shown(6);
        shown.texts = vec![Arc::from(text); 6];
        all.push(case(name, episode(), &shown, &send(OTHER)));
    }
    all.push(case("a filter about an event that is not there", episode(), &Shown::default(), &send(OTHER)));
    if let Some(case) = all.last_mut() {
        case.asks.push(Ask::Filter(Shown::default(), u32::MAX));
    }
    all
}

/// Beginnings that no suite gives.
fn episodes() -> Vec<Episodes> {
    let with = |name: &str, change: &dyn Fn(&mut Episode)| {
        let mut episode = episode();
        change(&mut episode);
        case(name, episode, &shown(4), &send(OTHER))
    };
    let rules = || {
        vec![
            Rule::Any,
            Rule::Absent,
            Rule::Equals("{".into()),
            Rule::OneOf(Vec::new()),
            Rule::Prefix(String::new()),
            Rule::AtMost(f64::NAN),
            Rule::AtMost(f64::NEG_INFINITY),
            Rule::MaxLength(0),
            Rule::MaxLength(u32::MAX),
        ]
    };
    let constraints = |argument: &str| {
        rules().into_iter().map(|rule| Constraint { argument: argument.into(), rule }).collect::<Vec<_>>()
    };
    vec![
        with("a huge goal", &|e| e.goal = "x ".repeat(HUGE / 2)),
        with("a goal of odd characters", &|e| e.goal = ODD.repeat(100)),
        with("two tools of one name", &|e| e.tools.iter_mut().for_each(|tool| tool.name = "send".into())),
        with("two parameters of one name", &|e| {
            e.tools.iter_mut().flat_map(|tool| &mut tool.parameters).for_each(|p| p.name = "to".into());
        }),
        with("tools without names", &|e| e.tools.iter_mut().for_each(|tool| tool.name.clear())),
        with("tools without parameters", &|e| e.tools.iter_mut().for_each(|tool| tool.parameters.clear())),
        with("schemas that are none", &|e| {
            e.tools.iter_mut().flat_map(|tool| &mut tool.parameters).for_each(|p| p.schema = "[[[{".into());
        }),
        with("a hundred tools", &|e| {
            let one = e.tools.get(1).cloned();
            e.tools.extend((0..100).filter_map(|n| one.clone().map(|tool| Tool { name: format!("send_{n}"), ..tool })));
        }),
        with("agents of one name", &|e| e.agents = vec![String::new(); 50]),
        with("sixty-four labels", &|e| (e.label_names, e.taint_vocabulary) = (vec!["l".into(); 64], u64::MAX)),
        with("a ledger of tools that are not there", &|e| {
            e.ledger.iter_mut().for_each(|entry| entry.action = "fly".into())
        }),
        with("a ledger without targets", &|e| e.ledger.iter_mut().for_each(|entry| entry.targets.clear())),
        with("a ledger of odd rules", &|e| e.ledger.iter_mut().for_each(|entry| entry.constraints = constraints("to"))),
        with("a ledger of rules about nothing", &|e| {
            e.ledger.iter_mut().for_each(|entry| entry.constraints = constraints("wings"))
        }),
        with("a ledger of a thousand entries", &|e| e.ledger = e.ledger.iter().cycle().take(1_000).cloned().collect()),
        with("a huge target", &|e| e.ledger.iter_mut().for_each(|entry| entry.targets = vec!["x".repeat(HUGE)])),
    ]
}

/// Questions in an order that no rollout has.
fn sequences() -> Vec<Episodes> {
    let named = |name: &str, asks| Episodes { name: name.into(), episode: episode(), asks };
    let none = Shown::default;
    vec![
        named("a commit before any proposal", vec![Ask::Precommit(none(), send(OTHER)), Ask::Recover(none())]),
        named("one call many times", (0..500).map(|_| Ask::Authorize(none(), send(OTHER))).collect()),
        named(
            "many calls",
            (0..500)
                .map(|call_id| {
                    let proposal = Proposal { call_id, ..send(AUTHORISED) };
                    Ask::Authorize(if call_id == 0 { shown(4) } else { none() }, proposal)
                })
                .collect(),
        ),
        named("repairs many times", (0..50).map(|_| Ask::Recover(shown(4))).collect()),
        named(
            "the last call that a number can name",
            vec![Ask::Authorize(shown(4), Proposal { call_id: u32::MAX, ..send(OTHER) })],
        ),
        named("the same events again", (0..3).map(|_| Ask::Authorize(shown(4), send(OTHER))).collect()),
    ]
}

/// Memories and histories that no writer leaves.
fn memories() -> Vec<Episodes> {
    let mut all = Vec::new();
    for history in histories::corpus() {
        let item = |id: &str, text: &str, evidence: &[u32]| memory(id, text, evidence);
        let sets: [(&str, Vec<Item>); 4] = [
            ("a memory without evidence", vec![item("a", "Ann is at ann@corp.local.", &[])]),
            (
                "memories with evidence that is not there",
                vec![item("a", "The seat is W-12.", &[u32::MAX, 9_999, 0, 0])],
            ),
            ("memories of one name", vec![item("", "", &[0]), item("", ODD, &[0]), item("", &"x".repeat(HUGE), &[0])]),
            (
                "a hundred memories",
                (0..100).map(|n| item(&format!("m{n}"), "I always fly from Zurich.", &[0])).collect(),
            ),
        ];
        for (name, items) in sets {
            let mut asks = vec![Ask::Endorse(items.clone(), history.turns.clone()), Ask::Render(items)];
            asks.push(Ask::Authorize(shown(4), send(OTHER)));
            all.push(Episodes { name: format!("{name}, of {}", history.name), episode: episode(), asks });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_case_has_a_name_of_its_own_and_asks_something() {
        let corpus = corpus();
        let names: BTreeSet<&str> = corpus.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names.len(), corpus.len());
        assert!(corpus.iter().all(|case| !case.asks.is_empty()));
    }

    #[test]
    fn the_ordinary_episode_asks_every_hook() {
        let hooks: Vec<&str> = plain().asks.iter().map(Ask::hook).collect();
        assert_eq!(hooks, ["guidance", "filter", "authorize", "precommit", "recover", "endorse", "render"]);
    }
}
