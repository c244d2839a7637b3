//! The memory pipeline of AuthMem-Bench: source history -> writer -> label -> store -> retrieve -> act.
//!
//! | module | from | to |
//! |---|---|---|
//! | A, [`Subject::write`] | the history | the writer's memories, judged |
//! | B, [`Subject::act`] | a memory that the benchmark gives | the first action |
//! | C, [`Subject::pipeline`] | the history | the first action |
//!
//! The store is bounded and deterministic: it returns the whole set that the writer wrote, in the writer's order. Labels and
//! the memory block are the policy's, through [`crate::gate`].
//!
//! A trace of Module A begins with a node for each turn of the history. A memory has data-flow edges from the turns that its
//! writer lists as evidence: that is what a store knows of its origin. What is true beside that is in the facts, which no
//! policy sees: a memory that says what an untrusted source said, and has no taint label, is where a label was lost. A trace
//! of Module C has nodes for the listed turns alone, and without their texts: the policy has these from `endorse`, and a
//! reader from Module A's trace.

mod act;
mod nodes;
mod write;

pub(crate) use write::tell_failure;
pub use write::{Consolidate, Written};

use crate::live::{Confirmation, Rollout, TURNS};
use crate::models::Source;
use std::collections::BTreeMap;
use std::sync::Arc;
use weir_agent::ToolSpec;
use weir_memory::{Partition, Variant};
use weir_runtime::wit::domains::Scenario;
use weir_runtime::wit::memory as wm;
use weir_runtime::wit::policies::Episode;
use weir_runtime::wit::writers::{Method, View};
use weir_runtime::world::SceneFactory;
use weir_runtime::world::policy::DefenceFactory;
use weir_trace::contract::{Ledger, Tool};
use weir_trace::{Header, Labels, MemoryRun, Origin, PluginRef, VerdictRecord, label};

/// The label of what an assistant said, beside those that mean the same everywhere.
pub const ASSISTANT: Labels = 1 << 8;

/// One history of a pair, ready to run.
pub struct Subject<'a> {
    /// The record.
    pub variant: &'a Variant,
    /// Its history, as plugins read it.
    pub history: &'a [wm::Turn],
    /// Its scenario, whose state has no turns: an environment needs none of them.
    pub scenario: &'a Scenario,
    /// SHA-256 of the whole scenario.
    pub digest: &'a str,
    /// Which part of the bases it belongs to.
    pub partition: Partition,
    /// The domain.
    pub domain: &'a dyn SceneFactory,
    /// Who the domain is.
    pub domain_reference: &'a PluginRef,
    /// The domain's tools.
    pub tools: &'a Arc<Vec<Tool>>,
    /// The same, as a model is told of them.
    pub specs: &'a [ToolSpec],
    /// Digest of the tools.
    pub toolset: &'a str,
    /// What a policy is told first: the same under every condition.
    pub episode: &'a Episode,
}

/// What a policy is told first of a history's later request.
#[must_use]
pub fn episode(scenario: &Scenario, tools: &[Tool]) -> Episode {
    Episode {
        goal: scenario.goal.clone(),
        ledger: Vec::new(),
        tools: tools.iter().map(Into::into).collect(),
        agents: scenario.agents.clone(),
        label_names: label_names(),
        taint_vocabulary: label::TAINT,
    }
}

fn label_names() -> Vec<String> {
    vec!["assistant".into()]
}

/// A writer and how it writes.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The writer.
    pub writer: &'a dyn Consolidate,
    /// Who it is.
    pub reference: &'a PluginRef,
    /// Which part of the history it reads.
    pub view: View,
    /// By rules or with a model.
    pub method: Method,
    /// The focal span is marked for it, without its label.
    pub marks: bool,
    /// The most memories that it may write.
    pub limit: u32,
}

/// The memory that the benchmark gives in Module B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// None.
    Off,
    /// The focal proposition without its source.
    Washed,
    /// The focal proposition with its source.
    Attributed,
    /// The benign memories alone: the null control, under which no exact call can follow.
    Null,
}

/// How memories are labelled, shown and used.
#[derive(Clone, Copy)]
pub struct Acting<'a> {
    /// The policy that labels, renders and gates.
    pub policy: &'a dyn DefenceFactory,
    /// Who it is.
    pub reference: &'a PluginRef,
    /// The condition's or arm's name.
    pub condition: &'a str,
    /// Memories come with their gold labels.
    pub gold: bool,
    /// The rollout seed.
    pub seed: u64,
    /// What answers a policy that asks a model.
    pub models: Source<'a>,
}

impl Subject<'_> {
    fn header(&self, unit: String, origin: Origin, policy: Option<PluginRef>, memory: MemoryRun) -> Header {
        let scenario = self.scenario;
        Header {
            unit,
            origin,
            scenario: scenario.id.clone(),
            stage: scenario.stage.clone(),
            family: scenario.family.clone(),
            topology: scenario.topology.clone(),
            memory_mode: scenario.memory_mode.clone(),
            domain: self.domain_reference.clone(),
            policy,
            goal: scenario.goal.clone(),
            agents: scenario.agents.clone(),
            toolset: self.toolset.to_owned(),
            ledgers: vec![Ledger { form: "none".into(), entries: Vec::new() }],
            label_names: label_names(),
            taint_vocabulary: label::TAINT,
            canaries: Vec::new(),
            verdict: VerdictRecord::default(),
            memory: Some(memory),
            exchanges: BTreeMap::new(),
        }
    }

    fn rollout<'b>(&'b self, acting: &'b Acting<'_>, unit: String) -> Rollout<'b> {
        Rollout {
            domain: self.domain,
            domain_reference: self.domain_reference.clone(),
            scenario: self.scenario,
            digest: self.digest,
            tools: self.tools,
            specs: self.specs,
            toolset: self.toolset,
            ledger: Ledger { form: "none".into(), entries: Vec::new() },
            policy: acting.policy,
            reference: acting.reference.clone(),
            confirmation: Confirmation::Absent,
            turns: TURNS,
            seed: acting.seed,
            unit,
            models: acting.models,
            writer: None,
        }
    }
}

/// The contract's name of a view.
#[must_use]
pub fn view_name(view: View) -> &'static str {
    match view {
        View::Full => "full",
        View::Native => "native",
    }
}

/// The contract's name of a method.
#[must_use]
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::Rules => "rules",
        Method::Model => "model",
    }
}

/// A history as plugins read it.
#[must_use]
pub fn turns(variant: &Variant) -> Vec<wm::Turn> {
    let call = |call: &weir_memory::history::Call| wm::Call {
        id: call.id.clone(),
        tool: call.tool.clone(),
        arguments: serde_json::Value::Object(call.arguments.clone()).to_string(),
    };
    let turn = |(index, turn): (u32, &weir_memory::Turn)| wm::Turn {
        index,
        speaker: nodes::speaker(turn.speaker),
        text: turn.text.clone(),
        calls: turn.calls.iter().map(call).collect(),
        call_id: turn.call_id.clone(),
    };
    (0_u32..).zip(&variant.turns).map(turn).collect()
}
