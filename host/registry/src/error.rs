//! What can go wrong on the way to a registry and back.

use thiserror::Error as Thrown;
use weir_http::HttpError;

/// Why a component was not pushed or pulled.
#[derive(Debug, Thrown)]
pub enum Error {
    /// The reference is none.
    #[error(
        "`{reference}`: {what}\n  a reference is HOST[:PORT]/NAME[:TAG], HOST[:PORT]/NAME@sha256:DIGEST, or oci:FOLDER[:TAG] for a layout on disk"
    )]
    Reference {
        /// As it was given.
        reference: String,
        /// What is wrong.
        what: String,
    },
    /// Bytes are not those of their digest.
    #[error(
        "{what} was altered: its digest is {actual}, expected {expected}\n  nothing was kept; ask whoever published it, or pull another version"
    )]
    Digest {
        /// Of what.
        what: String,
        /// What was asked for.
        expected: String,
        /// What came.
        actual: String,
    },
    /// The reference pins something else than what is pushed.
    #[error(
        "the reference pins {pinned}, and the component's manifest is {actual}\n  give a tag or nothing in its place, or push the component that it means"
    )]
    Pinned {
        /// In the reference.
        pinned: String,
        /// Of the component.
        actual: String,
    },
    /// A folder is no image layout.
    #[error(
        "{folder}: {what}\n  a layout is a folder with a file oci-layout; `weir push FILE oci:FOLDER` makes one where there is nothing yet"
    )]
    Layout {
        /// The folder.
        folder: String,
        /// What is wrong with it.
        what: String,
    },
    /// Something is longer than it may be.
    #[error("{what} has {bytes} bytes, the limit is {most}")]
    TooLarge {
        /// What.
        what: String,
        /// How long it is, or says that it is.
        bytes: u64,
        /// The limit.
        most: u64,
    },
    /// What is there is no WebAssembly artifact.
    #[error(
        "{reference}: {what}\n  `weir pull` takes artifacts of one component, as `weir push`, `wkg` and `oras` make them"
    )]
    Artifact {
        /// Where.
        reference: String,
        /// What is wrong with it.
        what: String,
    },
    /// The file is no component.
    #[error("{0}\n  a plugin is a component: `weir build` makes one")]
    Component(weir_metadata::Error),
    /// There is nothing under this version.
    #[error("{place} has no {version}")]
    Missing {
        /// Where.
        place: String,
        /// What was asked for.
        version: String,
    },
    /// The registry says no.
    #[error("{place} answered {status} to {request}{}{said}", if said.is_empty() { "" } else { ": " })]
    Refused {
        /// Where.
        place: String,
        /// Its status.
        status: u16,
        /// What was asked of it.
        request: String,
        /// Its own words.
        said: String,
    },
    /// It wants to know who asks.
    #[error(
        "{place} wants credentials: {what}\n  `docker login`, `podman login` or `oras login` write them to the file that is read: {file}"
    )]
    Credentials {
        /// Where.
        place: String,
        /// What is missing or was refused.
        what: String,
        /// The file.
        file: String,
    },
    /// It cannot be reached.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The file system refused.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Error::Io { path: path.display().to_string(), source }
    }
}
