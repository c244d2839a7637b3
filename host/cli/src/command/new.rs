//! `weir new`: a project for a plugin of one's own.

use crate::common::{Outcome, print, print_json};
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::path::PathBuf;
use weir_author::Language;
use weir_runtime::Kind;

/// Arguments.
#[derive(Args)]
pub struct New {
    /// What kind of plugin
    kind: KindName,
    /// Its name, such as my-guard: the new folder's, and the component's
    name: String,
    /// What it is written in
    #[arg(long, value_name = "LANGUAGE", default_value = "rust")]
    lang: LanguageName,
    /// Folder in which the project's folder is made
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum KindName {
    /// A defence
    Policy,
    /// A tool environment: tools, scenarios, oracle
    Domain,
    /// A memory consolidator
    Writer,
    /// A family of metrics
    Reducer,
}

#[derive(Clone, Copy, ValueEnum)]
enum LanguageName {
    /// Plugins of every kind
    Rust,
    /// Policies
    Python,
    /// Policies
    Js,
    /// Policies
    C,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Policy => Kind::Policy,
            KindName::Domain => Kind::Domain,
            KindName::Writer => Kind::Writer,
            KindName::Reducer => Kind::Reducer,
        }
    }
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::Rust => Language::Rust,
            LanguageName::Python => Language::Python,
            LanguageName::Js => Language::Js,
            LanguageName::C => Language::C,
        }
    }
}

impl New {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let new = weir_author::New { kind: self.kind.into(), language: self.lang.into(), name: self.name };
        let made = weir_author::create(&new, &self.dir)?;
        if self.json {
            print_json(&serde_json::json!({
                "kind": new.kind,
                "language": new.language,
                "name": new.name,
                "folder": made.folder,
                "files": made.files,
                "next": new.next(),
            }))?;
            return Ok(true);
        }
        let folder = made.folder.display();
        let mut text =
            format!("{folder}: a {} in {}; go on with\n  cd {folder}\n", new.kind.name(), new.language.name());
        for command in new.next() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {command}");
        }
        print(&text)?;
        Ok(true)
    }
}
