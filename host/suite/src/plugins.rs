//! Plugins by name: first-party ones from this binary, others from a file. Files are read once, through a directory handle,
//! and never opened by path again.

use crate::error::{Error, nearest};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::io::Read;
use std::path::Path;
use weir_components::Embedded;
use weir_runtime::world::{DomainPlugin, PolicyPlugin, ReducerPlugin, WriterPlugin};
use weir_runtime::{Capability, Component, Kind, Loader, Manifest};

/// Where plugins come from.
pub struct Plugins {
    loader: Loader,
}

/// A plugin's bytes and what it asks for.
pub struct Found {
    /// The name by which reports speak of it.
    pub name: String,
    /// The component.
    pub bytes: Vec<u8>,
    /// What it asks for.
    pub manifest: Manifest,
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
            return Ok(Found { name: (*name).into(), bytes: bytes.to_vec(), manifest: built_in(kind, name) });
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

    /// Reads a plugin's file, and its manifest beside it if there is one.
    ///
    /// # Errors
    /// Where they cannot be read, or the manifest has an unknown key.
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
        let toml = format!("{name}.toml");
        let manifest = match dir.read_to_string(&toml) {
            Ok(text) => {
                toml::from_str(&text).map_err(|e| Error::Input(format!("{}: {e}", folder.join(&toml).display())))?
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Manifest::default(),
            Err(e) => return Err(Error::io(folder.join(&toml), e)),
        };
        Ok(Found { name, bytes, manifest })
    }

    /// Loads what was found.
    ///
    /// # Errors
    /// The fault of the load path.
    pub fn load(&self, kind: Kind, found: &Found) -> Result<Component, Error> {
        Ok(self.loader.load(&found.name, kind, &found.bytes, &found.manifest)?)
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

/// Policies that ask a model, and in which role. Without the role's grant they still load, and fail closed when they ask.
const ASKING: [(&str, &str); 3] =
    [("masked-rerun", "agent"), ("predict-model", "predictor"), ("task-alignment", "judge")];

/// What a built-in plugin asks for. It has Weir's own version, and a writer works without a model too.
fn built_in(kind: Kind, name: &str) -> Manifest {
    let role = match kind {
        Kind::Writer => Some("writer"),
        Kind::Policy => ASKING.iter().find(|(policy, _)| *policy == name).map(|(_, role)| *role),
        Kind::Domain | Kind::Reducer => None,
    };
    let optional = role.map(|role| Capability::Model(role.into())).into_iter().collect();
    Manifest { version: Some(env!("CARGO_PKG_VERSION").into()), optional, ..Manifest::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_and_the_policies_of_the_table_may_ask_in_their_role_and_nobody_else() {
        let roles = |kind: Kind| {
            let found = move |name| Plugins::find(kind, name).unwrap().manifest.optional;
            Plugins::names(kind).map(|name| (name, found(name))).collect::<Vec<_>>()
        };
        let role = |role: &str| vec![Capability::Model(role.into())];
        let asking: Vec<_> = roles(Kind::Policy).into_iter().filter(|(_, optional)| !optional.is_empty()).collect();
        assert_eq!(asking, ASKING.map(|(name, own)| (name, role(own))));
        assert!(roles(Kind::Writer).iter().all(|(_, optional)| *optional == role("writer")));
        assert!(roles(Kind::Domain).iter().chain(&roles(Kind::Reducer)).all(|(_, optional)| optional.is_empty()));
    }
}
