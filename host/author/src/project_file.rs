//! `weir.toml`, by which `weir build` knows a project:
//!
//! ```toml
//! kind = "policy"                  # or domain, writer, reducer
//! language = "rust"
//! name = "my-guard"                # my-guard.wasm and my-guard.toml
//! version = "0.1.0"
//! asks = ["log"]                   # capabilities that it cannot do without
//! optional = ["model:judge"]       # capabilities that it uses where they are granted
//! ```
//!
//! Unknown keys are errors.

use crate::language::Language;
use crate::name;
use crate::within;
use serde::{Deserialize, Serialize};
use std::path::Path;
use weir_runtime::{Capability, Kind, Manifest};
use weir_suite::{Error, input};

/// The project file's name.
pub const PROJECT_FILE: &str = "weir.toml";

/// What a project says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectFile {
    /// What kind of plugin it is.
    pub kind: Kind,
    /// What it is written in.
    pub language: Language,
    /// The plugin's name, and its package's.
    pub name: String,
    /// The plugin's own version, for reports.
    pub version: String,
    /// Capabilities that it cannot do without.
    pub asks: Vec<Capability>,
    /// Capabilities that it uses where they are granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Capability>,
}

impl ProjectFile {
    /// Reads a project's file.
    ///
    /// # Errors
    /// Where there is none, or it says something that nobody would know what to do with.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = within(folder, PROJECT_FILE);
        if !path.is_file() {
            return Err(Error::Input(format!(
                "{}: there is no such file, so this folder is no project\n  `weir new policy my-guard` makes one; \
                 `weir build my-guard` builds it",
                path.display()
            )));
        }
        let named = |what: &dyn std::fmt::Display| Error::Input(format!("{}: {what}", path.display()));
        let text = String::from_utf8(input::read(&path)?).map_err(|e| named(&e))?;
        Self::parse(&text).map_err(|e| named(&e))
    }

    /// Reads a project file's text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: ProjectFile = toml::from_str(text).map_err(|e| e.to_string())?;
        name::check(&file.name).map_err(|e| format!("name: {e}"))?;
        Ok(file)
    }

    /// What the manifest beside the component says.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        Manifest { version: Some(self.version.clone()), asks: self.asks.clone(), optional: self.optional.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        kind = "policy"
        language = "rust"
        name = "my-guard"
        version = "0.1.0"
        asks = ["log"]
    "#;

    /// What is said of the good file after a change.
    fn said(from: &str, to: &str) -> String {
        ProjectFile::parse(&GOOD.replace(from, to)).unwrap_err()
    }

    #[test]
    fn the_manifest_asks_for_what_the_project_asks_for() {
        let manifest = ProjectFile::parse(GOOD).unwrap().manifest();
        assert_eq!(manifest, Manifest { version: Some("0.1.0".into()), asks: vec![Capability::Log], optional: vec![] });
    }

    #[test]
    fn what_nobody_would_know_what_to_do_with_is_an_error_that_names_it() {
        assert!(said("asks", "ask").contains("ask"));
        assert!(said("\"log\"", "\"files\"").contains("unknown capability `files`"));
        assert!(said("rust", "cobol").contains("cobol"));
        assert!(said("policy", "polcy").contains("polcy"));
        assert!(said("my-guard", "My Guard").starts_with("name: `My Guard` cannot be"));
        assert!(said("version = \"0.1.0\"", "").contains("version"));
    }
}
