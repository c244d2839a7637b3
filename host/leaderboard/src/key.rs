//! Keys of ed25519 (RFC 8032) in files that other programs read and write: a secret key is PKCS#8 in PEM, as
//! `openssl genpkey -algorithm ed25519` makes it, a public key is a SubjectPublicKeyInfo in PEM (RFC 8410). In TOML files a
//! public key is the one line of base64 that its PEM file has.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use weir_suite::{Error, input};
use weir_trace::json::{hex, sha256};

/// Bytes of a public key and of the seed that is a secret one.
const BYTES: usize = 32;

/// DER of a public key before its 32 bytes: an algorithm identifier of ed25519 without parameters, and a bit string.
const PUBLIC: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// DER of a secret key before its 32 bytes: version 1, the same identifier, and an octet string in another.
const SECRET: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/// A public key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicKey([u8; BYTES]);

impl PublicKey {
    /// The key in a PEM text.
    ///
    /// # Errors
    /// What the text is instead.
    pub fn of_pem(text: &str) -> Result<Self, String> {
        let der = SubjectPublicKeyInfoDer::from_pem_slice(text.as_bytes())
            .map_err(|_| "no public key in PEM (expected -----BEGIN PUBLIC KEY-----)".to_owned())?;
        Self::of_der(&der)
    }

    fn of_der(der: &[u8]) -> Result<Self, String> {
        let key = der.strip_prefix(&PUBLIC).and_then(|key| key.try_into().ok());
        key.map(PublicKey).ok_or_else(|| "it is no public key of ed25519".to_owned())
    }

    /// As a PEM file.
    #[must_use]
    pub fn pem(&self) -> String {
        format!("-----BEGIN PUBLIC KEY-----\n{self}\n-----END PUBLIC KEY-----\n")
    }

    /// Its identifier in an envelope: the SHA-256 of its DER, in hex.
    #[must_use]
    pub fn id(&self) -> String {
        sha256(&self.der())
    }

    /// Whether a signature over a message is of this key.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.0).verify(message, signature).is_ok()
    }

    fn der(&self) -> Vec<u8> {
        [PUBLIC.as_slice(), &self.0].concat()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.der()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl TryFrom<String> for PublicKey {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let line = "expected the line of base64 in a file of `-----BEGIN PUBLIC KEY-----`";
        STANDARD.decode(text.trim()).map_err(|_| line.to_owned()).and_then(|der| Self::of_der(&der))
    }
}

impl From<PublicKey> for String {
    fn from(key: PublicKey) -> Self {
        key.to_string()
    }
}

/// A secret key. It is never printed.
pub struct SecretKey(Ed25519KeyPair);

impl SecretKey {
    /// Reads a key's file.
    ///
    /// # Errors
    /// Where there is none, or it is no secret key of ed25519.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path)?;
        let wrong = |what: &str| {
            Error::Input(format!(
                "{}: {what}\n  expected a secret key of ed25519 in PEM, as `weir key FILE` or `openssl genpkey -algorithm ed25519` makes it",
                path.display()
            ))
        };
        if bytes.windows(9).any(|bytes| bytes == b"ENCRYPTED") {
            return Err(wrong("the key is encrypted"));
        }
        let der = PrivatePkcs8KeyDer::from_pem_slice(&bytes).map_err(|_| wrong("it holds no `PRIVATE KEY`"))?;
        Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.secret_pkcs8_der())
            .map(SecretKey)
            .map_err(|_| wrong("it is no key of ed25519"))
    }

    /// A new key of the system's randomness, with the PEM text of its file.
    ///
    /// # Errors
    /// Where the system gives no randomness.
    pub fn generate() -> Result<(Self, String), Error> {
        let failed = || Error::Input("the system gives no random numbers: no key was made".into());
        let mut seed = [0; BYTES];
        SystemRandom::new().fill(&mut seed).map_err(|_| failed())?;
        let key = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| failed())?;
        let der = [SECRET.as_slice(), &seed].concat();
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der));
        Ok((SecretKey(key), pem))
    }

    /// Its public key.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; BYTES];
        // A key's public half has 32 bytes.
        bytes.iter_mut().zip(self.0.public_key().as_ref()).for_each(|(to, from)| *to = *from);
        PublicKey(bytes)
    }

    /// Its signature over a message.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).as_ref().to_vec()
    }
}

/// A random seed of 128 bits, in hex.
///
/// # Errors
/// Where the system gives no randomness.
pub(crate) fn random() -> Result<String, Error> {
    let mut seed = [0; 16];
    let filled = SystemRandom::new().fill(&mut seed);
    filled.map(|()| hex(&seed)).map_err(|_| Error::Input("the system gives no random numbers".into()))
}

/// Makes a pair of keys: the secret one at `path`, readable by its owner alone, and the public one beside it, with `.pub`
/// behind its name. Neither replaces a file.
///
/// # Errors
/// Where one of them exists, or cannot be written.
pub fn make_pair(path: &Path) -> Result<(PathBuf, PublicKey), Error> {
    let mut public_path = path.as_os_str().to_owned();
    public_path.push(".pub");
    let public_path = PathBuf::from(public_path);
    for path in [path, &public_path] {
        if path.exists() {
            return Err(Error::Input(format!(
                "{}: exists already: a key that was replaced is lost; give another name",
                path.display()
            )));
        }
    }
    let (key, pem) = SecretKey::generate()?;
    write_new(path, pem.as_bytes(), true)?;
    let written = write_new(&public_path, key.public().pem().as_bytes(), false);
    if written.is_err() {
        // Half a pair is none.
        let _ = std::fs::remove_file(path);
    }
    written.map(|()| (public_path, key.public()))
}

fn write_new(path: &Path, bytes: &[u8], secret: bool) -> Result<(), Error> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    let mut file = options.open(path).map_err(|e| Error::io(path, e))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|e| Error::io(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    /// RFC 8032, section 7.1: seed, public key, message, signature.
    const VECTORS: [(&str, &str, &str, &str); 3] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ];

    #[test]
    fn signatures_are_those_of_rfc_8032() {
        for (seed, public, message, signature) in VECTORS {
            let key = SecretKey(Ed25519KeyPair::from_seed_unchecked(&bytes(seed)).unwrap());
            assert_eq!(key.public().0.to_vec(), bytes(public));
            let (message, signature) = (bytes(message), bytes(signature));
            assert_eq!(key.sign(&message), signature);
            assert!(key.public().verifies(&message, &signature));
            let mut other = signature.clone();
            other[40] ^= 1;
            assert!(!key.public().verifies(&message, &other));
            assert!(!key.public().verifies(b"another message", &signature));
        }
    }

    #[test]
    fn a_pair_of_files_is_read_as_it_was_made_and_is_never_replaced() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("mine.pem");
        let (public, key) = make_pair(&path).unwrap();
        assert_eq!(SecretKey::read(&path).unwrap().public(), key);
        let text = std::fs::read_to_string(&public).unwrap();
        assert_eq!(PublicKey::of_pem(&text), Ok(key));
        assert_eq!(PublicKey::try_from(key.to_string()), Ok(key));
        assert!(make_pair(&path).unwrap_err().to_string().contains("exists already"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn what_is_no_key_of_ed25519_is_told_from_one() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("key");
        let said = |text: &str| {
            std::fs::write(&path, text).unwrap();
            SecretKey::read(&path).map(|_| ()).unwrap_err().to_string()
        };
        assert!(said("hello").contains("it holds no `PRIVATE KEY`"));
        let public = SecretKey::generate().unwrap().0.public().pem();
        assert!(said(&public).contains("it holds no `PRIVATE KEY`"));
        let other = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----\n";
        assert!(said(other).contains("it is no key of ed25519"), "a key of x25519 is none");
        assert!(said("-----BEGIN ENCRYPTED PRIVATE KEY-----\n").contains("the key is encrypted"));
        assert!(PublicKey::try_from("AAAA".to_owned()).is_err());
        assert!(PublicKey::of_pem("hello").is_err());
    }
}
