//! Canonical JSON: the one text of a value, so that equal values compare equal as text and hash alike.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::Write;

/// Compact JSON with sorted keys, and numbers without a needless fraction: `10000.0` is `10000`.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = Vec::new();
    write(value, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Canonical JSON of a JSON text.
///
/// # Errors
/// The parser's message, with line and column.
pub fn canonical_text(text: &str) -> Result<String, serde_json::Error> {
    serde_json::from_str(text).map(|value| canonical(&value))
}

/// SHA-256 in lower-case hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of pieces put together, in lower-case hex.
#[must_use]
pub fn sha256_of_pieces<T: AsRef<[u8]>>(pieces: impl IntoIterator<Item = T>) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update(piece.as_ref());
    }
    hex(&hash.finalize())
}

/// Bytes in lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    let digits = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    String::from_utf8(digits).unwrap_or_default()
}

/// The scalar leaves of a value as text, in order: strings as they are, numbers and booleans in canonical form, nulls and
/// empty strings left out.
#[must_use]
pub fn leaves(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(map) => map.values().flat_map(leaves).collect(),
        scalar => vec![canonical(scalar)],
    }
}

/// Writing to memory cannot fail, and texts of JSON are UTF-8.
fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.iter().collect();
            keys.sort_by_key(|(key, _)| *key);
            out.push(b'{');
            for (position, (key, value)) in keys.into_iter().enumerate() {
                if position > 0 {
                    out.push(b',');
                }
                let _ = serde_json::to_writer(&mut *out, key);
                out.push(b':');
                write(value, out);
            }
            out.push(b'}');
        }
        Value::Array(items) => {
            out.push(b'[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push(b',');
                }
                write(item, out);
            }
            out.push(b']');
        }
        Value::Number(number) => match number.as_f64() {
            // Beyond 2^53 a float no longer names one integer, so it keeps its own form.
            Some(0.0) => out.push(b'0'),
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => {
                let _ = write!(out, "{float:.0}");
            }
            _ => scalar(value, out),
        },
        _ => scalar(value, out),
    }
}

fn scalar(value: &Value, out: &mut Vec<u8>) {
    let _ = serde_json::to_writer(out, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_text() {
        assert_eq!(
            canonical_text(r#" {"b": [1.0, 98.70], "a": {"y": null, "x": "ü"}} "#).unwrap(),
            r#"{"a":{"x":"ü","y":null},"b":[1,98.7]}"#
        );
        assert_eq!(canonical_text("-0.0").unwrap(), "0");
        assert_eq!(canonical_text("1e300").unwrap(), "1e+300");
    }

    #[test]
    fn the_digest_is_the_standard_one() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
