//! What a component says of itself: a custom section of JSON, so that a plugin is one file.
//!
//! The section [`SECTION`] stands in the component itself, not in one that is nested in it:
//!
//! ```json
//! {
//!   "format": "weir-plugin/1",
//!   "kind": "policy",
//!   "contract": "weir:plugin@1.2.3",
//!   "name": "my-guard",
//!   "version": "0.1.0",
//!   "authors": ["Ann <ann@example.org>"],
//!   "licence": "MIT",
//!   "homepage": "https://example.org/my-guard",
//!   "asks": ["log", "transcript"],
//!   "optional": ["model:judge"],
//!   "limits": { "hook-fuel": 20000000 }
//! }
//! ```
//!
//! What it asks for must be granted, or it is not loaded. What is optional may be refused: it is loaded all the same, and a
//! model's role that is not granted answers `access-denied`. Limits are those that it wants other than they are by default.
//! Authors, licence, homepage, optional capabilities and limits may be absent; unknown keys are errors. `kind` and `contract`
//! say again what the component's exports say, so that a section that was made for something else is found.
//!
//! Nothing here is trusted. A name in it is what the author calls the plugin: grants and reports go by the name under which
//! the operator loads it.

mod capability;
mod kind;
mod limit;
mod section;
mod surface;
mod text;

pub use capability::Capability;
pub use kind::Kind;
pub use limit::Limit;
pub use section::{read, write};
pub use surface::{PACKAGE, Surface, of_contract};
pub use text::is_hidden;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The custom section's name.
pub const SECTION: &str = "weir:plugin";

/// The version of the section's form.
pub const FORMAT: &str = "weir-plugin/1";

/// Bytes of the largest section. The longest texts that are allowed need less than half.
pub const SECTION_BYTES: usize = 16 << 10;

/// Characters of the longest name: longer ones break the tables of reports.
pub const LONGEST_NAME: usize = 40;

/// Characters of any other text.
const LONGEST_TEXT: usize = 200;

/// Entries of a list.
const MOST: usize = 32;

/// What a component says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// [`FORMAT`].
    pub format: String,
    /// What kind of plugin it is.
    pub kind: Kind,
    /// The contract that it was built against: package and version.
    pub contract: String,
    /// What its author calls it.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Its licence, as an SPDX expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Where to read more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// Capabilities that it cannot do without.
    pub asks: Vec<Capability>,
    /// Capabilities that it uses where they are granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Capability>,
    /// Limits that it wants other than they are by default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<Limit, u64>,
}

/// Why metadata cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes are no component.
    #[error("not a well-formed WebAssembly component: {message} (at byte {offset})")]
    Component {
        /// The parser's message.
        message: String,
        /// Where.
        offset: u64,
    },
    /// There is more than one section.
    #[error("there are {0} sections `weir:plugin`, and nobody knows which is meant")]
    Many(usize),
    /// The section is too long.
    #[error("the section `weir:plugin` has {0} bytes, the limit is {SECTION_BYTES}")]
    Long(usize),
    /// It is not JSON of the known form.
    #[error("the section `weir:plugin` is not what {FORMAT} says: {0}")]
    Json(String),
    /// It has another form.
    #[error("the section `weir:plugin` has the format `{0}`, and this weir knows {FORMAT}")]
    Format(String),
    /// A value is not allowed.
    #[error("`{key}`: {what}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong with its value, and what is allowed.
        what: String,
    },
}

impl Metadata {
    /// Whether every value is one that is allowed.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |key, what: String| Err(Error::Value { key, what });
        if !is_name(&self.name) {
            return wrong("name", name_rule(&self.name));
        }
        let contract = self.contract.split_once('@');
        if !contract.is_some_and(|(package, version)| package == surface::PACKAGE && !version.is_empty()) {
            return wrong("contract", format!("expected {}@VERSION", surface::PACKAGE));
        }
        let authors = self.authors.iter().map(|author| ("authors", author));
        let single = [("contract", Some(&self.contract)), ("version", Some(&self.version))];
        let optional = [("licence", self.licence.as_ref()), ("homepage", self.homepage.as_ref())];
        let single = single.into_iter().chain(optional).filter_map(|(key, text)| Some((key, text?)));
        for (key, text) in single.chain(authors) {
            if text.trim() != text || text.is_empty() || text.chars().count() > LONGEST_TEXT || !is_line(text) {
                let what = format!("expected 1 to {LONGEST_TEXT} printable characters, without spaces around them");
                return wrong(key, what);
            }
        }
        if self.homepage.as_ref().is_some_and(|page| !page.starts_with("https://") && !page.starts_with("http://")) {
            return wrong("homepage", "expected an address that begins with https:// or http://".into());
        }
        for (key, count) in
            [("authors", self.authors.len()), ("asks", self.asks.len()), ("optional", self.optional.len())]
        {
            if count > MOST {
                return wrong(key, format!("{count} entries, the limit is {MOST}"));
            }
        }
        for (key, list) in [("asks", &self.asks), ("optional", &self.optional)] {
            if let Some(long) =
                list.iter().map(ToString::to_string).find(|name| name.chars().count() > LONGEST_TEXT || !is_line(name))
            {
                let what = format!("a capability of {} characters is none", long.chars().count());
                return wrong(key, what);
            }
            let twice = list.iter().enumerate().find(|(at, one)| list.iter().take(*at).any(|other| other == *one));
            if let Some((_, twice)) = twice {
                return wrong(key, format!("`{twice}` stands there twice"));
            }
        }
        if let Some(both) = self.optional.iter().find(|one| self.asks.contains(one)) {
            return wrong("optional", format!("`{both}` stands in `asks` too: it is either needed or optional"));
        }
        Ok(())
    }
}

/// Whether a plugin can have this name: it becomes a file, a folder, a package and a row of every table.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    begins && name.split('-').all(is_word) && name.len() <= LONGEST_NAME
}

/// What is said of a name that no plugin can have.
#[must_use]
pub fn name_rule(name: &str) -> String {
    format!(
        "`{name}` cannot be a plugin's name\n  allowed: lower-case letters a to z and digits, in words joined by single hyphens, a letter first, at most {LONGEST_NAME} \
         characters, as in `my-guard`"
    )
}

/// Whether a text is one line that prints as it reads: no control characters, and none that only steer how others are shown.
fn is_line(text: &str) -> bool {
    !text.chars().any(is_hidden)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn metadata() -> Metadata {
        Metadata {
            format: FORMAT.into(),
            kind: Kind::Policy,
            contract: "weir:plugin@0.0.7".into(),
            name: "my-guard".into(),
            version: "1.2.0".into(),
            authors: vec!["Ann <ann@example.org>".into()],
            licence: Some("MIT".into()),
            homepage: Some("https://example.org".into()),
            asks: vec![Capability::Log],
            optional: vec![Capability::Model("judge".into())],
            limits: [(Limit::HookFuel, 20_000_000)].into(),
        }
    }

    /// What is said of good metadata after a change.
    fn said(change: impl Fn(&mut Metadata)) -> String {
        let mut metadata = metadata();
        change(&mut metadata);
        metadata.check().unwrap_err().to_string()
    }

    #[test]
    fn good_metadata_are_good() {
        metadata().check().unwrap();
    }

    #[test]
    fn each_value_that_nobody_could_print_or_use_is_named() {
        assert!(said(|m| m.name = "My Guard".into()).starts_with("`name`: `My Guard` cannot be a plugin's name"));
        assert!(said(|m| m.version = String::new()).starts_with("`version`: expected 1 to 200 printable"));
        assert!(said(|m| m.contract = "other:thing@1.0.0".into()).contains("expected weir:plugin@VERSION"));
        assert!(said(|m| m.authors = vec!["An\u{1b}[31mn".into()]).starts_with("`authors`"));
        assert!(said(|m| m.licence = Some("M\u{202e}TI".into())).starts_with("`licence`"));
        assert!(said(|m| m.homepage = Some("javascript:alert(1)".into())).contains("begins with https://"));
        assert!(said(|m| m.homepage = Some(format!("https://{}", "x".repeat(200)))).starts_with("`homepage`"));
        assert!(said(|m| m.authors = vec!["A".into(); 33]).contains("33 entries, the limit is 32"));
        assert!(said(|m| m.asks = vec![Capability::Log; 2]).contains("`log` stands there twice"));
        assert!(said(|m| m.optional = vec![Capability::Log]).contains("either needed or optional"));
        assert!(said(|m| m.asks = vec![Capability::Model("x".repeat(300))]).starts_with("`asks`"));
    }

    #[test]
    fn words_joined_by_hyphens_are_names() {
        for name in ["guard", "my-guard", "guard-2", "g"] {
            assert!(is_name(name), "{name}");
        }
        let long = "x".repeat(LONGEST_NAME + 1);
        for name in ["", "My-guard", "my_guard", "2-guards", "-guard", "guard-", "my--guard", "../guard", "gärd", &long]
        {
            assert!(!is_name(name), "{name}");
        }
    }
}
