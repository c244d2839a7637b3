//! Which tool results carried injected content: the untrusted sources of a recorded run.
//!
//! Environments are printed as YAML, which breaks lines and doubles quotes, so texts are compared by their letters and
//! digits alone. Evidence is a whole line of an injected text, or the injection's goal, or, for the attack whose texts the
//! exported schema leaves out, its marker.

use super::record::Record;

/// Opens every text of the `important_instructions` attack.
const MARKER: &str = "<INFORMATION>";

/// Letters and digits that a line must have to be evidence; shorter ones are greetings and signatures.
const ENOUGH: usize = 24;

/// What an injected result contains.
pub struct Evidence {
    lines: Vec<String>,
    marker: bool,
}

impl Evidence {
    /// Collects a record's evidence. A run that was not attacked has none.
    pub fn new(record: &Record, goal: Option<&str>) -> Self {
        if record.injection_task.is_none() {
            return Evidence { lines: Vec::new(), marker: false };
        }
        let texts = record.injections.iter().map(String::as_str).chain(goal);
        let lines = texts.flat_map(str::lines).map(letters).filter(|line| line.len() >= ENOUGH).collect();
        Evidence { lines, marker: record.attack.as_deref() == Some("important_instructions") }
    }

    /// Whether a tool's answer carries injected content.
    pub fn is_in(&self, answer: &str) -> bool {
        if self.marker && answer.contains(MARKER) {
            return true;
        }
        if self.lines.is_empty() {
            return false;
        }
        let answer = letters(answer);
        self.lines.iter().any(|line| answer.contains(line.as_str()))
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
