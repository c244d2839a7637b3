//! `transcript`: the text behind the events that a session was shown. Canaries are replaced by placeholders, so that a
//! policy cannot learn a scenario by its secrets.

use crate::fault::Cause;
use crate::state::{State, wide};
use crate::wit::transcript::Host;

impl Host for State {
    fn text(&mut self, event: u32) -> wasmtime::Result<Option<String>> {
        let budget = |limit, unit: &str| Cause::Budget { import: "transcript.text".into(), limit, unit: unit.into() };
        self.transcript_calls = self.transcript_calls.saturating_add(1);
        if self.transcript_calls > self.limits.transcript_calls {
            return self.stop(budget(u64::from(self.limits.transcript_calls), "calls"));
        }
        let Some(text) = usize::try_from(event).ok().and_then(|index| self.shown.get(index)) else {
            return Ok(None);
        };
        let text = redact(text, &self.canaries);
        self.transcript_bytes = self.transcript_bytes.saturating_add(wide(text.len()));
        if self.transcript_bytes > self.limits.transcript_bytes {
            return self.stop(budget(self.limits.transcript_bytes, "bytes"));
        }
        Ok(Some(text))
    }
}

fn redact(text: &str, canaries: &[String]) -> String {
    let named = canaries.iter().enumerate().filter(|(_, canary)| !canary.is_empty());
    named.fold(text.to_owned(), |text, (number, canary)| text.replace(canary, &format!("[canary {number}]")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::sync::Arc;

    #[test]
    fn only_shown_events_have_a_text_and_canaries_are_redacted() {
        let mut state = State::new(Arc::new(Limits::default()), None);
        state.shown = vec!["the code is CANARY-1".into()];
        state.canaries = Arc::from(["CANARY-1".to_owned()]);
        assert_eq!(state.text(0).unwrap().as_deref(), Some("the code is [canary 0]"));
        assert_eq!(state.text(1).unwrap(), None);
    }

    #[test]
    fn pulling_past_the_budget_stops_the_guest() {
        let mut state = State::new(Arc::new(Limits { transcript_bytes: 5, ..Limits::default() }), None);
        state.shown = vec!["four".into()];
        assert!(state.text(0).is_ok());
        assert!(state.text(0).is_err());
        assert!(matches!(state.stopped, Some(Cause::Budget { limit: 5, .. })));
    }
}
