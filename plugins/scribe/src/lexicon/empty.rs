//! Words that say nothing about what a clause is about.

use super::{Shapes, may_be, with_shape};

/// Words that say nothing about what a clause is about. Sorted.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "actually",
    "again",
    "all",
    "also",
    "always",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "back",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "default",
    "did",
    "do",
    "does",
    "favorite",
    "favourite",
    "for",
    "from",
    "go",
    "going",
    "has",
    "have",
    "i",
    "i'd",
    "i'll",
    "i'm",
    "i've",
    "if",
    "in",
    "into",
    "is",
    "it",
    "it's",
    "its",
    "just",
    "keep",
    "like",
    "made",
    "make",
    "me",
    "might",
    "my",
    "need",
    "never",
    "new",
    "no",
    "not",
    "now",
    "of",
    "on",
    "one",
    "only",
    "or",
    "our",
    "please",
    "prefer",
    "preferred",
    "prefers",
    "primary",
    "really",
    "set",
    "should",
    "so",
    "some",
    "standing",
    "suggest",
    "than",
    "that",
    "that's",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "use",
    "used",
    "user",
    "user's",
    "uses",
    "using",
    "usual",
    "usually",
    "want",
    "wants",
    "was",
    "we",
    "were",
    "what",
    "which",
    "will",
    "with",
    "would",
    "yes",
    "you",
    "you're",
    "your",
];

/// Shapes of the words that say nothing.
const EMPTIES: Shapes = {
    let mut shapes = [(0, 0); 26];
    let mut left = EMPTY;
    while let [word, rest @ ..] = left {
        shapes = with_shape(shapes, word.as_bytes());
        left = rest;
    }
    shapes
};

/// Whether a folded word says nothing about what a clause is about.
#[must_use]
pub fn is_empty_word(folded: &str) -> bool {
    may_be(&EMPTIES, folded) && EMPTY.binary_search(&folded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_lookups_find_all() {
        assert!(EMPTY.is_sorted());
        assert!(EMPTY.iter().all(|word| is_empty_word(word)));
    }
}
