//! The trace: what happened in one rollout, as a typed graph (ContainmentBench 3.5).
//!
//! Everything else in Weir reads or writes traces: policies see a prefix, reducers see columns, `weir verify` re-executes
//! decisions from them, the report links into them. The file format is described in [`codec`].

pub mod builder;
pub mod codec;
pub mod columns;
pub mod contract;
pub mod event;
pub mod exchange;
pub mod header;
pub mod json;
mod speaker;
pub mod taint;
pub mod text;

pub use builder::{NewEvent, TraceBuilder};
pub use columns::Columns;
pub use event::{Argument, Body, Edge, EdgeKind, Event, EventId, Hook, Labels, NodeKind, Repair, Verdict, fact, label};
pub use header::{Header, MemoryRun, Origin, PluginRef, RecordedRun, Trace, VerdictRecord};
pub use speaker::Speaker;
