//! What a plugin may ask of the host. Natively, where there is no host, `testing` stands in.

use crate::bindings::policy::weir::plugin::types::Error;
use crate::bindings::policy::weir::plugin::{log, model, transcript};

pub use log::Level;
pub use model::{Completion, CompletionRequest, Message, Speaker};

/// Writes a line to the trace's audit log. Natively, where there is none, only warnings and errors are shown, on standard
/// error.
pub fn log(level: Level, message: &str) {
    if cfg!(target_arch = "wasm32") {
        log::write(level, message);
    } else if matches!(level, Level::Warn | Level::Error) && !crate::testing::is_hushed() {
        eprintln!("{level:?}: {message}");
    }
}

/// The text behind an event that this session was shown; natively, what `testing::set_transcript` was given.
#[must_use]
pub fn text(event: u32) -> Option<String> {
    if cfg!(target_arch = "wasm32") { transcript::text(event) } else { crate::testing::transcript(event) }
}

/// Events shown to this session whose text contains this one, oldest first, at most `limit`; natively, of those that
/// `testing::set_transcript` was given.
#[must_use]
pub fn find(text: &str, limit: u32) -> Vec<u32> {
    if cfg!(target_arch = "wasm32") { transcript::find(text, limit) } else { crate::testing::find(text, limit) }
}

/// Asks the model that the operator has granted for the request's role; natively, what `testing::set_model` was given.
///
/// # Errors
/// `access-denied` without a grant, `budget-exceeded` past the rollout's budget, or what the model's host says.
pub fn complete(request: &CompletionRequest) -> Result<Completion, Error> {
    if cfg!(target_arch = "wasm32") { model::complete(request) } else { crate::testing::model_answer(request) }
}

/// Sends a panic's message to the log, since a trap alone carries none. Called once by each export macro's adapter.
pub fn report_panics() {
    if cfg!(target_arch = "wasm32") {
        std::panic::set_hook(Box::new(|info| log::write(Level::Error, &info.to_string())));
    }
}
