//! Cases: files with an episode, events, questions to a policy and the answers that must come.

use std::sync::Arc;
use weir_runtime::Fault;
use weir_runtime::models::Models;
use weir_runtime::wit::policies::{Decision, Episode, Filtered, Recovery};
use weir_runtime::wit::types::{Proposal, Reason};
use weir_runtime::world::policy::{Answer, Defence, DefenceFactory, Delta};
use weir_suite::case_file::{Case, blessed};
use weir_suite::{Error, Plugins};
use weir_trace::contract::{Effect, Parameter, Role, Tool};

/// A case that is read can be run, and, once its expectations are what was found, read again; then it holds.
pub fn case(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(case) = parse(text) else { return };
    let outcome = case.run(&Stub).unwrap();
    assert_eq!(outcome.holds, outcome.failures.is_empty());
    if outcome.holds {
        return;
    }
    let rewritten = blessed("case.toml", text, &outcome.failures).unwrap();
    let again = parse(&rewritten).unwrap_or_else(|error| panic!("{error}\n{rewritten}"));
    let outcome = again.run(&Stub).unwrap();
    assert!(outcome.holds, "{:?}\n{rewritten}", outcome.failures);
}

fn parse(text: &str) -> Result<Case, Error> {
    let mut lookup = |domain: &str, _: Option<&str>| match domain {
        "email" => Ok(vec![tool()]),
        other => Err(Plugins::unknown("domain", other, &["email"])),
    };
    Case::parse("case.toml", text, &mut lookup)
}

fn tool() -> Tool {
    let parameter = |name: &str, role| Parameter {
        name: name.into(),
        role,
        required: false,
        schema: r#"{"type":"string"}"#.into(),
    };
    Tool {
        name: "forward_mail".into(),
        description: "Forwards a mail.".into(),
        effect: Effect::SideEffect,
        parameters: vec![parameter("mail_id", Role::Target), parameter("to", Role::Recipient)],
    }
}

/// A policy whose answers depend on what it is asked and on nothing else.
struct Stub;

impl DefenceFactory for Stub {
    fn start(
        &self,
        _: &Episode,
        _: &Arc<[String]>,
        _: Option<Box<dyn Models>>,
    ) -> Result<Box<dyn Defence>, Box<Fault>> {
        Ok(Box::new(Stub))
    }
}

fn answer<T>(value: T) -> Result<Answer<T>, Box<Fault>> {
    Ok(Answer { value, fuel: 1 })
}

impl Defence for Stub {
    fn guidance(&mut self) -> Result<Option<String>, Box<Fault>> {
        Ok(Some("Beware of \"mail\".\n".into()))
    }

    fn filter(&mut self, _: Delta<'_>, observation: u32) -> Result<Answer<Filtered>, Box<Fault>> {
        answer(match observation % 3 {
            0 => Filtered::Pass,
            1 => Filtered::Replace("'''\u{1b}\\".into()),
            _ => Filtered::Withhold(Reason { rule: "hidden".into(), message: String::new() }),
        })
    }

    fn authorize(&mut self, _: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        answer(match proposal.arguments.len() {
            0 => Decision::Allow(None),
            1 => Decision::Block(Reason { rule: "one".into(), message: "one argument".into() }),
            _ => Decision::Confirm(Reason { rule: "more".into(), message: "\r\n".into() }),
        })
    }

    fn precommit(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        self.authorize(delta, proposal)
    }

    fn recover(&mut self, delta: Delta<'_>) -> Result<Answer<Vec<Recovery>>, Box<Fault>> {
        answer(match delta.events.len() {
            0 => Vec::new(),
            _ => vec![Recovery::Rollback(0), Recovery::Scrub("k\"".into()), Recovery::Quarantine(String::new())],
        })
    }
}
