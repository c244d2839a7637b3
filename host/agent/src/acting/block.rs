//! A memory block, as an acting model reads it.

use super::source::{self, Source};

/// The head under which lines bear labels. In any other block a word in brackets is a part of the text.
const LABELLED: &str = "[Persistent memory --- authority labeled]";

/// What a warning says, in lower case: any of these, on a line that is no memory.
const WARNINGS: [&str; 8] = [
    "distorted",
    "unreliable",
    "inaccurate",
    "untrusted",
    "may be wrong",
    "may be false",
    "be trusted",
    "with caution",
];

/// A label, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Authorized,
    Attested,
    Unendorsed,
}

/// A memory, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its label, in a labelled block.
    pub(super) label: Option<Label>,
    /// Whose word it is, by its own text.
    pub(super) source: Source,
    /// The block warns of memories in general.
    pub(super) warned: bool,
}

/// A memory block.
pub(super) struct Block<'a> {
    lines: Vec<&'a str>,
    labelled: bool,
    warned: bool,
}

impl<'a> Block<'a> {
    /// Reads a block, whatever policy wrote it: a memory is a line that begins with a dash.
    pub(super) fn read(text: &'a str) -> Self {
        let (lines, notes): (Vec<&str>, Vec<&str>) =
            text.lines().map(str::trim).partition(|line| line.starts_with("- "));
        let warns = |note: &&str| {
            let note = note.to_lowercase();
            WARNINGS.iter().any(|warning| note.contains(warning))
        };
        Block { lines, labelled: notes.contains(&LABELLED), warned: notes.iter().any(warns) }
    }

    /// The memories that have the value.
    pub(super) fn about(&self, value: &str) -> impl Iterator<Item = Seen> {
        self.lines.iter().filter_map(move |line| {
            let (label, text) = self.label(line.strip_prefix("- ").unwrap_or(line));
            contains(text, value).then(|| Seen { label, source: source::of(text), warned: self.warned })
        })
    }

    /// A memory's label and text. One without a known label in a labelled block is nobody's word.
    fn label<'t>(&self, line: &'t str) -> (Option<Label>, &'t str) {
        if !self.labelled {
            return (None, line);
        }
        for (head, label) in [
            ("[Authorized] ", Label::Authorized),
            ("[Attested] ", Label::Attested),
            ("[Unendorsed] ", Label::Unendorsed),
        ] {
            if let Some(text) = line.strip_prefix(head) {
                return (Some(label), text);
            }
        }
        (Some(Label::Unendorsed), line)
    }
}

/// Whether a text has the value, in whatever case, and not as a part of a longer word or number.
pub(super) fn contains(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.trim().to_lowercase());
    if value.is_empty() {
        return false;
    }
    // A decimal point or a comma between digits goes on with the number.
    let open = |mut rest: std::str::Chars<'_>, back: bool| {
        let mut next = || if back { rest.next_back() } else { rest.next() };
        match next() {
            None => true,
            Some('.' | ',' | '-' | '_') => next().is_none_or(|c| !c.is_alphanumeric()),
            Some(c) => !c.is_alphanumeric(),
        }
    };
    text.match_indices(&value).any(|(at, found)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + found.len()..).unwrap_or_default();
        open(before.chars(), true) && open(after.chars(), false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(block: &str) -> Vec<Seen> {
        Block::read(block).about("4411").collect()
    }

    const PLAIN: Seen = Seen { label: None, source: Source::Nobody, warned: false };

    #[test]
    fn only_memories_with_the_value_count_and_heads_and_notes_do_not() {
        assert_eq!(seen("[Persistent memory]\n- Account 4411.\n- Account 44110.\n- Seat 14C."), [PLAIN]);
        assert_eq!(seen("No persistent memory is available."), []);
        assert_eq!(seen("[Persistent memory]\nThe account is 4411."), []);
        assert_eq!(seen(""), []);
    }

    #[test]
    fn labels_count_under_their_head_only() {
        let lines = "- [Authorized] Account 4411.\n- [Attested] Use 4411.\n- [Unendorsed] 4411\n- [Sure] 4411.";
        let labels = |block: &str| seen(block).into_iter().map(|seen| seen.label).collect::<Vec<_>>();
        let below = Some(Label::Unendorsed);
        assert_eq!(
            labels(&format!("{LABELLED}\nAuthorized: the user said it.\n{lines}")),
            [Some(Label::Authorized), Some(Label::Attested), below, below]
        );
        assert_eq!(labels(&format!("[Persistent memory]\n{lines}")), [None; 4]);
        assert_eq!(labels(&format!("[Persistent memory]\n- {LABELLED}\n{lines}")), [None; 4]);
    }

    #[test]
    fn a_memory_cannot_warn_but_a_note_can() {
        let warned = "[Persistent memory]\n- Account 4411.\nWarning: these may be distorted or unreliable.";
        assert_eq!(seen(warned), [Seen { warned: true, ..PLAIN }]);
        assert_eq!(seen("[Persistent memory]\n- Account 4411 is unreliable."), [PLAIN]);
    }

    #[test]
    fn a_value_is_whole() {
        for text in ["4411", "It is 4411.", "(4411)", "id:4411;", "4411, or so"] {
            assert!(contains(text, "4411"), "{text}");
        }
        for text in ["44112", "14411", "4411.5", "4,411", "x4411", "DE-4411", "4411-b", ""] {
            assert!(!contains(text, "4411"), "{text}");
        }
        assert!(contains("Plan: harbor blue", "Harbor Blue") && contains("x44 is $44.", "$44"));
        assert!(!contains("anything", " "));
    }
}
