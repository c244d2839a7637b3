//! Memories under the labels that they are stored with (AuthMem-Bench 4): gold ones in Module B, the oracle's in Module C.
//! It labels nothing itself, so it shows what labels are worth where they are right.

use weir_plugin::policy::{Decision, Episode, Error, Item, Policy, Proposal};
use weir_plugin::{export_policy, memory};

/// Memories with their labels.
pub struct MemoryLabelled;

impl Policy for MemoryLabelled {
    fn start(_: Episode) -> Self {
        MemoryLabelled
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(memory::unenforced())
    }

    fn render(&mut self, memories: &[Item]) -> Result<Option<String>, Error> {
        Ok(Some(memory::labelled(memories)))
    }
}

export_policy!(MemoryLabelled);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::memory::Authority;
    use weir_plugin::testing::memory::item;
    use weir_plugin::testing::{episode, propose};

    #[test]
    fn each_memory_is_shown_with_its_own_label_and_one_without_fails_closed() {
        let memories = [item("Seat 14C.", Some(Authority::Authorized)), item("Account 4411.", None)];
        let shown = MemoryLabelled::start(episode(Vec::new())).render(&memories).unwrap().unwrap();
        assert!(shown.ends_with("- [Authorized] Seat 14C.\n- [Unendorsed] Account 4411."), "{shown}");
    }

    #[test]
    fn it_labels_nothing_and_calls_run() {
        let mut policy = MemoryLabelled::start(episode(Vec::new()));
        assert_eq!(policy.endorse(&[item("Seat 14C.", None)], &[]).unwrap()[0].authority, None);
        assert_eq!(policy.authorize(&propose("send", &[])).unwrap().rule(), Some("allow_unenforced"));
    }
}
