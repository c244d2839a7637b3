//! The compiled cache: native code, and what was found out before compiling, by component digest, engine compatibility and
//! target.
//!
//! Loading native code is trusting it, so the directory is the user's own (mode 0700), files appear whole or not at all,
//! and each carries the digest of its payload. Any mismatch is a miss: the component is compiled again, never an error.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use sha2::{Digest, Sha256};
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use wasmtime::Engine;

/// First bytes of a cache file; changes with its layout.
const MAGIC: &[u8; 8] = b"weirc\0\0\x01";

/// Bytes before the payload: the magic number and the payload's digest.
const HEAD: usize = MAGIC.len() + 32;

/// A payload that is here and whole. The native code of a language runtime has 40 MB, so it is not copied out of its file's
/// bytes.
#[derive(Debug)]
pub struct Kept(Vec<u8>);

impl Deref for Kept {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get(HEAD..).unwrap_or_default()
    }
}

/// A directory of compiled components.
pub struct Cache {
    dir: Dir,
    engine_key: String,
}

impl Cache {
    /// Opens the cache at `dir`, or at the user's cache directory; none where there is no such directory or it belongs to
    /// somebody else.
    #[must_use]
    pub fn open(dir: Option<&Path>, engine: &Engine) -> Option<Self> {
        let path = dir.map(Path::to_path_buf).or_else(default_dir)?;
        std::fs::create_dir_all(&path).ok()?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority()).ok()?;
        make_private(&path)?;
        Some(Cache { dir, engine_key: engine_key(engine) })
    }

    /// What is kept under a key, if it is here and whole.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Kept> {
        let bytes = self.dir.read(self.name(key)).ok()?;
        let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
        let (sum, payload) = rest.split_at_checked(32)?;
        let whole = magic == MAGIC && Sha256::digest(payload).as_slice() == sum;
        whole.then_some(Kept(bytes))
    }

    /// Keeps something under a key. A cache that cannot be written is only slower.
    pub fn put(&self, key: &str, payload: &[u8]) {
        let name = self.name(key);
        let temporary = format!("{name}.{}.tmp", std::process::id());
        let written = (|| {
            let mut file = self.dir.create(&temporary)?;
            file.write_all(MAGIC)?;
            file.write_all(&Sha256::digest(payload))?;
            file.write_all(payload)?;
            file.sync_all()?;
            self.dir.rename(&temporary, &self.dir, &name)
        })();
        if written.is_err() {
            let _ = self.dir.remove_file(&temporary);
        }
    }

    /// Forgets what could not be loaded.
    pub fn remove(&self, key: &str) {
        let _ = self.dir.remove_file(self.name(key));
    }

    fn name(&self, key: &str) -> String {
        format!("{key}-{}.weirc", self.engine_key)
    }
}

/// What native code depends on besides the component: wasmtime's version and settings, the target, the profile. All are in
/// wasmtime's own compatibility hash.
fn engine_key(engine: &Engine) -> String {
    struct Sum(Sha256);
    impl Hasher for Sum {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0
        }
    }
    let mut sum = Sum(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut sum);
    let hex = weir_trace::json::hex(&sum.0.finalize());
    hex.get(..16).unwrap_or(&hex).to_owned()
}

fn default_dir() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(set("WEIR_CACHE").unwrap_or_else(|| base.join("weir")))
}

#[cfg(unix)]
fn make_private(path: &Path) -> Option<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let owner = std::fs::metadata(path).ok()?.uid();
    if owner != rustix::process::geteuid().as_raw() {
        return None;
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).ok()
}

#[cfg(not(unix))]
fn make_private(_path: &Path) -> Option<()> {
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_altered_file_is_a_miss() {
        let dir = tempfile::tempdir().unwrap();
        let engine = Engine::new(&crate::engine::config()).unwrap();
        let cache = Cache::open(Some(dir.path()), &engine).unwrap();
        cache.put("d", b"payload");
        assert_eq!(cache.get("d").as_deref(), Some(&b"payload"[..]));
        let file = std::fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert!(cache.get("d").is_none());
        assert!(cache.get("never put").is_none());
    }
}
