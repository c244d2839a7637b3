//! The chat format: ChatML, with each family's own words where no system message is given.
//!
//! The two templates in the weights' files are Jinja programs whose result, for messages of words alone, is this; `golden.rs`
//! compares it with what they give.

use crate::gguf::Unfit;
use crate::vocabulary::{Cut, Vocabulary};
use weir_agent::{ChatMessage, Speaker};

/// How a chat becomes a prompt.
pub(crate) struct ChatFormat {
    /// Begins a message.
    start: u32,
    /// Ends a message, and the model's answer.
    end: u32,
    /// Ends a text in training; small models write it in place of `end`.
    end_of_text: u32,
    /// The system message of a chat that has none.
    system: &'static str,
}

impl ChatFormat {
    /// The format of a vocabulary's family.
    pub(crate) fn of(vocabulary: &Vocabulary, cut: Cut) -> Result<Self, Unfit> {
        let control = |name: &str| {
            vocabulary.control(name).ok_or_else(|| {
                Unfit::Unsupported(format!("it has no token `{name}`, which its family's chat format needs"))
            })
        };
        Ok(ChatFormat {
            start: control("<|im_start|>")?,
            end: control("<|im_end|>")?,
            end_of_text: control("<|endoftext|>")?,
            system: match cut {
                Cut::Smollm => "You are a helpful AI assistant named SmolLM, trained by Hugging Face",
                Cut::Qwen2 => "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.",
            },
        })
    }

    /// The tokens that end an answer.
    pub(crate) fn ends(&self) -> [u32; 2] {
        [self.end, self.end_of_text]
    }

    /// The tokens of a chat, up to where the model's answer begins.
    ///
    /// # Errors
    /// Why the chat cannot be asked, in words.
    pub(crate) fn prompt(&self, messages: &[ChatMessage], vocabulary: &Vocabulary) -> Result<Vec<u32>, String> {
        let Some(first) = messages.first() else {
            return Err("the chat is empty".into());
        };
        let mut prompt = Vec::new();
        // The line end after a message is cut together with nothing else: the next message begins with a control token.
        let mut add = |head: &str, words: &str| -> Result<(), String> {
            prompt.push(self.start);
            prompt.extend(vocabulary.encode(&format!("{head}\n{words}"))?);
            prompt.push(self.end);
            prompt.extend(vocabulary.encode("\n")?);
            Ok(())
        };
        if first.role != Speaker::System {
            add("system", self.system)?;
        }
        for message in messages {
            if message.role == Speaker::Tool || !message.calls.is_empty() || message.call_id.is_some() {
                return Err(
                    "native tool messages are not supported by in-process models: use `schema` or `text`".into()
                );
            }
            add(role(message.role), &message.content)?;
        }
        prompt.push(self.start);
        prompt.extend(vocabulary.encode("assistant\n")?);
        Ok(prompt)
    }
}

fn role(role: Speaker) -> &'static str {
    match role {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::Tool => "tool",
    }
}
