//! Models for plugins: what a caller hands to an instance so that the import `model` answers, and the record of what was
//! asked and answered, from which the same call can be replayed without a model.

mod replay;

pub use replay::Replay;
pub use weir_trace::Speaker;
pub use weir_trace::exchange::{Answer, Completion, Exchange, Message, Request};

use std::sync::{Arc, Mutex, PoisonError};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// No model is configured for this role; the plugin is told so and goes on.
    #[error("no model is configured for role `{0}`")]
    NoModel(String),
    /// The model or its server refuses this request whenever it is asked; the plugin is told so and goes on.
    #[error("the model refuses the request: {0}")]
    Refused(String),
    /// The model could not be reached or gave nothing: nothing is known about the plugin.
    #[error("the model failed: {0}")]
    Failed(String),
    /// A replay was asked something else than the record has.
    #[error("the replay differs from the record: {0}")]
    Differs(String),
}

/// Models by role. A caller hands one to an instance; it answers as long as that instance lives.
pub trait Models: Send {
    /// Answers one request.
    ///
    /// # Errors
    /// Why there is no answer.
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure>;
}

/// Shared, so that its owner can look at it when the instance is gone.
impl<M: Models + ?Sized> Models for Arc<Mutex<M>> {
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure> {
        // What a panic elsewhere left behind is still a list of exchanges or a client.
        self.lock().unwrap_or_else(PoisonError::into_inner).complete(request)
    }
}
