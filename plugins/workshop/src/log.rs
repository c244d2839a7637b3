//! What took effect, oldest first, over a world that never changes: objects and memories as they are now are a fold over
//! this log. Undoing a call is taking it out of the log.

use crate::act::Act;
use crate::world::{Object, World};
use std::borrow::Cow;
use std::collections::BTreeMap;
use weir_plugin::UNTRUSTED;

/// One thing that took effect.
#[derive(Debug)]
pub struct Done {
    /// The call's identifier; none for a repair that the host made.
    pub call_id: Option<u32>,
    /// The call, likewise.
    pub act: Option<Act>,
    /// What it did.
    pub deed: Deed,
    /// The session in which it was done.
    pub session: u32,
    /// Untrusted content had been returned in this session before.
    pub after_taint: bool,
    /// It acts on an object whose own labels are untrusted.
    pub on_untrusted: bool,
    /// Untrusted memory under the designated key was recalled although it had been repaired.
    pub came_back: bool,
}

/// What a call does to the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Nothing at all: a call that failed.
    Failed,
    /// Nothing that a later call can see.
    Unseen,
    /// A new object.
    Create(Object),
    /// A field's new value.
    Set {
        /// The object.
        object: String,
        /// The field.
        field: String,
        /// The value.
        value: String,
    },
    /// A further line of an object's text.
    Append {
        /// The object.
        object: String,
        /// The line.
        line: String,
    },
    /// The object is gone.
    Delete(String),
    /// A memory.
    Remember {
        /// Its key.
        key: String,
        /// What it says.
        value: String,
        /// Its labels.
        labels: u64,
        /// Gone at the end of its session.
        for_session: bool,
    },
    /// A memory is deleted.
    Scrub(String),
    /// A memory is held back.
    Quarantine(String),
}

/// A memory as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it says.
    pub value: String,
    /// Its labels.
    pub labels: u64,
    /// Held back from recall.
    pub quarantined: bool,
    /// The only session in which it exists; none if it persists.
    only_in: Option<u32>,
}

impl Entry {
    /// Whether it brings untrusted content back when it is recalled.
    #[must_use]
    pub fn infects(&self) -> bool {
        !self.quarantined && self.labels & UNTRUSTED != 0
    }
}

/// The objects after these effects, copied only where an effect changed them. What was written in a tainted context is
/// tainted.
#[must_use]
pub fn objects<'a>(world: &'a World, done: &'a [Done]) -> Vec<Cow<'a, Object>> {
    let mut objects: Vec<Cow<'a, Object>> = world.objects.iter().map(Cow::Borrowed).collect();
    for done in done {
        let taint = if done.after_taint { UNTRUSTED } else { 0 };
        match &done.deed {
            Deed::Create(object) => {
                objects.push(Cow::Owned(Object { labels: object.labels | taint, ..object.clone() }));
            }
            Deed::Delete(id) => objects.retain(|object| object.id != *id),
            Deed::Set { object: id, field, value } => {
                if let Some(object) = objects.iter_mut().find(|object| object.id == *id) {
                    let object = object.to_mut();
                    object.labels |= taint;
                    object.fields.insert(field.clone(), value.clone());
                }
            }
            Deed::Append { object: id, line } => {
                if let Some(object) = objects.iter_mut().find(|object| object.id == *id) {
                    let object = object.to_mut();
                    object.labels |= taint;
                    object.body = format!("{}\n{line}", object.body);
                }
            }
            _ => {}
        }
    }
    objects
}

/// The memories that exist in a session after these effects, quarantined ones included.
#[must_use]
pub fn memory(world: &World, done: &[Done], session: u32) -> BTreeMap<String, Entry> {
    let entry = |value: &String, labels, only_in| Entry { value: value.clone(), labels, quarantined: false, only_in };
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    for memory in &world.memory {
        entries.insert(memory.key.clone(), entry(&memory.value, memory.labels, memory.for_session.then_some(0)));
    }
    let mut now = 0;
    let turn = |entries: &mut BTreeMap<String, Entry>, session| {
        entries.retain(|_, entry| entry.only_in.is_none_or(|only| only == session));
    };
    for done in done {
        if done.session != now {
            now = done.session;
            turn(&mut entries, now);
        }
        match &done.deed {
            Deed::Remember { key, value, labels, for_session } => {
                let only_in = for_session.then_some(done.session);
                entries.insert(key.clone(), entry(value, *labels, only_in));
            }
            Deed::Scrub(key) => {
                entries.remove(key);
            }
            Deed::Quarantine(key) => {
                if let Some(entry) = entries.get_mut(key) {
                    entry.quarantined = true;
                }
            }
            _ => {}
        }
    }
    turn(&mut entries, session);
    entries
}

/// Whether a memory under this key has been scrubbed or quarantined.
#[must_use]
pub fn repaired(done: &[Done], key: &str) -> bool {
    done.iter().any(|done| matches!(&done.deed, Deed::Scrub(k) | Deed::Quarantine(k) if k == key))
}
