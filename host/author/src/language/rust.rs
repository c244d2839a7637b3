//! Plugins in Rust: a package that is a workspace of its own, with the SDK and the contract vendored beside it.

pub(super) mod native;
mod vendored;

use crate::creation::{New, filled};
use crate::language::embedded;
use crate::project_file::ProjectFile;
use std::env;
use std::path::{Path, PathBuf, absolute};
use weir_componentize::Guests;
use weir_runtime::Kind;
use weir_suite::Error;

/// The command that runs a project's own tests.
pub(super) const TEST: &str = "cargo test";

const MANIFEST: &str = include_str!("../../templates/rust/Cargo.toml");

/// Crates that every Rust compiler knows, and words that the language keeps for itself: a package cannot have their name.
const RESERVED: [&str; 56] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// The files of a new project.
pub(super) fn files(new: &New) -> Result<Vec<(String, String)>, Error> {
    let workspace = vendored::Workspace::embedded()?;
    let manifest = filled(MANIFEST, new)
        .replace("{{edition}}", workspace.package("edition")?)
        .replace("{{rust-version}}", workspace.package("rust-version")?)
        .replace("{{features}}", features(new.kind))
        .replace("{{profile}}", workspace.guest_profile()?.trim_end());
    let mut files = vec![
        ("Cargo.toml".to_owned(), manifest),
        // Cargo takes the entries that it needs and drops the others: the versions with which Weir's own plugins are built.
        ("Cargo.lock".to_owned(), embedded::LOCK.to_owned()),
        (".gitignore".to_owned(), filled(include_str!("../../templates/rust/gitignore"), new)),
    ];
    files.extend(sources(new.kind).iter().map(|(name, text)| (format!("src/{name}"), filled(text, new))));
    files.extend(workspace.vendored()?);
    Ok(files)
}

/// What a kind asks of the SDK beside what all have: more to build, so only who needs it.
fn features(kind: Kind) -> &'static str {
    match kind {
        Kind::Domain => ", features = [\"scenarios\"]",
        Kind::Policy | Kind::Writer | Kind::Reducer => "",
    }
}

/// The sources of a kind's template: files of `src`.
fn sources(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::Policy => &[("lib.rs", include_str!("../../templates/rust/policy/lib.rs"))],
        Kind::Domain => &[
            ("lib.rs", include_str!("../../templates/rust/domain/lib.rs")),
            ("environment.rs", include_str!("../../templates/rust/domain/environment.rs")),
            ("scenarios.rs", include_str!("../../templates/rust/domain/scenarios.rs")),
            ("tests.rs", include_str!("../../templates/rust/domain/tests.rs")),
        ],
        Kind::Writer => &[("lib.rs", include_str!("../../templates/rust/writer/lib.rs"))],
        Kind::Reducer => &[("lib.rs", include_str!("../../templates/rust/reducer/lib.rs"))],
    }
}

/// Demands that a package can have this name beside those that it is built with.
pub(super) fn check_name(name: &str) -> Result<(), Error> {
    let why = if RESERVED.contains(&name) {
        "Rust keeps this name for itself"
    } else if embedded::LOCK.contains(&format!("\nname = \"{name}\"\n")) {
        "a crate that Weir is built with has this name, and cargo could not tell them apart"
    } else {
        return Ok(());
    };
    Err(Error::Input(format!(
        "`{name}` cannot be the name of a plugin in Rust: {why}\n  choose another, such as `my-{name}`"
    )))
}

/// Builds the component.
pub(super) fn build(folder: &Path, project: &ProjectFile) -> Result<Vec<u8>, Error> {
    let folder = absolute(folder).map_err(|e| Error::io(folder, e))?;
    let target = target_folder(&folder)?;
    let built = Guests::project(&folder, &target, &project.name).build();
    let built = built.map_err(|e| Error::Input(format!("{} was not built: {e}", project.name)))?;
    let one = built.into_iter().next().map(|built| built.component);
    one.ok_or_else(|| Error::Input(format!("{} was not built: cargo made nothing", project.name)))
}

/// Where cargo builds: in the project's target folder, or the one that the environment names.
fn target_folder(project: &Path) -> Result<PathBuf, Error> {
    match env::var_os("CARGO_TARGET_DIR").filter(|given| !given.is_empty()) {
        Some(given) => absolute(&given).map_err(|e| Error::io(&given, e)),
        None => Ok(project.join("target")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn project(kind: Kind) -> Vec<(String, String)> {
        files(&New { kind, language: Language::Rust, name: "my-own".into() }).unwrap()
    }

    #[test]
    fn no_placeholder_is_left_in_any_file_of_any_kind() {
        // Rust's own doubled braces stand before a quotation mark, never before a letter.
        let left = |text: &str| text.split("{{").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        for (path, text) in Kind::ALL.into_iter().flat_map(project) {
            let own = !path.starts_with("vendor/") && !path.starts_with("wit/");
            assert!(!own || !left(&text), "{path}:\n{text}");
        }
    }

    #[test]
    fn a_projects_manifest_has_the_profile_of_weirs_own_guests() {
        let files = project(Kind::Policy);
        let (_, text) = files.iter().find(|(path, _)| path == "Cargo.toml").unwrap();
        let manifest: toml::Table = toml::from_str(text).unwrap();
        let workspace: toml::Table = toml::from_str(embedded::WORKSPACE).unwrap();
        assert_eq!(manifest["profile"]["guest"], workspace["profile"]["guest"]);
        assert_eq!(manifest["package"]["name"].as_str(), Some("my-own"));
        assert!(manifest.contains_key("workspace"));
    }

    #[test]
    fn names_that_cargo_could_not_tell_apart_are_refused() {
        for (name, why) in
            [("match", "Rust keeps"), ("std", "Rust keeps"), ("serde", "a crate"), ("weir-plugin", "a crate")]
        {
            assert!(check_name(name).unwrap_err().to_string().contains(why), "{name}");
        }
        check_name("my-guard").unwrap();
    }
}
