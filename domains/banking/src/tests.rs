//! What the domain promises, in sentences.

mod bank;
mod calls;
mod scenarios;
mod stages;

use super::*;
use weir_plugin::testing::{Guard, Player, Ran, play};

const SEEDS: [u64; 3] = [1, 7, 2026];

/// The first scenarios of a stage.
fn first(stage: &str, count: u32, seed: u64) -> Vec<Scenario> {
    Banking::scenarios(Request { stage: stage.into(), count, seed, parameters: "{}".into() }).unwrap()
}

/// Every scenario that there is, over all stages and three seeds.
fn every() -> Vec<Scenario> {
    let of = |seed| families::STAGES.iter().flat_map(move |stage| first(stage.name, families::MOST, seed));
    SEEDS.into_iter().flat_map(of).collect()
}

fn every_of(stage: &str) -> Vec<Scenario> {
    every().into_iter().filter(|scenario| scenario.stage == stage).collect()
}

/// The scenario with its ledger of this form alone.
fn under(scenario: &Scenario, form: &str) -> Scenario {
    let ledgers = scenario.ledgers.iter().filter(|ledger| ledger.form == form).cloned().collect();
    Scenario { ledgers, ..scenario.clone() }
}

fn played(scenario: &Scenario, player: Player) -> Ran {
    play::<Banking>(scenario, player).unwrap()
}
