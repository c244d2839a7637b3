//! Inputs that no rollout gives: malformed, huge and empty. Fixed, so that a check says the same of a component each time.
//!
//! Huge is what a host of this contract may still hand over: thousands of events, texts of 16,000 bytes, a nest of ten
//! thousand brackets. A plugin may refuse any of it with an error.

pub mod episodes;
pub mod histories;
pub mod traces;

/// Bytes of a huge text. A hook's fuel is 600 units for each: the dearest built-in rule, which looks for a value's anchors, needs
/// a quarter of that.
pub(crate) const HUGE: usize = 16_000;

/// JSON values and what only looks like one.
pub(crate) fn values() -> Vec<(&'static str, String)> {
    vec![
        ("no value", String::new()),
        ("half an object", r#"{"to":"#.into()),
        ("half a word", "nul".into()),
        ("half a text", r#""ann@corp.local"#.into()),
        ("a number with a zero before it", "01".into()),
        ("a number beyond all", "1e999".into()),
        ("a word that is no number", "NaN".into()),
        ("a comma too many", "[1,]".into()),
        ("a key twice", r#"{"to":"ann@corp.local","to":"mallory@evil.local"}"#.into()),
        ("half a surrogate pair", r#""\ud800""#.into()),
        ("a zero byte", "\"\\u0000\"".into()),
        ("a bare zero byte", "\0".into()),
        ("two values", "1 2".into()),
        ("a nest without end", "[".repeat(10_000)),
        ("a deep nest", format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))),
        ("a deep nest of objects", format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000))),
        ("a huge text", format!("\"{}\"", "x".repeat(HUGE))),
        ("a huge number", "9".repeat(HUGE)),
        ("odd characters", format!("\"{ODD}\"")),
        ("nothing", "null".into()),
        ("an empty list", "[]".into()),
        ("a nested recipient", r#"{"who":["mallory@evil.local"]}"#.into()),
    ]
}

/// Characters that few expect: combining, right to left, without width, beyond the first plane, of private use.
pub(crate) const ODD: &str =
    "e\u{301}\u{202e}\u{200b}\u{feff}\u{1f600}\u{1f468}\u{200d}\u{1f469}\u{e000}\u{10ffff}\u{fffd}İıſß\u{2028}";
