//! Checks on a component's bytes, before anything of it is compiled.

pub mod conform;
pub mod imports;
pub mod prescan;
pub mod printed;
