//! What a site is made of: runs, and what their submissions say of them.

use serde::Serialize;
use serde_json::Value;
use weir_suite::store::Store;

/// A whole site.
pub struct Site {
    /// Its title.
    pub title: String,
    /// What it shows.
    pub kind: Kind,
    /// Its tracks.
    pub tracks: Vec<Track>,
}

/// What a site shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Entries were submitted.
    Leaderboard,
    /// Runs that nobody submitted.
    Run,
}

/// One suite, with all that was run of it. Every policy of every run is an entry.
pub struct Track {
    /// A name for addresses, like which its id is made.
    pub id: String,
    /// Its title.
    pub title: String,
    /// SHA-256 of the published plan; none where nobody published one.
    pub plan: Option<String>,
    /// Its runs, which differ in their policies alone.
    pub members: Vec<Member>,
}

/// One run.
pub struct Member {
    /// Its folder.
    pub store: Store,
    /// The folder as commands name it.
    pub folder: String,
    /// What was submitted with it.
    pub submission: Option<Submission>,
}

/// What was submitted with a run.
pub struct Submission {
    /// The entry's name for addresses.
    pub id: String,
    /// How far it has been checked.
    pub badge: Badge,
    /// Who submitted it.
    pub authors: Vec<String>,
    /// When, as it says: YYYY-MM-DD.
    pub date: Option<String>,
    /// `submission.toml`.
    pub text: Value,
    /// What was signed.
    pub attestations: Vec<Attestation>,
    /// Commands that check it.
    pub verify: Vec<String>,
    /// What a reader of its page must know.
    pub notes: Vec<String>,
}

/// How far an entry has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Badge {
    /// The maintainers have executed it again.
    Verified,
    /// Its files hold together and can be executed again.
    Reproducible,
    /// Nobody has looked.
    SelfReported,
}

/// A signature that holds, and what was signed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attestation {
    /// The statement's predicate.
    pub predicate_type: String,
    /// First 16 hex digits of the SHA-256 of the public key.
    pub key: String,
    /// The name that the leaderboard has for the key.
    pub signer: Option<String>,
    /// What it is about.
    pub subjects: Vec<Subject>,
    /// The whole statement.
    pub statement: Value,
}

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// Its digest.
    pub sha256: String,
}
