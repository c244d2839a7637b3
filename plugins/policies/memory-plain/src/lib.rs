//! Memories without authority metadata (AuthMem-Bench 4): the conditions washed and source-attributed of Module B, which
//! differ in the text of the memory alone, and the arm without labels of Module C.

use weir_plugin::policy::{Decision, Episode, Error, Item, Policy, Proposal};
use weir_plugin::{export_policy, memory};

/// Memories as they are written.
pub struct MemoryPlain;

impl Policy for MemoryPlain {
    fn start(_: Episode) -> Self {
        MemoryPlain
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(memory::unenforced())
    }

    fn render(&mut self, memories: &[Item]) -> Result<Option<String>, Error> {
        Ok(Some(memory::plain(memories)))
    }
}

export_policy!(MemoryPlain);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::memory::Authority;
    use weir_plugin::testing::memory::item;
    use weir_plugin::testing::{episode, propose};

    #[test]
    fn even_a_label_that_is_kept_is_not_shown() {
        let memories = [item("Account 4411.", Some(Authority::Unendorsed))];
        let shown = MemoryPlain::start(episode(Vec::new())).render(&memories).unwrap().unwrap();
        assert_eq!(shown, "[Persistent memory]\n- Account 4411.");
    }

    #[test]
    fn memories_keep_the_labels_that_they_have_and_calls_run() {
        let mut policy = MemoryPlain::start(episode(Vec::new()));
        let labels = policy.endorse(&[item("Account 4411.", None)], &[]).unwrap();
        assert_eq!((labels.len(), labels[0].authority), (1, None));
        assert_eq!(policy.authorize(&propose("send", &[])).unwrap().rule(), Some("allow_unenforced"));
    }
}
