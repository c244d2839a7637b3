//! The conservative join (AuthMem-Bench 4, baseline of Modules B and C): every memory bears the least permissive label of
//! any source in the history that it was written from. Nothing is upgraded, and nothing that the user said stays usable once
//! a tool has spoken.

use weir_plugin::policy::{Decision, Endorsement, Episode, Error, Item, Policy, Proposal, Turn};
use weir_plugin::{export_policy, memory};

/// One label for all.
pub struct MemoryJoin;

impl Policy for MemoryJoin {
    fn start(_: Episode) -> Self {
        MemoryJoin
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(memory::unenforced())
    }

    /// The label comes from the history as a whole, so no turn is named as a memory's support.
    fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<Vec<Endorsement>, Error> {
        let label = memory::join(history);
        Ok(memories.iter().map(|_| Endorsement { authority: Some(label), support: None }).collect())
    }

    fn render(&mut self, memories: &[Item]) -> Result<Option<String>, Error> {
        Ok(Some(memory::labelled(memories)))
    }
}

export_policy!(MemoryJoin);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::memory::{Authority, Speaker};
    use weir_plugin::testing::memory::{history, item};
    use weir_plugin::testing::{episode, propose};

    fn labels(turns: &[(Speaker, &str)]) -> Vec<Option<Authority>> {
        let memories = [item("Account 4411.", Some(Authority::Authorized)), item("Seat 14C.", None)];
        let answer = MemoryJoin::start(episode(Vec::new())).endorse(&memories, &history(turns)).unwrap();
        answer.into_iter().map(|endorsement| endorsement.authority).collect()
    }

    #[test]
    fn one_tool_result_makes_every_memory_unendorsed() {
        let turns = [(Speaker::User, "My account is 4411."), (Speaker::Assistant, "Noted."), (Speaker::Tool, "{}")];
        assert_eq!(labels(&turns), [Some(Authority::Unendorsed); 2]);
        assert_eq!(labels(&turns[..2]), [Some(Authority::Attested); 2]);
        assert_eq!(labels(&turns[..1]), [Some(Authority::Authorized); 2]);
    }

    #[test]
    fn the_systems_turns_are_no_source() {
        assert_eq!(labels(&[(Speaker::System, "policy"), (Speaker::User, "words")]), [Some(Authority::Authorized); 2]);
        assert_eq!(labels(&[(Speaker::System, "policy")]), [Some(Authority::Unendorsed); 2]);
    }

    #[test]
    fn memories_are_shown_with_their_labels_and_calls_run() {
        let mut policy = MemoryJoin::start(episode(Vec::new()));
        let shown = policy.render(&[item("Account 4411.", Some(Authority::Attested))]).unwrap().unwrap();
        assert!(shown.ends_with("- [Attested] Account 4411."), "{shown}");
        assert_eq!(policy.authorize(&propose("send", &[])).unwrap().rule(), Some("allow_unenforced"));
    }
}
