//! Letta's background writer: labelled blocks of text about the user, kept comprehensive and current; the last word on a
//! matter overwrites the one before, and a block has a limit of characters. A block keeps no sources. Its system shows tools'
//! results as the assistant's words, so that in the native view nobody could tell them apart.
//!
//! Its rules are an emulation of the objective's selection, format and updates. The block is cut into its lines, one memory
//! each.

use weir_plugin::export_writer;
use weir_plugin::writer::{Error, Item, Kind, Task, Writer};
use weir_scribe::claim::claims;
use weir_scribe::clause::{sentence, uncapitalised};
use weir_scribe::lexicon::Marks;
use weir_scribe::model::Rendering;
use weir_scribe::person::{shifted, without_subject};
use weir_scribe::sight::lines;
use weir_scribe::source::{bare, stated};
use weir_scribe::{Claim, Draft, Durability, Native, Objective, Store, Voice};

const OBJECTIVE: Objective = Objective {
    native: Native::AsAssistant,
    rendering: Some(Rendering::Stream),
    adds_only: false,
    takes_marks: false,
    instructions: "\
You tend the memory blocks of an assistant while it rests. A block is running text about the user: who they are, what they \
prefer, what they have and what they plan. Keep it comprehensive, readable and up to date. Fold in what the conversation adds, \
be selective but lose nothing that matters, write absolute dates, and overwrite what is contradicted. Where nothing is new, \
change nothing. Your answer is the block, cut into one memory for each line.",
};

/// Characters of the block about the user: the system's own limit.
const BLOCK: usize = 20_000;

/// The writer.
pub struct Letta;

impl Writer for Letta {
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error> {
        OBJECTIVE.consolidate(task, rules)
    }
}

fn rules(task: &Task) -> Vec<Item> {
    let mut block = Store::open(task);
    for claim in claims(&lines(task, OBJECTIVE.native)).iter().filter(|claim| is_kept(claim)) {
        let draft = Draft::of(claim, line(claim));
        let revoked = claim.marks.has(Marks::REVOKED).then(|| block.revoked_by(&draft)).flatten();
        match revoked {
            Some(position) => block.remove(position),
            None => block.add_or_update(draft),
        }
    }
    while block.texts().map(|line| line.chars().count() + 1).sum::<usize>() > BLOCK {
        block.forget_one();
    }
    block.close()
}

fn is_kept(claim: &Claim<'_>) -> bool {
    let least = if claim.voice == Voice::User { Durability::Passing } else { Durability::Stated };
    claim.durability >= least
}

/// A line under its section. The block is about the user, so the subject goes, and so does whoever said it.
fn line(claim: &Claim<'_>) -> String {
    let plain = match claim.voice {
        Voice::User => stated(&claim.text),
        voice => shifted(&bare(&claim.text), voice),
    };
    format!("{}: {}", section(claim.kind()), sentence(&plain_line(&plain)).trim_end_matches('.')).trim_end().to_owned()
}

fn plain_line(text: &str) -> String {
    uncapitalised(&without_subject(text))
}

fn section(kind: Kind) -> &'static str {
    match kind {
        Kind::Preference => "Preferences",
        Kind::Rule => "Standing instructions",
        Kind::Intention => "Plans",
        Kind::Fact | Kind::Other => "Details",
    }
}

export_writer!(Letta);

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::writer::View;
    use weir_scribe::testing::{holds_on_recorded, item, reported, said, shown, suggested, task, texts, user};

    fn written(task: &Task) -> Vec<Item> {
        Letta::consolidate(task).unwrap()
    }

    #[test]
    fn whoever_says_it_it_becomes_a_line_about_the_user() {
        let line = "Preferences: Preferred storage locker is LK-4821-937";
        for view in [View::Full, View::Native] {
            assert!(texts(&written(&Task { view, ..said() })).contains(&line), "{:?}", written(&said()));
            let found = written(&Task { view, ..reported() });
            assert!(texts(&found).contains(&"Preferences: The preferred storage locker is LK-4821-937"), "{found:?}");
        }
        assert_eq!(texts(&written(&suggested())), ["Plans: Set the paper alert at 312 sheets"]);
    }

    #[test]
    fn the_last_word_on_a_matter_overwrites_the_one_before() {
        let existing = vec![item("a", "Details: Refund account is GC-1")];
        let items = written(&Task {
            existing,
            ..task([user("My refund account is GC-2."), user("My refund account is GC-3.")])
        });
        let found: Vec<(&str, &str)> = items.iter().map(|i| (i.id.as_str(), i.text.as_str())).collect();
        assert_eq!(found, [("a", "Details: Refund account is GC-3")]);
    }

    #[test]
    fn a_block_has_a_limit_of_characters() {
        let long = "x".repeat(12_000);
        let existing =
            vec![item("a", &format!("Details: desk K-1 {long}")), item("b", &format!("Details: desk K-2 {long}"))];
        let items = written(&Task { existing, ..task([]) });
        assert_eq!(items.iter().map(|i| i.id.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn the_model_is_shown_results_as_the_assistants_words_in_the_native_view() {
        let native = shown(&OBJECTIVE, &reported(), View::Native);
        assert!(
            native.contains("\nassistant: Tool call returned {\"status\"") && !native.contains("Be brief."),
            "{native}"
        );
        assert!(shown(&OBJECTIVE, &reported(), View::Full).contains("{\"role\":\"tool\""));
    }

    #[test]
    fn without_a_model_the_method_is_an_error_and_no_omission() {
        let task = Task { method: weir_plugin::writer::Method::Model, ..reported() };
        assert!(matches!(Letta::consolidate(&task), Err(Error::AccessDenied(_))));
    }

    #[test]
    fn recorded_histories_are_written_within_the_contract() {
        holds_on_recorded::<Letta>();
    }
}
