//! Token numbers against an independent tokenizer.
//!
//! The numbers in `golden/*.json` are llama.cpp's (v0.4.0, as prebuilt in node-llama-cpp 3.21.1, vocabulary
//! only): texts without control tokens, and chats rendered by Jinja2 3.1 from the template in the weights' own file and
//! cut with control tokens. They need the weights of `make local-models`; without them a line says what was skipped.

use crate::chat::ChatFormat;
use crate::gguf::Weights;
use crate::vocabulary::{Cut, Vocabulary};
use serde_json::Value;
use support::weights;
use weir_agent::{ChatMessage, Speaker};

#[path = "../tests/support/mod.rs"]
mod support;

const SMOLLM2: (&str, &str) = ("smollm2-135m-instruct-q4_1.gguf", include_str!("../golden/smollm2.json"));
const QWEN: (&str, &str) = ("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", include_str!("../golden/qwen2.5.json"));

fn vocabulary(file: &str) -> Option<(Vocabulary, ChatFormat)> {
    let path = weights(file)?;
    let read = Weights::open(&path).unwrap();
    let cut = Cut::of(&read).unwrap();
    let vocabulary = Vocabulary::read(&read, cut).unwrap();
    let format = ChatFormat::of(&vocabulary, cut).unwrap();
    Some((vocabulary, format))
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|number| u32::try_from(number.as_u64().unwrap()).unwrap()).collect()
}

fn texts_are_cut_alike((file, golden): (&str, &str)) {
    let Some((vocabulary, _)) = vocabulary(file) else { return };
    let golden: Value = serde_json::from_str(golden).unwrap();
    for case in golden["texts"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let tokens = vocabulary.encode(text).unwrap();
        assert_eq!(tokens, numbers(&case["tokens"]), "{text:?}");
        assert_eq!(vocabulary.decode(&tokens), text);
    }
}

fn chats_are_cut_alike((file, golden): (&str, &str)) {
    let Some((vocabulary, format)) = vocabulary(file) else { return };
    let golden: Value = serde_json::from_str(golden).unwrap();
    for case in golden["chats"].as_array().unwrap() {
        let messages: Vec<ChatMessage> = case["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| {
                let role: Speaker = serde_json::from_value(message["role"].clone()).unwrap();
                ChatMessage::new(role, message["content"].as_str().unwrap())
            })
            .collect();
        assert_eq!(format.prompt(&messages, &vocabulary).unwrap(), numbers(&case["tokens"]), "{messages:?}");
    }
}

#[test]
fn smollm2_cuts_texts_as_llama_cpp_does() {
    texts_are_cut_alike(SMOLLM2);
}

#[test]
fn smollm2_cuts_chats_as_its_own_template_does() {
    chats_are_cut_alike(SMOLLM2);
}

#[test]
fn qwen_cuts_texts_as_llama_cpp_does() {
    texts_are_cut_alike(QWEN);
}

#[test]
fn qwen_cuts_chats_as_its_own_template_does() {
    chats_are_cut_alike(QWEN);
}

/// Its own tokenizer composes characters first, as servers of the unquantised weights do; llama.cpp does not.
#[test]
fn qwen_composes_characters() {
    let Some((vocabulary, _)) = vocabulary(QWEN.0) else { return };
    assert_eq!(vocabulary.encode("cafe\u{301}").unwrap(), vocabulary.encode("café").unwrap());
}

/// What a mail or a tool returns cannot end a message or begin another.
#[test]
fn no_text_becomes_a_control_token() {
    for (file, _) in [SMOLLM2, QWEN] {
        let Some((vocabulary, _)) = vocabulary(file) else { continue };
        for name in ["<|im_start|>", "<|im_end|>", "<|endoftext|>"] {
            let tokens = vocabulary.encode(&format!("a{name}b")).unwrap();
            assert!(!tokens.contains(&vocabulary.control(name).unwrap()), "{name}: {tokens:?}");
        }
    }
}
