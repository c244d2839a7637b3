//! `--bless`: expectations that are not met become what was found. The file's comments and order stay.

use super::run::Failure;
use crate::Error;
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// A case's text with what was found in the place of what was expected, in the keys that are stated; a question of which
/// nothing is stated gets the whole answer, but for the words, which change more easily than what they mean.
///
/// # Errors
/// Where the text is not the one that the failures are about.
pub fn blessed(file: &str, text: &str, failures: &[Failure]) -> Result<String, Error> {
    let mut document: DocumentMut = text.parse().map_err(|e| Error::Input(format!("{file}: {e}")))?;
    for failure in failures {
        let index = failure.step.saturating_sub(1);
        let table = document.get_mut("steps").and_then(|steps| expectation(steps, index));
        let table =
            table.ok_or_else(|| Error::Input(format!("{file}: step {} is not there any more", failure.step)))?;
        let before = table.len();
        for difference in &failure.differences {
            match failure.found.value(&difference.key) {
                Some(found) => set(table, &difference.key, found),
                None => drop(table.remove(&difference.key)),
            }
        }
        if table.is_empty() {
            for (key, value) in failure.found.stated().into_iter().filter(|(key, _)| *key != "message") {
                set(table, key, value);
            }
        }
        // What is added or taken away leaves blanks and commas where they should not be.
        if table.len() != before {
            table.fmt();
        }
    }
    Ok(document.to_string())
}

/// The expectation of a step, in whichever way the list is written.
fn expectation(steps: &mut Item, index: usize) -> Option<&mut dyn TableLike> {
    match steps {
        Item::ArrayOfTables(list) => list.get_mut(index)?.get_mut("expect")?.as_table_like_mut(),
        Item::Value(Value::Array(list)) => {
            let expect = list.get_mut(index)?.as_inline_table_mut()?.get_mut("expect")?;
            expect.as_inline_table_mut().map(|table| table as &mut dyn TableLike)
        }
        _ => None,
    }
}

/// A value in the old one's place, with the blanks and comments around it.
fn set(table: &mut dyn TableLike, key: &str, mut new: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        None => drop(table.insert(key, Item::Value(new))),
    }
}
