//! What a task's privileges rest on: what the user has said so far, and what the ledger names.

use crate::rule::{Task, domain, is_within};
use std::collections::{BTreeMap, BTreeSet};
use weir_plugin::{Ledger, Requests};

/// What has been found out about the user's words up to one request.
#[derive(Default)]
pub(crate) struct Found {
    /// How many requests there were after the first.
    requests: usize,
    /// The domains of the addresses in the user's words and in the ledger.
    domains: Option<BTreeSet<String>>,
    /// Whether a rule's wishes are met, by the rule's number: it is asked for every call, and does not change.
    satisfied: BTreeMap<usize, bool>,
}

/// The user's words before one event.
pub(crate) struct Words<'a> {
    requests: &'a Requests,
    ledger: &'a Ledger,
    before: u32,
    found: &'a mut Found,
}

impl<'a> Words<'a> {
    /// Keeps what was found out before, unless the user has said more since or less then.
    pub(crate) fn new(requests: &'a Requests, ledger: &'a Ledger, before: u32, found: &'a mut Found) -> Self {
        let count = requests.later(before).count();
        if found.requests != count {
            *found = Found { requests: count, ..Found::default() };
        }
        Words { requests, ledger, before, found }
    }

    /// Whether the user's words have a value.
    pub(crate) fn say(&self, value: &str) -> bool {
        self.requests.say(value, self.before)
    }

    /// Whether a domain is that of an address in the user's words or in the ledger, or one below it.
    pub(crate) fn name_domain(&mut self, domain: &str) -> bool {
        let named = self.found.domains.get_or_insert_with(|| named(self.requests, self.ledger, self.before));
        named.iter().any(|named| is_within(domain, named))
    }

    /// Whether they are as the rule of this number wants them.
    pub(crate) fn satisfy(&mut self, rule: usize, task: &Task) -> bool {
        if let Some(&known) = self.found.satisfied.get(&rule) {
            return known;
        }
        let Task { says, silent_on, names_address } = task;
        let has_address = || self.requests.words(self.before).any(|word| word.contains('@'));
        let satisfied = (says.is_empty() || says.iter().any(|phrase| self.say(phrase)))
            && !silent_on.iter().any(|phrase| self.say(phrase))
            && names_address.is_none_or(|wanted| wanted == has_address());
        self.found.satisfied.insert(rule, satisfied);
        satisfied
    }
}

fn named(requests: &Requests, ledger: &Ledger, before: u32) -> BTreeSet<String> {
    let texts = std::iter::once(requests.goal()).chain(requests.later(before));
    let bare = |word: &str| domain(word.trim_matches(|c: char| !c.is_alphanumeric()));
    texts.flat_map(str::split_whitespace).filter_map(bare).chain(ledger.targets().filter_map(domain)).collect()
}
