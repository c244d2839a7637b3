//! The server by itself: what goes over the wire, read without a client library.

use crate::{Answer, Chat, Server};
use std::io::{Read, Write};
use std::net::TcpStream;

/// What a server says to this request, until it closes the connection.
fn raw(server: &Server, path: &str, body: &str) -> String {
    let address = server.base_url();
    let address = address.trim_start_matches("http://").trim_end_matches("/v1");
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("POST /v1{path} HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    said
}

fn chat(server: &Server, body: &str) -> String {
    raw(server, "/chat/completions", body)
}

#[test]
fn answers_come_in_the_scripts_order_and_then_no_more() {
    let server = Server::script([Answer::error(429, "slow").header("retry-after", "7"), Answer::text("hi")]).unwrap();
    let first = chat(&server, "{}");
    assert!(first.starts_with("HTTP/1.1 429 ") && first.contains("retry-after: 7\r\n"), "{first}");
    assert!(
        chat(&server, "{}").ends_with("\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3,\"total_tokens\":10}}")
    );
    assert!(chat(&server, "{}").starts_with("HTTP/1.1 410 "));
    assert!(raw(&server, "/models", "").starts_with("HTTP/1.1 404 "));
    assert_eq!((server.chats().len(), server.requests().len(), server.most_at_once()), (3, 4, 1));
    assert_eq!(server.requests()[0].header("host"), Some("h"));
}

#[test]
fn a_stream_is_sent_where_one_is_asked_for() {
    let answer = || Answer::chat(Chat { delta: 1, ..Chat::call("t", "{}") });
    let server = Server::script([answer(), answer(), answer().unstreamed()]).unwrap();
    let counted = chat(&server, r#"{"stream": true, "stream_options": {"include_usage": true}}"#);
    assert!(
        counted.contains("transfer-encoding: chunked") && counted.ends_with("data: [DONE]\n\n\r\n0\r\n\r\n"),
        "{counted}"
    );
    assert!(counted.contains("\"usage\"") && counted.contains(r#""arguments":"{""#));
    assert!(!chat(&server, r#"{"stream": true}"#).contains("\"usage\""));
    assert!(chat(&server, r#"{"stream": true}"#).contains("content-length"));
}

#[test]
fn a_cut_answer_has_so_many_bytes_and_no_end() {
    let server = Server::script([Answer::events(["a", "b"]).in_pieces(4).cut_after(6), Answer::stall()]).unwrap();
    assert!(chat(&server, "{}").ends_with("\r\n\r\n4\r\ndata\r\n2\r\n: \r\n"));
    assert_eq!(chat(&server, "{}"), "", "this client has gone away at once");
}
