//! `model`: completions for plugins, by granted role, under a budget of calls and tokens. Each exchange is kept, so that it
//! can go into a trace and be replayed. Without a model, or without a grant for the role, the plugin is told
//! `access-denied`; past a budget, `budget-exceeded`. A plugin that goes on asking past its budget is stopped.

use crate::fault::{Cause, printable};
use crate::models::{Answer, Completion, Exchange, Message, ModelFailure, Request, Speaker};
use crate::state::State;
use crate::wit::model as wit;
use crate::wit::types::Error;
use std::time::Instant;

const IMPORT: &str = "model.complete";

/// Calls past a budget after which a plugin is stopped.
const PATIENCE: u32 = 8;

impl wit::Host for State {
    fn complete(&mut self, request: wit::CompletionRequest) -> wasmtime::Result<Result<wit::Completion, Error>> {
        self.model_calls = self.model_calls.saturating_add(1);
        if self.model_calls > self.limits.model_calls {
            return self.over(u64::from(self.limits.model_calls), "calls");
        }
        if !self.roles.contains(&request.role) {
            let role = printable(&request.role);
            return Ok(Err(Error::AccessDenied(format!("the role `{role}` is not granted to this plugin"))));
        }
        let output_left = self.limits.model_output_tokens.saturating_sub(self.model_output_tokens);
        if output_left == 0 {
            return self.over(self.limits.model_output_tokens, "tokens written");
        }
        if self.model_input_tokens >= self.limits.model_input_tokens {
            return self.over(self.limits.model_input_tokens, "tokens read");
        }
        if self.limits.model_cost_millionths.is_some_and(|limit| self.model_cost >= limit) {
            return self.over(self.limits.model_cost_millionths.unwrap_or_default(), "millionths of money");
        }
        let most = u32::try_from(output_left).unwrap_or(u32::MAX).min(self.limits.model_answer_tokens);
        let request = Request {
            role: request.role,
            messages: request.messages.into_iter().map(message).collect(),
            response_schema: request.response_schema,
            max_tokens: request.max_tokens.min(most),
        };
        let Some(models) = &mut self.models else {
            return Ok(Err(denied(ModelFailure::NoModel(request.role))));
        };
        let asked = Instant::now();
        let answer = models.complete(&request);
        // Waiting for a model is no work of the guest's.
        self.waited = self.waited.saturating_add(asked.elapsed());
        match answer {
            Ok(completion) => self.answered(request, completion),
            Err(failure @ ModelFailure::NoModel(_)) => Ok(Err(denied(failure))),
            Err(ModelFailure::Refused(what)) => {
                let said = Error::Other(printable(&ModelFailure::Refused(what.clone()).to_string()));
                self.exchanges.push(Exchange { request, answer: Answer::Refusal(what) });
                Ok(Err(said))
            }
            Err(ModelFailure::Differs(message)) => self.stop(Cause::Replay { message: printable(&message) }),
            Err(failure) => self.stop(Cause::Host { message: printable(&failure.to_string()) }),
        }
    }
}

impl State {
    /// Keeps the exchange, whatever it costs, and then counts it.
    fn answered(
        &mut self,
        request: Request,
        completion: Completion,
    ) -> wasmtime::Result<Result<wit::Completion, Error>> {
        let Completion { text, input_tokens, output_tokens, cost_millionths } = completion.clone();
        self.exchanges.push(Exchange { request, answer: Answer::Completion(completion) });
        self.model_cost = self.model_cost.saturating_add(cost_millionths);
        self.model_input_tokens = self.model_input_tokens.saturating_add(input_tokens);
        self.model_output_tokens = self.model_output_tokens.saturating_add(output_tokens);
        if text.len() > self.limits.output_bytes {
            // No fault of the plugin's: the model was told how much it may write.
            let message =
                format!("the model answered with {} bytes, the limit is {}", text.len(), self.limits.output_bytes);
            return self.stop(Cause::Host { message });
        }
        Ok(Ok(wit::Completion { text, input_tokens, output_tokens }))
    }

    /// Past a budget a plugin gets an error, with which it can fail closed by a rule of its own.
    fn over<T>(&mut self, limit: u64, unit: &str) -> wasmtime::Result<Result<T, Error>> {
        self.model_refused = self.model_refused.saturating_add(1);
        if self.model_refused > PATIENCE {
            return self.stop(Cause::Budget { import: IMPORT.into(), limit, unit: unit.into() });
        }
        Ok(Err(Error::BudgetExceeded(format!("the budget of this rollout is {limit} {unit}"))))
    }
}

fn denied(failure: ModelFailure) -> Error {
    Error::AccessDenied(printable(&failure.to_string()))
}

fn message(message: wit::Message) -> Message {
    let speaker = match message.speaker {
        wit::Speaker::System => Speaker::System,
        wit::Speaker::User => Speaker::User,
        wit::Speaker::Assistant => Speaker::Assistant,
        wit::Speaker::Tool => Speaker::Tool,
    };
    Message { speaker, content: message.content }
}

#[cfg(test)]
mod tests {
    use super::wit::Host;
    use super::*;
    use crate::limits::Limits;
    use crate::models::{Models, Replay};
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    /// Answers `echo` and counts what it says it read and wrote.
    struct Scripted {
        input: u64,
        output: u64,
    }

    impl Models for Scripted {
        fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure> {
            match request.messages.first().map(|m| m.content.as_str()) {
                Some("fail") => Err(ModelFailure::Failed("no route".into())),
                Some("long") => Err(ModelFailure::Refused("too long".into())),
                Some("none") => Err(ModelFailure::NoModel(request.role.clone())),
                _ => Ok(Completion {
                    text: "echo".into(),
                    input_tokens: self.input,
                    output_tokens: self.output,
                    cost_millionths: 7,
                }),
            }
        }
    }

    fn state(limits: Limits, models: Option<Box<dyn Models>>) -> State {
        let mut state = State::new(Arc::new(limits), None);
        state.roles = Arc::new(BTreeSet::from(["writer".to_owned()]));
        state.models = models;
        state
    }

    fn scripted(limits: Limits) -> State {
        state(limits, Some(Box::new(Scripted { input: 100, output: 10 })))
    }

    fn ask(state: &mut State, content: &str) -> wasmtime::Result<Result<wit::Completion, Error>> {
        ask_as(state, "writer", content)
    }

    fn ask_as(state: &mut State, role: &str, content: &str) -> wasmtime::Result<Result<wit::Completion, Error>> {
        state.complete(wit::CompletionRequest {
            role: role.into(),
            messages: vec![wit::Message { speaker: wit::Speaker::User, content: content.into() }],
            response_schema: Some("{}".into()),
            max_tokens: u32::MAX,
        })
    }

    fn refused(answer: wasmtime::Result<Result<wit::Completion, Error>>) -> String {
        match answer.unwrap() {
            Err(Error::AccessDenied(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_reaches_the_plugin_and_the_record() {
        let mut state = scripted(Limits::default());
        let answer = ask(&mut state, "hello").unwrap().unwrap();
        assert_eq!((answer.text.as_str(), answer.input_tokens, answer.output_tokens), ("echo", 100, 10));
        let [exchange] = state.exchanges.as_slice() else { panic!("{:?}", state.exchanges) };
        assert_eq!(exchange.request.messages[0].content, "hello");
        assert_eq!(exchange.request.max_tokens, Limits::default().model_answer_tokens);
        assert!(matches!(&exchange.answer, Answer::Completion(completion) if completion.text == "echo"));
    }

    #[test]
    fn without_a_model_or_a_grant_the_plugin_is_told_so_and_nothing_is_recorded() {
        let mut bare = state(Limits::default(), None);
        assert_eq!(refused(ask(&mut bare, "hello")), "no model is configured for role `writer`");
        let mut some = scripted(Limits::default());
        assert_eq!(refused(ask(&mut some, "none")), "no model is configured for role `writer`");
        assert_eq!(refused(ask_as(&mut some, "judge", "hello")), "the role `judge` is not granted to this plugin");
        assert!(bare.exchanges.is_empty() && some.exchanges.is_empty());
    }

    #[test]
    fn a_model_that_fails_says_nothing_about_the_plugin() {
        let mut state = scripted(Limits::default());
        assert!(ask(&mut state, "fail").is_err());
        assert_eq!(state.stopped, Some(Cause::Host { message: "the model failed: no route".into() }));
        assert!(state.stopped.unwrap().is_infrastructure());
    }

    fn over_budget(answer: wasmtime::Result<Result<wit::Completion, Error>>) -> String {
        match answer.unwrap() {
            Err(Error::BudgetExceeded(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_refused_request_is_the_plugins_to_deal_with_and_is_recorded() {
        let mut live = scripted(Limits::default());
        assert!(matches!(ask(&mut live, "long").unwrap(), Err(Error::Other(text)) if text.contains("too long")));
        assert_eq!(live.exchanges[0].answer, Answer::Refusal("too long".into()));
        let replay = Replay::new(live.exchanges.clone());
        let mut again = state(Limits::default(), Some(Box::new(replay)));
        assert!(matches!(ask(&mut again, "long").unwrap(), Err(Error::Other(text)) if text.contains("too long")));
    }

    #[test]
    fn past_the_budget_of_calls_a_plugin_is_told_so_and_then_stopped_whether_or_not_there_is_a_model() {
        for mut state in [
            scripted(Limits { model_calls: 1, ..Limits::default() }),
            state(Limits { model_calls: 1, ..Limits::default() }, None),
        ] {
            assert!(ask(&mut state, "one").is_ok());
            for _ in 0..PATIENCE {
                assert_eq!(over_budget(ask(&mut state, "two")), "the budget of this rollout is 1 calls");
            }
            assert!(ask(&mut state, "two").is_err());
            let cause = Cause::Budget { import: IMPORT.into(), limit: 1, unit: "calls".into() };
            assert_eq!(state.stopped, Some(cause));
        }
    }

    #[test]
    fn the_budgets_of_tokens_and_money_hold_and_the_exchange_that_used_them_up_is_recorded() {
        for (limits, said) in [
            (Limits { model_input_tokens: 150, ..Limits::default() }, "150 tokens read"),
            (Limits { model_output_tokens: 15, ..Limits::default() }, "15 tokens written"),
            (Limits { model_cost_millionths: Some(10), ..Limits::default() }, "10 millionths of money"),
        ] {
            let mut state = scripted(limits);
            assert!(ask(&mut state, "one").unwrap().is_ok());
            assert!(ask(&mut state, "two").unwrap().is_ok());
            assert_eq!(over_budget(ask(&mut state, "three")), format!("the budget of this rollout is {said}"));
            assert_eq!(state.exchanges.len(), 2);
        }
        let mut state = scripted(Limits { model_output_tokens: 10, ..Limits::default() });
        assert!(ask(&mut state, "one").unwrap().is_ok());
        assert_eq!(state.exchanges[0].request.max_tokens, 10);
        over_budget(ask(&mut state, "two"));
        assert_eq!(state.exchanges.len(), 1);
    }

    #[test]
    fn a_record_replays_to_the_same_answers_and_reports_the_first_difference() {
        let mut live = scripted(Limits::default());
        assert!(ask(&mut live, "one").is_ok() && ask(&mut live, "two").is_ok());
        let record = serde_json::to_string(&live.exchanges).unwrap();
        let recorded: Vec<Exchange> = serde_json::from_str(&record).unwrap();

        let replay = Arc::new(Mutex::new(Replay::new(recorded)));
        let mut again = state(Limits::default(), Some(Box::new(Arc::clone(&replay))));
        assert_eq!(ask(&mut again, "one").unwrap().unwrap().text, "echo");
        assert!(ask(&mut again, "other").is_err());
        assert!(
            matches!(&again.stopped, Some(Cause::Replay { message }) if message.contains("exchange 1: message 0 differs"))
        );
        assert!(replay.lock().unwrap().difference().unwrap().contains("was \"two\" and is \"other\""));
        assert_eq!(again.exchanges, live.exchanges[..1]);
    }
}
