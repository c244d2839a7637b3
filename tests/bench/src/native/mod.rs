//! The same plugins, linked natively: what the sandbox's cost is measured against. Values are handed over owned, as a
//! native plugin interface would have to do.

mod domain;
mod policy;
mod reducer;

pub use domain::NativeDomain;
pub use policy::NativeFactory;
pub use reducer::NativeReducer;

use weir_plugin::domain as sdk;
use weir_runtime::Fault;

/// A native plugin's refusal as the host knows it.
fn refused(error: &sdk::Error) -> Box<Fault> {
    let cause = weir_runtime::Cause::Refused { message: format!("{error:?}") };
    Fault::early("native", "", weir_runtime::Phase::Call, cause)
}
