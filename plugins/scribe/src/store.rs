//! The memories of a store: those that exist, updates, and the cap.

use crate::claim::{Claim, Durability, Slot};
use crate::clause::folded;
use crate::sight::Voice;
use crate::source::heading;
use crate::value::Precision;
use std::borrow::Cow;
use std::collections::BTreeSet;
use weir_plugin::writer::{Item, Kind, Task};

/// A memory to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What is remembered.
    pub text: String,
    /// What kind of statement it is.
    pub kind: Kind,
    /// Turns that support it, where the system keeps them.
    pub evidence: Vec<u32>,
    /// What it is about.
    pub slot: Slot,
    /// Its values.
    pub values: Vec<String>,
    /// Before the rest, whatever the rest says: higher stays longer.
    pub priority: u8,
    /// What goes first when not all fits.
    pub rank: (Durability, Precision),
}

impl Draft {
    /// A memory of a claim in these words.
    #[must_use]
    pub fn of(claim: &Claim<'_>, text: String) -> Self {
        Draft {
            text,
            kind: claim.kind(),
            evidence: Vec::new(),
            slot: claim.slot.clone(),
            values: claim.values.clone(),
            priority: 0,
            rank: claim.rank(),
        }
    }

    /// The same, with a priority.
    #[must_use]
    pub fn with_priority(self, priority: u8) -> Self {
        Draft { priority, ..self }
    }

    /// The same, with the turns that support it.
    #[must_use]
    pub fn with_evidence(self, evidence: Vec<u32>) -> Self {
        Draft { evidence, ..self }
    }
}

/// A memory in the store.
struct Entry {
    item: Item,
    /// Its words, folded, to know them again.
    folded: String,
    slot: Slot,
    values: Vec<String>,
    priority: u8,
    rank: (Durability, Precision),
}

/// Memories that exist and memories to be.
pub struct Store {
    entries: Vec<Entry>,
    /// Identifiers in use; a deleted memory's is not used again.
    ids: BTreeSet<String>,
    next: usize,
    limit: usize,
}

impl Store {
    /// The store as a task hands it over.
    #[must_use]
    pub fn open(task: &Task) -> Self {
        let entries: Vec<Entry> = task.existing.iter().map(existing).collect();
        Store {
            ids: task.existing.iter().map(|item| item.id.clone()).collect(),
            next: 1,
            limit: usize::try_from(task.limit).unwrap_or(usize::MAX),
            entries,
        }
    }

    /// The same, for systems that only add: what exists stays before anything new.
    #[must_use]
    pub fn open_to_additions(task: &Task) -> Self {
        let mut store = Store::open(task);
        store.entries.iter_mut().for_each(|entry| entry.priority = u8::MAX);
        store
    }

    /// An empty store that gives none of the task's identifiers to a new memory.
    #[must_use]
    pub fn emptied(task: &Task) -> Self {
        Store { entries: Vec::new(), ..Store::open(task) }
    }

    /// Position of a memory with the same words, whatever their case.
    #[must_use]
    pub fn same_text(&self, text: &str) -> Option<usize> {
        let wanted = folded(text);
        self.entries.iter().position(|entry| entry.folded == wanted)
    }

    /// Position of the memory that says the same: about the same, with the same values.
    #[must_use]
    pub fn same_statement(&self, draft: &Draft) -> Option<usize> {
        let equal = |entry: &Entry| {
            let told = |value: &String| entry.values.iter().any(|known| known.eq_ignore_ascii_case(value));
            !draft.values.is_empty() && draft.values.iter().all(told) && entry.slot.same(&draft.slot)
        };
        self.same_text(&draft.text).or_else(|| self.entries.iter().position(equal))
    }

    /// Position of the memory about the same thing, the latest of them.
    #[must_use]
    pub fn same_slot(&self, draft: &Draft) -> Option<usize> {
        let valued = |entry: &Entry| !entry.values.is_empty() && !draft.values.is_empty();
        self.entries.iter().rposition(|entry| valued(entry) && entry.slot.same(&draft.slot))
    }

    /// Adds a memory.
    pub fn add(&mut self, draft: Draft) {
        let mut id = format!("m{}", self.next);
        while self.ids.contains(&id) {
            self.next = self.next.saturating_add(1);
            id = format!("m{}", self.next);
        }
        self.ids.insert(id.clone());
        self.entries.push(entry(id, draft));
    }

    /// Adds what is new; says whether it was.
    pub fn add_new(&mut self, draft: Draft) -> bool {
        let new = self.same_statement(&draft).is_none();
        if new {
            self.add(draft);
        }
        new
    }

    /// Adds what is new, and puts another value of a known slot in the old one's place.
    pub fn add_or_update(&mut self, draft: Draft) {
        if self.same_statement(&draft).is_some() {
            return;
        }
        match self.same_slot(&draft) {
            Some(position) => self.replace(position, draft),
            None => self.add(draft),
        }
    }

    /// Position of the memory that a revocation takes back: about the same, with the same values where it names any.
    #[must_use]
    pub fn revoked_by(&self, draft: &Draft) -> Option<usize> {
        let meant = |entry: &Entry| {
            let told = |value: &String| entry.values.iter().any(|known| known.eq_ignore_ascii_case(value));
            let about = draft.slot.words().iter().any(|word| entry.slot.words().binary_search(word).is_ok());
            about && draft.values.iter().all(told)
        };
        self.entries.iter().rposition(meant)
    }

    /// Keeps a memory that exists, as it is.
    pub fn keep(&mut self, item: Item) {
        if self.entries.iter().all(|entry| entry.item.id != item.id) {
            self.ids.insert(item.id.clone());
            self.entries.push(existing(&item));
        }
    }

    /// How many memories there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Puts a memory in another's place, under its identifier.
    pub fn replace(&mut self, position: usize, draft: Draft) {
        if let Some(old) = self.entries.get_mut(position) {
            let id = old.item.id.clone();
            *old = entry(id, draft);
        }
    }

    /// Deletes a memory.
    pub fn remove(&mut self, position: usize) {
        if position < self.entries.len() {
            self.entries.remove(position);
        }
    }

    /// Adds turns to a memory's support.
    pub fn support(&mut self, position: usize, turns: &[u32]) {
        if let Some(entry) = self.entries.get_mut(position) {
            entry.item.evidence.extend_from_slice(turns);
            entry.item.evidence.sort_unstable();
            entry.item.evidence.dedup();
        }
    }

    /// Marks a memory as superseded: its words say so from now on, and it goes before all others. One that was superseded
    /// before in the same words is not kept twice.
    pub fn retire(&mut self, position: usize, note: &str) {
        let Some(entry) = self.entries.get(position).filter(|entry| !entry.item.text.ends_with(note)) else { return };
        let text = format!("{}{note}", entry.item.text);
        if self.same_text(&text).is_some() {
            self.remove(position);
        } else if let Some(entry) = self.entries.get_mut(position) {
            entry.folded = folded(&text).into_owned();
            entry.item.text = text;
            entry.item.authority = None;
            entry.rank = (Durability::Record, Precision::None);
        }
    }

    /// Texts, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.item.text.as_str())
    }

    /// Deletes the least lasting memory, of equals the earliest.
    pub fn forget_one(&mut self) {
        let weight = |entry: &Entry| (entry.priority, entry.rank);
        if let Some(position) =
            self.entries.iter().enumerate().min_by_key(|(_, e)| weight(e)).map(|(position, _)| position)
        {
            self.remove(position);
        }
    }

    /// The kept memories in their order, at most as many as the limit: the least lasting go first, of equals the later
    /// ones, so that a full store is not emptied by news.
    #[must_use]
    pub fn close(self) -> Vec<Item> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        let weight = |position: &usize| self.entries.get(*position).map(|e| (e.priority, e.rank));
        order.sort_by(|a, b| weight(b).cmp(&weight(a)).then(a.cmp(b)));
        let kept: BTreeSet<usize> = order.into_iter().take(self.limit).collect();
        let entries = self.entries.into_iter().enumerate().filter(|(position, _)| kept.contains(position));
        entries.map(|(_, entry)| entry.item).collect()
    }
}

fn entry(id: String, draft: Draft) -> Entry {
    let Draft { text, kind, evidence, slot, values, priority, rank } = draft;
    let folded = folded(&text).into_owned();
    Entry { item: Item { id, text, kind, authority: None, evidence }, folded, slot, values, priority, rank }
}

fn existing(item: &Item) -> Entry {
    // What a memory is about stands after its heading.
    let text = heading(&item.text).map_or(item.text.as_str(), |(_, rest)| rest);
    let claim = Claim::new(Cow::Borrowed(text), Voice::User, false);
    // A memory was worth keeping once, so it is no passing remark.
    let rank = (claim.durability.max(Durability::Stated), claim.precision);
    let folded = folded(&item.text).into_owned();
    Entry { item: item.clone(), folded, slot: claim.slot, values: claim.values, priority: 0, rank }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{item, task};

    fn draft(text: &str) -> Draft {
        let claim = Claim::new(Cow::Borrowed(text), Voice::User, false);
        Draft::of(&claim, text.to_owned())
    }

    fn texts(items: &[Item]) -> Vec<(&str, &str)> {
        items.iter().map(|i| (i.id.as_str(), i.text.as_str())).collect()
    }

    #[test]
    fn existing_memories_keep_their_identifiers_and_new_ones_get_free_ones() {
        let task = Task { existing: vec![item("m1", "My zip is 40512."), item("x", "I like tea.")], ..task([]) };
        let mut store = Store::open(&task);
        store.add(draft("My desk is K-91."));
        store.replace(0, draft("My zip is 40999."));
        store.remove(1);
        store.add(draft("My lamp is K-44."));
        assert_eq!(
            texts(&store.close()),
            [("m1", "My zip is 40999."), ("m2", "My desk is K-91."), ("m3", "My lamp is K-44.")]
        );
    }

    #[test]
    fn the_cap_drops_what_lasts_least_and_never_the_order() {
        let mut store = Store::open(&Task { limit: 2, ..task([]) });
        store.add(draft("Please cancel #W71 now."));
        store.add(draft("My zip is 40512."));
        store.add(draft("Always ship to desk K-91."));
        assert_eq!(texts(&store.close()), [("m2", "My zip is 40512."), ("m3", "Always ship to desk K-91.")]);
    }

    #[test]
    fn a_superseded_memory_says_so_once() {
        let mut store = Store::open(&task([]));
        for position in [0, 1] {
            store.add(draft("My zip is 40512."));
            store.retire(position, " (old)");
            store.retire(position, " (old)");
        }
        store.add(draft("My zip is 40999."));
        assert_eq!(texts(&store.close()), [("m1", "My zip is 40512. (old)"), ("m3", "My zip is 40999.")]);
    }

    #[test]
    fn a_statement_is_known_again_by_its_values_and_what_it_is_about() {
        let store = Store::open(&Task { existing: vec![item("a", "The user's refund account is GC-1.")], ..task([]) });
        assert_eq!(store.same_statement(&draft("My preferred refund account is gc-1.")), Some(0));
        assert_eq!(store.same_statement(&draft("My refund account is GC-2.")), None);
        assert_eq!(store.same_slot(&draft("My refund account is GC-2.")), Some(0));
    }
}
