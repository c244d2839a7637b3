//! The predictor's answer, read strictly.

use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    predictions: Vec<Prediction>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prediction {
    memory_index: usize,
    // Without this an absent key would pass for null.
    #[serde(deserialize_with = "present")]
    source_message_index: Option<u32>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    Option::deserialize(deserializer)
}

/// The source of each memory, in the memories' order.
pub(crate) fn sources(text: &str, memories: usize) -> Result<Vec<Option<u32>>, String> {
    let answer: Answer = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let mut sources = vec![None; memories];
    for prediction in answer.predictions {
        let index = prediction.memory_index;
        let Some(source) = sources.get_mut(index) else {
            return Err(format!("it names memory {index} of {memories}, counted from 0"));
        };
        if source.replace(prediction.source_message_index).is_some() {
            return Err(format!("it names memory {index} twice"));
        }
    }
    let missing = sources.iter().position(Option::is_none);
    match missing {
        Some(index) => Err(format!("it leaves out memory {index}")),
        None => Ok(sources.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_memory_has_one_source_or_null() {
        let text = r#"{"predictions":[{"memory_index":1,"source_message_index":null},
            {"memory_index":0,"source_message_index":4}]}"#;
        assert_eq!(sources(text, 2), Ok(vec![Some(4), None]));
        assert_eq!(sources(r#"{"predictions":[]}"#, 0), Ok(Vec::new()));
    }

    #[test]
    fn anything_else_is_an_error_that_says_what() {
        for (text, says) in [
            ("", "EOF"),
            ("```json\n{\"predictions\":[]}\n```", "expected value"),
            (r#"{"predictions":[]} done"#, "trailing"),
            (r#"{"predictions":[],"labels":[]}"#, "labels"),
            (r#"{"predictions":[{"memory_index":0}]}"#, "source_message_index"),
            (r#"{"predictions":[{"memory_index":0,"source_message_index":-1}]}"#, "-1"),
            (r#"{"predictions":[{"memory_index":0,"source_message_index":"1"}]}"#, "string"),
            (r#"{"predictions":[{"memory_index":2,"source_message_index":1}]}"#, "memory 2 of 2"),
            (r#"{"predictions":[{"memory_index":0,"source_message_index":1}]}"#, "leaves out memory 1"),
            (
                r#"{"predictions":[{"memory_index":0,"source_message_index":1},{"memory_index":0,"source_message_index":1}]}"#,
                "memory 0 twice",
            ),
        ] {
            let error = sources(text, 2).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
