//! The reducer world: metric descriptions, and a fold over one trace.

use crate::fault::{Fault, Phase};
use crate::load::Component;
use crate::wit::reducer::{ReducerPlugin as Bindings, ReducerPluginPre};
use crate::wit::reducers::{Header, Measurement, Metric};
use crate::wit::trace::Columns;
use crate::world::instance::{Instance, link_fault, linker};
use wasmtime::component::HasSelf;

/// A linked reducer.
pub struct ReducerPlugin {
    component: Component,
    pre: ReducerPluginPre<crate::state::State>,
    call_fuel: u64,
}

impl ReducerPlugin {
    /// Links a reducer.
    ///
    /// # Errors
    /// A fault of phase link.
    pub fn new(component: Component) -> Result<Self, Box<Fault>> {
        let linker = linker(&component, |linker| Bindings::add_to_linker::<_, HasSelf<_>>(linker, |state| state))?;
        let pre = linker
            .instantiate_pre(&component.compiled)
            .and_then(ReducerPluginPre::new)
            .map_err(|e| link_fault(&component, &e))?;
        let call_fuel = component.identity.limits.call_fuel;
        Ok(ReducerPlugin { component, pre, call_fuel })
    }

    /// The component behind it.
    #[must_use]
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// The metrics that it computes.
    ///
    /// # Errors
    /// The reducer's fault.
    pub fn metrics(&self) -> Result<Vec<Metric>, Box<Fault>> {
        let (mut instance, bindings) = self.instantiate()?;
        let metrics = instance
            .run(Phase::Call, "metrics", self.call_fuel, |store| bindings.weir_plugin_reducer().call_metrics(store))?;
        for metric in &metrics {
            for name in [&metric.name, &metric.family].into_iter().chain(&metric.stages) {
                instance.check_name("metrics", "name", name)?;
            }
        }
        Ok(metrics)
    }

    /// Folds one trace in a fresh store.
    ///
    /// # Errors
    /// The reducer's fault.
    pub fn fold(&self, header: &Header, batches: &[Columns]) -> Result<Vec<Measurement>, Box<Fault>> {
        let (mut instance, bindings) = self.instantiate()?;
        self.fold_in(&mut instance, &bindings, header, batches)
    }

    /// What the reducer measures the second time in one instance. No run folds twice: a check finds by it what a reducer keeps
    /// outside its fold.
    ///
    /// # Errors
    /// The reducer's fault.
    pub fn fold_twice(&self, header: &Header, batches: &[Columns]) -> Result<Vec<Measurement>, Box<Fault>> {
        let (mut instance, bindings) = self.instantiate()?;
        self.fold_in(&mut instance, &bindings, header, batches)?;
        self.fold_in(&mut instance, &bindings, header, batches)
    }

    fn fold_in(
        &self,
        instance: &mut Instance,
        bindings: &Bindings,
        header: &Header,
        batches: &[Columns],
    ) -> Result<Vec<Measurement>, Box<Fault>> {
        let fold = instance.run(Phase::Call, "fold constructor", self.call_fuel, |store| {
            bindings.weir_plugin_reducer().fold().call_constructor(store, header)
        })?;
        for batch in batches {
            instance.ask("fold.push", self.call_fuel, |store| {
                bindings.weir_plugin_reducer().fold().call_push(store, fold, batch)
            })?;
        }
        let measurements = instance.ask("fold.finish", self.call_fuel, |store| {
            bindings.weir_plugin_reducer().fold().call_finish(store, fold)
        })?;
        let numbers = |m: &Measurement| [m.value, m.numerator, m.denominator].into_iter().flatten();
        let broken = measurements.iter().find(|m| numbers(m).any(|v| !v.is_finite()));
        match broken {
            Some(m) => Err(instance.bad_answer("fold.finish", format!("metric {} is not a finite number", m.metric))),
            None => Ok(measurements),
        }
    }

    fn instantiate(&self) -> Result<(Instance, Bindings), Box<Fault>> {
        let mut instance = Instance::new(&self.component);
        let bindings =
            instance.run(Phase::Instantiate, "instantiation", self.call_fuel, |store| self.pre.instantiate(store))?;
        Ok((instance, bindings))
    }
}

/// A metric family: the sandboxed reducer, or, as a baseline, the same one linked natively.
pub trait Measure: Sync {
    /// The name by which it was asked for.
    fn name(&self) -> &str;

    /// The metrics that it computes.
    ///
    /// # Errors
    /// The reducer's fault.
    fn metrics(&self) -> Result<Vec<Metric>, Box<Fault>>;

    /// Folds one trace.
    ///
    /// # Errors
    /// The reducer's fault.
    fn fold(&self, header: &Header, batches: &[Columns]) -> Result<Vec<Measurement>, Box<Fault>>;
}

impl Measure for ReducerPlugin {
    fn name(&self) -> &str {
        self.component.name()
    }

    fn metrics(&self) -> Result<Vec<Metric>, Box<Fault>> {
        ReducerPlugin::metrics(self)
    }

    fn fold(&self, header: &Header, batches: &[Columns]) -> Result<Vec<Measurement>, Box<Fault>> {
        ReducerPlugin::fold(self, header, batches)
    }
}
