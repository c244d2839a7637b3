//! A policy whose words follow the order of a hash map. Its keys come from addresses and from how many maps there were
//! before, so the order is the same in each fresh instance, and another in the next session of the same one.

use std::collections::HashMap;
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The mistake.
pub struct Hostile {
    tools: HashMap<String, usize>,
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        let names = episode.tools.into_iter().map(|tool| tool.name).chain((0..20).map(|n| format!("tool-{n}")));
        Hostile { tools: names.zip(0..).collect() }
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        let known: Vec<&str> = self.tools.keys().map(String::as_str).collect();
        Ok(Decision::block("block_all", known.join(" ")))
    }
}

export_policy!(Hostile);
