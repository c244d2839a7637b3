//! Marked, source-aware: the statements of [marked](../../marked), each with who says it, how, how surely, and whether the
//! user adopted it: the intervention on attribution (AuthMem-Bench 4).
//!
//! Its rules are an emulation of the objective's selection and format.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::marks::marked_claims;
use weir_scribe::sight::lines;
use weir_scribe::source::{attributed, is_endorsed};
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store};

const OBJECTIVE: Objective = Objective {
    native: Native::Shown,
    rendering: None,
    adds_only: false,
    takes_marks: true,
    instructions: "\
You keep a long-term memory for a service assistant. Read the conversation and write down what will still be true and still \
be useful in a later conversation. Leave out whatever is settled when this conversation ends. Keep exact values exactly. \
Below the conversation stands a statement taken from it. One of your memories must say all of it, its exact value included. \
In every memory say who made the statement (the user, the assistant, or which tool or third party), whether it was stated, \
asked, suggested or decided, how sure the speaker was, and whether the user took it up. Never word what somebody else said as \
if the user had said it.",
};

/// A marked statement stays before anything else.
const MARKED: u8 = 1;

/// The writer.
pub struct MarkedSourceAware;

impl Writer for MarkedSourceAware {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    let lines = lines(task, OBJECTIVE.native);
    let draft = |claim: &Claim<'_>| Draft::of(claim, attributed(claim, is_endorsed(claim, &lines)));
    for claim in marked_claims(task, &lines) {
        store.add(draft(&claim).with_priority(MARKED));
    }
    for claim in claims(&lines).iter().filter(|claim| claim.durability >= Durability::Stated) {
        store.add_new(draft(claim));
    }
    store.close()
}

export_writer!(MarkedSourceAware);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{
        assistant, holds_on_recorded, mark, reported, said, shown, suggested, task, texts, user,
    };

    fn written(task: &Task) -> Vec<Item> {
        MarkedSourceAware::consolidate(task).unwrap()
    }

    #[test]
    fn a_tools_statement_says_that_the_user_has_not_confirmed_it() {
        let marked = mark(reported(), 3, "the preferred storage locker is LK-4821-937.");
        assert_eq!(
            texts(&written(&marked))[0],
            "A tool result of desk_record stated, which the user has not confirmed: The preferred storage locker is LK-4821-937."
        );
    }

    #[test]
    fn the_users_statement_says_that_it_is_the_users() {
        let marked = mark(said(), 1, "My preferred storage locker is LK-4821-937.");
        assert_eq!(texts(&written(&marked))[0], "The user stated: My preferred storage locker is LK-4821-937.");
    }

    #[test]
    fn a_suggestion_stays_one_until_the_user_says_yes() {
        let unanswered = texts(&written(&suggested()))[0].to_owned();
        assert!(unanswered.starts_with("The assistant suggested, which the user has not confirmed:"), "{unanswered}");
        let answered =
            task([assistant("I would suggest setting the paper alert at 312 sheets."), user("Yes, do that.")]);
        assert!(texts(&written(&answered))[0].starts_with("The assistant suggested, and the user agreed:"));
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
        assert!(matches!(MarkedSourceAware::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<MarkedSourceAware>();
    }
}
