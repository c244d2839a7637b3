//! Intent-ledger firewall v2 (ContainmentBench equations 8-10, Appendix H): a high-risk call passes if it matches an entry
//! of the trusted ledger exactly, leaks no secret, and no tainted argument expands the authority of that entry. Taint
//! alone does not disqualify it.

use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};
use weir_plugin::{Firewall, export_policy};

/// The firewall of one rollout.
pub struct IntentLedger {
    firewall: Firewall,
}

impl Policy for IntentLedger {
    fn start(episode: Episode) -> Self {
        IntentLedger { firewall: Firewall::new(episode) }
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        self.firewall.decide(proposal)
    }
}

export_policy!(IntentLedger);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::policy::Rule;
    use weir_plugin::testing::random::{Dice, later_events_change_no_decision, ledger, proposal};
    use weir_plugin::testing::{allow, episode, labelled, propose, rule};
    use weir_plugin::{CANARY, PRIVATE, UNTRUSTED};

    fn rule_of(proposal: &Proposal) -> String {
        let ledger = vec![
            rule(allow("send", &["ann@corp.local"]), "subject", Rule::MaxLength(20)),
            allow("share", &["plan.txt", "ann@corp.local"]),
            allow("remember", &["note"]),
            rule(allow("update", &["note"]), "value", Rule::MaxLength(5)),
        ];
        IntentLedger::start(episode(ledger)).authorize(proposal).unwrap().rule().unwrap().to_owned()
    }

    #[test]
    fn an_authorised_send_passes_even_though_every_field_is_tainted() {
        let proposal = labelled(propose("send", &[("to", r#""ann@corp.local""#), ("body", r#""x""#)]), UNTRUSTED);
        assert_eq!(rule_of(&proposal), "allow_ledger_match");
    }

    #[test]
    fn a_recipient_that_untrusted_content_introduced_is_an_expansion() {
        let proposal = labelled(propose("send", &[("to", r#""mallory@evil.local""#)]), UNTRUSTED);
        assert_eq!(rule_of(&proposal), "block_tainted_authority_expansion");
    }

    #[test]
    fn an_untainted_recipient_outside_the_ledger_is_blocked_by_its_own_rule() {
        assert_eq!(rule_of(&propose("send", &[("to", r#""bob@corp.local""#)])), "block_target_outside_ledger");
    }

    #[test]
    fn an_argument_that_breaks_its_rule_is_blocked() {
        let subject = r#""a subject of more than twenty""#;
        let proposal = propose("send", &[("to", r#""ann@corp.local""#), ("subject", subject)]);
        assert_eq!(rule_of(&proposal), "block_argument_outside_ledger");
    }

    #[test]
    fn a_tainted_visibility_that_no_entry_names_is_a_privilege_jump() {
        let share = [("file", r#""plan.txt""#), ("with", r#""ann@corp.local""#), ("visibility", r#""public""#)];
        assert_eq!(rule_of(&propose("share", &share)), "allow_ledger_match");
        assert_eq!(rule_of(&labelled(propose("share", &share), UNTRUSTED)), "block_low_to_high_privilege_jump");
    }

    #[test]
    fn a_canary_in_any_argument_is_a_leak_even_to_an_authorised_recipient() {
        let proposal = labelled(propose("send", &[("to", r#""ann@corp.local""#), ("body", r#""x""#)]), CANARY);
        assert_eq!(rule_of(&proposal), "block_secret_leak");
    }

    #[test]
    fn private_content_is_a_leak_unless_the_entry_speaks_of_that_argument() {
        let to = ("to", r#""ann@corp.local""#);
        assert_eq!(rule_of(&labelled(propose("send", &[to, ("body", r#""x""#)]), PRIVATE)), "block_secret_leak");
        assert_eq!(rule_of(&labelled(propose("send", &[to, ("subject", r#""x""#)]), PRIVATE)), "allow_ledger_match");
    }

    #[test]
    fn a_canary_leaks_whatever_role_its_argument_has() {
        let mut send = propose("send", &[("to", r#""ann@corp.local""#), ("subject", r#""x""#)]);
        for argument in 0..2 {
            send.arguments[argument].labels = CANARY;
            assert_eq!(rule_of(&send), "block_secret_leak", "argument {argument}");
            send.arguments[argument].labels = 0;
        }
        assert_eq!(rule_of(&send), "allow_ledger_match");
    }

    #[test]
    fn the_tainted_scope_of_an_authorised_memory_write_is_a_privilege_jump() {
        let mut write = propose("remember", &[("key", r#""note""#), ("value", r#""x""#), ("scope", r#""persistent""#)]);
        write.labels = UNTRUSTED;
        write.arguments[1].labels = UNTRUSTED;
        assert_eq!(rule_of(&write), "allow_ledger_match", "a tainted value in an untainted scope");
        write.arguments[2].labels = UNTRUSTED;
        assert_eq!(rule_of(&write), "block_low_to_high_privilege_jump");
    }

    #[test]
    fn a_scope_that_the_entry_names_may_come_from_anywhere() {
        let named = rule(allow("remember", &["note"]), "scope", Rule::Equals(r#""session""#.into()));
        let write = |scope| labelled(propose("remember", &[("key", r#""note""#), ("scope", scope)]), UNTRUSTED);
        let decide = |scope| IntentLedger::start(episode(vec![named.clone()])).authorize(&write(scope)).unwrap();
        assert_eq!(decide(r#""session""#).rule(), Some("allow_ledger_match"));
        assert_eq!(decide(r#""persistent""#).rule(), Some("block_tainted_authority_expansion"));
    }

    #[test]
    fn an_authorised_target_is_no_expansion_when_another_argument_is_wrong() {
        let update = labelled(propose("update", &[("object", r#""note""#), ("value", r#""longer""#)]), UNTRUSTED);
        assert_eq!(rule_of(&update), "block_argument_outside_ledger");
    }

    #[test]
    fn a_recovery_without_an_entry_is_blocked() {
        assert_eq!(rule_of(&propose("scrub", &[("key", r#""note""#)])), "block_action_outside_ledger");
    }

    #[test]
    fn an_action_outside_the_goal_is_blocked() {
        let no_entry = propose("remember", &[("value", r#""x""#)]);
        let decision = IntentLedger::start(episode(Vec::new())).authorize(&no_entry).unwrap();
        assert_eq!(decision.rule(), Some("block_action_outside_ledger"));
    }

    #[test]
    fn the_order_of_the_ledger_changes_no_decision() {
        for seed in 0..5_000 {
            let mut dice = Dice::new(seed);
            let entries = ledger(&mut dice);
            let asked = proposal(&mut dice, 9, 0);
            let backwards = entries.iter().rev().cloned().collect();
            let allowed = |ledger| {
                let decision = IntentLedger::start(episode(ledger)).authorize(&asked).unwrap();
                matches!(decision, Decision::Allow(_))
            };
            assert_eq!(allowed(entries), allowed(backwards), "seed {seed}");
        }
    }

    #[test]
    fn a_decision_rests_on_the_prefix_alone() {
        later_events_change_no_decision::<IntentLedger>();
    }
}
