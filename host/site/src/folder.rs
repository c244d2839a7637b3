//! A site's folder: it appears whole or not at all, and takes the place of an older site and of nothing else.

use crate::contract::FORMAT;
use crate::script;
use crate::sink::{Place, Sink};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;
use weir_suite::Error;
use weir_suite::store::Store;

/// Says of a folder that it is a site, and of which format.
pub const MARKER: &str = "weir-site.json";

/// What else a site has at its top. Other files there are its owner's, such as `CNAME` or `.git`, and stay.
const OWN: [&str; 7] = [MARKER, "index.html", "app.js", "app.css", "data", "traces", ".nojekyll"];

/// A site that is being written, beside the place where it will be.
pub struct Folder {
    out: PathBuf,
    building: TempDir,
    dir: Dir,
    made: Mutex<BTreeSet<String>>,
    written: Mutex<Written>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Folder {
    /// Begins a site that will be at `out`.
    ///
    /// # Errors
    /// Where something that is no site is there already, and where the file system refuses.
    pub fn begin(out: &Path) -> Result<Self, Error> {
        check_replaceable(out)?;
        let parent = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(parent).map_err(|e| Error::io(parent, e))?;
        let building =
            tempfile::Builder::new().prefix(".weir-site-").tempdir_in(parent).map_err(|e| Error::io(parent, e))?;
        let dir =
            Dir::open_ambient_dir(building.path(), ambient_authority()).map_err(|e| Error::io(building.path(), e))?;
        Ok(Folder { out: out.into(), building, dir, made: Mutex::default(), written: Mutex::default() })
    }

    /// Gives it its place.
    ///
    /// # Errors
    /// Where the file system refuses; what was there is there again.
    pub fn finish(self) -> Result<Written, Error> {
        let marker = format!("{{\"format\":\"{FORMAT}\",\"weir\":\"{}\"}}\n", env!("CARGO_PKG_VERSION"));
        self.file(MARKER, marker.into_bytes())?;
        self.file(".nojekyll", Vec::new())?;
        let written = *self.written.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.dir);
        let (out, building) = (self.out, self.building);
        let old = if out.exists() { Some(replace_old(&out, building.path())?) } else { None };
        let placed = std::fs::rename(building.path(), &out).and_then(|()| open_to_all(&out));
        if let Err(error) = placed {
            if let Some(old) = old {
                // The error is what matters; the old site is at least kept where it is.
                let _ = std::fs::rename(old.path().join(OLD), &out);
            }
            return Err(Error::io(&out, error));
        }
        // It is no longer where it was built, so there is nothing to remove.
        drop(building.keep());
        Ok(written)
    }
}

/// A temporary folder is its owner's alone; a site is for all who may read what is around it.
#[cfg(unix)]
fn open_to_all(out: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(out, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_out: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The name of the old site, within the temporary folder that takes it away.
const OLD: &str = "old";

/// Moves an old site out of the way, without what is its owner's: that goes over into the new one.
fn replace_old(out: &Path, new: &Path) -> Result<TempDir, Error> {
    let parent = new.parent().unwrap_or(Path::new("."));
    let away =
        tempfile::Builder::new().prefix(".weir-site-old-").tempdir_in(parent).map_err(|e| Error::io(parent, e))?;
    for name in names(out)? {
        if !OWN.iter().any(|own| *own == name) {
            std::fs::rename(out.join(&name), new.join(&name)).map_err(|e| Error::io(out.join(&name), e))?;
        }
    }
    std::fs::rename(out, away.path().join(OLD)).map_err(|e| Error::io(out, e))?;
    Ok(away)
}

fn names(folder: &Path) -> Result<Vec<OsString>, Error> {
    let listed = std::fs::read_dir(folder).and_then(|all| all.map(|one| one.map(|one| one.file_name())).collect());
    let mut names: Vec<OsString> = listed.map_err(|e| Error::io(folder, e))?;
    names.sort();
    Ok(names)
}

/// Whether a folder is a site.
#[must_use]
pub fn is_site(folder: &Path) -> bool {
    std::fs::read_to_string(folder.join(MARKER)).is_ok_and(|text| {
        let marker = serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
        marker.get("format").and_then(|format| format.as_str()).is_some_and(|format| format.starts_with("weir-site/"))
    })
}

fn check_replaceable(out: &Path) -> Result<(), Error> {
    let taken = match std::fs::symlink_metadata(out) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::io(out, e)),
        Ok(found) if found.is_dir() => !is_site(out) && !names(out)?.is_empty(),
        Ok(_) => true,
    };
    if taken {
        return Err(Error::Input(format!(
            "{} is there already, and is no site that Weir built: it is not replaced\n  choose another place with --out, or remove it",
            out.display()
        )));
    }
    Ok(())
}

impl Sink for Folder {
    fn file(&self, path: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let io = |e| Error::io(self.out.join(path), e);
        if let Some((parent, _)) = path.rsplit_once('/') {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            if !made.contains(parent) {
                self.dir.create_dir_all(parent).map_err(io)?;
                made.insert(parent.to_owned());
            }
        }
        self.dir.write(path, &bytes).map_err(io)?;
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.files += 1;
        written.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    fn trace(&self, _store: &Store, place: &Place, frame: &[u8]) -> Result<(), Error> {
        let name = place.name();
        self.file(&script::path(&name), script::bytes(&name, frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(out: &Path, files: &[&str]) -> Result<Written, Error> {
        let folder = Folder::begin(out)?;
        for file in files {
            folder.file(file, file.as_bytes().to_vec())?;
        }
        folder.finish()
    }

    fn beside(folder: &Path) -> Vec<OsString> {
        names(folder.parent().unwrap()).unwrap()
    }

    #[test]
    fn a_site_appears_whole_and_nothing_is_left_beside_it() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("deep/site");
        let written = build(&out, &["index.html", "data/site.js"]).unwrap();
        assert_eq!(written.files, 4);
        assert!(is_site(&out));
        assert_eq!(std::fs::read_to_string(out.join("data/site.js")).unwrap(), "data/site.js");
        assert_eq!(beside(&out), ["site"]);
        // One that is given up leaves nothing.
        drop(Folder::begin(&home.path().join("deep/other")).unwrap());
        assert_eq!(beside(&out), ["site"]);
    }

    #[test]
    fn a_site_is_built_again_in_its_place_and_what_is_its_owners_stays() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path().join("site");
        build(&out, &["data/old.js"]).unwrap();
        std::fs::create_dir(out.join(".git")).unwrap();
        std::fs::write(out.join("CNAME"), "example.org").unwrap();
        build(&out, &["data/new.js"]).unwrap();
        assert!(!out.join("data/old.js").exists() && out.join("data/new.js").exists());
        assert_eq!(std::fs::read_to_string(out.join("CNAME")).unwrap(), "example.org");
        assert!(out.join(".git").is_dir());
        assert_eq!(beside(&out), ["site"]);
    }

    #[test]
    fn nothing_but_a_site_is_replaced() {
        let home = tempfile::tempdir().unwrap();
        let (file, folder, empty) = (home.path().join("a"), home.path().join("b"), home.path().join("c"));
        std::fs::write(&file, "thesis").unwrap();
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "thesis").unwrap();
        std::fs::create_dir(&empty).unwrap();
        for taken in [&file, &folder] {
            let error = build(taken, &["index.html"]).unwrap_err().to_string();
            assert!(error.contains("is no site that Weir built"), "{error}");
        }
        assert_eq!(std::fs::read_to_string(folder.join("index.html")).unwrap(), "thesis");
        build(&empty, &["index.html"]).unwrap();
        assert!(is_site(&empty));
    }
}
