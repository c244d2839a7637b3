//! Histories and memories for the tests of writers and of policies for memory.

use crate::memory::{Authority, Item, Kind, Speaker, Turn};

/// A history of these turns, in order.
#[must_use]
pub fn history(turns: &[(Speaker, &str)]) -> Vec<Turn> {
    (0..)
        .zip(turns)
        .map(|(index, &(speaker, text))| Turn { index, speaker, text: text.into(), calls: Vec::new(), call_id: None })
        .collect()
}

/// A memory that nobody has labelled, or with this label.
#[must_use]
pub fn item(text: &str, authority: Option<Authority>) -> Item {
    Item { id: text.into(), text: text.into(), kind: Kind::Other, authority, evidence: Vec::new() }
}
