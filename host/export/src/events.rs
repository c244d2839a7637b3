//! One row for each event of each trace: the trace graph, with its texts.

use crate::keys;
use crate::names;
use crate::run::Run;
use crate::table::{Cell, Column, Emit, Kind};
use weir_suite::Error;
use weir_trace::json::canonical;
use weir_trace::{Event, Trace};

/// The columns.
pub(crate) fn columns() -> Vec<Column> {
    let mut columns = keys::columns();
    columns.extend([
        Column::always("event", Kind::Int, "position in the trace, from 0"),
        Column::maybe("kind", Kind::Text, "what the node stands for"),
        Column::always("agent", Kind::Text, "the agent's name"),
        Column::maybe("tool", Kind::Text, "the tool's name, where the event belongs to a call"),
        Column::maybe("call", Kind::Int, "the call's identifier, unique within the rollout"),
        Column::always("labels", Kind::Texts, "labels at the node"),
        Column::always("facts", Kind::Texts, "what the host and the oracle know; no policy saw it"),
        Column::always("edge_parents", Kind::Ints, "earlier events that this one follows from"),
        Column::always("edge_kinds", Kind::Texts, "why, one for each parent; only data-flow carries labels"),
        Column::always("text", Kind::Text, "what a reader or a model saw; may be an attacker's words"),
        Column::always("body", Kind::Json, "what only this kind of node has, as the trace file has it"),
    ]);
    columns
}

/// The rows.
pub(crate) fn rows(run: &Run<'_>, emit: Emit<'_>) -> Result<(), Error> {
    run.each_trace(&mut |row, trace| {
        let keys = keys::cells(row);
        for event in &trace.events {
            let mut cells = keys.clone();
            cells.extend(own(trace, event)?);
            emit(&cells)?;
        }
        Ok(())
    })
}

fn own<'a>(trace: &'a Trace, event: &'a Event) -> Result<[Cell<'a>; 11], Error> {
    let edges = event.edges.iter();
    let body = serde_json::to_value(&event.body).map_err(|e| Error::Input(e.to_string()))?;
    Ok([
        Cell::Int(event.id.into()),
        Cell::of(names::variant(&event.kind), Cell::owned),
        Cell::text(names::agent(trace, event)?),
        Cell::of(names::tool(trace, event)?, Cell::text),
        Cell::of(event.call, |call| Cell::Int(call.into())),
        Cell::Texts(names::labels(&trace.header, event.labels)),
        Cell::Texts(names::facts(event.facts)),
        Cell::Ints(edges.clone().map(|edge| edge.parent.into()).collect()),
        Cell::Texts(edges.filter_map(|edge| names::variant(&edge.kind)).collect()),
        Cell::text(&event.text),
        Cell::Json(canonical(&body)),
    ])
}
