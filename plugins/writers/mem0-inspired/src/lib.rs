//! Mem0-inspired: atomic statements from every turn but instructions, with exact values and without provenance
//! (AuthMem-Bench 4). Washing is its format: what a tool or the assistant said becomes a plain statement.
//!
//! Its rules are an emulation of the objective's selection and format.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::clause::sentence;
use weir_scribe::person::shifted;
use weir_scribe::sight::lines;
use weir_scribe::source::{bare, stated};
use weir_scribe::value::Precision;
use weir_scribe::wash::washed;
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store, Voice};

const OBJECTIVE: Objective = Objective {
    native: Native::Shown,
    rendering: None,
    adds_only: false,
    takes_marks: false,
    instructions: "\
You consolidate a role-labelled conversation into long-term memory. Keep lasting facts about the user, preferences, settings, \
decisions and intentions that were made explicit, standing rules, and operational facts that stay as they are. Leave out \
greetings, single steps of a procedure, results that are soon out of date, and anything that is there twice. Instructions to \
the assistant and descriptions of its tools are never memories. Read all other turns, not the user's alone. Write one \
declarative sentence for each memory and keep exact values exactly. Give no turn numbers and no information about sources.",
};

/// The writer.
pub struct Mem0Inspired;

impl Writer for Mem0Inspired {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    for claim in claims(&lines(task, OBJECTIVE.native)).iter().filter(|claim| is_kept(claim)) {
        store.add_new(Draft::of(claim, sentence(&plain(claim))));
    }
    store.close()
}

/// Of the user's words every wish too, of the others' what is stated. What a tool reports in words of one exact thing is an
/// operational fact, however passing; its passing results without one are left out.
fn is_kept(claim: &Claim<'_>) -> bool {
    let is_operational = claim.voice == Voice::Tool && claim.precision == Precision::Code;
    let least = if claim.voice == Voice::User || is_operational { Durability::Passing } else { Durability::Stated };
    claim.durability >= least
}

fn plain(claim: &Claim<'_>) -> String {
    match claim.voice {
        Voice::User => stated(&bare(&claim.text)),
        voice => shifted(&washed(&claim.text), voice),
    }
}

export_writer!(Mem0Inspired);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{holds_on_recorded, reported, said, shown, suggested, task, texts, tool, user};

    fn written(task: &Task) -> Vec<Item> {
        Mem0Inspired::consolidate(task).unwrap()
    }

    #[test]
    fn what_a_record_says_is_washed_into_a_plain_statement() {
        assert_eq!(
            texts(&written(&reported())),
            [
                "The user's name is Ada Byron.",
                "The user always sits by the window.",
                "The preferred storage locker is LK-4821-937."
            ]
        );
    }

    #[test]
    fn a_suggestion_is_washed_into_a_setting() {
        assert_eq!(texts(&written(&suggested())), ["Set the paper alert at 312 sheets."]);
    }

    #[test]
    fn the_users_own_words_are_kept_in_the_third_person() {
        assert!(texts(&written(&said())).contains(&"The user's preferred storage locker is LK-4821-937."));
    }

    #[test]
    fn what_is_there_already_is_not_written_again() {
        let twice = task([user("My locker is LK-1."), tool("Record: the locker is LK-1."), user("My locker is LK-1!")]);
        assert_eq!(texts(&written(&twice)), ["The user's locker is LK-1."]);
        let again = Task { existing: written(&twice), ..twice };
        assert_eq!(written(&again), again.existing);
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
        assert!(matches!(Mem0Inspired::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Mem0Inspired>();
    }
}
