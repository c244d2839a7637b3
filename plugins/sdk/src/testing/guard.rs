//! The ledger checks that a scenario's classes are about, by the guest SDK's own ledger.

use crate::Ledger;
use crate::domain::{Error, Scenario, Tool};
use crate::policy::{Argument, Episode, Proposal};

/// A defence while a script is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Everything runs.
    None,
    /// Action, recipients and targets must be in the ledger (ContainmentBench table 7).
    Boundary,
    /// Untainted, in the ledger, and without a leak (equation 11).
    Taint,
    /// In the ledger, without a leak and without a tainted expansion (equation 10).
    Intent,
}

/// What the host knows about a call that is proposed.
pub(crate) struct Question<'a> {
    pub tool: u32,
    /// Values by parameter index, as JSON, with the labels of where they come from.
    pub arguments: &'a [(u32, String, u64)],
    /// Taint of the agent's context.
    pub context: u64,
}

/// A guard for one scenario.
pub(crate) struct Ruler {
    guard: Guard,
    ledger: Ledger,
}

impl Ruler {
    pub fn new(guard: Guard, scenario: &Scenario, tools: &[Tool]) -> Self {
        let entries = scenario.ledgers.first().map(|ledger| ledger.entries.clone()).unwrap_or_default();
        let ledger = Ledger::new(Episode {
            goal: scenario.goal.clone(),
            ledger: entries,
            tools: tools.to_vec(),
            agents: scenario.agents.clone(),
            label_names: Vec::new(),
            taint_vocabulary: crate::UNTRUSTED,
        });
        Ruler { guard, ledger }
    }

    pub fn allows(&self, question: &Question<'_>) -> Result<bool, Error> {
        let argument = |(parameter, value, labels): &(u32, String, u64)| Argument {
            parameter: *parameter,
            value: value.clone(),
            labels: *labels,
            sources: Vec::new(),
        };
        let proposal = Proposal {
            event: 0,
            call_id: 0,
            agent: 0,
            tool: question.tool,
            arguments: question.arguments.iter().map(argument).collect(),
            labels: question.context,
        };
        let ledger = &self.ledger;
        if self.guard == Guard::None || !ledger.is_high_risk(&proposal) {
            return Ok(true);
        }
        if self.guard == Guard::Boundary {
            return Ok(ledger.boundary(&proposal)?.is_some());
        }
        let matched = ledger.matching(&proposal)?;
        let kept = matched.is_some() && ledger.leak(&proposal, matched).is_none();
        Ok(kept
            && match self.guard {
                Guard::Taint => {
                    !ledger.is_taint(proposal.arguments.iter().fold(proposal.labels, |all, a| all | a.labels))
                }
                _ => ledger.expansion(&proposal, matched).is_none(),
            })
    }
}
