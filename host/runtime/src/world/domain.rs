//! The domain world: what a domain offers, its scenarios, and an environment per rollout.

use crate::fault::{Fault, Phase};
use crate::load::Component;
use crate::wit::domain::{DomainPlugin as Bindings, DomainPluginPre};
use crate::wit::domains::{Assessment, Call, Info, Outcome, Request, Scenario, Verdict, Violation};
use crate::world::instance::{Instance, link_fault, linker};
use std::collections::BTreeSet;
use wasmtime::component::{HasSelf, ResourceAny};

/// A linked domain.
pub struct DomainPlugin {
    component: Component,
    pre: DomainPluginPre<crate::state::State>,
    call_fuel: u64,
}

/// A domain's state in one rollout.
pub struct Environment {
    instance: Instance,
    bindings: Bindings,
    environment: ResourceAny,
    call_fuel: u64,
}

impl DomainPlugin {
    /// Links a domain.
    ///
    /// # Errors
    /// A fault of phase link.
    pub fn new(component: Component) -> Result<Self, Box<Fault>> {
        let linker = linker(&component, |linker| Bindings::add_to_linker::<_, HasSelf<_>>(linker, |state| state))?;
        let pre = linker
            .instantiate_pre(&component.compiled)
            .and_then(DomainPluginPre::new)
            .map_err(|e| link_fault(&component, &e))?;
        let call_fuel = component.identity.limits.call_fuel;
        Ok(DomainPlugin { component, pre, call_fuel })
    }

    /// The component behind it.
    #[must_use]
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// What the domain offers.
    ///
    /// # Errors
    /// The domain's fault.
    pub fn describe(&self) -> Result<Info, Box<Fault>> {
        let (mut instance, bindings) = self.instantiate()?;
        let info = instance
            .run(Phase::Call, "describe", self.call_fuel, |store| bindings.weir_plugin_domain().call_describe(store))?;
        if info.toolsets.is_empty() {
            return Err(instance.bad_answer("describe", "a domain offers at least one toolset"));
        }
        let sets =
            info.toolsets.iter().flat_map(|set| std::iter::once(&set.name).chain(set.tools.iter().map(|t| &t.name)));
        let parameters = info.toolsets.iter().flat_map(|set| &set.tools).flat_map(|tool| &tool.parameters);
        let names = [&info.name].into_iter().chain(&info.stages).chain(&info.families).chain(sets);
        for name in names.chain(parameters.map(|parameter| &parameter.name)) {
            instance.check_name("describe", "name", name)?;
        }
        Ok(info)
    }

    /// Scenarios for a stage.
    ///
    /// # Errors
    /// The domain's fault, or its refusal of the request.
    pub fn scenarios(&self, request: &Request) -> Result<Vec<Scenario>, Box<Fault>> {
        let (mut instance, bindings) = self.instantiate()?;
        let scenarios = instance
            .ask("scenarios", self.call_fuel, |store| bindings.weir_plugin_domain().call_scenarios(store, request))?;
        let mut ids = BTreeSet::new();
        for scenario in &scenarios {
            let named = [&scenario.id, &scenario.stage, &scenario.family, &scenario.topology, &scenario.memory_mode];
            let forms = scenario.ledgers.iter().map(|ledger| &ledger.form);
            for name in named.into_iter().chain(&scenario.agents).chain(forms) {
                instance.check_name("scenarios", "name", name)?;
            }
            if !ids.insert(scenario.id.as_str()) {
                return Err(instance.bad_answer("scenarios", format!("two scenarios are called `{}`", scenario.id)));
            }
            if scenario.agents.is_empty() || scenario.ledgers.is_empty() {
                let what = format!("scenario {} has no agent or no ledger", scenario.id);
                return Err(instance.bad_answer("scenarios", what));
            }
        }
        Ok(scenarios)
    }

    /// The state of one scenario, in a fresh store.
    ///
    /// # Errors
    /// The domain's fault.
    pub fn environment(&self, scenario: &Scenario) -> Result<Environment, Box<Fault>> {
        let (mut instance, bindings) = self.instantiate()?;
        let environment = instance.run(Phase::Call, "environment constructor", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_constructor(store, scenario)
        })?;
        Ok(Environment { instance, bindings, environment, call_fuel: self.call_fuel })
    }

    fn instantiate(&self) -> Result<(Instance, Bindings), Box<Fault>> {
        let mut instance = Instance::new(&self.component);
        let bindings =
            instance.run(Phase::Instantiate, "instantiation", self.call_fuel, |store| self.pre.instantiate(store))?;
        Ok((instance, bindings))
    }
}

impl Environment {
    /// Leaves the scene and sets one in the same instance. No rollout does so: a check finds by it what a domain keeps outside
    /// its environment.
    ///
    /// # Errors
    /// The domain's fault.
    pub fn renew(&mut self, scenario: &Scenario) -> Result<(), Box<Fault>> {
        let (bindings, left) = (&self.bindings, self.environment);
        self.environment = self.instance.run(Phase::Call, "environment constructor", self.call_fuel, |store| {
            left.resource_drop(&mut *store)?;
            bindings.weir_plugin_domain().environment().call_constructor(store, scenario)
        })?;
        Ok(())
    }
}

/// A scenario's state in one rollout: the sandboxed environment, or, as a baseline, the same domain linked natively.
pub trait Scene {
    /// The oracle's word on a proposed call.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn assess(&mut self, call: &Call) -> Result<Assessment, Box<Fault>>;

    /// Runs a tool up to, but not including, its commit.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn stage_call(&mut self, call: &Call) -> Result<Outcome, Box<Fault>>;

    /// Makes the staged changes of a call.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn commit(&mut self, call_id: u32) -> Result<Violation, Box<Fault>>;

    /// Drops the staged changes of a call.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn discard(&mut self, call_id: u32) -> Result<(), Box<Fault>>;

    /// Undoes a committed call.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn rollback(&mut self, call_id: u32) -> Result<(), Box<Fault>>;

    /// Keeps a memory from being recalled.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn quarantine(&mut self, key: &str) -> Result<(), Box<Fault>>;

    /// Deletes a memory.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn scrub(&mut self, key: &str) -> Result<(), Box<Fault>>;

    /// The next session begins.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn next_session(&mut self) -> Result<(), Box<Fault>>;

    /// Checks the task's success criteria.
    ///
    /// # Errors
    /// The domain's fault or refusal.
    fn judge(&mut self) -> Result<Verdict, Box<Fault>>;
}

/// Something that sets a scene for each rollout.
pub trait SceneFactory: Sync {
    /// Sets the scene.
    ///
    /// # Errors
    /// The domain's fault.
    fn scene(&self, scenario: &Scenario) -> Result<Box<dyn Scene>, Box<Fault>>;
}

impl SceneFactory for DomainPlugin {
    fn scene(&self, scenario: &Scenario) -> Result<Box<dyn Scene>, Box<Fault>> {
        Ok(Box::new(self.environment(scenario)?))
    }
}

impl Scene for Environment {
    fn assess(&mut self, call: &Call) -> Result<Assessment, Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.assess", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_assess(store, environment, call)
        })
    }

    fn stage_call(&mut self, call: &Call) -> Result<Outcome, Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.stage-call", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_stage_call(store, environment, call)
        })
    }

    fn commit(&mut self, call_id: u32) -> Result<Violation, Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.commit", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_commit(store, environment, call_id)
        })
    }

    fn discard(&mut self, call_id: u32) -> Result<(), Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.discard", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_discard(store, environment, call_id)
        })
    }

    fn rollback(&mut self, call_id: u32) -> Result<(), Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.rollback", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_rollback(store, environment, call_id)
        })
    }

    fn quarantine(&mut self, key: &str) -> Result<(), Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.quarantine", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_quarantine(store, environment, key)
        })
    }

    fn scrub(&mut self, key: &str) -> Result<(), Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.scrub", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_scrub(store, environment, key)
        })
    }

    fn next_session(&mut self) -> Result<(), Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.next-session", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_next_session(store, environment)
        })
    }

    fn judge(&mut self) -> Result<Verdict, Box<Fault>> {
        let (bindings, environment) = (&self.bindings, self.environment);
        self.instance.ask("environment.judge", self.call_fuel, |store| {
            bindings.weir_plugin_domain().environment().call_judge(store, environment)
        })
    }
}
