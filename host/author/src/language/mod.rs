//! Languages in which plugins are written, a file each: what a new project consists of, and how it becomes a component.

mod rust;

use crate::creation::New;
use crate::project_file::ProjectFile;
use serde::{Deserialize, Serialize};
use std::path::Path;
use weir_suite::Error;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Rust, with the SDK.
    Rust,
}

impl Language {
    /// Its name in `weir.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
        }
    }

    /// The files of a new project that depend on the language, by relative path with `/` between names.
    pub(crate) fn files(self, new: &New) -> Result<Vec<(String, String)>, Error> {
        match self {
            Language::Rust => rust::files(new),
        }
    }

    /// The command that runs a project's own tests.
    pub(crate) fn test_command(self) -> &'static str {
        match self {
            Language::Rust => rust::TEST,
        }
    }

    /// What a name must not be for the sake of the language's tools.
    pub(crate) fn check_name(self, name: &str) -> Result<(), Error> {
        match self {
            Language::Rust => rust::check_name(name),
        }
    }

    /// Builds a project's component with the language's own tools.
    pub(crate) fn build(self, folder: &Path, project: &ProjectFile) -> Result<Vec<u8>, Error> {
        match self {
            Language::Rust => rust::build(folder, project),
        }
    }
}
