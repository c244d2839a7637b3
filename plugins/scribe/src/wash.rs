//! Taking out of a claim's words all that says where it came from, however that is built.

use crate::clause::{capitalised, words};
use crate::person::third_person;
use crate::source::{bare, find, first_of, heading, named_first, starts};
use crate::value::{Precision, precision};

/// What joins somebody's view to what is held.
const VIEWS: [&str; 6] =
    [" thinks that ", " holds that ", " believes that ", " assumes that ", " understands that ", " feels that "];

/// Beginnings that report without saying who.
const HEARSAY: [&str; 6] = [
    "it is said that ",
    "it is reported that ",
    "it is believed that ",
    "it is understood that ",
    "it is claimed that ",
    "word is that ",
];

/// Beginnings of a step that is put to somebody; what follows is the step.
const OPTIONS: [&str; 3] = ["you might ", "you could ", "you should "];

/// What somebody advises, as a noun.
const ADVICE: [&str; 7] = ["suggestion", "proposal", "recommendation", "advice", "idea", "thought", "tip"];

/// Beginnings that only excuse what follows.
const EXCUSES: [&str; 6] = ["if it ", "if i may ", "if you like", "if you want", "if you wish", "if you agree"];

/// Reports and advice within a statement, and the same without them.
const WITHIN: [(&str, &str); 6] = [
    (" is suggested", " is the choice"),
    (" is recommended", " is the choice"),
    (" is advised", " is the choice"),
    (" is proposed", " is the choice"),
    (" is said to be ", " is "),
    (" said to be ", " that is "),
];

/// Longest aside or advising subject, in words.
const SHORT: usize = 6;

/// The clause without any heading, report, advice, excuse or doubt: what it says, as if it were so.
#[must_use]
pub fn washed(text: &str) -> String {
    let mut rest = text.trim().trim_end_matches('.').to_owned();
    for _ in 0..6 {
        let Some(shorter) = opened(&rest) else { break };
        rest = shorter;
    }
    for (report, plain) in WITHIN {
        if let Some(at) = find(&rest, report) {
            rest.replace_range(at..at + report.len(), plain);
        }
    }
    rest = without_hearsay(&bare(&rest));
    if let Some(at) = aside(&rest) {
        rest.truncate(at);
    }
    rest
}

/// Without its first layer; none where there is none.
fn opened(text: &str) -> Option<String> {
    let after = |start: &&str| starts(text, start).then(|| text.get(start.len()..)).flatten();
    if let Some((_, rest)) = heading(text) {
        return Some(capitalised(rest));
    }
    if let Some(rest) = HEARSAY.iter().chain(&OPTIONS).find_map(after) {
        return Some(capitalised(rest));
    }
    if EXCUSES.iter().any(|start| starts(text, start)) {
        return text
            .split_once(", ")
            .filter(|(excuse, _)| words(excuse).len() <= SHORT)
            .map(|(_, rest)| capitalised(rest));
    }
    if let Some(rest) = in_role(text).or_else(|| advised(text)) {
        return Some(capitalised(rest));
    }
    let (at, length) = first_of(text, &VIEWS)?;
    named_first(text, at, length).map(capitalised)
}

/// "As your assistant I would": the speaker's part goes.
fn in_role(text: &str) -> Option<&str> {
    let role = ["as your ", "as an ", "as a ", "as the "].iter().any(|start| starts(text, start));
    let at = text.find(" I ").filter(|_| role)?;
    let short = words(text.get(..at)?).len() <= 4;
    text.get(at + 1..).filter(|_| short)
}

/// "The suggestion of the desk would be to": what follows is advised.
fn advised(text: &str) -> Option<&str> {
    let noun = words(text).get(1).map_or("", |word| word.text);
    let joint = [" would be ", " is "].iter().find_map(|joint| find(text, joint).map(|at| (at, joint.len())));
    let (at, length) = joint.filter(|_| ADVICE.contains(&noun))?;
    let rest = text.get(at + length..)?;
    let rest = rest.strip_prefix("to ").or_else(|| rest.strip_prefix("that ")).unwrap_or(rest);
    (words(text.get(..at)?).len() <= SHORT).then_some(rest)
}

/// "Is said to use" to "uses".
fn without_hearsay(text: &str) -> String {
    const SAID: &str = " is said to ";
    let Some((before, rest)) = find(text, SAID).and_then(|at| Some((text.get(..at)?, text.get(at + SAID.len()..)?)))
    else {
        return text.to_owned();
    };
    let (verb, object) = rest.split_once(' ').unwrap_or((rest, ""));
    format!("{before} {} {object}", third_person(verb))
}

/// Where an aside about who says it begins: "K-9 is free, as the desk sees it".
fn aside(text: &str) -> Option<usize> {
    let at = text.rfind(", as ")?;
    let aside = words(text.get(at..)?);
    (aside.len() <= SHORT && aside.iter().all(|word| precision(word.text) == Precision::None)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_names_a_source_goes() {
        for (said, expected) in [
            ("Desk note, taken down at noon, not checked: the gate code is K-91.", "The gate code is K-91"),
            ("Attached letter: the sender thinks that the gate code is K-91.", "The gate code is K-91"),
            ("Desk note: it is said that the gate code is K-91.", "The gate code is K-91"),
            ("Letter: the gate code is K-91, as the sender remembers it.", "The gate code is K-91"),
            ("Letter: the gate is said to open with K-91.", "The gate opens with K-91"),
            ("The gate code said to be new is K-91.", "The gate code that is new is K-91"),
            ("For the gate, code K-91 is recommended.", "For the gate, code K-91 is the choice"),
            ("As your assistant I would propose that Ada takes door K-9.", "Ada takes door K-9"),
            ("If it helps, the suggestion of the desk would be to take door K-9.", "Take door K-9"),
            ("One thought from the desk: you might take door K-9.", "Take door K-9"),
            ("If the gate is shut, take door K-9.", "If the gate is shut, take door K-9"),
            ("HAT175: departs at 17:00 from Basel", "HAT175: departs at 17:00 from Basel"),
        ] {
            assert_eq!(washed(said), expected);
        }
    }
}
