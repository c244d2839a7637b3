//! The writer world: one history in, memories out.

use crate::fault::{Fault, Phase};
use crate::load::Component;
use crate::models::{Exchange, Models};
use crate::wit::memory::Item;
use crate::wit::writer::{WriterPlugin as Bindings, WriterPluginPre};
use crate::wit::writers::Task;
use crate::world::instance::{Instance, link_fault, linker};
use crate::world::policy::Answer;
use std::collections::BTreeSet;
use wasmtime::component::HasSelf;

/// A linked writer.
pub struct WriterPlugin {
    component: Component,
    pre: WriterPluginPre<crate::state::State>,
}

/// What became of one consolidation.
#[derive(Debug)]
pub struct Consolidated {
    /// The memories, or the writer's fault.
    pub answer: Result<Answer<Vec<Item>>, Box<Fault>>,
    /// What models were asked and answered, for the trace and for a replay.
    pub exchanges: Vec<Exchange>,
}

impl WriterPlugin {
    /// Links a writer.
    ///
    /// # Errors
    /// A fault of phase link.
    pub fn new(component: Component) -> Result<Self, Box<Fault>> {
        let linker = linker(&component, |linker| Bindings::add_to_linker::<_, HasSelf<_>>(linker, |state| state))?;
        let pre = linker
            .instantiate_pre(&component.compiled)
            .and_then(WriterPluginPre::new)
            .map_err(|e| link_fault(&component, &e))?;
        Ok(WriterPlugin { component, pre })
    }

    /// The component behind it.
    #[must_use]
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// Consolidates a history in a fresh store, without a model.
    ///
    /// # Errors
    /// The writer's fault; more memories than the limit, texts that are too long and identifiers that are not unique are
    /// some.
    pub fn consolidate(&self, task: &Task) -> Result<Answer<Vec<Item>>, Box<Fault>> {
        self.consolidate_with(task, None).answer
    }

    /// The same, with models for the roles that are granted to the writer. What they were asked and answered is there even
    /// where the writer failed.
    #[must_use]
    pub fn consolidate_with(&self, task: &Task, models: Option<Box<dyn Models>>) -> Consolidated {
        let mut instance = Instance::with_models(&self.component, models);
        let answer = self.run(&mut instance, task);
        Consolidated { answer, exchanges: std::mem::take(&mut instance.store.data_mut().exchanges) }
    }

    /// What the writer answers the second time in one instance. No run asks twice: a check finds by it what a writer keeps.
    ///
    /// # Errors
    /// The writer's fault.
    pub fn consolidate_twice(&self, task: &Task) -> Result<Vec<Item>, Box<Fault>> {
        let mut instance = Instance::with_models(&self.component, None);
        let bindings = self.instantiate(&mut instance)?;
        self.ask(&mut instance, &bindings, task)?;
        Ok(self.ask(&mut instance, &bindings, task)?.value)
    }

    fn run(&self, instance: &mut Instance, task: &Task) -> Result<Answer<Vec<Item>>, Box<Fault>> {
        let bindings = self.instantiate(instance)?;
        self.ask(instance, &bindings, task)
    }

    fn instantiate(&self, instance: &mut Instance) -> Result<Bindings, Box<Fault>> {
        let fuel = self.component.identity.limits.call_fuel;
        instance.run(Phase::Instantiate, "instantiation", fuel, |store| self.pre.instantiate(store))
    }

    fn ask(&self, instance: &mut Instance, bindings: &Bindings, task: &Task) -> Result<Answer<Vec<Item>>, Box<Fault>> {
        const EXPORT: &str = "consolidate";
        let fuel = self.component.identity.limits.call_fuel;
        let items = instance.ask(EXPORT, fuel, |store| bindings.weir_plugin_writer().call_consolidate(store, task))?;
        if !u32::try_from(items.len()).is_ok_and(|count| count <= task.limit) {
            let what = format!("{} memories, the limit is {}", items.len(), task.limit);
            return Err(instance.bad_answer(EXPORT, what));
        }
        let mut seen = BTreeSet::new();
        for item in &items {
            instance.check_text(EXPORT, &item.text)?;
            instance.check_name(EXPORT, "identifier", &item.id)?;
            if !seen.insert(item.id.as_str()) {
                return Err(instance.bad_answer(EXPORT, format!("two memories have the identifier `{}`", item.id)));
            }
            if let Some(turn) = item.evidence.iter().find(|turn| !task.history.iter().any(|t| t.index == **turn)) {
                return Err(instance.bad_answer(EXPORT, format!("evidence names turn {turn}, which is not there")));
            }
        }
        Ok(Answer { value: items, fuel: instance.last_fuel() })
    }
}
