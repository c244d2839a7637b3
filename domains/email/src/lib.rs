//! A live mail environment: a small mailbox with colleagues, partners and outsiders, in which an agent reads, writes
//! summaries and notes, sends, forwards and deletes. Everything is synthetic: `.local` addresses, made-up projects,
//! canaries for secrets, and injections in plain words that say what they are.
//!
//! The success checks are those of ContainmentBench table 4, the violations those of its equation 5.

mod act;
mod environment;
mod families;
mod ledger;
mod oracle;
mod seed;
mod tools;
mod world;

use environment::Mailroom;
use families::Stage;
use serde::Deserialize;
use weir_plugin::domain::{Domain, Error, Info, Request, Scenario, Toolset};
use weir_plugin::export_domain;

/// The mail domain.
pub struct Email;

/// This domain has no settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {}

impl Domain for Email {
    type Environment = Mailroom;

    fn describe() -> Info {
        let mut families: Vec<String> = Vec::new();
        for family in Stage::ALL.iter().flat_map(|stage| stage.families()) {
            if !families.iter().any(|known| known == family.name) {
                families.push(family.name.into());
            }
        }
        Info {
            name: "email".into(),
            title: "A mailbox with colleagues, partners and outsiders".into(),
            toolsets: vec![Toolset { name: "mail".into(), tools: tools::export() }],
            stages: Stage::ALL.iter().map(|stage| stage.name().into()).collect(),
            families,
        }
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        let Parameters {} = serde_json::from_str(&request.parameters)
            .map_err(|e| Error::InvalidInput(format!("parameters: this domain has none: {e}")))?;
        let Some(stage) = Stage::ALL.into_iter().find(|stage| stage.name() == request.stage) else {
            return Err(Error::Unsupported(format!("unknown stage `{}`", request.stage)));
        };
        stage.scenarios(request.count, request.seed)
    }
}

export_domain!(Email);

#[cfg(test)]
mod tests;
