//! A model that answers from a record.

use super::{Answer, Completion, Exchange, ModelFailure, Models, Request};
use std::sync::Arc;

/// Characters of a text that a difference shows.
const SHOWN: usize = 80;

/// Answers from recorded exchanges, in their order. The first request that is not the recorded one ends the replay; every
/// later one fails with the same difference.
pub struct Replay {
    recorded: Arc<[Exchange]>,
    next: usize,
    difference: Option<String>,
}

impl Replay {
    /// A replay of these exchanges.
    #[must_use]
    pub fn new(recorded: impl Into<Arc<[Exchange]>>) -> Self {
        Replay { recorded: recorded.into(), next: 0, difference: None }
    }

    /// The first difference from the record. After the call, a recorded exchange that was never asked for is one too.
    #[must_use]
    pub fn difference(&self) -> Option<String> {
        self.difference.clone().or_else(|| {
            let rest = self.recorded.len().saturating_sub(self.next);
            (rest > 0)
                .then(|| format!("exchange {} was not asked for, and {} after it", self.next, rest.saturating_sub(1)))
        })
    }
}

impl Models for Replay {
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure> {
        if let Some(difference) = &self.difference {
            return Err(ModelFailure::Differs(difference.clone()));
        }
        let found = match self.recorded.get(self.next) {
            Some(exchange) => differs(&exchange.request, request).map_or(Ok(&exchange.answer), Err),
            None => Err(format!("the record has only {} exchanges", self.recorded.len())),
        };
        match found {
            Ok(answer) => {
                self.next = self.next.saturating_add(1);
                match answer {
                    Answer::Completion(completion) => Ok(completion.clone()),
                    Answer::Refusal(what) => Err(ModelFailure::Refused(what.clone())),
                }
            }
            Err(what) => {
                let difference = format!("exchange {}: {what}", self.next);
                self.difference = Some(difference.clone());
                Err(ModelFailure::Differs(difference))
            }
        }
    }
}

/// The first thing in which two requests differ.
fn differs(recorded: &Request, asked: &Request) -> Option<String> {
    if recorded.role != asked.role {
        return Some(format!("the role was `{}` and is `{}`", recorded.role, asked.role));
    }
    for (position, (old, new)) in recorded.messages.iter().zip(&asked.messages).enumerate() {
        if old.speaker != new.speaker {
            return Some(format!("message {position} was by {:?} and is by {:?}", old.speaker, new.speaker));
        }
        if old.content != new.content {
            return Some(format!("message {position} {}", texts(&old.content, &new.content)));
        }
    }
    if recorded.messages.len() != asked.messages.len() {
        return Some(format!("there were {} messages and are {}", recorded.messages.len(), asked.messages.len()));
    }
    if recorded.response_schema != asked.response_schema {
        let text = |schema: &Option<String>| schema.clone().unwrap_or_default();
        return Some(format!(
            "the response schema {}",
            texts(&text(&recorded.response_schema), &text(&asked.response_schema))
        ));
    }
    let tokens = (recorded.max_tokens, asked.max_tokens);
    (tokens.0 != tokens.1).then(|| format!("max-tokens was {} and is {}", tokens.0, tokens.1))
}

/// Where two texts part, and how each goes on.
fn texts(old: &str, new: &str) -> String {
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| text.chars().skip(same).take(SHOWN).collect::<String>();
    format!("differs from character {same} on: was {:?} and is {:?}", shown(old), shown(new))
}

#[cfg(test)]
mod tests {
    use super::super::{Message, Speaker};
    use super::*;

    fn request(content: &str) -> Request {
        let message = Message { speaker: Speaker::User, content: content.into() };
        Request { role: "writer".into(), messages: vec![message], response_schema: None, max_tokens: 10 }
    }

    fn exchange(content: &str, answer: &str) -> Exchange {
        let completion = Completion { text: answer.into(), input_tokens: 3, output_tokens: 1, ..Completion::default() };
        Exchange { request: request(content), answer: Answer::Completion(completion) }
    }

    #[test]
    fn recorded_requests_get_their_recorded_answers() {
        let mut replay = Replay::new([exchange("one", "1"), exchange("two", "2")]);
        assert_eq!(replay.complete(&request("one")).unwrap().text, "1");
        assert_eq!(replay.difference().as_deref(), Some("exchange 1 was not asked for, and 0 after it"));
        assert_eq!(replay.complete(&request("two")).unwrap().text, "2");
        assert_eq!(replay.difference(), None);
    }

    #[test]
    fn the_first_difference_is_kept_and_nothing_is_answered_after_it() {
        let mut replay = Replay::new([exchange("one", "1")]);
        let first = replay.complete(&request("ones")).unwrap_err();
        let what = "exchange 0: message 0 differs from character 3 on: was \"\" and is \"s\"";
        assert_eq!(first, ModelFailure::Differs(what.into()));
        assert_eq!(replay.complete(&request("one")), Err(first));
        assert_eq!(replay.difference().as_deref(), Some(what));
    }

    type Edit = fn(&mut Request);

    #[test]
    fn every_field_of_a_request_is_compared() {
        let edits: [(Edit, &str); 5] = [
            (|r| r.role = "judge".into(), "the role was `writer` and is `judge`"),
            (|r| r.messages[0].speaker = Speaker::System, "message 0 was by User and is by System"),
            (|r| r.messages.clear(), "there were 1 messages and are 0"),
            (
                |r| r.response_schema = Some("{}".into()),
                "the response schema differs from character 0 on: was \"\" and is \"{}\"",
            ),
            (|r| r.max_tokens = 11, "max-tokens was 10 and is 11"),
        ];
        for (edit, what) in edits {
            let mut asked = request("one");
            edit(&mut asked);
            let error = Replay::new([exchange("one", "1")]).complete(&asked).unwrap_err();
            assert_eq!(error, ModelFailure::Differs(format!("exchange 0: {what}")));
        }
        let error = Replay::new([]).complete(&request("one")).unwrap_err();
        assert_eq!(error, ModelFailure::Differs("exchange 0: the record has only 0 exchanges".into()));
    }
}
