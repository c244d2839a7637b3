//! A policy that asks the model for what it may not have; its goal says what. It blocks with the answer.

use weir_plugin::export_policy;
use weir_plugin::host::{CompletionRequest, Message, Speaker, complete};
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile {
    goal: String,
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        Hostile { goal: episode.goal }
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        let message = |content: String| Message { speaker: Speaker::User, content };
        let mut request = CompletionRequest {
            role: "judge".into(),
            messages: vec![message("Is it?".into())],
            response_schema: None,
            max_tokens: 16,
        };
        match self.goal.as_str() {
            "another role" => request.role = "agent\u{1b}[2J".into(),
            "a huge prompt" => request.messages = vec![message("x".repeat(2 << 20))],
            "many messages" => request.messages = (0..100_000).map(|_| message(String::new())).collect(),
            "a long answer" => request.max_tokens = u32::MAX,
            "no schema" => request.response_schema = Some("{".repeat(100_000)),
            _ => {}
        }
        let said = match complete(&request) {
            Ok(completion) => completion.text,
            Err(error) => format!("{error:?}"),
        };
        Ok(Decision::block("asked", said))
    }
}

export_policy!(Hostile);
