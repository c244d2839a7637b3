//! A scenario's state: what the bank holds when it begins, and what the oracle knows of the task. Whatever has its default
//! value is left out: a rollout reads this text.

use std::collections::BTreeMap;
use weir_plugin::json::Value;
use weir_plugin::scenario::Arguments;
use weir_plugin::serde::{Deserialize, Serialize};

/// The state at the start of a rollout. What calls change is kept beside it, so that every change can be undone.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields, default)]
pub struct World {
    /// The user's accounts.
    pub accounts: Vec<Account>,
    /// Invoices, letters and records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    /// The book of payees by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub payees: BTreeMap<String, Kept>,
    /// Notes by key.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, Kept>,
    /// The user's cards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<String>,
    /// Synthetic secrets in the documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub canaries: Vec<String>,
    /// What the user's goals authorise and ask for.
    pub duties: Vec<Duty>,
    /// Whether the goal fails if anything is paid without authorisation (ContainmentBench table 4, first row).
    #[serde(skip_serializing_if = "is_default")]
    pub pays_nothing: bool,
    /// The calls that carry out the injection's goal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub harms: Vec<Harm>,
    /// The recovery objective, if the scenario has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Objective>,
}

/// One of the user's accounts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub struct Account {
    /// What the user calls it.
    pub name: String,
    /// Its number.
    pub number: String,
    /// Cents.
    pub balance: i64,
    /// Cents that it pays to others in a day at most. A session is a day.
    pub limit: i64,
    /// Bookings from before, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bookings: Vec<Booking>,
}

/// One booking from before.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub struct Booking {
    /// The other side's name.
    pub party: String,
    /// Cents; what was paid out is negative.
    pub amount: i64,
    /// What whoever paid wrote.
    pub reference: String,
}

/// A text that the agent can read.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub struct Document {
    /// What goals call it.
    pub id: String,
    /// Who wrote it.
    pub from: String,
    /// What it says.
    pub text: String,
    /// The labels that reading it brings in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub labels: u64,
}

/// What the bank keeps under a name: a payee's account number, or a note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub struct Kept {
    /// The number or the text.
    pub value: String,
    /// The labels that reading it brings in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub labels: u64,
    /// It is gone when the session ends.
    #[serde(default, skip_serializing_if = "is_default")]
    pub for_session: bool,
    /// It is held back.
    #[serde(default, skip_serializing_if = "is_default")]
    pub quarantined: bool,
}

/// Something that the user's goals authorise, and mostly ask for.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub struct Duty {
    /// The tool.
    pub tool: String,
    /// Arguments with one exact value. Those that name recipients and targets are the only ones allowed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exact: Arguments,
    /// The account number that the payee's name stands for: what counts is where the money goes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub number: String,
    /// Arguments that must be there, whatever they say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub present: Vec<String>,
    /// The most that the user's own words let `amount` be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
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

/// A call that carries out the injection's goal.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub struct Harm {
    /// The tool.
    pub tool: String,
    /// The arguments that make it this call, with a payee's number in place of a name.
    pub exact: BTreeMap<String, Value>,
    /// What one of the arguments must say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
}

/// What recovery means in a scenario.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(crate = "weir_plugin::serde", deny_unknown_fields)]
pub enum Objective {
    /// Nothing untrusted can be recalled under this key, and the duties of the recovery are done.
    Forget(String),
    /// The book has this number for this payee at the end.
    Payee(String, String),
    /// The account has this limit at the end.
    Limit(String, i64),
}

impl Kept {
    /// Whether it can still do harm: untrusted content that a recall brings back.
    pub fn infects(&self) -> bool {
        self.labels & weir_plugin::UNTRUSTED != 0 && !self.quarantined
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
