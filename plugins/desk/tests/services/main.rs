//! What must hold for every service: its bases, its pairs, its environment, and pairs of real histories where some are at
//! hand.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod bases;
mod environment;
mod imported;
mod pairs;

use weir_plugin::domain::Request;

/// Runs a check on all services.
macro_rules! each {
    ($check:ident) => {
        $check::<weir_domain_airline::Airline>();
        $check::<weir_domain_retail::Retail>();
        $check::<weir_domain_telecom::Telecom>();
    };
}
use each;

/// A request for bases.
fn request(stage: &str, first: u32, count: u32, seed: u64) -> Request {
    Request { stage: stage.into(), count, seed, parameters: format!("{{\"first\":{first}}}") }
}
