//! A live environment of customer records and a calendar, in which an agent reads, writes summaries, sends invitations,
//! hands records over, updates and deletes them, and remembers. Everything is synthetic: `.local` addresses, made-up
//! projects, canaries for secrets, and injections in plain words that say what they are.
//!
//! The success checks are those of ContainmentBench table 4, the violations those of its equation 5.

mod families;
mod tools;
mod topics;

use weir_plugin::domain::{Domain, Error, Info, Request, Scenario};
use weir_plugin::export_domain;
use weir_workshop::layout::Stage;
use weir_workshop::tools::ToolSpec;
use weir_workshop::{Desk, Office, Words};

/// The customer domain.
pub struct Crm;

impl Desk for Crm {
    const NAME: &'static str = "crm";
    const TITLE: &'static str = "Customer records and a calendar";
    const TOOLSET: &'static str = "crm";
    const WORDS: Words = Words { kind: "r", noun: "record", from: "by", title: "name" };
    const TOPICS: &'static [(&'static str, &'static str)] = topics::TOPICS;
    const STAGES: &'static [Stage] = families::STAGES;

    fn tools() -> &'static [ToolSpec] {
        tools::TOOLS
    }
}

impl Domain for Crm {
    type Environment = Office<Crm>;

    fn describe() -> Info {
        weir_workshop::describe::<Crm>()
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        weir_workshop::scenarios::<Crm>(&request)
    }
}

export_domain!(Crm);

#[cfg(test)]
mod tests;
