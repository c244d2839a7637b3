//! The key of a server: sent, and never shown.

use std::fmt;

/// What is sent where a server wants no key, as local servers are used to.
pub(crate) const EMPTY: &str = "EMPTY";

/// A secret. It has no `Display`, and its `Debug` says nothing.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    pub(crate) fn new(text: &str) -> Key {
        Key(text.trim().to_owned())
    }

    /// The value of the `authorization` header.
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Whether it can stand in a header: anything else would be refused with an error that might show it.
    pub(crate) fn is_sendable(&self) -> bool {
        !self.0.is_empty() && self.0.bytes().all(|byte| (0x21..=0x7e).contains(&byte))
    }

    /// A text without the key: servers like to quote it back when they refuse it.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        if self.0 == EMPTY { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[key]")
    }
}
