//! Where an artifact is, in words.

use crate::Error;
use std::fmt;
use std::path::PathBuf;

/// Characters of the longest name of a repository and of the longest tag (OCI distribution specification).
const LONGEST_NAME: usize = 255;
const LONGEST_TAG: usize = 128;

/// Which of the artifacts in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// A label that can move.
    Tag(String),
    /// `sha256:` and 64 hex digits.
    Digest(String),
}

/// A place for the versions of one artifact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An image layout on disk.
    Layout(PathBuf),
    /// A repository of a registry.
    Registry {
        /// Host, with a port where it has one.
        host: String,
        /// The repository's name.
        name: String,
    },
}

/// Where an artifact is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The place.
    pub place: Place,
    /// The version; none where none was given.
    pub version: Option<Version>,
}

impl Reference {
    /// Reads one.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |what: &str| Error::Reference { reference: text.into(), what: what.into() };
        let (rest, digest) = match text.split_once('@') {
            Some((rest, digest)) if is_digest(digest) => (rest, Some(digest)),
            Some(_) => return Err(wrong("what follows @ is not sha256: and 64 lower-case hex digits")),
            None => (text, None),
        };
        let tagged = |rest: &str| match rest.rsplit_once(':') {
            // A colon before a slash belongs to a port or a path.
            Some((place, tag)) if !tag.contains('/') => (place.to_owned(), Some(tag.to_owned())),
            _ => (rest.to_owned(), None),
        };
        if let Some(path) = rest.strip_prefix("oci:") {
            let (folder, tag) = tagged(path);
            if folder.is_empty() {
                return Err(wrong("it names no folder"));
            }
            let version = version(tag, digest, &wrong)?;
            return Ok(Reference { place: Place::Layout(folder.into()), version });
        }
        let Some((host, path)) = rest.split_once('/') else { return Err(wrong("it names no registry")) };
        if !(host == "localhost" || host.contains(['.', ':'])) || !is_host(host) {
            return Err(wrong("what is before the first slash is no registry's host"));
        }
        let (name, tag) = tagged(path);
        if !is_name(&name) {
            return Err(wrong(
                "the name has other parts than lower-case letters and digits, with single . _ - between them",
            ));
        }
        let version = version(tag, digest, &wrong)?;
        Ok(Reference { place: Place::Registry { host: host.into(), name }, version })
    }

    /// The same place, pinned to a digest.
    #[must_use]
    pub fn pinned(&self, digest: &str) -> String {
        format!("{}@{digest}", self.place)
    }
}

fn version(tag: Option<String>, digest: Option<&str>, wrong: &dyn Fn(&str) -> Error) -> Result<Option<Version>, Error> {
    match (tag, digest) {
        (None, None) => Ok(None),
        (None, Some(digest)) => Ok(Some(Version::Digest(digest.into()))),
        (Some(_), Some(_)) => Err(wrong("it has a tag and a digest: the digest alone says which one is meant")),
        (Some(tag), None) if is_tag(&tag) => Ok(Some(Version::Tag(tag))),
        (Some(_), None) => Err(wrong("a tag has letters, digits, and _ . - after the first, 128 in all")),
    }
}

/// Whether a text is a digest as this crate takes it.
pub(crate) fn is_digest(text: &str) -> bool {
    let hex = text.strip_prefix("sha256:");
    hex.is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

fn is_tag(text: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let rest = |b: u8| word(b) || matches!(b, b'.' | b'-');
    text.bytes().next().is_some_and(word) && text.bytes().all(rest) && text.len() <= LONGEST_TAG
}

fn is_host(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']'))
}

fn is_name(text: &str) -> bool {
    let alphanumeric = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let part = |part: &str| {
        let ends = [part.bytes().next(), part.bytes().next_back()];
        let inner = part.bytes().all(|b| alphanumeric(b) || matches!(b, b'.' | b'_' | b'-'));
        let pairs = ["..", "._", "_.", ".-", "-.", "_-", "-_", "___"];
        ends.into_iter().all(|end| end.is_some_and(alphanumeric))
            && inner
            && !pairs.iter().any(|pair| part.contains(pair))
    };
    text.len() <= LONGEST_NAME && text.split('/').all(part)
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Version::Tag(tag) => write!(out, "tag `{tag}`"),
            Version::Digest(digest) => write!(out, "manifest {digest}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Layout(folder) => write!(out, "oci:{}", folder.display()),
            Place::Registry { host, name } => write!(out, "{host}/{name}"),
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            None => self.place.fmt(out),
            Some(Version::Tag(tag)) => write!(out, "{}:{tag}", self.place),
            Some(Version::Digest(digest)) => write!(out, "{}@{digest}", self.place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn what_is_read_is_written_the_same() {
        for text in [
            "oci:there",
            "oci:/tmp/there:v1",
            "ghcr.io/weir/my-guard:0.1.0",
            "localhost:5000/a/b/c__d",
            "[::1]:5000/x:LATEST",
            "127.0.0.1:5000/guard",
        ] {
            assert_eq!(Reference::parse(text).unwrap().to_string(), text);
        }
        let pinned = format!("localhost:5000/guard@{DIGEST}");
        let read = Reference::parse(&pinned).unwrap();
        assert_eq!((read.to_string(), read.version), (pinned, Some(Version::Digest(DIGEST.into()))));
    }

    #[test]
    fn what_could_lead_elsewhere_is_no_reference() {
        for text in [
            "",
            "guard",
            "guard:v1",
            "library/guard",
            "oci:",
            "ghcr.io/",
            "ghcr.io/../x",
            "ghcr.io/a//b",
            "ghcr.io/A",
            "ghcr.io/a:",
            "ghcr.io/a:.x",
            "ghcr.io/a?b=c",
            "user@ghcr.io/a",
            "user:secret@ghcr.io/a",
            "ghcr.io/a@sha256:BA78",
            "https://ghcr.io/a",
            "ghcr.io/a%2f..",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
        let both = format!("ghcr.io/a:v1@{DIGEST}");
        assert!(Reference::parse(&both).unwrap_err().to_string().contains("a tag and a digest"));
    }
}
