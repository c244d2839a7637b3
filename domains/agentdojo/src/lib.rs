//! The four classic AgentDojo suites (Debenedetti et al. 2024) as a domain for recorded runs: the tool catalogue, the
//! ledgers that the ground truth gives, and an oracle that reads a recorded tool call against the ground truth.
//!
//! Nothing of AgentDojo's prompts or ground truth is kept here. The importer passes one task at a time as the request's
//! parameters, and the scenario's state is exactly those parameters, so a scenario's hash covers the task.

mod assess;
mod attack;
mod catalogue;
mod ledger;
mod reading;
mod request;
mod words;

use assess::Recorded;
use request::Task;
use weir_plugin::domain::{Domain, Error, Info, Request, Scenario};
use weir_plugin::export_domain;

/// The only stage: calls that a model made in some earlier run, judged one by one.
pub const STAGE: &str = "recorded";

/// The AgentDojo domain.
pub struct AgentDojo;

impl Domain for AgentDojo {
    type Environment = Recorded;

    fn describe() -> Info {
        Info {
            name: "agentdojo".into(),
            title: "Recorded runs of AgentDojo's workspace, travel, banking and slack suites".into(),
            toolsets: catalogue::toolsets(),
            stages: vec![STAGE.into()],
            families: catalogue::SUITES.iter().map(|suite| suite.name.into()).collect(),
        }
    }

    /// One scenario: the task that the parameters describe. Seed and count play no part.
    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        if request.stage != STAGE {
            return Err(Error::Unsupported(format!("unknown stage `{}`: this domain has `{STAGE}`", request.stage)));
        }
        Ok(vec![scenario(&Task::parse(&request.parameters)?)])
    }
}

fn scenario(task: &Task) -> Scenario {
    Scenario {
        id: task.scenario_id(),
        stage: STAGE.into(),
        family: task.suite.name.into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        toolset: task.toolset,
        agents: vec!["agent".into()],
        goal: task.goal.clone(),
        later_goals: Vec::new(),
        ledgers: vec![ledger::oracle(task), ledger::prompt(task)],
        canaries: Vec::new(),
        state: task.state.clone(),
        script: task.script(),
    }
}

export_domain!(AgentDojo, allocator = default);

#[cfg(test)]
mod tests;
