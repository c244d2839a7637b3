//! A run of our own making, small and as unpleasant as a real one may be: texts that break quoting, that spreadsheets
//! run, that are empty or not there, and numbers at the ends of their types.

// Each test target uses its own part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weir_export::{Format, Request, What, Written, export};
use weir_memory::facts::{FirstAction, Module, Retention, SourceKept};
use weir_memory::{Facts, Partition, Side};
use weir_rollout::reduce::{Measured, MetricInfo};
use weir_runtime::Grants;
use weir_suite::manifest::PluginEntry;
use weir_suite::plan::Plan;
use weir_suite::store::Store;
use weir_suite::{Error, Manifest, Row};
use weir_trace::codec::{Frame, Toolsets, encode};
use weir_trace::contract::{Effect, Parameter, Role, Tool};
use weir_trace::json::sha256_of_pieces;
use weir_trace::{
    Argument, Body, Edge, Header, Hook, NewEvent, NodeKind, Origin, PluginRef, TraceBuilder, Verdict, VerdictRecord,
    fact, label,
};

/// Texts that a format may get wrong.
pub const TEXTS: [&str; 9] = [
    "=HYPERLINK(\"http://attacker.example\",\"budget\")",
    "a \"quoted\" word, a comma;\r\nand a second line",
    "",
    "'an apostrophe first",
    " +1 after a blank",
    "ünï \u{1F98B} \u{202e}",
    "{\"action\":\"tool\"}",
    "null",
    "\u{1b}[31mred\u{7f}",
];

/// The largest seed: more than a signed number or a double can hold.
pub const SEED: u64 = u64::MAX;

/// SHA-256 that stands for a policy.
pub const POLICY: &str = "1111111111111111111111111111111111111111111111111111111111111111";

/// A plan of two units.
pub struct TwoUnits;

impl Plan for TwoUnits {
    fn len(&self) -> usize {
        2
    }

    fn unit(&self, position: usize) -> Option<String> {
        ["unit-one", "unit-two"].get(position).map(|unit| (*unit).to_owned())
    }

    fn line(&self, position: usize) -> Option<String> {
        let unit = self.unit(position)?;
        Some(format!("{{\"unit\":\"{unit}\",\"scenario_digest\":\"digest of {unit}\"}}"))
    }
}

/// A metric without stages.
pub fn metric(name: &str) -> MetricInfo {
    MetricInfo {
        name: name.into(),
        family: "security".into(),
        better: "less".into(),
        stages: vec![],
        description: format!("what {name} means"),
    }
}

/// Measurements by name.
pub fn measured(all: &[(&str, [Option<f64>; 3])]) -> BTreeMap<String, Measured> {
    let one = |[value, numerator, denominator]: [Option<f64>; 3]| Measured { value, numerator, denominator };
    all.iter().map(|(name, parts)| ((*name).to_owned(), one(*parts))).collect()
}

/// Writes the run, whose metrics have these names, and opens it.
pub fn run(folder: &Path, metrics: &[&str]) -> Store {
    run_of(folder, metrics, "run", |_, _| {})
}

/// Writes an authority run of two units: a writer's own, and the same writer's history to the action.
pub fn authority(folder: &Path) -> Store {
    run_of(folder, &[], "authority", |position, row| {
        let facts = Facts {
            module: Module::Writing,
            base: "b7".into(),
            pair: "b7/R2F".into(),
            transition: "R2F".into(),
            side: Side::Negative,
            partition: Partition::HeldOut,
            writer: Some("=scribe".into()),
            view: Some("native".into()),
            method: Some("rules".into()),
            condition: None,
            retention: Some(Retention::Preserved),
            memories: 5,
            model_word: None,
            source_kept: Some(SourceKept { text: true, evidence: false }),
            labels: vec![],
            action: None,
        };
        if position == 0 {
            row.policy = "none".into();
            row.memory = Some(facts);
        } else {
            row.memory = Some(Facts {
                module: Module::Pipeline,
                condition: Some("No label".into()),
                retention: Some(Retention::WriterError),
                model_word: None,
                source_kept: None,
                action: Some(FirstAction::ExactBlocked),
                ..facts
            });
        }
    })
}

fn run_of(folder: &Path, metrics: &[&str], kind: &str, change: impl Fn(usize, &mut Row)) -> Store {
    let mut manifest = Manifest::new(kind, &Grants::default());
    manifest.plugins.push(PluginEntry {
        kind: "policy".into(),
        name: "guard".into(),
        digest: POLICY.into(),
        version: None,
    });
    manifest.metrics = metrics.iter().map(|name| metric(name)).collect();
    manifest.units = TwoUnits.len();
    manifest.plan = sha256_of_pieces(TwoUnits.pieces());
    let mut toolsets = Toolsets::default();
    let parameter = |name: &str| Parameter {
        name: name.into(),
        role: Role::Content,
        required: true,
        schema: "{\"type\":\"string\"}".into(),
    };
    let tool = Tool {
        name: "send".into(),
        description: "sends".into(),
        effect: Effect::SideEffect,
        parameters: vec![parameter("to"), parameter("body")],
    };
    let toolset = toolsets.insert(Arc::new(vec![tool.clone()])).unwrap();
    let store = Store::create(folder).unwrap();
    let mut writing = store.begin(&manifest, &TwoUnits, &[], &toolsets).unwrap().unwrap();
    let values = [
        // A ratio, a number without counts, and one that does not apply although it has a count.
        [[Some(0.1), Some(1.0), Some(10.0)], [Some(-1e300), None, None], [None, None, Some(0.0)]],
        [[None, None, None], [Some(0.0), None, None], [Some(1.0), None, Some(3.0)]],
    ];
    let units = values.iter().enumerate().map(|(position, values)| {
        let all: Vec<_> = metrics.iter().copied().zip(values.iter().copied()).collect();
        let (mut row, frame) = unit(position, &toolset, Arc::new(vec![tool.clone()]), measured(&all));
        change(position, &mut row);
        (row, frame)
    });
    writing.append(units.collect()).unwrap();
    store.finish(writing).unwrap();
    store
}

fn unit(
    position: usize,
    toolset: &str,
    tools: Arc<Vec<Tool>>,
    measurements: BTreeMap<String, Measured>,
) -> (Row, Frame) {
    let header = Header {
        unit: TwoUnits.unit(position).unwrap(),
        origin: Origin::Live {
            scenario_digest: String::new(),
            model: "sim:test".into(),
            simulated: true,
            seed: SEED - u64::try_from(position).unwrap(),
        },
        scenario: format!("security/{position}"),
        stage: "security".into(),
        family: "f".into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        domain: PluginRef { name: "mail".into(), digest: String::new(), version: None },
        policy: Some(PluginRef { name: "guard".into(), digest: POLICY.into(), version: None }),
        goal: "g".into(),
        agents: vec!["assistant".into()],
        toolset: toolset.into(),
        ledgers: vec![],
        label_names: vec!["from-web".into()],
        taint_vocabulary: label::TAINT,
        canaries: vec![],
        verdict: VerdictRecord::default(),
        memory: None,
        exchanges: BTreeMap::new(),
    };
    let mut trace = TraceBuilder::default();
    for text in TEXTS {
        trace.push(NewEvent { own_labels: label::UNTRUSTED | 1 << 8, ..NewEvent::text(NodeKind::Source, text, text) });
    }
    let argument =
        |parameter, value: &str, labels| Argument { parameter, value: value.into(), labels, sources: vec![] };
    let proposal = trace.push(NewEvent {
        tool_call: Some((0, 7)),
        facts: fact::HIGH_RISK | fact::ATTACK | fact::BLOCKED,
        edges: vec![Edge::flow(0), Edge::structural(1)],
        body: Body::Proposal {
            arguments: vec![argument(0, "\"=cmd\"", label::UNTRUSTED), argument(1, "{\"n\":1}", 0)],
        },
        ..NewEvent::text(NodeKind::Proposal, "", "{}")
    });
    trace.push(NewEvent {
        tool_call: Some((0, 7)),
        edges: vec![Edge::audit(proposal)],
        body: Body::Decision {
            hook: Hook::Authorize,
            verdict: Verdict::Block,
            rule: (position == 0).then(|| "block_it".into()),
            message: "@not allowed".into(),
            fuel: SEED,
        },
        ..NewEvent::text(NodeKind::Decision, "", "@not allowed")
    });
    let frame = encode(&header, trace.events()).unwrap();
    let whole = weir_trace::Trace { header, tools, events: trace.events().to_vec() };
    (Row::new(&whole, "guard", "oracle", measurements), frame)
}

/// Three metrics.
pub const METRICS: [&str; 3] = ["harm_rate", "spread", "recall"];

/// Writes a table of the run to a file of a folder.
pub fn write(store: &Store, folder: &Path, what: What, format: Format) -> Written {
    try_write(store, &folder.join(format!("{}.{}", what.name(), format.name())), what, format, false).unwrap()
}

/// The same to a file of any name, whether it goes well or not.
pub fn try_write(store: &Store, file: &Path, what: What, format: Format, force: bool) -> Result<Written, Error> {
    export(store, &Request { what, format, out: Some(file.into()), force })
}

/// The names in a folder.
pub fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| PathBuf::from(entry.unwrap().file_name())).collect();
    names.sort();
    names
}
