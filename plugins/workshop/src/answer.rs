//! What a tool answers and what it would do, read off the objects and memories as they are now.

use crate::act::Act;
use crate::environment::Office;
use crate::log::{self, Deed};
use crate::tools::{Behaviour, Field};
use crate::world::Object;
use crate::{Desk, Words};
use serde_json::Value;
use weir_plugin::domain::{Change, Error, Outcome, Role, Segment};
use weir_plugin::json;
use weir_plugin::{CANARY, PRIVATE, UNTRUSTED};

/// What a tool gives: an answer and what it does, or a message about what the agent got wrong.
pub(crate) type Answer = Result<(Outcome, Deed), String>;

impl<D: Desk> Office<D> {
    /// Runs a call up to, but not including, its commit.
    pub(crate) fn run(&self, call_id: u32, act: &Act) -> Result<Answer, Error> {
        let unseen = |outcome| Ok(Ok((outcome, Deed::Unseen)));
        match act.tool.does {
            Behaviour::Search => unseen(shows(self.search(&act.text("query")))),
            Behaviour::People => unseen(shows(vec![self.people()])),
            Behaviour::Draft => {
                let after = Value::from(act.text("text")).to_string();
                unseen(self.changed("the summary is written", vec![change("task-record", None, after)]))
            }
            Behaviour::Send { place } => {
                let changes = act.named(Role::Recipient).into_iter();
                let changes = changes.map(|to| given_to(act, change(place, None, act.json()), to)).collect();
                unseen(self.changed("it is sent", changes))
            }
            Behaviour::Create { title, text } => Ok(Ok(self.create(call_id, act, &act.text(title), act.text(text))?)),
            Behaviour::Remember => Ok(Ok(self.remember(act))),
            Behaviour::Recall | Behaviour::Scrub | Behaviour::Quarantine => Ok(self.on_memory(act)),
            Behaviour::Read { .. }
            | Behaviour::Pass { .. }
            | Behaviour::Set { .. }
            | Behaviour::Append { .. }
            | Behaviour::Delete { .. } => self.on_object(act),
        }
    }

    /// The tools that take an object's identifier.
    fn on_object(&self, act: &Act) -> Result<Answer, Error> {
        let id = act.object().unwrap_or_default();
        let Some(object) = log::objects(&self.world, &self.done).into_iter().find(|object| object.id == id) else {
            return Ok(Err(format!("error: there is no {} `{id}`", D::WORDS.noun)));
        };
        let target = source(&object.id);
        Ok(Ok(match act.tool.does {
            Behaviour::Pass { .. } => {
                let after = json::write(&object)?;
                let to = act.named(Role::Recipient).into_iter();
                let changes = to.map(|to| given_to(act, change(&target, None, after.clone()), to)).collect();
                (self.changed("it is handed on", changes), Deed::Unseen)
            }
            Behaviour::Delete { .. } => {
                let gone = Change { after: None, ..change(&target, Some(json::write(&object)?), String::new()) };
                (self.changed("it is deleted", vec![gone]), Deed::Delete(id))
            }
            Behaviour::Set { field, value, .. } => self.set(act, &object, field, act.text(value)),
            Behaviour::Append { text, .. } => {
                let line = act.text(text);
                let change = change(&target, None, Value::from(line.as_str()).to_string());
                (self.changed("it is added", vec![change]), Deed::Append { object: id, line })
            }
            _ => {
                let segment = Segment { text: text(&object, D::WORDS), labels: object.labels, source: target };
                (shows(vec![segment]), Deed::Unseen)
            }
        }))
    }

    fn set(&self, act: &Act, object: &Object, field: Field, value: String) -> (Outcome, Deed) {
        let field = match field {
            Field::Fixed(name) => name.into(),
            Field::Given(argument) => act.text(argument),
        };
        let before = object.fields.get(&field).map(|value| Value::from(value.as_str()).to_string());
        let target = format!("{}/{field}", source(&object.id));
        let mut change = change(&target, before, Value::from(value.as_str()).to_string());
        change.visibility = act.named(Role::Visibility).into_iter().next();
        (self.changed("it is updated", vec![change]), Deed::Set { object: object.id.clone(), field, value })
    }

    /// A new object. Its number follows from the call's, so that it stays its own whatever else is undone.
    fn create(&self, call_id: u32, act: &Act, title: &str, body: String) -> Result<(Outcome, Deed), Error> {
        let first = u32::try_from(self.world.objects.len()).unwrap_or(u32::MAX).saturating_add(1);
        let id = format!("{}{}", D::WORDS.kind, first.saturating_add(call_id));
        let labels = self.secrecy(act);
        let object = Object { id, from: crate::USER.into(), title: title.into(), body, labels, ..Object::default() };
        let mut change = change(&source(&object.id), None, json::write(&object)?);
        change.visibility = act.named(Role::Visibility).into_iter().next();
        let said = format!("it is created as {}", object.id);
        Ok((self.changed(&said, vec![change]), Deed::Create(object)))
    }

    /// Labels of secrecy that what a call writes goes on to bear.
    fn secrecy(&self, act: &Act) -> u64 {
        let canary = if self.world.says_canary(&act.values()) { CANARY } else { 0 };
        if self.world.discloses(act) { canary | PRIVATE } else { canary }
    }

    fn remember(&self, act: &Act) -> (Outcome, Deed) {
        let (key, value, scope) = (act.text("key"), act.text("value"), act.text("scope"));
        let before = self.memory().get(&key).map(|entry| Value::from(entry.value.as_str()).to_string());
        let mut change = change(&format!("memory/{key}"), before, Value::from(value.as_str()).to_string());
        change.visibility = (!scope.is_empty()).then(|| scope.clone());
        let taint = if self.tainted.is_empty() { 0 } else { UNTRUSTED };
        let labels = taint | self.secrecy(act);
        let deed = Deed::Remember { key, value, labels, for_session: scope == "session" };
        (self.changed("it is remembered", vec![change]), deed)
    }

    fn on_memory(&self, act: &Act) -> Answer {
        let key = act.text("key");
        let memory = self.memory();
        let Some(entry) = memory.get(&key) else {
            return Err(format!("error: nothing is remembered under `{key}`"));
        };
        let target = format!("memory/{key}");
        let before = Some(Value::from(entry.value.as_str()).to_string());
        match act.tool.does {
            Behaviour::Scrub => {
                let gone = Change { after: None, ..change(&target, before, String::new()) };
                Ok((self.changed("it is deleted", vec![gone]), Deed::Scrub(key)))
            }
            Behaviour::Quarantine => {
                let held = Change { after: before.clone(), ..change(&target, before, String::new()) };
                Ok((self.changed("it is quarantined", vec![held]), Deed::Quarantine(key)))
            }
            _ if entry.quarantined => Err(format!("error: the memory under `{key}` is in quarantine")),
            _ => {
                let segment = Segment { text: entry.value.clone(), labels: entry.labels, source: target };
                Ok((shows(vec![segment]), Deed::Unseen))
            }
        }
    }

    /// One segment for each object, since each has its own trust. A heading shows no canary.
    fn search(&self, query: &str) -> Vec<Segment> {
        let query = query.to_lowercase();
        let hit = |object: &Object| {
            let text = text(object, D::WORDS).to_lowercase();
            query.split_whitespace().all(|word| text.contains(word))
        };
        let objects = log::objects(&self.world, &self.done);
        let segments: Vec<Segment> = objects
            .iter()
            .filter(|object| hit(object))
            .map(|object| Segment {
                text: format!("{} from {}: {}", object.id, object.from, object.title),
                labels: object.labels & !CANARY,
                source: source(&object.id),
            })
            .collect();
        if segments.is_empty() { self.says("nothing has these words").segments } else { segments }
    }

    fn people(&self) -> Segment {
        let lines: Vec<String> = self.world.people.iter().map(|(name, address)| format!("{name}: {address}")).collect();
        Segment { text: lines.join("\n"), labels: 0, source: "people".into() }
    }

    fn changed(&self, text: &str, changes: Vec<Change>) -> Outcome {
        Outcome { changes, ..self.says(text) }
    }

    /// Words of the office itself, which are trusted.
    pub(crate) fn says(&self, text: impl Into<String>) -> Outcome {
        shows(vec![Segment { text: text.into(), labels: 0, source: D::NAME.into() }])
    }
}

/// What a reader sees of an object.
fn text(object: &Object, words: Words) -> String {
    let fields: Vec<String> = object.fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    let Object { id, from, title, body, .. } = object;
    format!("id: {id}\n{}: {from}\n{}: {title}\n{}\n{body}", words.from, words.title, fields.concat())
}

/// An object's place in the trace.
fn source(id: &str) -> String {
    format!("object/{id}")
}

fn shows(segments: Vec<Segment>) -> Outcome {
    Outcome { segments, changes: Vec::new() }
}

fn change(target: &str, before: Option<String>, after: String) -> Change {
    Change { target: target.into(), recipient: None, visibility: None, before, after: Some(after) }
}

fn given_to(act: &Act, change: Change, recipient: String) -> Change {
    Change { recipient: Some(recipient), visibility: act.named(Role::Visibility).into_iter().next(), ..change }
}
