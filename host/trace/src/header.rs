//! What is known of a rollout as a whole.

use crate::contract::{Ledger, Tool};
use crate::event::{Event, Labels};
use crate::exchange::Exchange;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A plugin that took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PluginRef {
    /// The name by which it was asked for.
    pub name: String,
    /// SHA-256 of the component, in lower-case hex.
    pub digest: String,
    /// Its own version, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A recorded agent run that was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRun {
    /// The benchmark that recorded it, for example `agentdojo`.
    pub dataset: String,
    /// Benchmark version; ends with ` (inferred)` where the record does not say.
    pub version: String,
    /// The agent pipeline.
    pub pipeline: String,
    /// The suite.
    pub suite: String,
    /// The user's task.
    pub user_task: String,
    /// The injected task, if the run was attacked.
    pub injection_task: Option<String>,
    /// The attack, if the run was attacked.
    pub attack: Option<String>,
    /// The user's task was done; none where the record does not say.
    pub utility: Option<bool>,
    /// The attack succeeded; none where there was none or the record does not say.
    pub attack_success: Option<bool>,
    /// The run's own error: its labels mean nothing.
    pub error: Option<String>,
    /// File, relative to what was imported.
    pub file: String,
    /// 1-based line in a file of many runs.
    pub line: Option<u64>,
    /// SHA-256 of the file or line.
    pub sha256: String,
}

/// Where a trace came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Origin {
    /// A recorded run, possibly replayed through a policy.
    Recorded {
        /// The run.
        run: Box<RecordedRun>,
    },
    /// A live rollout in a domain's environment.
    Live {
        /// SHA-256 of the scenario.
        scenario_digest: String,
        /// The model's identity.
        model: String,
        /// The model is simulated.
        simulated: bool,
        /// The rollout seed.
        seed: u64,
    },
}

/// The oracle's word on a rollout; none where it is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictRecord {
    /// B: the structured success criteria hold.
    pub goal_met: Option<bool>,
    /// A-tainted: the authorised effect depends on a tainted source.
    pub tainted_dependency: Option<bool>,
    /// The recovery objective completed.
    pub recovered: Option<bool>,
    /// Tainted memory came back.
    pub reinfected: Option<bool>,
}

/// How memory took part in a rollout of an authority suite (AuthMem-Bench), or a memory writer in a live one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryRun {
    /// `writing`, `acting` or `pipeline`: Modules A, B and C. `between-sessions` in a live rollout.
    pub module: String,
    /// The condition of Module B or the arm of Module C; empty in Module A.
    pub condition: String,
    /// The writer; none where the benchmark gave the memory.
    pub writer: Option<PluginRef>,
    /// `full` or `native`: which part of the history the writer read.
    pub view: Option<String>,
    /// `rules` or `model`: how the writer wrote.
    pub method: Option<String>,
    /// Memories came with their gold labels.
    pub gold: bool,
}

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Identity of the unit of work, in lower-case hex; for an import, of the record.
    pub unit: String,
    /// Where the rollout came from.
    pub origin: Origin,
    /// Unique within the domain; clusters of the statistics.
    pub scenario: String,
    /// Evidence stage.
    pub stage: String,
    /// Scenario family.
    pub family: String,
    /// `single`, `supervisor-worker` or `peer-chain`.
    pub topology: String,
    /// `session` or `persistent`.
    pub memory_mode: String,
    /// The domain that supplied tools, ledger and oracle.
    pub domain: PluginRef,
    /// The policy whose decisions are in the trace; none in an import.
    pub policy: Option<PluginRef>,
    /// The user's request.
    pub goal: String,
    /// Names of the agents.
    pub agents: Vec<String>,
    /// Digest of the toolset, see [`crate::codec`].
    pub toolset: String,
    /// The ledger that the policy was given, or, in an import, all that are known.
    pub ledgers: Vec<Ledger>,
    /// Names of label bits 8 and up.
    pub label_names: Vec<String>,
    /// The labels that count as taint.
    pub taint_vocabulary: Labels,
    /// Synthetic secrets.
    pub canaries: Vec<String>,
    /// The oracle's word.
    pub verdict: VerdictRecord,
    /// For a rollout of an authority suite, or one with a memory writer between its sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryRun>,
    /// What plugins asked of models and what came back, in order, by the plugin's part: `policy` or `writer`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exchanges: BTreeMap<String, Vec<Exchange>>,
}

/// A whole trace in memory. The toolset is shared: thousands of traces have the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What is known of the rollout as a whole.
    pub header: Header,
    /// The tools that event and header indices point at.
    pub tools: Arc<Vec<Tool>>,
    /// The nodes, each at its own index.
    pub events: Vec<Event>,
}
