//! The writer world: one history in, memories out.

use crate::fault::{Fault, Phase};
use crate::load::Component;
use crate::wit::memory::{Item, Turn};
use crate::wit::writer::{WriterPlugin as Bindings, WriterPluginPre};
use crate::world::instance::{Instance, link_fault, linker};
use wasmtime::component::HasSelf;

/// A linked writer.
pub struct WriterPlugin {
    component: Component,
    pre: WriterPluginPre<crate::state::State>,
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

    /// Consolidates a history in a fresh store.
    ///
    /// # Errors
    /// The writer's fault; more than `limit` memories are one.
    pub fn consolidate(&self, history: &[Turn], limit: u32) -> Result<Vec<Item>, Box<Fault>> {
        let fuel = self.component.identity.limits.call_fuel;
        let mut instance = Instance::new(&self.component);
        let bindings = instance.run(Phase::Instantiate, "instantiation", fuel, |store| self.pre.instantiate(store))?;
        let items = instance
            .ask("consolidate", fuel, |store| bindings.weir_plugin_writer().call_consolidate(store, history, limit))?;
        if u32::try_from(items.len()).is_ok_and(|count| count <= limit) {
            return Ok(items);
        }
        Err(instance.bad_answer("consolidate", format!("{} memories, the limit is {limit}", items.len())))
    }
}
