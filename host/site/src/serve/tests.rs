use super::answer::POLICY;
use super::*;
use crate::sink::Sink;
use std::io::{Read, Write};
use std::net::TcpStream;

/// A server with two files, in a thread that ends with the tests.
fn server(source: Source) -> SocketAddr {
    let server = Server::bind(source, Some(0)).unwrap();
    let address = server.address;
    std::thread::spawn(move || server.run().unwrap());
    address
}

fn memory() -> Source {
    let memory = Memory::default();
    memory.file("index.html", b"<!doctype html>".to_vec()).unwrap();
    memory.file("data/site.js", vec![b'x'; 5000]).unwrap();
    Source::memory(memory)
}

/// Sends a request as it is; the head of the answer, in lower case, and the body.
fn ask(address: SocketAddr, request: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    (String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase(), answer[end..].to_vec())
}

fn get(address: SocketAddr, path: &str, more: &str) -> (String, Vec<u8>) {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}\r\n"))
}

fn status(address: SocketAddr, request: &str) -> String {
    ask(address, request).0.split(' ').nth(1).unwrap().to_owned()
}

#[test]
fn a_file_comes_with_its_type_and_every_guard() {
    let address = server(memory());
    let (head, body) = get(address, "/", "");
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert_eq!(body, b"<!doctype html>");
    for line in [
        "content-type: text/html; charset=utf-8",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
        "frame-ancestors 'none'",
        "cache-control: no-store",
    ] {
        assert!(head.contains(line), "{line} in {head}");
    }
    let (head, body) = ask(address, &format!("HEAD / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"));
    assert!(head.contains("content-length: 15") && body.is_empty(), "{head}");
    // A refusal has them too, and nothing of the request in it.
    let (head, body) = get(address, "/<script>", "");
    assert!(head.starts_with("http/1.1 4") && !String::from_utf8_lossy(&body).contains("script"), "{head}");
}

#[test]
fn text_is_compressed_for_who_can_read_that() {
    let address = server(memory());
    let (head, body) = get(address, "/data/site.js", "Accept-Encoding: gzip, zstd;q=0.5\r\n");
    assert!(head.contains("content-encoding: zstd") && body.len() < 100, "{head}");
    assert_eq!(zstd::decode_all(body.as_slice()).unwrap(), vec![b'x'; 5000]);
    for other in ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: zstd;q=0\r\n"] {
        let (head, body) = get(address, "/data/site.js", other);
        assert!(!head.contains("content-encoding") && body.len() == 5000, "{head}");
    }
}

#[test]
fn a_name_that_was_made_to_point_here_is_refused() {
    let address = server(memory());
    let port = address.port();
    let with = |host: &str| status(address, &format!("GET / HTTP/1.1\r\n{host}Connection: close\r\n\r\n"));
    assert_eq!(with(&format!("Host: localhost:{port}\r\n")), "200");
    for host in [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: {address}\r\nHost: evil.example\r\n"),
        String::new(),
    ] {
        assert!(with(&host).starts_with('4'), "{host}");
    }
}

#[test]
fn a_page_of_another_origin_may_go_to_the_site_and_not_take_its_files() {
    let address = server(memory());
    let from = |path: &str, site: &str, mode: &str| {
        get(address, path, &format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\n")).0[9..12].to_owned()
    };
    assert_eq!(from("/data/site.js", "same-origin", "no-cors"), "200");
    assert_eq!(from("/", "cross-site", "navigate"), "200");
    assert_eq!(from("/data/site.js", "cross-site", "no-cors"), "403");
    assert_eq!(from("/data/site.js", "same-site", "navigate"), "403");
    assert_eq!(from("/", "cross-site", "cors"), "403");
}

#[test]
fn files_are_read_and_nothing_else_is_done() {
    let address = server(memory());
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let asked = format!("{method} / HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assert_eq!(status(address, &asked), "405", "{method}");
    }
}

#[test]
fn nothing_outside_of_a_sites_folder_is_served_not_even_through_a_link() {
    let home = tempfile::tempdir().unwrap();
    let site = home.path().join("site");
    std::fs::create_dir(&site).unwrap();
    std::fs::write(site.join("index.html"), "page").unwrap();
    std::fs::write(home.path().join("secret.js"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.path().join("secret.js"), site.join("link.js")).unwrap();
    let address = server(Source::folder(&site).unwrap());
    assert_eq!(get(address, "/", "").1, b"page");
    for path in ["/../secret.js", "/..%2fsecret.js", "/%2e%2e/secret.js", "/link.js", "/./../secret.js"] {
        let (head, body) = get(address, path, "");
        assert!(!head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(!String::from_utf8_lossy(&body).contains("secret"), "{path}");
    }
}

#[test]
fn a_port_that_is_taken_is_said_to_be_so_and_without_one_another_is_found() {
    let first = Server::bind(memory(), Some(0)).unwrap();
    let error = Server::bind(memory(), Some(first.address.port())).err().unwrap().to_string();
    assert!(error.contains("choose another with --port"), "{error}");
    let (one, two) = (Server::bind(memory(), None).unwrap(), Server::bind(memory(), None).unwrap());
    assert_ne!(one.address.port(), two.address.port());
}

#[test]
fn the_page_holds_itself_to_the_same_policy() {
    let page = include_str!("../../web/dist/index.html");
    let own = POLICY.strip_suffix("; frame-ancestors 'none'").unwrap();
    assert!(page.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{own}\"")), "{page}");
}
