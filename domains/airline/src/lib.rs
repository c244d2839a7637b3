//! An airline's service desk, for AuthMem-Bench: customers with bookings, flights, bags, payments and certificates. The
//! tools are those of the public tau2 environment; all words and records are made up.

mod bases;
mod pairs;
mod service;
mod tools;

use serde_json::{Map, Value};
use weir_desk::pattern::{Transition, Wish};
use weir_desk::scene::Base;
use weir_desk::template::Facts;
use weir_desk::tools::ToolSpec;
use weir_desk::world::{Answer, Arguments, Tables, World};
use weir_desk::{Desk, Service};
use weir_plugin::domain::Error;
use weir_plugin::export_domain;

/// The airline's domain.
pub struct Airline;

impl Service for Airline {
    const NAME: &'static str = "airline";
    const TITLE: &'static str = "Bookings of an airline, at its service desk";
    const BASES: u32 = 20;
    const OFFERED: &'static [ToolSpec] = tools::OFFERED;
    const HISTORIC: (&'static str, &'static [ToolSpec]) = ("airline-notes", tools::HISTORIC);
    const TRANSITIONS: &'static [Transition] = pairs::TRANSITIONS;
    const WISHES: &'static [Wish] = pairs::WISHES;

    fn run(world: &World, tool: &str, arguments: &Arguments) -> Answer {
        service::run(world, tool, arguments)
    }

    fn place(record: &Map<String, Value>) -> Option<(&'static str, String)> {
        service::place(record)
    }

    fn base(index: u32, seed: u64) -> Result<Base, Error> {
        bases::base(index, seed)
    }

    fn facts(base: &Base) -> Facts {
        pairs::facts(base)
    }

    fn stock(facts: &Facts) -> Tables {
        pairs::stock(facts)
    }
}

/// What the component exports.
pub type Component = Desk<Airline>;

export_domain!(Component);
