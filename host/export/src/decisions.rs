//! One row for each decision of a policy, with what it was about: the call and its arguments, or the observation.

use crate::keys;
use crate::names;
use crate::run::Run;
use crate::table::{Cell, Column, Emit, Kind};
use serde_json::{Map, Value};
use weir_suite::Error;
use weir_trace::json::canonical;
use weir_trace::{Body, Event, Trace};

/// The columns.
pub(crate) fn columns() -> Vec<Column> {
    let mut columns = keys::columns();
    columns.extend([
        Column::always("event", Kind::Int, "the decision's position in the trace"),
        Column::maybe("about", Kind::Int, "the event that was judged, or the last one before a hook that judges none"),
        Column::maybe("hook", Kind::Text, "the hook that was called"),
        Column::maybe("verdict", Kind::Text, "the answer; `replace` puts `message` in the place of an observation"),
        Column::maybe(
            "rule",
            Kind::Text,
            "stable identifier of the rule; `plugin-fault` where the policy did not answer",
        ),
        Column::always("message", Kind::Text, "the policy's or the fault's words"),
        Column::maybe("policy_digest", Kind::Text, "SHA-256 of the policy that decided"),
        Column::maybe("policy_version", Kind::Text, "its own version, where it has one"),
        Column::always("fuel", Kind::Unsigned, "instructions that the hook used, in fuel"),
        Column::maybe("tool", Kind::Text, "the tool of the call that was judged"),
        Column::maybe("call", Kind::Int, "the call's identifier, unique within the rollout"),
        Column::maybe("arguments", Kind::Json, "the call's arguments by name; null where no call was judged"),
        Column::maybe("argument_labels", Kind::Json, "labels of each argument by name"),
        Column::always("labels", Kind::Texts, "labels of the event that was judged"),
        Column::always("facts", Kind::Texts, "what the host and the oracle know of that event; no policy saw it"),
    ]);
    columns
}

/// The rows.
pub(crate) fn rows(run: &Run<'_>, emit: Emit<'_>) -> Result<(), Error> {
    run.each_trace(&mut |row, trace| {
        let keys = keys::cells(row);
        for event in &trace.events {
            if let Some(own) = own(trace, event)? {
                let mut cells = keys.clone();
                cells.extend(own);
                emit(&cells)?;
            }
        }
        Ok(())
    })
}

fn own<'a>(trace: &'a Trace, event: &'a Event) -> Result<Option<[Cell<'a>; 15]>, Error> {
    let Body::Decision { hook, verdict, rule, message, fuel } = &event.body else { return Ok(None) };
    // A decision has one edge, from what it judges.
    let about = event.edges.first().and_then(|edge| trace.events.get(usize::try_from(edge.parent).ok()?));
    let (mut arguments, mut labels) = (None, None);
    if let Some(proposed) = about.map(|about| names::arguments(trace, about)).transpose()?.flatten() {
        let object = |value: fn(&names::Argument<'_>) -> Value| {
            let map: Map<String, Value> =
                proposed.iter().map(|argument| (argument.name.to_owned(), value(argument))).collect();
            canonical(&Value::Object(map))
        };
        arguments = Some(object(|argument| argument.value.clone()));
        labels = Some(object(|argument| argument.labels.as_slice().into()));
    }
    let judged = about.unwrap_or(event);
    Ok(Some([
        Cell::Int(event.id.into()),
        Cell::of(about, |about| Cell::Int(about.id.into())),
        Cell::of(names::variant(hook), Cell::owned),
        Cell::of(names::variant(verdict), Cell::owned),
        Cell::of(rule.as_deref(), Cell::text),
        Cell::text(message),
        Cell::of(trace.header.policy.as_ref(), |policy| Cell::text(&policy.digest)),
        Cell::of(trace.header.policy.as_ref().and_then(|policy| policy.version.as_deref()), Cell::text),
        Cell::Unsigned(*fuel),
        Cell::of(names::tool(trace, judged)?, Cell::text),
        Cell::of(judged.call, |call| Cell::Int(call.into())),
        Cell::of(arguments, Cell::Json),
        Cell::of(labels, Cell::Json),
        Cell::Texts(about.map(|about| names::labels(&trace.header, about.labels)).unwrap_or_default()),
        Cell::Texts(about.map(|about| names::facts(about.facts)).unwrap_or_default()),
    ]))
}
