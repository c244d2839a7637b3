//! JSON objects that know whether a key was repeated. JSON leaves open which value of a repeated key counts: a call with
//! two recipients must not run with either of them.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// An object, with the last value of a repeated key.
pub(super) struct Object {
    /// The object.
    pub map: Map<String, Value>,
    /// Whether it, or any object in it, repeats a key.
    pub repeats: bool,
}

/// Reads a text that is one JSON object and nothing else; `None` for any other.
pub(super) fn object(text: &str) -> Option<Object> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = <Object as serde::Deserialize>::deserialize(&mut deserializer).ok()?;
    deserializer.end().ok().map(|()| object)
}

impl<'de> serde::Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut repeats = false;
        match (Json { repeats: &mut repeats }).deserialize(deserializer)? {
            Value::Object(map) => Ok(Object { map, repeats }),
            _ => Err(D::Error::custom("not an object")),
        }
    }
}

/// Reads a value as [`Value`] does and notes repeated keys.
struct Json<'a> {
    repeats: &'a mut bool,
}

impl<'de> DeserializeSeed<'de> for Json<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Json<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Json { repeats: &mut *self.repeats })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Json { repeats: &mut *self.repeats })?;
            *self.repeats |= map.insert(key, value).is_some();
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_serde_json_reads_them() {
        let text = r#"{"z":[null,true,-1,18446744073709551615,0.1,1e300,"\u00e9\n"],"a":{"b":{}}}"#;
        let object = object(text).unwrap();
        assert_eq!(Value::Object(object.map.clone()), serde_json::from_str::<Value>(text).unwrap());
        assert!(!object.repeats);
        assert_eq!(object.map.keys().collect::<Vec<_>>(), ["z", "a"]);
    }

    #[test]
    fn a_repeated_key_is_noticed_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"a":[{"b":{"c":1,"d":2,"c":3}}]}"#, r#"{"a":1,"\u0061":2}"#] {
            assert!(object(text).unwrap().repeats, "{text}");
        }
        assert!(!object(r#"{"a":{"a":1},"b":{"a":1}}"#).unwrap().repeats);
    }

    #[test]
    fn anything_but_one_object_is_none() {
        for text in ["", "[]", "1", "{} {}", "{", r#""{}""#] {
            assert!(object(text).is_none(), "{text}");
        }
    }
}
