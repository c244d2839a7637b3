//! The authority lattice and the role policy (AuthMem-Bench 3.1).

use crate::history::Speaker;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the origin of a statement entitles it to do, least to most permissive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Authority {
    /// Tool evidence, or somebody else's words: cannot bind a protected argument without confirmation.
    Unendorsed,
    /// The assistant asserts it, which cannot establish what the user wants.
    Attested,
    /// Direct support or endorsement by the user.
    Authorized,
}

impl Authority {
    /// All of them, least permissive first.
    pub const ALL: [Authority; 3] = [Authority::Unendorsed, Authority::Attested, Authority::Authorized];

    /// What the role policy gives to words of a speaker. The system gives context for policies and cannot be the source
    /// of a memory.
    #[must_use]
    pub fn of(speaker: Speaker) -> Option<Self> {
        match speaker {
            Speaker::System => None,
            Speaker::User => Some(Authority::Authorized),
            Speaker::Assistant => Some(Authority::Attested),
            Speaker::Tool => Some(Authority::Unendorsed),
        }
    }

    /// Mixed evidence has the least permissive label of its sources; none where there is no source.
    #[must_use]
    pub fn join(speakers: impl IntoIterator<Item = Speaker>) -> Option<Self> {
        speakers.into_iter().filter_map(Authority::of).min()
    }

    /// The paper's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Authority::Unendorsed => "Unendorsed",
            Authority::Attested => "Attested",
            Authority::Authorized => "Authorized",
        }
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_map_to_labels_and_mixed_evidence_takes_the_least() {
        assert_eq!(Authority::of(Speaker::User), Some(Authority::Authorized));
        assert_eq!(Authority::of(Speaker::Assistant), Some(Authority::Attested));
        assert_eq!(Authority::of(Speaker::Tool), Some(Authority::Unendorsed));
        assert_eq!(Authority::of(Speaker::System), None);
        assert_eq!(Authority::join([Speaker::User, Speaker::Tool]), Some(Authority::Unendorsed));
        assert_eq!(Authority::join([Speaker::System]), None);
    }
}
