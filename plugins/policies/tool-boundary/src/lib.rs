//! Tool-boundary enforcement (ContainmentBench table 7): each high-risk call is checked, at the moment of its side
//! effect, against the tools and targets that the trusted task configuration allows. It keeps no provenance and looks at
//! no other argument.

use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};
use weir_plugin::{Ledger, export_policy};

/// The boundary of one task.
pub struct ToolBoundary {
    ledger: Ledger,
}

impl Policy for ToolBoundary {
    fn start(episode: Episode) -> Self {
        ToolBoundary { ledger: Ledger::new(episode) }
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        if !self.ledger.is_high_risk(proposal) {
            return Ok(Decision::allow_by("allow_low_risk", "the call has no side effect"));
        }
        Ok(match self.ledger.boundary(proposal)? {
            Some(entry) => Decision::allow_by("allow_boundary_match", format!("ledger entry {entry}")),
            None if self.ledger.knows_action(proposal) => Decision::block(
                "block_target_outside_boundary",
                "the task authorises this action, but not on this target",
            ),
            None => Decision::block("block_action_outside_boundary", "the task authorises no such action"),
        })
    }
}

export_policy!(ToolBoundary);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::UNTRUSTED;
    use weir_plugin::policy::Rule;
    use weir_plugin::testing::random::later_events_change_no_decision;
    use weir_plugin::testing::{allow, episode, labelled, propose, rule};

    fn policy() -> ToolBoundary {
        ToolBoundary::start(episode(vec![rule(allow("send", &["ann@corp.local"]), "body", Rule::Absent)]))
    }

    fn decide(proposal: &Proposal) -> Decision {
        policy().authorize(proposal).unwrap()
    }

    #[test]
    fn a_read_is_never_stopped() {
        assert_eq!(decide(&labelled(propose("read", &[]), UNTRUSTED)).rule(), Some("allow_low_risk"));
    }

    #[test]
    fn a_send_to_the_authorised_recipient_passes_even_after_reading_a_hostile_mail() {
        let proposal = labelled(propose("send", &[("to", r#"["ann@corp.local"]"#)]), UNTRUSTED);
        assert_eq!(decide(&proposal).rule(), Some("allow_boundary_match"));
    }

    #[test]
    fn a_send_to_anyone_else_is_stopped_with_its_rule() {
        let proposal = propose("send", &[("to", r#"["ann@corp.local","mallory@evil.local"]"#)]);
        assert_eq!(decide(&proposal).rule(), Some("block_target_outside_boundary"));
    }

    #[test]
    fn an_action_that_the_task_does_not_name_is_stopped_with_its_own_rule() {
        assert_eq!(decide(&propose("remember", &[])).rule(), Some("block_action_outside_boundary"));
    }

    #[test]
    fn other_arguments_are_not_looked_at() {
        let proposal = propose("send", &[("to", r#""ann@corp.local""#), ("body", r#""anything""#)]);
        assert_eq!(decide(&proposal).rule(), Some("allow_boundary_match"));
    }

    #[test]
    fn an_unknown_tool_is_high_risk_and_stopped() {
        assert_eq!(decide(&propose("no such tool", &[])).rule(), Some("block_action_outside_boundary"));
    }

    #[test]
    fn a_decision_rests_on_the_prefix_alone() {
        later_events_change_no_decision::<ToolBoundary>();
    }
}
