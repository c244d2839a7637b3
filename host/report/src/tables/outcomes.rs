//! What each policy let happen and let be done: tables 9, 11, 15 and 17.

use crate::names::{self, ACTIVE, CLEAN, MEMORY, SECURITY, STRESS};
use crate::page::Table;
use crate::tables::{Column, by_policy, silent_controls};
use crate::view::{Scope, View};

/// Table 9.
pub(crate) fn table_9(view: &View) -> Option<Table> {
    let columns = [
        Column::new("Policy viol.", names::HARM, SECURITY),
        Column::new("Wrong recip.", names::RECIPIENT, SECURITY),
        Column::new("Secret leak", names::LEAK, SECURITY),
        Column::new("Logged spread", names::SPREAD, SECURITY),
    ];
    let scope = Scope::Stage(SECURITY);
    view.covers(scope).then(|| {
        let mut table = by_policy(view, "9", "security stage", scope, &columns);
        table.notes.extend(silent_controls(view, &columns));
        table
    })
}

/// Table 11, with the reading of each column that the paper's text defines.
pub(crate) fn table_11(view: &View) -> Option<Table> {
    let columns = [
        Column::new("Authorized completion", names::COMPLETION, ACTIVE),
        Column::new("FP block", names::FP_BLOCK, ACTIVE),
        Column::new("FP confirm", names::FP_CONFIRM, ACTIVE),
        Column::new("Clean completion", names::CLEAN_COMPLETION, CLEAN),
    ];
    let scope = Scope::Stage(ACTIVE);
    view.covers(scope).then(|| {
        let mut table = by_policy(view, "11", "utility stages", scope, &columns);
        table.notes.push("Authorized completion: the indicator of equation 6 over all rollouts of the stage. FP block and FP confirm: the mean over rollouts of authorised high-risk proposals stopped, over all of them. N is of the active-tainted stage; every cell has its own denominator.".into());
        table
    })
}

/// The other readings of table 11. Its printed completions are no means of 0 and 1 over 600 rollouts.
pub(crate) fn readings(view: &View) -> Option<Table> {
    let columns = [
        Column::new("Completion, indicator", names::COMPLETION, ACTIVE),
        Column::new("Completion, per-rollout ratio", names::COMPLETION_RATIO, ACTIVE),
        Column::new("Completion, applicable rows", names::COMPLETION_APPLICABLE, ACTIVE),
        Column::new("FP block, any in rollout", "false_positive_block_any", ACTIVE),
        Column::new("FP blocks a rollout", "false_positive_blocks", ACTIVE),
        Column::new("FP confirm, any in rollout", "false_positive_confirm_any", ACTIVE),
        Column::new("FP confirms a rollout", "false_positive_confirms", ACTIVE),
    ];
    let scope = Scope::Stage(ACTIVE);
    view.covers(scope).then(|| {
        let mut table = by_policy(view, "11, readings", "completion and false positives, each in all readings", scope, &columns);
        table.notes.push("0.9136 x 600, 0.1642 x 600 and 0.0102 x 600 are no whole numbers, so the paper's completion is no mean of equation 6's indicator over 600 rollouts. Ratio: authorised high-risk proposals that committed over all of them. Applicable rows: the indicator, without the rollouts that propose none.".into());
        table
    })
}

/// Table 15.
pub(crate) fn table_15(view: &View) -> Option<Table> {
    let columns = [
        Column::new("Reinfection", names::REINFECTION, MEMORY),
        Column::new("Recovery", names::RECOVERY, MEMORY),
        Column::new("Rollback", names::ROLLBACKS, MEMORY),
        Column::new("Logged spread", names::SPREAD, MEMORY),
    ];
    let scope = Scope::Stage(MEMORY);
    view.covers(scope).then(|| {
        let mut table = by_policy(view, "15", "memory/recovery stage", scope, &columns);
        table.notes.extend(silent_controls(view, columns.get(..1).unwrap_or_default()));
        table.notes.push("Rollback: repairs a rollout.".into());
        table
    })
}

/// Table 17.
pub(crate) fn table_17(view: &View) -> Option<Table> {
    let columns = [
        Column::new("Stress harm attempt", names::ATTEMPT, STRESS),
        Column::new("Stress committed viol.", names::HARM, STRESS),
        Column::new("Wrong recip.", names::RECIPIENT, STRESS),
    ];
    let scope = Scope::Stage(STRESS);
    view.covers(scope).then(|| {
        let mut table = by_policy(view, "17", "policy-aware stress slice", scope, &columns);
        table.notes.extend(silent_controls(view, &columns));
        table
    })
}
