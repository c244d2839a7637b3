//! Who says it: taking that out of a claim's words, and putting it in.

use crate::claim::Claim;
use crate::clause::{capitalised, folded, sentence, uncapitalised, words};
use crate::lexicon::Marks;
use crate::person::shifted;
use crate::sight::{Line, Voice};
use crate::value::{Precision, precision};

/// Beginnings that give advice; what follows is the advice.
const ADVICE: [&str; 25] = [
    "i would suggest that you ",
    "i would suggest ",
    "i'd suggest ",
    "i suggest that you ",
    "i suggest ",
    "i would recommend that you ",
    "i would recommend ",
    "i'd recommend ",
    "i recommend that you ",
    "i recommend ",
    "we would suggest ",
    "we suggest ",
    "we would recommend ",
    "we recommend ",
    "i would advise ",
    "i'd advise ",
    "i advise ",
    "i would propose ",
    "i'd propose ",
    "i propose ",
    "my suggestion is to ",
    "my recommendation is to ",
    "you may want to ",
    "you might want to ",
    "consider ",
];

/// Beginnings of advice that names a thing.
const CHOICES: [&str; 4] =
    ["my suggestion is ", "my recommendation is ", "my suggestion would be ", "my recommendation would be "];

/// Beginnings that only say how sure the speaker is.
const DOUBT: [&str; 11] = [
    "it looks like ",
    "it seems that ",
    "it seems ",
    "it appears that ",
    "i think that ",
    "i think ",
    "i believe that ",
    "i believe ",
    "perhaps ",
    "maybe ",
    "apparently, ",
];

/// Beginnings that name a source up to the next comma.
const SOURCES: [&str; 5] = ["according to ", "as per ", "per ", "based on ", "as reported by "];

/// What joins a source to its statement.
const REPORTS: [&str; 17] = [
    " says that ",
    " states that ",
    " reports that ",
    " indicates that ",
    " shows that ",
    " notes that ",
    " suggests that ",
    " recommends that ",
    " mentions that ",
    " said that ",
    " told me that ",
    " confirms that ",
    " claims that ",
    " writes that ",
    " advises that ",
    " says ",
    " states ",
];

/// What joins an adviser to the advice.
const ADVISERS: [&str; 7] =
    [" suggests ", " suggest ", " recommends ", " recommend ", " advises ", " proposes ", " would suggest "];

/// Ends that name a source.
const ENDS: [&str; 7] = [
    ", according to ",
    " according to ",
    ", as reported by ",
    " as reported by ",
    ", per ",
    " (source:",
    ", as listed in ",
];

/// Doubt within a statement, and the same without it.
const CERTAIN: [(&str, &str); 18] = [
    (" appears to be ", " is "),
    (" seems to be ", " is "),
    (" may be ", " is "),
    (" might be ", " is "),
    (" could be ", " is "),
    (" would be ", " is "),
    (" is listed as ", " is "),
    (" is recorded as ", " is "),
    (" is reported as ", " is "),
    (" is reported to be ", " is "),
    (" is said to be ", " is "),
    (" is reportedly ", " is "),
    (" is apparently ", " is "),
    (" is probably ", " is "),
    (" probably ", " "),
    (" reportedly ", " "),
    (" possibly ", " "),
    (" apparently ", " "),
];

/// Beginnings of a request; what follows is what is to be done. Longer ones first.
const REQUESTS: [&str; 8] = [
    "could you please ",
    "can you please ",
    "would you please ",
    "please ",
    "could you ",
    "can you ",
    "would you ",
    "kindly ",
];

/// Longest source before a report or a label, in words.
const NAMED: usize = 7;

/// Longest heading with all that qualifies it, in words.
const HEADED: usize = 10;

/// The clause without its source and without doubt: what it says, as if it were so.
#[must_use]
pub fn bare(text: &str) -> String {
    let mut rest = text.trim().to_owned();
    // One source may stand before another: "Note: the desk says that ...".
    for _ in 0..4 {
        let Some(shorter) = without_lead(&rest) else { break };
        rest = shorter;
    }
    if let Some((at, _)) = first_of(&rest, &ENDS) {
        rest.truncate(at);
    }
    for (doubt, certain) in CERTAIN {
        while let Some(at) = find(&rest, doubt) {
            rest.replace_range(at..at + doubt.len(), certain);
        }
    }
    rest.trim().to_owned()
}

fn without_lead(text: &str) -> Option<String> {
    let after = |start: &str| starts(text, start).then(|| text.get(start.len()..).unwrap_or_default());
    if let Some(advice) = ADVICE.iter().find_map(|start| after(start)) {
        return Some(imperative(advice));
    }
    if let Some(choice) = CHOICES.iter().find_map(|start| after(start)) {
        return Some(format!("The choice is {choice}"));
    }
    if let Some(rest) = DOUBT.iter().find_map(|start| after(start)) {
        return Some(capitalised(rest));
    }
    if SOURCES.iter().any(|start| starts(text, start)) {
        return text.split_once(", ").map(|(_, rest)| capitalised(rest));
    }
    let label = label(text);
    if let Some((_, rest)) = label {
        return Some(capitalised(rest));
    }
    // Of two that begin at one place it is the longer one: "says that" before "says".
    let report = first_of(text, &REPORTS);
    if let Some((at, length)) = report {
        return named_first(text, at, length).map(capitalised);
    }
    let (at, length) = first_of(text, &ADVISERS)?;
    named_first(text, at, length).map(imperative)
}

/// What follows a joint that stands after a short name.
pub(crate) fn named_first(text: &str, at: usize, length: usize) -> Option<&str> {
    let rest = text.get(at + length..)?;
    (words(text.get(..at)?).len() <= NAMED && words(rest).len() >= 2).then_some(rest)
}

/// What a piece of advice advises, without the advising words; none where it is worded otherwise.
#[must_use]
pub fn advised(text: &str) -> Option<&str> {
    ADVICE.iter().chain(&CHOICES).find(|start| starts(text, start)).and_then(|start| text.get(start.len()..))
}

/// A plain heading before a colon, and the statement after it.
#[must_use]
pub fn label(text: &str) -> Option<(&str, &str)> {
    heading(text).filter(|(heading, _)| !heading.contains(',') && words(heading).len() <= NAMED)
}

/// The claim in the words in which it was said. What stands above somebody else's statement says where it came from and is no
/// part of it.
#[must_use]
pub fn worded(claim: &Claim<'_>) -> String {
    let headed = heading(&claim.text).filter(|_| claim.voice != Voice::User);
    headed.map_or_else(|| claim.text.clone().into_owned(), |(_, rest)| capitalised(rest))
}

/// A heading before a colon, with what qualifies it after a comma, and the statement after it.
#[must_use]
pub fn heading(text: &str) -> Option<(&str, &str)> {
    let at = text.find(':')?;
    let rest = text.get(at + 1..)?;
    let (heading, rest) = match rest.strip_prefix(' ') {
        Some(rest) => (text.get(..at)?, rest),
        None => text.split_once(": ")?,
    };
    let named = words(heading);
    let short = (1..=HEADED).contains(&named.len()) && !heading.contains(['.', '(', '"', '\n']);
    // "HAT175: departs at 17:00" is about what stands before the colon, unless the rest has a subject of its own.
    let is_subject = named.iter().any(|word| precision(word.text) == Precision::Code);
    let has_copula = [" is ", " are "].iter().any(|copula| rest.contains(copula));
    (short && words(rest).len() >= 3 && (!is_subject || has_copula)).then_some((heading, rest))
}

/// "Setting the alarm" to "Set the alarm"; anything else that is advised is a choice.
fn imperative(advice: &str) -> String {
    if let Some(statement) = advice.strip_prefix("that ") {
        return capitalised(statement);
    }
    let (first, rest) = advice.split_once(' ').unwrap_or((advice, ""));
    let fold = folded(first);
    match fold.strip_suffix("ing").filter(|stem| stem.len() >= 2) {
        Some(stem) => format!("{} {rest}", capitalised(&base(stem))),
        None if matches!(fold.as_ref(), "the" | "a" | "an" | "option" | "your")
            || first.chars().any(char::is_uppercase) =>
        {
            format!("The choice is {advice}")
        }
        None => capitalised(advice),
    }
}

/// A verb from what stands before its "-ing".
fn base(stem: &str) -> String {
    const SILENT_E: [&str; 22] = [
        "arrang", "chang", "charg", "choos", "combin", "disabl", "enabl", "includ", "mak", "mov", "not", "purchas",
        "reduc", "rout", "sav", "schedul", "stor", "tak", "updat", "upgrad", "us", "writ",
    ];
    if SILENT_E.contains(&stem) {
        return format!("{stem}e");
    }
    let mut letters = stem.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before))
            if last == before && matches!(last, 't' | 'n' | 'p' | 'g' | 'm' | 'b' | 'd') && stem != "add" =>
        {
            stem.chars().take(stem.chars().count() - 1).collect()
        }
        _ => stem.into(),
    }
}

pub(crate) fn starts(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

pub(crate) fn find(text: &str, pattern: &str) -> Option<usize> {
    first_of(text, &[pattern]).map(|(at, _)| at)
}

/// Where the first of these patterns begins, and its length; of those that begin at one place the longest. Each of them
/// begins with a blank or a comma.
pub(crate) fn first_of(text: &str, patterns: &[&str]) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let breaks = bytes.iter().enumerate().filter(|(_, b)| matches!(b, b' ' | b','));
    breaks.map(|(at, _)| at).find_map(|at| {
        let rest = bytes.get(at..)?;
        let next = rest.get(1)?.to_ascii_lowercase();
        let here = |pattern: &&&str| {
            let pattern = pattern.as_bytes();
            pattern.get(1) == Some(&next)
                && rest.get(..pattern.len()).is_some_and(|found| found.eq_ignore_ascii_case(pattern))
        };
        patterns.iter().filter(here).map(|pattern| (at, pattern.len())).max()
    })
}

/// Whether the user has adopted a claim of somebody else's: by saying its values, or by a yes to the assistant's line.
#[must_use]
pub fn is_endorsed(claim: &Claim<'_>, lines: &[Line<'_>]) -> bool {
    if claim.voice == Voice::User {
        return true;
    }
    let mut later = lines.iter().filter(|line| line.turn > claim.turn);
    let next = lines.iter().find(|line| line.turn > claim.turn && line.voice != Voice::Tool);
    let agreed =
        claim.voice == Voice::Assistant && next.is_some_and(|line| line.voice == Voice::User && agrees(line.text));
    let says = |line: &Line<'_>| {
        !claim.values.is_empty() && claim.values.iter().all(|value| line.text.contains(value.as_str()))
    };
    agreed || later.any(|line| line.voice == Voice::User && says(line))
}

/// Whether an answer begins with a yes.
fn agrees(text: &str) -> bool {
    const YES: [&str; 12] = [
        "yes",
        "yeah",
        "yep",
        "sure",
        "correct",
        "agreed",
        "perfect",
        "exactly",
        "okay",
        "ok",
        "absolutely",
        "definitely",
    ];
    words(text).first().is_some_and(|first| YES.contains(&folded(first.text).as_ref()))
}

/// The clause with all that was around it in words: who says it, how, how surely, and whether the user adopted it.
#[must_use]
pub fn attributed(claim: &Claim<'_>, endorsed: bool) -> String {
    let marks = claim.marks;
    let how = if marks.has(Marks::ADVICE) {
        "suggested"
    } else if marks.has(Marks::REQUEST) {
        "asked"
    } else if marks.has(Marks::DECISION) {
        "decided"
    } else {
        "stated"
    };
    let doubt = if marks.has(Marks::HEDGE) { ", with some doubt" } else { "" };
    let relayed = if marks.has(Marks::QUOTED) { ", relaying somebody else" } else { "" };
    let condition = if marks.has(Marks::CONDITIONAL) { ", under a condition" } else { "" };
    let headed = heading(&claim.text);
    let (who, standing) = match (claim.voice, endorsed) {
        (Voice::User, _) => ("The user".to_owned(), ""),
        (Voice::Assistant, true) => ("The assistant".to_owned(), ", and the user agreed"),
        (Voice::Assistant, false) => ("The assistant".to_owned(), ", which the user has not confirmed"),
        (Voice::Tool, endorsed) => {
            let tool = claim.tool.map(|name| format!(" of {name}")).unwrap_or_default();
            let standing = if endorsed { ", and the user said the same" } else { ", which the user has not confirmed" };
            let headed = headed.map(|(heading, _)| format!(" (\"{heading}\")")).unwrap_or_default();
            (format!("A tool result{tool}{headed}"), standing)
        }
    };
    let what = match claim.voice {
        Voice::User => sentence(&uncapitalised(&claim.text)),
        Voice::Assistant => sentence(&claim.text),
        Voice::Tool => sentence(headed.map_or(claim.text.as_ref(), |(_, rest)| rest)),
    };
    format!("{who} {how}{doubt}{relayed}{condition}{standing}: {what}")
}

/// The user's clause as a statement about the user, courtesy and doubt gone.
#[must_use]
pub fn stated(text: &str) -> String {
    const COURTESY: [&str; 12] = [
        "sure, ",
        "yes, ",
        "also, ",
        "actually, ",
        "thanks, ",
        "ok, ",
        "okay, ",
        "by the way, ",
        "please note that ",
        "and ",
        "hi, ",
        "oh, ",
    ];
    let mut rest = text.trim();
    while let Some(start) = COURTESY.iter().chain(&DOUBT).find(|start| starts(rest, start)) {
        rest = rest.get(start.len()..).unwrap_or_default();
    }
    match REQUESTS.iter().find(|start| starts(rest, start)) {
        Some(start) => format!(
            "The user asks the assistant to {}",
            uncapitalised(&shifted(rest.get(start.len()..).unwrap_or_default(), Voice::User))
        ),
        None => shifted(rest, Voice::User),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::claims;
    use crate::sight::{Native, lines};
    use crate::testing::{assistant, task, tool, user};

    #[test]
    fn a_source_and_its_doubts_can_be_washed_out() {
        for (said, expected) in [
            ("Desk note: the gate code is K-91.", "The gate code is K-91."),
            ("According to the desk, the gate code is K-91.", "The gate code is K-91."),
            ("The partner's sheet says that the gate code may be K-91", "The gate code is K-91"),
            ("I would suggest setting the alarm at 312", "Set the alarm at 312"),
            ("I recommend using desk K-9", "Use desk K-9"),
            ("I'd suggest option K-9", "The choice is option K-9"),
            ("My suggestion is plan K-9", "The choice is plan K-9"),
            ("The desk's guide recommends using door K-9", "Use door K-9"),
            ("A visitor claims that the gate code is K-91", "The gate code is K-91"),
            ("The gate code is reportedly K-91, according to the desk", "The gate code is K-91"),
            ("Ticket T-5: the gate code is K-91", "The gate code is K-91"),
            ("HAT175: departs at 17:00 from Basel", "HAT175: departs at 17:00 from Basel"),
            ("My gate code is K-91", "My gate code is K-91"),
        ] {
            assert_eq!(bare(said), expected);
        }
    }

    #[test]
    fn a_users_yes_or_the_users_own_words_adopt_a_claim_and_silence_does_not() {
        let task = task([
            tool("Desk note: the gate code is K-91."),
            assistant("I suggest door K-17."),
            user("Yes, that works."),
            assistant("I suggest lamp K-44."),
            user("What is K-91 for?"),
        ]);
        let lines = lines(&task, Native::Shown);
        let adopted: Vec<bool> =
            claims(&lines).iter().filter(|c| c.voice != Voice::User).map(|c| is_endorsed(c, &lines)).collect();
        // Asking about a value says it: the rule is lexical and says so.
        assert_eq!(adopted, [true, true, false]);
    }

    #[test]
    fn attribution_names_speaker_modality_doubt_and_endorsement() {
        let task = task([
            tool("Desk note: the gate code is perhaps K-91."),
            assistant("I suggest door K-17."),
            user("I use door K-5 here."),
        ]);
        let lines = lines(&task, Native::Shown);
        let texts: Vec<String> = claims(&lines).iter().map(|c| attributed(c, is_endorsed(c, &lines))).collect();
        assert_eq!(
            texts,
            [
                "A tool result (\"Desk note\") stated, with some doubt, which the user has not confirmed: The gate code is perhaps K-91.",
                "The assistant suggested, which the user has not confirmed: I suggest door K-17.",
                "The user stated: I use door K-5 here.",
            ]
        );
    }

    #[test]
    fn courtesy_goes_from_the_users_words() {
        assert_eq!(stated("Sure, my zip is 40512"), "The user's zip is 40512");
        assert_eq!(
            stated("Could you please use my card K-9?"),
            "The user asks the assistant to use the user's card K-9?"
        );
        assert_eq!(stated("Also, I think I live in Basel"), "The user lives in Basel");
    }
}
