//! What all worlds have in common: a linked component, a store for one rollout, and calls under budget.

use crate::fault::{Cause, Fault, Frame, Phase, printable};
use crate::grants::Profile;
use crate::load::Component;
use crate::meter::Call;
use crate::models::Models;
use crate::state::{State, wide};
use crate::wasi::{self, VirtualWasi};
use crate::wit::types::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::component::Linker;
use wasmtime::{Store, Trap, UpdateDeadline, WasmBacktrace};
use weir_metadata::is_hidden;

/// Bytes that wasmtime counts for the smallest list element; part of the allowance for one call's answer.
const ANSWER_OVERHEAD: usize = 4 << 10;

/// Bytes of a name: of a function in a backtrace, since a name section may hold megabytes, and of whatever an answer names.
const NAME: usize = 512;

/// Links a component against what its profile offers.
pub(crate) fn linker(
    component: &Component,
    add: impl FnOnce(&mut Linker<State>) -> wasmtime::Result<()>,
) -> Result<Linker<State>, Box<Fault>> {
    let mut linker = Linker::new(&component.engine);
    let link = || {
        add(&mut linker)?;
        if component.identity.profile == Profile::Compat {
            wasi::link(&mut linker)?;
        }
        Ok(())
    };
    link().map_err(|e: wasmtime::Error| component.fault(Phase::Link, Cause::Host { message: format!("{e:#}") }))?;
    Ok(linker)
}

/// A fault of linking: wasmtime's message names the item.
pub(crate) fn link_fault(component: &Component, error: &wasmtime::Error) -> Box<Fault> {
    component.fault(Phase::Link, Cause::WrongWorld { problems: vec![printable(&format!("{error:#}"))] })
}

/// A store for one rollout, with its component's identity for reports.
pub(crate) struct Instance {
    pub(crate) store: Store<State>,
    component: Component,
    /// Fuel of the last call.
    last_fuel: u64,
    /// When the store was begun, until its instantiation is over; none without a meter.
    begun: Option<Instant>,
}

impl Instance {
    pub(crate) fn new(component: &Component) -> Self {
        Instance::with_models(component, None)
    }

    /// The same, with models that answer what it asks in its granted roles.
    pub(crate) fn with_models(component: &Component, models: Option<Box<dyn Models>>) -> Self {
        let begun = component.meter.as_ref().map(|_| Instant::now());
        let limits = Arc::clone(&component.identity.limits);
        let wasi = (component.identity.profile == Profile::Compat).then(|| VirtualWasi::new(limits.handles));
        let mut state = State::new(Arc::clone(&limits), wasi);
        state.roles = Arc::clone(&component.identity.roles);
        let may_wait = models.is_some();
        state.models = models;
        let mut store = Store::new(&component.engine, state);
        if may_wait {
            store.epoch_deadline_callback(|mut context| {
                let waited = std::mem::take(&mut context.data_mut().waited).as_millis();
                let ticks = waited.div_ceil(u128::from(crate::engine::TICK_MS));
                match u64::try_from(ticks).unwrap_or(u64::MAX) {
                    0 => Err(Trap::Interrupt.into()),
                    ticks => Ok(UpdateDeadline::Continue(ticks)),
                }
            });
        }
        store.limiter(|state| state);
        store.set_hostcall_fuel(limits.output_bytes.saturating_add(ANSWER_OVERHEAD));
        store.set_max_component_handles(limits.handles);
        Instance { store, component: component.clone(), last_fuel: 0, begun }
    }

    /// Fuel that the last call used.
    pub(crate) fn last_fuel(&self) -> u64 {
        self.last_fuel
    }

    /// Runs `call` under a fuel budget and turns whatever goes wrong into a fault.
    pub(crate) fn run<T>(
        &mut self,
        phase: Phase,
        export: &str,
        fuel: u64,
        call: impl FnOnce(&mut Store<State>) -> wasmtime::Result<T>,
    ) -> Result<T, Box<Fault>> {
        // A store starts without fuel and at its deadline: both are set before every entry into the guest.
        let ready = self.store.set_fuel(fuel);
        self.store.data_mut().waited = Duration::ZERO;
        let seconds = self.component.identity.limits.call_seconds;
        let begun = self.component.meter.as_ref().map(|_| self.begun.take().unwrap_or_else(Instant::now));
        self.store.set_epoch_deadline(seconds.saturating_mul(1000 / crate::engine::TICK_MS).max(1));
        let outcome = ready.and_then(|()| call(&mut self.store));
        let time = begun.map(|begun| begun.elapsed());
        self.last_fuel = fuel.saturating_sub(self.store.get_fuel().unwrap_or(0));
        if let (Some(meter), Some(time)) = (&self.component.meter, time) {
            let memory = wide(self.store.data().totals.peak_memory);
            meter.add(Call { export: export.into(), fuel: self.last_fuel, time, memory });
        }
        outcome.map_err(|error| self.fault(phase, export, &error, fuel))
    }

    /// The same, for an export that answers with the contract's result.
    pub(crate) fn ask<T>(
        &mut self,
        export: &str,
        fuel: u64,
        call: impl FnOnce(&mut Store<State>) -> wasmtime::Result<Result<T, Error>>,
    ) -> Result<T, Box<Fault>> {
        let answer = self.run(Phase::Call, export, fuel, call)?;
        answer.map_err(|error| self.report(Phase::Call, export, Cause::Refused { message: describe(&error) }))
    }

    /// A fault of an answer that breaks the contract.
    pub(crate) fn bad_answer(&self, export: &str, message: impl Into<String>) -> Box<Fault> {
        self.report(Phase::Call, export, Cause::Answer { message: printable(&message.into()) })
    }

    /// Checks a name in an answer: it stands in tables, file names and error messages, beside names that are others'.
    pub(crate) fn check_name(&self, export: &str, what: &str, name: &str) -> Result<(), Box<Fault>> {
        let hidden = name.chars().any(is_hidden);
        if hidden || name.len() > NAME {
            let why = if hidden { "has characters that nobody sees" } else { "is too long" };
            return Err(self.bad_answer(export, format!("the {what} `{}` {why}", shortened(name, NAME))));
        }
        Ok(())
    }

    /// Checks a text of an answer.
    pub(crate) fn check_text(&self, export: &str, text: &str) -> Result<(), Box<Fault>> {
        let limit = self.component.identity.limits.text_bytes;
        if text.len() > limit {
            return Err(self.report(Phase::Call, export, Cause::Output { limit: wide(limit) }));
        }
        Ok(())
    }

    fn report(&self, phase: Phase, export: &str, cause: Cause) -> Box<Fault> {
        let mut fault = self.component.fault(phase, cause);
        let state = self.store.data();
        fault.export = Some(export.into());
        fault.stderr_tail = state.tail();
        fault.fuel_used = Some(self.last_fuel);
        fault.peak_memory = Some(wide(state.totals.peak_memory));
        fault
    }

    fn fault(&self, phase: Phase, export: &str, error: &wasmtime::Error, fuel: u64) -> Box<Fault> {
        let cause = match self.store.data().stopped.clone() {
            Some(cause) => cause,
            None => self.cause(error, fuel),
        };
        let mut fault = self.report(phase, export, cause);
        fault.backtrace = error.downcast_ref::<WasmBacktrace>().map(frames).unwrap_or_default();
        fault
    }

    fn cause(&self, error: &wasmtime::Error, fuel: u64) -> Cause {
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => return Cause::OutOfFuel { fuel },
            Some(Trap::Interrupt) => return Cause::Deadline { seconds: self.component.identity.limits.call_seconds },
            Some(Trap::StackOverflow) => return Cause::StackOverflow,
            Some(trap) => return Cause::Trap { message: trap.to_string() },
            None => {}
        }
        let message = printable(&format!("{:#}", error.root_cause()));
        let limits = &self.component.identity.limits;
        // wasmtime reports these as text only.
        // No slot free: nothing is known about this plugin.
        if message.contains("maximum concurrent") {
            return Cause::Host { message };
        }
        if message.contains("too much data") || message.contains("fuel allocated for hostcalls") {
            return Cause::Output { limit: wide(limits.output_bytes) };
        }
        Cause::Trap { message }
    }
}

fn frames(backtrace: &WasmBacktrace) -> Vec<Frame> {
    backtrace
        .frames()
        .iter()
        .take(16)
        .map(|frame| Frame {
            function: frame
                .func_name()
                .map_or_else(|| format!("function {}", frame.func_index()), |name| shortened(&demangle(name), NAME)),
            offset: frame.module_offset().map(wide),
        })
        .collect()
}

/// Function names of Rust and C++ guests are mangled; wasmtime demangles only in its own printout.
fn demangle(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// At most so many bytes of a guest's text, cut between characters and made printable.
fn shortened(text: &str, limit: usize) -> String {
    printable(text.get(..text.floor_char_boundary(limit)).unwrap_or_default())
}

/// A plugin's own error in one line.
fn describe(error: &Error) -> String {
    let (kind, text) = match error {
        Error::InvalidInput(text) => ("invalid input", text),
        Error::Unsupported(text) => ("unsupported", text),
        Error::BudgetExceeded(text) => ("budget exceeded", text),
        Error::AccessDenied(text) => ("access denied", text),
        Error::Other(text) => ("other", text),
    };
    format!("{kind}: {}", shortened(text, 4096))
}
