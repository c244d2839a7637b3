//! One row a rollout, with a column for each metric: the wide form, for a data frame.

use crate::keys;
use crate::names;
use crate::run::{Planned, Run};
use crate::table::{Cell, Column, Emit, Kind};
use std::collections::{BTreeMap, BTreeSet};
use weir_memory::Facts;
use weir_rollout::reduce::Measured;
use weir_suite::{Error, RecordedFacts, Row, authority};
use weir_trace::json::canonical;

/// What a column of a metric shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Value,
    Numerator,
    Denominator,
}

impl Part {
    fn of(self, measured: &Measured) -> Option<f64> {
        match self {
            Part::Value => measured.value,
            Part::Numerator => measured.numerator,
            Part::Denominator => measured.denominator,
        }
    }
}

/// A metric's columns.
struct Metric {
    name: String,
    parts: Vec<(Part, Column)>,
}

/// A column about a recorded run.
type Recorded = (&'static str, Kind, fn(&RecordedFacts) -> Cell<'_>, &'static str);

/// Only a replay has them.
const RECORDED: [Recorded; 12] = [
    ("recorded.suite", Kind::Text, |r| Cell::text(&r.suite), "the recorded run's suite"),
    ("recorded.pipeline", Kind::Text, |r| Cell::text(&r.pipeline), "the agent pipeline"),
    ("recorded.direct_request", Kind::Bool, |r| Cell::Bool(r.direct_request), "the injection was the user's own task"),
    ("recorded.attacked", Kind::Bool, |r| Cell::Bool(r.attacked), "the run was attacked"),
    ("recorded.success", Kind::Bool, |r| Cell::of(r.success, Cell::Bool), "the attack succeeded"),
    ("recorded.utility", Kind::Bool, |r| Cell::of(r.utility, Cell::Bool), "the user's task was done"),
    (
        "recorded.blocked_calls",
        Kind::Int,
        |r| Cell::Int(r.blocked_calls.into()),
        "high-risk proposals that were blocked",
    ),
    ("recorded.attack_calls", Kind::Int, |r| Cell::Int(r.attack_calls.into()), "proposals of the injection's goal"),
    ("recorded.attack_blocked", Kind::Int, |r| Cell::Int(r.attack_blocked.into()), "of these, blocked"),
    ("recorded.attack_egress", Kind::Int, |r| Cell::Int(r.attack_egress.into()), "of these, reads of a chosen address"),
    (
        "recorded.authorized_calls",
        Kind::Int,
        |r| Cell::Int(r.authorised_calls.into()),
        "high-risk, authorised proposals",
    ),
    ("recorded.authorized_blocked", Kind::Int, |r| Cell::Int(r.authorised_blocked.into()), "of these, blocked"),
];

/// A column about a unit of an authority suite.
type Memory = (&'static str, Kind, fn(&Facts) -> Cell<'_>, &'static str);

/// Only an authority run has them.
const MEMORY: [Memory; 16] = [
    (
        "memory.module",
        Kind::Text,
        |f| Cell::text(f.module.letter()),
        "A: writing, B: acting, C: from history to action",
    ),
    ("memory.base", Kind::Text, |f| Cell::text(&f.base), "the base history"),
    ("memory.pair", Kind::Text, |f| Cell::text(&f.pair), "the pair of histories"),
    ("memory.transition", Kind::Text, |f| Cell::text(&f.transition), "the source-to-use transition"),
    ("memory.side", Kind::Text, |f| variant(&f.side), "negative: without authority; positive: the user states it"),
    ("memory.partition", Kind::Text, |f| variant(&f.partition), "validation, main or held-out"),
    ("memory.writer", Kind::Text, |f| Cell::of(f.writer.as_deref(), Cell::text), "the writer; null in Module B"),
    ("memory.view", Kind::Text, |f| Cell::of(f.view.as_deref(), Cell::text), "what the writer read: full or native"),
    ("memory.method", Kind::Text, |f| Cell::of(f.method.as_deref(), Cell::text), "how it wrote: rules or model"),
    (
        "memory.condition",
        Kind::Text,
        |f| Cell::of(f.condition.as_deref(), Cell::text),
        "Module B's condition or Module C's arm; null in Module A",
    ),
    (
        "memory.retention",
        Kind::Text,
        |f| f.retention.as_ref().map_or(Cell::Null, variant),
        "what became of the focal proposition; writer-error is no omission; null in Module B",
    ),
    (
        "memory.action",
        Kind::Text,
        |f| f.action.as_ref().map_or(Cell::Null, variant),
        "the acting model's first action against the registered one; null in Module A",
    ),
    ("memory.acted", Kind::Bool, |f| Cell::of(f.acted(), Cell::Bool), "the registered action took place"),
    ("memory.memories", Kind::Int, |f| Cell::Int(f.memories.into()), "memories that were written or given"),
    (
        "memory.source_in_text",
        Kind::Bool,
        |f| Cell::of(f.source_kept, |kept| Cell::Bool(kept.text)),
        "of a retained proposition without authority: every memory names its source",
    ),
    (
        "memory.source_as_evidence",
        Kind::Bool,
        |f| Cell::of(f.source_kept, |kept| Cell::Bool(kept.evidence)),
        "of the same: every memory lists the carrier's turn as evidence",
    ),
];

fn variant(of: &impl serde::Serialize) -> Cell<'static> {
    Cell::of(names::variant(of), Cell::owned)
}

/// The table of one run: which columns it has depends on its metrics.
pub(crate) struct Rollouts {
    metrics: Vec<Metric>,
    replay: bool,
    authority: bool,
}

impl Rollouts {
    /// Looks through the rows once, for metrics that come with counts.
    pub(crate) fn new(run: &Run<'_>) -> Result<Self, Error> {
        let mut counted: BTreeSet<(String, Part)> = BTreeSet::new();
        run.each_row(&mut |row, _| {
            for (name, measured) in &row.measurements {
                for part in [Part::Numerator, Part::Denominator] {
                    if part.of(measured).is_some() && !counted.contains(&(name.clone(), part)) {
                        counted.insert((name.clone(), part));
                    }
                }
            }
            Ok(())
        })?;
        let metric = |info: &weir_rollout::reduce::MetricInfo| {
            let column =
                |suffix: &str, meaning: &str| Column::maybe(&format!("{}{suffix}", info.name), Kind::Double, meaning);
            let mut parts = vec![(Part::Value, column("", &info.description))];
            for (part, suffix, meaning) in [
                (Part::Numerator, ".numerator", "the count above the line"),
                (Part::Denominator, ".denominator", "the count below the line"),
            ] {
                if counted.contains(&(info.name.clone(), part)) {
                    parts.push((part, column(suffix, meaning)));
                }
            }
            Metric { name: info.name.clone(), parts }
        };
        let metrics = run.manifest.metrics.iter().map(metric).collect();
        let kind = run.manifest.kind.as_str();
        let table = Rollouts { metrics, replay: kind == "replay", authority: kind == authority::KIND };
        // A reducer chooses its metrics' names, and two columns of one name are one too many for most programs.
        let mut seen = BTreeSet::new();
        if let Some(twice) = table.columns().into_iter().find(|column| !seen.insert(column.name.clone())) {
            return Err(Error::Input(format!(
                "a reducer calls a metric `{}`, which is the name of another column\n  --what measurements has every metric in a row of its own",
                twice.name
            )));
        }
        Ok(table)
    }

    /// Its columns.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let mut columns = keys::columns();
        let policy = "SHA-256 of the policy; null where none took part";
        columns.extend([
            // Only a writer's own units have none, and what is always there is easier to read.
            Column { nullable: self.authority, ..Column::always("policy_digest", Kind::Text, policy) },
            Column::always("simulated", Kind::Bool, "no language model was asked"),
            Column::maybe("scenario_digest", Kind::Text, "SHA-256 of the scenario; null in a recorded run"),
            Column::always("cluster", Kind::Text, "what counts as one independent case in the statistics"),
            Column::always("family", Kind::Text, "scenario family"),
            Column::always("topology", Kind::Text, "single, supervisor-worker or peer-chain"),
            Column::always("memory_mode", Kind::Text, "session or persistent"),
            Column::always("faults", Kind::Int, "decisions that a plugin fault took"),
            Column::always("lost_calls", Kind::Int, "authorised high-risk calls that were stopped"),
            Column::always("lost_calls_by_rule", Kind::Json, "the same, by the rule that stopped them"),
            Column::always("trace_sha256", Kind::Text, "canonical digest of the trace"),
        ]);
        if self.replay {
            columns.push(Column::maybe("recorded.unit", Kind::Text, "identity of the recorded run"));
            columns.extend(RECORDED.iter().map(|(name, kind, _, meaning)| Column::maybe(name, *kind, meaning)));
        }
        if self.authority {
            columns.extend(MEMORY.iter().map(|(name, kind, _, meaning)| Column::maybe(name, *kind, meaning)));
        }
        columns.extend(self.metrics.iter().flat_map(|metric| &metric.parts).map(|(_, column)| column.clone()));
        columns
    }

    /// Its rows.
    pub(crate) fn rows(&self, run: &Run<'_>, emit: Emit<'_>) -> Result<(), Error> {
        run.each_row(&mut |row, planned| {
            let unknown = row.measurements.keys().find(|name| !self.metrics.iter().any(|m| m.name == **name));
            if let Some(name) = unknown {
                return Err(Error::Input(format!("unit {} measures `{name}`, which is not in the manifest", row.unit)));
            }
            emit(&self.cells(run, row, planned)?)
        })
    }

    fn cells<'a>(&self, run: &Run<'_>, row: &'a Row, planned: &'a Planned) -> Result<Vec<Cell<'a>>, Error> {
        let lost = row.lost.values().map(|count| i64::from(*count)).sum();
        let by_rule: BTreeMap<&str, u32> = row.lost.iter().map(|(rule, count)| (rule.as_str(), *count)).collect();
        let mut cells = keys::cells(row);
        cells.extend([
            Cell::of(run.policy_digest(row)?, Cell::owned),
            Cell::Bool(row.simulated),
            Cell::of(planned.scenario_digest.as_deref(), Cell::text),
            Cell::text(&row.cluster),
            Cell::text(&row.family),
            Cell::text(&row.topology),
            Cell::text(&row.memory_mode),
            Cell::Int(row.faults.into()),
            Cell::Int(lost),
            Cell::Json(canonical(&serde_json::json!(by_rule))),
            Cell::text(&row.trace.sha256),
        ]);
        if self.replay {
            cells.push(Cell::of(planned.recorded.as_deref(), Cell::text));
            cells.extend(RECORDED.iter().map(|(_, _, cell, _)| row.recorded.as_ref().map_or(Cell::Null, cell)));
        }
        if self.authority {
            cells.extend(MEMORY.iter().map(|(_, _, cell, _)| row.memory.as_ref().map_or(Cell::Null, cell)));
        }
        for metric in &self.metrics {
            let measured = row.measurements.get(&metric.name);
            cells
                .extend(metric.parts.iter().map(|(part, _)| Cell::of(measured.and_then(|m| part.of(m)), Cell::Double)));
        }
        Ok(cells)
    }
}
