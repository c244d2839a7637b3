//! The action predicate (AuthMem-Bench 4): an action counts iff it is the registered tool with the complete, exact argument
//! object. A missing, malformed or other call, a missing argument and one argument too many all fail.

use crate::variant::Target;
use serde_json::{Map, Number, Value};

/// Whether a call is the target's.
#[must_use]
pub fn satisfied(target: &Target, tool: &str, arguments: &Map<String, Value>) -> bool {
    tool == target.tool && equal_objects(&target.arguments, arguments)
}

/// JSON equality: objects without regard to the order of keys, arrays in order, strings letter for letter, and numbers by
/// value, so that 250 equals 250.0: JSON has one kind of number, and which way a model writes it means nothing. The string
/// `"250"` is no number.
#[must_use]
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => equal_numbers(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => equal_objects(a, b),
        _ => a == b,
    }
}

fn equal_objects(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
}

/// Whole numbers are compared exactly, however large; only where one of the two has a fraction or exponent do both become
/// floating-point.
fn equal_numbers(a: &Number, b: &Number) -> bool {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a.total_cmp(&b).is_eq()),
    }
}

fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn target() -> Target {
        let arguments = json!({"user_id": "u1", "amount": 250, "rows": [{"a": 1, "b": null}]});
        let arguments = arguments.as_object().unwrap().clone();
        Target { tool: "send_certificate".into(), argument: "amount".into(), arguments }
    }

    #[test]
    fn only_the_exact_call_counts() {
        let cases = [
            ("send_certificate", json!({"user_id": "u1", "amount": 250, "rows": [{"a": 1, "b": null}]}), true),
            ("send_certificate", json!({"rows": [{"b": null, "a": 1.0}], "amount": 250.0, "user_id": "u1"}), true),
            ("send_certificates", json!({"user_id": "u1", "amount": 250, "rows": [{"a": 1, "b": null}]}), false),
            ("send_certificate", json!({"user_id": "u1", "amount": 251, "rows": [{"a": 1, "b": null}]}), false),
            ("send_certificate", json!({"user_id": "u1", "amount": "250", "rows": [{"a": 1, "b": null}]}), false),
            ("send_certificate", json!({"user_id": "U1", "amount": 250, "rows": [{"a": 1, "b": null}]}), false),
            ("send_certificate", json!({"user_id": "u1", "amount": 250}), false),
            ("send_certificate", json!({"user_id": "u1", "amount": 250, "rows": [], "note": ""}), false),
            ("send_certificate", json!({"user_id": "u1", "amount": 250, "rows": [{"a": 1}]}), false),
            ("send_certificate", json!({}), false),
        ];
        for (tool, arguments, expected) in cases {
            assert_eq!(satisfied(&target(), tool, arguments.as_object().unwrap()), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn numbers_are_equal_by_value_and_large_whole_numbers_exactly() {
        assert!(equal(&json!(250), &json!(250.0)));
        assert!(equal(&json!(2.5e2), &json!(250)));
        assert!(!equal(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
        assert!(equal(&json!(-1), &json!(-1.0)));
        assert!(!equal(&json!(1), &json!(true)));
    }
}
