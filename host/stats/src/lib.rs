//! The statistics of a Weir report: paired effects, bootstrap intervals over scenario clusters, exact tests and bounds,
//! divergence where endpoints are equal, decomposition and sensitivity of a gap, ranks. Pure functions of their
//! arguments: no input or output, no clock, and the same bits on any number of threads.
//!
//! Every function that cannot answer returns `None`, never 0 or NaN: a report prints it as N/A.

mod bootstrap;
mod decomposition;
mod divergence;
mod exact;
mod interval;
mod normalisation;
mod paired;
mod power;
mod proportion;
mod random;
mod ranks;
mod resamples;
mod rounding;
mod seeds;
mod tile;

pub use bootstrap::{Bootstrap, Cluster, ratio_of_sums};
pub use decomposition::{Decomposition, StageGap, StageMeans, decompose};
pub use divergence::{Axes, Divergence, Observed, PROJECTION};
pub use exact::Discordant;
pub use interval::{Confidence, Interval};
pub use normalisation::{Comparison, Fraction, Normalisation, NormalisationError};
pub use paired::{Better, DuplicateKey, Matched, Pair};
pub use power::{between_cluster_std, minimum_detectable_effect};
pub use proportion::{rule_of_three, wilson, zero_event_bound};
pub use ranks::{RankRange, rank_ranges};
pub use resamples::Resamples;
pub use rounding::four_decimals;
pub use seeds::{SeedVariance, seed_variance};
