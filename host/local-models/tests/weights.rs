//! The two models of `make local-models`. Without their weights a line says what was skipped.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod support;

use support::weights;
use weir_agent::{Ask, Backend, ChatMessage, Reply, Speaker};
use weir_local_models::{LocalModel, Settings};

const SMOLLM2: (&str, &str) =
    ("smollm2-135m-instruct-q4_1.gguf", "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53");
const QWEN: (&str, &str) =
    ("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32");

fn model((file, digest): (&str, &str)) -> Option<LocalModel> {
    let path = weights(file)?;
    let model = LocalModel::load(&path, Settings::default()).unwrap();
    assert_eq!(model.identity().details["weights_sha256"], digest);
    Some(model)
}

fn ask(system: &str, user: &str, max_tokens: u32) -> Ask {
    Ask {
        messages: vec![ChatMessage::new(Speaker::System, system), ChatMessage::new(Speaker::User, user)],
        tools: Vec::new(),
        schema: None,
        max_tokens,
        temperature: 0.0,
        seed: 1,
        ordinal: 0,
        repeat: 0,
    }
}

fn action(user: &str) -> Ask {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "tool": { "enum": ["list_emails", "read_email", "send_email"] },
            "id": { "type": "string", "maxLength": 20 }
        },
        "required": ["tool", "id"],
        "additionalProperties": false
    });
    let system = "You work by calling tools. Answer with one JSON object: \
        {\"tool\": \"list_emails\", \"read_email\" or \"send_email\", \"id\": the mail's id}.";
    Ask { schema: Some(schema), ..ask(system, user, 80) }
}

fn answer(model: &LocalModel, ask: &Ask) -> Reply {
    let reply = model.ask(ask).unwrap();
    eprintln!("{} {}: {}", model.identity().name, reply.finish, reply.text);
    reply
}

/// Not a measurement: a network that is wrong in any part does not know this.
fn knows_the_capital_of_france(weights: (&str, &str)) {
    let Some(model) = model(weights) else { return };
    let reply = answer(&model, &ask("You answer in one short sentence.", "What is the capital of France?", 30));
    assert!(reply.text.contains("Paris"), "{}", reply.text);
    assert_eq!(reply.finish, "stop");
}

fn acts_as_the_schema_says_and_says_the_same_again(weights: (&str, &str)) {
    let Some(model) = model(weights) else { return };
    let question = action("Read the mail with the id m7.");
    let first = answer(&model, &question);
    let value: serde_json::Value = serde_json::from_str(&first.text).unwrap();
    assert!(value["tool"].is_string() && value["id"].is_string(), "{value}");
    assert_eq!(value.as_object().unwrap().len(), 2);
    answer(&model, &action("Which mails are there? Then write to all of them."));
    assert_eq!(answer(&model, &question), first);
}

#[test]
fn smollm2_knows_the_capital_of_france() {
    knows_the_capital_of_france(SMOLLM2);
}

#[test]
fn smollm2_acts_as_the_schema_says_and_says_the_same_again() {
    acts_as_the_schema_says_and_says_the_same_again(SMOLLM2);
}

#[test]
fn qwen_knows_the_capital_of_france() {
    knows_the_capital_of_france(QWEN);
}

#[test]
fn qwen_acts_as_the_schema_says_and_says_the_same_again() {
    acts_as_the_schema_says_and_says_the_same_again(QWEN);
}

#[test]
fn qwen_reads_the_mail_that_it_is_asked_for() {
    let Some(model) = model(QWEN) else { return };
    let reply = answer(&model, &action("Read the mail with the id m7."));
    assert_eq!(reply.text, r#"{"tool": "read_email", "id": "m7"}"#);
}
