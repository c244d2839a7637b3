//! What these tests and the golden ones share.

pub mod program;
pub mod recorded;
