//! What is found out before the first ask.

use super::*;

/// Connects to a server that lists `models`, if any, and answers chats so.
fn connected(
    name: &str,
    settings: Settings,
    models: Option<&[&str]>,
    answers: impl IntoIterator<Item = Answer>,
) -> (Result<Client, ConnectError>, Scripted) {
    let server = Scripted::listing(models.map(<[&str]>::to_vec), answers).unwrap();
    (Client::connect(resolve(name, &server.base_url()), settings), server)
}

fn probing() -> Settings {
    Settings { mode: None, ..quick() }
}

fn detail<'a>(client: &'a Client, key: &str) -> Option<&'a str> {
    client.identity().details.get(key).map(String::as_str)
}

#[test]
fn a_server_that_returns_calls_is_asked_natively() {
    let answers = [Answer::text("yes"), Answer::call("report_ready", r#"{"word":"ready"}"#)];
    let (client, server) = connected("openai-api/vllm/m", probing(), Some(&["m"]), answers);
    let client = client.unwrap();
    assert_eq!(client.mode(), ActionMode::Native);
    assert_eq!(client.preflight().fingerprint.as_deref(), Some("fp_scripted"));
    assert_eq!(client.identity().name, "openai-api/vllm/m");
    let expected = [
        ("base-url", server.base_url()),
        ("dialect", "vllm".into()),
        ("mode", "native".into()),
        ("mode-from", "probe".into()),
        ("seed", "sent".into()),
        ("served-by", "m".into()),
    ];
    assert_eq!(client.identity().details, expected.map(|(key, value)| (key.to_owned(), value)).into());
    assert!(client.preflight().listed && !client.preflight().forced);
    let requests: Vec<Value> = server.requests().iter().map(Request::json).collect();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[1]["max_tokens"], json!(1));
    assert_eq!(requests[2]["tools"][0]["function"]["name"], json!("report_ready"));
    let usage = client.usage();
    assert_eq!((usage.answered, usage.input_tokens), (0, 14), "a preflight costs, but answers no ask");
}

#[test]
fn words_in_the_place_of_calls_lead_to_the_schema() {
    let bare = r#"{"name": "report_ready", "arguments": {"word": "ready"}}"#;
    let answers = [Answer::text("yes"), Answer::text(bare), Answer::text(r#"{"word": "ready"}"#)];
    let (client, server) = connected("openai-api/llama-cpp/m", probing(), None, answers);
    let client = client.unwrap();
    assert_eq!(client.mode(), ActionMode::Schema);
    let found: Vec<(bool, &str)> =
        client.preflight().probes.iter().map(|probe| (probe.works, probe.finding.as_str())).collect();
    assert_eq!(found, [(false, "no tool_calls came back, only words"), (true, "the answer satisfies the schema")]);
    let last = server.chats().pop().unwrap().json();
    assert_eq!(last["response_format"]["json_schema"]["name"], json!("action"));
    assert!(!client.preflight().listed);
}

#[test]
fn a_server_that_refuses_both_is_asked_in_words() {
    let refusals = [
        [Answer::error(400, "does not support tools"), Answer::error(422, "response_format: unknown")],
        [Answer::call("other_tool", "{}"), Answer::text("I am ready!")],
        [Answer::call("report_ready", "{\"wor"), Answer::text(r#"{"word": "steady"}"#)],
    ];
    for [tools, schema] in refusals {
        let (client, _server) =
            connected("openai-api/other/m", probing(), Some(&["m"]), [Answer::text("yes"), tools, schema]);
        let client = client.unwrap();
        assert_eq!(client.mode(), ActionMode::Text);
        assert_eq!(client.preflight().probes.len(), 3);
        assert_eq!((detail(&client, "seed"), detail(&client, "dialect")), (Some("not supported"), Some("generic")));
    }
}

#[test]
fn a_500_to_tools_is_tried_twice_and_taken_for_a_no() {
    let no = || Answer::error(500, "tools param requires --jinja flag");
    let answers = [Answer::text("yes"), no(), no(), Answer::text(r#"{"word":"ready"}"#)];
    let (client, _server) = connected("openai-api/llama-cpp/m", probing(), None, answers);
    assert_eq!(client.unwrap().mode(), ActionMode::Schema);
}

#[test]
fn a_server_that_is_overloaded_while_it_is_probed_has_not_said_no() {
    for status in [429, 503] {
        let answers = [Answer::text("yes"), Answer::error(status, "busy"), Answer::error(status, "busy")];
        let (client, _server) = connected("openai-api/vllm/m", probing(), None, answers);
        let error = client.unwrap_err();
        assert!(matches!(&error, ConnectError::Model(ModelError::Unavailable { .. })), "{error}");
    }
}

#[test]
fn a_forced_mode_is_not_probed() {
    let settings = Settings { mode: Some(ActionMode::Native), ..quick() };
    let (client, server) = connected("openai-api/vllm/m", settings, None, [Answer::text("yes")]);
    let client = client.unwrap();
    assert_eq!((detail(&client, "mode"), detail(&client, "mode-from")), (Some("native"), Some("user")));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_list_without_the_model_names_its_neighbours() {
    let list = ["qwen2.5-14b", "llama-3", "phi-4", "gemma-2", "qwen2.5-7b-instruct", "mixtral", "zephyr"];
    let (client, server) = connected("openai-api/vllm/qwen2.5-7b", probing(), Some(&list), []);
    let error = client.unwrap_err().to_string();
    assert!(
        error.starts_with("model `openai-api/vllm/qwen2.5-7b` rejects the request: the server does not list `qwen2.5-7b`; it has qwen2.5-7b-instruct, qwen2.5-14b, "),
        "{error}"
    );
    assert!(error.ends_with(" and 2 more"), "{error}");
    assert!(server.chats().is_empty());
}

#[test]
fn a_list_may_name_the_model_with_a_tag_or_a_folder() {
    for (model, listed) in [("qwen", "qwen:latest"), ("gemini-x", "models/gemini-x"), ("org/m", "org/m")] {
        let name = format!("openai-api/other/{model}");
        let (client, _server) = connected(&name, quick(), Some(&[listed]), [Answer::text("yes")]);
        assert!(client.unwrap().preflight().listed, "{model}");
    }
}

#[test]
fn whatever_is_no_list_says_nothing_about_the_model() {
    for answer in [Answer::error(404, "?"), Answer::raw(200, "text/html", "<html>"), Answer::models([""; 0])] {
        let server =
            Scripted::start(move |request| if request.is_chat() { Answer::text("yes") } else { answer.clone() });
        let server = server.unwrap();
        let client = Client::connect(resolve("openai-api/vllm/m", &server.base_url()), quick()).unwrap();
        assert_eq!((client.preflight().listed, server.requests().len()), (false, 2));
    }
}

#[test]
fn a_wrong_key_is_noticed_at_the_list() {
    let server = Scripted::start(|_| Answer::error(401, "who are you?")).unwrap();
    let error = Client::connect(resolve("openai-api/vllm/m", &server.base_url()), probing()).unwrap_err();
    assert!(error.to_string().ends_with("401 Unauthorized: who are you?"), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_model_that_cannot_say_one_token_passes_without_a_fingerprint() {
    let too_few = "Could not finish the message because max_tokens or model output limit was reached.";
    let (client, _server) = connected("openai-api/openai/m", quick(), None, [Answer::error(400, too_few)]);
    assert_eq!(client.unwrap().preflight().fingerprint, None);
}
