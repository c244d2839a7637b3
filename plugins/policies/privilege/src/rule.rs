//! A rule, as the build makes it of `rules.toml`, and the tests that it puts values to.

use crate::call::Call;
use weir_plugin::policy::{Decision, Effect as Kind, Error, Role};

/// All rules, in the order in which they are asked, and what decides where none holds.
pub(crate) struct Rules {
    pub(crate) rules: &'static [Rule],
    pub(crate) fallback: Named,
}

/// A decision with its name.
pub(crate) struct Named {
    pub(crate) rule: &'static str,
    pub(crate) effect: Effect,
    pub(crate) message: &'static str,
}

/// What a rule does with a call.
#[allow(dead_code, reason = "rules may say it, whether or not one does")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Effect {
    /// It may run.
    Allow,
    /// It may run if the user confirms it.
    Confirm,
    /// It must not run.
    Forbid,
}

/// One rule: it holds if all that it says holds.
pub(crate) struct Rule {
    pub(crate) named: Named,
    pub(crate) tools: &'static [&'static str],
    pub(crate) effects: &'static [Kind],
    pub(crate) risk: Option<Risk>,
    pub(crate) ledger: Option<Granted>,
    pub(crate) task: Task,
    pub(crate) arguments: &'static [Argument],
}

/// ContainmentBench 4.4.
#[allow(dead_code, reason = "rules may say it, whether or not one does")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Risk {
    High,
    Low,
}

/// How much of a call the ledger grants, from least to most.
#[allow(dead_code, reason = "rules may say it, whether or not one does")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Granted {
    /// Not even the action.
    Nothing,
    /// The action, on whatever target.
    Action,
    /// Action, recipients and targets.
    Targets,
    /// Action, recipients, targets and every other argument.
    Call,
}

/// What the user's words must have and lack.
pub(crate) struct Task {
    /// One of these; nothing where there are none.
    pub(crate) says: &'static [&'static str],
    /// None of these.
    pub(crate) silent_on: &'static [&'static str],
    pub(crate) names_address: Option<bool>,
}

/// A condition on the values of some arguments.
pub(crate) struct Argument {
    /// Of parameters with one of these roles; with any where there are none.
    pub(crate) roles: &'static [Role],
    /// And whose name matches one of these; any name where there are none.
    pub(crate) names: &'static [&'static str],
    pub(crate) which: Which,
    pub(crate) test: Test,
}

/// How many of the values must pass.
#[allow(dead_code, reason = "rules may say it, whether or not one does")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Which {
    Every,
    Some,
    NotEvery,
    None,
}

/// What a value is put to.
#[allow(dead_code, reason = "rules may say it, whether or not one does")]
pub(crate) enum Test {
    /// Any value that is given passes.
    Given,
    OneOf(&'static [&'static str]),
    Prefix(&'static str),
    Suffix(&'static str),
    Glob(&'static [&'static str]),
    Domain(&'static [&'static str]),
    In(Within),
}

/// Where a value must be found.
#[allow(dead_code, reason = "rules may say it, whether or not one does")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Within {
    /// In the user's words.
    Request,
    /// In a ledger entry for the tool.
    Ledger,
    /// Its domain is one of an address in the user's words or in the ledger.
    NamedDomains,
}

impl Rules {
    /// The first rule that holds decides.
    pub(crate) fn decide(&self, call: &mut Call<'_>) -> Result<Decision, Error> {
        for (number, rule) in self.rules.iter().enumerate() {
            if let Some(argument) = rule.holds(number, call)? {
                return Ok(rule.named.decision(argument));
            }
        }
        Ok(self.fallback.decision(None))
    }
}

impl Rule {
    /// Whether the rule, whose number this is, holds: with the name of the last argument that it holds because of. The cheap
    /// questions come first: a task's many phrases are only looked for where all else fits.
    fn holds<'a>(&self, number: usize, call: &mut Call<'a>) -> Result<Option<Option<&'a str>>, Error> {
        if !call.is_of(self.risk, self.effects, self.tools) || !call.is_granted(self.ledger)? {
            return Ok(None);
        }
        let mut named = None;
        for condition in self.arguments {
            let Some(argument) = call.meets(condition) else { return Ok(None) };
            named = argument.or(named);
        }
        Ok(call.task(number, &self.task).then_some(named))
    }
}

impl Named {
    pub(crate) fn decision(&self, argument: Option<&str>) -> Decision {
        let message = match argument {
            Some(name) => format!("`{name}`: {}", self.message),
            None => self.message.to_owned(),
        };
        match self.effect {
            Effect::Allow => Decision::allow_by(self.rule, message),
            Effect::Confirm => Decision::confirm(self.rule, message),
            Effect::Forbid => Decision::block(self.rule, message),
        }
    }
}

impl Which {
    /// Whether the condition holds of these values, of which `passes` tells; with the first one that it holds because of.
    pub(crate) fn holds<T>(
        self,
        mut values: impl Iterator<Item = T>,
        mut passes: impl FnMut(&T) -> bool,
    ) -> Option<Option<T>> {
        let found = values.find(|value| passes(value) == matches!(self, Which::Some | Which::None));
        match self {
            Which::Some | Which::NotEvery => found.map(Some),
            Which::Every | Which::None => found.is_none().then_some(None),
        }
    }
}

/// Whether a text matches a pattern in which `*` stands for any text. Both are in lower case.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at.saturating_add(part.len())..).unwrap_or_default();
    }
    rest.ends_with(last)
}

/// The domain of an address or a URL, in lower case.
pub(crate) fn domain(value: &str) -> Option<String> {
    let value = value.trim();
    let host = match (value.split_once("://"), value.rsplit_once('@')) {
        (Some((_, rest)), _) => {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            // Before an `@` stands who asks, not who is asked.
            let host = host.rsplit('@').next().unwrap_or_default();
            host.split(':').next().unwrap_or_default()
        }
        (None, Some((_, host))) => host,
        (None, None) => value.split('/').next().filter(|host| host.contains('.') && !host.contains(' '))?,
    };
    let host = host.trim_end_matches('.').to_lowercase();
    (!host.is_empty() && !host.contains(char::is_whitespace)).then_some(host)
}

/// Whether a domain is this one or one below it.
pub(crate) fn is_within(domain: &str, of: &str) -> bool {
    domain.strip_suffix(of).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
