//! Texts and argument objects with places for facts: `{name}` stands for the fact of that name, `{Name}` for the same with a
//! capital, and a JSON string that is `{#name}` alone for the fact as a number.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use weir_plugin::domain::Error;

/// What the texts of a base may mention, by name.
pub type Facts = BTreeMap<String, String>;

/// Facts out of pairs.
#[must_use]
pub fn facts<const N: usize>(pairs: [(&str, String); N]) -> Facts {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The text with its facts. A brace that encloses no name stays as it is.
///
/// # Errors
/// `other` where a name has no fact: a mistake of the domain, which its tests show.
pub fn fill(template: &str, facts: &Facts) -> Result<String, Error> {
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}') {
            Some((name, tail)) if is_name(name) => {
                out.push_str(&look_up(name, facts)?);
                rest = tail;
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
}

fn look_up(name: &str, facts: &Facts) -> Result<String, Error> {
    let plain = lower_first(name);
    let fact = facts.get(&plain).ok_or_else(|| Error::Other(format!("a template names `{name}`, which is no fact")))?;
    Ok(if plain == name { fact.clone() } else { upper_first(fact) })
}

/// The argument object of a JSON text with places for facts.
///
/// # Errors
/// `other` where the text is no JSON object or names no fact.
pub fn arguments(template: &str, facts: &Facts) -> Result<Map<String, Value>, Error> {
    let value: Value =
        serde_json::from_str(template).map_err(|e| Error::Other(format!("the arguments `{template}`: {e}")))?;
    match filled(value, facts)? {
        Value::Object(map) => Ok(map),
        _ => Err(Error::Other(format!("the arguments `{template}` are no object"))),
    }
}

fn filled(value: Value, facts: &Facts) -> Result<Value, Error> {
    Ok(match value {
        Value::String(text) => match text.strip_prefix("{#").and_then(|t| t.strip_suffix('}')) {
            Some(name) => {
                let fact = look_up(name, facts)?;
                serde_json::from_str(&fact).map_err(|_| Error::Other(format!("`{name}` is `{fact}`, no number")))?
            }
            None => fill(&text, facts)?.into(),
        },
        Value::Array(items) => {
            items.into_iter().map(|item| filled(item, facts)).collect::<Result<Vec<Value>, Error>>()?.into()
        }
        Value::Object(map) => {
            let map = map.into_iter().map(|(key, value)| Ok((key, filled(value, facts)?)));
            Value::Object(map.collect::<Result<Map<String, Value>, Error>>()?)
        }
        other => other,
    })
}

/// With a capital.
#[must_use]
pub fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Facts {
        facts([("who", "ann".into()), ("count", "3".into())])
    }

    #[test]
    fn names_become_facts_and_other_braces_stay() {
        assert_eq!(fill("{Who} has {count} {\"x\": {who}}", &two()).unwrap(), "Ann has 3 {\"x\": ann}");
        assert!(fill("{nobody}", &two()).is_err());
    }

    #[test]
    fn arguments_have_facts_as_text_and_as_numbers_at_any_depth() {
        let made = arguments(r#"{"a":["{who}"],"n":"{#count}","fixed":7}"#, &two()).unwrap();
        assert_eq!(Value::Object(made).to_string(), r#"{"a":["ann"],"n":3,"fixed":7}"#);
    }
}
