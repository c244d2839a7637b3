//! The statistics of a Weir report: paired effects, bootstrap intervals over scenario clusters, bounds for endpoints
//! that never happened. Pure functions of their arguments: no input or output, no clock, no global state.
//!
//! Every function that cannot answer returns `None`, never 0 or NaN: a report prints it as N/A.

mod bootstrap;
mod interval;
mod paired;
mod proportion;
mod random;
mod resamples;
mod seeds;
mod tile;

pub use bootstrap::{Bootstrap, Cluster, ratio_of_sums};
pub use interval::{Confidence, Interval};
pub use paired::{Better, DuplicateKey, Matched, Pair};
pub use proportion::{rule_of_three, wilson, zero_event_bound};
pub use resamples::Resamples;
pub use seeds::{SeedVariance, seed_variance};
