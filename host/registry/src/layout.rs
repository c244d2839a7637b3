//! An image layout: a registry's content as a folder (OCI image layout specification).

use crate::artifact::Descriptor;
use crate::{Error, MANIFEST_BYTES, Store, Version};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The file that says that a folder is a layout, and its content.
const MARK: &str = "oci-layout";
const MARKED: &str = "{\"imageLayoutVersion\":\"1.0.0\"}";
const INDEX: &str = "index.json";
/// The annotation of a manifest's descriptor that holds its tag.
const TAG: &str = "org.opencontainers.image.ref.name";

/// The list of manifests. What else stands in it or in a descriptor stays as it is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Index {
    schema_version: u32,
    manifests: Vec<Map<String, Value>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A layout.
pub(crate) struct Layout {
    folder: PathBuf,
}

impl Layout {
    pub(crate) fn new(folder: &Path) -> Self {
        Layout { folder: folder.into() }
    }

    fn blob_path(&self, digest: &str) -> PathBuf {
        self.folder.join("blobs").join(digest.replacen(':', "/", 1))
    }

    fn missing(&self, version: &Version) -> Error {
        Error::Missing { place: format!("oci:{}", self.folder.display()), version: version.to_string() }
    }

    fn no_layout(&self, what: &str) -> Error {
        Error::Layout { folder: self.folder.display().to_string(), what: what.into() }
    }

    fn index(&self) -> Result<Index, Error> {
        let path = self.folder.join(INDEX);
        let wrong = |what: String| Error::Artifact { reference: path.display().to_string(), what };
        let bytes = read(&path, MANIFEST_BYTES)?;
        serde_json::from_slice(&bytes).map_err(|e| wrong(format!("no index of a layout: {e}")))
    }

    /// Makes the folder a layout, unless it is one.
    fn prepare(&self) -> Result<(), Error> {
        let mark = self.folder.join(MARK);
        if mark.exists() {
            return Ok(());
        }
        let failed = |e| Error::io(&self.folder, e);
        let taken = match fs::read_dir(&self.folder) {
            Ok(mut entries) => entries.next().is_some(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => false,
            Err(e) => return Err(failed(e)),
        };
        if taken {
            return Err(self.no_layout("it is no image layout, and not empty"));
        }
        fs::create_dir_all(&self.folder).map_err(failed)?;
        whole(&self.folder.join(INDEX), b"{\"schemaVersion\":2,\"manifests\":[]}")?;
        whole(&mark, MARKED.as_bytes())
    }
}

impl Store for Layout {
    fn manifest(&self, version: &Version) -> Result<Vec<u8>, Error> {
        if !self.folder.join(MARK).is_file() {
            return Err(self.no_layout("it is no image layout"));
        }
        let digest = match version {
            Version::Digest(digest) => digest.clone(),
            Version::Tag(tag) => {
                let index = self.index()?;
                let tagged = |entry: &&Map<String, Value>| tag_of(entry) == Some(tag);
                let entry = index.manifests.iter().rfind(tagged).ok_or_else(|| self.missing(version))?;
                let digest = entry.get("digest").and_then(Value::as_str).unwrap_or_default();
                if !crate::reference::is_digest(digest) {
                    return Err(Error::Artifact {
                        reference: format!("oci:{}:{tag}", self.folder.display()),
                        what: format!("{digest:?} is not sha256: and 64 lower-case hex digits"),
                    });
                }
                digest.to_owned()
            }
        };
        let path = self.blob_path(&digest);
        if !path.exists() {
            return Err(self.missing(&Version::Digest(digest)));
        }
        let bytes = read(&path, MANIFEST_BYTES)?;
        // The index says which manifest a tag is, so a tag is held to its digest here as well.
        crate::held_to(
            &format!("the manifest in {}", path.display()),
            &digest,
            &format!("sha256:{}", weir_trace::json::sha256(&bytes)),
        )?;
        Ok(bytes)
    }

    fn blob(&self, digest: &str, most: u64) -> Result<Vec<u8>, Error> {
        read(&self.blob_path(digest), most)
    }

    fn put_blob(&self, descriptor: &Descriptor, bytes: &[u8]) -> Result<(), Error> {
        self.prepare()?;
        // Written even where there is one: it may have been altered.
        whole(&self.blob_path(&descriptor.digest), bytes)
    }

    fn put_manifest(&self, version: &Version, descriptor: &Descriptor, bytes: &[u8]) -> Result<(), Error> {
        self.put_blob(descriptor, bytes)?;
        let mut index = self.index()?;
        let mut descriptor = descriptor.clone();
        match version {
            Version::Tag(tag) => {
                index.manifests.retain(|entry| tag_of(entry) != Some(tag));
                descriptor.annotations.insert(TAG.into(), tag.clone());
            }
            // One entry without a tag is enough.
            Version::Digest(digest) => index
                .manifests
                .retain(|entry| tag_of(entry).is_some() || entry.get("digest").and_then(Value::as_str) != Some(digest)),
        }
        if let Ok(Value::Object(entry)) = serde_json::to_value(&descriptor) {
            index.manifests.push(entry);
        }
        whole(&self.folder.join(INDEX), &serde_json::to_vec(&index).unwrap_or_default())
    }
}

fn tag_of(entry: &Map<String, Value>) -> Option<&String> {
    match entry.get("annotations")?.get(TAG)? {
        Value::String(tag) => Some(tag),
        _ => None,
    }
}

/// Reads a file of at most so many bytes.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |e| Error::io(path, e);
    let mut bytes = Vec::new();
    // One more than allowed shows that there are more.
    File::open(path).map_err(failed)?.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > most {
        return Err(Error::TooLarge { what: path.display().to_string(), bytes: length, most });
    }
    Ok(bytes)
}

/// Writes a file that appears whole or not at all.
fn whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |e| Error::io(path, e);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".weir-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}
