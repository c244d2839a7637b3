//! `transcript`: the text behind the events that a session was shown. Canaries are replaced by placeholders, so that a
//! policy cannot learn a scenario by its secrets.

use crate::fault::Cause;
use crate::state::{State, wide};
use crate::wit::transcript::Host;
use std::borrow::Cow;

impl Host for State {
    fn text(&mut self, event: u32) -> wasmtime::Result<Option<String>> {
        self.count_call("transcript.text")?;
        let Some(text) = usize::try_from(event).ok().and_then(|index| self.shown.get(index)) else {
            return Ok(None);
        };
        let text = redacted(text, &self.canaries).into_owned();
        self.count_bytes("transcript.text", wide(text.len()))?;
        Ok(Some(text))
    }

    /// Searching costs the host what pulling would, and neither fuel nor an epoch stops it, so what is searched counts
    /// against the budget of bytes.
    fn find(&mut self, text: String, limit: u32) -> wasmtime::Result<Vec<u32>> {
        self.count_call("transcript.find")?;
        if text.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let searched: usize = self.shown.iter().map(|text| text.len()).sum();
        self.count_bytes("transcript.find", wide(searched))?;
        let finder = memchr::memmem::Finder::new(&text);
        let holds = |shown: &str| finder.find(redacted(shown, &self.canaries).as_bytes()).is_some();
        let found = (0_u32..).zip(&self.shown).filter(|(_, shown)| holds(shown)).map(|(event, _)| event);
        Ok(found.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect())
    }
}

impl State {
    fn count_call(&mut self, import: &str) -> wasmtime::Result<()> {
        self.transcript_calls = self.transcript_calls.saturating_add(1);
        let limit = self.limits.transcript_calls;
        if self.transcript_calls <= limit {
            return Ok(());
        }
        self.stop(Cause::Budget { import: import.into(), limit: u64::from(limit), unit: "calls".into() })
    }

    fn count_bytes(&mut self, import: &str, bytes: u64) -> wasmtime::Result<()> {
        self.transcript_bytes = self.transcript_bytes.saturating_add(bytes);
        let limit = self.limits.transcript_bytes;
        if self.transcript_bytes <= limit {
            return Ok(());
        }
        self.stop(Cause::Budget { import: import.into(), limit, unit: "bytes".into() })
    }
}

/// What a policy may read of a text: a canary could tell it which scenario this is.
#[must_use]
pub fn redacted<'a>(text: &'a str, canaries: &[String]) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for (number, canary) in canaries.iter().enumerate().filter(|(_, canary)| !canary.is_empty()) {
        if text.contains(canary.as_str()) {
            text = Cow::Owned(text.replace(canary, &format!("[canary {number}]")));
        }
    }
    text
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

    #[test]
    fn a_text_is_found_where_it_was_read_oldest_first_and_a_canary_nowhere() {
        let mut state = State::new(Arc::new(Limits::default()), None);
        state.shown = vec!["pay CH93".into(), "the PIN is 4711".into(), "CH93 again".into(), "CH93, CH93".into()];
        state.canaries = Arc::from(["4711".to_owned()]);
        let mut find = |text: &str, limit| state.find(text.into(), limit).unwrap();
        assert_eq!(find("CH93", 9), [0, 2, 3]);
        assert_eq!(find("CH93", 2), [0, 2]);
        assert_eq!(find("ch93", 9), [0_u32; 0]);
        assert_eq!(find("4711", 9), [0_u32; 0]);
        assert_eq!(find("[canary 0]", 9), [1]);
        assert_eq!((find("", 9), find("CH93", 0)), (vec![], vec![]));
    }

    #[test]
    fn searching_counts_against_the_budget_of_bytes() {
        let mut state = State::new(Arc::new(Limits { transcript_bytes: 9, ..Limits::default() }), None);
        state.shown = vec!["four".into(), "five".into()];
        assert!(state.find("x".into(), 1).is_ok());
        assert!(state.find("x".into(), 1).is_err());
        assert!(matches!(state.stopped, Some(Cause::Budget { limit: 9, .. })));
    }
}
