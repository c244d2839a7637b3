//! A live rollout: agents work in a domain's environment under a policy.
//!
//! Propose, parse, authorise, (confirm), precommit, stage, commit. An invalid call is logged and never reaches policy or
//! environment; a blocked one never reaches the environment.
//!
//! A rollout has one session for each of the user's requests. A session begins with empty conversations: only what the
//! environment keeps in persistent memory lives on, and, where a memory writer stands between the sessions, what it wrote.
//! Within a session one agent at a time has the turn; what it says to another is an event with its own taint.

mod between;
mod confirmation;
mod crew;
pub(crate) mod first;
mod memory;
mod repair;
mod turn;

pub use between::PREFIX;
pub use confirmation::{Confirmation, fraction};

use crate::gate::{Gate, Infra};
use crate::memory::{Writing, method_name, view_name};
use crate::models::{Desk, POLICY, Source, WRITER};
use crate::replay::log_ruling;
use crate::scenario;
use between::Between;
use crew::Crew;
use memory::Memory;
use std::collections::BTreeMap;
use std::sync::Arc;
use turn::Outcome;
use weir_agent::{Model, ParameterSpec, Request, Role, ToolSpec};
use weir_runtime::convert::episode;
use weir_runtime::wit::domains::Scenario;
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{Scene, SceneFactory};
use weir_trace::contract::Tool;
use weir_trace::{
    Body, EventId, Header, MemoryRun, NewEvent, NodeKind, Origin, PluginRef, Trace, TraceBuilder, VerdictRecord, label,
};

/// Turns after which a session is stopped, for each of its agents, unless a suite says otherwise. The longest built-in task
/// takes under 10.
pub const TURNS: u32 = 30;

/// What a trace's header calls a writer's part in a live rollout.
pub const BETWEEN: &str = "between-sessions";

/// Everything that one rollout needs.
pub struct Rollout<'a> {
    /// The domain.
    pub domain: &'a dyn SceneFactory,
    /// Who the domain is, for the header.
    pub domain_reference: PluginRef,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// SHA-256 of the scenario.
    pub digest: &'a str,
    /// The domain's tools.
    pub tools: &'a Arc<Vec<Tool>>,
    /// The same, as a model is told of them.
    pub specs: &'a [ToolSpec],
    /// Digest of the tools.
    pub toolset: &'a str,
    /// The ledger that the policy is given.
    pub ledger: weir_trace::contract::Ledger,
    /// The policy.
    pub policy: &'a dyn DefenceFactory,
    /// Who the policy is, for the header.
    pub reference: PluginRef,
    /// Who confirms.
    pub confirmation: Confirmation,
    /// Turns after which a session is stopped, for each of its agents.
    pub turns: u32,
    /// The rollout seed.
    pub seed: u64,
    /// The unit's identity, for the header.
    pub unit: String,
    /// What answers plugins that ask a model.
    pub models: Source<'a>,
    /// Who consolidates each session but the last into memories that the next one reads; mostly nobody.
    pub writer: Option<Writing<'a>>,
}

impl Rollout<'_> {
    /// Runs it.
    ///
    /// # Errors
    /// A host, model or domain failure: nothing to score.
    pub fn run(&self, model: &mut dyn Model) -> Result<Trace, Infra> {
        scenario::check(self.scenario)?;
        let header = self.header(model);
        let ledger = header.ledgers.first().map(|l| l.entries.as_slice()).unwrap_or_default();
        let mut desk = Desk::new(self.models);
        let episode = episode(&header, self.tools, ledger);
        let mut gate = Gate::start(self.policy, &episode, &header.canaries, desk.models(POLICY))?;
        let crew = Crew::new(self.scenario, self.specs, gate.guidance()?.as_deref());
        let mut live = Live {
            rollout: self,
            header: &header,
            gate,
            environment: self.domain.scene(self.scenario).map_err(Infra::Domain)?,
            out: TraceBuilder::default(),
            crew,
            memory: Memory::default(),
            between: self.writer.as_ref().map(Between::new),
            desk,
            said: String::new(),
            turn: 0,
            next_call: 0,
        };
        if let Some(failed) = live.gate.failed_start() {
            log_ruling(&mut live.out, &failed, EventId::MAX);
        }
        let mut goals = std::iter::once(&self.scenario.goal).chain(&self.scenario.later_goals).peekable();
        let mut session = 0_u32;
        while let Some(goal) = goals.next() {
            live.session(session, goal, model)?;
            session = session.saturating_add(1);
            // After the last session nobody is left to read what would be written.
            if goals.peek().is_some() {
                live.consolidate()?;
            }
        }
        let verdict = live.environment.judge().map_err(Infra::Domain)?;
        let exchanges = live.desk.exchanges();
        let events = live.into_trace().into_events();
        let mut header = header;
        header.exchanges = exchanges;
        header.verdict = VerdictRecord {
            goal_met: Some(verdict.goal_met),
            tainted_dependency: Some(verdict.tainted_dependency),
            recovered: verdict.recovered,
            reinfected: verdict.reinfected,
        };
        Ok(Trace { header, tools: Arc::clone(self.tools), events })
    }

    /// The trace's header before anything has happened.
    pub(crate) fn header(&self, model: &dyn Model) -> Header {
        let scenario = self.scenario;
        Header {
            unit: self.unit.clone(),
            origin: Origin::Live {
                scenario_digest: self.digest.to_owned(),
                model: model.id().to_owned(),
                simulated: model.simulated(),
                seed: self.seed,
            },
            scenario: scenario.id.clone(),
            stage: scenario.stage.clone(),
            family: scenario.family.clone(),
            topology: scenario.topology.clone(),
            memory_mode: scenario.memory_mode.clone(),
            domain: self.domain_reference.clone(),
            policy: Some(self.reference.clone()),
            goal: scenario.goal.clone(),
            agents: scenario.agents.clone(),
            toolset: self.toolset.to_owned(),
            ledgers: vec![self.ledger.clone()],
            label_names: Vec::new(),
            taint_vocabulary: label::TAINT,
            canaries: scenario.canaries.clone(),
            verdict: VerdictRecord::default(),
            memory: self.writer.as_ref().map(|writing| MemoryRun {
                module: BETWEEN.into(),
                condition: String::new(),
                writer: Some(writing.reference.clone()),
                view: Some(view_name(writing.view).into()),
                method: Some(method_name(writing.method).into()),
                gold: false,
            }),
            exchanges: BTreeMap::new(),
        }
    }
}

/// A rollout under way.
struct Live<'a> {
    rollout: &'a Rollout<'a>,
    header: &'a Header,
    gate: Gate,
    environment: Box<dyn Scene + 'a>,
    out: TraceBuilder,
    crew: Crew<'a>,
    memory: Memory,
    between: Option<Between<'a>>,
    desk: Desk<'a>,
    /// All that the user has said.
    said: String,
    turn: u32,
    next_call: u32,
}

impl Live<'_> {
    fn session(&mut self, session: u32, goal: &str, model: &mut dyn Model) -> Result<(), Infra> {
        if session > 0 {
            self.environment.next_session().map_err(Infra::Domain)?;
        }
        let user = self.out.push(NewEvent::text(NodeKind::Source, "user", goal));
        self.said.push_str(goal);
        self.said.push('\n');
        self.crew.begin_session(user, goal);
        self.recall()?;
        if let Some(between) = &mut self.between {
            between.asked(goal, user);
        }
        let turns = u32::try_from(self.crew.len()).unwrap_or(u32::MAX).saturating_mul(self.rollout.turns);
        for _ in 0..turns {
            let agent = self.crew.active();
            self.crew.brief(&mut self.out);
            let recipients = self.crew.recipients();
            let Some(at) = self.crew.at(agent) else { break };
            let request = Request {
                system: &at.prompt,
                messages: &at.messages,
                tools: self.rollout.specs,
                recipients,
                seed: self.rollout.seed,
                turn: self.turn,
                agent,
                session,
            };
            let completion = model.complete(&request)?;
            self.turn = self.turn.saturating_add(1);
            if self.take(&completion)? == Outcome::SessionEnds {
                break;
            }
        }
        self.offer_recovery()
    }

    /// The first agent of a session reads what a writer kept of the sessions before.
    fn recall(&mut self) -> Result<(), Infra> {
        let Some((text, edges)) = self.between.as_ref().and_then(Between::block) else { return Ok(()) };
        let body = Body::Message { to: Some(0) };
        let message = self.push(NewEvent { edges, body, ..NewEvent::text(NodeKind::Message, "", text.as_str()) });
        self.show(0, message, Role::Tool, &text)?;
        Ok(())
    }

    /// The writer, where there is one, consolidates the session that is over.
    fn consolidate(&mut self) -> Result<(), Infra> {
        let Some(between) = &mut self.between else { return Ok(()) };
        between.consolidate(&self.said, self.desk.models(WRITER), &mut self.out)
    }

    /// The rollout is over.
    fn into_trace(self) -> TraceBuilder {
        self.out
    }

    /// Appends an event of the agent that has the turn.
    fn push(&mut self, new: NewEvent) -> EventId {
        self.out.push(NewEvent { agent: self.crew.active(), ..new })
    }

    /// Offers the policy to repair, and makes the repairs that it asks for.
    fn offer_recovery(&mut self) -> Result<(), Infra> {
        let (ruling, repairs) = self.gate.recover(self.out.events())?;
        let decision = log_ruling(&mut self.out, &ruling, EventId::MAX);
        for repair in repairs {
            repair::make(&repair, decision, self.environment.as_mut(), &mut self.memory, &mut self.out)?;
        }
        Ok(())
    }
}

/// Tools as a model is told of them.
///
/// # Errors
/// A parameter whose schema is not JSON.
pub fn tool_specs(tools: &[Tool]) -> Result<Vec<ToolSpec>, Infra> {
    let parameter = |p: &weir_trace::contract::Parameter| {
        let schema: serde_json::Value = serde_json::from_str(&p.schema)
            .map_err(|e| Infra::Input(format!("the schema of parameter `{}` is not JSON: {e}", p.name)))?;
        Ok(ParameterSpec { name: p.name.clone(), required: p.required, schema: schema.to_string() })
    };
    let spec = |tool: &Tool| {
        Ok(ToolSpec {
            name: tool.name.clone(),
            description: tool.description.clone(),
            parameters: tool.parameters.iter().map(parameter).collect::<Result<_, Infra>>()?,
        })
    };
    tools.iter().map(spec).collect()
}

/// The ledger of a form that a scenario has.
///
/// # Errors
/// Where it has none.
pub fn ledger_of(scenario: &Scenario, form: &str) -> Result<weir_trace::contract::Ledger, Infra> {
    scenario::ledgers(scenario)
        .into_iter()
        .find(|ledger| ledger.form == form)
        .ok_or_else(|| Infra::Input(format!("scenario {} has no `{form}` ledger", scenario.id)))
}
