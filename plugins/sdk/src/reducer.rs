//! Metric families: the [`Reducer`] trait and a typed view of a trace's columns.

use crate::bindings::reducer::exports::weir::plugin::reducer as exports;
use std::cell::RefCell;
use std::marker::PhantomData;

pub use crate::bindings::policy::weir::plugin::trace::Columns;
pub use crate::bindings::policy::weir::plugin::types::Error;
pub use exports::{Better, Header, Measurement, Metric};

/// Bits of `columns.facts`, as the contract numbers them.
pub mod fact {
    /// An untrusted source: a member of U.
    pub const UNTRUSTED_SOURCE: u32 = 1;
    /// A high-risk call.
    pub const HIGH_RISK: u32 = 1 << 1;
    /// The oracle says the call is authorised.
    pub const AUTHORIZED: u32 = 1 << 2;
    /// The call carries out the injection's goal.
    pub const ATTACK: u32 = 1 << 3;
    /// The call was allowed.
    pub const ALLOWED: u32 = 1 << 4;
    /// The call was blocked.
    pub const BLOCKED: u32 = 1 << 5;
    /// Confirmation was asked.
    pub const CONFIRM_ASKED: u32 = 1 << 6;
    /// Confirmation was given.
    pub const CONFIRM_GIVEN: u32 = 1 << 7;
    /// The call committed.
    pub const COMMITTED: u32 = 1 << 8;
    /// The commit was unauthorised.
    pub const UNAUTHORIZED: u32 = 1 << 9;
    /// The commit leaked a canary or private label.
    pub const SECRET_LEAK: u32 = 1 << 10;
    /// The commit reached a recipient outside the allowlist.
    pub const WRONG_RECIPIENT: u32 = 1 << 11;
    /// A model action.
    pub const MODEL_ACTION: u32 = 1 << 12;
    /// The action named an invalid tool or schema.
    pub const INVALID_ACTION: u32 = 1 << 13;
    /// The action was repaired by the parser.
    pub const REPAIRED: u32 = 1 << 14;
    /// A plugin fault decided.
    pub const PLUGIN_FAULT: u32 = 1 << 15;
    /// The call returned an error.
    pub const CALL_ERROR: u32 = 1 << 16;
}

/// Node kinds as columns carry them: positions in the contract's `node-kind`.
pub mod kind {
    /// Content that entered the rollout.
    pub const SOURCE: u8 = 0;
    /// An agent's state.
    pub const AGENT_STATE: u8 = 1;
    /// Text between agents or to the user.
    pub const MESSAGE: u8 = 2;
    /// A memory entry.
    pub const MEMORY_RECORD: u8 = 3;
    /// A proposed tool call.
    pub const PROPOSAL: u8 = 4;
    /// A policy's answer.
    pub const DECISION: u8 = 5;
    /// A tool's answer.
    pub const TOOL_RESULT: u8 = 6;
    /// A side effect.
    pub const COMMIT: u8 = 7;
    /// A repair.
    pub const RECOVERY: u8 = 8;
}

/// The only edge kind that carries labels.
pub const DATA_FLOW: u8 = 0;

/// A metric family.
pub trait Reducer: Sized + 'static {
    /// The metrics, in the order in which measurements name them.
    fn metrics() -> Vec<Metric>;

    /// Starts a trace.
    fn start(header: Header) -> Self;

    /// Takes the next event.
    fn push(&mut self, event: &Row);

    /// The measurements, after the last event: one for each metric, in order.
    fn finish(&mut self) -> Vec<Value>;
}

/// One event of a batch.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// Its identifier.
    pub id: u32,
    /// Its node kind, see [`kind`].
    pub kind: u8,
    /// Its labels.
    pub labels: u64,
    /// What is known of it, see [`fact`].
    pub facts: u32,
    /// The tool call that it belongs to.
    pub call: Option<u32>,
    /// Index of its agent's name in the batch's strings.
    pub agent: u32,
    /// Parents, with `kinds` beside it.
    pub parents: &'a [u32],
    /// Kinds of the edges from `parents`.
    pub edge_kinds: &'a [u8],
}

impl Row<'_> {
    /// Whether all bits of `facts` are set.
    #[must_use]
    pub fn is(&self, facts: u32) -> bool {
        self.facts & facts == facts
    }
}

/// A metric's value for one rollout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// None where the metric does not apply.
    pub value: Option<f64>,
    /// Count above the line.
    pub numerator: Option<f64>,
    /// Count below the line, unclipped.
    pub denominator: Option<f64>,
}

impl Value {
    /// Not applicable, which is not zero.
    pub const NOT_APPLICABLE: Value = Value { value: None, numerator: None, denominator: None };

    /// A plain number.
    #[must_use]
    pub fn number(value: f64) -> Self {
        Value { value: Some(value), ..Value::NOT_APPLICABLE }
    }

    /// 1 or 0.
    #[must_use]
    pub fn indicator(value: bool) -> Self {
        Value::number(f64::from(u8::from(value)))
    }

    /// A ratio whose denominator is clipped at one, as in equations 3 and 4.
    #[must_use]
    pub fn clipped(numerator: u32, denominator: u32) -> Self {
        Value {
            value: Some(f64::from(numerator) / f64::from(denominator.max(1))),
            numerator: Some(f64::from(numerator)),
            denominator: Some(f64::from(denominator)),
        }
    }

    /// A ratio that does not apply where its denominator is zero.
    #[must_use]
    pub fn ratio(numerator: u32, denominator: u32) -> Self {
        if denominator == 0 {
            return Value { value: None, numerator: Some(0.0), denominator: Some(0.0) };
        }
        Value::clipped(numerator, denominator)
    }
}

/// A metric's description in one line of code.
#[must_use]
pub fn metric(name: &str, family: &str, better: Better, stages: &[&str], description: &str) -> Metric {
    Metric {
        name: name.into(),
        family: family.into(),
        better,
        stages: stages.iter().map(|&stage| stage.into()).collect(),
        description: description.into(),
    }
}

/// Walks a batch's rows.
///
/// # Errors
/// `invalid-input` where the columns' lengths disagree.
pub fn rows(batch: &Columns, mut each: impl FnMut(&Row)) -> Result<(), Error> {
    let uneven = || Error::InvalidInput("columns of unequal length".into());
    let none = u32::MAX;
    for index in 0..batch.kinds.len() {
        let row = (|| {
            let from = usize::try_from(*batch.edge_offsets.get(index)?).ok()?;
            let to = usize::try_from(*batch.edge_offsets.get(index + 1)?).ok()?;
            let call = *batch.calls.get(index)?;
            Some(Row {
                id: batch.first.checked_add(u32::try_from(index).ok()?)?,
                kind: *batch.kinds.get(index)?,
                labels: *batch.labels.get(index)?,
                facts: *batch.facts.get(index)?,
                call: (call != none).then_some(call),
                agent: *batch.agents.get(index)?,
                parents: batch.edge_parents.get(from..to)?,
                edge_kinds: batch.edge_kinds.get(from..to)?,
            })
        })()
        .ok_or_else(uneven)?;
        each(&row);
    }
    Ok(())
}

/// Joins a [`Reducer`] to the component's exports.
#[doc(hidden)]
pub struct Adapter<R>(PhantomData<R>);

#[doc(hidden)]
pub struct FoldCell<R>(RefCell<R>);

impl<R: Reducer> exports::Guest for Adapter<R> {
    type Fold = FoldCell<R>;

    fn metrics() -> Vec<Metric> {
        R::metrics()
    }
}

impl<R: Reducer> exports::GuestFold for FoldCell<R> {
    fn new(header: Header) -> Self {
        crate::host::report_panics();
        FoldCell(RefCell::new(R::start(header)))
    }

    fn push(&self, batch: Columns) -> Result<(), Error> {
        let mut fold = self.0.borrow_mut();
        rows(&batch, |row| fold.push(row))
    }

    fn finish(&self) -> Result<Vec<Measurement>, Error> {
        let values = self.0.borrow_mut().finish();
        Ok(values
            .into_iter()
            .zip(0..)
            .map(|(v, metric)| Measurement {
                metric,
                value: v.value,
                numerator: v.numerator,
                denominator: v.denominator,
            })
            .collect())
    }
}

/// Makes a type that implements [`Reducer`] this component's reducer.
///
/// A component lives for one rollout, so by default it frees nothing: allocating is then almost free. A plugin that churns
/// through more memory than its limit says `export_reducer!(Mine, allocator = default)` and gets Rust's own allocator.
#[macro_export]
macro_rules! export_reducer {
    ($reducer:ident) => {
        $crate::export_reducer!($reducer, allocator = default);
        #[cfg(target_arch = "wasm32")]
        #[global_allocator]
        static WEIR_ALLOCATOR: $crate::alloc::OneRollout = $crate::alloc::ONE_ROLLOUT;
    };
    ($reducer:ident, allocator = default) => {
        #[cfg(target_arch = "wasm32")]
        mod weir_export {
            type Component = $crate::reducer::Adapter<super::$reducer>;
            $crate::bindings::reducer::export_bindings_reducer!(Component with_types_in $crate::bindings::reducer);
        }
    };
}
