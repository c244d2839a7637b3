//! A run's units, in order. A plan is a function of a position and not a list, so that ten times the seeds need no more
//! memory.

use weir_trace::json::{sha256, sha256_of_pieces};

/// What is to be done.
pub trait Plan: Sync {
    /// Units.
    fn len(&self) -> usize;

    /// Whether there is nothing to do.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Identity of the unit at a position; none past the end.
    fn unit(&self, position: usize) -> Option<String>;

    /// The plan's line about it, a JSON object with `unit`; none past the end.
    fn line(&self, position: usize) -> Option<String>;

    /// All lines, each with its end, in pieces of a size that can be hashed and written.
    fn pieces(&self) -> Box<dyn Iterator<Item = String> + '_> {
        const PIECE: usize = 1024;
        let starts = (0..self.len()).step_by(PIECE);
        Box::new(starts.map(|start| {
            let lines = (start..self.len().min(start.saturating_add(PIECE))).filter_map(|at| self.line(at));
            lines.map(|line| line + "\n").collect()
        }))
    }
}

/// Hashes the parts of a unit after what all units of a run share.
#[derive(Clone, Debug)]
pub struct Identities(String);

impl Identities {
    /// From the canonical text of what all units share.
    #[must_use]
    pub fn new(shared: &str) -> Self {
        Identities(sha256(shared.as_bytes()))
    }

    /// The identity of the unit with these parts, in canonical form.
    #[must_use]
    pub fn of(&self, parts: &str) -> String {
        sha256_of_pieces([self.0.as_str(), "\n", parts])
    }
}
