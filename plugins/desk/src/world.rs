//! A service desk's records, in tables, and what a call does to them.

use crate::record::{Call, Speaker, Turn};
use crate::{Service, common};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use weir_plugin::json::canonical;

/// What a record lacks.
static NULL: Value = Value::Null;

/// Looking into records: what is not there is null.
pub trait Look {
    /// A field.
    fn at(&self, name: &str) -> &Value;
    /// An item of a list.
    fn nth(&self, index: usize) -> &Value;
}

impl Look for Value {
    fn at(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&NULL)
    }

    fn nth(&self, index: usize) -> &Value {
        self.get(index).unwrap_or(&NULL)
    }
}

/// Records by table and identifier.
pub type Tables = BTreeMap<String, BTreeMap<String, Value>>;

/// What a variant's environment starts from; the `environment` of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting<R = Value> {
    /// Records. A record that the turns show goes before one of the same identifier here.
    #[serde(default = "BTreeMap::new", skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<String, BTreeMap<String, R>>,
    /// The records that the variant's own turns show are part of the scene, as they were last seen. So it is with real
    /// histories, whose databases are not at hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
    /// Words that stand beside the answer to one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
}

impl<R> Default for Setting<R> {
    fn default() -> Self {
        Setting { tables: BTreeMap::new(), shown: false, note: None }
    }
}

/// Words from outside that the desk shows beside the answer to one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The call's tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// The words.
    pub text: String,
}

/// One record's new content.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The table.
    pub table: &'static str,
    /// The record's identifier.
    pub id: String,
    /// The whole record.
    pub after: Value,
}

/// What a call returns and would change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// What the tool returns.
    pub text: String,
    /// What it changes.
    pub edits: Vec<Edit>,
}

impl Ran {
    /// Words and no change.
    #[must_use]
    pub fn says(text: impl Into<String>) -> Self {
        Ran { text: text.into(), edits: Vec::new() }
    }

    /// A record as it is.
    #[must_use]
    pub fn shows(record: &Value) -> Self {
        Ran::says(record.to_string())
    }

    /// A record's new content, which is also the answer.
    #[must_use]
    pub fn sets(table: &'static str, id: &str, after: Value) -> Self {
        Ran { text: after.to_string(), edits: vec![Edit { table, id: id.into(), after }] }
    }

    /// With one more change.
    #[must_use]
    pub fn and(mut self, table: &'static str, id: &str, after: Value) -> Self {
        self.edits.push(Edit { table, id: id.into(), after });
        self
    }
}

/// What a tool answers, or a message about what the agent got wrong.
pub type Answer = Result<Ran, String>;

/// A record that is read when somebody first looks at it: one rollout of a shop's hundred records looks at three.
#[derive(Clone, Debug)]
pub struct Record {
    /// None where the value is there.
    text: Option<Box<RawValue>>,
    value: OnceCell<Value>,
}

impl Record {
    fn value(&self) -> &Value {
        // A raw value is JSON.
        let read = || self.text.as_ref().and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default();
        self.value.get_or_init(read)
    }
}

impl From<Value> for Record {
    fn from(value: Value) -> Self {
        Record { text: None, value: value.into() }
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Ok(Record { text: Some(Box::deserialize(input)?), value: OnceCell::new() })
    }
}

/// The records as they are now.
#[derive(Clone, Debug, Default)]
pub struct World {
    tables: BTreeMap<String, BTreeMap<String, Record>>,
}

impl World {
    /// The world of these records.
    #[must_use]
    pub fn new<R: Into<Record>>(tables: BTreeMap<String, BTreeMap<String, R>>) -> Self {
        let table = |(name, records): (String, BTreeMap<String, R>)| {
            (name, records.into_iter().map(|(id, record)| (id, record.into())).collect())
        };
        World { tables: tables.into_iter().map(table).collect() }
    }

    /// The world as it is after these turns: where a variant's later task begins. What the turns show is taken as shown;
    /// where the records are the setting's own, the turns' calls are made again.
    #[must_use]
    pub fn of<S: Service>(setting: Setting<impl Into<Record>>, turns: &[Turn]) -> Self {
        let mut world = World::new(setting.tables);
        if setting.shown {
            for (table, records) in World::shown::<S>(turns).tables {
                world.tables.entry(table).or_default().extend(records);
            }
        } else {
            for call in turns.iter().flat_map(|turn| &turn.calls) {
                let edits = world.answer::<S>(&call.tool, &call.arguments).map(|ran| ran.edits);
                world.apply(&edits.unwrap_or_default());
            }
        }
        world
    }

    /// The records that tools' results show, as they were last seen.
    #[must_use]
    pub fn shown<S: Service>(turns: &[Turn]) -> Self {
        let mut world = World::default();
        let calls: BTreeMap<&String, &Call> =
            turns.iter().flat_map(|turn| &turn.calls).map(|call| (&call.id, call)).collect();
        for turn in turns.iter().filter(|turn| turn.speaker == Speaker::Tool) {
            let Ok(mut value) = serde_json::from_str::<Value>(&turn.text) else { continue };
            if let (Some(map), Some(call)) = (value.as_object_mut(), turn.call_id.as_ref().and_then(|id| calls.get(id)))
            {
                identify::<S>(map, call);
            }
            world.take_in::<S>(&value);
        }
        world
    }

    fn take_in<S: Service>(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.take_in::<S>(item)),
            Value::Object(map) => {
                if let Some((table, id)) = S::place(map) {
                    self.tables.entry(table.into()).or_default().insert(id, value.clone().into());
                }
                map.values().for_each(|inner| self.take_in::<S>(inner));
            }
            _ => {}
        }
    }

    /// Another world's records, and these where that has none.
    #[must_use]
    pub fn under(mut self, other: &World) -> Self {
        for (table, records) in &other.tables {
            self.tables.entry(table.clone()).or_default().extend(records.clone());
        }
        self
    }

    /// A record.
    #[must_use]
    pub fn get(&self, table: &str, id: &str) -> Option<&Value> {
        self.tables.get(table)?.get(id).map(Record::value)
    }

    /// A table's records, in the order of their identifiers.
    pub fn all(&self, table: &str) -> impl Iterator<Item = (&String, &Value)> {
        self.tables.get(table).into_iter().flatten().map(|(id, record)| (id, record.value()))
    }

    /// Makes a call's changes.
    pub fn apply(&mut self, edits: &[Edit]) {
        for edit in edits {
            self.tables.entry(edit.table.into()).or_default().insert(edit.id.clone(), edit.after.clone().into());
        }
    }

    /// What a tool answers in this world; nothing changes yet.
    ///
    /// # Errors
    /// A message for the agent where the call cannot run.
    pub fn answer<S: Service>(&self, tool: &str, arguments: &Map<String, Value>) -> Answer {
        let Some(spec) = crate::find::<S>(tool) else { return Err(format!("there is no tool `{tool}`")) };
        if let Some(fault) = spec.fault(arguments) {
            return Err(fault);
        }
        common::run(tool, arguments).unwrap_or_else(|| S::run(self, tool, &Arguments(arguments)))
    }
}

/// Older versions of the environments leave a record's identifier out of the answer; the call that asked for it has it.
fn identify<S: Service>(record: &mut Map<String, Value>, call: &Call) {
    if S::place(record).is_some() {
        return;
    }
    let mut whole: Map<String, Value> =
        call.arguments.iter().filter(|(_, v)| v.is_string()).map(|(k, v)| (k.clone(), v.clone())).collect();
    whole.extend(record.clone());
    if S::place(&whole).is_some() {
        *record = whole;
    }
}

impl Note {
    /// Whether the words stand beside the answer to this call.
    #[must_use]
    pub fn is_beside(&self, tool: &str, arguments: &Map<String, Value>) -> bool {
        self.tool == tool && same(&self.arguments, arguments)
    }
}

/// Whether two argument objects say the same.
#[must_use]
pub fn same(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let text = |map: &Map<String, Value>| canonical(&Value::Object(map.clone()));
    // Most are equal as they stand, or not even as long; canonical texts take as long as all the rest of a call.
    one == other || (one.len() == other.len() && text(one) == text(other))
}

/// A call's arguments, which fit their schema.
pub struct Arguments<'a>(pub &'a Map<String, Value>);

impl Arguments<'_> {
    /// A text; empty where it is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A whole number; 0 where it is none.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        self.0.get(name).and_then(Value::as_i64).unwrap_or_default()
    }

    /// The items of a list.
    #[must_use]
    pub fn items(&self, name: &str) -> &[Value] {
        self.0.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The texts of a list.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.items(name).iter().filter_map(Value::as_str).collect()
    }

    /// Any argument as it is.
    #[must_use]
    pub fn value(&self, name: &str) -> Value {
        self.0.get(name).cloned().unwrap_or_default()
    }
}
