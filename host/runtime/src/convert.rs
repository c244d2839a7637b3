//! Between the trace's own types and those generated from the contract. Only this file knows both.

use crate::wit::policies::Episode;
use crate::wit::{reducers, trace as wt, types as wy};
use weir_trace::contract as c;
use weir_trace::{self as t, EdgeKind, NodeKind};

impl From<&t::Event> for wt::Event {
    fn from(event: &t::Event) -> Self {
        wt::Event {
            id: event.id,
            kind: node_kind(event.kind),
            agent: event.agent,
            tool: event.tool,
            labels: event.labels,
            edges: event.edges.iter().map(|e| wt::Edge { parent: e.parent, kind: edge_kind(e.kind) }).collect(),
            size: u32::try_from(event.text.len()).unwrap_or(u32::MAX),
        }
    }
}

fn node_kind(kind: NodeKind) -> wt::NodeKind {
    match kind {
        NodeKind::Source => wt::NodeKind::Source,
        NodeKind::AgentState => wt::NodeKind::AgentState,
        NodeKind::Message => wt::NodeKind::Message,
        NodeKind::MemoryRecord => wt::NodeKind::MemoryRecord,
        NodeKind::Proposal => wt::NodeKind::Proposal,
        NodeKind::Decision => wt::NodeKind::Decision,
        NodeKind::ToolResult => wt::NodeKind::ToolResult,
        NodeKind::Commit => wt::NodeKind::Commit,
        NodeKind::Recovery => wt::NodeKind::Recovery,
    }
}

fn edge_kind(kind: EdgeKind) -> wt::EdgeKind {
    match kind {
        EdgeKind::DataFlow => wt::EdgeKind::DataFlow,
        EdgeKind::Structural => wt::EdgeKind::Structural,
        EdgeKind::Temporal => wt::EdgeKind::Temporal,
        EdgeKind::Audit => wt::EdgeKind::Audit,
    }
}

impl From<&t::Argument> for wy::Argument {
    fn from(a: &t::Argument) -> Self {
        wy::Argument { parameter: a.parameter, value: a.value.clone(), labels: a.labels, sources: a.sources.clone() }
    }
}

impl From<t::Columns> for wt::Columns {
    fn from(c: t::Columns) -> Self {
        wt::Columns {
            first: c.first,
            kinds: c.kinds,
            labels: c.labels,
            agents: c.agents,
            tools: c.tools,
            calls: c.calls,
            edge_offsets: c.edge_offsets,
            edge_parents: c.edge_parents,
            edge_kinds: c.edge_kinds,
            facts: c.facts,
            strings: c.strings,
        }
    }
}

impl From<&c::Tool> for wy::Tool {
    fn from(tool: &c::Tool) -> Self {
        let parameter = |p: &c::Parameter| wy::Parameter {
            name: p.name.clone(),
            role: match p.role {
                c::Role::Recipient => wy::Role::Recipient,
                c::Role::Target => wy::Role::Target,
                c::Role::Visibility => wy::Role::Visibility,
                c::Role::Content => wy::Role::Content,
                c::Role::Other => wy::Role::Other,
            },
            required: p.required,
            schema: p.schema.clone(),
        };
        wy::Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            effect: match tool.effect {
                c::Effect::Read => wy::Effect::Read,
                c::Effect::EgressRead => wy::Effect::EgressRead,
                c::Effect::Draft => wy::Effect::Draft,
                c::Effect::SideEffect => wy::Effect::SideEffect,
                c::Effect::MemoryWrite => wy::Effect::MemoryWrite,
                c::Effect::Recovery => wy::Effect::Recovery,
            },
            parameters: tool.parameters.iter().map(parameter).collect(),
        }
    }
}

impl From<&wy::Tool> for c::Tool {
    fn from(tool: &wy::Tool) -> Self {
        let parameter = |p: &wy::Parameter| c::Parameter {
            name: p.name.clone(),
            role: match p.role {
                wy::Role::Recipient => c::Role::Recipient,
                wy::Role::Target => c::Role::Target,
                wy::Role::Visibility => c::Role::Visibility,
                wy::Role::Content => c::Role::Content,
                wy::Role::Other => c::Role::Other,
            },
            required: p.required,
            schema: p.schema.clone(),
        };
        c::Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            effect: match tool.effect {
                wy::Effect::Read => c::Effect::Read,
                wy::Effect::EgressRead => c::Effect::EgressRead,
                wy::Effect::Draft => c::Effect::Draft,
                wy::Effect::SideEffect => c::Effect::SideEffect,
                wy::Effect::MemoryWrite => c::Effect::MemoryWrite,
                wy::Effect::Recovery => c::Effect::Recovery,
            },
            parameters: tool.parameters.iter().map(parameter).collect(),
        }
    }
}

impl From<&c::Authorization> for wy::Authorization {
    fn from(a: &c::Authorization) -> Self {
        let rule = |rule: &c::Rule| match rule {
            c::Rule::Any => wy::Rule::Any,
            c::Rule::Absent => wy::Rule::Absent,
            c::Rule::Equals(v) => wy::Rule::Equals(v.clone()),
            c::Rule::OneOf(v) => wy::Rule::OneOf(v.clone()),
            c::Rule::Prefix(v) => wy::Rule::Prefix(v.clone()),
            c::Rule::AtMost(v) => wy::Rule::AtMost(*v),
            c::Rule::MaxLength(v) => wy::Rule::MaxLength(*v),
        };
        let constraint = |k: &c::Constraint| wy::Constraint { argument: k.argument.clone(), rule: rule(&k.rule) };
        wy::Authorization {
            action: a.action.clone(),
            targets: a.targets.clone(),
            constraints: a.constraints.iter().map(constraint).collect(),
        }
    }
}

impl From<&wy::Authorization> for c::Authorization {
    fn from(a: &wy::Authorization) -> Self {
        let rule = |rule: &wy::Rule| match rule {
            wy::Rule::Any => c::Rule::Any,
            wy::Rule::Absent => c::Rule::Absent,
            wy::Rule::Equals(v) => c::Rule::Equals(v.clone()),
            wy::Rule::OneOf(v) => c::Rule::OneOf(v.clone()),
            wy::Rule::Prefix(v) => c::Rule::Prefix(v.clone()),
            wy::Rule::AtMost(v) => c::Rule::AtMost(*v),
            wy::Rule::MaxLength(v) => c::Rule::MaxLength(*v),
        };
        let constraint = |k: &wy::Constraint| c::Constraint { argument: k.argument.clone(), rule: rule(&k.rule) };
        c::Authorization {
            action: a.action.clone(),
            targets: a.targets.clone(),
            constraints: a.constraints.iter().map(constraint).collect(),
        }
    }
}

/// What a policy may know before the first event.
#[must_use]
pub fn episode(header: &t::Header, tools: &[c::Tool], ledger: &[c::Authorization]) -> Episode {
    Episode {
        goal: header.goal.clone(),
        ledger: ledger.iter().map(Into::into).collect(),
        tools: tools.iter().map(Into::into).collect(),
        agents: header.agents.clone(),
        label_names: header.label_names.clone(),
        taint_vocabulary: header.taint_vocabulary,
    }
}

/// What a reducer knows of the rollout as a whole.
#[must_use]
pub fn reducer_header(header: &t::Header) -> reducers::Header {
    reducers::Header {
        stage: header.stage.clone(),
        topology: header.topology.clone(),
        memory_mode: header.memory_mode.clone(),
        taint_vocabulary: header.taint_vocabulary,
        goal_met: header.verdict.goal_met,
        tainted_dependency: header.verdict.tainted_dependency,
        recovered: header.verdict.recovered,
        reinfected: header.verdict.reinfected,
    }
}
