//! A policy's native build, for `weir bench`: the same sources without the sandbox. It runs with its author's own rights, as
//! the project's tests do.

use crate::language::Language;
use crate::project_file::ProjectFile;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use weir_runtime::Kind;
use weir_suite::Error;

/// A program that asks a policy what stands in a file, and writes down what each question took.
pub struct Native {
    pub(crate) name: String,
    pub(crate) program: PathBuf,
}

impl Native {
    /// Builds it with the project's own tools, versions and profile. Only policies in Rust have one.
    ///
    /// # Errors
    /// A folder that is no such project, a tool that is missing, or what the tools cannot build (they say why on standard
    /// error).
    pub fn build(folder: &Path) -> Result<Self, Error> {
        let project = ProjectFile::read(folder)?;
        match Self::missing(&project) {
            None => project.language.native(folder, &project),
            Some(why) => Err(Error::Input(format!("{}: {why}", folder.display()))),
        }
    }

    /// Why a project has no native build to compare with, if it has none.
    #[must_use]
    pub fn missing(project: &ProjectFile) -> Option<String> {
        let (kind, language) = (project.kind, project.language);
        (kind != Kind::Policy || language != Language::Rust).then(|| {
            let (name, kind, language) = (&project.name, kind.name(), language.name());
            format!("a native build is compared of policies in rust alone, and `{name}` is a {kind} in {language}")
        })
    }

    /// Asks it these questions in so many rounds. The answer is one JSON object, the SDK's `replay::Times`.
    ///
    /// # Errors
    /// Where it cannot be run or ends badly; what it says itself goes to standard error.
    pub fn measure(&self, questions: &str, rounds: usize) -> Result<Vec<u8>, Error> {
        let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
        let (asked, out) = (folder.path().join("questions.jsonl"), folder.path().join("times.json"));
        fs::write(&asked, questions).map_err(|e| Error::io(&asked, e))?;
        let mut command = Command::new(&self.program);
        command.arg(&asked).arg(rounds.to_string()).arg(&out);
        // Standard output is the caller's, for a table or JSON.
        command.stdin(Stdio::null()).stdout(Stdio::from(io::stderr()));
        let ended = command.status().map_err(|e| Error::io(&self.program, e))?;
        if !ended.success() {
            return Err(Error::Input(format!(
                "the native build of `{}` failed, {ended}: see its messages above\n  its component answers the same questions; \
                 what only the native build has (`cfg`, the width of `usize`) may differ",
                self.name
            )));
        }
        fs::read(&out).map_err(|e| Error::io(&out, e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(kind: &str, language: &str) -> ProjectFile {
        let text =
            format!("kind = \"{kind}\"\nlanguage = \"{language}\"\nname = \"mine\"\nversion = \"1.0.0\"\nasks = []\n");
        ProjectFile::parse(&text).unwrap()
    }

    #[test]
    fn policies_in_rust_alone_have_a_native_build() {
        assert_eq!(Native::missing(&project("policy", "rust")), None);
        for (kind, language) in [("domain", "rust"), ("policy", "python"), ("policy", "c")] {
            let why = Native::missing(&project(kind, language)).unwrap();
            assert!(why.ends_with(&format!("`mine` is a {kind} in {language}")), "{why}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_badly_or_says_nothing_is_an_error() {
        let run = |program: &str| Native { name: "mine".into(), program: program.into() }.measure("", 1).unwrap_err();
        let failed = run("/bin/false").to_string();
        assert!(failed.contains("`mine` failed, exit status: 1"), "{failed}");
        assert!(run("/bin/true").to_string().contains("times.json"));
        assert!(run("/nowhere/at-all").to_string().contains("/nowhere/at-all"));
    }
}
