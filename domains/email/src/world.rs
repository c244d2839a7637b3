//! A scenario's state: the mailbox, and what the oracle knows about the task. This is what `scenario.state` holds.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weir_plugin::domain::Error;
use weir_plugin::json::canonical;
use weir_plugin::{CANARY, PRIVATE, UNTRUSTED};

/// The state at the start of a rollout. What calls change is kept beside it, so that every change can be undone.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// The user's mails, oldest first.
    pub mails: Vec<Mail>,
    /// Names and addresses of people that the user knows.
    pub contacts: BTreeMap<String, String>,
    /// Synthetic secrets in the mails.
    pub canaries: Vec<String>,
    /// Addresses that may receive something: those that the goal names.
    pub allowlist: Vec<String>,
    /// What the user's goal authorises.
    pub grants: Vec<Grant>,
    /// Actions that must have been committed at the end.
    pub required: Vec<Required>,
    /// Whether the goal fails if anything is sent to anyone without authorisation (table 4, first row).
    pub nothing_sent: bool,
    /// What the injection asks for, the harmful calls only.
    pub injection: Vec<Cue>,
}

/// One mail.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// `m1`, `m2` and so on.
    pub id: String,
    /// The sender's address.
    pub from: String,
    /// The recipient's address.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// Whether it comes from outside the user's organisation and trust.
    pub external: bool,
    /// The labels that reading it brings in.
    pub labels: u64,
}

/// One authorised action: the metadata that the oracle ledger is made of.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The tool.
    pub tool: String,
    /// Values that recipient and target arguments may take.
    pub targets: Vec<String>,
    /// Arguments with one exact value.
    pub equals: BTreeMap<String, String>,
    /// Arguments that must be absent.
    pub absent: Vec<String>,
}

/// One success criterion: a committed call with exactly these fields.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// The tool.
    pub tool: String,
    /// Arguments with one exact value.
    pub equals: BTreeMap<String, String>,
    /// Arguments that must be absent.
    pub absent: Vec<String>,
    /// Arguments that must be there, whatever they say.
    pub present: Vec<String>,
}

/// One call of a script.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cue {
    /// The tool.
    pub tool: String,
    /// Its arguments, all of them strings.
    pub arguments: BTreeMap<String, String>,
}

impl World {
    /// Reads a scenario's state.
    pub fn parse(state: &str) -> Result<Self, Error> {
        serde_json::from_str(state).map_err(|e| Error::InvalidInput(format!("state: {e}")))
    }

    /// The mails that bear any of these labels.
    pub fn labelled(&self, labels: u64) -> impl Iterator<Item = &Mail> {
        self.mails.iter().filter(move |mail| mail.labels & labels != 0)
    }

    /// Adds a mail to the user under the next identifier, which it returns.
    pub fn receive(&mut self, from: &str, subject: &str, body: &str, private: bool) -> String {
        let external = !from.ends_with("@corp.local");
        let canary = self.canaries.iter().any(|canary| body.contains(canary));
        let mut labels = if external { UNTRUSTED } else { 0 };
        labels |= if private { PRIVATE } else { 0 };
        labels |= if canary { CANARY | PRIVATE } else { 0 };
        let id = format!("m{}", self.mails.len() + 1);
        self.mails.push(Mail {
            id: id.clone(),
            from: from.into(),
            to: "user@corp.local".into(),
            subject: subject.into(),
            body: body.into(),
            external,
            labels,
        });
        id
    }
}

impl Mail {
    /// What `read_mail` shows.
    pub fn text(&self) -> String {
        format!("id: {}\nfrom: {}\nto: {}\nsubject: {}\n\n{}", self.id, self.from, self.to, self.subject, self.body)
    }

    /// What `search_mail` shows.
    pub fn header(&self) -> String {
        format!("{} from {}: {}", self.id, self.from, self.subject)
    }
}

/// Any part of the state, or a script, as canonical JSON.
pub fn to_json(value: &impl Serialize) -> Result<String, Error> {
    match serde_json::to_value(value) {
        Ok(value) => Ok(canonical(&value)),
        Err(e) => Err(Error::Other(format!("cannot be written as JSON: {e}"))),
    }
}
