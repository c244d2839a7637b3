//! Other harnesses' recorded runs as traces.

pub mod agentdojo;
