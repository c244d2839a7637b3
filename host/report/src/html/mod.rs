//! A report as one HTML file: no script, nothing loaded, readable without a network in ten years.
//!
//! Trace text is hostile by definition. Three walls stand between it and a reader's browser: every text goes through
//! [`escape`]; a figure is let in only if it has nothing but the elements and attributes that figures need (`figure.rs`); and
//! the page's own policy (`policy.rs`) allows no script, no request, no form and no style but the one whose digest it names.

mod document;
mod escape;
mod figure;
mod policy;

pub use document::render;
pub use escape::escape;
pub(crate) use escape::visible;

#[cfg(test)]
mod tests;
