//! Plugins in OCI registries and in image layouts on disk: one component, one artifact, named by its digest.
//!
//! An artifact has the form of the CNCF's guidance for WebAssembly: an image manifest, a configuration that says what the
//! component imports and exports, and one layer, the component itself. So any registry keeps it, and other hosts' tools
//! read it. The same component makes the same manifest, to the byte: there is no time in it.
//!
//! A tag is a label that somebody can move. What is pulled by digest is what was pushed, or an error: the manifest is held
//! to the digest that was asked for, and each blob to the digest and size that the manifest says, before a file appears.
//! Nothing is read that is longer than it may be.

mod artifact;
mod credentials;
mod error;
mod layout;
mod reference;
mod remote;

pub use artifact::{CONFIG, Config, Descriptor, LAYER, MANIFEST, Manifest};
pub use error::Error;
pub use reference::{Place, Reference, Version};

use artifact::Artifact;
use serde::Serialize;
use weir_trace::json::sha256;

/// Bytes of the largest manifest: registries refuse larger ones.
pub const MANIFEST_BYTES: u64 = 4 << 20;
/// Bytes of the largest configuration: names of imports and exports.
pub const CONFIG_BYTES: u64 = 1 << 20;

/// What was pushed or pulled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Digest of the manifest, `sha256:` and hex: what pins the artifact.
    pub digest: String,
    /// SHA-256 of the component, in hex: the digest by which Weir names a plugin.
    pub component: String,
    /// Bytes of the component.
    pub bytes: u64,
    /// The reference that pins it.
    pub pinned: String,
}

/// A place for artifacts.
trait Store {
    /// A manifest's bytes.
    fn manifest(&self, version: &Version) -> Result<Vec<u8>, Error>;

    /// A blob's bytes, at most so many.
    fn blob(&self, digest: &str, most: u64) -> Result<Vec<u8>, Error>;

    /// Keeps a blob.
    fn put_blob(&self, descriptor: &Descriptor, bytes: &[u8]) -> Result<(), Error>;

    /// Keeps a manifest under a version, once its blobs are there.
    fn put_manifest(&self, version: &Version, descriptor: &Descriptor, bytes: &[u8]) -> Result<(), Error>;
}

fn open(place: &Place, writing: bool, insecure: bool) -> Result<Box<dyn Store>, Error> {
    Ok(match place {
        Place::Layout(folder) => Box::new(layout::Layout::new(folder)),
        Place::Registry { host, name } => Box::new(remote::Remote::new(host, name, writing, insecure)?),
    })
}

/// Pushes a component. A reference without a version is pushed by digest alone.
///
/// # Errors
/// Where the bytes are no component or more than `most`, the reference pins another manifest, or the place refuses.
pub fn push(component: &[u8], reference: &Reference, most: u64, insecure: bool) -> Result<Moved, Error> {
    let bytes = u64::try_from(component.len()).unwrap_or(u64::MAX);
    if bytes > most {
        return Err(Error::TooLarge { what: "the component".into(), bytes, most });
    }
    let artifact = Artifact::of(component)?;
    let digest = artifact.descriptor.digest.clone();
    let version = match &reference.version {
        Some(Version::Digest(pinned)) if *pinned != digest => {
            return Err(Error::Pinned { pinned: pinned.clone(), actual: digest });
        }
        Some(version) => version.clone(),
        None => Version::Digest(digest.clone()),
    };
    let store = open(&reference.place, true, insecure)?;
    store.put_blob(&artifact.manifest.config, &artifact.config)?;
    for layer in &artifact.manifest.layers {
        store.put_blob(layer, component)?;
    }
    store.put_manifest(&version, &artifact.descriptor, &artifact.bytes)?;
    Ok(Moved { pinned: reference.pinned(&digest), digest, component: sha256(component), bytes })
}

/// Pulls a component.
///
/// # Errors
/// Where there is none, it is no WebAssembly artifact, larger than `most`, or any of its bytes are not those of their
/// digest.
pub fn pull(reference: &Reference, most: u64, insecure: bool) -> Result<(Moved, Vec<u8>), Error> {
    let version = reference.version.clone().unwrap_or_else(|| Version::Tag("latest".into()));
    let store = open(&reference.place, false, insecure)?;
    let bytes = store.manifest(&version)?;
    let digest = format!("sha256:{}", sha256(&bytes));
    if let Version::Digest(expected) = &version {
        held_to(&format!("the manifest of {reference}"), expected, &digest)?;
    }
    let manifest = artifact::read_manifest(&bytes, reference)?;
    let layer = manifest.component(reference)?;
    let blob = |descriptor: &Descriptor, what: &str, most: u64| {
        let size = descriptor.size;
        if size > most {
            return Err(Error::TooLarge { what: format!("{what} of {reference}"), bytes: size, most });
        }
        let bytes = store.blob(&descriptor.digest, size)?;
        held_to(&format!("{what} of {reference}"), &descriptor.digest, &format!("sha256:{}", sha256(&bytes)))?;
        Ok(bytes)
    };
    let config = blob(&manifest.config, "the configuration", CONFIG_BYTES)?;
    artifact::check_config(&config, layer, reference)?;
    let component = blob(layer, "the component", most)?;
    let bytes = u64::try_from(component.len()).unwrap_or(u64::MAX);
    let moved = Moved { pinned: reference.pinned(&digest), digest, component: sha256(&component), bytes };
    Ok((moved, component))
}

fn held_to(what: &str, expected: &str, actual: &str) -> Result<(), Error> {
    if expected == actual {
        return Ok(());
    }
    Err(Error::Digest { what: what.into(), expected: expected.into(), actual: actual.into() })
}
