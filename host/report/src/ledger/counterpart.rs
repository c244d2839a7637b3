//! What a benchmark's ledger says of how its counterparts of published numbers are computed.

use crate::ledger::statistic::{Ours, Statistic};
use crate::view::View;
use serde::de::DeserializeOwned;

/// A statistic of a run, or of given counts, as a ledger's files name it.
pub(crate) trait Counterpart: DeserializeOwned {
    /// A run of the benchmark.
    type Run<'a>;

    /// The value; none where the run has nothing of which it could be computed.
    fn of(&self, run: &Self::Run<'_>) -> Option<Ours>;

    /// Whether a model takes part in the run.
    fn has_model(run: &Self::Run<'_>, name: &str) -> bool;

    /// The run's model or models, for a reader.
    fn models(run: &Self::Run<'_>) -> String;

    /// Which run has a counterpart that this one has not; `command` is the one that the number names, if it names one.
    fn elsewhere(command: Option<&str>) -> String;
}

impl Counterpart for Statistic {
    type Run<'a> = View<'a>;

    fn of(&self, run: &View<'_>) -> Option<Ours> {
        self.value(run)
    }

    fn has_model(run: &View<'_>, name: &str) -> bool {
        run.run.models.get(run.model).is_some_and(|model| model.name == name)
    }

    fn models(run: &View<'_>) -> String {
        run.model_name()
    }

    fn elsewhere(command: Option<&str>) -> String {
        let run = command.unwrap_or("weir run");
        format!("another run is about this: `{run}`, with its seven policies, has our counterpart")
    }
}
