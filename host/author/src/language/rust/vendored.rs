//! The SDK and the contract as a project has them: the workspace's own files, and a manifest in which everything that the
//! SDK takes from the workspace is written out. What the SDK's build script makes of the contract stands beside them as
//! sources: the generator and its parsers would be most of what a new project compiles.

use crate::language::embedded::{BINDINGS, SDK, SDK_MANIFEST, WORKSPACE, contract};
use toml::{Table, Value};
use weir_suite::Error;

/// Where the SDK stands in a project.
const FOLDER: &str = "vendor/weir-plugin";

/// What the SDK has for its own workspace alone.
const BUILD_SCRIPT: &str = "build.rs";

/// The workspace's manifest, from which members inherit.
pub(super) struct Workspace(Table);

impl Workspace {
    /// The one that this program was built from.
    pub(super) fn embedded() -> Result<Self, Error> {
        Ok(Workspace(parse("Cargo.toml", WORKSPACE)?))
    }

    /// A text of `workspace.package`.
    pub(super) fn package(&self, key: &str) -> Result<&str, Error> {
        self.get(&["workspace", "package", key])?.as_str().ok_or_else(|| missing(&["workspace", "package", key]))
    }

    /// The profile of guests, as a table of a manifest.
    pub(super) fn guest_profile(&self) -> Result<String, Error> {
        let profile = self.get(&["profile", weir_componentize::PROFILE])?.clone();
        let guest = Table::from_iter([(weir_componentize::PROFILE.to_owned(), profile)]);
        written(&Table::from_iter([("profile".to_owned(), Value::Table(guest))]))
    }

    /// The files of the SDK and of the contract, by their paths in a project.
    pub(super) fn vendored(&self) -> Result<Vec<(String, String)>, Error> {
        let mut files = vec![(format!("{FOLDER}/Cargo.toml"), self.alone(SDK_MANIFEST)?)];
        let sources = SDK.iter().filter(|(path, _)| *path != BUILD_SCRIPT);
        files.extend(sources.map(|(path, text)| (format!("{FOLDER}/{path}"), beside(text))));
        files.extend(
            BINDINGS.iter().map(|(name, text)| (format!("{FOLDER}/src/bindings/{name}.rs"), (*text).to_owned())),
        );
        files.extend(contract());
        Ok(files)
    }

    /// A member's manifest with what it inherits written out. The workspace's lints are left out, and what only its build
    /// script and its tests need: they are for who changes the SDK.
    fn alone(&self, manifest: &str) -> Result<String, Error> {
        let mut manifest = parse("plugins/sdk/Cargo.toml", manifest)?;
        for section in ["package", "dependencies"] {
            let Some(Value::Table(entries)) = manifest.get_mut(section) else { continue };
            for (key, value) in entries.iter_mut() {
                let Value::Table(given) = value else { continue };
                if given.remove("workspace").is_some() {
                    let from = self.get(&["workspace", section, key])?;
                    *value = joined(from, std::mem::take(given));
                }
            }
        }
        for section in ["lints", "build-dependencies", "dev-dependencies"] {
            manifest.remove(section);
        }
        written(&manifest)
    }

    fn get(&self, path: &[&str]) -> Result<&Value, Error> {
        let found = path
            .split_first()
            .and_then(|(first, rest)| rest.iter().try_fold(self.0.get(*first)?, |value, key| value.get(key)));
        found.ok_or_else(|| missing(path))
    }
}

/// A source of the SDK that includes what its build script made, with that beside it instead.
fn beside(source: &str) -> String {
    let made = |name: &str| format!("concat!(env!(\"OUT_DIR\"), \"/{name}.rs\")");
    let here = |name: &str| format!("\"bindings/{name}.rs\"");
    BINDINGS.iter().fold(source.to_owned(), |text, (name, _)| text.replace(&made(name), &here(name)))
}

/// An inherited value, and what the member adds to it.
fn joined(from: &Value, own: Table) -> Value {
    if own.is_empty() {
        return from.clone();
    }
    let mut all = match from {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    };
    all.extend(own);
    Value::Table(all)
}

fn parse(name: &str, text: &str) -> Result<Table, Error> {
    toml::from_str(text).map_err(|e| Error::Input(format!("Weir's own {name}: {e}")))
}

pub(super) fn written(table: &Table) -> Result<String, Error> {
    toml::to_string(table).map_err(|e| Error::Input(format!("a manifest cannot be written: {e}")))
}

fn missing(path: &[&str]) -> Error {
    Error::Input(format!("Weir's own Cargo.toml has no `{}`: this build of weir is incomplete", path.join(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<(String, String)> {
        Workspace::embedded().unwrap().vendored().unwrap()
    }

    fn text(path: &str) -> String {
        files().into_iter().find(|(known, _)| known == path).unwrap_or_else(|| panic!("no {path}")).1
    }

    #[test]
    fn the_sdks_manifest_stands_alone_with_the_workspaces_versions() {
        let manifest: Table = toml::from_str(&text("vendor/weir-plugin/Cargo.toml")).unwrap();
        let workspace: Table = toml::from_str(WORKSPACE).unwrap();
        assert_eq!(manifest["package"]["version"], workspace["workspace"]["package"]["version"]);
        assert_eq!(manifest["dependencies"]["wit-bindgen"], workspace["workspace"]["dependencies"]["wit-bindgen"]);
        assert!(!manifest.contains_key("lints"));
        assert!(!manifest.to_string().contains("workspace"), "{manifest}");
    }

    #[test]
    fn what_a_member_adds_is_kept() {
        let own = Table::from_iter([("optional".to_owned(), Value::Boolean(true))]);
        let joined = joined(&Value::String("1.0".into()), own);
        assert_eq!((joined["version"].as_str(), joined["optional"].as_bool()), (Some("1.0"), Some(true)));
    }

    #[test]
    fn bindings_stand_in_a_project_as_sources_and_the_contract_beside_them() {
        let modules = text("vendor/weir-plugin/src/bindings.rs");
        for kind in ["policy", "domain", "writer", "reducer"] {
            assert!(modules.contains(&format!("include!(\"bindings/{kind}.rs\");")), "{modules}");
            assert!(text(&format!("vendor/weir-plugin/src/bindings/{kind}.rs")).contains("wit_bindgen::rt::"));
            assert!(text(&format!("wit/{kind}.wit")).contains("package weir:plugin@"));
        }
        let manifest: Table = toml::from_str(&text("vendor/weir-plugin/Cargo.toml")).unwrap();
        let known: Vec<&String> = manifest.keys().collect();
        assert_eq!(known, ["dependencies", "features", "package"], "nothing that only Weir's own workspace needs");
        let elsewhere = |(path, text): &(String, String)| {
            path.contains("released") || path.ends_with("build.rs") || path.ends_with(".rs") && text.contains("OUT_DIR")
        };
        assert!(!files().iter().any(elsewhere));
    }
}
