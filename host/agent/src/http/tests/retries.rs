//! What is tried again, how often, and what it ends with.

use super::*;
use std::net::TcpListener;

/// For servers that stall: two attempts, and far more time than a busy machine needs for an answer that comes.
fn impatient() -> Settings {
    Settings { stall: Duration::from_millis(300), max_retries: 1, ..quick() }
}

/// The error after all attempts, and the requests it took.
fn failed(answer: Answer) -> (ModelError, usize) {
    let (reply, requests) = asked(quick(), vec![answer; 9]);
    (reply.unwrap_err(), requests)
}

#[test]
fn what_may_pass_is_tried_again() {
    for answer in [
        Answer::error(408, "slow"),
        Answer::error(409, "busy"),
        Answer::error(429, "too many"),
        Answer::error(429, "too many").header("retry-after", "0"),
        Answer::error(429, "too many").header("retry-after-ms", "2"),
        Answer::error(429, "too many").header("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),
        Answer::error(429, "too many").header("x-ratelimit-reset-tokens", "3ms"),
        Answer::error(500, "oops"),
        Answer::raw(502, "text/html", "<html>bad gateway</html>"),
        Answer::error(503, "loading"),
        Answer::text("hello").cut_after(0),
        Answer::text("hello").cut_after(90),
        Answer::text("hello").unstreamed().cut_after(20),
        Answer::raw(200, "application/json", "{\"choices\": [{\"mess"),
        Answer::raw(200, "application/json", "{\"choices\": 7}"),
        Answer::raw(200, "text/html", "<html>welcome to this network</html>"),
        Answer::raw(200, "application/json", ""),
        Answer::no_choice(),
        Answer::events(["{\"choices\": [{\"delta\""]),
        Answer::events(["[DONE]"]),
        Answer::events([r#"{"error": {"message": "worker died", "code": 500}}"#]),
        Answer::json(200, &json!({"error": {"message": "overloaded"}})),
    ] {
        let told = format!("{answer:?}");
        let (client, server) = played(quick(), [answer, Answer::text("at last")]);
        assert_eq!(client.ask(&ask()).map(|reply| reply.text), Ok("at last".to_owned()), "{told}");
        let usage = client.usage();
        assert_eq!((server.chats().len(), usage.answered, usage.retried), (3, 1, 1), "{told}");
    }
}

#[test]
fn a_storm_ends_with_the_number_of_attempts_and_the_last_cause() {
    let (error, requests) = failed(Answer::error(500, "oops"));
    assert_eq!(
        (error.to_string().as_str(), requests),
        (
            "model `openai-api/vllm/m` is unavailable: no answer after 4 attempts; the last: 500 Internal Server Error: oops",
            4
        )
    );
    assert!(error.is_transient());
}

#[test]
fn each_cause_is_named() {
    for (answer, cause) in [
        (Answer::error(429, "too\nmany\u{1b}[31m"), "429 Too Many Requests: too many\u{fffd}[31m"),
        (Answer::raw(503, "text/plain", ""), "503 Service Unavailable"),
        (
            Answer::events(["{\"choices\": [{\"delta\": {\"content\": \"x\"}}]}"]),
            "the stream ended before the answer did",
        ),
    ] {
        let (error, requests) = failed(answer);
        assert!(matches!(error, ModelError::Unavailable { .. }), "{error}");
        assert!(error.to_string().ends_with(&format!("after 4 attempts; the last: {cause}")), "{error}");
        assert_eq!(requests, 4);
    }
    let (error, _) = failed(Answer::text("hello").cut_after(60));
    assert!(error.to_string().contains("the answer broke off: "), "{error}");
}

#[test]
fn a_server_that_falls_silent_is_asked_again() {
    for answer in [Answer::stall(), Answer::text("hello").stall_after(0), Answer::text("hello").stall_after(90)] {
        let (reply, requests) = asked(impatient(), [answer.clone(), Answer::text("at last")]);
        assert_eq!((reply.map(|reply| reply.text), requests), (Ok("at last".to_owned()), 2));
        let (reply, requests) = asked(impatient(), vec![answer; 2]);
        let error = reply.unwrap_err().to_string();
        assert!(error.ends_with("after 2 attempts; the last: the server sent nothing for 0.3 s"), "{error}");
        assert_eq!(requests, 2);
    }
}

#[test]
fn malformed_and_empty_answers_end_as_a_fault_of_the_interface() {
    for (answer, cause) in [
        (Answer::no_choice(), "the answer has no choice in it"),
        (Answer::raw(200, "text/html", "<html>"), "the body is neither JSON nor an event stream"),
        (Answer::raw(200, "application/json", " "), "the body is empty"),
        (Answer::call("", "{}"), "a call names no tool"),
    ] {
        let (error, requests) = failed(answer);
        assert!(matches!(error, ModelError::Protocol { .. }), "{error}");
        assert!(error.to_string().ends_with(&format!("no answer after 4 attempts; the last: {cause}")), "{error}");
        assert_eq!(requests, 4);
    }
    let (error, _) = failed(Answer::raw(200, "application/json", "{nonsense"));
    assert!(error.to_string().contains("the answer is not a completion: "), "{error}");
}

#[test]
fn a_refusal_is_final_and_in_the_servers_words() {
    for (status, reason) in [
        (400, "Bad Request"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (404, "Not Found"),
        (422, "Unprocessable Entity"),
    ] {
        let (error, requests) = failed(Answer::error(status, "no such thing"));
        assert!(matches!(error, ModelError::Rejected { .. }), "{error}");
        assert!(error.to_string().contains(&format!("{status} {reason}: no such thing")), "{error}");
        assert_eq!(requests, 1);
    }
    let (error, _) = failed(Answer::json(422, &json!({"detail": [{"msg": "field required"}]})));
    assert!(error.to_string().ends_with("422 Unprocessable Entity: [{\"msg\":\"field required\"}]"), "{error}");
    let (error, _) = failed(Answer::error(400, &"long ".repeat(1_000)));
    assert!(error.to_string().chars().count() < 400, "{error}");
    let (error, requests) = failed(Answer::raw(302, "text/html", "").header("location", "http://elsewhere/v1"));
    assert!(error.to_string().contains("the base URL leads elsewhere"), "{error}");
    assert_eq!(requests, 1);
}

#[test]
fn an_empty_account_is_not_asked_again() {
    let error = json!({"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}});
    let (error, requests) = failed(Answer::json(429, &error));
    assert!(matches!(error, ModelError::Rejected { .. }), "{error}");
    assert_eq!(requests, 1);
}

#[test]
fn a_conversation_that_does_not_fit_is_an_answer_of_its_own() {
    let llama = json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "the request exceeds"}});
    let vllm = json!({"object": "error", "message": "This model's maximum context length is 4096 tokens."});
    let streamed =
        json!({"error": {"type": "exceed_context_size_error", "message": "the request exceeds"}}).to_string();
    for answer in [
        Answer::context_overflow(),
        Answer::json(400, &llama),
        Answer::json(400, &vllm),
        Answer::json(500, &llama),
        Answer::events([llama.to_string()]),
        Answer::events([streamed]),
    ] {
        let (reply, requests) = asked(impatient(), vec![answer]);
        assert!(reply.unwrap().is_overflow());
        assert_eq!(requests, 1);
    }
}

#[test]
fn no_retries_means_one_attempt() {
    for answer in [Answer::error(503, "loading"), Answer::no_choice(), Answer::stall(), Answer::text("x").cut_after(1)]
    {
        let (reply, requests) = asked(Settings { max_retries: 0, ..impatient() }, vec![answer; 3]);
        let error = reply.unwrap_err().to_string();
        assert!(error.contains("no answer after 1 attempt; the last: "), "{error}");
        assert_eq!(requests, 1);
    }
}

#[test]
fn a_wait_longer_than_the_asks_time_is_not_begun() {
    let (reply, requests) = asked(quick(), [Answer::error(429, "later").header("retry-after", "3600")]);
    let error = reply.unwrap_err().to_string();
    assert!(error.contains("429 Too Many Requests: later; the next attempt would be in 3600 s"), "{error}");
    assert_eq!(requests, 1);
}

#[test]
fn an_ask_has_its_own_time_however_busy_the_server_looks() {
    let settings = Settings { deadline: Duration::from_millis(400), ..quick() };
    let (reply, requests) = asked(settings, [Answer::text("x").stall_after(20)]);
    let error = reply.unwrap_err();
    assert!(matches!(error, ModelError::Unavailable { .. }));
    assert!(error.to_string().ends_with("after 1 attempt; the last: the ask's time, 0.4 s in all, is over"), "{error}");
    assert_eq!(requests, 1);
}

#[test]
fn nobody_at_the_address_is_an_unavailable_model() {
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let server = resolve("openai-api/vllm/m", &format!("http://127.0.0.1:{port}/v1"));
    let ConnectError::Model(error) = Client::connect(server, quick()).unwrap_err() else { panic!("another error") };
    assert!(matches!(error, ModelError::Unavailable { .. }));
    let text = error.to_string();
    assert!(text.contains("after 4 attempts") && text.contains("refused") && !text.contains("127.0.0.1:0"), "{text}");
}
