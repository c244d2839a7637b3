//! The allocator of a component that lives for one rollout: it only ever moves a pointer. A fifth of a short rollout's time
//! went into keeping free lists that nobody used.

use lol_alloc::{AssumeSingleThreaded, LeakingAllocator};

/// The allocator's type.
pub type OneRollout = AssumeSingleThreaded<LeakingAllocator>;

/// The allocator.
#[allow(unsafe_code)]
// SAFETY: a component has one thread; the engine accepts no module with shared memory.
pub const ONE_ROLLOUT: OneRollout = unsafe { AssumeSingleThreaded::new(LeakingAllocator::new()) };
