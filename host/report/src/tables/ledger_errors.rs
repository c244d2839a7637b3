//! What policies are worth when what they trust is wrong (table 16, second row): for each kind of error, its rate against
//! violation and completion.

use crate::collect::Collected;
use crate::names::{self, ACTIVE, SECURITY};
use crate::page::Table;
use crate::view::{Scope, View};
use weir_stats::Resamples;

/// The condition in which nothing is wrong.
pub(crate) const CORRECT: &str = "correct";

/// What each table shows: metric, stage and words.
const MEASURED: [(&str, &str, &str); 4] = [
    (names::HARM, SECURITY, "policy violation, security stage"),
    (names::HARM, ACTIVE, "policy violation, active-tainted stage"),
    (names::COMPLETION, ACTIVE, "authorized completion, active-tainted stage"),
    (names::BENIGN, SECURITY, "benign completion, security stage"),
];

/// Kinds of error with the places of their conditions and their rates, in the order in which they were run; each begins
/// with the correct ledger.
pub(crate) fn kinds(run: &Collected) -> Vec<(String, Vec<(usize, String)>)> {
    let mut kinds: Vec<(String, Vec<(usize, String)>)> = Vec::new();
    let correct = run.conditions.iter().position(|condition| condition == CORRECT);
    for (place, condition) in run.conditions.iter().enumerate() {
        // Other conditions have names that do not end in a rate.
        let named = condition.rsplit_once(' ').filter(|(_, rate)| rate.parse::<f64>().is_ok());
        let Some((kind, rate)) = named else { continue };
        let found = kinds.iter().position(|(known, _)| known == kind).unwrap_or_else(|| {
            kinds.push((kind.to_owned(), correct.map(|place| (place, "0".to_owned())).into_iter().collect()));
            kinds.len() - 1
        });
        if let Some((_, rates)) = kinds.get_mut(found) {
            rates.push((place, rate.to_owned()));
        }
    }
    kinds
}

/// A table for each kind and measure.
pub(crate) fn tables(run: &Collected, model: usize, resamples: &Resamples) -> Vec<Table> {
    let mut tables = Vec::new();
    for (kind, rates) in kinds(run) {
        let views: Vec<View> =
            rates.iter().map(|(condition, _)| View::new(run, *condition, model, resamples)).collect();
        let Some(first) = views.first() else { continue };
        for (metric, stage, words) in MEASURED.iter().filter(|(_, stage, _)| first.covers(Scope::Stage(stage))) {
            let scope = Scope::Stage(stage);
            let mut head = vec!["Policy".to_owned()];
            head.extend(rates.iter().map(|(_, rate)| format!("rate {rate}")));
            let rows = run.policies.iter().enumerate().map(|(policy, name)| {
                let cells = views.iter().map(|view| view.precise(policy, metric, scope));
                [names::policy(name).to_owned()].into_iter().chain(cells).collect()
            });
            tables.push(Table {
                id: format!("ledger-{}-{}-{stage}", crate::tables::slug(&kind), crate::tables::slug(metric)),
                title: format!("Error `{kind}`: {words}, {}", first.model_name()),
                head,
                rows: rows.collect(),
                notes: vec![format!(
                    "{} scenarios, {} seeds. The oracle stays right: only what policies trust is wrong. Errors at one rate are among those at every higher one.",
                    first.scenarios(scope),
                    run.seeds.len()
                )],
            });
        }
    }
    tables
}
