//! Checks for a desk's own native tests, by the SDK's [`weir_plugin::testing::play`]. Everything here returns its findings
//! as text, so that any domain can use it.

mod check;
mod stage;

pub use check::{all, audited, complete, distinct, every_stage, quiet_goals, step_forms};
pub use stage::{
    active_tainted, carried_over, clean, control_leak, control_mention, control_reinfection, control_rollback,
    memory_recovery, security, stress,
};
