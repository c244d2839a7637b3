//! Runs of tau2-bench and tau-bench (Sierra) as histories, in three shapes:
//! - a results file of tau2-bench: `{"info": .., "simulations": [{"task_id", "trial", "reward_info", "messages"}]}`;
//! - a trajectories file of tau-bench: `[{"task_id", "trial", "reward", "traj"}]`;
//! - one conversation a file: `{"id", "domain", "reward", "turns"}`.
//!
//! The domain's policy, which a results file keeps beside the messages, becomes the system's turn. Keys that say nothing about
//! who said what (costs, times, raw replies) are ignored. A run is successful iff its reward is 1; of a run without reward
//! in a results file nobody knows, so it counts as unsuccessful.

mod message;

use super::history::{HistoryError, Options, Place, Read, Recorded, domain_of, safe_id};
use message::message;
use serde::Deserialize;
use serde_json::Value;

/// Rewards are sums and products of floating-point numbers.
const TOLERANCE: f64 = 1e-6;

#[derive(Deserialize)]
struct Results {
    #[serde(default)]
    info: Info,
    simulations: Vec<Value>,
}

#[derive(Default, Deserialize)]
struct Info {
    #[serde(default)]
    environment_info: Environment,
}

#[derive(Default, Deserialize)]
struct Environment {
    domain_name: Option<String>,
    policy: Option<String>,
}

#[derive(Deserialize)]
struct Simulation {
    task_id: Value,
    trial: Option<u64>,
    reward_info: Option<RewardInfo>,
    messages: Option<Vec<Value>>,
}

#[derive(Deserialize)]
struct RewardInfo {
    reward: Option<f64>,
}

#[derive(Deserialize)]
struct Trajectory {
    task_id: Value,
    trial: Option<u64>,
    reward: Option<f64>,
    traj: Vec<Value>,
}

#[derive(Deserialize)]
struct Single {
    id: String,
    domain: Option<String>,
    reward: Option<f64>,
    source: Option<Value>,
    task_id: Option<Value>,
    turns: Vec<Value>,
}

/// Reads a file of any of the three shapes.
///
/// # Errors
/// A file that is not JSON, or of one of the shapes but broken.
pub fn read(file: &str, bytes: &[u8], options: &Options) -> Result<Read, HistoryError> {
    let place = Place { file: file.to_owned(), part: None };
    let value: Value =
        serde_json::from_slice(bytes).map_err(|e| HistoryError::whole(&place, format!("not JSON: {e}")))?;
    if value.get("simulations").is_some() {
        results(place, value, options)
    } else if value.get("turns").is_some() && value.get("format").is_some_and(|format| format == "weir/history@1") {
        Ok(Read::Other("a history already".into()))
    } else if value.get("turns").is_some() {
        single(place, value, options)
    } else if value.pointer("/0/traj").is_some() {
        trajectories(&place, value, options)
    } else {
        let shapes = "`simulations` (tau2-bench), a list with `traj` (tau-bench) or `turns` (one conversation)";
        Ok(Read::Other(format!("JSON, but no run: it has none of {shapes}")))
    }
}

fn results(place: Place, value: Value, options: &Options) -> Result<Read, HistoryError> {
    let Results { info, simulations } = shaped(&place, "tau2-bench results", value)?;
    let Environment { domain_name, policy } = info.environment_info;
    let domain = domain_name.or_else(|| options.domain.clone());
    let mut taken = Taken::default();
    for (index, simulation) in simulations.into_iter().enumerate() {
        let place = Place { file: place.file.clone(), part: Some(format!("simulations[{index}]")) };
        let run: Simulation = shaped(&place, "a simulation of tau2-bench", simulation)?;
        if taken.leaves_out(run.reward_info.and_then(|info| info.reward), options) {
            continue;
        }
        let Some(messages) = run.messages else {
            return Err(HistoryError::whole(&place, "no `messages`: a run by voice is no conversation of turns"));
        };
        let task = plain(&run.task_id);
        let told = Told { domain: domain.clone(), instructions: policy.clone(), source: "tau2-bench".into(), task };
        taken.recorded.push(told.recorded(place, run.trial, &messages)?);
    }
    Ok(taken.read())
}

fn trajectories(place: &Place, value: Value, options: &Options) -> Result<Read, HistoryError> {
    let runs: Vec<Value> = shaped(place, "tau-bench trajectories", value)?;
    let mut taken = Taken::default();
    for (index, run) in runs.into_iter().enumerate() {
        let place = Place { file: place.file.clone(), part: Some(format!("[{index}]")) };
        let run: Trajectory = shaped(&place, "a trajectory of tau-bench", run)?;
        if taken.leaves_out(run.reward, options) {
            continue;
        }
        let task = plain(&run.task_id);
        let told = Told { domain: options.domain.clone(), instructions: None, source: "tau-bench".into(), task };
        taken.recorded.push(told.recorded(place, run.trial, &run.traj)?);
    }
    Ok(taken.read())
}

fn single(place: Place, value: Value, options: &Options) -> Result<Read, HistoryError> {
    let run: Single = shaped(&place, "a conversation", value)?;
    let mut taken = Taken::default();
    // Nobody says that a conversation without reward failed.
    if taken.leaves_out(run.reward.or(Some(1.0)), options) {
        return Ok(taken.read());
    }
    let messages = messages(&place, &run.turns)?;
    let Some(domain) = run.domain.or_else(|| options.domain.clone()) else {
        return Err(no_domain(&place));
    };
    let from = |key: &str| run.source.as_ref()?.get(key)?.as_str();
    let mut source = match (from("repo"), from("path")) {
        (Some(repo), Some(path)) => format!("{repo} {path}"),
        _ => place.file.clone(),
    };
    if let Some(task) = &run.task_id {
        source = format!("{source}, task {}", plain(task));
    }
    let recorded = Recorded { place, id: safe_id(&run.id), domain, source, instructions: None, messages, tools: None };
    taken.recorded.push(recorded);
    Ok(taken.read())
}

/// What a file of many runs tells of one.
struct Told {
    domain: Option<String>,
    instructions: Option<String>,
    source: String,
    task: String,
}

impl Told {
    fn recorded(self, place: Place, trial: Option<u64>, raw: &[Value]) -> Result<Recorded, HistoryError> {
        let Told { domain, instructions, source, task } = self;
        let messages = messages(&place, raw)?;
        let called = || messages.iter().flat_map(|message| &message.calls).map(|call| call.tool.as_str());
        let Some(domain) = domain.or_else(|| domain_of(called()).map(str::to_owned)) else {
            return Err(no_domain(&place));
        };
        let trial = trial.unwrap_or_default();
        // Where the messages begin with instructions of their own, those were the agent's.
        let instructions = instructions.filter(|_| messages.first().is_none_or(|message| message.role != "system"));
        let source = format!("{source} {}, task {task}, trial {trial}", place.file);
        // Each part is fit, and both together may be too long.
        let id = safe_id(&format!("{}-{}-{trial}", safe_id(&domain), safe_id(&task)));
        Ok(Recorded { place, id, domain, source, instructions, messages, tools: None })
    }
}

fn messages(place: &Place, raw: &[Value]) -> Result<Vec<super::history::Message>, HistoryError> {
    let read = |(number, raw): (usize, &Value)| message(raw).map_err(|what| HistoryError::turn(place, number, what));
    raw.iter().enumerate().map(read).collect()
}

#[derive(Default)]
struct Taken {
    recorded: Vec<Recorded>,
    unsuccessful: usize,
}

impl Taken {
    /// Whether a run is left out, which is counted.
    fn leaves_out(&mut self, reward: Option<f64>, options: &Options) -> bool {
        let successful = reward.is_some_and(|reward| (reward - 1.0).abs() < TOLERANCE);
        let out = !(successful || options.all);
        self.unsuccessful += usize::from(out);
        out
    }

    fn read(self) -> Read {
        Read::Conversations { recorded: self.recorded, unsuccessful: self.unsuccessful }
    }
}

fn shaped<T: serde::de::DeserializeOwned>(place: &Place, what: &str, value: Value) -> Result<T, HistoryError> {
    serde_json::from_value(value).map_err(|e| HistoryError::whole(place, format!("not {what}: {e}")))
}

fn no_domain(place: &Place) -> HistoryError {
    HistoryError::whole(place, "it does not say its domain, and its calls do not show it: give --domain")
}

/// A task's name, which is a number in some files.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
