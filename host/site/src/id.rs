//! Names for addresses and files: `[a-z0-9-]`, each once.

use std::collections::BTreeSet;

/// Letters of an id, at most. Names may have thousands.
const LONGEST: usize = 48;

/// Gives ids, none of them twice.
#[derive(Debug, Default)]
pub struct Ids(BTreeSet<String>);

impl Ids {
    /// An id like a name: its letters and digits, in words joined by `-`; with a number where another has the same.
    pub fn of(&mut self, name: &str) -> String {
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let whole = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
        let cut: String = whole.chars().take(LONGEST).collect();
        let wanted = match cut.trim_matches('-') {
            "" => "x",
            text => text,
        };
        let mut id = wanted.to_owned();
        let mut number = 1_u32;
        while !self.0.insert(id.clone()) {
            number = number.saturating_add(1);
            id = format!("{wanted}-{number}");
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_safe_short_and_unique_whatever_the_name() {
        let names =
            ["../../etc/passwd", "my-guard", "My Guard", "my-guard-2", "", "漢", "<script>", "CON", &"a".repeat(5000)];
        let mut ids = Ids::default();
        let given: Vec<String> = names.iter().map(|name| ids.of(name)).collect();
        assert_eq!(given[..7], ["etc-passwd", "my-guard", "my-guard-2", "my-guard-2-2", "x", "x-2", "script"]);
        for id in &given {
            assert!(!id.is_empty() && id.len() < 60, "{id}");
            assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{id}");
        }
    }
}
