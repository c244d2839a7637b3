//! The eight case studies (ContainmentBench table 21), from the run's own traces.
//!
//! Nobody picks them: each case has a rule, and the first row of the plan that meets it is shown ([`select`]). Where the run
//! has none, the section says so. Canaries are taken out, long text is cut, and hostile text is shown as text.

mod excerpt;
mod redact;
mod section;
mod select;

pub use section::section;
pub use select::{Case, Cases, select};

pub(crate) use redact::redact;
pub(crate) use section::quoted;

#[cfg(test)]
mod tests;
