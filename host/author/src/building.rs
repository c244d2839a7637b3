//! `weir build`: a project's component, which says of itself what `weir.toml` says.

use crate::project_file::ProjectFile;
use std::path::{Path, PathBuf};
use weir_metadata::Surface;
use weir_runtime::Metadata;
use weir_suite::{Error, input};

/// What was built.
pub struct Product {
    /// The component's file.
    pub component: PathBuf,
    /// The component.
    pub bytes: Vec<u8>,
    /// What it says of itself.
    pub metadata: Metadata,
}

/// Builds the project in a folder. What an earlier build left there stays until it can be replaced.
///
/// # Errors
/// Where the folder is no project, a tool is missing, the tools cannot build it (they say why on standard error), or what
/// they build is not what `weir.toml` says.
pub fn build(folder: &Path) -> Result<Product, Error> {
    let project = ProjectFile::read(folder)?;
    let bare = project.language.build(folder, &project)?;
    let failed = |e: weir_metadata::Error| Error::Input(format!("what was built of {}: {e}", project.name));
    let metadata = project.metadata(&Surface::read(&bare).map_err(failed)?)?;
    let bytes = weir_metadata::write(&bare, &metadata).map_err(failed)?;
    let component = project.component(folder);
    input::write(&component, &bytes)?;
    Ok(Product { component, bytes, metadata })
}
