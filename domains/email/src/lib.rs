//! A live mail environment: a small mailbox with colleagues, partners and outsiders, in which an agent reads, writes
//! summaries, sends, forwards, files and deletes, and remembers. Everything is synthetic: `.local` addresses, made-up
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

/// The mail domain.
pub struct Email;

impl Desk for Email {
    const NAME: &'static str = "email";
    const TITLE: &'static str = "A mailbox with colleagues, partners and outsiders";
    const TOOLSET: &'static str = "mail";
    const WORDS: Words = Words { kind: "m", noun: "mail", from: "from", title: "subject" };
    const TOPICS: &'static [(&'static str, &'static str)] = topics::TOPICS;
    const STAGES: &'static [Stage] = families::STAGES;

    fn tools() -> &'static [ToolSpec] {
        tools::TOOLS
    }
}

impl Domain for Email {
    type Environment = Office<Email>;

    fn describe() -> Info {
        weir_workshop::describe::<Email>()
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        weir_workshop::scenarios::<Email>(&request)
    }
}

export_domain!(Email);

#[cfg(test)]
mod tests;
