//! The whole way of an ask through networks that are too small to know anything: two layers, a token for each byte,
//! weights from a counter. They are written here, so that these tests need no fetched weights.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use candle_core::quantized::gguf_file::{Value, write};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use std::path::{Path, PathBuf};
use weir_agent::{Ask, Backend, ChatCall, ChatMessage, ChatTool, ModelError, Speaker};
use weir_local_models::{LoadError, LocalModel, Settings};

const WIDTH: usize = 32;
const CONTEXT: u32 = 512;

/// Numbers around 0 that look random and are the same everywhere.
fn tensor(name: &str, shape: &[usize]) -> QTensor {
    let seed = name.bytes().fold(7_u32, |seed, byte| seed.wrapping_mul(31).wrapping_add(u32::from(byte)));
    let count: usize = shape.iter().product();
    let numbers: Vec<f32> = (0..u32::try_from(count).unwrap())
        .map(|place| {
            let mixed = seed.wrapping_add(place).wrapping_mul(2_654_435_761);
            f32::from(u16::try_from((mixed ^ (mixed >> 15)) & 0xfff).unwrap()) / 2048.0 - 1.0
        })
        .collect();
    let tensor = Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap();
    QTensor::quantize(&tensor, GgmlDType::F32).unwrap()
}

/// GPT-2's letter of each byte, in the order of bytes.
fn letters() -> Vec<Value> {
    let mut spare = '\u{100}'..;
    (0..=u8::MAX)
        .map(|byte| match byte {
            b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => char::from(byte),
            _ => spare.next().unwrap(),
        })
        .map(|letter| Value::String(letter.into()))
        .collect()
}

fn file(folder: &Path, architecture: &str, pre: &str) -> PathBuf {
    let mut tokens = letters();
    tokens.extend(["<|im_start|>", "<|im_end|>", "<|endoftext|>"].map(|name| Value::String(name.into())));
    let vocabulary = tokens.len();
    let types = (0..vocabulary).map(|token| Value::I32(if token < 256 { 1 } else { 3 })).collect();
    let own = |key: &str| format!("{architecture}.{key}");
    let metadata: Vec<(String, Value)> = vec![
        ("general.architecture".into(), Value::String(architecture.into())),
        (own("context_length"), Value::U32(CONTEXT)),
        (own("embedding_length"), Value::U32(32)),
        (own("block_count"), Value::U32(2)),
        (own("attention.head_count"), Value::U32(4)),
        (own("attention.head_count_kv"), Value::U32(2)),
        (own("attention.layer_norm_rms_epsilon"), Value::F32(1e-5)),
        (own("rope.freq_base"), Value::F32(10_000.0)),
        ("tokenizer.ggml.model".into(), Value::String("gpt2".into())),
        ("tokenizer.ggml.pre".into(), Value::String(pre.into())),
        ("tokenizer.ggml.tokens".into(), Value::Array(tokens)),
        ("tokenizer.ggml.token_type".into(), Value::Array(types)),
        ("tokenizer.ggml.merges".into(), Value::Array(Vec::new())),
    ];
    let mut shapes: Vec<(String, Vec<usize>)> =
        vec![("token_embd.weight".into(), vec![vocabulary, WIDTH]), ("output_norm.weight".into(), vec![WIDTH])];
    for layer in 0..2 {
        let mut add = |part: &str, shape: &[usize]| shapes.push((format!("blk.{layer}.{part}"), shape.to_vec()));
        add("attn_norm.weight", &[WIDTH]);
        add("ffn_norm.weight", &[WIDTH]);
        for (part, rows) in [("attn_q", WIDTH), ("attn_k", WIDTH / 2), ("attn_v", WIDTH / 2)] {
            add(&format!("{part}.weight"), &[rows, WIDTH]);
            if architecture == "qwen2" {
                add(&format!("{part}.bias"), &[rows]);
            }
        }
        add("attn_output.weight", &[WIDTH, WIDTH]);
        add("ffn_gate.weight", &[2 * WIDTH, WIDTH]);
        add("ffn_up.weight", &[2 * WIDTH, WIDTH]);
        add("ffn_down.weight", &[WIDTH, 2 * WIDTH]);
    }
    let tensors: Vec<(String, QTensor)> =
        shapes.into_iter().map(|(name, shape)| (name.clone(), tensor(&name, &shape))).collect();
    let path = folder.join(format!("tiny-{architecture}.gguf"));
    let metadata: Vec<(&str, &Value)> = metadata.iter().map(|(key, value)| (key.as_str(), value)).collect();
    let tensors: Vec<(&str, &QTensor)> = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
    write(&mut std::fs::File::create(&path).unwrap(), &metadata, &tensors).unwrap();
    path
}

fn load(architecture: &str, pre: &str, settings: Settings) -> Result<LocalModel, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    LocalModel::load(&file(folder.path(), architecture, pre), settings)
}

fn llama() -> LocalModel {
    load("llama", "smollm", Settings::default()).unwrap()
}

fn qwen2() -> LocalModel {
    load("qwen2", "qwen2", Settings::default()).unwrap()
}

fn ask(words: &str) -> Ask {
    Ask {
        messages: vec![ChatMessage::new(Speaker::System, "s"), ChatMessage::new(Speaker::User, words)],
        tools: Vec::new(),
        schema: None,
        max_tokens: 24,
        temperature: 0.0,
        seed: 1,
        ordinal: 0,
        repeat: 0,
    }
}

/// Such a network ends when it likes; a schema makes it write on.
fn at_length(words: &str) -> Ask {
    let schema = serde_json::json!({ "type": "string", "minLength": 30, "maxLength": 40 });
    Ask { schema: Some(schema), max_tokens: 100, temperature: 0.8, ..ask(words) }
}

fn rejection(model: &LocalModel, ask: &Ask) -> String {
    match model.ask(ask) {
        Err(ModelError::Rejected { detail, .. }) => detail,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    for fresh in [llama as fn() -> LocalModel, qwen2] {
        let busy = fresh();
        for turns in [1, 2, 3, 5, 4, 5, 1, 3] {
            let question = at_length(&"one turn of a conversation that grows. ".repeat(turns));
            let reply = busy.ask(&question).unwrap();
            assert!(reply.output_tokens > 30, "{reply:?}");
            assert_eq!(reply, fresh().ask(&question).unwrap(), "{turns} turns");
        }
    }
}

#[test]
fn the_same_seed_samples_the_same_and_another_something_else() {
    let model = llama();
    let sample = |seed, ordinal, repeat| {
        model.ask(&Ask { temperature: 1.0, seed, ordinal, repeat, ..ask("words") }).unwrap().text
    };
    assert_eq!(sample(1, 0, 0), sample(1, 0, 0));
    assert_ne!(sample(1, 0, 0), sample(2, 0, 0));
    assert_ne!(sample(1, 0, 0), sample(1, 1, 0));
    assert_ne!(sample(1, 0, 0), sample(1, 0, 1));
}

#[test]
fn a_schema_holds_whatever_the_network_would_say() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "tool": { "enum": ["read", "send"] },
            "to": { "type": "string", "maxLength": 8 },
            "count": { "type": "integer", "minimum": 0, "maximum": 99 }
        },
        "required": ["tool", "to", "count"],
        "additionalProperties": false
    });
    let model = qwen2();
    for seed in 0..20 {
        let question = Ask { schema: Some(schema.clone()), max_tokens: 200, temperature: 2.0, seed, ..ask("act") };
        let reply = model.ask(&question).unwrap();
        assert_eq!(reply.finish, "stop", "{}", reply.text);
        let value: serde_json::Value = serde_json::from_str(&reply.text).unwrap();
        assert!(["read", "send"].contains(&value["tool"].as_str().unwrap()), "{value}");
        assert!(value["to"].as_str().unwrap().chars().count() <= 8, "{value}");
        assert!(value["count"].as_u64().unwrap() <= 99, "{value}");
    }
}

#[test]
fn a_schema_that_cannot_be_followed_is_rejected() {
    let question = Ask { schema: Some(serde_json::json!({ "type": "colour" })), ..ask("act") };
    assert!(rejection(&llama(), &question).starts_with("the schema cannot be followed: "));
}

#[test]
fn no_more_tokens_are_written_than_allowed() {
    let reply = llama().ask(&Ask { max_tokens: 3, ..at_length("words") }).unwrap();
    assert_eq!((reply.output_tokens, reply.finish.as_str()), (3, "length"));
    let reply = llama().ask(&Ask { max_tokens: 0, ..ask("words") }).unwrap();
    assert_eq!((reply.output_tokens, reply.text.as_str(), reply.finish.as_str()), (0, "", "length"));
}

#[test]
fn what_does_not_fit_into_the_context_is_an_overflow() {
    let model = load("llama", "smollm", Settings { context: 64 }).unwrap();
    assert_eq!(model.identity().details["context"], "64");
    let length = model.ask(&ask("x")).unwrap().input_tokens;
    let rest = 64 - u32::try_from(length).unwrap();
    assert!(!model.ask(&Ask { max_tokens: rest, ..ask("x") }).unwrap().is_overflow());
    let reply = model.ask(&Ask { max_tokens: rest + 1, ..ask("x") }).unwrap();
    assert_eq!((reply.is_overflow(), reply.input_tokens, reply.text.as_str()), (true, length, ""));
    assert!(model.ask(&ask("x")).is_ok(), "it goes on answering");
}

#[test]
fn native_tools_are_rejected_in_every_form() {
    let tool = ChatTool { name: "read".into(), description: "reads".into(), parameters: serde_json::json!({}) };
    let call = ChatCall { id: "1".into(), name: "read".into(), arguments: "{}".into() };
    let mut called = ask("words");
    called.messages.push(ChatMessage { calls: vec![call], ..ChatMessage::new(Speaker::Assistant, "") });
    let mut returned = ask("words");
    returned.messages.push(ChatMessage::new(Speaker::Tool, "a result"));
    let model = llama();
    for question in [Ask { tools: vec![tool], ..ask("words") }, called, returned] {
        assert!(rejection(&model, &question).contains("not supported by in-process models: use `schema` or `text`"));
    }
}

#[test]
fn an_empty_chat_and_a_temperature_below_0_are_rejected() {
    let model = llama();
    assert_eq!(rejection(&model, &Ask { messages: Vec::new(), ..ask("") }), "the chat is empty");
    assert!(rejection(&model, &Ask { temperature: -1.0, ..ask("x") }).contains("temperature of -1"));
    assert!(rejection(&model, &Ask { temperature: f64::NAN, ..ask("x") }).contains("temperature of NaN"));
}

#[test]
fn threads_ask_at_once_and_usage_counts_what_was_answered() {
    let model = qwen2();
    let expected = model.ask(&ask("words")).unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| model.ask(&ask("words")).unwrap())).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
    let usage = model.usage();
    assert_eq!((usage.answered, usage.in_flight, usage.limit, usage.waiting), (5, 0, 1, None));
    assert_eq!(usage.input_tokens, 5 * expected.input_tokens);
    assert_eq!(usage.output_tokens, 5 * expected.output_tokens);
}

#[test]
fn a_file_that_is_not_there_or_no_weights_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.gguf");
    assert!(matches!(LocalModel::load(&path, Settings::default()), Err(LoadError::Read { .. })));
    std::fs::write(&path, "no weights").unwrap();
    let error = LocalModel::load(&path, Settings::default()).err().unwrap();
    assert!(error.to_string().contains("words.gguf is not a GGUF file that can be used: "), "{error}");
    let whole = std::fs::read(file(folder.path(), "llama", "smollm")).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1000]).unwrap();
    assert!(matches!(LocalModel::load(&path, Settings::default()), Err(LoadError::Broken { .. })));
}

#[test]
fn an_unknown_architecture_or_tokenizer_is_refused() {
    let error = load("gpt2", "smollm", Settings::default()).err().unwrap().to_string();
    assert!(error.contains("its architecture is `gpt2`; expected `llama` or `qwen2`"), "{error}");
    let error = load("llama", "llama-bpe", Settings::default()).err().unwrap().to_string();
    assert!(error.contains("its tokenizer is `gpt2` with `llama-bpe`; expected"), "{error}");
}
