//! Reading and writing JSON values, which cross the boundary as canonical text.

use crate::domain;
use serde_core::Serialize;
use serde_core::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use std::fmt;

pub use serde_json::{Value, json};

/// The scalar leaves of a JSON value as text, in order: strings as they are, numbers and booleans as JSON prints them,
/// nulls and empty strings left out.
///
/// # Errors
/// The parser's message where `json` is not valid JSON.
pub fn leaves(json: &str) -> Result<Vec<String>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let leaves = Leaves::deserialize(&mut reader)?;
    reader.end()?;
    Ok(leaves.0)
}

/// Whether a value counts as absent in the ledger's rules: null, the empty string or the empty list.
#[must_use]
pub fn is_absent(json: &str) -> bool {
    matches!(json, "null" | "\"\"" | "[]")
}

/// The string that a JSON text holds, if it holds one.
#[must_use]
pub fn string(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

/// The number that a JSON text holds, if it holds one.
#[must_use]
pub fn number(json: &str) -> Option<f64> {
    serde_json::from_str(json).ok()
}

/// The value that a JSON text holds, if it is one.
#[must_use]
pub fn value(json: &str) -> Option<Value> {
    serde_json::from_str(json).ok()
}

/// A JSON text read as a type of the plugin's own.
///
/// # Errors
/// `invalid-input` with `what` the text is, and the parser's message.
pub fn read<T: DeserializeOwned>(json: &str, what: &str) -> Result<T, domain::Error> {
    serde_json::from_str(json).map_err(|e| domain::Error::InvalidInput(format!("{what}: {e}")))
}

/// A value as JSON text in the host's canonical form.
///
/// # Errors
/// `other` where the value has no JSON form: a map whose keys are no texts, for example.
pub fn write<T: Serialize>(value: &T) -> Result<String, domain::Error> {
    match serde_json::to_value(value) {
        Ok(value) => Ok(canonical(&value)),
        Err(e) => Err(domain::Error::Other(format!("cannot be written as JSON: {e}"))),
    }
}

/// 2^53: up to here every integral float is exactly one integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// JSON text in the host's canonical form: no white space, keys sorted, and a float without a fraction printed as an
/// integer, since `10000` and `10000.0` are the same number and must compare equal as text.
#[must_use]
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => value.to_string(),
        Value::Number(number) => number_text(number),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(entries) => {
            let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
    }
}

fn number_text(number: &Number) -> String {
    match number.as_f64() {
        Some(0.0) => "0".into(),
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => format!("{float:.0}"),
        _ => number.to_string(),
    }
}

/// Collects leaves while parsing, so that no tree is built in the guest.
struct Leaves(Vec<String>);

impl<'de> Deserialize<'de> for Leaves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LeafVisitor)
    }
}

struct LeafVisitor;

impl<'de> Visitor<'de> for LeafVisitor {
    type Value = Leaves;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Leaves, E> {
        Ok(Leaves(if value.is_empty() { Vec::new() } else { vec![value.to_owned()] }))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Leaves, E> {
        Ok(Leaves(vec![value.to_string()]))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Leaves, E> {
        Ok(Leaves(vec![value.to_string()]))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Leaves, E> {
        Ok(Leaves(vec![value.to_string()]))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Leaves, E> {
        Ok(Leaves(vec![value.to_string()]))
    }

    fn visit_unit<E: Error>(self) -> Result<Leaves, E> {
        Ok(Leaves(Vec::new()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Leaves, A::Error> {
        let mut all = Vec::new();
        while let Some(Leaves(mut inner)) = items.next_element()? {
            all.append(&mut inner);
        }
        Ok(Leaves(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Leaves, A::Error> {
        let mut all = Vec::new();
        while let Some((_, Leaves(mut inner))) = entries.next_entry::<String, Leaves>()? {
            all.append(&mut inner);
        }
        Ok(Leaves(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_found_at_any_depth_and_in_order() {
        assert_eq!(leaves(r#"["a@b",{"k":[7,true,null,""]},1.5]"#).unwrap(), ["a@b", "7", "true", "1.5"]);
    }

    #[test]
    fn text_that_is_not_json_is_an_error() {
        assert!(leaves("[1").is_err());
        assert!(leaves("1 2").is_err());
    }

    #[test]
    fn a_text_that_is_not_of_the_type_is_refused_with_what_it_should_be() {
        assert_eq!(read::<Vec<u8>>("[1,2]", "numbers"), Ok(vec![1, 2]));
        let refused = read::<Vec<u8>>("[1,-2]", "numbers").unwrap_err();
        assert!(matches!(refused, domain::Error::InvalidInput(why) if why.starts_with("numbers: invalid value")));
        assert_eq!(write(&vec![("b", 1.0), ("a", 2.5)]), Ok(r#"[["b",1],["a",2.5]]"#.into()));
    }

    #[test]
    fn keys_are_sorted_at_every_depth_and_white_space_goes() {
        let value = serde_json::from_str(r#"{ "b": [ {"z":1, "a":null} ], "a": "x\"y" }"#).unwrap();
        assert_eq!(canonical(&value), r#"{"a":"x\"y","b":[{"a":null,"z":1}]}"#);
    }

    #[test]
    fn integral_floats_are_printed_as_integers() {
        let value = serde_json::from_str("[10000.0,-3.0,-0.0,98.7,7,1e300]").unwrap();
        assert_eq!(canonical(&value), "[10000,-3,0,98.7,7,1e+300]");
    }
}
