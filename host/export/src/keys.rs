//! The columns with which every table begins: which rollout a row is of.

use crate::table::{Cell, Column, Kind};
use weir_suite::Row;

/// The columns.
pub(crate) fn columns() -> Vec<Column> {
    vec![
        Column::always("unit", Kind::Text, "identity of the rollout, a SHA-256; joins the tables"),
        Column::always(
            "condition",
            Kind::Text,
            "what was wrong with ledger or confirmations; `correct` if nothing; `memory by NAME` with a memory writer",
        ),
        Column::always("policy", Kind::Text, "the policy's name"),
        Column::always("ledger", Kind::Text, "form of the trusted intent ledger"),
        Column::always("model", Kind::Text, "the model, or the recorded pipeline"),
        Column::always("domain", Kind::Text, "the domain's name"),
        Column::always("scenario", Kind::Text, "the scenario"),
        Column::always("stage", Kind::Text, "evidence stage"),
        Column::maybe("seed", Kind::Unsigned, "rollout seed; null in a recorded run"),
    ]
}

/// Their cells.
pub(crate) fn cells(row: &Row) -> Vec<Cell<'_>> {
    vec![
        Cell::text(&row.unit),
        Cell::text(&row.condition),
        Cell::text(&row.policy),
        Cell::text(&row.ledger),
        Cell::text(&row.model),
        Cell::text(&row.domain),
        Cell::text(&row.scenario),
        Cell::text(&row.stage),
        Cell::of(row.seed, Cell::Unsigned),
    ]
}
