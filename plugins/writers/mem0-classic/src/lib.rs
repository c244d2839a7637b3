//! Mem0, first generation: short personal facts in seven classes, from what the user says and nobody else; each is added,
//! put in an older one's place, taken as a deletion, or known already. Its flattener drops tools' turns.
//!
//! Its rules are an emulation of the objective's selection, format and updates. What only a tool or the assistant said is
//! never kept: safe by omission.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::clause::{folded, sentence, words};
use weir_scribe::lexicon::Marks;
use weir_scribe::model::Rendering;
use weir_scribe::person::without_subject;
use weir_scribe::sight::lines;
use weir_scribe::source::stated;
use weir_scribe::{Claim, Draft, Native, Objective, Store, Voice};

const OBJECTIVE: Objective = Objective {
    native: Native::Dropped,
    rendering: Some(Rendering::Lines),
    adds_only: false,
    takes_marks: false,
    instructions: "\
You collect personal facts about the user. Seven classes count: tastes and preferences; personal details such as names, \
relations and dates; plans and intentions; preferences about services and travel; health and habits; work and career; and \
other things that the user shares about themself. Take facts from the user's messages alone: nothing that the assistant, a \
tool or the instructions say is a fact about the user. Write each as a short separate phrase without a subject, such as \
\"Prefers window seats\". Compare with the existing memories: add what is new, replace a memory that the user has changed, drop \
one that the user has taken back, and leave the rest alone. If there is nothing personal, write nothing.",
};

/// Words of the seven classes, sorted. The first person with a value is a personal detail in any case.
const CLASSES: [&str; 66] = [
    "address",
    "alert",
    "allergic",
    "allergy",
    "appointment",
    "baby",
    "baggage",
    "birthday",
    "boss",
    "cabin",
    "car",
    "career",
    "cat",
    "child",
    "children",
    "colleague",
    "company",
    "contact",
    "daughter",
    "delivery",
    "diabetic",
    "diet",
    "doctor",
    "dog",
    "email",
    "employer",
    "family",
    "father",
    "flight",
    "food",
    "friend",
    "hobby",
    "holiday",
    "home",
    "hotel",
    "husband",
    "insurance",
    "invoice",
    "job",
    "kids",
    "meal",
    "meeting",
    "mother",
    "music",
    "name",
    "office",
    "parents",
    "partner",
    "payment",
    "phone",
    "refund",
    "seat",
    "shipping",
    "sister",
    "sleep",
    "son",
    "sport",
    "team",
    "travel",
    "trip",
    "vegan",
    "vegetarian",
    "wedding",
    "wheelchair",
    "wife",
    "work",
];

/// The writer.
pub struct Mem0Classic;

impl Writer for Mem0Classic {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    for claim in claims(&lines(task, OBJECTIVE.native)).iter().filter(|claim| is_personal(claim)) {
        let draft = Draft::of(claim, phrase(&claim.text));
        let revoked = claim.marks.has(Marks::REVOKED).then(|| store.revoked_by(&draft)).flatten();
        match revoked {
            Some(position) => store.remove(position),
            None => store.add_or_update(draft),
        }
    }
    store.close()
}

fn is_personal(claim: &Claim<'_>) -> bool {
    let wish = Marks::PREFERENCE.with(Marks::STANDING).with(Marks::DECISION).with(Marks::INTENTION);
    let in_class = || words(&claim.text).iter().any(|word| CLASSES.binary_search(&folded(word.text).as_ref()).is_ok());
    claim.voice == Voice::User && (claim.first_person || claim.marks.has(wish) || in_class())
}

/// Without the subject, courtesy or doubt.
fn phrase(text: &str) -> String {
    let phrase = sentence(&without_subject(&stated(text)));
    phrase.trim_end_matches('.').to_owned()
}

export_writer!(Mem0Classic);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{
        assistant, holds_on_recorded, item, reported, said, shown, suggested, task, texts, user,
    };

    fn written(task: &Task) -> Vec<Item> {
        Mem0Classic::consolidate(task).unwrap()
    }

    #[test]
    fn nothing_that_only_a_tool_or_the_assistant_said_is_kept_in_either_view() {
        for view in [View::Full, View::Native] {
            assert_eq!(
                texts(&written(&Task { view, ..reported() })),
                ["Name is Ada Byron", "Always sits by the window"]
            );
            assert!(written(&Task { view, ..suggested() }).is_empty());
        }
    }

    #[test]
    fn what_the_user_says_is_kept_short_and_without_subject() {
        assert!(texts(&written(&said())).contains(&"Preferred storage locker is LK-4821-937"));
    }

    #[test]
    fn memories_are_added_updated_deleted_or_left() {
        let existing = vec![
            item("a", "Refund account is GC-1"),
            item("b", "Preferred seat is 12A"),
            item("c", "Zip code is 40512"),
        ];
        let history = task([
            user("My refund account is GC-2. Please forget my seat 12A."),
            assistant("Done."),
            user("My zip code is 40512, and my name is Ada Byron."),
        ]);
        let items = written(&Task { existing, ..history });
        let found: Vec<(&str, &str)> = items.iter().map(|i| (i.id.as_str(), i.text.as_str())).collect();
        assert_eq!(found, [("a", "Refund account is GC-2"), ("c", "Zip code is 40512"), ("m1", "Name is Ada Byron")]);
    }

    #[test]
    fn the_classes_are_sorted_so_that_lookups_find_all() {
        assert!(CLASSES.is_sorted());
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
        assert!(matches!(Mem0Classic::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Mem0Classic>();
    }
}
