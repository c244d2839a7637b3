//! A policy that uses the model without end.

use weir_plugin::bindings::policy::weir::plugin::model::{CompletionRequest, complete};
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        loop {
            let request = CompletionRequest {
                role: "judge".into(),
                messages: vec![],
                response_schema: None,
                max_tokens: u32::MAX,
            };
            let _ = std::hint::black_box(complete(&request));
        }
    }
}

export_policy!(Hostile);
