//! What a store holds for one rollout of one component: its running totals, budgets and what it was shown.

use crate::fault::{Cause, printable};
use crate::limits::Limits;
use crate::models::{Exchange, Models};
use crate::wasi::VirtualWasi;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Lines of the guest's own words that a fault report carries.
const TAIL_LINES: usize = 8;

/// A line that a guest logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// `debug`, `info`, `warn` or `error`.
    pub level: &'static str,
    /// The text, made printable.
    pub message: String,
}

/// The data of one store.
pub struct State {
    pub(crate) limits: Arc<Limits>,
    pub(crate) totals: Totals,
    pub(crate) log: Vec<LogLine>,
    pub(crate) log_bytes: u64,
    /// Texts of the events shown so far, by position.
    pub(crate) shown: Vec<Arc<str>>,
    pub(crate) canaries: Arc<[String]>,
    pub(crate) transcript_calls: u32,
    pub(crate) transcript_bytes: u64,
    pub(crate) model_calls: u32,
    pub(crate) model_input_tokens: u64,
    pub(crate) model_output_tokens: u64,
    /// Millionths of the price file's currency.
    pub(crate) model_cost: u64,
    /// Calls past a budget.
    pub(crate) model_refused: u32,
    /// Roles in which the plugin may ask a model.
    pub(crate) roles: Arc<BTreeSet<String>>,
    /// What answers it; none where the caller offers no model.
    pub(crate) models: Option<Box<dyn Models>>,
    /// What was asked and answered so far.
    pub(crate) exchanges: Vec<Exchange>,
    /// Time of this call that went into waiting for models.
    pub(crate) waited: Duration,
    /// Why the host stopped the guest; wasmtime carries only a trap.
    pub(crate) stopped: Option<Cause>,
    pub(crate) wasi: Option<Box<VirtualWasi>>,
}

impl State {
    pub(crate) fn new(limits: Arc<Limits>, wasi: Option<Box<VirtualWasi>>) -> Self {
        State {
            totals: Totals::default(),
            log: Vec::new(),
            log_bytes: 0,
            shown: Vec::new(),
            canaries: Arc::from([]),
            transcript_calls: 0,
            transcript_bytes: 0,
            model_calls: 0,
            model_input_tokens: 0,
            model_output_tokens: 0,
            model_cost: 0,
            model_refused: 0,
            roles: Arc::default(),
            models: None,
            exchanges: Vec::new(),
            waited: Duration::ZERO,
            stopped: None,
            limits,
            wasi,
        }
    }

    /// Stops the guest: the call traps, and the fault report says why.
    pub(crate) fn stop<T>(&mut self, cause: Cause) -> wasmtime::Result<T> {
        let error = wasmtime::Error::msg(cause.to_string());
        self.stopped = Some(cause);
        Err(error)
    }

    /// The last words of the guest, oldest first.
    pub(crate) fn tail(&self) -> Vec<String> {
        let stderr = self.wasi.as_ref().map(|w| w.output()).unwrap_or_default();
        let written = stderr.lines().map(printable);
        let logged = self.log.iter().map(|line| format!("{}: {}", line.level, line.message));
        let all: Vec<String> = logged.chain(written).collect();
        all.into_iter().rev().take(TAIL_LINES).rev().collect()
    }
}

/// Memory and tables in use, summed over a component's core instances: wasmtime's own limits are per memory, so two
/// memories would pass twice.
#[derive(Default)]
pub(crate) struct Totals {
    memory: usize,
    tables: usize,
    pub(crate) peak_memory: usize,
}

impl ResourceLimiter for State {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.totals.memory.saturating_add(desired.saturating_sub(current));
        let limit = self.limits.memory_bytes;
        if total > limit {
            return self.stop(Cause::Memory { asked: wide(total), limit: wide(limit) });
        }
        self.totals.memory = total;
        self.totals.peak_memory = self.totals.peak_memory.max(total);
        Ok(true)
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.totals.tables.saturating_add(desired.saturating_sub(current));
        let limit = self.limits.table_elements;
        if total > limit {
            return self.stop(Cause::Table { asked: wide(total), limit: wide(limit) });
        }
        self.totals.tables = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.limits.instances
    }

    fn tables(&self) -> usize {
        self.limits.tables
    }

    fn memories(&self) -> usize {
        self.limits.memories
    }
}

/// For reports, where all counts are 64 bits wide.
pub(crate) fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
