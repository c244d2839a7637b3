//! What a package of Weir's own workspace says of itself, for the components that are made of it.
//!
//! A plugin's manifest has what cargo knows anyway. Beside it stands what it uses where that is granted:
//!
//! ```toml
//! [package.metadata.weir]
//! optional = ["model:judge"]
//! ```

use crate::{Error, cargo};
use serde::Deserialize;
use std::path::Path;
use std::process::Stdio;
use weir_metadata::{Capability, Surface};

/// A package, as cargo describes it with all that it inherits.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    version: String,
    authors: Vec<String>,
    license: Option<String>,
    homepage: Option<String>,
    metadata: Option<Other>,
}

#[derive(Clone, Debug, Deserialize)]
struct Other {
    weir: Option<Weir>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weir {
    optional: Vec<Capability>,
}

#[derive(Deserialize)]
struct Described {
    packages: Vec<Package>,
}

impl Package {
    /// The packages of a workspace.
    ///
    /// # Errors
    /// Where cargo cannot be run, or what it says is not what is expected.
    pub fn all(workspace: &Path) -> Result<Vec<Self>, Error> {
        let mut command = cargo(workspace);
        command.args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"]);
        let output = command.stdin(Stdio::null()).output().map_err(Error::NoCargo)?;
        if !output.status.success() {
            return Err(Error::Cargo(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let described: Described = serde_json::from_slice(&output.stdout)
            .map_err(|e| Error::Described { workspace: workspace.into(), why: e.to_string() })?;
        Ok(described.packages)
    }

    /// A component of this package that says under this name what the package says. It asks for what it imports.
    ///
    /// # Errors
    /// Where the component is no plugin, or what the package says is not allowed.
    pub fn annotated(&self, name: &str, component: &[u8]) -> Result<Vec<u8>, Error> {
        let said = |why: String| Error::Metadata { package: self.name.clone(), why };
        let surface = Surface::read(component).map_err(|e| said(e.to_string()))?;
        let mut metadata = surface
            .metadata(name, &self.version)
            .ok_or_else(|| said("it exports no interface of the contract".into()))?;
        metadata.authors.clone_from(&self.authors);
        metadata.licence.clone_from(&self.license);
        metadata.homepage.clone_from(&self.homepage);
        if let Some(weir) = self.metadata.as_ref().and_then(|other| other.weir.as_ref()) {
            metadata.optional.clone_from(&weir.optional);
        }
        weir_metadata::write(component, &metadata).map_err(|e| said(e.to_string()))
    }
}
