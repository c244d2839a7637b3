//! Every first-party plugin as a component, built from this workspace: a copied `weir` works alone.

/// One plugin.
#[derive(Clone, Copy, Debug)]
pub struct Embedded {
    /// `policy`, `writer`, `reducer` or `domain`.
    pub kind: &'static str,
    /// The name of its folder.
    pub name: &'static str,
    /// The component.
    pub bytes: &'static [u8],
}

/// All of them, by kind and name.
pub const ALL: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// One of them.
#[must_use]
pub fn find(kind: &str, name: &str) -> Option<&'static Embedded> {
    ALL.iter().find(|one| one.kind == kind && one.name == name)
}
