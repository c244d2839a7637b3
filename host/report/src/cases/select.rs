//! Which rollouts are shown.

use std::collections::BTreeMap;
use weir_suite::Row;
use weir_trace::Trace;

/// The readings that a case prints; a row keeps no other, since a run may have a hundred thousand rows.
pub(super) const READINGS: [&str; 10] = [
    "committed_harm",
    "harm_attempt",
    "authorized_tainted_action_success",
    "false_positive_block_rate",
    "blast_radius_norm",
    "recovery_success",
    "memory_reinfection",
    "rollback_events",
    "repaired_rate",
    "invalid_action_rate",
];

/// One case of table 21.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its number in the table.
    pub number: u32,
    /// Its name there.
    pub title: &'static str,
    /// What the table says it supports.
    pub claim: &'static str,
    /// The rule by which its rollouts were taken, and what is missing where the rule had to be widened.
    pub rule: &'static str,
    /// One rollout, or two of one scenario and seed; none where the run has none.
    pub rows: Vec<Row>,
}

/// All eight.
#[derive(Clone, Debug, PartialEq)]
pub struct Cases {
    /// In the order of the table.
    pub cases: Vec<Case>,
    /// The first attempt that the intent ledger stopped among several agents: lanes, taint, a refusal.
    attempt: Option<Row>,
}

impl Cases {
    /// The blocked workflow and the same under the intent ledger (cases 2 and 3): what figure 2 is made of.
    #[must_use]
    pub fn repair(&self) -> Option<(&Row, &Row)> {
        Some((self.first(2)?, self.first(3)?))
    }

    /// The rollout that figure 1 shows: an attempt that the intent ledger stopped, of several agents if there is one; else an
    /// authorised effect of tainted content, else a violation.
    #[must_use]
    pub fn graph(&self) -> Option<&Row> {
        self.attempt.as_ref().or_else(|| [3, 1].into_iter().find_map(|number| self.first(number)))
    }

    fn first(&self, number: u32) -> Option<&Row> {
        self.cases.iter().find(|case| case.number == number)?.rows.first()
    }
}

/// The best row so far: of a lower rank, or the first of its rank.
#[derive(Default)]
struct Best(Option<(usize, Row)>);

impl Best {
    fn offer(&mut self, rank: usize, row: &Row) {
        if self.0.as_ref().is_none_or(|(best, _)| rank < *best) {
            self.0 = Some((rank, row.clone()));
        }
    }
}

/// What two rollouts must have in common to be a pair.
type Key = (String, String, Option<u64>, String);

/// Rows that wait for their other half, with their place in the plan.
type Waiting = BTreeMap<Key, (usize, Row)>;

/// Takes the first row of the plan that meets each case's rule. Rollouts in which a plugin failed, and those with a wrong
/// ledger, show something else and are passed over.
///
/// `trace` reads a row's trace; it is asked for few, and only where a row does not say enough.
///
/// # Errors
/// The first error of the rows or of `trace`.
pub fn select<E>(
    rows: impl IntoIterator<Item = Result<Row, E>>,
    mut trace: impl FnMut(&Row) -> Result<Trace, E>,
) -> Result<Cases, E> {
    let (mut violation, mut memory, mut rollback) = (Best::default(), Best::default(), Best::default());
    let (mut stress, mut parser, mut attempt) = (Best::default(), Best::default(), Best::default());
    let (mut blocked, mut completed, mut boundary, mut intent) =
        (Waiting::new(), Waiting::new(), Waiting::new(), Waiting::new());
    let mut first_seed = None;
    for (place, row) in rows.into_iter().enumerate() {
        let mut row = row?;
        // Pairs are sought under the plan's first seed alone, so that what waits does not grow with the number of seeds.
        let waits = *first_seed.get_or_insert(row.seed) == row.seed;
        if row.condition != "correct" || row.faults > 0 || row.recorded.is_some() {
            continue;
        }
        row.measurements.retain(|name, _| READINGS.contains(&name.as_str()));
        let value = |name: &str| row.measurements.get(name).and_then(|measured| measured.value);
        let count = |name: &str| row.measurements.get(name).and_then(|measured| measured.numerator);
        let some = |value: Option<f64>| value.is_some_and(|value| value > 0.0);
        let (policy, stage) = (row.policy.as_str(), row.stage.as_str());
        let key = (row.cluster.clone(), row.model.clone(), row.seed, row.ledger.clone());
        let pair = waits && matches!(stage, "security" | "memory-recovery");
        match policy {
            // Nothing comes before a summary among documents, so no other trace is read once there is one.
            "none"
                if stage == "security"
                    && some(value("committed_harm"))
                    && violation.0.as_ref().is_none_or(|(best, _)| *best > usize::from(row.domain != "documents")) =>
            {
                violation.offer(summary_rank(&row, &mut trace)?, &row);
            }
            "taint-only"
                if waits
                    && stage == "active-tainted"
                    && !row.lost.is_empty()
                    && value("authorized_tainted_action_success") == Some(0.0) =>
            {
                blocked.entry(key).or_insert((place, row));
            }
            "tool-boundary" if pair => {
                boundary.entry(key).or_insert((place, row));
            }
            "rollback" if stage == "memory-recovery" => {
                if some(value("rollback_events")) {
                    rollback.offer(0, &row);
                } else if some(value("recovery_success")) {
                    rollback.offer(1, &row);
                }
            }
            "intent-ledger" => {
                let recovered = some(value("recovery_success"));
                let repaired = some(value("rollback_events"));
                if stage == "memory-recovery" && (recovered || repaired) {
                    memory.offer(usize::from(!repaired) + 2 * usize::from(!recovered), &row);
                }
                if some(value("harm_attempt")) && value("committed_harm") == Some(0.0) {
                    let agents = match row.topology.as_str() {
                        "supervisor-worker" => 0,
                        "single" => 2,
                        _ => 1,
                    };
                    attempt.offer(agents, &row);
                    match stage {
                        "stress" => stress.offer(0, &row),
                        "security" => stress.offer(1, &row),
                        _ => {}
                    }
                }
                match (some(count("repaired_rate")), some(count("invalid_action_rate"))) {
                    (true, true) => parser.offer(0, &row),
                    (true, false) => parser.offer(1, &row),
                    (false, true) => parser.offer(2, &row),
                    (false, false) => {}
                }
                if waits && stage == "active-tainted" && some(value("authorized_tainted_action_success")) {
                    completed.entry(key.clone()).or_insert((place, row.clone()));
                }
                if pair {
                    intent.entry(key).or_insert((place, row));
                }
            }
            _ => {}
        }
    }
    let (two, three, two_rank) = repair(blocked, &completed);
    Ok(Cases {
        cases: vec![
            one(1, violation),
            Case { rows: two.into_iter().collect(), ..case(2, two_rank) },
            Case { rows: three.into_iter().collect(), ..case(3, 0) },
            spread(boundary, &intent),
            one(5, memory),
            one(6, rollback),
            one(7, stress),
            one(8, parser),
        ],
        attempt: attempt.0.map(|(_, row)| row),
    })
}

/// The paper's task is the summary of a private project plan that is not to be shared or published, so documents come first;
/// only the trace says what was asked, in the user's words.
fn summary_rank<E>(row: &Row, trace: &mut impl FnMut(&Row) -> Result<Trace, E>) -> Result<usize, E> {
    let goal = trace(row)?.header.goal.trim_start().to_lowercase();
    let summary = goal.starts_with("summarise") || goal.starts_with("summarize");
    Ok(match (summary, row.domain.as_str()) {
        (true, "documents") => 0,
        (true, _) => 1,
        (false, _) => 2,
    })
}

fn one(number: u32, best: Best) -> Case {
    match best.0 {
        Some((rank, row)) => Case { rows: vec![row], ..case(number, rank) },
        None => case(number, 0),
    }
}

/// Of the workflows that taint-only stopped and the intent ledger let finish: a calendar invite of the customer domain if
/// there is one, else another of that domain, else any; the first of the plan. Without one, the first that was stopped.
fn repair(blocked: Waiting, completed: &Waiting) -> (Option<Row>, Option<Row>, usize) {
    let rank = |row: &Row| match row.domain.as_str() {
        "crm" if ["calendar", "invite", "meeting"].iter().any(|word| row.family.contains(word)) => 0,
        "crm" => 1,
        _ => 2,
    };
    let best = blocked
        .into_iter()
        .map(|(key, (place, row))| {
            let other = completed.get(&key).map(|(_, row)| row.clone());
            ((other.is_none(), rank(&row), place), row, other)
        })
        .min_by_key(|(order, _, _)| *order);
    match best {
        Some(((alone, rank, _), row, other)) => (Some(row), other, if alone { 3 } else { rank }),
        None => (None, None, 0),
    }
}

fn spread(boundary: Waiting, intent: &Waiting) -> Case {
    let reading = |row: &Row| row.measurements.get("blast_radius_norm").and_then(|measured| measured.value);
    let best = boundary
        .into_iter()
        .filter_map(|(key, (place, row))| {
            let (_, other) = intent.get(&key)?;
            let differs = reading(&row)? != reading(other)?;
            differs.then(|| ((usize::from(row.stage != "security"), place), row, other.clone()))
        })
        .min_by_key(|(order, _, _)| *order);
    match best {
        Some(((rank, _), row, other)) => Case { rows: vec![row, other], ..case(4, rank) },
        None => case(4, 0),
    }
}

/// The table's words, and the rule of the rank that was met.
fn case(number: u32, rank: usize) -> Case {
    let (title, claim, rules): (_, _, &[&'static str]) = match number {
        1 => (
            "no-defence policy-violating commit",
            "Shows why attack success alone is not enough, and why containment at run time is needed.",
            &[
                "none, stage security, domain documents: the first rollout on a summary task with a committed violation",
                "none, stage security: the first rollout on a summary task with a committed violation. Domain documents has none",
                "none, stage security: the first rollout with a committed violation. The run has none on a summary task",
            ],
        ),
        2 => (
            "taint-only blocks an authorised workflow",
            "The pressure of false positives that motivated the intent ledger.",
            &[
                "taint-only, stage active-tainted: the first calendar invite whose authorised call was stopped and which the intent ledger let finish",
                "taint-only, stage active-tainted, domain crm: the first workflow whose authorised call was stopped and which the intent ledger let finish. The run has no such calendar invite",
                "taint-only, stage active-tainted: the first workflow whose authorised call was stopped and which the intent ledger let finish. The run has none of domain crm",
                "taint-only, stage active-tainted: a workflow whose authorised call was stopped. The run has none that the intent ledger let finish",
            ],
        ),
        3 => (
            "the intent ledger lets the same workflow finish",
            "Authorised tainted work is recovered: scenario, model and seed are those of case 2.",
            &["intent-ledger: the scenario, model and seed of case 2"],
        ),
        4 => (
            "tool-boundary against the intent ledger: logged spread",
            "Two traces of one scenario and seed, of different logged spread. It is no claim about violations.",
            &[
                "tool-boundary and intent-ledger, stage security: the first scenario, model and seed with different logged spread",
                "tool-boundary and intent-ledger, stage memory-recovery: the first scenario, model and seed with different logged spread. Stage security has none",
            ],
        ),
        5 => (
            "memory recovery or quarantine",
            "How recovery is represented. It is no claim that reinfection is lower.",
            &[
                "intent-ledger, stage memory-recovery: the first rollout that recovered with a repair",
                "intent-ledger, stage memory-recovery: the first rollout that recovered. None of this policy's had a repair and recovered",
                "intent-ledger, stage memory-recovery: the first rollout with a repair. None of this policy's recovered",
            ],
        ),
        6 => (
            "rollback",
            "Keeps the evidence on rollback to recovery: it is no claim of dominance.",
            &[
                "rollback, stage memory-recovery: the first rollout with a repair",
                "rollback, stage memory-recovery: the first rollout that recovered. The run has none with a repair, so this one shows no rollback",
            ],
        ),
        7 => (
            "a policy-aware attempt is blocked",
            "The bounded slice of injections that know the policy.",
            &[
                "intent-ledger, stage stress: the first rollout with an attempt and no committed violation",
                "intent-ledger, stage security: the first rollout with an attempt and no committed violation. The run has no such rollout of stage stress, so this injection does not know the policy",
            ],
        ),
        _ => (
            "validity of the parser",
            "What the action parser repaired, and that invalid actions never ran.",
            &[
                "intent-ledger: the first rollout with a repaired and an invalid action",
                "intent-ledger: the first rollout with a repaired action. The run has none with both, so this one shows no invalid action",
                "intent-ledger: the first rollout with an invalid action. The run has none with a repaired one",
            ],
        ),
    };
    Case { number, title, claim, rule: rules.get(rank).copied().unwrap_or_default(), rows: Vec::new() }
}
