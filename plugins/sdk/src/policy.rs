//! Defences: the [`Policy`] trait and what it speaks of.

use crate::bindings::policy::exports::weir::plugin::policy as exports;
use std::cell::RefCell;
use std::marker::PhantomData;

pub use crate::bindings::policy::weir::plugin::memory::{Authority, Item, Turn};
pub use crate::bindings::policy::weir::plugin::trace::{Edge, EdgeKind, Event, NodeKind};
pub use crate::bindings::policy::weir::plugin::types::{
    Argument, Authorization, Constraint, Effect, Error, Parameter, Proposal, Reason, Role, Rule, Tool,
};
pub use exports::{Decision, Endorsement, Episode, Filtered, Recovery};

/// A defence's state for one rollout. Only [`start`](Policy::start) and [`authorize`](Policy::authorize) have no default.
pub trait Policy: Sized + 'static {
    /// Starts a rollout.
    fn start(episode: Episode) -> Self;

    /// Text added to the agents' system prompt.
    fn guidance(&mut self) -> Option<String> {
        None
    }

    /// Events since the previous hook, oldest first. Called before every other hook.
    fn observe(&mut self, _events: &[Event]) {}

    /// What the model is shown in place of an untrusted observation. A replacement bears the observation's labels.
    ///
    /// # Errors
    /// Any error withholds the observation.
    fn filter(&mut self, _observation: u32) -> Result<Filtered, Error> {
        Ok(Filtered::Pass)
    }

    /// What may become of a proposed call.
    ///
    /// # Errors
    /// Any error blocks the call.
    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error>;

    /// A last look before a high-risk call commits.
    ///
    /// # Errors
    /// Any error blocks the call.
    fn precommit(&mut self, _proposal: &Proposal) -> Result<Decision, Error> {
        Ok(Decision::allow())
    }

    /// Repairs that the policy asks for.
    ///
    /// # Errors
    /// Any error leaves things as they are.
    fn recover(&mut self) -> Result<Vec<Recovery>, Error> {
        Ok(Vec::new())
    }

    /// Labels consolidated memories, given the history that they were written from: one answer for each, in their order.
    ///
    /// # Errors
    /// Any error closes the policy.
    fn endorse(&mut self, memories: &[Item], _history: &[Turn]) -> Result<Vec<Endorsement>, Error> {
        Ok(memories.iter().map(|_| Endorsement { authority: None, support: None }).collect())
    }

    /// The memory block that the acting model sees; `None` leaves the host's own: a line for each memory.
    ///
    /// # Errors
    /// Any error closes the policy and leaves the memory block empty.
    fn render(&mut self, _memories: &[Item]) -> Result<Option<String>, Error> {
        Ok(None)
    }
}

impl Decision {
    /// Allows without a reason.
    #[must_use]
    pub fn allow() -> Self {
        Decision::Allow(None)
    }

    /// Allows, by a rule.
    #[must_use]
    pub fn allow_by(rule: &str, message: impl Into<String>) -> Self {
        Decision::Allow(Some(Reason { rule: rule.into(), message: message.into() }))
    }

    /// Blocks, by a rule.
    #[must_use]
    pub fn block(rule: &str, message: impl Into<String>) -> Self {
        Decision::Block(Reason { rule: rule.into(), message: message.into() })
    }

    /// Asks for confirmation, by a rule.
    #[must_use]
    pub fn confirm(rule: &str, message: impl Into<String>) -> Self {
        Decision::Confirm(Reason { rule: rule.into(), message: message.into() })
    }

    /// The rule that decided, if the policy named one.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        match self {
            Decision::Allow(reason) => reason.as_ref().map(|r| r.rule.as_str()),
            Decision::Block(reason) | Decision::Confirm(reason) => Some(&reason.rule),
        }
    }
}

/// Joins a [`Policy`] to the component's exports.
#[doc(hidden)]
pub struct Adapter<P>(PhantomData<P>);

#[doc(hidden)]
pub struct SessionCell<P>(RefCell<P>);

impl<P: Policy> exports::Guest for Adapter<P> {
    type Session = SessionCell<P>;
}

impl<P: Policy> exports::GuestSession for SessionCell<P> {
    fn new(episode: Episode) -> Self {
        crate::host::report_panics();
        SessionCell(RefCell::new(P::start(episode)))
    }

    fn guidance(&self) -> Option<String> {
        self.0.borrow_mut().guidance()
    }

    fn filter(&self, delta: Vec<Event>, observation: u32) -> Result<Filtered, Error> {
        let mut policy = self.0.borrow_mut();
        policy.observe(&delta);
        policy.filter(observation)
    }

    fn authorize(&self, delta: Vec<Event>, proposal: Proposal) -> Result<Decision, Error> {
        let mut policy = self.0.borrow_mut();
        policy.observe(&delta);
        policy.authorize(&proposal)
    }

    fn precommit(&self, delta: Vec<Event>, proposal: Proposal) -> Result<Decision, Error> {
        let mut policy = self.0.borrow_mut();
        policy.observe(&delta);
        policy.precommit(&proposal)
    }

    fn recover(&self, delta: Vec<Event>) -> Result<Vec<Recovery>, Error> {
        let mut policy = self.0.borrow_mut();
        policy.observe(&delta);
        policy.recover()
    }

    fn endorse(&self, memories: Vec<Item>, history: Vec<Turn>) -> Result<Vec<Endorsement>, Error> {
        self.0.borrow_mut().endorse(&memories, &history)
    }

    fn render(&self, memories: Vec<Item>) -> Result<Option<String>, Error> {
        self.0.borrow_mut().render(&memories)
    }
}

/// Makes a type that implements [`Policy`] this component's policy.
///
/// A component lives for one rollout, so by default it frees nothing: allocating is then almost free. A plugin that churns
/// through more memory than its limit says `export_policy!(Mine, allocator = default)` and gets Rust's own allocator.
///
/// It belongs at the root of the crate: there `weir bench` finds the policy's native build, under the SDK's feature `replay`.
#[macro_export]
macro_rules! export_policy {
    ($policy:ident) => {
        $crate::export_policy!($policy, allocator = default);
        #[cfg(target_arch = "wasm32")]
        #[global_allocator]
        static WEIR_ALLOCATOR: $crate::alloc::OneRollout = $crate::alloc::ONE_ROLLOUT;
    };
    ($policy:ident, allocator = default) => {
        #[cfg(target_arch = "wasm32")]
        mod weir_export {
            type Component = $crate::policy::Adapter<super::$policy>;
            $crate::bindings::policy::export_bindings!(Component with_types_in $crate::bindings::policy);
        }
        $crate::export_native_policy!($policy);
    };
}

/// The way to a policy from outside its native build, for `weir bench`: a function, since the type itself may be private.
#[cfg(all(feature = "replay", not(target_arch = "wasm32")))]
#[doc(hidden)]
#[macro_export]
macro_rules! export_native_policy {
    ($policy:ident) => {
        #[doc(hidden)]
        #[allow(dead_code)]
        pub fn weir_native_program() -> std::process::ExitCode {
            $crate::replay::program::<$policy>()
        }
    };
}

/// Ordinary builds and components have none.
#[cfg(not(all(feature = "replay", not(target_arch = "wasm32"))))]
#[doc(hidden)]
#[macro_export]
macro_rules! export_native_policy {
    ($policy:ident) => {};
}
