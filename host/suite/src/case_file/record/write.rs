//! Pieces of a case as TOML.

use crate::Error;
use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, InlineTable, Item, Table, Value};
use weir_trace::contract::{Authorization, Constraint, Effect, Parameter, Role, Rule, Tool};
use weir_trace::json::canonical;
use weir_trace::{Argument, Edge, EdgeKind, NodeKind};

/// A list of strings.
pub fn strings(names: &[String]) -> Value {
    Value::Array(names.iter().map(String::as_str).collect::<Array>())
}

/// The same as an item.
pub fn list(names: &[String]) -> Item {
    Item::Value(strings(names))
}

/// Tables of one name.
pub fn tables(all: impl IntoIterator<Item = Table>) -> ArrayOfTables {
    all.into_iter().collect()
}

/// A table in one line.
pub fn inline(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Item {
    Item::Value(Value::InlineTable(InlineTable::from_iter(pairs)))
}

/// A table in one line, if there is anything in it.
pub fn some<'a>(step: &mut Table, key: &str, pairs: impl Iterator<Item = (&'a str, Value)>) {
    let table = InlineTable::from_iter(pairs);
    if !table.is_empty() {
        step.insert(key, Item::Value(Value::InlineTable(table)));
    }
}

/// An argument's sources, if it has any.
pub fn sources(argument: &Argument) -> Option<Value> {
    let sources: Array = argument.sources.iter().map(|source| i64::from(*source)).collect();
    (!sources.is_empty()).then_some(Value::Array(sources))
}

/// Arguments by name, and the canonical text of all.
pub fn arguments(step: &mut Table, named: &[(String, &Argument)]) -> Result<String, Error> {
    let mut object = serde_json::Map::new();
    for (name, argument) in named {
        let value = serde_json::from_str(&argument.value)
            .map_err(|e| Error::Input(format!("argument `{name}` of the trace is not JSON: {e}")))?;
        object.insert(name.clone(), value);
    }
    let values = object.iter().map(|(name, one)| Some((name.as_str(), value(one)?))).collect::<Option<Vec<_>>>();
    let text = canonical(&Json::Object(object.clone()));
    match values {
        Some(values) => some(step, "arguments", values.into_iter()),
        // TOML has no null.
        None => drop(step.insert("arguments-json", toml_edit::value(text.as_str()))),
    }
    Ok(text)
}

/// A JSON value, where TOML has its like.
pub fn value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(is) => (*is).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None if number.is_f64() => number.as_f64()?.into(),
            None => return None,
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::Array(items.iter().map(value).collect::<Option<Array>>()?),
        Json::Object(pairs) => {
            let pairs = pairs.iter().map(|(key, one)| Some((key.as_str(), value(one)?)));
            Value::InlineTable(pairs.collect::<Option<Vec<_>>>()?.into_iter().collect())
        }
    })
}

/// Edges: `from` where content flows and nothing else is to be said, `edges` otherwise.
pub fn edges(step: &mut Table, all: &[Edge]) {
    let flows = |edge: &&Edge| edge.kind == EdgeKind::DataFlow;
    let pair = |edge: &Edge| {
        let kind = match edge.kind {
            EdgeKind::DataFlow => "data-flow",
            EdgeKind::Structural => "structural",
            EdgeKind::Temporal => "temporal",
            EdgeKind::Audit => "audit",
        };
        Value::Array(Array::from_iter([Value::from(i64::from(edge.parent)), kind.into()]))
    };
    let from: Array = all.iter().filter(flows).map(|edge| i64::from(edge.parent)).collect();
    let others: Array = all.iter().filter(|edge| !flows(edge)).map(pair).collect();
    if !from.is_empty() {
        step.insert("from", Item::Value(Value::Array(from)));
    }
    if !others.is_empty() {
        step.insert("edges", Item::Value(Value::Array(others)));
    }
}

/// A tool in full.
pub fn tool(tool: &Tool) -> Table {
    let parameter = |one: &Parameter| {
        let role = match one.role {
            Role::Recipient => "recipient",
            Role::Target => "target",
            Role::Visibility => "visibility",
            Role::Content => "content",
            Role::Other => "other",
        };
        let mut table = InlineTable::new();
        table.insert("name", one.name.as_str().into());
        table.insert("role", role.into());
        if !one.required {
            table.insert("required", false.into());
        }
        table.insert("schema", one.schema.as_str().into());
        Value::InlineTable(table)
    };
    let effect = match tool.effect {
        Effect::Read => "read",
        Effect::EgressRead => "egress-read",
        Effect::Draft => "draft",
        Effect::SideEffect => "side-effect",
        Effect::MemoryWrite => "memory-write",
        Effect::Recovery => "recovery",
    };
    let mut table = Table::new();
    table.insert("name", toml_edit::value(tool.name.as_str()));
    table.insert("description", toml_edit::value(tool.description.as_str()));
    table.insert("effect", toml_edit::value(effect));
    table.insert("parameters", Item::Value(Value::Array(tool.parameters.iter().map(parameter).collect())));
    table
}

/// A ledger entry; none where a rule compares with what TOML cannot say.
pub fn entry(entry: &Authorization) -> Option<Table> {
    let mut table = Table::new();
    table.insert("action", toml_edit::value(entry.action.as_str()));
    table.insert("targets", list(&entry.targets));
    if !entry.constraints.is_empty() {
        let constraints = entry.constraints.iter().map(constraint).collect::<Option<Array>>()?;
        table.insert("constraints", Item::Value(Value::Array(constraints)));
    }
    Some(table)
}

fn constraint(constraint: &Constraint) -> Option<Value> {
    let parsed = |text: &String| value(&serde_json::from_str(text).ok()?);
    let (name, given) = match &constraint.rule {
        Rule::Any => ("any", None),
        Rule::Absent => ("absent", None),
        Rule::Equals(text) => ("equals", Some(parsed(text)?)),
        Rule::OneOf(texts) => ("one-of", Some(Value::Array(texts.iter().map(parsed).collect::<Option<Array>>()?))),
        Rule::Prefix(text) => ("prefix", Some(text.as_str().into())),
        Rule::AtMost(number) => ("at-most", Some((*number).into())),
        Rule::MaxLength(length) => ("max-length", Some(i64::from(*length).into())),
    };
    let rule = given.map_or_else(|| name.into(), |given| Value::InlineTable(InlineTable::from_iter([(name, given)])));
    Some(Value::InlineTable(InlineTable::from_iter([
        ("argument", constraint.argument.as_str().into()),
        ("rule", rule),
    ])))
}

/// A kind of event as a file says it.
pub fn kind(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Source => "source",
        NodeKind::AgentState => "agent-state",
        NodeKind::Message => "message",
        NodeKind::MemoryRecord => "memory-record",
        NodeKind::Proposal => "proposal",
        NodeKind::Decision => "decision",
        NodeKind::ToolResult => "tool-result",
        NodeKind::Commit => "commit",
        NodeKind::Recovery => "recovery",
    }
}

/// Stand-ins for canaries, each of the secret's own length: a policy is told how long a text is.
pub fn standing_in(canaries: &[String]) -> Vec<String> {
    let one = |(number, canary): (usize, &String)| {
        let name = format!("canary-{number}-");
        let filled: String = name.chars().chain(std::iter::repeat('x')).take(canary.len()).collect();
        // One that is too short to be told apart from words is no secret either.
        if canary.len() <= name.len() { canary.clone() } else { filled }
    };
    canaries.iter().enumerate().map(one).collect()
}
