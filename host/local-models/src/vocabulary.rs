//! Tokens: text to numbers and back.
//!
//! The vocabulary and its merges come from the weights' file, and how text is cut before merging from the name under
//! `tokenizer.ggml.pre`. A name that is not known is an error: candle's own reader falls back to GPT-2's way and then
//! cuts SmolLM2's prompts wrongly, without a word. `golden.rs` compares with llama.cpp's numbers.
//!
//! Text never becomes a control token: words that look like `<|im_start|>` in a mail are cut into ordinary tokens, and
//! only the chat format, which numbers them itself, can end a message. Many servers do not keep this apart.

use crate::gguf::{Unfit, Weights, whole};
use std::collections::HashMap;
use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::unicode::NFC;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::tokenizer::SplitDelimiterBehavior;
use tokenizers::{AddedToken, Tokenizer};

/// How Qwen2.5 cuts text: contractions, words with what precedes them, single digits, punctuation, line ends, spaces.
const QWEN2_CUTS: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The ways of cutting text that are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// `smollm`: every digit alone, then GPT-2's way.
    Smollm,
    /// `qwen2`: composed characters (NFC), then [`QWEN2_CUTS`].
    Qwen2,
}

impl Cut {
    /// The way that the file names.
    pub(crate) fn of(weights: &Weights) -> Result<Self, Unfit> {
        match (weights.text("tokenizer.ggml.model")?, weights.text("tokenizer.ggml.pre")?) {
            ("gpt2", "smollm") => Ok(Cut::Smollm),
            ("gpt2", "qwen2") => Ok(Cut::Qwen2),
            (model, pre) => Err(Unfit::Unsupported(format!(
                "its tokenizer is `{model}` with `{pre}`; expected `gpt2` with `smollm` or `qwen2`"
            ))),
        }
    }

    /// Its name in the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cut::Smollm => "smollm",
            Cut::Qwen2 => "qwen2",
        }
    }

    fn build(self) -> tokenizers::Result<PreTokenizerWrapper> {
        let (pattern, then_gpt2) = match self {
            Cut::Smollm => (r"\p{N}", true),
            Cut::Qwen2 => (QWEN2_CUTS, false),
        };
        let split = Split::new(SplitPattern::Regex(pattern.into()), SplitDelimiterBehavior::Isolated, false)?;
        Ok(Sequence::new(vec![split.into(), ByteLevel::new(false, false, then_gpt2).into()]).into())
    }
}

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A piece of text.
    Text,
    /// A mark of the chat format or of training, which no text contains.
    Control,
    /// Nothing: padding of the table.
    Unused,
}

/// One token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// What it is for.
    pub(crate) purpose: Purpose,
    /// The bytes that it stands for; of a control token, its name.
    pub(crate) bytes: Vec<u8>,
}

/// All tokens of a model.
pub(crate) struct Vocabulary {
    tokens: Vec<Token>,
    controls: HashMap<String, u32>,
    tokenizer: Tokenizer,
}

impl Vocabulary {
    /// The vocabulary of a file.
    pub(crate) fn read(weights: &Weights, cut: Cut) -> Result<Self, Unfit> {
        let names: Vec<&String> = weights.list("tokenizer.ggml.tokens", |value| value.to_string())?;
        let kinds = weights.list("tokenizer.ggml.token_type", |value| Ok(whole(value)))?;
        if names.len() != kinds.len() || u32::try_from(names.len()).is_err() {
            let (tokens, types) = (names.len(), kinds.len());
            return Err(Unfit::Broken(format!("it has {tokens} tokens and {types} token types")));
        }
        let letters = byte_letters();
        let mut tokens = Vec::with_capacity(names.len());
        let mut controls = HashMap::new();
        let mut ids = HashMap::new();
        let mut whole_words = Vec::new();
        for ((id, name), kind) in (0_u32..).zip(names).zip(kinds) {
            // llama.cpp's numbers: 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 a byte.
            let (purpose, bytes) = match kind {
                Some(1) => (Purpose::Text, spelled(name, &letters)?),
                Some(2 | 3) => (Purpose::Control, name.as_bytes().to_vec()),
                Some(4) => (Purpose::Text, name.as_bytes().to_vec()),
                Some(5) => (Purpose::Unused, name.as_bytes().to_vec()),
                other => return Err(Unfit::Unsupported(format!("token {id} `{name}` has type {other:?}"))),
            };
            match purpose {
                Purpose::Text => {
                    ids.insert(name.clone(), id);
                }
                Purpose::Control => {
                    controls.insert(name.clone(), id);
                }
                Purpose::Unused => {}
            }
            if kind == Some(4) {
                whole_words.push(AddedToken::from(name.clone(), false).normalized(false));
            }
            tokens.push(Token { purpose, bytes });
        }
        let merges = weights.list("tokenizer.ggml.merges", |value| {
            let merge = value.to_string()?;
            let (left, right) = merge.split_once(' ').ok_or_else(|| {
                candle_core::Error::Msg(format!("`tokenizer.ggml.merges` has `{merge}`: expected two pieces"))
            })?;
            Ok((left.to_owned(), right.to_owned()))
        })?;
        let tokenizer = assemble(ids.into_iter().collect(), merges, whole_words, cut)
            .map_err(|error| Unfit::Broken(format!("its tokenizer cannot be built: {error}")))?;
        Ok(Vocabulary { tokens, controls, tokenizer })
    }

    /// All tokens, by number.
    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The control token of this name.
    pub(crate) fn control(&self, name: &str) -> Option<u32> {
        self.controls.get(name).copied()
    }

    /// The tokens of a text, none of them a control token. Bytes that the vocabulary lacks are left out, as in
    /// llama.cpp: SmolLM2's has no U+0004 and no characters from U+40000 on.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u32>, String> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|error| error.to_string())?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The text of tokens; what is not UTF-8, because it was cut within a character, becomes U+FFFD.
    pub(crate) fn decode(&self, ids: &[u32]) -> String {
        let bytes: Vec<u8> = ids
            .iter()
            .filter_map(|id| self.tokens.get(usize::try_from(*id).ok()?))
            .filter(|token| token.purpose == Purpose::Text)
            .flat_map(|token| token.bytes.iter().copied())
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn assemble(
    ids: tokenizers::models::bpe::Vocab,
    merges: Vec<(String, String)>,
    whole_words: Vec<AddedToken>,
    cut: Cut,
) -> tokenizers::Result<Tokenizer> {
    let mut tokenizer = Tokenizer::new(BPE::builder().vocab_and_merges(ids, merges).build()?);
    if cut == Cut::Qwen2 {
        tokenizer.with_normalizer(Some(NFC))?;
    }
    tokenizer.with_pre_tokenizer(Some(cut.build()?));
    tokenizer.add_tokens(whole_words)?;
    Ok(tokenizer)
}

/// The bytes that a token's name spells in GPT-2's alphabet.
fn spelled(name: &str, letters: &HashMap<char, u8>) -> Result<Vec<u8>, Unfit> {
    let bytes: Option<Vec<u8>> = name.chars().map(|letter| letters.get(&letter).copied()).collect();
    bytes.ok_or_else(|| Unfit::Broken(format!("token `{name}` is not spelled in GPT-2's alphabet")))
}

/// GPT-2's alphabet: printable bytes stand for themselves, the others for the letters from U+0100 on, in order.
fn byte_letters() -> HashMap<char, u8> {
    let mut spare = '\u{100}'..;
    (0..=u8::MAX)
        .filter_map(|byte| match byte {
            b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => Some((char::from(byte), byte)),
            _ => Some((spare.next()?, byte)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_a_letter_of_its_own() {
        let letters = byte_letters();
        assert_eq!(letters.len(), 256);
        assert_eq!(letters.get(&'Ġ'), Some(&b' '));
        assert_eq!(letters.get(&'Ċ'), Some(&b'\n'));
        assert_eq!(letters.get(&'!'), Some(&b'!'));
    }

    #[test]
    fn both_ways_of_cutting_can_be_built() {
        assert!(Cut::Smollm.build().is_ok() && Cut::Qwen2.build().is_ok());
    }
}
