//! The policy world: a session per rollout, hooks that receive what happened since the last one.

use crate::fault::{Fault, Phase};
use crate::load::Component;
use crate::models::Models;
use crate::state::LogLine;
use crate::wit::memory::{Item, Turn};
use crate::wit::policies::{Decision, Endorsement, Episode, Filtered, Recovery};
use crate::wit::policy::{PolicyPlugin as Bindings, PolicyPluginPre};
use crate::wit::trace::Event;
use crate::wit::types::Proposal;
use crate::world::instance::{Instance, link_fault, linker};
use std::sync::Arc;
use wasmtime::component::{HasSelf, ResourceAny};

/// The rule identifier of a decision that the policy did not take. Reserved: no policy may use it.
pub const PLUGIN_FAULT: &str = "plugin-fault";

/// Characters of a rule identifier.
const RULE_LENGTH: usize = 64;

/// Events that a hook is shown, with the texts that it may pull.
#[derive(Clone, Copy)]
pub struct Delta<'a> {
    /// Events since the previous hook, oldest first.
    pub events: &'a [Event],
    /// Their texts, in the same order.
    pub texts: &'a [Arc<str>],
}

/// An answer with the fuel that it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<T> {
    /// The answer.
    pub value: T,
    /// Fuel.
    pub fuel: u64,
}

/// A defence in one rollout: the sandboxed session, or, as a baseline, the same policy linked natively.
pub trait Defence {
    /// Text for the agents' system prompt.
    ///
    /// # Errors
    /// The policy's fault.
    fn guidance(&mut self) -> Result<Option<String>, Box<Fault>>;

    /// What the model is shown in place of an untrusted observation, the last event of the delta.
    ///
    /// # Errors
    /// The policy's fault; the observation is then withheld.
    fn filter(&mut self, delta: Delta<'_>, observation: u32) -> Result<Answer<Filtered>, Box<Fault>>;

    /// What may become of a proposal.
    ///
    /// # Errors
    /// The policy's fault; the call is then blocked.
    fn authorize(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>>;

    /// A last look before a high-risk call commits.
    ///
    /// # Errors
    /// The policy's fault; the call is then blocked.
    fn precommit(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>>;

    /// Repairs that the policy asks for, at the end of a session.
    ///
    /// # Errors
    /// The policy's fault; nothing is repaired.
    fn recover(&mut self, delta: Delta<'_>) -> Result<Answer<Vec<Recovery>>, Box<Fault>>;

    /// Labels of consolidated memories, one for each, in their order. A baseline that has no such hook leaves them alone.
    ///
    /// # Errors
    /// The policy's fault.
    fn endorse(&mut self, memories: &[Item], _history: &[Turn]) -> Result<Answer<Vec<Endorsement>>, Box<Fault>> {
        let value = memories.iter().map(|_| Endorsement { authority: None, support: None }).collect();
        Ok(Answer { value, fuel: 0 })
    }

    /// The memory block that the acting model sees; none leaves it to the host.
    ///
    /// # Errors
    /// The policy's fault; the block is then empty.
    fn render(&mut self, _memories: &[Item]) -> Result<Answer<Option<String>>, Box<Fault>> {
        Ok(Answer { value: None, fuel: 0 })
    }
}

/// Something that starts a defence for each rollout.
pub trait DefenceFactory: Sync {
    /// Starts a rollout, with models for the roles that are granted to the policy, if there are any.
    ///
    /// # Errors
    /// The policy's fault; every call of the rollout is then blocked.
    fn start(
        &self,
        episode: &Episode,
        canaries: &Arc<[String]>,
        models: Option<Box<dyn Models>>,
    ) -> Result<Box<dyn Defence>, Box<Fault>>;
}

/// A linked policy.
pub struct PolicyPlugin {
    component: Component,
    pre: PolicyPluginPre<crate::state::State>,
}

/// A policy in one rollout.
pub struct PolicySession {
    instance: Instance,
    bindings: Bindings,
    session: ResourceAny,
    hook_fuel: u64,
}

impl PolicyPlugin {
    /// Links a policy.
    ///
    /// # Errors
    /// A fault of phase link.
    pub fn new(component: Component) -> Result<Self, Box<Fault>> {
        let linker = linker(&component, |linker| Bindings::add_to_linker::<_, HasSelf<_>>(linker, |state| state))?;
        let pre = linker
            .instantiate_pre(&component.compiled)
            .and_then(PolicyPluginPre::new)
            .map_err(|e| link_fault(&component, &e))?;
        Ok(PolicyPlugin { component, pre })
    }

    /// The component behind it.
    #[must_use]
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// Starts a rollout in a fresh store, without a model.
    ///
    /// # Errors
    /// A fault of phase instantiate or call.
    pub fn session(&self, episode: &Episode, canaries: &Arc<[String]>) -> Result<PolicySession, Box<Fault>> {
        self.session_with(episode, canaries, None)
    }

    /// The same, with models for the roles that are granted to the policy.
    ///
    /// # Errors
    /// A fault of phase instantiate or call.
    pub fn session_with(
        &self,
        episode: &Episode,
        canaries: &Arc<[String]>,
        models: Option<Box<dyn Models>>,
    ) -> Result<PolicySession, Box<Fault>> {
        let hook_fuel = self.component.identity.limits.hook_fuel;
        let mut instance = Instance::with_models(&self.component, models);
        instance.store.data_mut().canaries = Arc::clone(canaries);
        let bindings =
            instance.run(Phase::Instantiate, "instantiation", hook_fuel, |store| self.pre.instantiate(store))?;
        let session = instance.run(Phase::Call, "session constructor", hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_constructor(store, episode)
        })?;
        Ok(PolicySession { instance, bindings, session, hook_fuel })
    }
}

impl DefenceFactory for PolicyPlugin {
    fn start(
        &self,
        episode: &Episode,
        canaries: &Arc<[String]>,
        models: Option<Box<dyn Models>>,
    ) -> Result<Box<dyn Defence>, Box<Fault>> {
        Ok(Box::new(self.session_with(episode, canaries, models)?))
    }
}

impl PolicySession {
    /// What the policy logged so far.
    #[must_use]
    pub fn log(&self) -> &[LogLine] {
        &self.instance.store.data().log
    }

    /// Ends the session and starts another in the same instance. No rollout does so: a check finds by it what a policy keeps
    /// outside its session.
    ///
    /// # Errors
    /// The policy's fault.
    pub fn renew(&mut self, episode: &Episode) -> Result<(), Box<Fault>> {
        let (bindings, ended) = (&self.bindings, self.session);
        self.session = self.instance.run(Phase::Call, "session constructor", self.hook_fuel, |store| {
            ended.resource_drop(&mut *store)?;
            bindings.weir_plugin_policy().session().call_constructor(store, episode)
        })?;
        self.instance.store.data_mut().shown.clear();
        Ok(())
    }

    fn show(&mut self, delta: Delta<'_>) {
        self.instance.store.data_mut().shown.extend(delta.texts.iter().cloned());
    }

    fn checked(&self, export: &str, decision: Decision) -> Result<Answer<Decision>, Box<Fault>> {
        let reason = match &decision {
            Decision::Allow(reason) => reason.as_ref(),
            Decision::Block(reason) | Decision::Confirm(reason) => Some(reason),
        };
        if let Some(reason) = reason {
            let rule = reason.rule.as_str();
            let shaped = rule.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-.".contains(&b));
            if rule == PLUGIN_FAULT {
                return Err(self.instance.bad_answer(export, "the rule `plugin-fault` is the host's own"));
            }
            if rule.is_empty() || rule.len() > RULE_LENGTH || !shaped {
                let what = "a rule identifier has 1 to 64 characters of a-z, 0-9, `_`, `-` and `.`";
                return Err(self.instance.bad_answer(export, what));
            }
            self.instance.check_text(export, &reason.message)?;
        }
        Ok(Answer { value: decision, fuel: self.instance.last_fuel() })
    }
}

impl Defence for PolicySession {
    fn guidance(&mut self) -> Result<Option<String>, Box<Fault>> {
        let (bindings, session) = (&self.bindings, self.session);
        let text = self.instance.run(Phase::Call, "session.guidance", self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_guidance(store, session)
        })?;
        if let Some(text) = &text {
            self.instance.check_text("session.guidance", text)?;
        }
        Ok(text)
    }

    fn filter(&mut self, delta: Delta<'_>, observation: u32) -> Result<Answer<Filtered>, Box<Fault>> {
        self.show(delta);
        let export = "session.filter";
        let (bindings, session) = (&self.bindings, self.session);
        let value = self.instance.ask(export, self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_filter(store, session, delta.events, observation)
        })?;
        match &value {
            Filtered::Pass => {}
            Filtered::Replace(text) => self.instance.check_text(export, text)?,
            Filtered::Withhold(reason) => {
                self.checked(export, Decision::Block(reason.clone()))?;
            }
        }
        Ok(Answer { value, fuel: self.instance.last_fuel() })
    }

    fn authorize(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        self.show(delta);
        let export = "session.authorize";
        let (bindings, session) = (&self.bindings, self.session);
        let value = self.instance.ask(export, self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_authorize(store, session, delta.events, proposal)
        })?;
        self.checked(export, value)
    }

    fn precommit(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        self.show(delta);
        let export = "session.precommit";
        let (bindings, session) = (&self.bindings, self.session);
        let value = self.instance.ask(export, self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_precommit(store, session, delta.events, proposal)
        })?;
        self.checked(export, value)
    }

    fn recover(&mut self, delta: Delta<'_>) -> Result<Answer<Vec<Recovery>>, Box<Fault>> {
        self.show(delta);
        let export = "session.recover";
        let (bindings, session) = (&self.bindings, self.session);
        let value = self.instance.ask(export, self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_recover(store, session, delta.events)
        })?;
        for repair in &value {
            if let Recovery::Quarantine(key) | Recovery::Scrub(key) = repair {
                self.instance.check_text(export, key)?;
            }
        }
        Ok(Answer { value, fuel: self.instance.last_fuel() })
    }

    fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<Answer<Vec<Endorsement>>, Box<Fault>> {
        let export = "session.endorse";
        let (bindings, session) = (&self.bindings, self.session);
        let value = self.instance.ask(export, self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_endorse(store, session, memories, history)
        })?;
        if value.len() != memories.len() {
            let what = format!("{} endorsements of {} memories", value.len(), memories.len());
            return Err(self.instance.bad_answer(export, what));
        }
        let unknown = |turn: &u32| !history.iter().any(|known| known.index == *turn);
        if let Some(turn) = value.iter().filter_map(|one| one.support).find(unknown) {
            return Err(self.instance.bad_answer(export, format!("support names turn {turn}, which is not there")));
        }
        Ok(Answer { value, fuel: self.instance.last_fuel() })
    }

    fn render(&mut self, memories: &[Item]) -> Result<Answer<Option<String>>, Box<Fault>> {
        let export = "session.render";
        let (bindings, session) = (&self.bindings, self.session);
        let value = self.instance.ask(export, self.hook_fuel, |store| {
            bindings.weir_plugin_policy().session().call_render(store, session, memories)
        })?;
        if let Some(text) = &value {
            self.instance.check_text(export, text)?;
        }
        Ok(Answer { value, fuel: self.instance.last_fuel() })
    }
}
