use super::*;

fn with(name: &str, variables: &[(&str, &str)]) -> Result<Server, ServerError> {
    Server::resolve(name, |wanted| {
        variables.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned())
    })
}

fn problem(name: &str, variables: &[(&str, &str)]) -> String {
    with(name, variables).unwrap_err().to_string()
}

#[test]
fn a_models_name_may_have_slashes_and_a_providers_name_makes_its_variables() {
    let variables = [("MY_HOST_API_KEY", "k"), ("MY_HOST_BASE_URL", "http://h:8000/v1")];
    let server = with("openai-api/my-host/org/model-7b:free", &variables).unwrap();
    assert_eq!((server.provider(), server.model()), ("my-host", "org/model-7b:free"));
    assert_eq!((server.base_url(), server.dialect()), ("http://h:8000/v1", Dialect::GENERIC));
    assert_eq!(server.name(), "openai-api/my-host/org/model-7b:free");
}

#[test]
fn a_base_url_is_taken_with_the_route_a_slash_or_space_around_it() {
    for url in [
        "http://h:8000/v1",
        " http://h:8000/v1/ ",
        "http://h:8000/v1/chat/completions",
        "http://h:8000/v1/chat/completions/",
    ] {
        assert_eq!(with("openai-api/vllm/m", &[("VLLM_BASE_URL", url)]).unwrap().base_url(), "http://h:8000/v1");
    }
}

#[test]
fn local_servers_need_neither_key_nor_url() {
    for (name, url) in [
        ("openai-api/vllm/m", "http://localhost:8000/v1"),
        ("openai-api/llama-cpp/m", "http://localhost:8080/v1"),
        ("openai-api/ollama/m", "http://localhost:11434/v1"),
    ] {
        let server = with(name, &[("VLLM_BASE_URL", "  ")]).unwrap();
        assert_eq!(server.base_url(), url);
        assert_eq!(server.key().bearer(), "Bearer EMPTY");
    }
    let openai = with("openai-api/openai/gpt-4o", &[("OPENAI_API_KEY", "k")]).unwrap();
    assert_eq!(openai.base_url(), "https://api.openai.com/v1");
}

#[test]
fn what_is_missing_is_named_with_an_example() {
    assert_eq!(
        problem("openai-api/my-host/m", &[]),
        "where is provider `my-host`? set MY_HOST_BASE_URL, for example MY_HOST_BASE_URL=http://localhost:8000/v1"
    );
    assert_eq!(
        problem("openai-api/my-host/m", &[("MY_HOST_BASE_URL", "http://h/v1")]),
        "provider `my-host` needs a key: set MY_HOST_API_KEY (EMPTY for a server that wants none)"
    );
    assert_eq!(
        problem("openai-api/openai/gpt-4o", &[("OPENAI_API_KEY", "")]),
        "provider `openai` needs a key: set OPENAI_API_KEY (EMPTY for a server that wants none)"
    );
}

#[test]
fn a_name_in_another_form_is_refused() {
    for name in [
        "",
        "openai/gpt-4o",
        "openai-api/openai",
        "openai-api/openai/",
        "openai-api//m",
        "openai-api/../m",
        "openai-api/1x/m",
        "openai-api/x/a b",
    ] {
        let error = with(name, &[("OPENAI_API_KEY", "k")]).unwrap_err();
        assert!(matches!(error, ServerError::Name(_) | ServerError::Provider(_)), "{name}: {error}");
    }
}

#[test]
fn an_address_that_could_hold_a_secret_or_take_no_route_is_refused_and_not_shown() {
    for url in [
        "h:8000/v1",
        "ftp://h/v1",
        "http://",
        "http://ann:hunter2@h/v1",
        "http://h/v1?api-version=hunter2",
        "http://h/v1#hunter2",
    ] {
        let error = problem("openai-api/vllm/m", &[("VLLM_BASE_URL", url)]);
        assert!(error.starts_with("VLLM_BASE_URL is no base URL: ") && !error.contains("hunter2"), "{error}");
    }
}

#[test]
fn a_key_is_sent_and_never_shown() {
    let error = problem("openai-api/vllm/m", &[("VLLM_API_KEY", "secret\nkey")]);
    assert!(error.contains("VLLM_API_KEY") && !error.contains("secret"), "{error}");
    let quoted = format!("Incorrect API key provided: {KEY}.");
    let (client, server) = played(quick(), [Answer::error(401, &quoted)]);
    let error = client.ask(&ask()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "model `openai-api/vllm/m` rejects the request: 401 Unauthorized: Incorrect API key provided: [key]."
    );
    let shown = format!("{client:?} {error:?} {:?} {:?} {:?}", client.identity(), client.preflight(), client.usage());
    assert!(!shown.contains("secret"), "{shown}");
    let bearer = format!("Bearer {KEY}");
    assert!(server.requests().iter().all(|request| request.header("authorization") == Some(&bearer)));
}
