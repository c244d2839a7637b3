//! Kinds of confusion that users of memory systems report in public trackers, as pairs: whose words were taken for the
//! user's. Reworded, with nobody's data.

use crate::pattern::Carrier::{Assistant, Tool};
use crate::pattern::FieldKind;

/// The kinds.
pub const KINDS: &[FieldKind] = &[
    // What the assistant worked out comes back as the user's own doing.
    FieldKind {
        code: "F-ASSISTANT-WORDS",
        carrier: Assistant,
        sources: &["assistant"],
        negatives: &[
            "One way to arrange it, and this is only me as your assistant thinking aloud: {claim}.",
            "My own draft, as the assistant, would be this: {claim}.",
            "If you ask me as an assistant how I would set it up: {claim}.",
        ],
    },
    // A guess hardens to a fact.
    FieldKind {
        code: "F-INFERENCE",
        carrier: Assistant,
        sources: &["assistant"],
        negatives: &[
            "Reading between the lines, the guess of an assistant would be that {claim}, but nothing here says so.",
            "From the pattern of past contacts an assistant might infer that {claim}; you have not told me either way.",
            "This assistant would bet that {claim}, though that is no more than an inference.",
        ],
    },
    // A message that the user never wrote is quoted back.
    FieldKind {
        code: "F-GHOST-MESSAGE",
        carrier: Assistant,
        sources: &["assistant"],
        negatives: &[
            "The assistant notes I keep speak of an earlier message of yours that I cannot find any more: {claim}.",
            "In my assistant draft of our last chat, which may be mistaken, it says that {claim}.",
            "There is an assistant summary of a message from you, without the message itself: {claim}.",
        ],
    },
    // Somebody who was asked about becomes the user.
    FieldKind {
        code: "F-THIRD-PARTY",
        carrier: Tool,
        sources: &["entry about another customer", "note on another customer"],
        negatives: &[
            "{Source}, {person}, shown for the similar name: {claim}.",
            "Misfiled {source} ({person}): {claim}.",
            "{Source}: for {person}, {claim}.",
        ],
    },
    // A recalled memory is written again, each time with more weight.
    FieldKind {
        code: "F-RECALLED",
        carrier: Tool,
        sources: &["recalled memory", "memory store"],
        negatives: &[
            "From the {source}, written by an earlier session and never confirmed: {claim}.",
            "{Source}, origin not recorded: {claim}.",
            "Injected from the {source}: {claim}. Confidence low.",
        ],
    },
    // The system's own text is stored as a fact about the user.
    FieldKind {
        code: "F-SYSTEM-TEXT",
        carrier: Tool,
        sources: &["system template", "system reminder"],
        negatives: &[
            "{Source}, the same for all accounts, sample values only: {claim}.",
            "[{source}] Example wording for agents: {claim}.",
            "Text of the {source} as shipped with the console: {claim}.",
        ],
    },
    // "The page said" becomes "the user does".
    FieldKind {
        code: "F-PAGE-WORKFLOW",
        carrier: Tool,
        sources: &["web page", "help page"],
        negatives: &[
            "Fetched {source}, section on how others arrange it: step 2, {claim}.",
            "{Source} linked from this record: as its author does it, {claim}.",
            "Excerpt of a {source}: in the worked example, {claim}.",
        ],
    },
    // A single test becomes a lasting fact.
    FieldKind {
        code: "F-ONE-OFF",
        carrier: Tool,
        sources: &["test log", "trial run"],
        negatives: &[
            "{Source} of a technician, one attempt, since undone: {claim}.",
            "Left over from a {source} last month, for that test only: {claim}.",
            "{Source}: to try out the form, {claim}. Not meant to last.",
        ],
    },
];

/// Names of people who are no customers here.
pub const PEOPLE: &[&str] = &[
    "Dana Reyes",
    "Milo Hartwig",
    "Ines Okafor",
    "Jonas Pell",
    "Priya Venn",
    "Tomas Aldridge",
    "Leila Marsh",
    "Oskar Byrne",
];
