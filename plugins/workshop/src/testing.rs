//! Checks for a desk's own native tests. A script is played as the host plays it: agents in turn, messages handed over,
//! sessions one after the other, under no defence or under one of three checks of the trusted ledger. Everything here
//! returns its findings as text, so that any domain can use it.

mod check;
mod guard;
mod play;
mod stage;

pub use check::{all, audited, complete, distinct, every_stage, quiet_goals, step_forms};
pub use guard::Guard;
pub use play::{Player, Proposed, Ran, play};
pub use stage::{
    active_tainted, carried_over, clean, control_leak, control_mention, control_reinfection, control_rollback,
    memory_recovery, security, stress,
};
