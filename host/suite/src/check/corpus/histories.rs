//! Histories for writers, and for the hooks that are asked about memories.

use super::{HUGE, ODD};
use weir_runtime::wit::memory::{Call, Item, Kind, Speaker, Turn};

/// A history and what is odd about it.
pub struct History {
    /// What is odd about it.
    pub name: String,
    /// Its turns.
    pub turns: Vec<Turn>,
}

/// A memory of this text.
#[must_use]
pub fn memory(id: &str, text: &str, evidence: &[u32]) -> Item {
    Item { id: id.into(), text: text.into(), kind: Kind::Fact, authority: None, evidence: evidence.to_vec() }
}

/// A turn without calls.
#[must_use]
pub fn turn(index: u32, speaker: Speaker, text: &str) -> Turn {
    Turn { index, speaker, text: text.into(), calls: Vec::new(), call_id: None }
}

/// An ordinary history.
#[must_use]
pub fn plain() -> Vec<Turn> {
    vec![
        turn(0, Speaker::User, "I always fly from Zurich."),
        turn(1, Speaker::Assistant, "Noted. Shall I book the usual seat?"),
        turn(2, Speaker::User, "Yes, the aisle."),
    ]
}

/// The whole corpus.
#[must_use]
pub fn corpus() -> Vec<History> {
    let of = |name: &str, turns| History { name: name.into(), turns };
    let said = |text: &str| vec![turn(0, Speaker::User, text)];
    let call = |id: &str, arguments: &str| Call { id: id.into(), tool: "book".into(), arguments: arguments.into() };
    let calling = |calls| {
        vec![
            turn(0, Speaker::User, "Book a flight for me."),
            Turn { calls, ..turn(1, Speaker::Assistant, "") },
            Turn { call_id: Some("c1".into()), ..turn(2, Speaker::Tool, r#"{"seat":"W-12"}"#) },
        ]
    };
    let speakers = [Speaker::User, Speaker::Assistant, Speaker::Tool, Speaker::System];
    let long = (0..400).zip(speakers.into_iter().cycle()).map(|(n, who)| turn(n, who, "I prefer the aisle seat."));
    vec![
        of("an ordinary history", plain()),
        of("no history", Vec::new()),
        of("a history of one turn", said("I always fly from Zurich.")),
        of("a history of one empty turn", said("")),
        of("a history of four hundred turns", long.collect()),
        of("a history of a huge turn", said(&"I prefer the aisle. ".repeat(HUGE / 20))),
        of("a history of one huge word", said(&"x".repeat(HUGE))),
        of("a history of odd characters", said(&format!("I prefer {ODD}. {ODD}"))),
        of("a history of line breaks", said(&"\r\n\u{0}\t".repeat(1_000))),
        of("a history whose turns have one number", plain().into_iter().map(|t| Turn { index: 0, ..t }).collect()),
        of(
            "a history whose turns have odd numbers",
            plain().into_iter().map(|t| Turn { index: u32::MAX - t.index * 7, ..t }).collect(),
        ),
        of("a history backwards", plain().into_iter().rev().collect()),
        of("a history of the assistant alone", vec![turn(0, Speaker::Assistant, "The user prefers the aisle.")]),
        of("a history of a tool alone", vec![turn(0, Speaker::Tool, r#"{"note":"The user wants window seats."}"#)]),
        of("a history with a call of no JSON", calling(vec![call("c1", "{{{")])),
        of("a history with calls of one name", calling(vec![call("", "{}"), call("", "[]"), call("c1", "null")])),
        of(
            "a history with a deep call",
            calling(vec![call("c1", &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)))]),
        ),
        of(
            "a history with an answer to no call",
            vec![Turn { call_id: Some("none".into()), ..turn(0, Speaker::Tool, "seat W-12") }],
        ),
    ]
}
