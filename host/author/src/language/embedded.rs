//! What this program has in it for new projects; `build.rs` gathers it.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The contract's files, as a project has them.
pub(super) fn contract() -> impl Iterator<Item = (String, String)> {
    CONTRACT.iter().map(|(path, text)| (format!("wit/{path}"), (*text).to_owned()))
}
