//! What commands share: the operator's options, output, and errors.

use crate::progress::Compiling;
use clap::Args;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use weir_metadata::is_hidden;
use weir_runtime::compile::Compiler;
use weir_runtime::{Capability, Engines, Fault, Grants, Loader};
use weir_suite::{Error, Plugins};

/// Why a command ended early.
pub enum Failure {
    /// Something to tell the user.
    Error(Error),
    /// Standard output was closed by its reader.
    ClosedPipe,
}

/// Whether all that was checked holds.
pub type Outcome = Result<bool, Failure>;

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Error(error.into())
    }
}

/// The operator's options.
#[derive(Args)]
pub struct Operator {
    /// TOML file of grants and limits for plugins
    #[arg(long, value_name = "FILE")]
    grants: Option<PathBuf>,
    /// Folder of the compiled cache [default: the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Worker threads [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
}

impl Operator {
    /// Worker threads.
    pub fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        self.jobs.map_or_else(processors, std::num::NonZeroUsize::get)
    }

    /// Plugins under the operator's grants.
    pub fn plugins(&self) -> Result<Plugins, Error> {
        self.plugins_for(self.jobs(), &[])
    }

    /// The same for so many threads, with models for these roles: who gives a role a model grants it to all plugins that ask
    /// for it and are not named in the grants file.
    pub fn plugins_for(&self, threads: usize, roles: &[String]) -> Result<Plugins, Error> {
        let mut grants = match &self.grants {
            Some(path) => {
                let text = String::from_utf8(weir_suite::input::read(path)?)
                    .map_err(|e| Error::Input(format!("{}: not UTF-8: {e}", path.display())))?;
                toml::from_str(&text).map_err(|e| Error::Input(format!("{}: {e}", path.display())))?
            }
            None => Grants::default(),
        };
        grants.grant.extend(roles.iter().map(|role| Capability::Model(role.clone())));
        let engines = Engines::new(threads).map_err(|e| Error::Input(format!("cannot start wasmtime: {e:#}")))?;
        let compiler = Compiler::this_program().map_err(|e| Error::io("this program", e))?;
        let loader = Loader::new(engines, grants, compiler, self.cache.clone()).watched(Arc::new(Compiling));
        Ok(Plugins::new(loader))
    }
}

/// Text as it may reach a terminal. Names, titles and words in it may be a plugin's or a recorded run's, and Weir itself
/// prints no control character but line ends and tabs.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) && !matches!(c, '\n' | '\t') { ' ' } else { c }).collect()
}

/// Prints text to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&shown(text))
}

/// Prints a file's content to standard output: to the letter, unless a terminal would read it.
pub fn print_file(content: &str) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() { print(content) } else { print_exactly(content) }
}

fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| match e.kind() {
        std::io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Error(Error::io("standard output", e)),
    })
}

/// Prints a value as JSON to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Error::Input(e.to_string()))?;
    print(&(escaped(&text) + "\n"))
}

/// JSON in which the characters that are not shown are escaped: they stand in strings alone, and mean the same there.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) && c != '\n' {
            let units = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            out.push_str(&units);
        } else {
            out.push(c);
        }
    }
    out
}

/// Prints a fault, for `--json` as a report on standard output, before the command fails with it.
pub fn report_fault(fault: &Fault, json: bool) -> Result<(), Failure> {
    if json { print_json(&serde_json::json!({ "fault": fault })) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_with_hidden_characters_escaped_is_the_same_json() {
        let value = serde_json::json!({"a\u{202e}": ["\u{7f}\u{e0041}\n\u{1b}", 1]});
        let text = escaped(&serde_json::to_string_pretty(&value).unwrap_or_default());
        assert!(!text.chars().any(|c| is_hidden(c) && c != '\n'), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).ok(), Some(value));
    }

    #[test]
    fn lines_and_tabs_stay_and_nothing_else_moves_a_cursor() {
        assert_eq!(shown("a\tb\n\u{1b}[31mc\u{202e}"), "a\tb\n [31mc ");
    }
}
