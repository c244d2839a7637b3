//! The commands: arguments, what each does, how it prints.

pub mod annotate;
pub mod bench;
pub mod build;
pub mod check;
pub mod export;
pub mod import;
pub mod inspect;
pub mod key;
pub mod leaderboard;
pub mod list;
pub mod new;
pub mod pull;
pub mod push;
pub mod qualify;
pub mod replay;
pub mod report;
pub mod run;
pub mod submit;
pub mod test;
pub mod trace;
pub mod verify;
pub mod view;
pub mod watch;
