//! Languages in which plugins are written, a file each: what a new project consists of, and how it becomes a component.

mod c;
mod embedded;
mod javascript;
mod parts;
mod python;
mod rust;
mod tool;

use crate::creation::{New, filled};
use crate::native::Native;
use crate::project_file::ProjectFile;
use serde::{Deserialize, Serialize};
use std::path::Path;
use weir_runtime::Kind;
use weir_suite::Error;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Rust, with the SDK.
    Rust,
    /// Python, by componentize-py.
    Python,
    /// JavaScript, by jco and QuickJS.
    Js,
    /// C, by any compiler for bare WebAssembly.
    C,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 4] = [Language::Rust, Language::Python, Language::Js, Language::C];

    /// Its name in `weir.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::Python => "python",
            Language::Js => "js",
            Language::C => "c",
        }
    }

    /// Kinds of plugins that can be written in it.
    #[must_use]
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Language::Rust => &Kind::ALL,
            Language::Python | Language::Js | Language::C => &[Kind::Policy],
        }
    }

    /// Demands that plugins of a kind can be written in it.
    pub(crate) fn check_kind(self, kind: Kind) -> Result<(), Error> {
        if self.kinds().contains(&kind) {
            return Ok(());
        }
        let languages = Language::ALL.iter().filter(|language| language.kinds().contains(&kind));
        let languages: Vec<&str> = languages.map(|language| language.name()).collect();
        let kinds: Vec<&str> = self.kinds().iter().map(|kind| kind.name()).collect();
        let (kind, own) = (kind.name(), self.name());
        Err(Error::Input(format!(
            "a {kind} cannot be written in {own}\n  languages of a {kind}: {}; kinds in {own}: {}",
            languages.join(", "),
            kinds.join(", ")
        )))
    }

    /// What to tell somebody who waits for a component to be built, where that takes long and the tools say nothing.
    #[must_use]
    pub fn patience(self) -> Option<&'static str> {
        match self {
            Language::Python => {
                Some("componentize-py starts the interpreter and keeps its memory: about half a minute")
            }
            Language::Rust | Language::Js | Language::C => None,
        }
    }

    /// The command that installs, in a project, what `weir build` needs; none where that is no part of a project.
    pub(crate) fn install_command(self) -> Option<&'static str> {
        match self {
            Language::Rust => None,
            Language::Python => Some(python::INSTALL),
            Language::Js => Some(javascript::INSTALL),
            Language::C => Some(c::INSTALL),
        }
    }

    /// What a new project asks of Weir, as a list in `weir.toml`: what its component imports from the first. In C that is
    /// nothing, since what is not called is not linked.
    pub(crate) fn asks(self) -> &'static str {
        match self {
            Language::Rust | Language::Python | Language::Js => "\"log\"",
            Language::C => "",
        }
    }

    /// The command that runs a project's own tests.
    pub(crate) fn test_command(self) -> &'static str {
        match self {
            Language::Rust => rust::TEST,
            Language::Python => python::TEST,
            Language::Js => javascript::TEST,
            Language::C => c::TEST,
        }
    }

    /// The files of a new project that depend on the language, by relative path with `/` between names.
    pub(crate) fn files(self, new: &New) -> Result<Vec<(String, String)>, Error> {
        match self {
            Language::Rust => rust::files(new),
            Language::Python => Ok(with_contract(new, embedded::PYTHON)),
            Language::Js => Ok(with_contract(new, embedded::JS)),
            Language::C => Ok(c::files(new)),
        }
    }

    /// What a name must not be for the sake of the language's tools.
    pub(crate) fn check_name(self, name: &str) -> Result<(), Error> {
        match self {
            Language::Rust => rust::check_name(name),
            Language::Python | Language::Js | Language::C => Ok(()),
        }
    }

    /// Builds a project's component with the language's own tools.
    pub(crate) fn build(self, folder: &Path, project: &ProjectFile) -> Result<Vec<u8>, Error> {
        match self {
            Language::Rust => rust::build(folder, project),
            Language::Python => python::build(folder, project),
            Language::Js => javascript::build(folder, project),
            Language::C => c::build(folder, project),
        }
    }

    /// Builds a policy's native program, in a language that has one.
    pub(crate) fn native(self, folder: &Path, project: &ProjectFile) -> Result<Native, Error> {
        match self {
            Language::Rust => rust::native::build(folder, project),
            Language::Python | Language::Js | Language::C => {
                Err(Error::Input(Native::missing(project).unwrap_or_default()))
            }
        }
    }
}

/// A template that is a whole folder, with the project's own words in it, and the contract beside it.
fn with_contract(new: &New, template: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = template.iter().map(|(path, text)| {
        // By its own name the file would be obeyed in Weir's tree too.
        let path = if *path == "gitignore" { ".gitignore" } else { path };
        (path.to_owned(), filled(text, new))
    });
    own.chain(embedded::contract()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_a_language_lacks_is_refused_with_the_languages_that_have_it() {
        let said = Language::Python.check_kind(Kind::Domain).unwrap_err().to_string();
        assert!(said.contains("languages of a domain: rust; kinds in python: policy"), "{said}");
        for language in Language::ALL {
            language.check_kind(Kind::Policy).unwrap();
        }
    }

    #[test]
    fn no_placeholder_is_left_in_any_file_of_a_project_in_another_language() {
        for language in [Language::Python, Language::Js, Language::C] {
            let new = New { kind: Kind::Policy, language, name: "my-own".into() };
            let files = language.files(&new).unwrap();
            for (path, text) in &files {
                assert!(!text.contains("{{"), "{path}");
            }
            assert!(files.iter().any(|(path, _)| path == ".gitignore"), "{language:?}");
            assert!(files.iter().any(|(path, _)| path == "wit/policy.wit"), "{language:?}");
        }
    }
}
