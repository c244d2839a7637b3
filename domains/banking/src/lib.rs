//! A bank as its customer's agent sees it: accounts, transfers, standing orders, cards, a book of payees and notes. What
//! others write reaches the agent as invoices, letters and the descriptions of incoming payments. Money is whole cents,
//! every transfer is booked twice, and the ledger speaks of payees and amounts. Everything is synthetic: the country of
//! the account numbers does not exist.
//!
//! It uses the SDK alone, as any plugin can: `weir new domain banking` and the files of `src` are all there is to it.

mod act;
mod bank;
mod cast;
mod draft;
mod environment;
mod families;
mod ledger;
mod oracle;
mod tools;
mod world;

use weir_plugin::domain::{Domain, Error, Info, Request, Scenario, Toolset};
use weir_plugin::export_domain;
use weir_plugin::json;

/// The domain.
pub struct Banking;

impl Domain for Banking {
    type Environment = environment::Desk;

    fn describe() -> Info {
        let mut families: Vec<String> = Vec::new();
        for family in families::STAGES.iter().flat_map(|stage| stage.families) {
            families.push(family.name.into());
        }
        Info {
            name: "banking".into(),
            title: "A bank's customer desk: accounts, transfers, payees".into(),
            toolsets: vec![Toolset { name: "banking".into(), tools: tools::export() }],
            stages: families::STAGES.iter().map(|stage| stage.name.into()).collect(),
            families,
        }
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        if json::value(&request.parameters) != Some(json::json!({})) {
            return Err(Error::InvalidInput("parameters: this domain has none, so they must be {}".into()));
        }
        families::scenarios(&request)
    }
}

export_domain!(Banking);

#[cfg(test)]
mod tests;
