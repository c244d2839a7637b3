//! stub
mod redact;
pub(crate) use redact::redact;
