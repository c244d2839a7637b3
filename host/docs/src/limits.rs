//! The table of limits: their names in a grants file and their defaults, in both profiles.

use std::fmt::Write;
use toml::{Table, Value};
use weir_runtime::Limits;

/// The table, as Markdown.
pub(crate) fn table() -> Result<String, String> {
    let of = |limits: &Limits| Table::try_from(limits).map_err(|e| format!("the limits cannot be written: {e}"));
    let (strict, compat) = (of(&Limits::default())?, of(&Limits::compat())?);
    let mut text = String::from("| limit | strict | compat |\n|---|---:|---:|\n");
    for (name, value) in &strict {
        let wider = compat.get(name).filter(|other| *other != value).map(number).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{name}` | {} | {wider} |", number(value));
    }
    Ok(text)
}

/// With a comma for each three digits.
fn number(value: &Value) -> String {
    let digits = value.to_string();
    let head = digits.len() % 3;
    let (first, rest) = digits.split_at_checked(head).unwrap_or((&digits, ""));
    let groups = rest.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let all: Vec<String> = Some(first.to_owned()).filter(|first| !first.is_empty()).into_iter().chain(groups).collect();
    all.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_groups_of_three() {
        let groups: Vec<String> = [7, 64, 100, 1_000, 33_554_432].map(|n| number(&Value::Integer(n))).into();
        assert_eq!(groups, ["7", "64", "100", "1,000", "33,554,432"]);
    }

    #[test]
    fn every_limit_has_a_line() {
        let table = table().unwrap();
        for name in Table::try_from(Limits::default()).unwrap().keys() {
            assert!(table.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}
