//! Traces for reducers, in the columns in which they get them.

use super::ODD;
use weir_runtime::wit::reducers::Header;
use weir_runtime::wit::trace::Columns;

/// A trace and what is odd about it.
pub struct Odd {
    /// What is odd about it.
    pub name: String,
    /// The rollout as a whole.
    pub header: Header,
    /// Its events, in runs.
    pub batches: Vec<Columns>,
}

/// Events in one run: as many as the host hands over at once.
const BATCH: u32 = 512;

fn header() -> Header {
    Header {
        stage: "security".into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        taint_vocabulary: 1,
        goal_met: Some(true),
        tainted_dependency: Some(false),
        recovered: None,
        reinfected: None,
    }
}

/// A run of events, each with a data-flow edge from the one before.
fn run(first: u32, count: u32) -> Columns {
    let each = || first..first.saturating_add(count);
    let edges = || each().filter(|id| *id > 0);
    let offsets = std::iter::once(0).chain(each().scan(0_u32, |edges, id| {
        *edges = edges.saturating_add(u32::from(id > 0));
        Some(*edges)
    }));
    Columns {
        first,
        kinds: each().map(|id| u8::try_from(id % 9).unwrap_or_default()).collect(),
        labels: each().map(|id| u64::from(id % 3 == 2)).collect(),
        agents: each().map(|_| 0).collect(),
        tools: each().map(|id| if id % 9 == 4 { 1 } else { u32::MAX }).collect(),
        calls: each().map(|id| if id % 9 == 4 { id } else { u32::MAX }).collect(),
        edge_offsets: offsets.collect(),
        edge_parents: edges().map(|id| id.saturating_sub(1)).collect(),
        edge_kinds: edges().map(|_| 0).collect(),
        facts: each().map(|id| if id % 9 == 4 { 0b10_0110 } else { 0 }).collect(),
        strings: vec!["assistant".into(), "send".into()],
    }
}

/// The whole corpus.
#[must_use]
pub fn corpus() -> Vec<Odd> {
    let of = |name: &str, batches| Odd { name: name.into(), header: header(), batches };
    let long = |count: u32| (0..count).map(|n| run(n * BATCH, BATCH)).collect::<Vec<_>>();
    let with = |name: &str, change: &dyn Fn(&mut Columns)| {
        let mut batch = run(0, 60);
        change(&mut batch);
        of(name, vec![batch])
    };
    let every_bit = |columns: &mut Columns| columns.facts.iter_mut().for_each(|facts| *facts = u32::MAX);
    let mut all = vec![
        of("a trace without events", Vec::new()),
        of("a trace of an empty run", vec![run(0, 0)]),
        of("a trace of one event", vec![run(0, 1)]),
        of("a trace of ten thousand events", long(20)),
        of("a trace in runs of one event", (0..200).map(|id| run(id, 1)).collect()),
        with("every label", &|c| c.labels.iter_mut().for_each(|labels| *labels = u64::MAX)),
        with("every fact", &every_bit),
        with("kinds that are none", &|c| c.kinds.iter_mut().for_each(|kind| *kind = u8::MAX)),
        with("kinds of edges that are none", &|c| c.edge_kinds.iter_mut().for_each(|kind| *kind = u8::MAX)),
        with("edges from events that are not there", &|c| {
            c.edge_parents.iter_mut().for_each(|parent| *parent = u32::MAX)
        }),
        with("edges from the future", &|c| c.edge_parents.iter_mut().for_each(|parent| *parent = 59)),
        with("names that are not there", &|c| c.strings.clear()),
        with("odd names", &|c| c.strings = vec![ODD.into(), String::new()]),
        with("calls of one number", &|c| c.calls.iter_mut().for_each(|call| *call = 0)),
        with("an event whose number is the last", &|c| c.first = u32::MAX),
        with("columns that are too short", &|c| (c.labels, c.facts, c.agents) = (Vec::new(), Vec::new(), Vec::new())),
        with("no offsets of edges", &|c| c.edge_offsets.clear()),
        with("offsets of edges that are not there", &|c| {
            c.edge_offsets.iter_mut().for_each(|offset| *offset = u32::MAX)
        }),
        with("offsets of edges backwards", &|c| c.edge_offsets.reverse()),
    ];
    let mut unknown = of("a rollout of which nothing is known", vec![run(0, 60)]);
    unknown.header = Header {
        stage: String::new(),
        topology: ODD.into(),
        memory_mode: String::new(),
        taint_vocabulary: u64::MAX,
        goal_met: None,
        tainted_dependency: None,
        recovered: None,
        reinfected: None,
    };
    all.push(unknown);
    all
}
