//! Why guests could not be built, for who has to mend it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why guests could not be built.
#[derive(Debug)]
pub enum Error {
    /// Cargo cannot be run.
    NoCargo(io::Error),
    /// Rust's libraries for this target of guests are not installed.
    NoTarget(&'static str),
    /// Cargo failed, and said this on standard error; empty where it was shown as it came.
    Cargo(String),
    /// Cargo was content, and left no module where one belongs.
    NoModule {
        /// Where it belongs.
        path: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
    /// Cargo describes the workspace otherwise than expected.
    Described {
        /// The workspace.
        workspace: PathBuf,
        /// What is not as expected.
        why: String,
    },
    /// A component cannot say of itself what its package says.
    Metadata {
        /// The package.
        package: String,
        /// Why.
        why: String,
    },
    /// The module is no component of its world.
    NoComponent {
        /// The module.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::NoCargo(e) if e.kind() == io::ErrorKind::NotFound => {
                f.write_str("there is no `cargo` on the search path: install Rust with rustup, see https://rustup.rs")
            }
            Error::NoCargo(e) => write!(f, "cannot run cargo: {e}"),
            Error::NoTarget(target) => {
                write!(f, "Rust's target {target} is not installed\n  run: rustup target add {target}")
            }
            Error::Cargo(said) if said.is_empty() => f.write_str("cargo could not build it: see its messages above"),
            Error::Cargo(said) => write!(f, "cargo could not build the guests:\n{said}"),
            Error::NoModule { path, source } => write!(
                f,
                "cargo built no {}: {source}\n  the package's library needs its package's name, and `crate-type = [\"cdylib\", \"rlib\"]`",
                path.display()
            ),
            Error::Described { workspace, why } => {
                write!(f, "cannot read what cargo says of the workspace {}: {why}", workspace.display())
            }
            Error::Metadata { package, why } => write!(f, "cannot write what `{package}` says of itself: {why}"),
            Error::NoComponent { path, why } => write!(f, "cannot make a component of {}: {why}", path.display()),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_or_target_is_named_with_what_installs_it() {
        let missing = Error::NoCargo(io::Error::from(io::ErrorKind::NotFound)).to_string();
        assert!(missing.contains("https://rustup.rs"), "{missing}");
        assert!(Error::NoTarget(crate::TARGET).to_string().ends_with("rustup target add wasm32-unknown-unknown"));
    }

    #[test]
    fn what_cargo_said_is_repeated_only_where_nobody_saw_it() {
        assert!(Error::Cargo("error: no".into()).to_string().ends_with("error: no"));
        assert!(Error::Cargo(String::new()).to_string().contains("above"));
    }
}
