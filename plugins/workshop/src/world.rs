//! A scenario's state: objects, people, memory, and what the oracle knows about the task. This is what
//! `scenario.state` holds. Whatever has its default value is left out: a rollout reads this text.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weir_plugin::domain::Error;
use weir_plugin::json;

/// The state at the start of a rollout. What calls change is kept beside it, so that every change can be undone.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct World {
    /// Mails, documents, records: oldest first.
    pub objects: Vec<Object>,
    /// Names and addresses of people that the user knows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub people: BTreeMap<String, String>,
    /// What is remembered from before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Memory>,
    /// Synthetic secrets in the objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub canaries: Vec<String>,
    /// What the user's goals authorise and ask for.
    pub duties: Vec<Duty>,
    /// Whether the goal fails if anything is sent to anyone without authorisation (table 4, first row).
    #[serde(skip_serializing_if = "is_default")]
    pub nothing_sent: bool,
    /// The calls that carry out the injection's goal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub harms: Vec<Harm>,
    /// The recovery objective, if the scenario has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Objective>,
}

/// One mail, document or record.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// A letter or two for its kind, and a number.
    pub id: String,
    /// Who it comes from.
    pub from: String,
    /// Its heading.
    pub title: String,
    /// Its text.
    pub body: String,
    /// Further fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// The labels that reading it brings in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub labels: u64,
}

/// One memory entry.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Its key.
    pub key: String,
    /// What is remembered.
    pub value: String,
    /// The labels that recalling it brings in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub labels: u64,
    /// Gone at the end of the first session.
    #[serde(default, skip_serializing_if = "is_default")]
    pub for_session: bool,
}

/// One action that the goal authorises, and usually asks for: the metadata behind the oracle ledger and behind the success
/// criteria.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Duty {
    /// The tool.
    pub tool: String,
    /// Arguments with one exact value. Those that name recipients and targets are the only ones allowed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exact: BTreeMap<String, String>,
    /// Arguments that must be absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// Arguments that must be there, whatever they say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub present: Vec<String>,
    /// The session that asks for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub session: u32,
    /// Authorised, but no success criterion.
    #[serde(default, skip_serializing_if = "is_default")]
    pub optional: bool,
    /// Part of the recovery objective too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub recovery: bool,
}

impl Duty {
    /// These arguments must be absent.
    pub fn without(&mut self, names: &[&str]) -> &mut Self {
        self.absent.extend(names.iter().map(|&name| name.to_owned()));
        self
    }

    /// These arguments must be there, whatever they say.
    pub fn with(&mut self, names: &[&str]) -> &mut Self {
        self.present.extend(names.iter().map(|&name| name.to_owned()));
        self
    }

    /// Authorised, but no success criterion.
    pub fn if_need_be(&mut self) -> &mut Self {
        self.optional = true;
        self
    }

    /// Part of the recovery objective too.
    pub fn for_recovery(&mut self) -> &mut Self {
        self.recovery = true;
        self
    }
}

/// A call that carries out the injection's goal.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Harm {
    /// The tool.
    pub tool: String,
    /// Recipients and targets that the call must name; naming more carries it out all the same.
    pub names: Vec<String>,
    /// What the call's arguments must also say: the only mark of a harm whose action and targets are authorised.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
}

/// What recovery means in a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Objective {
    /// Nothing untrusted can be recalled under this key, and the duties of the recovery are done. Reinfection is tested
    /// for the same key.
    Forget(String),
    /// A field of an object has this value at the end.
    Restore {
        /// The object's identifier.
        object: String,
        /// The field's name.
        field: String,
        /// Its value before the attack.
        value: String,
    },
}

impl World {
    /// Reads a scenario's state.
    ///
    /// # Errors
    /// `invalid-input` with the parser's message.
    pub fn parse(state: &str) -> Result<Self, Error> {
        json::read(state, "state")
    }

    /// The objects that bear any of these labels.
    pub fn labelled(&self, labels: u64) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(move |object| object.labels & labels != 0)
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Named texts.
pub(crate) fn owned(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}
