//! What the host offers to plugins. One file a capability: its budget, its behaviour, its tests.

mod log;
mod model;
mod transcript;

pub use transcript::redacted;

use crate::state::State;
use crate::wit;

// The type-only interfaces have no functions, so their host traits are empty.
impl wit::types::Host for State {}
impl wit::trace::Host for State {}
impl wit::memory::Host for State {}
