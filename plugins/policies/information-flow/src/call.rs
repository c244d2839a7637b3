//! A proposed call with the integrity of each of its arguments.

use std::cell::OnceCell;
use weir_plugin::memory::{Remembered, needs_source};
use weir_plugin::policy::{Argument, Error, Proposal, Role};
use weir_plugin::{Ledger, Requests, json};

/// Where a value comes from, from the most to the least trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// The user says it, or a memory that they stand behind.
    User,
    /// Something that the agent has read, and nothing untrusted.
    Trusted,
    /// It is found nowhere: the agent made it of what it has read, nothing untrusted.
    Untraced,
    /// Only a memory that the user does not stand behind says it.
    Unendorsed,
    /// Untrusted content has it, or the agent made it after reading some.
    Untrusted,
}

impl Origin {
    /// Whether it must not decide what a call is about.
    pub(crate) fn is_low(self) -> bool {
        self >= Origin::Unendorsed
    }
}

/// A call, with what its arguments are judged by.
pub(crate) struct Call<'a> {
    pub(crate) proposal: &'a Proposal,
    pub(crate) arguments: Vec<Value<'a>>,
    ledger: &'a Ledger,
    requests: &'a Requests,
    memory: &'a Remembered,
}

/// One argument.
pub(crate) struct Value<'a> {
    pub(crate) argument: &'a Argument,
    pub(crate) role: Role,
    /// Its scalar values.
    pub(crate) leaves: Vec<String>,
    /// Where the least trusted of them comes from, once somebody wants to know.
    origin: OnceCell<Origin>,
}

impl<'a> Call<'a> {
    /// # Errors
    /// `invalid-input` where an argument is not JSON.
    pub(crate) fn new(
        proposal: &'a Proposal,
        ledger: &'a Ledger,
        requests: &'a Requests,
        memory: &'a Remembered,
    ) -> Result<Self, Error> {
        let value = |argument: &'a Argument| {
            let leaves = json::leaves(&argument.value)
                .map_err(|e| Error::InvalidInput(format!("argument {} is not JSON: {e}", argument.parameter)))?;
            Ok(Value { argument, role: ledger.tools().role(proposal, argument), leaves, origin: OnceCell::new() })
        };
        let arguments = proposal.arguments.iter().map(value).collect::<Result<_, Error>>()?;
        Ok(Call { proposal, arguments, ledger, requests, memory })
    }

    /// Where an argument's least trusted value comes from.
    fn origin(&self, value: &Value<'_>) -> Origin {
        let of = |leaf: &String| {
            let said = |value: &str| self.requests.say(value, self.proposal.event);
            if !needs_source(leaf) || said(leaf) || self.memory.authorizes(leaf) {
                Origin::User
            } else if self.memory.is_below(leaf, value.role == Role::Content, said) {
                Origin::Unendorsed
            } else if self.ledger.tools().is_taint(value.argument.labels) {
                Origin::Untrusted
            } else if value.argument.sources.is_empty() {
                Origin::Untraced
            } else {
                Origin::Trusted
            }
        };
        *value.origin.get_or_init(|| value.leaves.iter().map(of).max().unwrap_or(Origin::User))
    }

    /// The first argument of which a test holds.
    pub(crate) fn first(&self, test: impl Fn(Role, Origin) -> bool) -> Option<u32> {
        let found = self.arguments.iter().find(|value| test(value.role, self.origin(value)));
        found.map(|value| value.argument.parameter)
    }

    /// The arguments that are not trusted enough for what the call is about.
    pub(crate) fn low(&self) -> impl Iterator<Item = &Value<'a>> {
        self.arguments.iter().filter(|value| value.is_protected() && self.origin(value).is_low())
    }

    /// The name of an argument, by its parameter.
    pub(crate) fn name(&self, parameter: u32) -> &'a str {
        let found = self.proposal.arguments.iter().find(|argument| argument.parameter == parameter);
        found.map_or("unknown", |argument| self.ledger.tools().name(self.proposal, argument))
    }

    /// The first argument that bears any of these labels.
    pub(crate) fn bears(&self, labels: u64) -> Option<u32> {
        let found = self.proposal.arguments.iter().find(|argument| argument.labels & labels != 0);
        found.map(|argument| argument.parameter)
    }

    /// Whether the agent had read untrusted content when it made the call.
    pub(crate) fn is_tainted(&self) -> bool {
        self.ledger.tools().is_taint(self.proposal.labels)
    }

    /// Whether a read is the user's: nothing untrusted could have asked for it, or the user's own words name what is read.
    pub(crate) fn is_asked_for(&self) -> bool {
        !self.is_tainted() || self.arguments.iter().all(|value| self.origin(value) == Origin::User)
    }

    /// Whether it gives somebody or something, and the user's own words name each of them and who may see it.
    pub(crate) fn is_named_by_user(&self) -> bool {
        let decides = |role: Role| matches!(role, Role::Recipient | Role::Target | Role::Visibility);
        let given = |value: &&Value<'_>| decides(value.role) && !value.leaves.is_empty();
        let mut deciding = self.arguments.iter().filter(given).peekable();
        deciding.peek().is_some() && deciding.all(|value| self.origin(value) == Origin::User)
    }

    /// Whether anybody but the user gets to see what it says.
    pub(crate) fn reaches_others(&self) -> bool {
        let shows = |value: &Value<'_>| matches!(value.role, Role::Recipient | Role::Visibility);
        self.arguments.iter().any(|value| shows(value) && !value.leaves.is_empty())
    }
}

impl Value<'_> {
    /// Whether it is part of what a call is about: whom it reaches, what it acts on, who may see it, or how much.
    pub(crate) fn is_protected(&self) -> bool {
        match self.role {
            Role::Recipient | Role::Target | Role::Visibility => true,
            Role::Other => self.leaves.iter().any(|leaf| leaf.trim().parse::<f64>().is_ok()),
            Role::Content => false,
        }
    }
}
