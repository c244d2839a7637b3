//! Statements: in-toto Statement v1, <https://github.com/in-toto/attestation>. What is said of a component, in a form that
//! any reader of attestations knows.

use crate::dsse::Envelope;
use crate::key::{PublicKey, SecretKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use weir_suite::Error;
use weir_trace::json::canonical;

/// The statement's type.
const STATEMENT: &str = "https://in-toto.io/Statement/v1";

/// Predicate of the submitter: what was tested, on what, and whether it passed.
pub const TEST_RESULT: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// Predicate of the submitter, Weir's own: the metric table, with its denominators and intervals.
pub const MEASUREMENTS: &str = "weir:attestation/measurements/v0.1";

/// Predicate of a maintainer: what was verified, and when.
pub const VERIFICATION: &str = "https://in-toto.io/attestation/svr/v0.2";

/// Something with its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Its name: a hint for readers.
    #[serde(default)]
    pub name: String,
    /// Digests by algorithm; Weir writes `sha256`.
    #[serde(default)]
    pub digest: BTreeMap<String, String>,
}

impl Resource {
    /// A resource with its SHA-256, in hex.
    #[must_use]
    pub fn new(name: &str, sha256: &str) -> Self {
        Resource { name: name.into(), digest: BTreeMap::from([("sha256".into(), sha256.into())]) }
    }

    /// Its SHA-256, where it has one.
    #[must_use]
    pub fn sha256(&self) -> Option<&str> {
        self.digest.get("sha256").map(String::as_str)
    }
}

/// A statement. Fields that it does not know are left out of account, as the specification asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Always the same.
    #[serde(rename = "_type")]
    kind: String,
    /// What it is about: first of all a component.
    pub subject: Vec<Resource>,
    /// What kind of thing is said.
    #[serde(rename = "predicateType")]
    pub predicate_type: String,
    /// What is said.
    pub predicate: Value,
}

impl Statement {
    /// A statement about these subjects.
    #[must_use]
    pub fn new(subject: Vec<Resource>, predicate_type: &str, predicate: Value) -> Self {
        Statement { kind: STATEMENT.into(), subject, predicate_type: predicate_type.into(), predicate }
    }

    /// The statement in an envelope, signed.
    ///
    /// # Errors
    /// Where it cannot be written as JSON.
    pub fn sign(&self, key: &SecretKey) -> Result<Envelope, Error> {
        Ok(Envelope::sign(self.text()?.as_bytes(), key))
    }

    /// The statement as canonical JSON: two that say the same have the same.
    ///
    /// # Errors
    /// Where it cannot be written as JSON.
    pub fn text(&self) -> Result<String, Error> {
        serde_json::to_value(self).map(|value| canonical(&value)).map_err(|e| Error::Input(e.to_string()))
    }

    /// Whether one of its subjects has this SHA-256.
    #[must_use]
    pub fn is_about(&self, sha256: &str) -> bool {
        self.subject.iter().any(|subject| subject.sha256() == Some(sha256))
    }
}

/// A statement with its envelope, as it stands in an entry's folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Attestation {
    /// What is said.
    pub statement: Statement,
    /// With the signatures.
    pub envelope: Envelope,
}

impl Attestation {
    /// Reads a bundle: one envelope a line.
    ///
    /// # Errors
    /// The first line that is no envelope of a statement.
    pub fn read_bundle(name: &str, text: &str) -> Result<Vec<Self>, String> {
        let one = |(number, line): (usize, &str)| {
            let wrong = |what: String| format!("{name} line {number}: {what}");
            let envelope: Envelope =
                serde_json::from_str(line).map_err(|e| wrong(format!("it is no DSSE envelope: {e}")))?;
            let payload = envelope.payload().map_err(wrong)?;
            let statement: Statement =
                serde_json::from_slice(&payload).map_err(|e| wrong(format!("its payload is no statement: {e}")))?;
            if statement.kind != STATEMENT {
                return Err(wrong(format!("its payload is a `{}`, expected `{STATEMENT}`", statement.kind)));
            }
            Ok(Attestation { statement, envelope })
        };
        (1..).zip(text.lines()).map(one).collect()
    }

    /// A bundle's text.
    ///
    /// # Errors
    /// Where an envelope cannot be written as JSON.
    pub fn bundle(envelopes: &[Envelope]) -> Result<String, Error> {
        let line = |envelope: &Envelope| serde_json::to_string(envelope).map(|line| line + "\n");
        envelopes.iter().map(line).collect::<Result<_, _>>().map_err(|e| Error::Input(e.to_string()))
    }

    /// Whether this key has signed it.
    #[must_use]
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        self.envelope.is_signed_by(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_bundle_is_read_as_it_was_written_and_what_is_none_is_named_with_its_line() {
        let (key, _) = SecretKey::generate().unwrap();
        let statement = Statement::new(vec![Resource::new("a.wasm", "aa")], TEST_RESULT, json!({ "result": "PASSED" }));
        let envelope = statement.sign(&key).unwrap();
        let text = Attestation::bundle(&[envelope.clone(), envelope]).unwrap();
        let read = Attestation::read_bundle("b", &text).unwrap();
        assert_eq!(read.len(), 2);
        assert!(read[1].statement == statement && read[1].is_signed_by(&key.public()));
        assert!(statement.is_about("aa") && !statement.is_about("a.wasm"));
        let said = |text: &str| Attestation::read_bundle("b", text).unwrap_err();
        assert!(said(&format!("{text}x\n")).starts_with("b line 3: it is no DSSE envelope"));
        let other = Statement { kind: "x".into(), ..statement }.sign(&key).unwrap();
        assert!(said(&Attestation::bundle(&[other]).unwrap()).contains("its payload is a `x`"));
    }
}
