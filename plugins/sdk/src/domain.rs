//! Tool environments: the [`Domain`] and [`Environment`] traits.

use crate::bindings::domain::exports::weir::plugin::domain as exports;
use std::cell::RefCell;
use std::marker::PhantomData;

pub use crate::bindings::policy::weir::plugin::types::{
    Authorization, Constraint, Effect, Error, Parameter, Role, Rule, Tool,
};
pub use exports::{
    Assessment, Call, Change, Info, Ledger, Outcome, Request, Scenario, Segment, Toolset, Verdict, Violation,
};

/// What a domain offers.
pub trait Domain: 'static {
    /// The state of one scenario in one rollout.
    type Environment: Environment;

    /// Tools, stages and families. The same answer every time.
    fn describe() -> Info;

    /// Scenarios for a stage.
    ///
    /// # Errors
    /// `invalid-input` where the parameters are wrong, `unsupported` where the stage is unknown.
    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error>;
}

/// The state of one scenario in one rollout.
pub trait Environment: Sized + 'static {
    /// Sets the scene. A state that cannot be read is kept as an error for the first call.
    fn start(scenario: Scenario) -> Result<Self, Error>;

    /// The oracle's word on a proposed call. Changes nothing.
    ///
    /// # Errors
    /// `invalid-input` where the call is not one of the toolset's.
    fn assess(&mut self, call: &Call) -> Result<Assessment, Error>;

    /// Runs a tool up to, but not including, its commit.
    ///
    /// # Errors
    /// `invalid-input` where the call is not one of the toolset's.
    fn stage_call(&mut self, call: &Call) -> Result<Outcome, Error>;

    /// Makes the staged changes of a call.
    ///
    /// # Errors
    /// `invalid-input` where nothing is staged for the call.
    fn commit(&mut self, call_id: u32) -> Result<Violation, Error>;

    /// Drops the staged changes of a call.
    ///
    /// # Errors
    /// `invalid-input` where nothing is staged for the call.
    fn discard(&mut self, call_id: u32) -> Result<(), Error>;

    /// Undoes a committed call.
    ///
    /// # Errors
    /// `unsupported` where the domain cannot undo.
    fn rollback(&mut self, _call_id: u32) -> Result<(), Error> {
        Err(Error::Unsupported("this domain undoes nothing".into()))
    }

    /// Keeps a memory from being recalled, without deleting it.
    ///
    /// # Errors
    /// `unsupported` where the domain has no memory, `invalid-input` where there is none under the key.
    fn quarantine(&mut self, _key: &str) -> Result<(), Error> {
        Err(Error::Unsupported("this domain has no memory".into()))
    }

    /// Deletes a memory.
    ///
    /// # Errors
    /// `unsupported` where the domain has no memory, `invalid-input` where there is none under the key.
    fn scrub(&mut self, _key: &str) -> Result<(), Error> {
        Err(Error::Unsupported("this domain has no memory".into()))
    }

    /// The next session begins: memory that is not persistent is gone.
    ///
    /// # Errors
    /// `invalid-input` where the scenario has no further session.
    fn next_session(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Checks the task's success criteria.
    ///
    /// # Errors
    /// `unsupported` where the domain has no oracle for a whole rollout.
    fn judge(&mut self) -> Result<Verdict, Error>;
}

/// Joins a [`Domain`] to the component's exports.
#[doc(hidden)]
pub struct Adapter<D>(PhantomData<D>);

#[doc(hidden)]
pub struct EnvironmentCell<E>(RefCell<Result<E, Error>>);

impl<D: Domain> exports::Guest for Adapter<D> {
    type Environment = EnvironmentCell<D::Environment>;

    fn describe() -> Info {
        D::describe()
    }

    fn scenarios(request: Request) -> Result<Vec<Scenario>, Error> {
        crate::host::report_panics();
        D::scenarios(request)
    }
}

impl<E: Environment> EnvironmentCell<E> {
    fn with<T>(&self, call: impl FnOnce(&mut E) -> Result<T, Error>) -> Result<T, Error> {
        match &mut *self.0.borrow_mut() {
            Ok(environment) => call(environment),
            Err(error) => Err(error.clone()),
        }
    }
}

impl<E: Environment> exports::GuestEnvironment for EnvironmentCell<E> {
    fn new(scenario: Scenario) -> Self {
        crate::host::report_panics();
        EnvironmentCell(RefCell::new(E::start(scenario)))
    }

    fn assess(&self, call: Call) -> Result<Assessment, Error> {
        self.with(|e| e.assess(&call))
    }

    fn stage_call(&self, call: Call) -> Result<Outcome, Error> {
        self.with(|e| e.stage_call(&call))
    }

    fn commit(&self, call_id: u32) -> Result<Violation, Error> {
        self.with(|e| e.commit(call_id))
    }

    fn discard(&self, call_id: u32) -> Result<(), Error> {
        self.with(|e| e.discard(call_id))
    }

    fn rollback(&self, call_id: u32) -> Result<(), Error> {
        self.with(|e| e.rollback(call_id))
    }

    fn quarantine(&self, key: String) -> Result<(), Error> {
        self.with(|e| e.quarantine(&key))
    }

    fn scrub(&self, key: String) -> Result<(), Error> {
        self.with(|e| e.scrub(&key))
    }

    fn next_session(&self) -> Result<(), Error> {
        self.with(Environment::next_session)
    }

    fn judge(&self) -> Result<Verdict, Error> {
        self.with(Environment::judge)
    }
}

/// Makes a type that implements [`Domain`] this component's domain.
///
/// An environment lives for one rollout, so by default the component frees nothing: allocating is then almost free. A domain
/// that churns through more memory than its limit says `export_domain!(Mine, allocator = default)` and gets Rust's own
/// allocator.
#[macro_export]
macro_rules! export_domain {
    ($domain:ident) => {
        $crate::export_domain!($domain, allocator = default);
        #[cfg(target_arch = "wasm32")]
        #[global_allocator]
        static WEIR_ALLOCATOR: $crate::alloc::OneRollout = $crate::alloc::ONE_ROLLOUT;
    };
    ($domain:ident, allocator = default) => {
        #[cfg(target_arch = "wasm32")]
        mod weir_export {
            type Component = $crate::domain::Adapter<super::$domain>;
            $crate::bindings::domain::export_bindings_domain!(Component with_types_in $crate::bindings::domain);
        }
    };
}
