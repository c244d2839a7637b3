//! `weir.toml`, by which `weir build` knows a project:
//!
//! ```toml
//! kind = "policy"                  # or domain, writer, reducer
//! language = "rust"                # or python, js, c
//! name = "my-guard"                # my-guard.wasm
//! version = "0.1.0"
//! authors = ["Ann"]                # these three may be absent
//! licence = "MIT"
//! homepage = "https://example.org"
//! asks = ["log"]                   # capabilities that it cannot do without
//! optional = ["model:judge"]       # capabilities that it uses where they are granted
//!
//! [limits]                         # limits that it wants other than they are by default
//! hook-fuel = 20000000
//! ```
//!
//! Unknown keys are errors. All of it but the language is written into the component, see [`weir_metadata`].

use crate::language::Language;
use crate::name;
use crate::within;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weir_metadata::{Limit, Surface};
use weir_runtime::fault::printable;
use weir_runtime::{Capability, Kind, Metadata};
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

impl ProjectFile {
    /// Reads a project's file.
    ///
    /// # Errors
    /// Where there is none, or it says something that nobody would know what to do with.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        Self::read_file(&within(folder, PROJECT_FILE))
    }

    /// The same, of a file.
    ///
    /// # Errors
    /// As for a folder.
    pub fn read_file(path: &Path) -> Result<Self, Error> {
        if !path.is_file() {
            return Err(Error::Input(format!(
                "{}: there is no such file, so this folder is no project\n  `weir new policy my-guard` makes one; \
                 `weir build my-guard` builds it",
                path.display()
            )));
        }
        let named = |what: &dyn std::fmt::Display| Error::Input(format!("{}: {what}", path.display()));
        let text = String::from_utf8(input::read(path)?).map_err(|e| named(&e))?;
        Self::parse(&text).map_err(|e| named(&e))
    }

    /// Reads a project file's text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: ProjectFile = toml::from_str(text).map_err(|e| e.to_string())?;
        name::check(&file.name).map_err(|e| format!("name: {e}"))?;
        file.language.check_kind(file.kind).map_err(|e| e.to_string())?;
        Ok(file)
    }

    /// The component's file in the project's folder.
    #[must_use]
    pub fn component(&self, folder: &Path) -> PathBuf {
        within(folder, &format!("{}.wasm", self.name))
    }

    /// What a component of this project says of itself.
    ///
    /// # Errors
    /// Where the component is no plugin, or one of another kind.
    pub fn metadata(&self, component: &Surface) -> Result<Metadata, Error> {
        let wanted = self.kind.name();
        let Some(mut metadata) = component.metadata(&self.name, &self.version) else {
            let exports =
                if component.exports.is_empty() { "nothing".into() } else { printable(&component.exports.join(", ")) };
            return Err(Error::Input(format!(
                "what was built is no {wanted}: it exports {exports}\n  it must implement the world `{wanted}-plugin` of the contract in wit/"
            )));
        };
        if metadata.kind != self.kind {
            return Err(Error::Input(format!(
                "what was built is a {}, and {PROJECT_FILE} says that it is a {wanted}: set kind = \"{}\" there, or export \
                 the interface `{wanted}`",
                metadata.kind.name(),
                metadata.kind.name()
            )));
        }
        metadata.authors.clone_from(&self.authors);
        metadata.licence.clone_from(&self.licence);
        metadata.homepage.clone_from(&self.homepage);
        metadata.asks.clone_from(&self.asks);
        metadata.optional.clone_from(&self.optional);
        metadata.limits.clone_from(&self.limits);
        metadata.check().map_err(|e| Error::Input(format!("{PROJECT_FILE}: {e}")))?;
        Ok(metadata)
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

    /// A component that exports this.
    fn exporting(interface: &str) -> Surface {
        Surface { imports: Vec::new(), exports: vec![interface.into()] }
    }

    #[test]
    fn a_component_says_what_the_project_says_and_what_it_is_built_against() {
        let more =
            "authors = [\"Ann\"]\nlicence = \"MIT\"\nhomepage = \"https://example.org\"\n[limits]\nhook-fuel = 5";
        let file = ProjectFile::parse(&format!("{GOOD}\n{more}")).unwrap();
        let said = file.metadata(&exporting("weir:plugin/policy@0.0.7")).unwrap();
        assert_eq!((said.name.as_str(), said.version.as_str(), said.kind), ("my-guard", "0.1.0", Kind::Policy));
        assert_eq!((said.contract.as_str(), said.authors), ("weir:plugin@0.0.7", vec!["Ann".to_owned()]));
        assert_eq!((said.licence.as_deref(), said.homepage.as_deref()), (Some("MIT"), Some("https://example.org")));
        assert_eq!((said.asks, said.optional), (vec![Capability::Log], vec![]));
        assert_eq!(said.limits, [(Limit::HookFuel, 5)].into());
    }

    #[test]
    fn a_component_of_another_kind_and_a_value_that_nobody_could_print_are_refused() {
        let said = |text: &str, export: &str| {
            ProjectFile::parse(text).unwrap().metadata(&exporting(export)).unwrap_err().to_string()
        };
        assert!(said(GOOD, "weir:plugin/domain@0.0.7").contains("a domain, and weir.toml says that it is a policy"));
        assert!(said(GOOD, "other:thing/policy@0.0.7").contains("no policy: it exports other:thing/policy@0.0.7"));
        let long = GOOD.replace("\"0.1.0\"", "\"\"");
        assert!(said(&long, "weir:plugin/policy@0.0.7").starts_with("weir.toml: `version`: expected"));
    }

    #[test]
    fn what_nobody_would_know_what_to_do_with_is_an_error_that_names_it() {
        assert!(said("asks", "ask").contains("ask"));
        assert!(said("\"log\"", "\"files\"").contains("unknown capability `files`"));
        assert!(said("rust", "cobol").contains("cobol"));
        assert!(said("policy", "polcy").contains("polcy"));
        assert!(ProjectFile::parse(&GOOD.replace("rust", "c")).is_ok());
        assert!(
            said("policy\"\n        language = \"rust", "writer\"\n        language = \"c").contains("written in c")
        );
        assert!(said("my-guard", "My Guard").starts_with("name: `My Guard` cannot be"));
        assert!(said("version = \"0.1.0\"", "").contains("version"));
        assert!(said("asks = [\"log\"]", "asks = []\n[limits]\ncompile-seconds = 1").contains("compile-seconds"));
    }
}
