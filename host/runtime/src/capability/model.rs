//! `model`: completions for plugins. This version offers no model to plugins, so a granted import still answers
//! `access-denied`; the budget on calls holds all the same.

use crate::fault::Cause;
use crate::state::State;
use crate::wit::model::{Completion, CompletionRequest, Host};
use crate::wit::types::Error;

impl Host for State {
    fn complete(&mut self, request: CompletionRequest) -> wasmtime::Result<Result<Completion, Error>> {
        self.model_calls = self.model_calls.saturating_add(1);
        if self.model_calls > self.limits.model_calls {
            let limit = u64::from(self.limits.model_calls);
            return self.stop(Cause::Budget { import: "model.complete".into(), limit, unit: "calls".into() });
        }
        Ok(Err(Error::AccessDenied(format!("no model is configured for role `{}`", request.role))))
    }
}
