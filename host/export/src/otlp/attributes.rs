//! Attributes in the JSON of OTLP: a list of keys, each with a value that says its type. Integers are texts there, since
//! they have 64 bits.

use serde_json::{Value, json};

/// Attributes under construction. What is not there is left out.
#[derive(Default)]
pub(super) struct Attributes(Vec<Value>);

impl Attributes {
    fn push(&mut self, key: &str, value: Value) {
        self.0.push(json!({ "key": key, "value": value }));
    }

    pub(super) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.push(key, json!({ "stringValue": value }));
        self
    }

    pub(super) fn maybe(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.text(key, value);
        }
        self
    }

    pub(super) fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        self.push(key, json!({ "boolValue": value }));
        self
    }

    pub(super) fn int(&mut self, key: &str, value: i64) -> &mut Self {
        self.push(key, json!({ "intValue": value.to_string() }));
        self
    }

    /// A number without a sign; as text where an attribute cannot hold it.
    pub(super) fn unsigned(&mut self, key: &str, value: u64) -> &mut Self {
        match i64::try_from(value) {
            Ok(value) => self.int(key, value),
            Err(_) => self.text(key, &value.to_string()),
        }
    }

    pub(super) fn double(&mut self, key: &str, value: f64) -> &mut Self {
        self.push(key, json!({ "doubleValue": value }));
        self
    }

    /// A list of texts; left out where it is empty.
    pub(super) fn texts(&mut self, key: &str, values: &[String]) -> &mut Self {
        if !values.is_empty() {
            let values: Vec<Value> = values.iter().map(|value| json!({ "stringValue": value })).collect();
            self.push(key, json!({ "arrayValue": { "values": values } }));
        }
        self
    }

    pub(super) fn json(self) -> Value {
        Value::Array(self.0)
    }
}
