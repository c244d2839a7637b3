//! Rows on their way into columns, and the checks that come after the last.

use super::values::{Number, Values};
use super::{Arm, ArmKey, Cell, CollectError, Collected, Loss, Metric, Model, Scenario, number, place};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use weir_rollout::reduce::MetricInfo;
use weir_suite::published::OWN;
use weir_suite::{Manifest, Row};

/// Rows as they come, of one run or of several that share everything but their policies.
pub struct Collecting {
    shared: Shared,
    columns: BTreeMap<String, usize>,
    collected: Collected,
    /// Place of each name that has one, by kind of name.
    scenarios: BTreeMap<String, u32>,
    seeds: BTreeMap<u64, u32>,
    rules: BTreeMap<String, u32>,
    units: usize,
}

/// What runs must share, so that their policies have met the same questions.
struct Shared {
    settings: BTreeMap<String, Value>,
    metrics: Vec<MetricInfo>,
}

impl Shared {
    fn of(manifest: &Manifest) -> Self {
        let settings = manifest.settings.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
        Shared {
            settings: settings.map(|(name, value)| (name.clone(), value.clone())).collect(),
            metrics: manifest.metrics.clone(),
        }
    }
}

impl Collecting {
    /// Begins with a run.
    #[must_use]
    pub fn new(manifest: &Manifest) -> Self {
        let metrics: Vec<Metric> = manifest
            .metrics
            .iter()
            .map(|metric| Metric {
                name: metric.name.clone(),
                family: metric.family.clone(),
                better: metric.better.clone(),
                stages: metric.stages.clone(),
                description: metric.description.clone(),
            })
            .collect();
        Collecting {
            shared: Shared::of(manifest),
            columns: metrics.iter().enumerate().map(|(place, metric)| (metric.name.clone(), place)).collect(),
            scenarios: BTreeMap::new(),
            seeds: BTreeMap::new(),
            rules: BTreeMap::new(),
            units: manifest.units,
            collected: Collected {
                conditions: Vec::new(),
                models: Vec::new(),
                policies: Vec::new(),
                stages: Vec::new(),
                scenarios: Vec::new(),
                seeds: Vec::new(),
                metrics,
                rules: Vec::new(),
                rows: 0,
                values: Values::default(),
                arms: BTreeMap::new(),
            },
        }
    }

    /// Goes on with another run, of other policies.
    ///
    /// # Errors
    /// Where it had other settings, scenarios, seeds or models among them, or was measured with other metrics.
    pub fn also(&mut self, manifest: &Manifest) -> Result<(), CollectError> {
        let other = Shared::of(manifest);
        if self.shared.metrics != other.metrics {
            return Err(CollectError::Unlike("metrics".into()));
        }
        let names = self.shared.settings.keys().chain(other.settings.keys());
        if let Some(name) = names.into_iter().find(|name| self.shared.settings.get(*name) != other.settings.get(*name))
        {
            return Err(CollectError::Unlike(name.clone()));
        }
        self.units += manifest.units;
        Ok(())
    }

    /// Adds a row.
    ///
    /// # Errors
    /// One of a recorded run, and one with a metric that the manifest does not define.
    pub fn add(&mut self, row: &Row) -> Result<(), CollectError> {
        let seed = row.seed.ok_or_else(|| CollectError::NotLive { unit: row.unit.clone() })?;
        let into = &mut self.collected;
        let model = Model { name: row.model.clone(), simulated: row.simulated };
        let key = ArmKey {
            condition: place_of(&mut into.conditions, |known| *known == row.condition, || row.condition.clone()),
            model: place_of(&mut into.models, |known| *known == model, || model.clone()),
            policy: place_of(&mut into.policies, |known| *known == row.policy, || row.policy.clone()),
        };
        place_of(&mut into.stages, |known| *known == row.stage, || row.stage.clone());
        let scenario = match self.scenarios.get(&row.cluster) {
            Some(&scenario) => scenario,
            None => {
                into.scenarios.push(Scenario {
                    key: row.cluster.clone(),
                    stage: row.stage.clone(),
                    domain: row.domain.clone(),
                    topology: row.topology.clone(),
                    memory_mode: row.memory_mode.clone(),
                    family: row.family.clone(),
                });
                *self.scenarios.entry(row.cluster.clone()).or_insert(number(into.scenarios.len() - 1))
            }
        };
        let seed = *self.seeds.entry(seed).or_insert_with(|| {
            into.seeds.push(seed);
            number(into.seeds.len() - 1)
        });
        let arm = into.arms.entry(key).or_default();
        let (start, at) = (arm.values.len(), number(arm.cells.len()));
        arm.values.resize(start + into.metrics.len(), Number::NOT_APPLICABLE);
        for (name, measured) in &row.measurements {
            let Some(&column) = self.columns.get(name) else {
                return Err(CollectError::UnknownMetric { unit: row.unit.clone(), metric: name.clone() });
            };
            if let Some(slot) = arm.values.get_mut(start + column) {
                *slot = into.values.number(measured.value);
            }
            if let (Some(numerator), Some(denominator)) = (measured.numerator, measured.denominator) {
                let sums = arm.pooled.entry((scenario, column)).or_default();
                sums.numerator += numerator;
                sums.denominator += denominator;
            }
        }
        for (name, &count) in &row.lost {
            let rule = match self.rules.get(name) {
                Some(&rule) => rule,
                None => {
                    into.rules.push(name.clone());
                    *self.rules.entry(name.clone()).or_insert(number(into.rules.len() - 1))
                }
            };
            arm.losses.push(Loss { row: at, rule, count });
        }
        arm.written = arm.written.saturating_add(u64::from(row.written.unwrap_or(0)));
        if row.faults > 0 {
            *arm.faulted.entry(scenario).or_default() += 1;
        }
        arm.cells.push(Cell { scenario, seed });
        into.rows += 1;
        Ok(())
    }

    /// Ends with the checks that need all rows.
    ///
    /// # Errors
    /// Other rows than the manifests promise, and a rollout that one policy has and another has not.
    pub fn finish(mut self) -> Result<Collected, CollectError> {
        if self.collected.rows != self.units {
            return Err(CollectError::Incomplete { rows: self.collected.rows, units: self.units });
        }
        let width = self.collected.metrics.len();
        self.collected.arms.values_mut().for_each(|arm| in_order(arm, width));
        let every: BTreeSet<Cell> = self.collected.arms.values().flat_map(|arm| arm.cells.iter().copied()).collect();
        for (key, arm) in &self.collected.arms {
            if let Some(twice) = arm.cells.array_windows().find(|[a, b]| a == b).map(|[cell, _]| *cell) {
                return Err(self.cell_error(*key, twice, CollectError::twice));
            }
            if arm.cells.len() < every.len() {
                let mut have = arm.cells.iter().peekable();
                let missing = every.iter().find(|cell| have.next_if_eq(cell).is_none());
                if let Some(&missing) = missing {
                    return Err(self.cell_error(*key, missing, CollectError::missing));
                }
            }
        }
        self.every_arm()?;
        Ok(self.collected)
    }

    /// Conditions, models and policies are crossed: an arm without any row is missing all of them.
    fn every_arm(&self) -> Result<(), CollectError> {
        let known = &self.collected;
        for condition in 0..known.conditions.len() {
            for model in 0..known.models.len() {
                for policy in 0..known.policies.len() {
                    let key = ArmKey { condition, model, policy };
                    if !known.arms.contains_key(&key) {
                        return Err(self.cell_error(key, Cell { scenario: 0, seed: 0 }, CollectError::missing));
                    }
                }
            }
        }
        Ok(())
    }

    fn cell_error(&self, key: ArmKey, cell: Cell, error: fn([String; 5]) -> CollectError) -> CollectError {
        let known = &self.collected;
        let name = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        error([
            name(&known.policies, key.policy),
            known.models.get(key.model).map(|model| model.name.clone()).unwrap_or_default(),
            name(&known.conditions, key.condition),
            known.scenarios.get(place(cell.scenario)).map(|scenario| scenario.key.clone()).unwrap_or_default(),
            known.seeds.get(place(cell.seed)).map(u64::to_string).unwrap_or_default(),
        ])
    }
}

/// Sorts an arm by scenario and seed. Rows come so already, unless a suite names a domain and stage twice.
fn in_order(arm: &mut Arm, width: usize) {
    arm.values.shrink_to_fit();
    arm.cells.shrink_to_fit();
    if arm.cells.is_sorted() {
        return;
    }
    let mut order: Vec<usize> = (0..arm.cells.len()).collect();
    order.sort_by_key(|&row| arm.cells.get(row).copied());
    let row = |row: usize| arm.values.get(row * width..(row + 1) * width).unwrap_or_default();
    arm.values = order.iter().flat_map(|&at| row(at).iter().copied()).collect();
    let mut moved = vec![0; order.len()];
    for (to, &from) in order.iter().enumerate() {
        if let Some(slot) = moved.get_mut(from) {
            *slot = number(to);
        }
    }
    for loss in &mut arm.losses {
        loss.row = moved.get(place(loss.row)).copied().unwrap_or(loss.row);
    }
    arm.cells.sort_unstable();
}

fn place_of<T>(known: &mut Vec<T>, is: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    known.iter().position(is).unwrap_or_else(|| {
        known.push(new());
        known.len() - 1
    })
}
