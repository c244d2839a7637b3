//! A folder that appears whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use weir_suite::Error;

/// A folder under construction, beside the place where it will stand. Dropped before it is finished, it is gone.
pub(crate) struct Folder {
    temporary: TempDir,
    path: PathBuf,
}

impl Folder {
    /// Refuses a place that is taken or in the run's own folder, before any work is done.
    pub(crate) fn begin(path: &Path, run: &Path) -> Result<Self, Error> {
        if path.symlink_metadata().is_ok() {
            return Err(exists(path));
        }
        crate::file::check(path, run, false)?;
        let beside = crate::file::folder(path);
        let temporary = tempfile::Builder::new()
            .prefix(".weir-export-")
            .suffix(".tmp")
            .tempdir_in(&beside)
            .map_err(|e| Error::io(path, e))?;
        Ok(Folder { temporary, path: path.into() })
    }

    /// The place of a file in it until it is finished. Its folders are made.
    pub(crate) fn place(&self, name: &str) -> Result<PathBuf, Error> {
        let place = self.temporary.path().join(name);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        }
        Ok(place)
    }

    /// Gives it its name.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let failed = |e| Error::io(&self.path, e);
        // A result is no secret: the folder gets the permissions of any new one, which the user's mask narrows.
        let model = self.temporary.path().join(".new");
        fs::create_dir(&model).map_err(failed)?;
        let usual = fs::metadata(&model).map_err(failed)?.permissions();
        fs::remove_dir(&model).map_err(failed)?;
        fs::set_permissions(self.temporary.path(), usual).map_err(failed)?;
        // Another program may have made it meanwhile; an empty folder would be replaced without a word.
        if self.path.symlink_metadata().is_ok() {
            return Err(exists(&self.path));
        }
        fs::rename(self.temporary.path(), &self.path).map_err(failed)?;
        // What was temporary is no longer there to be removed.
        let _ = self.temporary.keep();
        Ok(())
    }
}

fn exists(path: &Path) -> Error {
    Error::Input(format!(
        "{} exists already\n  this format writes a folder: choose another with --out, or remove that one",
        path.display()
    ))
}
