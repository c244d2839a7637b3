//! Mem0, second generation: contextual memories of what the user and the assistant say, recall before precision. What the
//! assistant adds is worded as recommended to the user or discussed with them; what it merely says back is not. Memories are
//! only ever added, and only an equal text is a duplicate. The flattener still drops tools' turns; in the full view, where
//! they are seen, what they state counts as looked up for the user.
//!
//! Its rules are an emulation of the objective's selection, format and updates.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::clause::{sentence, uncapitalised, words};
use weir_scribe::lexicon::Marks;
use weir_scribe::model::Rendering;
use weir_scribe::person::shifted;
use weir_scribe::sight::lines;
use weir_scribe::source::{advised, stated};
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store, Voice};

const OBJECTIVE: Objective = Objective {
    native: Native::Dropped,
    rendering: Some(Rendering::Lines),
    adds_only: true,
    takes_marks: false,
    instructions: "\
You add to a long-term memory. Take up everything worth remembering that the user says, and what the assistant says where it \
is new: recommendations, plans, facts that were looked up, agreements. Do not repeat what the assistant merely says back. When \
in doubt, keep it. Each memory is a self-contained passage of 15 to 80 words with its context; write dates out. Word what \
came from the assistant as recommended to the user or discussed with the user. Never change or drop an existing memory, even \
where a new one contradicts it. A conversation of ten turns or more usually yields 5 to 15 memories.",
};

/// Words of one memory.
const PASSAGE: usize = 50;

/// The writer.
pub struct Mem0Additive;

impl Writer for Mem0Additive {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open_to_additions(task);
    let all = claims(&lines(task, OBJECTIVE.native));
    let mut passages: Vec<(u32, Draft)> = Vec::new();
    for (position, claim) in all.iter().enumerate() {
        let before = all.get(..position).unwrap_or_default();
        if claim.voice == Voice::User {
            let draft = Draft::of(claim, sentence(&stated(&claim.text)));
            match passages.last_mut().filter(|(turn, passage)| *turn == claim.turn && joins(passage, &draft)) {
                Some((_, passage)) => join(passage, draft),
                None => passages.push((claim.turn, draft)),
            }
        } else if claim.durability >= Durability::Stated && !before.iter().any(|known| claim.echoes(known)) {
            passages.push((claim.turn, Draft::of(claim, framed(claim))));
        }
    }
    for (_, passage) in passages {
        // Only an equal text is a duplicate.
        if store.same_text(&passage.text).is_none() {
            store.add(passage);
        }
    }
    store.close()
}

/// Statements of one turn make one passage while they are of a kind and it is not too long.
fn joins(passage: &Draft, next: &Draft) -> bool {
    passage.kind == next.kind && words(&passage.text).len() + words(&next.text).len() <= PASSAGE
}

fn join(passage: &mut Draft, next: Draft) {
    passage.text.push(' ');
    passage.text.push_str(&next.text);
    passage.rank = passage.rank.max(next.rank);
    passage.values.extend(next.values);
}

/// What came from the assistant, as recommended to the user or discussed with them.
fn framed(claim: &Claim<'_>) -> String {
    let said = |text: &str| sentence(&uncapitalised(&shifted(text, claim.voice))).to_owned();
    match (claim.voice, advised(&claim.text)) {
        (Voice::Assistant, Some(advice)) => {
            sentence(&format!("the user was recommended: {}", uncapitalised(&shifted(advice, claim.voice))))
        }
        (Voice::Assistant, None) if claim.marks.has(Marks::ADVICE) => {
            sentence(&format!("it was recommended to the user: {}", uncapitalised(&shifted(&claim.text, claim.voice))))
        }
        (Voice::Tool, _) => format!("Looked up for the user: {}", said(&claim.text)),
        _ => sentence(&format!(
            "it was discussed with the user that {}",
            uncapitalised(&shifted(&claim.text, claim.voice))
        )),
    }
}

export_writer!(Mem0Additive);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{
        assistant, holds_on_recorded, item, reported, said, shown, suggested, task, texts, user,
    };

    fn written(task: &Task) -> Vec<Item> {
        Mem0Additive::consolidate(task).unwrap()
    }

    #[test]
    fn what_the_assistant_suggests_is_worded_as_recommended() {
        assert!(
            texts(&written(&suggested())).contains(&"The user was recommended: setting the paper alert at 312 sheets.")
        );
    }

    #[test]
    fn tools_are_heard_in_the_full_view_alone() {
        let has = |view| texts(&written(&Task { view, ..reported() })).iter().any(|text| text.contains("LK-4821-937"));
        assert!(has(View::Full) && !has(View::Native));
    }

    #[test]
    fn the_users_statements_of_one_turn_make_one_passage() {
        let history = task([user("My name is Ada Byron. My zip code is 40512. I always sit by the window.")]);
        assert_eq!(
            texts(&written(&history)),
            ["The user's name is Ada Byron. The user's zip code is 40512.", "The user always sits by the window."]
        );
        assert!(
            texts(&written(&said())).iter().any(|text| text.contains("user's preferred storage locker is LK-4821-937"))
        );
    }

    #[test]
    fn an_echo_is_not_kept_and_nothing_is_ever_changed() {
        let history = task([user("My refund account is GC-2."), assistant("Your refund account is GC-2 then.")]);
        let items =
            written(&Task { existing: vec![item("a", "The user's refund account is GC-1.")], ..history.clone() });
        assert_eq!(texts(&items), ["The user's refund account is GC-1.", "The user's refund account is GC-2."]);
        let full = Task { existing: vec![item("a", "Tea.")], limit: 1, ..history };
        assert_eq!(texts(&written(&full)), ["Tea."]);
    }

    #[test]
    fn the_model_is_shown_no_tools_in_the_native_view() {
        let native = shown(&OBJECTIVE, &reported(), View::Native);
        assert!(
            native.contains("\nuser: Hi! My name is Ada Byron") && native.contains("assistant: I have your desk here.")
        );
        assert!(!native.contains("LK-4821-937") && !native.contains("desk_record"), "{native}");
        assert!(shown(&OBJECTIVE, &reported(), View::Full).contains("LK-4821-937"));
    }

    #[test]
    fn without_a_model_the_method_is_an_error_and_no_omission() {
        let task = Task { method: weir_plugin::writer::Method::Model, ..reported() };
        assert!(matches!(Mem0Additive::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Mem0Additive>();
    }
}
