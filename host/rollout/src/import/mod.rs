//! Other harnesses' recorded runs: as traces ([`agentdojo`]), and as base histories of AuthMem-Bench ([`tau2`], [`apigen`]),
//! which [`base`] reads again.

pub mod agentdojo;
pub mod apigen;
pub mod base;
pub mod history;
pub mod tau2;
