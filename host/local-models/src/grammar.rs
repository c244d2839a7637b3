//! Answers that must satisfy a JSON Schema: which tokens may come next.

use crate::gguf::Unfit;
use crate::vocabulary::{Purpose, Vocabulary};
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, SimpleVob, TokEnv, TokRxInfo, TokTrie};
use llguidance::{JsonCompileOptions, Matcher, ParserFactory};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// What all grammars of a model share.
pub(crate) struct Grammars {
    factory: ParserFactory,
    free: SimpleVob,
}

impl Grammars {
    /// For a vocabulary and the tokens that end an answer.
    pub(crate) fn new(vocabulary: &Vocabulary, ends: [u32; 2]) -> Result<Self, Unfit> {
        let tokens = vocabulary.tokens();
        let count = u32::try_from(tokens.len()).map_err(|error| Unfit::Broken(error.to_string()))?;
        // A first byte that no text has marks tokens that are no text.
        let words: Vec<Vec<u8>> = tokens
            .iter()
            .map(|token| match token.purpose {
                Purpose::Text => token.bytes.clone(),
                Purpose::Control | Purpose::Unused => [&[0xff], token.bytes.as_slice()].concat(),
            })
            .collect();
        let [end, _] = ends;
        let trie = TokTrie::from(&TokRxInfo::new(count, end), &words).with_eos_tokens(&ends);
        let environment: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let mut factory = ParserFactory::new_simple(&environment)
            .map_err(|error| Unfit::Broken(format!("no grammar can be made for its vocabulary: {error}")))?;
        factory.quiet();
        let free: Vec<bool> =
            (0..).zip(tokens).map(|(id, token)| token.purpose == Purpose::Text || ends.contains(&id)).collect();
        Ok(Grammars { factory, free: SimpleVob::from_slice(&free) })
    }

    /// The rules of an answer.
    ///
    /// # Errors
    /// Why the schema cannot be followed, in words.
    pub(crate) fn rules(&self, schema: Option<&Value>) -> Result<Rules<'_>, String> {
        let Some(schema) = schema else {
            return Ok(Rules::Free(&self.free));
        };
        let mut schema = schema.clone();
        if schema.is_object() {
            spacing().apply_to(&mut schema);
        }
        let parser = self.factory.create_parser(TopLevelGrammar::from_json_schema(schema));
        let mut matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(error) => Err(format!("the schema cannot be followed: {error}")),
            None => match matcher.grammar_warnings().as_slice() {
                [] => Ok(Rules::Schema(Box::new(matcher))),
                warnings => Err(format!("the schema cannot be followed: {}", warnings.join("; "))),
            },
        }
    }
}

/// One space after a colon and a comma and none elsewhere: a small model that may write any white space does so until its
/// tokens are used up.
fn spacing() -> JsonCompileOptions {
    JsonCompileOptions {
        item_separator: ", ".into(),
        key_separator: ": ".into(),
        whitespace_flexible: false,
        ..JsonCompileOptions::default()
    }
}

/// What may be written, at each point of an answer.
pub(crate) enum Rules<'a> {
    /// Any text.
    Free(&'a SimpleVob),
    /// A value that satisfies a schema.
    Schema(Box<Matcher>),
}

impl Rules<'_> {
    /// The tokens that may come next.
    pub(crate) fn allowed(&mut self) -> Result<Cow<'_, SimpleVob>, String> {
        match self {
            Rules::Free(all) => Ok(Cow::Borrowed(all)),
            Rules::Schema(matcher) => matcher.compute_mask_or_eos().map(Cow::Owned).map_err(|error| error.to_string()),
        }
    }

    /// A token has been written.
    pub(crate) fn write(&mut self, token: u32) -> Result<(), String> {
        match self {
            Rules::Free(_) => Ok(()),
            Rules::Schema(matcher) => matcher.consume_token(token).map_err(|error| error.to_string()),
        }
    }

    /// Whether nothing more can be written.
    pub(crate) fn done(&self) -> bool {
        match self {
            Rules::Free(_) => false,
            Rules::Schema(matcher) => matcher.is_stopped(),
        }
    }
}
