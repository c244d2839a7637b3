//! Plugins by name: first-party ones from this binary, others from a file. Files are read once, through a directory handle,
//! and never opened by path again.

use crate::error::{Error, nearest};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::io::Read;
use std::path::Path;
use weir_components::Embedded;
use weir_runtime::world::{DomainPlugin, PolicyPlugin, ReducerPlugin, WriterPlugin};
use weir_runtime::{Component, Kind, Loader};

/// Where plugins come from.
pub struct Plugins {
    loader: Loader,
}

/// A plugin's bytes.
pub struct Found {
    /// The name by which reports and grants speak of it: a built-in one, or the file's, whatever the component says.
    pub name: String,
    /// The component.
    pub bytes: Vec<u8>,
}

impl Plugins {
    /// Plugins loaded by `loader`.
    #[must_use]
    pub fn new(loader: Loader) -> Self {
        Plugins { loader }
    }

    /// The loader.
    #[must_use]
    pub fn loader(&self) -> &Loader {
        &self.loader
    }

    /// Names of the built-in plugins of a kind.
    pub fn names(kind: Kind) -> impl Iterator<Item = &'static str> {
        weir_components::ALL.iter().filter(move |one| one.kind == kind.name()).map(|one| one.name)
    }

    /// Finds a plugin: a built-in name, or a path that ends in `.wasm` or has a folder in it.
    ///
    /// # Errors
    /// Where there is no such plugin or file.
    pub fn find(kind: Kind, wanted: &str) -> Result<Found, Error> {
        if let Some(Embedded { name, bytes, .. }) = weir_components::find(kind.name(), wanted) {
            return Ok(Found { name: (*name).into(), bytes: bytes.to_vec() });
        }
        if Self::is_path(wanted) {
            return Self::read(wanted);
        }
        let known: Vec<&str> = Self::names(kind).collect();
        Err(Self::unknown(kind.name(), wanted, &known))
    }

    /// Whether a plugin is asked for by its file.
    #[must_use]
    pub fn is_path(wanted: &str) -> bool {
        wanted.contains(['/', '\\']) || Path::new(wanted).extension().is_some_and(|extension| extension == "wasm")
    }

    /// The error about a plugin that is not built in.
    #[must_use]
    pub fn unknown(what: &str, wanted: &str, known: &[&str]) -> Error {
        let hint = nearest(wanted, known.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
        Error::Input(format!(
            "there is no {what} `{wanted}`{}\n  built in: {}\n  a plugin of your own is given by its file, such as ./{wanted}.wasm",
            hint.unwrap_or_default(),
            known.join(", ")
        ))
    }

    /// Reads a plugin's file.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(path: &str) -> Result<Found, Error> {
        let file = Path::new(path);
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (Some(stem), Some(file_name)) = (file.file_stem(), file.file_name()) else {
            return Err(Error::Input(format!("{path}: not a file")));
        };
        let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|e| Error::io(folder, e))?;
        // The size gate reports the true size; reading stops a little past any limit.
        let mut bytes = Vec::new();
        let opened = dir.open(file_name).map_err(|e| Error::io(path, e))?;
        opened.take(1 << 30).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
        let name = stem.to_string_lossy().into_owned();
        Ok(Found { name, bytes })
    }

    /// Loads what was found.
    ///
    /// # Errors
    /// The fault of the load path.
    pub fn load(&self, kind: Kind, found: &Found) -> Result<Component, Error> {
        Ok(self.loader.load(&found.name, kind, &found.bytes)?)
    }

    /// A policy by name or path.
    ///
    /// # Errors
    /// Where there is none, or it does not load.
    pub fn policy(&self, wanted: &str) -> Result<(PolicyPlugin, Found), Error> {
        let found = Self::find(Kind::Policy, wanted)?;
        Ok((PolicyPlugin::new(self.load(Kind::Policy, &found)?)?, found))
    }

    /// A domain by name or path.
    ///
    /// # Errors
    /// Where there is none, or it does not load.
    pub fn domain(&self, wanted: &str) -> Result<(DomainPlugin, Found), Error> {
        let found = Self::find(Kind::Domain, wanted)?;
        Ok((DomainPlugin::new(self.load(Kind::Domain, &found)?)?, found))
    }

    /// A reducer by name or path.
    ///
    /// # Errors
    /// Where there is none, or it does not load.
    pub fn reducer(&self, wanted: &str) -> Result<(ReducerPlugin, Found), Error> {
        let found = Self::find(Kind::Reducer, wanted)?;
        Ok((ReducerPlugin::new(self.load(Kind::Reducer, &found)?)?, found))
    }

    /// A writer by name or path.
    ///
    /// # Errors
    /// Where there is none, or it does not load.
    pub fn writer(&self, wanted: &str) -> Result<(WriterPlugin, Found), Error> {
        let found = Self::find(Kind::Writer, wanted)?;
        Ok((WriterPlugin::new(self.load(Kind::Writer, &found)?)?, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weir_runtime::{Capability, Metadata};

    fn metadata(kind: Kind, name: &str) -> Metadata {
        weir_metadata::read(&Plugins::find(kind, name).unwrap().bytes).unwrap().unwrap()
    }

    #[test]
    fn a_built_in_plugin_says_what_it_is_as_any_other() {
        for kind in Kind::ALL {
            for name in Plugins::names(kind) {
                let said = metadata(kind, name);
                assert_eq!(
                    (said.kind, said.name.as_str(), said.version.as_str()),
                    (kind, name, env!("CARGO_PKG_VERSION"))
                );
                assert!(said.licence.is_some(), "{name}");
            }
        }
    }

    #[test]
    fn writers_and_the_policies_that_ask_models_may_ask_in_their_role_and_nobody_else() {
        let asking = |kind: Kind| {
            let all = Plugins::names(kind).map(move |name| (name, metadata(kind, name).optional));
            all.filter(|(_, optional)| !optional.is_empty()).collect::<Vec<_>>()
        };
        let role = |role: &str| vec![Capability::Model(role.into())];
        let policies =
            [("masked-rerun", role("agent")), ("predict-model", role("predictor")), ("task-alignment", role("judge"))];
        assert_eq!(asking(Kind::Policy), policies);
        let writers: Vec<_> = Plugins::names(Kind::Writer).map(|name| (name, role("writer"))).collect();
        assert_eq!(asking(Kind::Writer), writers);
        assert!(asking(Kind::Domain).is_empty() && asking(Kind::Reducer).is_empty());
    }
}
