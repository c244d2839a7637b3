//! `weir new`: a project that builds, passes its own tests and takes part in a suite as it stands.

use crate::language::Language;
use crate::name;
use crate::project_file::PROJECT_FILE;
use crate::within;
use std::fs;
use std::path::{Path, PathBuf};
use weir_runtime::Kind;
use weir_suite::Error;

/// The project that is wanted.
pub struct New {
    /// What kind of plugin.
    pub kind: Kind,
    /// What it is written in.
    pub language: Language,
    /// Its name.
    pub name: String,
}

/// What was made.
pub struct Created {
    /// The project's folder.
    pub folder: PathBuf,
    /// Its files, by relative path.
    pub files: Vec<String>,
}

const PROJECT: &str = include_str!("../templates/weir.toml");
const README: &str = include_str!("../templates/README.md");

/// Cases with which a policy begins, whatever it is written in.
const CASES: [(&str, &str); 3] = [
    ("authorised.toml", include_str!("../templates/policy-cases/authorised.toml")),
    ("secret.toml", include_str!("../templates/policy-cases/secret.toml")),
    ("stranger.toml", include_str!("../templates/policy-cases/stranger.toml")),
];

/// Makes a project of this name in a folder. It appears whole, or not at all.
///
/// # Errors
/// A name that a plugin cannot have, something that is there already, or what the file system refuses.
pub fn create(new: &New, parent: &Path) -> Result<Created, Error> {
    name::check(&new.name)?;
    new.language.check_kind(new.kind)?;
    new.language.check_name(&new.name)?;
    let folder = within(parent, &new.name);
    if folder.symlink_metadata().is_ok() {
        return Err(Error::Input(format!(
            "{}: there is something of this name already, and nothing was changed\n  choose another name, or another folder \
             with --dir",
            folder.display()
        )));
    }
    if !parent.is_dir() {
        return Err(Error::Input(format!("{}: there is no such folder to make a project in", parent.display())));
    }
    let mut files =
        vec![(PROJECT_FILE.to_owned(), filled(PROJECT, new)), ("README.md".to_owned(), filled(README, new))];
    if new.kind == Kind::Policy {
        files.extend(CASES.map(|(name, text)| (format!("cases/{name}"), text.to_owned())));
    }
    files.extend(new.language.files(new)?);
    // In a folder of another name beside its place, so that it can be renamed to it once all is there. The temporary folder
    // is its owner's alone; what stands in it has ordinary permissions.
    let beside = tempfile::Builder::new().prefix(".weir-new-").tempdir_in(parent).map_err(|e| Error::io(parent, e))?;
    let unfinished = beside.path().join(&new.name);
    for (path, text) in &files {
        write(&unfinished.join(path), text)?;
    }
    fs::rename(&unfinished, &folder).map_err(|e| Error::io(&folder, e))?;
    let mut files: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
    files.sort();
    Ok(Created { folder, files })
}

impl New {
    /// The commands with which its author goes on, in the project's folder.
    #[must_use]
    pub fn next(&self) -> Vec<String> {
        self.steps().into_iter().map(|(command, _)| command).collect()
    }

    /// Each of these commands, and what it does.
    fn steps(&self) -> Vec<(String, String)> {
        let file = format!("{}.wasm", self.name);
        let (run, shows) = taking_part(self.kind, &self.name);
        let install = self.language.install_command();
        let mut steps: Vec<(String, String)> = install
            .map(|command| {
                (command.to_owned(), "installs, in this folder, the tools that `weir build` needs".to_owned())
            })
            .into_iter()
            .collect();
        steps.extend([
            (self.language.test_command().to_owned(), "runs the plugin's own tests, natively".to_owned()),
            (
                "weir build".to_owned(),
                format!("writes `{file}`, and into it what `weir.toml` says: who made it, and what it asks of Weir"),
            ),
            (
                format!("weir check {file}"),
                "says whether it may run: what it imports, whether it answers, whether it answers the same each time"
                    .to_owned(),
            ),
        ]);
        if self.kind == Kind::Policy {
            steps.push((
                format!("weir test {file}"),
                "asks it what the files in `cases/` ask, and compares the answers: write your own beside them"
                    .to_owned(),
            ));
        }
        let costs = "says what it costs: fuel, which is the same everywhere, time and memory";
        steps.push(match (self.kind, self.language) {
            (Kind::Policy, Language::Rust) => (
                "weir bench".to_owned(),
                format!("{costs}; and what the sandbox costs, beside the same project's native build"),
            ),
            _ => (format!("weir bench {file}"), costs.to_owned()),
        });
        steps.push((run, format!("lets it take part: {shows}")));
        steps
    }

    /// The steps as the README's block of commands, and as its numbered list.
    fn walk(&self) -> (String, String) {
        let steps = self.steps();
        let commands: Vec<&str> = steps.iter().map(|(command, _)| command.as_str()).collect();
        let list = (1..).zip(&steps).map(|(number, (command, does))| format!("{number}. `{command}` {does}."));
        (commands.join("\n"), list.collect::<Vec<_>>().join("\n"))
    }
}

/// The command that lets a plugin take part in a suite, and what to look for in what it prints.
fn taking_part(kind: Kind, name: &str) -> (String, &'static str) {
    match kind {
        Kind::Policy => (
            format!("weir run smoke --policy ./{name}.wasm"),
            "one more row, beside no defence and three built-in ones",
        ),
        Kind::Domain => (
            format!("weir run smoke --domain ./{name}.wasm"),
            "its scenarios join the suite's, in the stages that it has",
        ),
        Kind::Writer => (
            format!("weir run authmem --writer ./{name}.wasm"),
            "what it keeps, and whose authority it gives to it, beside nine built-in writers",
        ),
        Kind::Reducer => {
            (format!("weir run smoke --reducer ./{name}.wasm"), "its metrics, in the tables of every defence")
        }
    }
}

/// A template with the project's own words in it.
pub(crate) fn filled(template: &str, new: &New) -> String {
    let (commands, steps) = new.walk();
    template
        .replace("{{commands}}", &commands)
        .replace("{{steps}}", &steps)
        .replace("{{name}}", &new.name)
        .replace("{{kind}}", new.kind.name())
        .replace("{{language}}", new.language.name())
        .replace("{{asks}}", new.language.asks())
        .replace("{{what}}", what(new.kind))
}

/// What a kind of plugin does, in a sentence.
fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Policy => "A defence: it says which of an agent's tool calls may happen.",
        Kind::Domain => "A domain: tools, scenarios, and an oracle that knows what was right.",
        Kind::Writer => "A memory writer: a conversation in, memories out.",
        Kind::Reducer => "A reducer: it folds the trace of a rollout into numbers.",
    }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    }
    fs::write(path, text).map_err(|e| Error::io(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project_file::ProjectFile;
    use weir_runtime::Capability;

    fn new(kind: Kind, name: &str) -> New {
        New { kind, language: Language::Rust, name: name.into() }
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_project_of_each_kind_and_language_says_what_it_is_and_shows_the_commands_to_go_on() {
        let home = tempfile::tempdir().unwrap();
        let all =
            Language::ALL.into_iter().flat_map(|language| language.kinds().iter().map(move |kind| (language, *kind)));
        for (language, kind) in all {
            let new = New { kind, language, name: format!("my-{}-in-{}", kind.name(), language.name()) };
            let made = create(&new, home.path()).unwrap();
            let file = ProjectFile::read(&made.folder).unwrap();
            assert_eq!((file.kind, file.language, file.name), (kind, language, new.name.clone()));
            // In C nothing is imported that is not called.
            let asked: &[Capability] = if language == Language::C { &[] } else { &[Capability::Log] };
            assert_eq!(file.asks, asked);
            let readme = fs::read_to_string(made.folder.join("README.md")).unwrap();
            assert!(readme.contains(&format!("```\n{}\n```\n", new.next().join("\n"))), "{readme}");
            assert!(readme.contains(&format!("\n{}. `weir run", new.next().len())), "{readme}");
            assert!(made.files.iter().all(|path| made.folder.join(path).is_file()));
        }
    }

    #[test]
    fn what_is_there_already_stays_as_it_is() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("taken"), "mine").unwrap();
        fs::create_dir(home.path().join("empty")).unwrap();
        for name in ["taken", "empty"] {
            let error = create(&new(Kind::Policy, name), home.path()).err().unwrap().to_string();
            assert!(error.contains("already"), "{error}");
        }
        assert_eq!(fs::read_to_string(home.path().join("taken")).unwrap(), "mine");
        assert_eq!((entries(&home.path().join("empty")), entries(home.path())), (0, 2));
    }

    #[test]
    fn an_error_leaves_nothing_behind() {
        let home = tempfile::tempdir().unwrap();
        for name in ["My Guard", "none", "match"] {
            assert!(create(&new(Kind::Policy, name), home.path()).is_err());
        }
        assert!(create(&new(Kind::Policy, "my-guard"), &home.path().join("nowhere")).is_err());
        let domain = New { language: Language::C, ..new(Kind::Domain, "my-guard") };
        assert!(create(&domain, home.path()).err().unwrap().to_string().contains("cannot be written in c"));
        assert_eq!(entries(home.path()), 0);
    }
}
