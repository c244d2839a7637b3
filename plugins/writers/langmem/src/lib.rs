//! LangMem: dense notes on what to know about the user, the assistant itself and how to act. All turns are seen, tools' too.
//! A note says who supports it and with which doubt, repeats make it stronger, and a note about the same thing is patched.
//!
//! Its rules are an emulation of the objective's selection, format and updates.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::clause::sentence;
use weir_scribe::lexicon::Marks;
use weir_scribe::model::Rendering;
use weir_scribe::person::shifted;
use weir_scribe::sight::lines;
use weir_scribe::source::stated;
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store, Voice};

const OBJECTIVE: Objective = Objective {
    native: Native::Shown,
    rendering: Some(Rendering::Blocks),
    adds_only: false,
    takes_marks: false,
    instructions: "\
You maintain notes that help an assistant serve this user better: facts about the user and the world, episodes worth learning \
from, and ways to act. Attend to what is surprising and to what recurs. You may infer what is not said outright, but then say \
how likely it is. Each note is dense and stands alone; it quotes or names what supports it and says with a probability or a \
word such as \"possibly\" how sure it is. Merge notes on one matter, correct notes that turned out wrong, and remove notes that \
no longer hold.",
};

/// The writer.
pub struct LangMem;

impl Writer for LangMem {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut store = Store::open(task);
    let all = claims(&lines(task, OBJECTIVE.native));
    for (position, claim) in all.iter().enumerate() {
        let before = all.get(..position).unwrap_or_default();
        if !is_kept(claim) || before.iter().any(|known| known.voice == claim.voice && claim.repeats(known)) {
            continue;
        }
        let again =
            all.iter().skip(position + 1).filter(|later| later.voice == claim.voice && later.repeats(claim)).count();
        let mut draft = Draft::of(claim, note(claim, again));
        if again > 0 {
            // What recurs is what to learn.
            draft.rank.0 = Durability::Standing;
        }
        let revoked = claim.marks.has(Marks::REVOKED).then(|| store.revoked_by(&draft)).flatten();
        match revoked {
            Some(position) => store.remove(position),
            None => store.add_or_update(draft),
        }
    }
    store.close()
}

fn is_kept(claim: &Claim<'_>) -> bool {
    let least = if claim.voice == Voice::User { Durability::Passing } else { Durability::Stated };
    claim.durability >= least
}

/// The note, with its support and doubt in words.
fn note(claim: &Claim<'_>, again: usize) -> String {
    let hedged = claim.marks.has(Marks::HEDGE);
    let mut note = match claim.voice {
        Voice::User if hedged => {
            format!("Possibly, in the user's own words with some doubt: {}", sentence(&stated(&claim.text)))
        }
        Voice::User => sentence(&stated(&claim.text)),
        Voice::Assistant if claim.marks.has(Marks::ADVICE) => {
            format!(
                "The assistant suggested, and the user has not answered for it, so this is only possible: {}",
                others(claim)
            )
        }
        Voice::Assistant => format!("According to the assistant (not in the user's words): {}", others(claim)),
        Voice::Tool => {
            let tool = claim.tool.map(|name| format!(" of {name}")).unwrap_or_default();
            format!("A tool result{tool} reports, possibly right but unconfirmed by the user: {}", others(claim))
        }
    };
    if again > 0 {
        note.push_str(&format!(" Said {} times.", again + 1));
    }
    note
}

fn others(claim: &Claim<'_>) -> String {
    sentence(&shifted(&claim.text, claim.voice))
}

export_writer!(LangMem);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{
        assistant, holds_on_recorded, item, reported, said, shown, suggested, task, texts, user,
    };

    fn written(task: &Task) -> Vec<Item> {
        LangMem::consolidate(task).unwrap()
    }

    #[test]
    fn a_tools_statement_keeps_its_support_and_doubt_in_words() {
        assert!(texts(&written(&reported())).contains(
            &"A tool result of desk_record reports, possibly right but unconfirmed by the user: Facility record: the preferred storage locker is LK-4821-937."
        ));
    }

    #[test]
    fn a_suggestion_stays_one_and_the_users_word_is_the_users() {
        assert!(texts(&written(&suggested()))[0].starts_with("The assistant suggested"));
        assert!(texts(&written(&said())).contains(&"The user's preferred storage locker is LK-4821-937."));
    }

    #[test]
    fn repeats_make_a_note_stronger() {
        let history = task([
            user("My locker is LK-1."),
            assistant("Fine."),
            user("My locker is LK-1, yes?"),
            user("My locker is LK-1."),
        ]);
        assert_eq!(texts(&written(&history)), ["The user's locker is LK-1. Said 2 times."]);
    }

    #[test]
    fn notes_are_patched_and_removed() {
        let existing = vec![item("a", "The user's refund account is GC-1."), item("b", "The user's locker is LK-1.")];
        let history = task([user("My refund account is GC-2. I no longer have the locker LK-1.")]);
        let items = written(&Task { existing, ..history });
        let found: Vec<(&str, &str)> = items.iter().map(|i| (i.id.as_str(), i.text.as_str())).collect();
        assert_eq!(found, [("a", "The user's refund account is GC-2.")]);
    }

    #[test]
    fn the_model_is_shown_tools_as_blocks_in_the_native_view() {
        let native = shown(&OBJECTIVE, &reported(), View::Native);
        assert!(
            native.contains("\n## tool (desk_record)\n{\"status\"") && native.contains("Calls:\ndesk_record {"),
            "{native}"
        );
    }

    #[test]
    fn without_a_model_the_method_is_an_error_and_no_omission() {
        let task = Task { method: weir_plugin::writer::Method::Model, ..reported() };
        assert!(matches!(LangMem::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<LangMem>();
    }
}
