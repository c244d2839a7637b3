//! Writing a base history: who says what, and which calls are made. Results are the world's own, so a history can be run
//! again.

use crate::Service;
use crate::record::{Call, HISTORY, History, Speaker, Turn};
use crate::template::{Facts, fill};
use crate::world::{Setting, Tables, World};
use serde_json::{Map, Value};
use std::marker::PhantomData;
use weir_plugin::domain::Error;
use weir_plugin::scenario::Seed;

/// A base history and the records around it.
pub struct Base {
    /// The history.
    pub history: History,
    /// What its environment starts from.
    pub setting: Setting,
    /// The records as they are at its end.
    pub world: World,
}

impl Base {
    /// A base of an imported history: all that is known of its records is what it shows.
    #[must_use]
    pub fn imported<S: Service>(history: History) -> Self {
        let world = World::shown::<S>(&history.turns);
        Base { history, setting: Setting { shown: true, ..Setting::default() }, world }
    }

    /// All that is said and called in it.
    #[must_use]
    pub fn text(&self) -> String {
        text(&self.history.turns)
    }
}

/// All that is said and called in turns.
#[must_use]
pub fn text(turns: &[Turn]) -> String {
    let mut all = String::new();
    for turn in turns {
        all.push_str(&turn.text);
        all.push('\n');
        for call in &turn.calls {
            all.push_str(&Value::Object(call.arguments.clone()).to_string());
            all.push('\n');
        }
    }
    all
}

/// A base history in the making.
pub struct Scene<S> {
    /// The choices of this base.
    pub seed: Seed,
    /// What templates may mention.
    pub facts: Facts,
    /// The records as they are now.
    pub world: World,
    first: Tables,
    turns: Vec<Turn>,
    mistake: Option<Error>,
    service: PhantomData<S>,
}

impl<S: Service> Scene<S> {
    /// A conversation under a policy, with these records.
    #[must_use]
    pub fn new(seed: Seed, policy: &str, tables: Tables) -> Self {
        Scene {
            seed,
            facts: Facts::new(),
            world: World::new(tables.clone()),
            first: tables,
            turns: vec![Turn::says(Speaker::System, policy)],
            mistake: None,
            service: PhantomData,
        }
    }

    /// Gives templates a fact.
    pub fn fact(&mut self, name: &str, value: impl ToString) {
        self.facts.insert(name.into(), value.to_string());
    }

    fn words(&mut self, speaker: Speaker, templates: &[&str]) {
        let template = self.seed.pick(templates);
        match fill(template, &self.facts) {
            Ok(text) => self.turns.push(Turn::says(speaker, text)),
            Err(error) => self.mistake = self.mistake.take().or(Some(error)),
        }
    }

    /// The user says one of these.
    pub fn user(&mut self, templates: &[&str]) {
        self.words(Speaker::User, templates);
    }

    /// The assistant says one of these.
    pub fn says(&mut self, templates: &[&str]) {
        self.words(Speaker::Assistant, templates);
    }

    /// The assistant calls a tool; the answer, as JSON where it is some.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.run(Speaker::Assistant, tool, arguments)
    }

    /// The user runs a tool on a device of theirs.
    pub fn device(&mut self, tool: &str, arguments: Value) -> Value {
        self.run(Speaker::User, tool, arguments)
    }

    fn run(&mut self, speaker: Speaker, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { return Value::Null };
        let id = format!("call_{:012x}", self.seed.bits() >> 16);
        let text = self.answer(tool, &arguments);
        let call = Call { id: id.clone(), tool: tool.into(), arguments };
        self.turns.push(Turn { speaker, text: String::new(), calls: vec![call], call_id: None });
        let value = serde_json::from_str(&text).unwrap_or_default();
        self.turns.push(Turn { speaker: Speaker::Tool, text, calls: Vec::new(), call_id: Some(id) });
        value
    }

    fn answer(&mut self, tool: &str, arguments: &Map<String, Value>) -> String {
        match self.world.answer::<S>(tool, arguments) {
            Ok(ran) => {
                self.world.apply(&ran.edits);
                ran.text
            }
            Err(message) => format!("Error: {message}"),
        }
    }

    /// How many turns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether nothing has been said yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The finished base.
    ///
    /// # Errors
    /// `other` where a template named no fact.
    pub fn finish(self, id: String, customer: String) -> Result<Base, Error> {
        if let Some(mistake) = self.mistake {
            return Err(mistake);
        }
        let history = History {
            format: HISTORY.into(),
            id,
            domain: S::NAME.into(),
            customer,
            source: "generated".into(),
            turns: self.turns,
        };
        let setting = Setting { tables: self.first, ..Setting::default() };
        Ok(Base { history, setting, world: self.world })
    }
}
