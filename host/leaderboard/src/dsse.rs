//! Envelopes of signed statements: DSSE 1.0.2, <https://github.com/secure-systems-lab/dsse>. A signature is over the type
//! and the bytes of the payload as they stand in the envelope, so no form of JSON has to be canonical.

use crate::key::{PublicKey, SecretKey};
use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::{Deserialize, Serialize};

/// The type of payloads that are in-toto statements.
pub const IN_TOTO: &str = "application/vnd.in-toto+json";

/// An envelope. Fields that it does not know are left out of account, as the specification asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// What the payload is.
    #[serde(rename = "payloadType")]
    pub payload_type: String,
    /// The payload in base64.
    pub payload: String,
    /// Signatures.
    pub signatures: Vec<Signature>,
}

/// One signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// A hint which key it is of. Nothing is decided by it.
    #[serde(default)]
    pub keyid: String,
    /// The signature in base64.
    pub sig: String,
}

/// The bytes that are signed: the pre-authentication encoding of a payload and its type.
#[must_use]
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len()).into_bytes();
    bytes.extend_from_slice(payload);
    bytes
}

impl Envelope {
    /// An in-toto statement, signed.
    #[must_use]
    pub fn sign(payload: &[u8], key: &SecretKey) -> Self {
        let sig = STANDARD.encode(key.sign(&pae(IN_TOTO, payload)));
        Envelope {
            payload_type: IN_TOTO.into(),
            payload: STANDARD.encode(payload),
            signatures: vec![Signature { keyid: key.public().id(), sig }],
        }
    }

    /// The payload.
    ///
    /// # Errors
    /// Where it is not base64, or the envelope is of another type.
    pub fn payload(&self) -> Result<Vec<u8>, String> {
        if self.payload_type != IN_TOTO {
            return Err(format!("its payloadType is `{}`, expected `{IN_TOTO}`", self.payload_type));
        }
        decode(&self.payload).ok_or_else(|| "its payload is not base64".into())
    }

    /// Whether a signature of this key is on it.
    #[must_use]
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let Some(payload) = decode(&self.payload) else { return false };
        let signed = pae(&self.payload_type, &payload);
        self.signatures.iter().filter_map(|signature| decode(&signature.sig)).any(|sig| key.verifies(&signed, &sig))
    }
}

/// Base64 of either alphabet: a signer may use the one or the other.
fn decode(text: &str) -> Option<Vec<u8>> {
    let lenient = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let with = |alphabet| GeneralPurpose::new(alphabet, lenient).decode(text).ok();
    with(&alphabet::STANDARD).or_else(|| with(&alphabet::URL_SAFE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_is_signed_is_the_example_of_the_specification() {
        let expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world";
        assert_eq!(pae("http://example.com/HelloWorld", b"hello world"), expected);
        assert_eq!(pae("", b""), b"DSSEv1 0  0 ");
        assert_eq!(pae("t", "\u{fc}".as_bytes()), "DSSEv1 1 t 2 \u{fc}".as_bytes(), "lengths are of bytes");
    }

    #[test]
    fn an_envelope_holds_for_its_key_its_payload_and_its_type_alone() {
        let (key, other) = (SecretKey::generate().unwrap().0, SecretKey::generate().unwrap().0);
        let envelope = Envelope::sign(b"{}", &key);
        assert_eq!(envelope.payload().unwrap(), b"{}");
        assert!(envelope.is_signed_by(&key.public()) && !envelope.is_signed_by(&other.public()));
        let payload = Envelope { payload: STANDARD.encode("[]"), ..envelope.clone() };
        assert!(!payload.is_signed_by(&key.public()));
        let kind = Envelope { payload_type: "text/plain".into(), ..envelope.clone() };
        assert!(!kind.is_signed_by(&key.public()) && kind.payload().is_err());
        // The hint is no more than that.
        let mut hint = envelope;
        hint.signatures[0].keyid = other.public().id();
        assert!(hint.is_signed_by(&key.public()));
    }

    #[test]
    fn either_alphabet_is_read_with_or_without_padding() {
        for text in ["+/8=", "-_8=", "-_8", "+/8"] {
            assert_eq!(decode(text), Some(vec![0xfb, 0xff]), "{text}");
        }
        assert_eq!(decode("*"), None);
    }

    /// Another program reads our keys and holds our signatures to be what we say; and we read the key that it makes.
    #[test]
    fn openssl_makes_the_same_of_keys_and_signatures() {
        let home = tempfile::tempdir().unwrap();
        let openssl = |arguments: &[&str]| {
            let ran = Command::new("openssl").args(arguments).current_dir(home.path()).output();
            let ran = ran.expect("openssl is installed: `apt-get install openssl`");
            assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
            String::from_utf8(ran.stdout).unwrap()
        };
        let path = |name: &str| home.path().join(name);
        let (_, public) = crate::key::make_pair(&path("ours")).unwrap();
        openssl(&["genpkey", "-algorithm", "ed25519", "-out", "theirs"]);
        for name in ["ours", "theirs"] {
            let key = SecretKey::read(&path(name)).unwrap();
            let pem = openssl(&["pkey", "-in", name, "-pubout"]);
            assert_eq!(pem, key.public().pem(), "{name}");
            let envelope = Envelope::sign(br#"{"_type":"https://in-toto.io/Statement/v1"}"#, &key);
            std::fs::write(path("message"), pae(IN_TOTO, &envelope.payload().unwrap())).unwrap();
            std::fs::write(path("signature"), decode(&envelope.signatures[0].sig).unwrap()).unwrap();
            std::fs::write(path("public"), pem).unwrap();
            let verify = ["pkeyutl", "-verify", "-pubin", "-inkey", "public", "-rawin", "-in", "message", "-sigfile"];
            let said = openssl(&[&verify[..], &["signature"]].concat());
            assert!(said.contains("Verified Successfully"), "{said}");
        }
        assert_eq!(SecretKey::read(&path("ours")).unwrap().public(), public);
    }
}
