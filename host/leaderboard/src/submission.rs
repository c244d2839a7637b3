//! `submission.toml`: what a submission is, who makes it, and the digest of every file in its folder.
//!
//! ```toml
//! format = "weir-submission/1"
//! public-key = "MCowBQYDK2VwAyEA..."   # the submitter's, where the submission is signed
//!
//! [component]                          # what is submitted
//! kind = "policy"                      # or "writer"
//! name = "my-guard"                    # as the manifest and all results call it
//! sha256 = "..."                       # of the component, which stands at components/SHA256.wasm
//! version = "1.2.0"                    # its own, where it says
//! description = "Blocks what nobody asked for."
//! authors = ["Ann <ann@example.org>"]
//! licence = "MIT"                      # an SPDX expression
//! contact = "mailto:ann@example.org"   # or https://...
//! homepage = "https://example.org"     # optional
//!
//! [run]
//! suite = "leaderboard"
//! identity = "d3fa1c50"                # of the manifest: two runs share it iff their manifests are equal
//! units = 2820
//! plan = "..."                         # SHA-256 of the plan without the component: a track publishes the same
//!
//! [files]                              # SHA-256 of every other file but the attestations
//! "manifest.json" = "..."
//! ```
//!
//! Unknown keys are errors.

use crate::key::PublicKey;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weir_metadata::{Kind, is_hidden};
use weir_suite::Error;

/// The format's name.
pub const FORMAT: &str = "weir-submission/1";

/// The file's name in an entry's folder.
pub const FILE: &str = "submission.toml";

/// Characters of the longest description: two sentences and a reference.
const LONGEST_DESCRIPTION: usize = 500;

/// Characters of any other text.
const LONGEST_TEXT: usize = 200;

/// Most authors.
const MOST_AUTHORS: usize = 32;

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Submission {
    /// [`FORMAT`].
    pub format: String,
    /// The submitter's key; none where the submission is not signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_key: Option<PublicKey>,
    /// What is submitted.
    pub component: Submitted,
    /// The run that says what it does.
    pub run: RunOf,
    /// SHA-256 of each file of the run, by its path in the folder.
    pub files: BTreeMap<String, String>,
}

/// What is submitted, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submitted {
    /// What kind of plugin it is.
    pub kind: Kind,
    /// Its name in the manifest and in all results.
    pub name: String,
    /// SHA-256 of the component.
    pub sha256: String,
    /// Its own version, where it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it does, in a sentence or two.
    pub description: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Its licence, as an SPDX expression.
    pub licence: String,
    /// Where its authors can be reached: `mailto:...` or `https://...`.
    pub contact: String,
    /// Where to read more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
}

/// The run of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOf {
    /// The suite's name.
    pub suite: String,
    /// Identity of the manifest.
    pub identity: String,
    /// Units.
    pub units: usize,
    /// SHA-256 of the plan without the component.
    pub plan: String,
}

impl Submission {
    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it, with the line or the key.
    pub fn parse(path: &str, text: &str) -> Result<Self, Error> {
        let submission: Submission = toml::from_str(text).map_err(|e| Error::Input(format!("{path}: {e}")))?;
        submission.check().map_err(|what| Error::Input(format!("{path}: {what}")))?;
        Ok(submission)
    }

    /// The file's text.
    ///
    /// # Errors
    /// Where it cannot be written as TOML.
    pub fn text(&self) -> Result<String, Error> {
        toml::to_string(self).map_err(|e| Error::Input(e.to_string()))
    }

    /// Whether every value is one that is allowed.
    ///
    /// # Errors
    /// The first that is not, with its key.
    pub fn check(&self) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("`format` is `{}`, this Weir reads `{FORMAT}`", self.format));
        }
        let Submitted { kind, name, sha256, description, authors, licence, contact, homepage, .. } = &self.component;
        if !matches!(kind, Kind::Policy | Kind::Writer) {
            return Err(format!("`component.kind` is `{}`: expected `policy` or `writer`", kind.name()));
        }
        line("component.description", description, LONGEST_DESCRIPTION)?;
        for (key, text) in [("component.name", name), ("component.licence", licence), ("component.contact", contact)] {
            line(key, text, LONGEST_TEXT)?;
        }
        if authors.is_empty() || authors.len() > MOST_AUTHORS {
            return Err(format!("`component.authors` has {} entries: expected 1 to {MOST_AUTHORS}", authors.len()));
        }
        authors.iter().try_for_each(|author| line("component.authors", author, LONGEST_TEXT))?;
        if !["mailto:", "https://"].iter().any(|scheme| contact.starts_with(scheme)) {
            return Err(format!(
                "`component.contact` is `{contact}`: expected `mailto:...` or an address that begins with https://"
            ));
        }
        if let Some(page) = homepage {
            line("component.homepage", page, LONGEST_TEXT)?;
            if !page.starts_with("https://") && !page.starts_with("http://") {
                return Err("`component.homepage`: expected an address that begins with https:// or http://".into());
            }
        }
        digest("component.sha256", sha256)?;
        digest("run.plan", &self.run.plan)?;
        for (name, sha256) in &self.files {
            if !is_file_of_a_run(name) {
                return Err(format!("`files` names `{name}`, which is no file of a run"));
            }
            digest(&format!("files.\"{name}\""), sha256)?;
        }
        Ok(())
    }
}

/// Whether a path is one that a run's folder can have, and so leads nowhere else.
fn is_file_of_a_run(path: &str) -> bool {
    let component = path.strip_prefix("components/").and_then(|name| name.strip_suffix(".wasm"));
    component.is_some_and(is_digest) || crate::entry::RUN_FILES.contains(&path)
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn digest(key: &str, text: &str) -> Result<(), String> {
    if is_digest(text) { Ok(()) } else { Err(format!("`{key}`: expected a SHA-256 in 64 lower-case hex digits")) }
}

fn line(key: &str, text: &str, longest: usize) -> Result<(), String> {
    let good =
        !text.is_empty() && text.trim() == text && text.chars().count() <= longest && !text.chars().any(is_hidden);
    if good {
        return Ok(());
    }
    Err(format!("`{key}`: expected one line of 1 to {longest} printable characters, without spaces around them"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn submission() -> Submission {
        Submission {
            format: FORMAT.into(),
            public_key: None,
            component: Submitted {
                kind: Kind::Policy,
                name: "my-guard".into(),
                sha256: "a".repeat(64),
                version: None,
                description: "Blocks.".into(),
                authors: vec!["Ann".into()],
                licence: "MIT".into(),
                contact: "mailto:ann@example.org".into(),
                homepage: None,
            },
            run: RunOf { suite: "smoke".into(), identity: "00000000".into(), units: 1, plan: "b".repeat(64) },
            files: BTreeMap::from([("manifest.json".to_owned(), "c".repeat(64))]),
        }
    }

    #[test]
    fn a_submission_is_read_as_it_was_written() {
        let (key, _) = crate::key::SecretKey::generate().unwrap();
        for public_key in [None, Some(key.public())] {
            let submission = Submission { public_key, ..submission() };
            assert_eq!(Submission::parse("s", &submission.text().unwrap()).unwrap(), submission);
        }
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_wherever_it_stands() {
        let text = submission().text().unwrap();
        for before in ["format", "[component]", "[run]"] {
            let with = text.replacen(before, "", 0).replacen(
                before,
                &format!("{before}\nscore = 1").replace("format\nscore = 1", "score = 1\nformat"),
                1,
            );
            let said = Submission::parse("submission.toml", &with).unwrap_err().to_string();
            assert!(said.contains("submission.toml") && said.contains("score") && said.contains("line"), "{said}");
        }
    }

    #[test]
    fn each_value_that_is_not_allowed_is_named() {
        let said = |change: fn(&mut Submission)| {
            let mut submission = submission();
            change(&mut submission);
            submission.check().unwrap_err()
        };
        assert!(said(|s| s.format = "weir-submission/2".into()).starts_with("`format`"));
        assert!(said(|s| s.component.kind = Kind::Reducer).contains("expected `policy` or `writer`"));
        assert!(said(|s| s.component.description = "a\u{1b}[31m".into()).starts_with("`component.description`"));
        assert!(said(|s| s.component.authors.clear()).starts_with("`component.authors`"));
        assert!(said(|s| s.component.contact = "javascript:alert(1)".into()).starts_with("`component.contact`"));
        assert!(said(|s| s.component.homepage = Some("file:///".into())).starts_with("`component.homepage`"));
        assert!(said(|s| s.component.sha256 = "A".repeat(64)).starts_with("`component.sha256`"));
        for path in ["../x", "/etc/passwd", "components/x.wasm", "report.html", "components/../manifest.json"] {
            let mut submission = submission();
            submission.files.insert(path.into(), "a".repeat(64));
            assert!(submission.check().unwrap_err().contains("which is no file of a run"), "{path}");
        }
    }
}
