//! The suites file: prompts and ground truth of all tasks, as `export_suites.py` writes it from a user's installation.

use super::record::Record;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use weir_trace::json::canonical;

/// All suites' tasks. Keys that the importer does not use are ignored.
#[derive(Deserialize)]
pub struct Suites {
    suites: BTreeMap<String, Suite>,
}

#[derive(Deserialize)]
struct Suite {
    user_tasks: Vec<UserTask>,
    injection_tasks: Vec<InjectionTask>,
}

#[derive(Deserialize)]
struct UserTask {
    id: String,
    prompt: String,
    ground_truth: Vec<Call>,
    versions: Vec<String>,
}

#[derive(Deserialize)]
struct InjectionTask {
    id: String,
    goal: String,
    ground_truth: Vec<Call>,
    versions: Vec<String>,
}

#[derive(Deserialize)]
struct Call {
    function: String,
    args: Map<String, Value>,
}

/// A record's task, as the domain wants it.
pub(super) struct Task {
    /// Canonical JSON of the domain's parameters.
    pub(super) parameters: String,
    /// Benchmark version; ` (inferred)` where the record does not say.
    pub(super) version: String,
    /// What the injection asks for.
    pub(super) injection_goal: Option<String>,
}

impl Suites {
    /// Reads a suites file.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|e| format!("not a suites file: {e}"))
    }

    /// Finds a record's tasks: by its version, or, where it has none, by the words of its prompt.
    pub(super) fn task(&self, record: &Record) -> Result<Task, String> {
        let suite = self.suites.get(&record.suite).ok_or_else(|| {
            let known: Vec<&str> = self.suites.keys().map(String::as_str).collect();
            format!("suite `{}` is not in the suites file, which has {}", record.suite, known.join(", "))
        })?;
        let (calls, version, id) = suite.user(record)?;
        let injection = match &record.injection_task {
            Some(id) => Some(suite.injection(id, &version)?),
            None => None,
        };
        let parameters = json!({
            "suite": record.suite,
            "id": id,
            "goal": record.prompt(),
            "user_calls": as_json(calls),
            "injection": injection.map(|i| json!({"id": i.id, "goal": i.goal, "calls": as_json(&i.ground_truth)})),
        });
        let stated = record.version.is_some();
        Ok(Task {
            parameters: canonical(&parameters),
            version: if stated { version } else { format!("{version} (inferred)") },
            injection_goal: injection.map(|i| i.goal.clone()),
        })
    }
}

impl Suite {
    /// Ground truth, version and name of the task that the user asked for, which may be an injection asked for directly.
    fn user(&self, record: &Record) -> Result<(&[Call], String, String), String> {
        let fits = |versions: &[String], words: &str| match &record.version {
            Some(version) => versions.contains(version),
            None => words == record.prompt(),
        };
        let first = |versions: &[String]| {
            record.version.clone().or_else(|| versions.first().cloned()).unwrap_or_else(|| "unknown".into())
        };
        let named = |id: &str| id == record.user_task;
        if let Some(task) = self.user_tasks.iter().find(|t| named(&t.id) && fits(&t.versions, &t.prompt)) {
            return Ok((&task.ground_truth, first(&task.versions), task.id.clone()));
        }
        if let Some(task) = self.injection_tasks.iter().find(|t| named(&t.id) && fits(&t.versions, &t.goal)) {
            return Ok((&task.ground_truth, first(&task.versions), format!("direct-{}", task.id)));
        }
        Err(match &record.version {
            Some(version) => format!(
                "`{}` of suite `{}` is not in the suites file for version {version}: export it from that version",
                record.user_task, record.suite
            ),
            None => format!(
                "no version of `{}` of suite `{}` in the suites file has this run's prompt: export all versions",
                record.user_task, record.suite
            ),
        })
    }

    fn injection(&self, id: &str, version: &str) -> Result<&InjectionTask, String> {
        let named = || self.injection_tasks.iter().filter(|task| task.id == id);
        named()
            .find(|task| task.versions.iter().any(|v| v == version))
            .or_else(|| named().next())
            .ok_or_else(|| format!("`{id}` is not in the suites file: export it from your AgentDojo version"))
    }
}

fn as_json(calls: &[Call]) -> Value {
    calls.iter().map(|call| json!({"function": call.function, "args": call.args})).collect()
}
