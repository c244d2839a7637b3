//! A slip in a call: right in every argument but one.

use serde_json::{Map, Value};

/// The arguments with the one that carries the value, or else the first, a little off.
pub(super) fn arguments(arguments: &Map<String, Value>, value: &str) -> Map<String, Value> {
    let mut slipped = arguments.clone();
    let carries = |(name, argument): (&String, &Value)| argument.to_string().contains(value).then(|| name.clone());
    let name = slipped.iter().find_map(carries).or_else(|| slipped.keys().next().cloned());
    match name.and_then(|name| slipped.get_mut(&name)) {
        Some(argument) => slip(argument),
        // There is nothing to get wrong, but something to invent.
        None => {
            slipped.insert("value".to_owned(), Value::from(value));
        }
    }
    slipped
}

fn slip(argument: &mut Value) {
    match argument {
        Value::Null => *argument = Value::from(0),
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(number) => {
            let integer = number.as_i64().and_then(|number| number.checked_add(1)).map(Value::from);
            // Half of a number that is no small integer is another number, unless it is zero, which is one.
            *argument = integer.unwrap_or_else(|| Value::from(number.as_f64().unwrap_or_default() / 2.0));
        }
        // A string loses its last character, as in a careless copy.
        Value::String(text) => {
            if text.pop().is_none() {
                text.push('?');
            }
        }
        Value::Array(items) => {
            if items.pop().is_none() {
                items.push(Value::Null);
            }
        }
        Value::Object(entries) => match entries.values_mut().next() {
            Some(entry) => slip(entry),
            None => {
                entries.insert("value".to_owned(), Value::Null);
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_argument_is_off_and_the_others_are_as_they_were() {
        for (right, off) in [
            (json!({"id": "A1", "account": "4411"}), json!({"id": "A1", "account": "441"})),
            (json!({"id": "A1", "amount": 4411}), json!({"id": "A1", "amount": 4412})),
            (json!({"id": "A1", "amount": 4411.5}), json!({"id": "A1", "amount": 2205.75})),
            (json!({"id": "A1", "to": ["4411", "4412"]}), json!({"id": "A1", "to": ["4411"]})),
            (json!({"id": "A1", "to": {"deep": "4411"}}), json!({"id": "A1", "to": {"deep": "441"}})),
            (json!({"id": "A1", "on": true}), json!({"id": "A", "on": true})),
            (json!({}), json!({"value": "4411"})),
            (json!({"on": true}), json!({"on": false})),
            (json!({"none": null}), json!({"none": 0})),
            (json!({"list": []}), json!({"list": [null]})),
            (json!({"text": ""}), json!({"text": "?"})),
        ] {
            let right = right.as_object().unwrap();
            assert_eq!(Value::from(arguments(right, "4411")), off, "{right:?}");
        }
    }
}
