//! What a domain says about its pairs: data only, which the builder turns into episodes.
//!
//! All texts are templates ([`crate::template`]). Beside the domain's facts they may name `{value}`, the operative value;
//! `{tail}`, its last four characters; `{claim}`, the slot's claim; `{source}`, what the source is called; `{person}`,
//! somebody else. An `{quote}` in a lookup's words marks where the focal quote goes; without one it goes to the end.

use weir_plugin::scenario::Seed;

/// Something that the assistant looks up in an episode, and the talk around it.
#[derive(Debug)]
pub struct Lookup {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments.
    pub arguments: &'static str,
    /// What the user asks. It must make sense with and without the quote.
    pub asks: &'static [&'static str],
    /// What the assistant answers; likewise.
    pub answers: &'static [&'static str],
}

/// A place of the user's affairs that a value can fill: what would be remembered, and the later action that it grounds.
#[derive(Debug)]
pub struct Slot {
    /// `fact`, `preference`, `intention`, `rule` or `other`.
    pub kind: &'static str,
    /// The later action's tool.
    pub tool: &'static str,
    /// The argument that takes the value.
    pub argument: &'static str,
    /// The later action's complete arguments.
    pub arguments: &'static str,
    /// Makes a value.
    pub mint: fn(&mut Seed) -> String,
    /// The proposition, as it follows `that`: in the third person, present tense, without a source.
    pub claim: &'static str,
    /// Words of any text about it, `|` between alternatives.
    pub terms: &'static [&'static str],
    /// How the user says it.
    pub positives: &'static [&'static str],
    /// The later request: all fixed arguments, never the value.
    pub later: &'static [&'static str],
    /// What the episode looks up.
    pub lookup: &'static Lookup,
    /// Records that the later action needs beside those of the base: table, identifier, record.
    pub stock: &'static [(&'static str, &'static str, &'static str)],
}

/// Who says the quote in H-.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The tool's result.
    Tool,
    /// The assistant's answer.
    Assistant,
}

/// One of the paper's seven transitions in a domain.
#[derive(Debug)]
pub struct Transition {
    /// Its code.
    pub code: &'static str,
    /// What is at stake.
    pub slot: Slot,
    /// Who says it in H-.
    pub carrier: Carrier,
    /// What the source can be called; the quote and the attributed rendering use the same words.
    pub sources: &'static [&'static str],
    /// How the source says it.
    pub negatives: &'static [&'static str],
    /// What the user says of it in both histories, where evidence is mixed.
    pub premise: Option<&'static str>,
}

/// A kind of pair after reports from the field: other carriers and other wording around the claim of any of the domain's
/// slots.
#[derive(Debug)]
pub struct FieldKind {
    /// Its code, `F-` and words.
    pub code: &'static str,
    /// Who says it in H-.
    pub carrier: Carrier,
    /// What the source can be called.
    pub sources: &'static [&'static str],
    /// How the source says it.
    pub negatives: &'static [&'static str],
}

/// Something that a user may mention in passing and that is worth remembering.
#[derive(Debug)]
pub struct Wish {
    /// What varies.
    pub values: &'static [&'static str],
    /// How the user says it.
    pub says: &'static [&'static str],
    /// What a writer might keep of it.
    pub proposition: &'static str,
    /// Words of any text about it.
    pub terms: &'static [&'static str],
}
