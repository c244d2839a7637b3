//! The aggregate of a record, and what identifies it.

use super::{Record, SCHEMA};
use crate::Times;
use crate::evaluation::{Evaluation, Key};
use crate::run::Run;
use crate::scores::{SECURITY, Scores, UTILITY};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use weir_suite::Error;

/// What stands for one record in all its places.
pub(super) struct Identity {
    /// Its own.
    pub(super) evaluation: String,
    /// Of the model, with a developer before a slash, in characters that a path may have.
    pub(super) model: String,
    /// Its file's name without an ending: a UUID of version 4's form, made of a digest.
    file: String,
}

/// What is known of the file of lines.
pub(super) struct Samples {
    pub(super) checksum: String,
    pub(super) rows: u64,
}

impl Identity {
    fn path(&self, ending: &str) -> String {
        // Developer and model are two folders; further slashes are none.
        let (developer, model) = self.model.split_once('/').unwrap_or(("", &self.model));
        format!("data/weir/{developer}/{}/{}{ending}", model.replace('/', "_"), self.file)
    }

    /// Path of the lines.
    pub(super) fn samples(&self) -> String {
        self.path("_samples.jsonl")
    }

    /// Path of the aggregate.
    pub(super) fn aggregate(&self) -> String {
        self.path(".json")
    }

    /// Identity of one result: a stage and a score.
    pub(super) fn result(&self, stage: &str, score: &str) -> String {
        format!("{}#{stage}/{score}", self.evaluation)
    }
}

/// The identity of a record.
pub(super) fn identity(run: &Run<'_>, key: &Key, times: Times) -> Identity {
    let digest = key.digest(&run.manifest_digest, "record");
    let part = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    let file = format!("{}-{}-4{}-a{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30));
    let model = model(&key.model);
    let evaluation = format!("weir-{}-{}/{model}/{}", run.manifest.identity(), part(0, 12), times.seconds);
    Identity { evaluation, model, file }
}

/// A model's name as `DEVELOPER/MODEL`. A run knows names and no developers.
fn model(name: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let plain: String = name.chars().map(|c| if kept(c) { c } else { '-' }).collect();
    // A path's part may not end in a dot, and is not empty.
    format!("unattributed/{}", if plain.is_empty() || plain.ends_with('.') { plain + "-" } else { plain })
}

/// The aggregate's text.
pub(super) fn text(
    run: &Run<'_>,
    key: &Key,
    identity: &Identity,
    stages: &BTreeMap<String, Evaluation>,
    samples: &Samples,
    record: &Record,
) -> Result<String, Error> {
    let any = stages.values().next();
    let simulated = any.is_some_and(|evaluation| evaluation.simulated);
    let [module, writer, view, method] = &key.memory;
    let generation = texts(&[
        ("policy", Some(&key.policy)),
        ("policy_sha256", any.and_then(|evaluation| evaluation.policy_digest.as_ref())),
        ("ledger", Some(&key.ledger)),
        ("condition", Some(&key.condition)),
        ("memory_module", module.as_ref()),
        ("memory_writer", writer.as_ref()),
        ("memory_view", view.as_ref()),
        ("memory_method", method.as_ref()),
    ]);
    let mut results = Vec::new();
    for (stage, evaluation) in stages {
        let meanings = Scores::new(&run.manifest.metrics).meanings(stage, key.is_authority(), evaluation.recorded);
        for name in [SECURITY, UTILITY] {
            let Some(tally) = evaluation.scores.get(name) else { continue };
            let (Some(mean), Some(meaning)) = (tally.mean(), meanings.get(name)) else { continue };
            results.push(json!({
                "evaluation_result_id": identity.result(stage, name),
                "evaluation_name": format!("{stage}/{name}"),
                "source_data": {
                    "dataset_name": format!("Weir: {}", evaluation.domains.join(", ")),
                    "source_type": "other",
                    "additional_details": { "plan_sha256": run.manifest.plan },
                },
                "metric_config": {
                    "evaluation_description": meaning.definition,
                    "metric_id": format!("weir.{name}"),
                    "metric_name": name,
                    "metric_kind": "pass_rate",
                    "metric_unit": "proportion",
                    "lower_is_better": false,
                    "score_type": "continuous",
                    "min_score": 0,
                    "max_score": 1,
                },
                "score_details": {
                    "score": mean,
                    "details": {
                        "rollouts_scored": tally.scored.to_string(),
                        "rollouts": evaluation.rollouts.to_string(),
                        "scenarios": evaluation.samples.len().to_string(),
                        "uncertainty": "not given: rollouts of one cluster are not independent; `weir report` has intervals over clusters",
                    },
                },
                "generation_config": { "generation_args": {}, "additional_details": generation },
            }));
        }
    }
    let aggregate = json!({
        "schema_version": SCHEMA,
        "evaluation_id": identity.evaluation,
        "retrieved_timestamp": record.times.seconds.to_string(),
        "source_metadata": {
            "source_name": "Weir",
            "source_type": "evaluation_run",
            "source_organization_name": record.organisation,
            "evaluator_relationship": "other",
            "additional_details": {
                "time": "made up: a run has no clock; retrieved_timestamp is what the exporter was told, 0 if nothing",
            },
        },
        "eval_library": {
            "name": "weir",
            "version": run.manifest.host,
            "additional_details": {
                "run": run.manifest.identity(),
                "manifest_sha256": run.manifest_digest,
                "contract": run.manifest.contract,
            },
        },
        "model_info": {
            "name": key.model,
            "id": identity.model,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "simulated": simulated.to_string(),
            },
        },
        "evaluation_results": results,
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": identity.samples(),
            "hash_algorithm": "sha256",
            "checksum": samples.checksum,
            "total_rows": samples.rows,
        },
    });
    let mut text = serde_json::to_string_pretty(&aggregate).map_err(|e| Error::Input(e.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// An object of texts, without those that are not there.
fn texts(pairs: &[(&str, Option<&String>)]) -> Map<String, Value> {
    let there = |(key, value): &(&str, Option<&String>)| Some(((*key).to_owned(), (*value)?.as_str().into()));
    pairs.iter().filter_map(there).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_s_name_is_a_path_whatever_is_in_it() {
        assert_eq!(model("sim:qwen2.5-7b"), "unattributed/sim-qwen2.5-7b");
        assert_eq!(model("../../etc"), "unattributed/..-..-etc");
        assert_eq!(model(".."), "unattributed/..-");
        assert_eq!(model(""), "unattributed/-");
        assert_eq!(model("a/b:c\u{202e}"), "unattributed/a-b-c-");
    }
}
