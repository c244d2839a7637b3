//! A proposed call, as rules ask about it.

use crate::rule::{Argument as Condition, Granted, Risk, Task, Test, Within, domain, is_within, matches};
use crate::words::Words;
use weir_plugin::policy::{Argument, Effect, Error, Proposal, Role};
use weir_plugin::{Ledger, json};

/// A call with what it is judged by, and with what has been found out about it.
pub(crate) struct Call<'a> {
    proposal: &'a Proposal,
    /// The tool's name in lower case; empty for a tool that the episode does not have.
    tool: &'a str,
    ledger: &'a Ledger,
    words: Words<'a>,
    values: Vec<Value<'a>>,
    granted: Option<Granted>,
}

/// One value of an argument: a list has several.
struct Value<'a> {
    role: Role,
    name: &'a str,
    text: String,
}

impl<'a> Call<'a> {
    /// # Errors
    /// `invalid-input` where an argument is not JSON.
    pub(crate) fn new(
        proposal: &'a Proposal,
        tool: &'a str,
        ledger: &'a Ledger,
        words: Words<'a>,
    ) -> Result<Self, Error> {
        let mut values = Vec::with_capacity(proposal.arguments.len());
        for argument in &proposal.arguments {
            let (role, name) = (ledger.tools().role(proposal, argument), ledger.tools().name(proposal, argument));
            values.extend(leaves(argument)?.into_iter().map(|text| Value { role, name, text }));
        }
        Ok(Call { proposal, tool, ledger, words, values, granted: None })
    }

    /// Whether its tool has this risk, one of these effects and one of these names.
    pub(crate) fn is_of(&self, risk: Option<Risk>, effects: &[Effect], names: &[&str]) -> bool {
        let tools = self.ledger.tools();
        risk.is_none_or(|risk| (risk == Risk::High) == tools.is_high_risk(self.proposal))
            && (effects.is_empty() || tools.effect(self.proposal).is_some_and(|effect| effects.contains(&effect)))
            && (names.is_empty() || names.iter().any(|name| matches(name, self.tool)))
    }

    /// Whether the ledger grants at least this much of it, or nothing where a rule asks for that.
    ///
    /// # Errors
    /// `invalid-input` where an argument is not JSON.
    pub(crate) fn is_granted(&mut self, wanted: Option<Granted>) -> Result<bool, Error> {
        let Some(wanted) = wanted else { return Ok(true) };
        let granted = match self.granted {
            Some(granted) => granted,
            None => *self.granted.insert(self.grant()?),
        };
        Ok(if wanted == Granted::Nothing { granted == wanted } else { granted >= wanted })
    }

    fn grant(&self) -> Result<Granted, Error> {
        let (ledger, proposal) = (self.ledger, self.proposal);
        Ok(if ledger.matching(proposal)?.is_some() {
            Granted::Call
        } else if ledger.boundary(proposal)?.is_some() {
            Granted::Targets
        } else if ledger.knows_action(proposal) {
            Granted::Action
        } else {
            Granted::Nothing
        })
    }

    /// Whether the user's words are as the rule of this number wants them.
    pub(crate) fn task(&mut self, rule: usize, task: &Task) -> bool {
        self.words.satisfy(rule, task)
    }

    /// Whether its arguments meet a condition; with the name of the one because of which they do.
    pub(crate) fn meets(&mut self, condition: &Condition) -> Option<Option<&'a str>> {
        let Condition { roles, names, which, test } = condition;
        let is_meant = |value: &&Value<'_>| {
            (roles.is_empty() || roles.contains(&value.role))
                && (names.is_empty() || names.iter().any(|name| matches(name, &value.name.to_lowercase())))
        };
        let Call { proposal, ledger, words, values, .. } = self;
        let found = which.holds(values.iter().filter(is_meant), |value| {
            passes(test, &value.text, words, |text| ledger.names(proposal, text))
        })?;
        Some(found.map(|value| value.name))
    }
}

/// Whether a value passes a test.
fn passes(test: &Test, text: &str, words: &mut Words<'_>, is_in_ledger: impl Fn(&str) -> bool) -> bool {
    let lower = || text.to_lowercase();
    match test {
        Test::Given => true,
        Test::OneOf(texts) => texts.contains(&lower().as_str()),
        Test::Prefix(prefix) => lower().starts_with(prefix),
        Test::Suffix(suffix) => lower().ends_with(suffix),
        Test::Glob(patterns) => {
            let text = lower();
            patterns.iter().any(|pattern| matches(pattern, &text))
        }
        Test::Domain(domains) => domain(text).is_some_and(|found| domains.iter().any(|d| is_within(&found, d))),
        Test::In(Within::Request) => words.say(text),
        Test::In(Within::Ledger) => is_in_ledger(text),
        Test::In(Within::NamedDomains) => domain(text).is_some_and(|found| words.name_domain(&found)),
    }
}

fn leaves(argument: &Argument) -> Result<Vec<String>, Error> {
    json::leaves(&argument.value)
        .map_err(|e| Error::InvalidInput(format!("argument {} is not JSON: {e}", argument.parameter)))
}
