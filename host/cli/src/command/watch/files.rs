//! What a project's files are at a moment.
//!
//! They are looked at again and again; nobody is asked to tell of changes. That costs a few milliseconds, since a project has
//! a few hundred small files, and works alike on every file system: on network mounts and in containers, with editors that
//! write a new file in the old one's place, and with folders that appear later.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::SystemTime;
use weir_author::ProjectFile;
use weir_suite::Error;
use weir_trace::json::sha256;

/// Folders that tools fill. Hidden ones are left out too.
const LEFT_OUT: [&str; 5] = ["target", "build", "node_modules", "weir-out", "__pycache__"];

/// A file as it was.
#[derive(Clone, Debug)]
struct Seen {
    modified: Option<SystemTime>,
    bytes: u64,
    /// SHA-256: what is written anew with the same content has not changed, or a tool that writes a source again in each
    /// build would never let it rest.
    digest: String,
}

/// All files of a project that a build reads.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Seen>);

impl Files {
    /// The files now. Of those that look as they did in an earlier look the content is not read again.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn of(folder: &Path, earlier: &Files) -> Result<Self, Error> {
        // What a build writes. A project file that is broken meanwhile is told by the round.
        let name = ProjectFile::read(folder).map(|project| project.name).unwrap_or_default();
        let written = [format!("{name}.wasm"), format!("{name}.toml")];
        let mut files = BTreeMap::new();
        collect(folder, "", earlier, &mut files).map_err(|e| Error::io(folder, e))?;
        files.retain(|path, _| !written.contains(path));
        Ok(Files(files))
    }

    /// Paths of what is new, gone or has another content, sorted.
    pub fn changed(&self, now: &Files) -> Vec<String> {
        let digest = |files: &Files, path: &str| files.0.get(path).map(|seen| seen.digest.clone());
        let paths: BTreeSet<&String> = self.0.keys().chain(now.0.keys()).collect();
        paths.into_iter().filter(|path| digest(self, path) != digest(now, path)).cloned().collect()
    }
}

fn collect(folder: &Path, below: &str, earlier: &Files, files: &mut BTreeMap<String, Seen>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || is_noted(&name) {
            continue;
        }
        // What has gone since the folder was read is not there.
        let Ok(meta) = fs::metadata(entry.path()) else { continue };
        let path = format!("{below}{name}");
        if meta.is_dir() {
            if !LEFT_OUT.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), earlier, files)?;
            }
        } else if let Some(seen) = look(&entry.path(), &meta, earlier.0.get(&path)) {
            files.insert(path, seen);
        }
    }
    Ok(())
}

fn look(path: &Path, meta: &fs::Metadata, earlier: Option<&Seen>) -> Option<Seen> {
    let (modified, bytes) = (meta.modified().ok(), meta.len());
    let unchanged = earlier.filter(|seen| seen.modified.is_some() && (seen.modified, seen.bytes) == (modified, bytes));
    let digest = match unchanged {
        Some(seen) => seen.digest.clone(),
        None => sha256(&fs::read(path).ok()?),
    };
    Some(Seen { modified, bytes, digest })
}

/// Files in which a language's tools note what they chose, and those that are not whole yet. The first build writes them.
fn is_noted(name: &str) -> bool {
    name.ends_with(".lock") || name == "package-lock.json" || name.ends_with(".tmp")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, path: &str, text: &str) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_change_is_other_content_and_nothing_that_a_build_writes() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        let project = "kind = \"policy\"\nlanguage = \"rust\"\nname = \"my-guard\"\nversion = \"0.1.0\"\nasks = []\n";
        for (path, text) in [("weir.toml", project), ("src/lib.rs", "a"), ("src/gone.rs", "a"), ("cases/a.toml", "a")] {
            write(folder, path, text);
        }
        let before = Files::of(folder, &Files::default()).unwrap();
        for path in ["my-guard.wasm", "my-guard.toml", "Cargo.lock", "target/x", "weir-out/watch/x", ".git/x", "a.tmp"]
        {
            write(folder, path, "new");
        }
        write(folder, "cases/a.toml", "a");
        assert!(before.changed(&Files::of(folder, &before).unwrap()).is_empty());
        write(folder, "src/lib.rs", "changed");
        write(folder, "src/new.rs", "a");
        fs::remove_file(folder.join("src/gone.rs")).unwrap();
        let now = Files::of(folder, &before).unwrap();
        assert_eq!(before.changed(&now), ["src/gone.rs", "src/lib.rs", "src/new.rs"]);
        assert!(now.changed(&Files::of(folder, &now).unwrap()).is_empty());
    }
}
