//! A writer that breaks its contract; the first turn of its history says how.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Kind, Task, Writer};

/// The attacker.
pub struct Hostile;

fn item(id: &str, text: &str, evidence: Vec<u32>) -> Item {
    Item { id: id.into(), text: text.into(), kind: Kind::Fact, authority: None, evidence }
}

impl Writer for Hostile {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        let lie = task.history.first().map(|turn| turn.text.as_str()).unwrap_or_default();
        Ok(match lie {
            "too many" => (0..=task.limit).map(|number| item(&number.to_string(), "", Vec::new())).collect(),
            "millions" => (0..1_000_000).map(|number| item(&number.to_string(), "", Vec::new())).collect(),
            "foreign evidence" => vec![item("a", "text", vec![0, 4_000_000_000])],
            "one identifier twice" => vec![item("a", "one", vec![0]), item("a", "two", vec![0])],
            "painted identifier" => vec![item("a\u{1b}[2J", "one", vec![0])],
            "long text" => vec![item("a", &"x".repeat((64 << 10) + 1), vec![0])],
            _ => Vec::new(),
        })
    }
}

export_writer!(Hostile);
