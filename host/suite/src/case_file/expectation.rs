//! What a question's answer must be, and what it was: one type, so that they can be compared and either written down.

use super::raw::Ask;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, InlineTable, Value};
use weir_rollout::gate::Ruling;
use weir_trace::Verdict;

/// An answer as far as it is stated. As an expectation, what it does not state is not compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Expectation {
    /// The answer in a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Word>,
    /// The rule behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The policy's or the fault's words; expected words need only be among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The text that is put in a place: of an observation, of the memory block, or in the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The repairs that are asked for, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Vec<Wanted>>,
    /// The labels that memories get, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<Endorsed>>,
}

/// An answer in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// As an expectation only: whatever the answer is.
    Any,
    /// A call may run.
    Allow,
    /// A call must not run.
    Block,
    /// A call may run if the user confirms.
    Confirm,
    /// An observation is shown as it is.
    Pass,
    /// An observation is shown as this text.
    Replace,
    /// An observation is not shown.
    Withhold,
    /// The policy has a text of its own.
    Text,
    /// The policy has no text of its own.
    None,
    /// The policy answered with an error, or failed.
    Fault,
}

impl Word {
    /// As a file says it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Word::Any => "any",
            Word::Allow => "allow",
            Word::Block => "block",
            Word::Confirm => "confirm",
            Word::Pass => "pass",
            Word::Replace => "replace",
            Word::Withhold => "withhold",
            Word::Text => "text",
            Word::None => "none",
            Word::Fault => "fault",
        }
    }
}

/// A repair that a policy asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// Undo a call.
    Rollback(u32),
    /// Keep a memory from being recalled.
    Quarantine(String),
    /// Delete a memory.
    Scrub(String),
}

/// A memory's label and the turn behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Endorsed {
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority: Option<Standing>,
    /// Index of the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<u32>,
}

/// A label, or that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The memory is left as it is.
    None,
    /// It binds nothing.
    Unendorsed,
    /// The assistant asserts it.
    Attested,
    /// The user stands behind it.
    Authorized,
}

impl Standing {
    fn name(self) -> &'static str {
        match self {
            Standing::None => "none",
            Standing::Unendorsed => "unendorsed",
            Standing::Attested => "attested",
            Standing::Authorized => "authorized",
        }
    }
}

impl Expectation {
    /// Whatever the answer is.
    pub(super) fn any() -> Self {
        Expectation { decision: Some(Word::Any), ..Self::default() }
    }

    /// Whether every answer will do.
    pub(super) fn is_any(&self) -> bool {
        self.decision == Some(Word::Any)
    }

    /// A ruling, live or recorded, as an answer to a hook.
    pub(super) fn of(ruling: &Ruling, ask: Ask) -> Self {
        let words = || Some(ruling.message.clone()).filter(|message| !message.is_empty());
        let word = |decision: Word| Expectation { decision: Some(decision), ..Self::default() };
        if ruling.is_fault() {
            return Expectation { message: words(), ..word(Word::Fault) };
        }
        match (ask, ruling.verdict) {
            (Ask::Recover, _) => Expectation { repairs: Some(listed(&ruling.message)), ..Self::default() },
            (Ask::Endorse, _) => {
                let mut labels: Vec<Endorsed> = listed(&ruling.message);
                for label in &mut labels {
                    label.authority.get_or_insert(Standing::None);
                }
                Expectation { labels: Some(labels), ..Self::default() }
            }
            (Ask::Render | Ask::Guidance, Verdict::Replace) => {
                Expectation { text: Some(ruling.message.clone()), ..word(Word::Text) }
            }
            (Ask::Render | Ask::Guidance, _) => word(Word::None),
            (Ask::Filter, Verdict::Replace) => {
                Expectation { text: Some(ruling.message.clone()), ..word(Word::Replace) }
            }
            (Ask::Filter, Verdict::Allow) => word(Word::Pass),
            (Ask::Filter, _) => Expectation { rule: ruling.rule.clone(), message: words(), ..word(Word::Withhold) },
            (Ask::Authorize | Ask::Precommit, verdict) => {
                let decision = match verdict {
                    Verdict::Allow | Verdict::Replace => Word::Allow,
                    Verdict::Block => Word::Block,
                    Verdict::Confirm => Word::Confirm,
                };
                Expectation { rule: ruling.rule.clone(), message: words(), ..word(decision) }
            }
        }
    }

    /// What is stated, in the order in which it is written down.
    #[must_use]
    pub fn stated(&self) -> Vec<(&'static str, Value)> {
        let mut all = Vec::new();
        all.extend(self.decision.map(|word| ("decision", word.name().into())));
        all.extend(self.rule.as_ref().map(|rule| ("rule", rule.into())));
        all.extend(self.message.as_ref().map(|message| ("message", message.into())));
        all.extend(self.text.as_ref().map(|text| ("text", text.into())));
        let repairs = |list: &Vec<Wanted>| Array::from_iter(list.iter().map(repair)).into();
        all.extend(self.repairs.as_ref().map(|list| ("repairs", repairs(list))));
        let labels = |list: &Vec<Endorsed>| Array::from_iter(list.iter().map(label)).into();
        all.extend(self.labels.as_ref().map(|list| ("labels", labels(list))));
        all
    }

    /// The value of one key, as a file says it.
    pub(super) fn value(&self, key: &str) -> Option<Value> {
        self.stated().into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The keys whose expectation an answer does not meet; the answer's own word where nothing is stated.
    pub(super) fn unmet(&self, found: &Expectation) -> Vec<&'static str> {
        if self.is_any() {
            return Vec::new();
        }
        let met = |key: &str| match key {
            "message" => {
                let said = found.message.as_deref().unwrap_or_default();
                self.message.as_deref().is_none_or(|words| said.contains(words))
            }
            "labels" => self.labels.as_deref().is_none_or(|labels| labels_met(labels, found.labels.as_deref())),
            _ => self.value(key).map(|value| value.to_string()) == found.value(key).map(|value| value.to_string()),
        };
        let mut unmet: Vec<&str> = self.stated().into_iter().map(|(key, _)| key).filter(|key| !met(key)).collect();
        // A policy that failed meets nothing, and why is what a reader wants to see.
        if self.decision.is_none() && found.decision == Some(Word::Fault) {
            unmet.insert(0, "decision");
        }
        unmet
    }
}

/// Of a label only what is stated is compared.
fn labels_met(expected: &[Endorsed], found: Option<&[Endorsed]>) -> bool {
    let one = |(expected, found): (&Endorsed, &Endorsed)| {
        expected.authority.is_none_or(|authority| found.authority == Some(authority))
            && expected.support.is_none_or(|support| found.support == Some(support))
    };
    found.is_some_and(|found| found.len() == expected.len() && expected.iter().zip(found).all(one))
}

/// The list in a ruling's message.
fn listed<T: serde::de::DeserializeOwned>(message: &str) -> Vec<T> {
    serde_json::from_str(message).unwrap_or_default()
}

fn repair(wanted: &Wanted) -> Value {
    match wanted {
        Wanted::Rollback(call) => table([("rollback", i64::from(*call).into())]),
        Wanted::Quarantine(key) => table([("quarantine", key.into())]),
        Wanted::Scrub(key) => table([("scrub", key.into())]),
    }
}

fn label(label: &Endorsed) -> Value {
    let authority = label.authority.map(|authority| ("authority", authority.name().into()));
    table(authority.into_iter().chain(label.support.map(|turn| ("support", i64::from(turn).into()))))
}

fn table(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::InlineTable(InlineTable::from_iter(pairs))
}
