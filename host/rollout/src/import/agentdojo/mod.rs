//! AgentDojo's recorded runs (Debenedetti et al. 2024), in the two schemas in which they are published: one JSON file a
//! run, as AgentDojo writes it, and one run a line, as exported by Invariant Labs.
//!
//! Prompts and ground truth come from the runs and from a suites file that users export from their own installation; they
//! are no part of Weir. `security == true` in a record means that the attack succeeded.

mod exposure;
mod graph;
mod record;
mod suites;

pub use record::{Record, RecordError, Source, read_json, read_jsonl};
pub use suites::Suites;

use crate::gate::Infra;
use std::collections::BTreeMap;
use std::sync::Arc;
use weir_runtime::fault::Cause;
use weir_runtime::wit::domains::{Info, Request, Scenario};
use weir_runtime::world::DomainPlugin;
use weir_trace::codec::Toolsets;
use weir_trace::contract::Tool;
use weir_trace::{Header, Origin, PluginRef, RecordedRun, Trace, VerdictRecord, label};

/// Turns records into traces, one after another.
pub struct Importer<'a> {
    domain: &'a DomainPlugin,
    reference: PluginRef,
    suites: &'a Suites,
    tools: Vec<(String, Arc<Vec<Tool>>, String)>,
    toolsets: Toolsets,
    scenarios: BTreeMap<String, Arc<Scenario>>,
}

impl<'a> Importer<'a> {
    /// An importer. `domain` is the AgentDojo domain.
    ///
    /// # Errors
    /// The domain's fault.
    pub fn new(domain: &'a DomainPlugin, suites: &'a Suites) -> Result<Self, Infra> {
        let Info { toolsets: offered, .. } = domain.describe().map_err(Infra::Domain)?;
        let component = domain.component();
        let reference = PluginRef {
            name: component.name().into(),
            digest: component.digest().into(),
            version: component.version().map(str::to_owned),
        };
        let mut toolsets = Toolsets::default();
        let mut tools = Vec::new();
        for toolset in offered {
            let list: Arc<Vec<Tool>> = Arc::new(toolset.tools.iter().map(Into::into).collect());
            let digest = toolsets.insert(Arc::clone(&list)).map_err(|e| Infra::Input(e.to_string()))?;
            tools.push((toolset.name, list, digest));
        }
        Ok(Importer { domain, reference, suites, tools, toolsets, scenarios: BTreeMap::new() })
    }

    /// The toolsets of all imported traces.
    #[must_use]
    pub fn toolsets(&self) -> &Toolsets {
        &self.toolsets
    }

    /// Imports one record.
    ///
    /// # Errors
    /// What does not fit: a task that the suites file lacks, a tool that the suite lacks, a domain's fault.
    pub fn import(&mut self, record: &Record) -> Result<Trace, Infra> {
        let task = self.suites.task(record).map_err(|e| at(record, &e))?;
        let scenario = self.scenario(record, &task)?;
        let index = usize::try_from(scenario.toolset).ok();
        let (_, tools, digest) = index
            .and_then(|index| self.tools.get(index))
            .ok_or_else(|| at(record, &format!("toolset {} does not exist", scenario.toolset)))?;
        let ledgers = crate::scenario::ledgers(&scenario);
        let header = Header {
            unit: record.source.sha256.clone(),
            origin: Origin::Recorded { run: Box::new(recorded_run(record, &task.version)) },
            scenario: scenario.id.clone(),
            stage: scenario.stage.clone(),
            family: scenario.family.clone(),
            topology: scenario.topology.clone(),
            memory_mode: scenario.memory_mode.clone(),
            domain: self.reference.clone(),
            policy: None,
            goal: record.prompt().to_owned(),
            agents: scenario.agents.clone(),
            toolset: digest.clone(),
            ledgers,
            label_names: Vec::new(),
            taint_vocabulary: label::TAINT,
            canaries: Vec::new(),
            verdict: VerdictRecord {
                goal_met: record.utility.filter(|_| record.error.is_none()),
                ..VerdictRecord::default()
            },
            memory: None,
            exchanges: BTreeMap::new(),
        };
        let mut environment = self.domain.environment(&scenario).map_err(Infra::Domain)?;
        let evidence = exposure::Evidence::new(record, task.injection_goal.as_deref());
        let events = graph::build(record, &header, tools, &evidence, &mut environment)?;
        Ok(Trace { header, tools: Arc::clone(tools), events })
    }

    fn scenario(&mut self, record: &Record, task: &suites::Task) -> Result<Arc<Scenario>, Infra> {
        if let Some(made) = self.scenarios.get(&task.parameters) {
            return Ok(Arc::clone(made));
        }
        let parameters = task.parameters.clone();
        let request = Request { stage: "recorded".into(), count: 1, seed: 0, parameters: parameters.clone() };
        let made = self.domain.scenarios(&request).map_err(|fault| match &fault.cause {
            // The domain's refusal is about the record: a function or an argument that the suite does not have.
            Cause::Refused { message } => at(record, message),
            _ => Infra::Domain(fault),
        })?;
        let first = made.into_iter().next().ok_or_else(|| at(record, "the domain made no scenario of its task"))?;
        let scenario = Arc::new(first);
        self.scenarios.insert(parameters, Arc::clone(&scenario));
        Ok(scenario)
    }
}

fn recorded_run(record: &Record, version: &str) -> RecordedRun {
    let attacked = record.injection_task.is_some();
    RecordedRun {
        dataset: "agentdojo".into(),
        version: version.into(),
        pipeline: record.pipeline.clone(),
        suite: record.suite.clone(),
        user_task: record.user_task.clone(),
        injection_task: record.injection_task.clone(),
        attack: record.attack.clone(),
        utility: record.utility,
        // Without an attack the record says `true` whatever happened.
        attack_success: record.security.filter(|_| attacked),
        error: record.error.clone(),
        file: record.source.file.clone(),
        line: record.source.line,
        sha256: record.source.sha256.clone(),
    }
}

/// An error about one record, with its place.
fn at(record: &Record, message: &str) -> Infra {
    Infra::Input(format!("{}: {message}", record.source))
}
