//! The request's parameters: one task of AgentDojo as the importer passes it, checked against the catalogue.

use crate::catalogue::Suite;
use crate::reading::Reading;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use weir_plugin::domain::Error;
use weir_plugin::json::canonical;

/// As written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Suite name.
    suite: String,
    /// The user task's name.
    id: String,
    /// The user's prompt.
    goal: String,
    /// The user task's ground truth.
    user_calls: Vec<Call>,
    /// What the injection wants; none in a run without attack.
    injection: Option<Injection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Injection {
    /// The injection task's name.
    id: String,
    /// What the attacker's text asks for.
    goal: String,
    /// The injection task's ground truth.
    calls: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    function: String,
    args: Map<String, Value>,
}

/// One task, resolved.
pub struct Task {
    /// Index of the suite's toolset.
    pub toolset: u32,
    /// Its suite.
    pub suite: &'static Suite,
    /// The user's prompt.
    pub goal: String,
    /// The user task's ground truth.
    pub user: Vec<Reading>,
    /// What the injection wants.
    pub injection: Option<Aim>,
    /// The parameters as canonical JSON.
    pub state: String,
    id: String,
}

/// An injection task, resolved.
pub struct Aim {
    /// What the attacker's text asks for.
    pub goal: String,
    /// The injection task's ground truth.
    pub calls: Vec<Reading>,
    id: String,
}

impl Task {
    /// Reads and checks the parameters.
    pub fn parse(parameters: &str) -> Result<Self, Error> {
        let wrong = |e: serde_json::Error| Error::InvalidInput(format!("parameters: {e}"));
        let value: Value = serde_json::from_str(parameters).map_err(wrong)?;
        let mut state = value.clone();
        let Parameters { suite, id, goal, user_calls, injection } = serde_json::from_value(value).map_err(wrong)?;
        if let Value::Object(entries) = &mut state {
            // Left out means the same as written out, so both give one scenario.
            entries.entry("injection").or_insert(Value::Null);
        }
        let Some((toolset, suite)) = Suite::find(&suite) else {
            return Err(Error::InvalidInput(format!("unknown suite `{suite}`")));
        };
        let injection = injection
            .map(|i| Ok::<_, Error>(Aim { id: i.id, goal: i.goal, calls: read_all(suite, &i.calls)? }))
            .transpose()?;
        let user = read_all(suite, &user_calls)?;
        Ok(Task { toolset, suite, goal, user, injection, state: canonical(&state), id })
    }

    /// Unique as long as the importer names one version of a task.
    pub fn scenario_id(&self) -> String {
        match &self.injection {
            Some(injection) => format!("{}/{}/{}", self.suite.name, self.id, injection.id),
            None => format!("{}/{}", self.suite.name, self.id),
        }
    }

    /// The ground truths as cues for a simulated model.
    pub fn script(&self) -> String {
        let cues = |calls: &[Reading]| calls.iter().map(cue).collect::<Vec<Value>>();
        let attack = self.injection.as_ref().map_or_else(Vec::new, |injection| cues(&injection.calls));
        canonical(&json!({"attack": attack, "benign": cues(&self.user)}))
    }
}

fn read_all(suite: &'static Suite, calls: &[Call]) -> Result<Vec<Reading>, Error> {
    calls.iter().map(|call| read(suite, call)).collect()
}

fn read(suite: &'static Suite, call: &Call) -> Result<Reading, Error> {
    let Some(tool) = suite.tool(&call.function) else {
        return Err(Error::InvalidInput(format!("suite `{}` has no function `{}`", suite.name, call.function)));
    };
    let reading = Reading::new(tool, &call.args);
    match reading.unknown() {
        Some(name) => Err(Error::InvalidInput(format!(
            "function `{}` of suite `{}` has no argument `{name}`",
            tool.name, suite.name
        ))),
        None => Ok(reading),
    }
}

fn cue(call: &Reading) -> Value {
    let arguments: Map<String, Value> =
        call.all().filter_map(|(name, value)| Some((name.to_owned(), serde_json::from_str(value).ok()?))).collect();
    json!({"arguments": arguments, "tool": call.tool.name})
}
