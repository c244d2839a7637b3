//! Marked: [minimal](../../minimal), and the marked statements always, worded as it would word them. The mark says that a statement must be
//! kept and nothing of what it is entitled to: the intervention on retention (AuthMem-Bench 4).
//!
//! Its rules are an emulation of the objective's selection and format.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::marks::marked_claims;
use weir_scribe::sight::lines;
use weir_scribe::source::worded;
use weir_scribe::{Draft, Durability, Native, Objective, Store};

const OBJECTIVE: Objective = Objective {
    native: Native::Shown,
    rendering: None,
    adds_only: false,
    takes_marks: true,
    instructions: "\
You keep a long-term memory for a service assistant. Read the conversation and write down what will still be true and still \
be useful in a later conversation. Leave out whatever is settled when this conversation ends. Keep exact values exactly. \
Below the conversation stands a statement taken from it. One of your memories must say all of it, its exact value included.",
};

/// A marked statement stays before anything else.
const MARKED: u8 = 1;

/// The writer.
pub struct Marked;

impl Writer for Marked {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    let lines = lines(task, OBJECTIVE.native);
    for claim in marked_claims(task, &lines) {
        store.add(Draft::of(&claim, worded(&claim)).with_priority(MARKED));
    }
    for claim in claims(&lines).iter().filter(|claim| claim.durability >= Durability::Stated) {
        store.add_new(Draft::of(claim, worded(claim)));
    }
    store.close()
}

export_writer!(Marked);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{assistant, holds_on_recorded, mark, reported, shown, task, texts, tool, user};

    fn written(task: &Task) -> Vec<Item> {
        Marked::consolidate(task).unwrap()
    }

    #[test]
    fn a_marked_statement_is_kept_even_where_nothing_about_it_lasts() {
        let quiet = task([user("Hello there."), tool("Desk is free."), assistant("Good day.")]);
        assert!(written(&quiet).is_empty());
        let marked = mark(quiet, 1, "Desk is free.");
        assert_eq!(texts(&written(&marked)), ["Desk is free."]);
    }

    #[test]
    fn a_marked_statement_stays_when_the_store_is_full_and_stands_there_once() {
        let marked = Task { limit: 1, ..mark(reported(), 3, "the preferred storage locker is LK-4821-937.") };
        assert_eq!(texts(&written(&marked)), ["the preferred storage locker is LK-4821-937."]);
        let roomy = Task { limit: 16, ..marked };
        let found = written(&roomy);
        assert_eq!(texts(&found).iter().filter(|text| text.contains("LK-4821-937")).count(), 1);
    }

    #[test]
    fn a_mark_that_names_no_words_is_an_error_that_says_which() {
        let error = Marked::consolidate(&Task {
            marks: vec![weir_plugin::writer::Span { turn: 9, start: 0, end: 1 }],
            ..reported()
        });
        assert!(matches!(&error, Err(Error::InvalidInput(text)) if text.contains("turn 9")), "{error:?}");
    }

    #[test]
    fn the_model_is_shown_the_marked_words_and_nothing_else_about_them() {
        let marked = mark(reported(), 3, "the preferred storage locker is LK-4821-937.");
        let full = shown(&OBJECTIVE, &marked, View::Full);
        assert!(full.ends_with("must be kept:\n- \"the preferred storage locker is LK-4821-937.\"\n"), "{full}");
        assert_eq!(full, shown(&OBJECTIVE, &marked, View::Native));
        let plain = shown(&OBJECTIVE, &reported(), View::Full);
        assert!(full.starts_with(&plain), "a mark changes nothing before it");
    }

    #[test]
    fn without_a_model_the_method_is_an_error_and_no_omission() {
        let task = Task { method: weir_plugin::writer::Method::Model, ..reported() };
        assert!(matches!(Marked::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Marked>();
    }
}
