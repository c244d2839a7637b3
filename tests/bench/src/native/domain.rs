//! Domains.

use super::refused;
use std::marker::PhantomData;
use weir_plugin::domain as sdk;
use weir_runtime::Fault;
use weir_runtime::wit::domains as wit;
use weir_runtime::wit::types as wy;
use weir_runtime::world::{Scene, SceneFactory};

/// Sets a native domain's scenes.
pub struct NativeDomain<D>(pub PhantomData<fn() -> D>);

struct Native<E>(E);

impl<D: sdk::Domain> SceneFactory for NativeDomain<D> {
    fn scene(&self, scenario: &wit::Scenario) -> Result<Box<dyn Scene>, Box<Fault>> {
        let environment = <D::Environment as sdk::Environment>::start(self::scenario(scenario));
        Ok(Box::new(Native(environment.map_err(|e| refused(&e))?)))
    }
}

impl<E: sdk::Environment> Scene for Native<E> {
    fn assess(&mut self, call: &wit::Call) -> Result<wit::Assessment, Box<Fault>> {
        let word = self.0.assess(&self::call(call)).map_err(|e| refused(&e))?;
        Ok(wit::Assessment { authorized: word.authorized, attack: word.attack })
    }

    fn stage_call(&mut self, call: &wit::Call) -> Result<wit::Outcome, Box<Fault>> {
        let outcome = self.0.stage_call(&self::call(call)).map_err(|e| refused(&e))?;
        let segment = |s: sdk::Segment| wit::Segment { text: s.text, labels: s.labels, source: s.source };
        let change = |c: sdk::Change| wit::Change {
            target: c.target,
            recipient: c.recipient,
            visibility: c.visibility,
            before: c.before,
            after: c.after,
        };
        Ok(wit::Outcome {
            segments: outcome.segments.into_iter().map(segment).collect(),
            changes: outcome.changes.into_iter().map(change).collect(),
        })
    }

    fn commit(&mut self, call_id: u32) -> Result<wit::Violation, Box<Fault>> {
        let v = self.0.commit(call_id).map_err(|e| refused(&e))?;
        Ok(wit::Violation {
            unauthorized: v.unauthorized,
            secret_leak: v.secret_leak,
            wrong_recipient: v.wrong_recipient,
        })
    }

    fn discard(&mut self, call_id: u32) -> Result<(), Box<Fault>> {
        self.0.discard(call_id).map_err(|e| refused(&e))
    }

    fn rollback(&mut self, call_id: u32) -> Result<(), Box<Fault>> {
        self.0.rollback(call_id).map_err(|e| refused(&e))
    }

    fn quarantine(&mut self, key: &str) -> Result<(), Box<Fault>> {
        self.0.quarantine(key).map_err(|e| refused(&e))
    }

    fn scrub(&mut self, key: &str) -> Result<(), Box<Fault>> {
        self.0.scrub(key).map_err(|e| refused(&e))
    }

    fn next_session(&mut self) -> Result<(), Box<Fault>> {
        self.0.next_session().map_err(|e| refused(&e))
    }

    fn judge(&mut self) -> Result<wit::Verdict, Box<Fault>> {
        let v = self.0.judge().map_err(|e| refused(&e))?;
        Ok(wit::Verdict {
            goal_met: v.goal_met,
            tainted_dependency: v.tainted_dependency,
            recovered: v.recovered,
            reinfected: v.reinfected,
        })
    }
}

fn call(call: &wit::Call) -> sdk::Call {
    sdk::Call { call_id: call.call_id, tool: call.tool, arguments: call.arguments.clone() }
}

fn scenario(s: &wit::Scenario) -> sdk::Scenario {
    let ledger =
        |l: &wit::Ledger| sdk::Ledger { form: l.form.clone(), entries: l.entries.iter().map(authorization).collect() };
    sdk::Scenario {
        id: s.id.clone(),
        stage: s.stage.clone(),
        family: s.family.clone(),
        topology: s.topology.clone(),
        memory_mode: s.memory_mode.clone(),
        toolset: s.toolset,
        agents: s.agents.clone(),
        goal: s.goal.clone(),
        later_goals: s.later_goals.clone(),
        ledgers: s.ledgers.iter().map(ledger).collect(),
        canaries: s.canaries.clone(),
        state: s.state.clone(),
        script: s.script.clone(),
    }
}

/// An entry of the ledger; policies get theirs the same way.
pub(super) fn authorization(a: &wy::Authorization) -> sdk::Authorization {
    let rule = |r: &wy::Rule| match r {
        wy::Rule::Any => sdk::Rule::Any,
        wy::Rule::Absent => sdk::Rule::Absent,
        wy::Rule::Equals(v) => sdk::Rule::Equals(v.clone()),
        wy::Rule::OneOf(v) => sdk::Rule::OneOf(v.clone()),
        wy::Rule::Prefix(v) => sdk::Rule::Prefix(v.clone()),
        wy::Rule::AtMost(v) => sdk::Rule::AtMost(*v),
        wy::Rule::MaxLength(v) => sdk::Rule::MaxLength(*v),
    };
    let constraint = |c: &wy::Constraint| sdk::Constraint { argument: c.argument.clone(), rule: rule(&c.rule) };
    sdk::Authorization {
        action: a.action.clone(),
        targets: a.targets.clone(),
        constraints: a.constraints.iter().map(constraint).collect(),
    }
}
