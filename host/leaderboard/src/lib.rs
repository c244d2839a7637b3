//! Submissions and leaderboards: folders of files that stand in git. Nothing here needs a server.
//!
//! An entry ([`Entry`]) is a run's folder, cut down to one component, with `submission.toml` ([`Submission`]) and signed
//! attestations beside it. A board ([`Board`]) is a folder with `leaderboard.toml` and the entries of each track.
//!
//! | step | command | what it demands |
//! |---|---|---|
//! | [`prepare`](mod@prepare) | `weir submit prepare` | a complete run under one configuration, which its own plugins give again |
//! | [`validate`](mod@validate) | `weir submit validate` | form, digests, plan, coverage, signatures; nothing is executed |
//! | [`verify`](mod@verify) | `weir submit verify` | every decision taken again, a share of the rollouts run again in full |
//! | [`add`](mod@add) | `weir leaderboard add` | all of it, then a copy that appears whole |

pub mod add;
pub mod board;
pub mod dsse;
pub mod entry;
pub mod init;
pub mod key;
pub mod measurements;
pub mod prepare;
pub mod statement;
pub mod submission;
mod time;
pub mod validate;
pub mod verify;

pub use board::{Board, Track};
pub use entry::{Badge, Entry};
pub use key::{PublicKey, SecretKey};
pub use statement::{Attestation, Statement};
pub use submission::Submission;
