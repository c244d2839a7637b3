//! A live rollout: an agent works in a domain's environment under a policy.
//!
//! Propose, parse, authorise, (confirm), precommit, stage, commit. An invalid call is logged and never reaches policy or
//! environment; a blocked one never reaches the environment.

use crate::gate::{Gate, Infra, Ruling};
use crate::provenance::{Context, arguments};
use crate::replay::{log_ruling, question};
use crate::scenario;
use serde_json::{Map, Value};
use std::sync::Arc;
use weir_agent::{
    Action, BLOCKED_PREFIX, Message, Model, ParameterSpec, ParseStatus, Request, Role, ToolSpec, parse, system_prompt,
};
use weir_runtime::convert::episode;
use weir_runtime::wit::domains::{Call, Scenario};
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{DomainPlugin, Environment};
use weir_trace::contract::{Effect, Tool};
use weir_trace::json::canonical;
use weir_trace::{
    Body, Edge, EventId, Header, NewEvent, NodeKind, Origin, PluginRef, Trace, TraceBuilder, Verdict, VerdictRecord,
    fact, label,
};

/// Turns after which an agent that has not finished is stopped. The longest built-in task takes under 10.
const TURNS: u32 = 30;

/// Everything that one rollout needs.
pub struct Rollout<'a> {
    /// The domain.
    pub domain: &'a DomainPlugin,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The domain's tools.
    pub tools: &'a Arc<Vec<Tool>>,
    /// Digest of the tools.
    pub toolset: &'a str,
    /// Which ledger the policy is given.
    pub ledger: &'a str,
    /// The policy.
    pub policy: &'a dyn DefenceFactory,
    /// Who the policy is, for the header.
    pub reference: PluginRef,
    /// The rollout seed.
    pub seed: u64,
    /// The unit's identity, for the header.
    pub unit: String,
}

impl Rollout<'_> {
    /// Runs it.
    ///
    /// # Errors
    /// A host, model or domain failure: nothing to score.
    pub fn run(&self, model: &mut dyn Model) -> Result<Trace, Infra> {
        let header = self.header(model)?;
        let ledger = header.ledgers.first().map(|l| l.entries.as_slice()).unwrap_or_default();
        let mut gate = Gate::start(self.policy, &episode(&header, self.tools, ledger), &header.canaries)?;
        let specs = tool_specs(self.tools)?;
        let prompt = system_prompt(&specs, gate.guidance()?.as_deref());
        let environment = self.domain.environment(self.scenario).map_err(Infra::Domain)?;
        let mut out = TraceBuilder::default();
        let system = out.push(NewEvent::text(NodeKind::Source, "system", prompt.as_str()));
        let goal = out.push(NewEvent::text(NodeKind::Source, "user", self.scenario.goal.as_str()));
        let mut agent = Agent {
            header: &header,
            tools: self.tools,
            gate,
            environment,
            out,
            unread: vec![system, goal],
            state: None,
            messages: vec![Message::new(Role::User, self.scenario.goal.as_str())],
            next_call: 0,
        };
        for turn in 0..TURNS {
            let request = Request { system: &prompt, messages: &agent.messages, tools: &specs, seed: self.seed, turn };
            let completion = model.complete(&request)?;
            if agent.turn(&completion.text, &specs)? {
                break;
            }
        }
        let verdict = agent.environment.judge().map_err(Infra::Domain)?;
        let events = agent.out.into_events();
        let mut header = header;
        header.verdict = VerdictRecord {
            goal_met: Some(verdict.goal_met),
            tainted_dependency: Some(verdict.tainted_dependency),
            recovered: verdict.recovered,
            reinfected: verdict.reinfected,
        };
        Ok(Trace { header, tools: Arc::clone(self.tools), events })
    }

    fn header(&self, model: &dyn Model) -> Result<Header, Infra> {
        let scenario = self.scenario;
        let ledger = scenario::ledgers(scenario)
            .into_iter()
            .find(|l| l.form == self.ledger)
            .ok_or_else(|| Infra::Input(format!("scenario {} has no `{}` ledger", scenario.id, self.ledger)))?;
        let component = self.domain.component();
        Ok(Header {
            unit: self.unit.clone(),
            origin: Origin::Live {
                scenario_digest: scenario::digest(scenario),
                model: model.id().to_owned(),
                simulated: model.simulated(),
                seed: self.seed,
            },
            scenario: scenario.id.clone(),
            stage: scenario.stage.clone(),
            family: scenario.family.clone(),
            topology: scenario.topology.clone(),
            memory_mode: scenario.memory_mode.clone(),
            domain: PluginRef { name: component.name().into(), digest: component.digest().into() },
            policy: Some(self.reference.clone()),
            goal: scenario.goal.clone(),
            agents: scenario.agents.clone(),
            toolset: self.toolset.to_owned(),
            ledgers: vec![ledger],
            label_names: Vec::new(),
            taint_vocabulary: label::TAINT,
            canaries: scenario.canaries.clone(),
            verdict: VerdictRecord::default(),
        })
    }
}

struct Agent<'a> {
    header: &'a Header,
    tools: &'a [Tool],
    gate: Gate,
    environment: Environment,
    out: TraceBuilder,
    unread: Vec<EventId>,
    state: Option<EventId>,
    messages: Vec<Message>,
    next_call: u32,
}

impl Agent<'_> {
    /// Takes one completion. Returns whether the agent is done.
    fn turn(&mut self, text: &str, specs: &[ToolSpec]) -> Result<bool, Infra> {
        let edges = self.state.into_iter().chain(self.unread.drain(..)).map(Edge::flow).collect();
        let state = self.out.push(NewEvent { edges, ..NewEvent::text(NodeKind::AgentState, "model", text) });
        self.state = Some(state);
        self.messages.push(Message::new(Role::Assistant, text));
        let parsed = parse(text, specs);
        let repaired = if parsed.status == ParseStatus::ValidRepairedJson { fact::REPAIRED } else { 0 };
        let facts = fact::MODEL_ACTION | repaired;
        match parsed.action {
            Some(Action::Final { text }) => {
                let edges = vec![Edge::flow(state)];
                self.out.push(NewEvent { facts, edges, ..NewEvent::text(NodeKind::Message, "answer", text) });
                Ok(true)
            }
            Some(Action::Call { tool, arguments }) => {
                self.call(&tool, arguments, state, facts)?;
                Ok(false)
            }
            None => {
                let problem = parsed.problem.map_or_else(|| format!("status {}", parsed.status), |p| p.to_string());
                let problem = match parsed.unknown_tool {
                    Some(tool) => format!("there is no tool `{tool}`"),
                    None => problem,
                };
                self.invalid(&problem, state, facts);
                Ok(false)
            }
        }
    }

    fn call(&mut self, name: &str, given: Map<String, Value>, state: EventId, facts: u32) -> Result<(), Infra> {
        let found = (0_u32..).zip(self.tools).find(|(_, tool)| tool.name == name);
        let Some((index, tool)) = found else {
            self.invalid(&format!("there is no tool `{name}`"), state, facts);
            return Ok(());
        };
        let context = Context {
            goal: &self.header.goal,
            prefix: self.out.events(),
            taint: self.out.labels(state) & self.header.taint_vocabulary,
            canaries: &self.header.canaries,
        };
        let arguments = match arguments(tool, &given, &context) {
            Ok(arguments) => arguments,
            Err(problem) => {
                self.invalid(&problem, state, facts);
                return Ok(());
            }
        };
        let call_id = self.next_call;
        self.next_call = self.next_call.saturating_add(1);
        let call = Call { call_id, tool: index, arguments: canonical(&Value::Object(given)) };
        let word = self.environment.assess(&call).map_err(Infra::Domain)?;
        let bit = |is: bool, fact: u32| if is { fact } else { 0 };
        let high_risk = tool.effect.is_high_risk();
        let proposal = self.out.push(NewEvent {
            kind: NodeKind::Proposal,
            agent: 0,
            tool_call: Some((index, call_id)),
            own_labels: arguments.iter().fold(0, |all, argument| all | argument.labels),
            facts: facts
                | bit(high_risk, fact::HIGH_RISK)
                | bit(word.authorized, fact::AUTHORIZED)
                | bit(word.attack, fact::ATTACK),
            edges: vec![Edge::flow(state)],
            text: Arc::from(call.arguments.as_str()),
            body: Body::Proposal { arguments },
        });
        match self.decide(proposal, high_risk)? {
            Ok(decision) => self.run(&call, tool.effect, proposal, decision),
            Err(refusal) => {
                self.out.mark(proposal, fact::BLOCKED);
                let text = format!("{BLOCKED_PREFIX} {refusal}");
                let edges = vec![Edge::structural(proposal)];
                self.answer(&call, &text, 0, fact::CALL_ERROR, edges)?;
                Ok(())
            }
        }
    }

    /// The decision node that allows a proposal, or the words of the one that does not.
    fn decide(&mut self, proposal: EventId, high_risk: bool) -> Result<Result<EventId, String>, Infra> {
        let Some(asked) = self.out.get(proposal).and_then(question) else {
            return Err(Infra::Input(format!("event {proposal} is no proposal")));
        };
        let prefix = self.out.events().split_last().map_or(&[][..], |(_, prefix)| prefix);
        let ruling = self.gate.authorize(prefix, &asked)?;
        let mut decision = log_ruling(&mut self.out, &ruling, proposal);
        let mut allowed = self.settle(&ruling, proposal);
        if allowed.is_ok()
            && high_risk
            && let Some(second) = self.gate.precommit(self.out.events(), &asked)?
        {
            decision = log_ruling(&mut self.out, &second, proposal);
            allowed = self.settle(&second, proposal);
        }
        if allowed.is_ok() {
            self.out.mark(proposal, fact::ALLOWED);
        }
        Ok(allowed.map(|()| decision))
    }

    /// What a ruling means for the call. The simulated user confirms what the oracle says that the user authorised.
    fn settle(&mut self, ruling: &Ruling, proposal: EventId) -> Result<(), String> {
        let refusal = || format!("{} ({})", ruling.message, ruling.rule.as_deref().unwrap_or("no rule"));
        match ruling.verdict {
            Verdict::Allow | Verdict::Replace => Ok(()),
            Verdict::Block => Err(refusal()),
            Verdict::Confirm => {
                self.out.mark(proposal, fact::CONFIRM_ASKED);
                if self.out.get(proposal).is_some_and(|event| event.is(fact::AUTHORIZED)) {
                    self.out.mark(proposal, fact::CONFIRM_GIVEN);
                    return Ok(());
                }
                Err(refusal())
            }
        }
    }

    fn run(&mut self, call: &Call, effect: Effect, proposal: EventId, decision: EventId) -> Result<(), Infra> {
        let outcome = self.environment.stage_call(call).map_err(Infra::Domain)?;
        let violation = self.environment.commit(call.call_id).map_err(Infra::Domain)?;
        let labels = outcome.segments.iter().fold(0, |all, segment| all | segment.labels);
        let text: Vec<&str> = outcome.segments.iter().map(|segment| segment.text.as_str()).collect();
        if effect.is_high_risk() || effect == Effect::Draft && !outcome.changes.is_empty() {
            let bit = |is: bool, fact: u32| if is { fact } else { 0 };
            self.out.mark(proposal, fact::COMMITTED);
            self.out.push(NewEvent {
                kind: NodeKind::Commit,
                agent: 0,
                tool_call: Some((call.tool, call.call_id)),
                own_labels: 0,
                facts: bit(violation.unauthorized, fact::UNAUTHORIZED)
                    | bit(violation.secret_leak, fact::SECRET_LEAK)
                    | bit(violation.wrong_recipient, fact::WRONG_RECIPIENT),
                edges: vec![Edge::flow(proposal), Edge::structural(decision)],
                text: Arc::from(""),
                body: Body::Commit { targets: outcome.changes.iter().map(|change| change.target.clone()).collect() },
            });
        }
        let edges = vec![Edge::structural(decision)];
        self.answer(call, &text.join("\n"), labels, 0, edges)
    }

    /// A tool's answer, or the host's in its place, on its way to the model.
    fn answer(&mut self, call: &Call, text: &str, labels: u64, facts: u32, edges: Vec<Edge>) -> Result<(), Infra> {
        let untrusted = labels & self.header.taint_vocabulary != 0;
        let result = self.out.push(NewEvent {
            kind: NodeKind::ToolResult,
            agent: 0,
            tool_call: Some((call.tool, call.call_id)),
            own_labels: labels,
            facts: facts | if untrusted { fact::UNTRUSTED_SOURCE } else { 0 },
            edges,
            text: Arc::from(text),
            body: Body::ToolResult { error: facts & fact::CALL_ERROR != 0 },
        });
        let (mut shown, mut read) = (text.to_owned(), result);
        if untrusted && let Some(ruling) = self.gate.filter(self.out.events())? {
            // What the model reads is the decision's text, which carries no label of the observation it replaces.
            read = log_ruling(&mut self.out, &ruling, result);
            shown = match ruling.verdict {
                Verdict::Replace => ruling.message,
                _ => format!("{BLOCKED_PREFIX} {} ({})", ruling.message, ruling.rule.unwrap_or_default()),
            };
        }
        self.unread.push(read);
        self.messages.push(Message::new(Role::Tool, shown));
        Ok(())
    }

    /// An action that names no tool or breaks its schema: logged, answered, never executed.
    fn invalid(&mut self, problem: &str, state: EventId, facts: u32) {
        let edges = vec![Edge::flow(state)];
        let facts = facts | fact::INVALID_ACTION;
        self.out.push(NewEvent { facts, edges, ..NewEvent::text(NodeKind::Message, "invalid call", problem) });
        self.messages.push(Message::new(Role::Tool, format!("invalid action: {problem}")));
    }
}

fn tool_specs(tools: &[Tool]) -> Result<Vec<ToolSpec>, Infra> {
    let parameter = |p: &weir_trace::contract::Parameter| {
        let schema = serde_json::from_str(&p.schema)
            .map_err(|e| Infra::Input(format!("the schema of parameter `{}` is not JSON: {e}", p.name)))?;
        Ok(ParameterSpec { name: p.name.clone(), required: p.required, schema })
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
