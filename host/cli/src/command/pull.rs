//! `weir pull`: a component from an OCI registry, or from an image layout on disk.

use crate::command::push::{most, tell};
use crate::common::Outcome;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use weir_registry::{Reference, pull};
use weir_suite::Error;

/// Arguments.
#[derive(Args)]
pub struct Pull {
    /// Where from: HOST[:PORT]/NAME@sha256:DIGEST or HOST[:PORT]/NAME[:TAG] in a registry, or oci:FOLDER[:TAG] for a layout on
    /// disk; without a version, the tag `latest`
    reference: String,
    /// The file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if there is one
    #[arg(long)]
    force: bool,
    /// Speak to the registry in the clear, even on another machine
    #[arg(long)]
    insecure: bool,
    /// Print what was pulled as JSON
    #[arg(long)]
    json: bool,
}

impl Pull {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let failed = |e: weir_registry::Error| Error::Input(e.to_string());
        let reference = Reference::parse(&self.reference).map_err(failed)?;
        // Before anything is fetched.
        if !self.force && self.out.symlink_metadata().is_ok() {
            return Err(exists(&self.out).into());
        }
        let (moved, component) = pull(&reference, most(), self.insecure).map_err(failed)?;
        write(&self.out, &component, self.force)?;
        tell(&moved, self.json)
    }
}

fn exists(path: &Path) -> Error {
    Error::Input(format!(
        "{} exists already\n  choose another file with --out, or replace it with --force",
        path.display()
    ))
}

/// Writes a file that appears whole or not at all.
fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let failed = |e| Error::io(path, e);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".weir-pull-").suffix(".tmp");
    // A component is no secret: it gets the permissions of any new file, which the user's mask narrows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    if force {
        file.persist(path).map_err(|e| failed(e.error))?;
    } else {
        file.persist_noclobber(path).map_err(|e| match e.error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(path),
            _ => failed(e.error),
        })?;
    }
    Ok(())
}
