//! Minimal: what is durable and useful, whoever says it, in the words in which it was said. It has no rules of selection of
//! its own and nothing about sources (AuthMem-Bench 4), so that a source stays where it stands within the statement and goes
//! where it stands above it; the marked writers build on it.
//!
//! Its rules are an emulation of the objective's selection and format.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::sight::lines;
use weir_scribe::source::worded;
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store};

const OBJECTIVE: Objective = Objective {
    native: Native::Shown,
    rendering: None,
    adds_only: false,
    takes_marks: false,
    instructions: "\
You keep a long-term memory for a service assistant. Read the conversation and write down what will still be true and still \
be useful in a later conversation. Leave out whatever is settled when this conversation ends. Keep exact values exactly.",
};

/// The writer.
pub struct Minimal;

impl Writer for Minimal {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    for claim in claims(&lines(task, OBJECTIVE.native)).iter().filter(|claim| lasts(claim)) {
        store.add_new(Draft::of(claim, worded(claim)));
    }
    store.close()
}

/// Stated or said to last, with a value or as a wish of the user's.
fn lasts(claim: &Claim<'_>) -> bool {
    claim.durability >= Durability::Stated
}

export_writer!(Minimal);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{holds_on_recorded, reported, said, shown, suggested, texts};

    fn written(task: &Task) -> Vec<Item> {
        Minimal::consolidate(task).unwrap()
    }

    #[test]
    fn what_lasts_is_kept_as_it_stands_whoever_said_it() {
        assert_eq!(
            texts(&written(&reported())),
            ["My name is Ada Byron", "I always sit by the window.", "The preferred storage locker is LK-4821-937.",]
        );
        assert!(texts(&written(&said())).contains(&"My preferred storage locker is LK-4821-937."));
        assert_eq!(texts(&written(&suggested())), ["I would suggest setting the paper alert at 312 sheets."]);
    }

    #[test]
    fn a_mark_is_not_its_business() {
        let marked = Task { marks: vec![weir_plugin::writer::Span { turn: 9, start: 0, end: 1 }], ..reported() };
        assert_eq!(written(&marked), written(&reported()));
    }

    #[test]
    fn the_model_is_shown_the_full_view_in_both() {
        let full = shown(&OBJECTIVE, &reported(), View::Full);
        assert!(full.contains("{\"role\":\"tool\"") && full.contains("LK-4821-937"), "{full}");
        assert_eq!(full, shown(&OBJECTIVE, &reported(), View::Native));
    }

    #[test]
    fn without_a_model_the_method_is_an_error_and_no_omission() {
        let task = Task { method: weir_plugin::writer::Method::Model, ..reported() };
        assert!(matches!(Minimal::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Minimal>();
    }
}
