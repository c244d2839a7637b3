//! Files that the user names: opened through a handle on their folder, so that what a data file says can never lead
//! anywhere else.

use crate::error::Error;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Opens a file.
///
/// # Errors
/// Where there is none, or it cannot be opened.
pub fn open(path: &Path) -> Result<File, Error> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| Error::Input(format!("{}: not a file", path.display())))?;
    let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|e| Error::io(folder, e))?;
    dir.open(name).map_err(|e| Error::io(path, e))
}

/// Reads a file.
///
/// # Errors
/// Where it cannot be opened or read.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    Ok(bytes)
}

/// A file below a folder.
pub struct Entry {
    /// Path relative to the folder, with `/` between names.
    pub path: String,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// Visits the files below a folder in the order of their paths. Symbolic links are not followed.
///
/// # Errors
/// Where a folder or file cannot be read, or `visit` fails.
pub fn walk(root: &Path, visit: &mut dyn FnMut(Entry) -> Result<(), Error>) -> Result<(), Error> {
    let dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(|e| Error::io(root, e))?;
    walk_in(&dir, root, Path::new(""), visit)
}

fn walk_in(
    dir: &Dir,
    root: &Path,
    below: &Path,
    visit: &mut dyn FnMut(Entry) -> Result<(), Error>,
) -> Result<(), Error> {
    let here = |name: &Path| root.join(below).join(name);
    let entries = dir.entries().map_err(|e| Error::io(here(Path::new("")), e))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(here(Path::new("")), e))?;
        let kind = entry.file_type().map_err(|e| Error::io(here(Path::new("")), e))?;
        names.push((PathBuf::from(entry.file_name()), kind));
    }
    names.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, kind) in names {
        if kind.is_dir() {
            let inner = dir.open_dir(&name).map_err(|e| Error::io(here(&name), e))?;
            walk_in(&inner, root, &below.join(&name), visit)?;
        } else if kind.is_file() {
            let bytes = dir.read(&name).map_err(|e| Error::io(here(&name), e))?;
            let parts: Vec<String> = below.join(&name).iter().map(|part| part.to_string_lossy().into_owned()).collect();
            visit(Entry { path: parts.join("/"), bytes })?;
        }
    }
    Ok(())
}

/// Writes a whole file or nothing.
///
/// # Errors
/// Where the file system refuses.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().ok_or_else(|| Error::Input(format!("{}: not a file", path.display())))?;
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|e| Error::io(folder, e))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let written = (|| {
        let mut file = dir.create(&temporary)?;
        std::io::Write::write_all(&mut file, bytes)?;
        file.sync_all()?;
        dir.rename(&temporary, &dir, name)
    })();
    if written.is_err() {
        let _ = dir.remove_file(&temporary);
    }
    written.map_err(|e| Error::io(path, e))
}
