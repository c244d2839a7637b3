//! Graphiti: facts as edges between two entities, each a sentence, from every turn as an episode. The speaker is always an
//! entity. An edge keeps the episodes that support it and not who asserted it; a later edge supersedes an earlier one of the
//! same relation, which stays and says so.
//!
//! Its rules are an emulation of the objective's selection, format and updates.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::clause::{folded, sentence, uncapitalised, words};
use weir_scribe::lexicon::Marks;
use weir_scribe::model::Rendering;
use weir_scribe::person::shifted;
use weir_scribe::sight::lines;
use weir_scribe::source::{advised, label, stated};
use weir_scribe::value::{Precision, precision};
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store, Voice};

const OBJECTIVE: Objective = Objective {
    native: Native::Shown,
    rendering: Some(Rendering::Episodes),
    adds_only: false,
    takes_marks: false,
    instructions: "\
You build a graph of facts. An edge relates two different named entities: people, organisations, places, accounts, orders, \
codes, objects with a name of their own. Whoever speaks is an entity. Write an edge for each relation that the conversation \
states or clearly implies, as one sentence that names both entities and keeps every concrete detail. Feelings and common nouns \
without a name make no edge. Merge edges that say the same. Where a later statement contradicts an earlier edge, keep the \
earlier edge, say in its sentence that it no longer holds, and write the later one.",
};

/// The writer.
pub struct Graphiti;

impl Writer for Graphiti {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    for claim in claims(&lines(task, OBJECTIVE.native)).iter().filter(|claim| is_edge(claim)) {
        let draft = Draft::of(claim, fact(claim)).with_evidence(vec![claim.turn]);
        if let Some(position) = store.same_statement(&draft) {
            store.support(position, &draft.evidence);
            continue;
        }
        if let Some(position) = store.same_slot(&draft) {
            store.retire(position, " (no longer valid)");
        }
        store.add(draft);
    }
    store.close()
}

/// There is a second entity beside the subject, and it is no line of a record.
fn is_edge(claim: &Claim<'_>) -> bool {
    claim.precision > Precision::None && claim.durability >= Durability::Passing
}

/// The edge's sentence.
fn fact(claim: &Claim<'_>) -> String {
    if claim.voice == Voice::User {
        return sentence(&stated(&claim.text));
    }
    if claim.voice == Voice::Assistant && claim.marks.has(Marks::ADVICE) {
        let advice = advised(&claim.text).map_or(claim.text.as_ref(), |advice| advice);
        return sentence(&format!(
            "the assistant recommended to the user: {}",
            uncapitalised(&shifted(advice, claim.voice))
        ));
    }
    // A heading names the episode, which is no node of the edge.
    let text = label(&claim.text).map_or(claim.text.as_ref(), |(_, rest)| rest);
    sentence(&owned(&shifted(text, claim.voice)))
}

/// A thing that belongs to nobody named belongs to the one whom the conversation is about: "the locker is" to "the user's
/// locker is". A thing with an owner keeps it.
fn owned(text: &str) -> String {
    let all = words(text);
    let copula = all.iter().position(|word| matches!(folded(word.text).as_ref(), "is" | "are"));
    let subject = copula.and_then(|at| all.get(..at)).unwrap_or_default();
    let (Some(first), rest) = (subject.first(), subject.get(1..).unwrap_or_default()) else { return text.to_owned() };
    let is_named = rest
        .iter()
        .any(|word| precision(word.text) > Precision::None || word.text.contains('\'') || word.text.contains('’'));
    match (folded(first.text).as_ref(), is_named) {
        ("the", false) if !rest.is_empty() => {
            format!("The user's{}", text.get(first.start + first.text.len()..).unwrap_or_default())
        }
        _ => text.to_owned(),
    }
}

export_writer!(Graphiti);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{
        assistant, holds_on_recorded, item, reported, said, shown, suggested, task, texts, tool, user,
    };

    fn written(task: &Task) -> Vec<Item> {
        Graphiti::consolidate(task).unwrap()
    }

    #[test]
    fn a_record_about_nobody_named_becomes_an_edge_of_the_user_with_its_episode() {
        let items = written(&reported());
        let edge = items.iter().find(|item| item.text.contains("LK-4821-937")).unwrap();
        assert_eq!(
            (edge.text.as_str(), edge.evidence.as_slice()),
            ("The user's preferred storage locker is LK-4821-937.", &[3][..])
        );
    }

    #[test]
    fn a_record_about_somebody_named_stays_theirs() {
        let history = task([tool("Note: the locker of Bob Hill is LK-7."), tool("Hill's badge is BG-0007.")]);
        assert_eq!(texts(&written(&history)), ["The locker of Bob Hill is LK-7.", "Hill's badge is BG-0007."]);
    }

    #[test]
    fn a_suggestion_is_an_edge_of_the_assistant_and_a_statement_one_of_the_user() {
        assert_eq!(
            texts(&written(&suggested())),
            ["The assistant recommended to the user: setting the paper alert at 312 sheets."]
        );
        let own = written(&said());
        assert!(
            own.iter().any(|i| i.text == "The user's preferred storage locker is LK-4821-937." && i.evidence == [1])
        );
    }

    #[test]
    fn a_later_edge_supersedes_an_earlier_one_whoever_asserts_it_and_repeats_add_episodes() {
        let history = task([
            user("My refund account is GC-2."),
            assistant("Fine."),
            user("My refund account is GC-2."),
            tool("Desk: the refund account is GC-3."),
        ]);
        let items = written(&Task { existing: vec![item("a", "The user's refund account is GC-1.")], ..history });
        let found: Vec<(&str, &[u32])> = items.iter().map(|i| (i.text.as_str(), i.evidence.as_slice())).collect();
        assert_eq!(
            found,
            [
                ("The user's refund account is GC-1. (no longer valid)", &[][..]),
                ("The user's refund account is GC-2. (no longer valid)", &[0, 2]),
                ("The user's refund account is GC-3.", &[3]),
            ]
        );
    }

    #[test]
    fn the_model_is_shown_episodes_by_their_actor_in_the_native_view() {
        let native = shown(&OBJECTIVE, &reported(), View::Native);
        assert!(native.contains("\nuser: Hi!") && native.contains("\ndesk_record: {\"status\""), "{native}");
    }

    #[test]
    fn without_a_model_the_method_is_an_error_and_no_omission() {
        let task = Task { method: weir_plugin::writer::Method::Model, ..reported() };
        assert!(matches!(Graphiti::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Graphiti>();
    }
}
