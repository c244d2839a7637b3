//! One module per world: linked once, started afresh for each rollout.

pub mod domain;
mod instance;
pub mod policy;
pub mod reducer;
pub mod writer;

pub use domain::{DomainPlugin, Environment, Scene, SceneFactory};
pub use policy::{Defence, PolicyPlugin, PolicySession};
pub use reducer::{Measure, ReducerPlugin};
pub use writer::{Consolidated, WriterPlugin};
