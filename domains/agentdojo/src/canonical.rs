//! JSON text in the host's canonical form: no white space, keys sorted, and a float without a fraction printed as an
//! integer, since `10000` and `10000.0` are the same number and must compare equal as text.

use serde_json::{Number, Value};

/// 2^53: up to here every integral float is exactly one integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The canonical text of a value.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => value.to_string(),
        Value::Number(number) => number_text(number),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(text).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(entries) => {
            let mut entries: Vec<(&String, &Value)> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), text(value))).collect();
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

#[cfg(test)]
mod tests {
    use super::text;

    fn canonical(json: &str) -> String {
        text(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn keys_are_sorted_at_every_depth_and_white_space_goes() {
        assert_eq!(
            canonical(r#"{ "b": [ {"z":1, "a":null} ], "a": "x\"y" }"#),
            r#"{"a":"x\"y","b":[{"a":null,"z":1}]}"#
        );
    }

    #[test]
    fn integral_floats_are_printed_as_integers() {
        assert_eq!(canonical("[10000.0,-3.0,-0.0,98.7,7,1e300]"), "[10000,-3,0,98.7,7,1e+300]");
    }
}
