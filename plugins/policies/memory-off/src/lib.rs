//! Memory off (AuthMem-Bench 4, baseline of Module B): the acting model is told that there is no persistent memory. What it
//! does then, it does without one: the floor of both rates, and the test that a request cannot be met without its memory.

use weir_plugin::export_policy;
use weir_plugin::memory::unenforced;
use weir_plugin::policy::{Decision, Episode, Error, Item, Policy, Proposal};

/// What stands in the memories' place.
const NOTICE: &str = "No persistent memory is available.";

/// The baseline without memory.
pub struct MemoryOff;

impl Policy for MemoryOff {
    fn start(_: Episode) -> Self {
        MemoryOff
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(unenforced())
    }

    fn render(&mut self, _: &[Item]) -> Result<Option<String>, Error> {
        Ok(Some(NOTICE.into()))
    }
}

export_policy!(MemoryOff);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::testing::memory::item;
    use weir_plugin::testing::{episode, propose};

    #[test]
    fn nothing_of_a_memory_is_shown() {
        let shown = MemoryOff::start(episode(Vec::new())).render(&[item("Account 4411.", None)]).unwrap();
        assert_eq!(shown.as_deref(), Some("No persistent memory is available."));
    }

    #[test]
    fn a_call_runs_and_its_rule_says_that_nothing_was_enforced() {
        let decision = MemoryOff::start(episode(Vec::new())).authorize(&propose("send", &[])).unwrap();
        assert_eq!(decision.rule(), Some("allow_unenforced"));
    }
}
