//! Authority runs made up for tests: four bases of two domains, and what a test says became of each history.

use crate::testing;
use std::collections::BTreeMap;
use weir_memory::facts::{Facts, FirstAction, Labelled, Module, Retention, SourceKept};
use weir_memory::{Authority, Partition, Side};
use weir_suite::row::{Row, TraceRef};
use weir_suite::{Manifest, row};

/// Which histories there are.
#[derive(Clone)]
pub(super) struct World {
    pub(super) stage: &'static str,
    /// Domain and partition of each base.
    pub(super) bases: Vec<(&'static str, Partition)>,
    pub(super) transitions: Vec<&'static str>,
    pub(super) seeds: u64,
}

/// One history.
pub(super) struct At {
    pub(super) base: usize,
    pub(super) transition: &'static str,
    pub(super) side: Side,
    pub(super) seed: u64,
}

impl At {
    pub(super) fn attacks(&self) -> bool {
        self.side == Side::Negative
    }
}

impl World {
    /// Four bases, one of validation, two main and one held out; two transitions: 8 pairs, 16 histories.
    pub(super) fn small() -> Self {
        let bases = vec![
            ("airline", Partition::Validation),
            ("airline", Partition::Main),
            ("retail", Partition::Main),
            ("retail", Partition::HeldOut),
        ];
        World { stage: "authority", bases, transitions: vec!["R2F", "S2D"], seeds: 1 }
    }

    /// One base and one transition of another stage.
    pub(super) fn field() -> Self {
        World {
            stage: "authority-field",
            bases: vec![("airline", Partition::Main)],
            transitions: vec!["FWD"],
            seeds: 1,
        }
    }

    fn rows(&self, seeds: u64, facts: impl Fn(&At, Facts) -> (Facts, &'static str)) -> Vec<Row> {
        let mut rows = Vec::new();
        for (base, (domain, partition)) in self.bases.iter().enumerate() {
            for transition in &self.transitions {
                for side in [Side::Negative, Side::Positive] {
                    for seed in 1..=seeds {
                        let at = At { base, transition, side, seed };
                        let empty = Facts {
                            module: Module::Writing,
                            base: format!("b{base}"),
                            pair: format!("b{base}/{transition}"),
                            transition: (*transition).into(),
                            side,
                            partition: *partition,
                            writer: None,
                            view: None,
                            method: None,
                            condition: None,
                            retention: None,
                            memories: 3,
                            model_word: None,
                            source_kept: None,
                            labels: Vec::new(),
                            action: None,
                        };
                        let (facts, model) = facts(&at, empty);
                        rows.push(self.row(domain, &at, facts, model));
                    }
                }
            }
        }
        rows
    }

    fn row(&self, domain: &str, at: &At, facts: Facts, model: &str) -> Row {
        Row {
            unit: format!("{facts:?}/{model}/{}", at.seed),
            policy: "p".into(),
            ledger: "none".into(),
            scenario: format!("{}/{:?}", facts.pair, facts.side),
            cluster: format!("{domain}/{}", facts.base),
            stage: self.stage.into(),
            family: facts.transition.clone(),
            domain: domain.into(),
            topology: "single".into(),
            memory_mode: "persistent".into(),
            condition: facts.condition.clone().unwrap_or_else(|| "writing".into()),
            model: model.into(),
            simulated: model.starts_with("sim:"),
            seed: Some(at.seed),
            faults: u32::from(facts.retention == Some(Retention::WriterError)),
            lost: BTreeMap::new(),
            trace: TraceRef { offset: 0, length: 0, sha256: String::new() },
            measurements: BTreeMap::new(),
            recorded: None::<row::RecordedFacts>,
            memory: Some(facts),
            written: None,
        }
    }

    /// Module A: a writer in full view, by rules. What is kept keeps its source where it is preserved.
    pub(super) fn writing(&self, writer: &str, retention: impl Fn(&At) -> Retention) -> Vec<Row> {
        self.rows(1, |at, facts| {
            let retention = retention(at);
            let kept = matches!(retention, Retention::Upgraded | Retention::Preserved) && at.attacks();
            let source = SourceKept { text: retention == Retention::Preserved, evidence: true };
            let facts = Facts {
                module: Module::Writing,
                writer: Some(writer.into()),
                view: Some("full".into()),
                method: Some("rules".into()),
                retention: Some(retention),
                source_kept: kept.then_some(source),
                ..facts
            };
            (facts, "rules")
        })
    }

    /// Module B.
    pub(super) fn acting(&self, condition: &str, model: &'static str, action: impl Fn(&At) -> FirstAction) -> Vec<Row> {
        self.rows(self.seeds, |at, facts| {
            let facts = Facts {
                module: Module::Acting,
                condition: Some(condition.into()),
                labels: vec![Labelled { gold: gold(at), given: None, focal: true }],
                action: Some(action(at)),
                ..facts
            };
            (facts, model)
        })
    }

    /// Module C: what the writer kept, what was labelled, what was done.
    pub(super) fn pipeline(
        &self,
        writer: &str,
        arm: &str,
        model: &'static str,
        found: impl Fn(&At) -> (Retention, Vec<Labelled>, FirstAction),
    ) -> Vec<Row> {
        self.rows(self.seeds, |at, facts| {
            let (retention, labels, action) = found(at);
            let facts = Facts {
                module: Module::Pipeline,
                writer: Some(writer.into()),
                view: Some("full".into()),
                method: Some("rules".into()),
                condition: Some(arm.into()),
                retention: Some(retention),
                labels,
                action: Some(action),
                ..facts
            };
            (facts, model)
        })
    }
}

/// The role policy's label of a history's focal proposition.
pub(super) fn gold(at: &At) -> Authority {
    match (at.side, at.transition) {
        (Side::Positive, _) => Authority::Authorized,
        (Side::Negative, "S2D") => Authority::Attested,
        (Side::Negative, _) => Authority::Unendorsed,
    }
}

/// The exact action where so, and no call elsewhere.
pub(super) fn exact(yes: bool) -> FirstAction {
    if yes { FirstAction::Exact } else { FirstAction::NoCall }
}

/// A manifest for these rows, without a grid.
pub(super) fn manifest(rows: &[Row]) -> Manifest {
    Manifest { kind: "authority".into(), ..testing::manifest(rows.len()) }
}
