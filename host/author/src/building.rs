//! `weir build`: a project's component, and the manifest that Weir reads beside it.

use crate::project_file::ProjectFile;
use crate::within;
use std::path::{Path, PathBuf};
use weir_runtime::Kind;
use weir_suite::{Error, input};

/// What was built.
pub struct Product {
    /// The plugin's name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The component's file.
    pub component: PathBuf,
    /// The manifest's file.
    pub manifest: PathBuf,
    /// The component.
    pub bytes: Vec<u8>,
}

/// Builds the project in a folder. What an earlier build left there stays until all of it can be replaced.
///
/// # Errors
/// Where the folder is no project, a tool is missing, or the tools cannot build it: they say why on standard error.
pub fn build(folder: &Path) -> Result<Product, Error> {
    let project = ProjectFile::read(folder)?;
    let bytes = project.language.build(folder, &project)?;
    let manifest_text = toml::to_string(&project.manifest())
        .map_err(|e| Error::Input(format!("the manifest of {} cannot be written: {e}", project.name)))?;
    let component = within(folder, &format!("{}.wasm", project.name));
    let manifest = within(folder, &format!("{}.toml", project.name));
    input::write(&manifest, manifest_text.as_bytes())?;
    input::write(&component, &bytes)?;
    Ok(Product { name: project.name, kind: project.kind, component, manifest, bytes })
}
