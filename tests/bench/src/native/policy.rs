//! Policies.

use super::domain::authorization;
use super::refused;
use std::marker::PhantomData;
use std::sync::Arc;
use weir_plugin::policy as sdk;
use weir_runtime::Fault;
use weir_runtime::models::Models;
use weir_runtime::wit::policies::{Decision, Episode, Filtered, Recovery};
use weir_runtime::wit::trace as wt;
use weir_runtime::wit::types as wy;
use weir_runtime::world::policy::{Answer, Defence, DefenceFactory, Delta};

/// Starts a native policy for each rollout.
pub struct NativeFactory<P>(pub PhantomData<fn() -> P>);

struct Native<P>(P);

impl<P: sdk::Policy> DefenceFactory for NativeFactory<P> {
    fn start(
        &self,
        episode: &Episode,
        _canaries: &Arc<[String]>,
        _models: Option<Box<dyn Models>>,
    ) -> Result<Box<dyn Defence>, Box<Fault>> {
        Ok(Box::new(Native(P::start(self::episode(episode)))))
    }
}

impl<P: sdk::Policy> Defence for Native<P> {
    fn guidance(&mut self) -> Result<Option<String>, Box<Fault>> {
        Ok(self.0.guidance())
    }

    fn filter(&mut self, delta: Delta<'_>, observation: u32) -> Result<Answer<Filtered>, Box<Fault>> {
        self.observe(delta);
        let value = match self.0.filter(observation) {
            Ok(sdk::Filtered::Pass) => Filtered::Pass,
            Ok(sdk::Filtered::Replace(text)) => Filtered::Replace(text),
            Ok(sdk::Filtered::Withhold(r)) => Filtered::Withhold(reason(r)),
            Err(e) => return Err(refused(&e)),
        };
        Ok(Answer { value, fuel: 0 })
    }

    fn authorize(&mut self, delta: Delta<'_>, proposal: &wy::Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        self.observe(delta);
        let decided = self.0.authorize(&self::proposal(proposal));
        answer(decided)
    }

    fn precommit(&mut self, delta: Delta<'_>, proposal: &wy::Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        self.observe(delta);
        let decided = self.0.precommit(&self::proposal(proposal));
        answer(decided)
    }

    fn recover(&mut self, delta: Delta<'_>) -> Result<Answer<Vec<Recovery>>, Box<Fault>> {
        self.observe(delta);
        let repair = |repair| match repair {
            sdk::Recovery::Rollback(call) => Recovery::Rollback(call),
            sdk::Recovery::Quarantine(key) => Recovery::Quarantine(key),
            sdk::Recovery::Scrub(key) => Recovery::Scrub(key),
        };
        let repairs = self.0.recover().map_err(|e| refused(&e))?;
        Ok(Answer { value: repairs.into_iter().map(repair).collect(), fuel: 0 })
    }
}

impl<P: sdk::Policy> Native<P> {
    /// Owned events, as the component receives them: what a native plugin API that hands over values would cost.
    fn observe(&mut self, delta: Delta<'_>) {
        let events: Vec<sdk::Event> = delta.events.iter().map(event).collect();
        self.0.observe(&events);
    }
}

fn answer(decided: Result<sdk::Decision, sdk::Error>) -> Result<Answer<Decision>, Box<Fault>> {
    let value = match decided {
        Ok(sdk::Decision::Allow(r)) => Decision::Allow(r.map(reason)),
        Ok(sdk::Decision::Block(r)) => Decision::Block(reason(r)),
        Ok(sdk::Decision::Confirm(r)) => Decision::Confirm(reason(r)),
        Err(e) => return Err(refused(&e)),
    };
    Ok(Answer { value, fuel: 0 })
}

fn reason(r: sdk::Reason) -> wy::Reason {
    wy::Reason { rule: r.rule, message: r.message }
}

fn event(e: &wt::Event) -> sdk::Event {
    sdk::Event {
        id: e.id,
        kind: match e.kind {
            wt::NodeKind::Source => sdk::NodeKind::Source,
            wt::NodeKind::AgentState => sdk::NodeKind::AgentState,
            wt::NodeKind::Message => sdk::NodeKind::Message,
            wt::NodeKind::MemoryRecord => sdk::NodeKind::MemoryRecord,
            wt::NodeKind::Proposal => sdk::NodeKind::Proposal,
            wt::NodeKind::Decision => sdk::NodeKind::Decision,
            wt::NodeKind::ToolResult => sdk::NodeKind::ToolResult,
            wt::NodeKind::Commit => sdk::NodeKind::Commit,
            wt::NodeKind::Recovery => sdk::NodeKind::Recovery,
        },
        agent: e.agent,
        tool: e.tool,
        labels: e.labels,
        edges: e.edges.iter().map(edge).collect(),
        size: e.size,
    }
}

fn edge(e: &wt::Edge) -> sdk::Edge {
    let kind = match e.kind {
        wt::EdgeKind::DataFlow => sdk::EdgeKind::DataFlow,
        wt::EdgeKind::Structural => sdk::EdgeKind::Structural,
        wt::EdgeKind::Temporal => sdk::EdgeKind::Temporal,
        wt::EdgeKind::Audit => sdk::EdgeKind::Audit,
    };
    sdk::Edge { parent: e.parent, kind }
}

fn proposal(p: &wy::Proposal) -> sdk::Proposal {
    let argument = |a: &wy::Argument| sdk::Argument {
        parameter: a.parameter,
        value: a.value.clone(),
        labels: a.labels,
        sources: a.sources.clone(),
    };
    sdk::Proposal {
        event: p.event,
        call_id: p.call_id,
        agent: p.agent,
        tool: p.tool,
        arguments: p.arguments.iter().map(argument).collect(),
        labels: p.labels,
    }
}

fn episode(e: &Episode) -> sdk::Episode {
    let parameter = |p: &wy::Parameter| sdk::Parameter {
        name: p.name.clone(),
        role: match p.role {
            wy::Role::Recipient => sdk::Role::Recipient,
            wy::Role::Target => sdk::Role::Target,
            wy::Role::Visibility => sdk::Role::Visibility,
            wy::Role::Content => sdk::Role::Content,
            wy::Role::Other => sdk::Role::Other,
        },
        required: p.required,
        schema: p.schema.clone(),
    };
    let tool = |t: &wy::Tool| sdk::Tool {
        name: t.name.clone(),
        description: t.description.clone(),
        effect: match t.effect {
            wy::Effect::Read => sdk::Effect::Read,
            wy::Effect::EgressRead => sdk::Effect::EgressRead,
            wy::Effect::Draft => sdk::Effect::Draft,
            wy::Effect::SideEffect => sdk::Effect::SideEffect,
            wy::Effect::MemoryWrite => sdk::Effect::MemoryWrite,
            wy::Effect::Recovery => sdk::Effect::Recovery,
        },
        parameters: t.parameters.iter().map(parameter).collect(),
    };
    sdk::Episode {
        goal: e.goal.clone(),
        ledger: e.ledger.iter().map(authorization).collect(),
        tools: e.tools.iter().map(tool).collect(),
        agents: e.agents.clone(),
        label_names: e.label_names.clone(),
        taint_vocabulary: e.taint_vocabulary,
    }
}
