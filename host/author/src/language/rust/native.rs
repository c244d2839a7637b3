//! The program around a policy's native build: a package of its own in the target folder, which depends on the project and, so
//! that its feature `replay` is on, on the project's SDK. What a workspace's root alone decides is the project's: the lock
//! file, profiles and patches.

use super::{target_folder, vendored};
use crate::native::Native;
use crate::project_file::ProjectFile;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};
use toml::{Table, Value};
use weir_componentize::{PROFILE, cargo};
use weir_suite::Error;

/// The SDK's package.
const SDK: &str = "weir-plugin";

const MAIN: &str = include_str!("../../../templates/rust/native.rs");

/// What cargo says of a project.
#[derive(Debug, Deserialize)]
struct Described {
    packages: Vec<Package>,
    workspace_root: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    path: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    crate_types: Vec<String>,
}

/// A line of what cargo says while it builds.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
}

/// Builds the program.
pub(in crate::language) fn build(folder: &Path, project: &ProjectFile) -> Result<Native, Error> {
    let folder = absolute(folder).map_err(|e| Error::io(folder, e))?;
    let described = describe(&folder, project)?;
    let package = described.package(project)?;
    let target = target_folder(&folder)?;
    let program = format!("weir-native-{}", project.name);
    let own = target.join("weir-native").join(&project.name);
    let root = described.workspace_root.join("Cargo.toml");
    let root: Table = {
        let text = fs::read_to_string(&root).map_err(|e| Error::io(&root, e))?;
        toml::from_str(&text).map_err(|e| Error::Input(format!("{}: {e}", root.display())))?
    };
    let manifest = manifest(&program, project, &folder, package.sdk(project)?, &root, &described.workspace_root);
    write(&own.join("Cargo.toml"), &vendored::written(&manifest)?)?;
    write(&own.join("main.rs"), &MAIN.replace("{{library}}", &package.library(project)?.replace('-', "_")))?;
    let lock = described.workspace_root.join("Cargo.lock");
    if lock.is_file() {
        // Cargo adds the program and drops what it does not need; all versions stay.
        write(&own.join("Cargo.lock"), &fs::read_to_string(&lock).map_err(|e| Error::io(&lock, e))?)?;
    }
    let failed = |why: &dyn std::fmt::Display| {
        Error::Input(format!(
            "the native build of {} failed: {why}\n  it needs what `weir new` writes: `export_policy!` at the root of the crate, \
             and the SDK of this version of weir under vendor/; `weir bench {}.wasm` measures the component alone",
            project.name, project.name
        ))
    };
    // In the project's folder, for its toolchain and cargo's settings.
    let mut command = clean(&folder);
    command.args([
        "build",
        "--profile",
        PROFILE,
        "--target",
        "host-tuple",
        "--message-format",
        "json-render-diagnostics",
    ]);
    command.arg("--manifest-path").arg(own.join("Cargo.toml")).arg("--target-dir").arg(&target);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let output = command.spawn().and_then(std::process::Child::wait_with_output);
    let output = output.map_err(|e| failed(&weir_componentize::Error::NoCargo(e)))?;
    if !output.status.success() {
        return Err(failed(&weir_componentize::Error::Cargo(String::new())));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let mut executables = said.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()?.executable);
    let built = executables.next_back().ok_or_else(|| failed(&"cargo made no program"))?;
    Ok(Native { name: project.name.clone(), program: built })
}

/// A cargo without the flags and wrappers of the environment: what is set for one side alone would be in the comparison.
fn clean(folder: &Path) -> Command {
    let mut command = cargo(folder);
    let flags = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_MAKEFLAGS"];
    for name in flags {
        command.env_remove(name);
    }
    command
}

fn describe(folder: &Path, project: &ProjectFile) -> Result<Described, Error> {
    let mut command = cargo(folder);
    command.args(["metadata", "--no-deps", "--format-version", "1"]).stdin(Stdio::null());
    let named = |why: &dyn std::fmt::Display| Error::Input(format!("{}: {why}", project.name));
    let output = command.output().map_err(|e| named(&weir_componentize::Error::NoCargo(e)))?;
    if !output.status.success() {
        return Err(named(&String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| named(&format!("cannot read what cargo says of it: {e}")))
}

impl Described {
    fn package(&self, project: &ProjectFile) -> Result<&Package, Error> {
        let none = || Error::Input(format!("cargo knows no package `{}` in its project", project.name));
        self.packages.iter().find(|package| package.name == project.name).ok_or_else(none)
    }
}

impl Package {
    /// The library that a program can link.
    fn library(&self, project: &ProjectFile) -> Result<&str, Error> {
        let linked = |target: &&Target| target.crate_types.iter().any(|kind| kind == "lib" || kind == "rlib");
        let none = || {
            Error::Input(format!(
                "{}: a native build links its library, and there is none\n  in Cargo.toml: [lib] crate-type = [\"cdylib\", \
                 \"rlib\"]",
                project.name
            ))
        };
        self.targets.iter().find(linked).map(|target| target.name.as_str()).ok_or_else(none)
    }

    /// Where the SDK stands.
    fn sdk(&self, project: &ProjectFile) -> Result<&Path, Error> {
        let path = self.dependencies.iter().find(|one| one.name == SDK).and_then(|one| one.path.as_deref());
        path.ok_or_else(|| {
            Error::Input(format!(
                "{}: it does not depend on the SDK in a folder\n  in Cargo.toml: [dependencies] {SDK} = {{ path = \
                 \"vendor/{SDK}\" }}",
                project.name
            ))
        })
    }
}

fn manifest(program: &str, project: &ProjectFile, folder: &Path, sdk: &Path, root: &Table, beside: &Path) -> Table {
    let text = |text: &str| Value::String(text.to_owned());
    let at = |path: &Path| text(&path.to_string_lossy());
    let table = |entries: Vec<(&str, Value)>| -> Value {
        Value::Table(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let replay = Value::Array(vec![text("replay")]);
    let mut manifest = Table::from_iter([
        (
            "package".to_owned(),
            table(vec![
                ("name", text(program)),
                ("version", text("0.0.0")),
                ("edition", text("2024")),
                ("publish", Value::Boolean(false)),
            ]),
        ),
        ("bin".to_owned(), Value::Array(vec![table(vec![("name", text(program)), ("path", text("main.rs"))])])),
        (
            "dependencies".to_owned(),
            table(vec![
                (&project.name, table(vec![("path", at(folder))])),
                (SDK, table(vec![("path", at(sdk)), ("features", replay)])),
            ]),
        ),
        // A workspace of its own, wherever the target folder stands.
        ("workspace".to_owned(), table(Vec::new())),
    ]);
    if let Some(profiles) = root.get("profile") {
        manifest.insert("profile".to_owned(), profiles.clone());
    }
    if let Some(patches) = root.get("patch") {
        manifest.insert("patch".to_owned(), rooted(patches.clone(), beside));
    }
    manifest
}

/// A table of patches whose paths hold from any folder.
fn rooted(patches: Value, beside: &Path) -> Value {
    let Value::Table(mut registries) = patches else { return patches };
    for registry in registries.iter_mut().filter_map(|(_, patched)| patched.as_table_mut()) {
        for path in registry.iter_mut().filter_map(|(_, patch)| patch.get_mut("path")) {
            if let Some(relative) = path.as_str() {
                *path = Value::String(beside.join(relative).to_string_lossy().into_owned());
            }
        }
    }
    Value::Table(registries)
}

/// Writes a file where it says something else: cargo looks at when its sources were changed.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    }
    fs::write(path, text).map_err(|e| Error::io(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_projects_profile_and_patches_and_the_sdk_with_its_feature() {
        let project = "kind = \"policy\"\nlanguage = \"rust\"\nname = \"mine\"\nversion = \"1.0.0\"\nasks = []\n";
        let project = ProjectFile::parse(project).unwrap();
        let root: Table = toml::from_str(
            "[profile.guest]\ninherits = \"release\"\n[patch.crates-io]\na = { path = \"../a\" }\nb = { path = \"/b\" }\n",
        )
        .unwrap();
        let made =
            manifest("weir-native-mine", &project, Path::new("/p"), Path::new("/p/vendor/s"), &root, Path::new("/r"));
        let made: Table = toml::from_str(&vendored::written(&made).unwrap()).unwrap();
        assert_eq!(made["profile"], root["profile"]);
        assert_eq!(made["dependencies"]["mine"]["path"].as_str(), Some("/p"));
        let sdk = &made["dependencies"][SDK];
        assert_eq!((sdk["path"].as_str(), sdk["features"][0].as_str()), (Some("/p/vendor/s"), Some("replay")));
        let patches = &made["patch"]["crates-io"];
        assert_eq!((patches["a"]["path"].as_str(), patches["b"]["path"].as_str()), (Some("/r/../a"), Some("/b")));
        assert!(made["workspace"].as_table().unwrap().is_empty());
    }

    #[test]
    fn a_project_without_a_library_or_the_sdk_is_told_what_belongs_in_its_manifest() {
        let project = "kind = \"policy\"\nlanguage = \"rust\"\nname = \"mine\"\nversion = \"1.0.0\"\nasks = []\n";
        let project = ProjectFile::parse(project).unwrap();
        let described: Described = serde_json::from_str(
            r#"{"workspace_root":"/p","packages":[{"name":"mine","dependencies":[{"name":"weir-plugin","path":null}],
                "targets":[{"name":"mine","crate_types":["cdylib"]}]}]}"#,
        )
        .unwrap();
        let package = described.package(&project).unwrap();
        assert!(package.library(&project).unwrap_err().to_string().contains("crate-type = [\"cdylib\", \"rlib\"]"));
        assert!(package.sdk(&project).unwrap_err().to_string().contains("vendor/weir-plugin"));
        let other = ProjectFile { name: "other".into(), ..project };
        assert!(described.package(&other).unwrap_err().to_string().contains("no package `other`"));
    }
}
