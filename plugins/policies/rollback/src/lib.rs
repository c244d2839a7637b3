//! Rollback instrumentation (ContainmentBench 5.6, Appendix H step 7): decides exactly as the intent-ledger firewall, and
//! repairs what that firewall could not know to be part of an attack when it let it pass.
//!
//! A blocked expansion shows that an untrusted event carried an attack. At the end of the session, every call that
//! committed before it with an argument from one of the same untrusted events is undone. A clean-up is never undone: that
//! would bring back what it removed.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use weir_plugin::host::{self, Level};
use weir_plugin::policy::{Decision, Effect, Episode, Error, Event, NodeKind, Policy, Proposal, Recovery};
use weir_plugin::policy::{EdgeKind, Reason};
use weir_plugin::{Firewall, PRIVILEGE_JUMP, TAINTED_EXPANSION, export_policy};

/// The firewall of one rollout, with what it needs to repair.
pub struct Rollback {
    firewall: Firewall,
    events: BTreeMap<u32, Seen>,
    /// Calls that were asked about just before their commit and have not committed yet.
    pending: Vec<Call>,
    /// Calls that committed and stand, oldest commit first.
    committed: Vec<Call>,
    /// Calls that were blocked for an expansion since the last recovery.
    blocked: Vec<Call>,
}

/// What is kept of an event.
struct Seen {
    tainted: bool,
    /// Parents over data-flow edges.
    parents: Vec<u32>,
}

/// What is kept of a proposed call.
struct Call {
    /// Its node.
    event: u32,
    id: u32,
    /// Events in whose content its arguments were found.
    sources: BTreeSet<u32>,
}

impl Call {
    fn of(proposal: &Proposal) -> Self {
        let sources = proposal.arguments.iter().flat_map(|argument| argument.sources.iter().copied()).collect();
        Call { event: proposal.event, id: proposal.call_id, sources }
    }
}

impl Rollback {
    /// The untrusted events that a call's arguments or its context came from.
    fn untrusted_origins(&self, call: &Call) -> BTreeSet<u32> {
        let mut origins = call.sources.clone();
        let mut context = vec![call.event];
        let mut visited = BTreeSet::new();
        while let Some(event) = context.pop() {
            if visited.insert(event)
                && let Some(seen) = self.events.get(&event)
            {
                context.extend(&seen.parents);
            }
        }
        origins.append(&mut visited);
        origins.retain(|event| self.events.get(event).is_some_and(|seen| seen.tainted));
        origins
    }
}

impl Policy for Rollback {
    fn start(episode: Episode) -> Self {
        Rollback {
            firewall: Firewall::new(episode),
            events: BTreeMap::new(),
            pending: Vec::new(),
            committed: Vec::new(),
            blocked: Vec::new(),
        }
    }

    fn observe(&mut self, events: &[Event]) {
        for event in events {
            let flows = event.edges.iter().filter(|edge| edge.kind == EdgeKind::DataFlow);
            let parents: Vec<u32> = flows.map(|edge| edge.parent).collect();
            // A commit's content is its proposal's, so the edge says whose commit it is.
            if event.kind == NodeKind::Commit
                && let Some(position) = self.pending.iter().position(|call| parents.contains(&call.event))
            {
                self.committed.push(self.pending.swap_remove(position));
            }
            let tainted = self.firewall.ledger().is_taint(event.labels);
            self.events.insert(event.id, Seen { tainted, parents });
        }
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        let decision = self.firewall.decide(proposal)?;
        if let Decision::Block(Reason { rule, .. }) = &decision
            && matches!(rule.as_str(), PRIVILEGE_JUMP | TAINTED_EXPANSION)
        {
            self.blocked.push(Call::of(proposal));
        }
        Ok(decision)
    }

    fn precommit(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        if self.firewall.ledger().tools().effect(proposal) != Some(Effect::Recovery) {
            self.pending.push(Call::of(proposal));
        }
        Ok(Decision::allow())
    }

    fn recover(&mut self) -> Result<Vec<Recovery>, Error> {
        let blocked = mem::take(&mut self.blocked);
        let origins: Vec<(u32, BTreeSet<u32>)> =
            blocked.iter().map(|call| (call.event, self.untrusted_origins(call))).collect();
        let shares = |call: &mut Call| {
            origins.iter().any(|(before, origins)| call.event < *before && !origins.is_disjoint(&call.sources))
        };
        let mut undone: Vec<Call> = self.committed.extract_if(.., shares).collect();
        undone.reverse();
        if !blocked.is_empty() {
            let (blocked, undone) = (blocked.len(), undone.len());
            host::log(Level::Info, &format!("tainted expansions blocked: {blocked}; rollbacks asked: {undone}"));
        }
        Ok(undone.into_iter().map(|call| Recovery::Rollback(call.id)).collect())
    }
}

export_policy!(Rollback);

#[cfg(test)]
mod tests;
