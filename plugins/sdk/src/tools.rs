//! An episode's tools as a rule asks about them: what a call can do, what each of its arguments means, and whether
//! untrusted content may have influenced it.

use crate::json;
use crate::policy::{self, Argument, Effect, Proposal, Role};

/// The tools of one episode, resolved once so that a decision looks nothing up by name.
pub struct Tools {
    tools: Vec<Tool>,
    taint: u64,
}

struct Tool {
    effect: Effect,
    roles: Vec<Role>,
    names: Vec<String>,
}

impl Tools {
    /// Resolves an episode's tools under its taint vocabulary.
    #[must_use]
    pub fn new(offered: Vec<policy::Tool>, taint_vocabulary: u64) -> Self {
        let resolved = |tool: policy::Tool| {
            let (roles, names) = tool.parameters.into_iter().map(|p| (p.role, p.name)).unzip();
            Tool { effect: tool.effect, roles, names }
        };
        Tools { tools: offered.into_iter().map(resolved).collect(), taint: taint_vocabulary }
    }

    /// What the proposed call can do; none for a tool outside the episode.
    #[must_use]
    pub fn effect(&self, proposal: &Proposal) -> Option<Effect> {
        self.tool(proposal).map(|tool| tool.effect)
    }

    /// HighRisk(q) (ContainmentBench 4.4): the call has side effects, writes memory or recovers. A tool outside the
    /// episode counts as high-risk.
    #[must_use]
    pub fn is_high_risk(&self, proposal: &Proposal) -> bool {
        self.effect(proposal)
            .is_none_or(|effect| matches!(effect, Effect::SideEffect | Effect::MemoryWrite | Effect::Recovery))
    }

    /// Whether these labels count as taint in this episode.
    #[must_use]
    pub fn is_taint(&self, labels: u64) -> bool {
        labels & self.taint != 0
    }

    /// Whether q is in T at its own time k(q): the proposal inherits its context, and any tainted field taints it.
    #[must_use]
    pub fn is_tainted(&self, proposal: &Proposal) -> bool {
        self.is_taint(proposal.arguments.iter().fold(proposal.labels, |labels, argument| labels | argument.labels))
    }

    /// What an argument means. One without a known parameter is treated as a target: it must be authorised.
    #[must_use]
    pub fn role(&self, proposal: &Proposal, argument: &Argument) -> Role {
        let index = usize::try_from(argument.parameter).ok();
        let known = self.tool(proposal).zip(index).and_then(|(tool, index)| tool.roles.get(index));
        known.copied().unwrap_or(Role::Target)
    }

    /// An argument's name in its tool's schema.
    #[must_use]
    pub fn name(&self, proposal: &Proposal, argument: &Argument) -> &str {
        let index = usize::try_from(argument.parameter).ok();
        let known = self.tool(proposal).zip(index).and_then(|(tool, index)| tool.names.get(index));
        known.map_or("unknown", String::as_str)
    }

    /// Whether the call gives an argument of this role; null and empty values are absent.
    #[must_use]
    pub fn gives(&self, proposal: &Proposal, role: Role) -> bool {
        let given = |argument: &Argument| self.role(proposal, argument) == role && !json::is_absent(&argument.value);
        proposal.arguments.iter().any(given)
    }

    fn tool(&self, proposal: &Proposal) -> Option<&Tool> {
        self.tools.get(usize::try_from(proposal.tool).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UNTRUSTED;
    use crate::testing::{episode, propose};

    fn tools() -> Tools {
        Tools::new(episode(Vec::new()).tools, UNTRUSTED)
    }

    #[test]
    fn side_effects_memory_writes_recoveries_and_unknown_tools_are_high_risk() {
        for (tool, expected) in
            [("read", false), ("send", true), ("share", true), ("remember", true), ("scrub", true), ("no such", true)]
        {
            assert_eq!(tools().is_high_risk(&propose(tool, &[])), expected, "{tool}");
        }
    }

    #[test]
    fn an_empty_recipient_is_not_given() {
        for (value, expected) in [(r#""ann@x""#, true), (r#""""#, false), ("null", false), ("[]", false)] {
            assert_eq!(tools().gives(&propose("send", &[("to", value)]), Role::Recipient), expected, "{value}");
        }
    }

    #[test]
    fn an_argument_without_a_known_parameter_is_a_target() {
        let proposal = propose("send", &[("no such", r#""x""#)]);
        assert!(tools().gives(&proposal, Role::Target));
        assert_eq!(tools().name(&proposal, &proposal.arguments[0]), "unknown");
    }

    #[test]
    fn a_tainted_context_or_a_single_tainted_field_taints_the_proposal() {
        let mut proposal = propose("send", &[("to", r#""ann@x""#), ("body", r#""hi""#)]);
        assert!(!tools().is_tainted(&proposal));
        proposal.arguments[1].labels = UNTRUSTED;
        assert!(tools().is_tainted(&proposal));
        proposal.arguments[1].labels = 0;
        proposal.labels = UNTRUSTED;
        assert!(tools().is_tainted(&proposal));
    }
}
