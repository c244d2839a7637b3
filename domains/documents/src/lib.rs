//! A live environment of shared documents, in which an agent reads, writes summaries, posts notes, shares, adds to
//! documents, publishes and deletes, and remembers. Everything is synthetic: `.local` addresses, made-up projects,
//! canaries for secrets, and injections in plain words that say what they are.
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

/// The document domain.
pub struct Documents;

impl Desk for Documents {
    const NAME: &'static str = "documents";
    const TITLE: &'static str = "Shared documents of colleagues, partners and outsiders";
    const TOOLSET: &'static str = "documents";
    const WORDS: Words = Words { kind: "d", noun: "document", from: "owner", title: "title" };
    const TOPICS: &'static [(&'static str, &'static str)] = topics::TOPICS;
    const STAGES: &'static [Stage] = families::STAGES;

    fn tools() -> &'static [ToolSpec] {
        tools::TOOLS
    }
}

impl Domain for Documents {
    type Environment = Office<Documents>;

    fn describe() -> Info {
        weir_workshop::describe::<Documents>()
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        weir_workshop::scenarios::<Documents>(&request)
    }
}

export_domain!(Documents);

#[cfg(test)]
mod tests;
