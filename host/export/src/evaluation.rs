//! A run as other harnesses see it: evaluations, each of one model under one policy in one stage. Their samples are
//! scenarios, and the seeds of a scenario are its epochs.

use crate::names;
use crate::run::Run;
use crate::scores::{Scores, Worth};
use std::collections::BTreeMap;
use weir_suite::{Error, Row};
use weir_trace::json::{canonical, sha256};

/// What the rollouts of one evaluation have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) condition: String,
    pub(crate) policy: String,
    pub(crate) ledger: String,
    pub(crate) model: String,
    pub(crate) stage: String,
    /// Of an authority suite: module, writer, view and method.
    pub(crate) memory: [Option<String>; 4],
}

impl Key {
    pub(crate) fn of(row: &Row) -> Self {
        let memory = row.memory.as_ref().map_or_else(Default::default, |facts| {
            let module = names::variant(&facts.module);
            [module, facts.writer.clone(), facts.view.clone(), facts.method.clone()]
        });
        Key {
            condition: row.condition.clone(),
            policy: row.policy.clone(),
            ledger: row.ledger.clone(),
            model: row.model.clone(),
            stage: row.stage.clone(),
            memory,
        }
    }

    /// SHA-256 of a run's evaluation, for identifiers: the same run has the same ones.
    pub(crate) fn digest(&self, manifest: &str, purpose: &str) -> String {
        let parts = serde_json::json!([
            purpose,
            manifest,
            self.condition,
            self.policy,
            self.ledger,
            self.model,
            self.stage,
            self.memory
        ]);
        sha256(canonical(&parts).as_bytes())
    }

    /// Whether its rollouts are of an authority suite.
    pub(crate) fn is_authority(&self) -> bool {
        self.memory.iter().any(Option::is_some)
    }

    /// What it is called beside its stage: the policy, and whatever else is not as usual.
    pub(crate) fn defence(&self) -> String {
        let [_, writer, view, method] = &self.memory;
        let parts = [Some(&self.policy), (self.condition != "correct").then_some(&self.condition)];
        let all = parts.into_iter().flatten().chain([writer, view, method].into_iter().flatten());
        all.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// All values of one score.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Rollouts that have it.
    pub(crate) scored: usize,
    sum: f64,
    /// Whether it is a word, which has no mean.
    words: bool,
}

impl Tally {
    /// Its mean over the rollouts that have it; none of words.
    pub(crate) fn mean(&self) -> Option<f64> {
        // Counts of rollouts are far below 2^53, so the cast is exact.
        (self.scored > 0 && !self.words).then(|| self.sum / self.scored as f64)
    }
}

/// One evaluation, before its traces are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    pub(crate) rollouts: usize,
    /// Names of its samples in the order of the plan.
    pub(crate) samples: Vec<String>,
    epochs: BTreeMap<String, u32>,
    pub(crate) scores: BTreeMap<String, Tally>,
    pub(crate) simulated: bool,
    pub(crate) recorded: bool,
    pub(crate) policy_digest: Option<String>,
    /// Names of the domains, in the order of the plan.
    pub(crate) domains: Vec<String>,
}

impl Evaluation {
    /// The most seeds that a sample has.
    pub(crate) fn epochs(&self) -> u32 {
        self.epochs.values().copied().max().unwrap_or_default()
    }
}

/// The name of a rollout's sample: scenarios have names of their own in each domain.
pub(crate) fn sample(row: &Row) -> String {
    format!("{}/{}", row.domain, row.scenario)
}

/// The evaluations of a run, from its rows alone.
pub(crate) fn survey(run: &Run<'_>) -> Result<BTreeMap<Key, Evaluation>, Error> {
    let scores = Scores::new(&run.manifest.metrics);
    let mut all: BTreeMap<Key, Evaluation> = BTreeMap::new();
    run.each_row(&mut |row, _| {
        let evaluation = all.entry(Key::of(row)).or_default();
        if evaluation.rollouts == 0 {
            evaluation.policy_digest = run.policy_digest(row)?;
            (evaluation.simulated, evaluation.recorded) = (row.simulated, row.recorded.is_some());
        }
        evaluation.rollouts = evaluation.rollouts.saturating_add(1);
        if !evaluation.domains.contains(&row.domain) {
            evaluation.domains.push(row.domain.clone());
        }
        let name = sample(row);
        let epoch = evaluation.epochs.entry(name.clone()).or_default();
        if *epoch == 0 {
            evaluation.samples.push(name);
        }
        *epoch = epoch.saturating_add(1);
        for score in scores.of(row) {
            let tally = evaluation.scores.entry(score.name).or_default();
            tally.scored = tally.scored.saturating_add(1);
            match score.worth {
                Worth::Number(value) => tally.sum += value,
                Worth::Word(_) => tally.words = true,
            }
        }
        Ok(())
    })?;
    Ok(all)
}

/// Counts a sample's rollouts as they come: the first one is epoch 1, and in a live run it has the first seed.
#[derive(Default)]
pub(crate) struct Epochs(BTreeMap<(Key, String), u32>);

impl Epochs {
    pub(crate) fn next(&mut self, key: &Key, sample: &str) -> u32 {
        let epoch = self.0.entry((key.clone(), sample.to_owned())).or_default();
        *epoch = epoch.saturating_add(1);
        *epoch
    }
}
