//! A file that appears whole or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use weir_suite::Error;

/// Refuses a file that must not be written, before any work is done.
pub(crate) fn check(path: &Path, run: &Path, force: bool) -> Result<(), Error> {
    if path.file_name().is_none() {
        return Err(Error::Input(format!("{}: not a file's name", path.display())));
    }
    if !force && path.symlink_metadata().is_ok() {
        return Err(exists(path));
    }
    let folder = folder(path);
    let real = fs::canonicalize(&folder).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Error::Input(format!(
            "{}: there is no folder {}\n  make it first, or choose another file with --out",
            path.display(),
            folder.display()
        )),
        _ => Error::io(&folder, e),
    })?;
    // With --force a slip could otherwise replace the results themselves.
    if fs::canonicalize(run).is_ok_and(|run| real.starts_with(run)) {
        return Err(Error::Input(format!(
            "{} is in the run's own folder, which holds the run and nothing else\n  choose another file with --out",
            path.display()
        )));
    }
    Ok(())
}

/// Writes a file under a temporary name beside it, then gives it its own. Returns what `write` returns, and the file's
/// size.
pub(crate) fn whole<T>(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut File) -> Result<T, Error>,
) -> Result<(T, u64), Error> {
    let failed = |e| Error::io(path, e);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".weir-export-").suffix(".tmp");
    // A result is no secret: it gets the permissions of any new file, which the user's mask narrows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Dropped on any error below, and the temporary file with it.
    let mut temporary = builder.tempfile_in(folder(path)).map_err(failed)?;
    let result = write(temporary.as_file_mut())?;
    let file = temporary.as_file();
    file.sync_all().map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    if force {
        temporary.persist(path).map_err(|e| failed(e.error))?;
    } else {
        // Another program may have made the file meanwhile.
        temporary.persist_noclobber(path).map_err(|e| match e.error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(path),
            _ => failed(e.error),
        })?;
    }
    Ok((result, bytes))
}

fn exists(path: &Path) -> Error {
    Error::Input(format!(
        "{} exists already\n  choose another file with --out, or replace it with --force",
        path.display()
    ))
}

/// The folder that a file stands in.
pub(crate) fn folder(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).into()
}
