//! What the user has said so far, and what the ledger names: all that a task's privileges rest on.

use crate::rule::{Task, domain, is_within};
use std::collections::{BTreeMap, BTreeSet};
use weir_plugin::memory::Known;
use weir_plugin::{Ledger, Requests};

/// The user's words up to one request.
pub(crate) struct Words {
    /// How many requests there were after the first.
    requests: usize,
    said: Known,
    /// The domains of the addresses in the user's words and in the ledger.
    domains: BTreeSet<String>,
    /// Whether a rule's wishes are met, by the rule's number: it is asked for every call, and does not change.
    satisfied: BTreeMap<usize, bool>,
}

impl Words {
    /// What was said before an event.
    pub(crate) fn new(requests: &Requests, before: u32, ledger: &Ledger) -> Self {
        let texts: Vec<&str> = std::iter::once(requests.goal()).chain(requests.later(before)).collect();
        let bare = |word: &'_ str| domain(word.trim_matches(|c: char| !c.is_alphanumeric()));
        let spoken = texts.iter().flat_map(|text| text.split_whitespace()).filter_map(bare);
        Words {
            requests: texts.len().saturating_sub(1),
            domains: spoken.chain(ledger.targets().filter_map(domain)).collect(),
            said: Known::new(texts),
            satisfied: BTreeMap::new(),
        }
    }

    /// How many requests there were after the first.
    pub(crate) fn requests(&self) -> usize {
        self.requests
    }

    /// Whether the user's words have a value.
    pub(crate) fn say(&self, value: &str) -> bool {
        self.said.says(value)
    }

    /// Whether a domain is that of an address in the user's words or in the ledger, or one below it.
    pub(crate) fn name_domain(&self, domain: &str) -> bool {
        self.domains.iter().any(|named| is_within(domain, named))
    }

    /// Whether they are as the rule of this number wants them.
    pub(crate) fn satisfy(&mut self, rule: usize, task: &Task) -> bool {
        if let Some(&known) = self.satisfied.get(&rule) {
            return known;
        }
        let Task { says, silent_on, names_address } = task;
        let satisfied = (says.is_empty() || says.iter().any(|phrase| self.said.says(phrase)))
            && !silent_on.iter().any(|phrase| self.said.says(phrase))
            && names_address.is_none_or(|wanted| wanted == self.said.words().any(|word| word.contains('@')));
        self.satisfied.insert(rule, satisfied);
        satisfied
    }
}
