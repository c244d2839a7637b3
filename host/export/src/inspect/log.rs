//! A log without its samples: which evaluation it is, and the means of its scores.

use crate::Times;
use crate::evaluation::{Evaluation, Key};
use crate::run::Run;
use crate::scores::{SECURITY, Scores, UTILITY};
use serde_json::{Map, Value, json};

/// What comes after the samples.
pub(super) const END: &str = "\n]}\n";

/// Longest part of a file's name that tells a reader what it is; a digest makes it unique.
const NAME: usize = 80;

/// The name of an evaluation's log. Inspect lists JSON files whose names begin with a time.
pub(super) fn name(manifest: &str, key: &Key, times: Times) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let told = format!("{} {} {}", key.stage, key.defence(), key.model);
    let told: String = told.chars().map(plain).take(NAME).collect();
    let time = times.text(0).replace(':', "-").replace(".000", "");
    format!("{time}_{told}_{}.json", identifier(manifest, key, "task"))
}

/// An identifier of the length that Inspect's own have.
fn identifier(manifest: &str, key: &Key, purpose: &str) -> String {
    let digest = key.digest(manifest, purpose);
    digest.get(..22).unwrap_or(&digest).to_owned()
}

/// The log up to its samples.
pub(super) fn head(run: &Run<'_>, key: &Key, evaluation: &Evaluation, times: Times) -> String {
    let id = |purpose| identifier(&run.manifest_digest, key, purpose);
    let [module, writer, view, method] = &key.memory;
    let arguments = json!({
        "stage": key.stage, "condition": key.condition, "ledger": key.ledger,
        "memory_module": module, "memory_writer": writer, "memory_view": view, "memory_method": method,
    });
    let solver = json!({ "policy": key.policy, "sha256": evaluation.policy_digest });
    let metadata = json!({
        "weir": run.manifest.host,
        "weir_run": run.manifest.identity(),
        "weir_manifest_sha256": run.manifest_digest,
        "weir_plan_sha256": run.manifest.plan,
        "policy": key.policy,
        "policy_sha256": evaluation.policy_digest,
        "model_simulated": evaluation.simulated,
        "recorded": evaluation.recorded,
        "times": "made up: a run has no clock; an event's time is that of the log and its position in the trace, in milliseconds",
        "uncertainty": "means have no intervals here: samples of one cluster are not independent, `weir report` has intervals over clusters",
    });
    let mut eval = json!({
        "eval_set_id": run.manifest_digest.get(..22),
        "eval_id": id("eval"),
        "run_id": id("run"),
        "created": times.text(0),
        "task": key.stage,
        "task_id": id("task"),
        "task_version": 0,
        "task_display_name": format!("{} under {}", key.stage, key.defence()),
        "task_attribs": {},
        "task_args": without_nulls(arguments),
        "solver": key.policy,
        "solver_args": without_nulls(solver),
        "tags": [key.policy, key.stage],
        "dataset": {
            "name": evaluation.domains.join(", "),
            "samples": evaluation.samples.len(),
            "sample_ids": evaluation.samples,
            "shuffled": false,
        },
        "model": key.model,
        "model_generate_config": {},
        "model_args": {},
        "config": { "epochs": evaluation.epochs(), "epochs_reducer": ["mean"] },
        "packages": { "weir": run.manifest.host },
        "metadata": without_nulls(metadata),
    });
    let (scorers, results) = scores(run, key, evaluation);
    if let Some(eval) = eval.as_object_mut() {
        eval.insert("scorers".into(), scorers);
    }
    let plan = json!({
        "name": "weir",
        "steps": [{ "solver": key.policy, "params": { "ledger": key.ledger } }],
        "config": {},
    });
    let stats = json!({ "started_at": "", "completed_at": "", "model_usage": {} });
    format!(
        "{{\"version\":2,\"status\":\"success\",\"eval\":{eval},\"plan\":{plan},\"results\":{results},\"stats\":{stats},\"samples\":["
    )
}

/// The scorers, and their means over the samples that have a score.
fn scores(run: &Run<'_>, key: &Key, evaluation: &Evaluation) -> (Value, Value) {
    let meanings = Scores::new(&run.manifest.metrics).meanings(&key.stage, key.is_authority(), evaluation.recorded);
    // The two that every run has come first: what is first is shown first.
    let first = |name: &str| [SECURITY, UTILITY].iter().position(|known| *known == name).unwrap_or(2);
    let mut all: Vec<_> = evaluation.scores.iter().collect();
    all.sort_by_key(|(name, _)| first(name));
    let (mut scorers, mut results) = (Vec::new(), Vec::new());
    for (name, tally) in all {
        let meaning = meanings.get(name);
        let about = json!({
            "definition": meaning.map(|meaning| &meaning.definition),
            "better": meaning.map(|meaning| &meaning.better),
        });
        let about = without_nulls(about);
        let mean = tally.mean();
        let used: &[Value] = if mean.is_some() { &[json!({ "name": "mean" })] } else { &[] };
        scorers.push(json!({ "name": name, "metrics": used, "metadata": about }));
        let metrics: Map<String, Value> = mean
            .map(|value| ("mean".into(), json!({ "name": "mean", "value": value, "params": {} })))
            .into_iter()
            .collect();
        results.push(json!({
            "name": name,
            "scorer": name,
            "scored_samples": tally.scored,
            "unscored_samples": evaluation.rollouts.saturating_sub(tally.scored),
            "params": {},
            "metrics": metrics,
            "metadata": about,
        }));
    }
    let results =
        json!({ "total_samples": evaluation.rollouts, "completed_samples": evaluation.rollouts, "scores": results });
    (json!(scorers), results)
}

/// An object without what is not there: a field that is missing means the same everywhere.
pub(super) fn without_nulls(mut object: Value) -> Value {
    if let Some(map) = object.as_object_mut() {
        map.retain(|_, value| !value.is_null());
    }
    object
}
