//! Repairs that a policy asks for: carried out by the environment, and logged whether they could be or not.

use super::memory::Memory;
use crate::gate::Infra;
use std::sync::Arc;
use weir_runtime::wit::policies::Recovery;
use weir_runtime::world::Scene;
use weir_runtime::{Cause, Fault};
use weir_trace::{Body, Edge, EventId, NewEvent, NodeKind, Repair, TraceBuilder};

/// Makes one repair. The environment may refuse one of a call or memory that does not exist; that is the policy's
/// mistake and no failure of the domain.
pub(super) fn make(
    repair: &Recovery,
    decision: EventId,
    environment: &mut dyn Scene,
    memory: &mut Memory,
    out: &mut TraceBuilder,
) -> Result<(), Infra> {
    let (action, target, made) = match repair {
        Recovery::Rollback(call) => (Repair::Rollback, call.to_string(), environment.rollback(*call)),
        Recovery::Quarantine(key) => (Repair::Quarantine, key.clone(), environment.quarantine(key)),
        Recovery::Scrub(key) => (Repair::Scrub, key.clone(), environment.scrub(key)),
    };
    let done = done(made)?;
    match repair {
        Recovery::Rollback(call) if done => memory.undone(*call),
        Recovery::Scrub(key) if done => memory.deleted(key),
        _ => {}
    }
    let mut edges = vec![Edge::structural(decision)];
    if let Recovery::Rollback(call) = repair {
        let commit = out.events().iter().find(|event| event.kind == NodeKind::Commit && event.call == Some(*call));
        edges.extend(commit.map(|commit| Edge::audit(commit.id)));
    }
    edges.sort_by_key(|edge| edge.parent);
    out.push(NewEvent {
        kind: NodeKind::Recovery,
        agent: 0,
        tool_call: None,
        own_labels: 0,
        facts: 0,
        edges,
        text: Arc::from(""),
        body: Body::Repair { action, target, done },
    });
    Ok(())
}

fn done(made: Result<(), Box<Fault>>) -> Result<bool, Infra> {
    match made {
        Ok(()) => Ok(true),
        Err(fault) if matches!(fault.cause, Cause::Refused { .. }) => Ok(false),
        Err(fault) => Err(Infra::Domain(fault)),
    }
}
