//! The artifact of a component: manifest and configuration, as the CNCF's TAG Runtime guidance for WebAssembly in OCI
//! registries has them.

use crate::{Error, Reference};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weir_metadata::{Metadata, Surface};
use weir_trace::json::sha256;

/// Media type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// Media type of the configuration of a WebAssembly artifact.
pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// Media type of a component.
pub const LAYER: &str = "application/wasm";

/// A blob or a manifest, by digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// What it is.
    pub media_type: String,
    /// `sha256:` and hex.
    pub digest: String,
    /// Bytes.
    pub size: u64,
    /// What somebody says of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// A manifest. What else may stand in one is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// 2.
    pub schema_version: u32,
    /// [`MANIFEST`].
    #[serde(default)]
    pub media_type: String,
    /// The configuration.
    pub config: Descriptor,
    /// The component, alone.
    pub layers: Vec<Descriptor>,
    /// What the component says of itself, for people: nobody believes it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// The configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// When it was made. There is no clock here: always the beginning of 1970, so that one component has one digest.
    #[serde(default)]
    pub created: String,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// `wasm`.
    pub architecture: String,
    /// `wasip2`: a component.
    pub os: String,
    /// Digests of the layers.
    pub layer_digests: Vec<String>,
    /// What the component imports and exports.
    #[serde(default)]
    pub component: Option<Interfaces>,
}

/// What a component imports and exports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interfaces {
    /// Names of exports.
    pub exports: Vec<String>,
    /// Names of imports.
    pub imports: Vec<String>,
    /// The world that it was built for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// An artifact that is ready to be pushed.
pub(crate) struct Artifact {
    pub(crate) manifest: Manifest,
    pub(crate) config: Vec<u8>,
    /// The manifest's bytes and their descriptor.
    pub(crate) bytes: Vec<u8>,
    pub(crate) descriptor: Descriptor,
}

impl Artifact {
    /// The artifact of a component. The same bytes make the same one.
    pub(crate) fn of(component: &[u8]) -> Result<Self, Error> {
        if !component.starts_with(b"\0asm") {
            let message = "it does not begin with the WebAssembly magic number `\\0asm`".into();
            return Err(Error::Component(weir_metadata::Error::Component { message, offset: 0 }));
        }
        let surface = Surface::read(component).map_err(Error::Component)?;
        let metadata = weir_metadata::read(component).map_err(Error::Component)?;
        let layer = descriptor(LAYER, component);
        let target = surface.kind().and_then(|(kind, contract)| {
            let (package, version) = contract.split_once('@')?;
            Some(format!("{package}/{}-plugin@{version}", kind.name()))
        });
        let config = Config {
            created: "1970-01-01T00:00:00Z".into(),
            author: metadata.as_ref().and_then(|metadata| metadata.authors.first().cloned()),
            architecture: "wasm".into(),
            os: "wasip2".into(),
            layer_digests: vec![layer.digest.clone()],
            component: Some(Interfaces { exports: surface.exports, imports: surface.imports, target }),
        };
        let config = json(&config);
        let manifest = Manifest {
            schema_version: 2,
            media_type: MANIFEST.into(),
            config: descriptor(CONFIG, &config),
            layers: vec![layer],
            annotations: metadata.as_ref().map(annotations).unwrap_or_default(),
        };
        let bytes = json(&manifest);
        let descriptor = descriptor(MANIFEST, &bytes);
        Ok(Artifact { manifest, config, bytes, descriptor })
    }
}

impl Manifest {
    /// The descriptor of the one component.
    pub(crate) fn component(&self, reference: &Reference) -> Result<&Descriptor, Error> {
        let wrong = |what: String| Error::Artifact { reference: reference.to_string(), what };
        if self.config.media_type != CONFIG {
            return Err(wrong(format!("its configuration is {:?} and not {CONFIG}", self.config.media_type)));
        }
        match self.layers.as_slice() {
            [layer] if layer.media_type == LAYER => Ok(layer),
            [layer] => Err(wrong(format!("its layer is {:?} and not {LAYER}", layer.media_type))),
            layers => Err(wrong(format!("it has {} layers and not one", layers.len()))),
        }
    }
}

/// A manifest from its bytes, which have the digest that they should have. Digests in it are checked for their form, since
/// they become paths.
pub(crate) fn read_manifest(bytes: &[u8], reference: &Reference) -> Result<Manifest, Error> {
    let wrong = |what: String| Error::Artifact { reference: reference.to_string(), what };
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(|e| wrong(format!("no image manifest: {e}")))?;
    if manifest.schema_version != 2 || !["", MANIFEST].contains(&manifest.media_type.as_str()) {
        return Err(wrong(format!("it is {:?} and not {MANIFEST}", manifest.media_type)));
    }
    let all = std::iter::once(&manifest.config).chain(&manifest.layers);
    match all.into_iter().find(|descriptor| !crate::reference::is_digest(&descriptor.digest)) {
        Some(bad) => Err(wrong(format!("{:?} is not sha256: and 64 lower-case hex digits", bad.digest))),
        None => Ok(manifest),
    }
}

/// Holds a configuration to its layer: both stand in the same manifest, and must speak of the same component.
pub(crate) fn check_config(bytes: &[u8], layer: &Descriptor, reference: &Reference) -> Result<(), Error> {
    let wrong = |what: String| Error::Artifact { reference: reference.to_string(), what };
    let config: Config = serde_json::from_slice(bytes).map_err(|e| wrong(format!("its configuration is none: {e}")))?;
    if config.architecture != "wasm" || config.os != "wasip2" {
        return Err(wrong(format!(
            "it is for {:?} on {:?}, and a component is for wasm on wasip2",
            config.architecture, config.os
        )));
    }
    if config.layer_digests != [layer.digest.as_str()] {
        return Err(wrong("its configuration speaks of other layers than its manifest".into()));
    }
    Ok(())
}

/// The keys that the OCI image specification has for what a component says of itself.
fn annotations(metadata: &Metadata) -> BTreeMap<String, String> {
    let authors = (!metadata.authors.is_empty()).then(|| metadata.authors.join(", "));
    [
        ("title", Some(metadata.name.clone())),
        ("version", Some(metadata.version.clone())),
        ("authors", authors),
        ("licenses", metadata.licence.clone()),
        ("url", metadata.homepage.clone()),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((format!("org.opencontainers.image.{key}"), value?)))
    .collect()
}

/// The descriptor of bytes.
pub(crate) fn descriptor(media_type: &str, bytes: &[u8]) -> Descriptor {
    Descriptor {
        media_type: media_type.into(),
        digest: format!("sha256:{}", sha256(bytes)),
        size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        annotations: BTreeMap::new(),
    }
}

/// Texts and lists of texts: writing them cannot fail.
fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
