//! Memory consolidators: the [`Writer`] trait.

use crate::bindings::writer::exports::weir::plugin::writer as exports;
use std::marker::PhantomData;

pub use crate::bindings::policy::weir::plugin::memory::{Authority, Item, Kind, Span, Speaker, Turn};
pub use crate::bindings::policy::weir::plugin::types::Error;
pub use exports::{Method, Task, View};

/// One history in, at most `limit` memories out.
pub trait Writer: 'static {
    /// Writes memories.
    ///
    /// # Errors
    /// Where the writer cannot work; the pair is then counted as a writer error, never as an omission.
    fn consolidate(task: &Task) -> Result<Vec<Item>, Error>;
}

/// Joins a [`Writer`] to the component's exports.
#[doc(hidden)]
pub struct Adapter<W>(PhantomData<W>);

impl<W: Writer> exports::Guest for Adapter<W> {
    fn consolidate(task: Task) -> Result<Vec<Item>, Error> {
        crate::host::report_panics();
        W::consolidate(&task)
    }
}

/// Makes a type that implements [`Writer`] this component's writer.
///
/// A component lives for one rollout, so by default it frees nothing: allocating is then almost free. A plugin that churns
/// through more memory than its limit says `export_writer!(Mine, allocator = default)` and gets Rust's own allocator.
#[macro_export]
macro_rules! export_writer {
    ($writer:ident) => {
        $crate::export_writer!($writer, allocator = default);
        #[cfg(target_arch = "wasm32")]
        #[global_allocator]
        static WEIR_ALLOCATOR: $crate::alloc::OneRollout = $crate::alloc::ONE_ROLLOUT;
    };
    ($writer:ident, allocator = default) => {
        #[cfg(target_arch = "wasm32")]
        mod weir_export {
            type Component = $crate::writer::Adapter<super::$writer>;
            $crate::bindings::writer::export_bindings_writer!(Component with_types_in $crate::bindings::writer);
        }
    };
}
