//! The versions of the contract that this host loads: the current one, and one adapter for each older minor version that was
//! released.
//!
//! A component belongs to the version whose interface it exports, and is held to that version's worlds, word for word. One of
//! an older version is then adapted to the current one ([`adapt`]) before it is compiled, so that everything behind the
//! compiler knows one contract only.

pub mod adapt;
mod v0_1;
mod v0_2;

pub use weir_metadata::{PACKAGE, of_contract as interface};

use crate::load::Kind;
use wit_parser::{Resolve, SourceMap, WorldId};

/// A version of the contract.
#[derive(Debug)]
pub struct Version {
    /// As it stands in the names of interfaces.
    pub number: &'static str,
    /// Its files, by name.
    pub wit: &'static [(&'static str, &'static str)],
}

/// The version that the SDK builds against.
pub const CURRENT: &Version = &v0_2::VERSION;

/// All versions that are loaded, newest first.
pub const ALL: &[&Version] = &[CURRENT, &v0_1::VERSION];

/// The files of a folder of the contract, embedded.
macro_rules! files {
    ($folder:literal) => {
        $crate::contract::files!($folder: "types", "trace", "host", "memory", "policy", "domain", "writer", "reducer")
    };
    ($folder:literal: $($name:literal),*) => {
        &[$((concat!($name, ".wit"), include_str!(concat!("../../../../wit/", $folder, $name, ".wit")))),*]
    };
}
pub(crate) use files;

impl Version {
    /// The version of this number, if it is loaded.
    #[must_use]
    pub fn find(number: &str) -> Option<&'static Version> {
        ALL.iter().copied().find(|version| version.number == number)
    }

    /// The package with the version, for example `weir:plugin@0.2.0`.
    #[must_use]
    pub fn package(&self) -> String {
        format!("{PACKAGE}@{}", self.number)
    }

    /// The full name of one of its interfaces, for example `weir:plugin/policy@0.2.0`.
    #[must_use]
    pub fn interface(&self, name: &str) -> String {
        format!("{PACKAGE}/{name}@{}", self.number)
    }

    /// SHA-256 over its files, in lower-case hex.
    #[must_use]
    pub fn digest(&self) -> String {
        let all: String = self.wit.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
        weir_trace::json::sha256(all.as_bytes())
    }

    /// It, parsed, and its world of a kind.
    ///
    /// # Errors
    /// None for a released version: a failure would be a fault of this build, and a test would have caught it.
    pub fn world(&self, kind: Kind) -> Result<(Resolve, WorldId), String> {
        let broken = |e: String| format!("the built-in contract {} does not parse: {e}", self.package());
        let mut map = SourceMap::default();
        for (name, text) in self.wit {
            map.push(std::path::Path::new(name), *text);
        }
        let group = map.parse().map_err(|(_, e)| broken(format!("{e:?}")))?;
        let mut resolve = Resolve::default();
        let package = resolve.push_group(group).map_err(|e| broken(format!("{e:#}")))?;
        let world = resolve
            .select_world(&[package], Some(&format!("{}-plugin", kind.name())))
            .map_err(|e| broken(e.to_string()))?;
        Ok((resolve, world))
    }
}

/// SHA-256 over all loaded versions, in lower-case hex: what is kept of a component's interfaces depends on them.
#[must_use]
pub fn digest() -> String {
    let all: Vec<String> = ALL.iter().map(|version| version.digest()).collect();
    weir_trace::json::sha256(all.join("\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn released() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/released")
    }

    #[test]
    fn each_released_version_is_loaded_and_the_current_one_is_among_them() {
        let folders = fs::read_dir(released()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let loaded = ALL.iter().map(|version| version.number.to_owned());
        assert_eq!(folders.collect::<BTreeSet<_>>(), loaded.collect::<BTreeSet<_>>());
    }

    #[test]
    fn what_is_embedded_is_all_of_the_folder() {
        for version in ALL {
            let mut names = BTreeSet::new();
            for entry in fs::read_dir(released().join(version.number)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                let text = version.wit.iter().find(|(known, _)| *known == name).expect("an embedded file").1;
                // The open folder may have grown since; `the_contract_breaks_no_released_version` judges that.
                if version.number != CURRENT.number {
                    assert_eq!(text, fs::read_to_string(&path).unwrap(), "{}", path.display());
                }
                names.insert(name);
            }
            assert_eq!(names.len(), version.wit.len());
        }
    }

    #[test]
    fn a_world_of_each_kind_is_in_each_version() {
        for version in ALL {
            for kind in Kind::ALL {
                let (resolve, world) = version.world(kind).unwrap();
                let exports = resolve.worlds[world].exports.keys().map(|key| resolve.name_world_key(key));
                assert!(exports.collect::<Vec<_>>().contains(&version.interface(kind.name())));
            }
        }
    }

    fn parsed(files: impl Iterator<Item = (String, String)>, into: &mut Resolve) {
        let mut map = SourceMap::default();
        files.for_each(|(name, text)| map.push(Path::new(&name), text));
        into.push_group(map.parse().map_err(|(_, e)| e).unwrap()).unwrap();
    }

    /// The gate: what a released world imports, the current one offers with the same types, and what the host calls, the
    /// released world exports. As long as it holds, an adapter has nothing to convert; a version that breaks it needs one that
    /// does, or another major number.
    #[test]
    fn the_contract_breaks_no_released_version() {
        for version in ALL {
            // The released copy of the current version would otherwise be the same package.
            let apart =
                |text: &str| text.replace(&format!("@{}", version.number), &format!("@{}-copy", version.number));
            let entries = fs::read_dir(released().join(version.number)).unwrap().map(|entry| entry.unwrap().path());
            let copy = entries.map(|path| (path.display().to_string(), apart(&fs::read_to_string(&path).unwrap())));
            let mut both = Resolve::default();
            parsed(copy, &mut both);
            parsed(CURRENT.wit.iter().map(|(name, text)| ((*name).into(), (*text).into())), &mut both);
            for kind in Kind::ALL {
                let name = format!("{}-plugin", kind.name());
                let worlds: Vec<_> =
                    both.worlds.iter().filter(|(_, world)| world.name == name).map(|(id, _)| id).collect();
                let [old, new] = worlds[..] else { panic!("{name} in both packages") };
                wit_component::semver_check(both.clone(), old, new)
                    .unwrap_or_else(|e| panic!("{name} of {}: {e:#}", version.package()));
            }
        }
    }
}
