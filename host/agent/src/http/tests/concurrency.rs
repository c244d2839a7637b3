//! Requests at once.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;

/// Asks this often on that many threads.
fn storm(client: &Client, threads: usize, asks: usize) -> Vec<Result<Reply, ModelError>> {
    thread::scope(|scope| {
        let hands: Vec<_> = (0..threads)
            .map(|_| scope.spawn(move || (0..asks).map(|_| client.ask(&ask())).collect::<Vec<_>>()))
            .collect();
        hands.into_iter().flat_map(|hand| hand.join().unwrap()).collect()
    })
}

fn connect(server: &Scripted, settings: Settings) -> Client {
    Client::connect(resolve("openai-api/vllm/m", &server.base_url()), settings).unwrap()
}

/// Whether a request belongs to the preflight.
fn is_preflight(request: &Request) -> bool {
    request.json()["max_tokens"] == json!(1) || !request.is_chat()
}

#[test]
fn sixty_four_threads_have_sixty_four_streams_at_once() {
    let all = Barrier::new(64);
    // Each answer waits until all sixty-four requests are there: with fewer at once, this test would never end.
    let server = Scripted::start(move |request| {
        if !is_preflight(request) {
            all.wait();
        }
        Answer::text("ok")
    })
    .unwrap();
    let client = connect(&server, Settings { connections: 64, max_connections: 64, ..quick() });
    let replies = storm(&client, 64, 2);
    assert!(replies.iter().all(Result::is_ok));
    assert_eq!((client.usage().answered, server.most_at_once()), (128, 64));
}

#[test]
fn never_more_at_once_than_configured() {
    let server = Scripted::start(|_| Answer::text("ok")).unwrap();
    let client = connect(&server, Settings { connections: 2, max_connections: 3, ..quick() });
    assert!(storm(&client, 16, 10).iter().all(Result::is_ok));
    assert!(server.most_at_once() <= 3);
    assert_eq!(client.usage().answered, 160);
}

#[test]
fn the_number_at_once_falls_after_429_and_recovers() {
    // The first sixteen are refused together; the next twelve are held until all of them are there: as many as may be.
    let (first, next, seen) = (Barrier::new(16), Barrier::new(12), AtomicUsize::new(0));
    let server = Scripted::start(move |request| {
        if is_preflight(request) {
            return Answer::text("yes");
        }
        match seen.fetch_add(1, Ordering::SeqCst) {
            0..16 => {
                first.wait();
                Answer::error(429, "too many at once")
            }
            16..28 => {
                next.wait();
                Answer::text("ok")
            }
            _ => Answer::text("ok"),
        }
    })
    .unwrap();
    // One window for the whole test: sixteen refusals are one cut, 16 * 0.8 = 12.8.
    let window = Duration::from_hours(1);
    let client = connect(&server, Settings { connections: 16, max_connections: 16, window, ..quick() });
    assert!(storm(&client, 16, 1).iter().all(Result::is_ok));
    let at_once: Vec<usize> = server.chats().iter().skip(1).map(|request| request.at_once).collect();
    let most = |part: &[usize]| part.iter().copied().max();
    assert_eq!((most(&at_once[..16]), most(&at_once[16..28]), at_once.len()), (Some(16), Some(12), 32));
    assert_eq!((client.usage().answered, client.usage().retried), (16, 16));
    // Under load it comes back, by about one place a round.
    let rounds = (0..1_000).take_while(|_| client.usage().limit < 16).inspect(|_| drop(storm(&client, 16, 10))).count();
    assert_eq!(client.usage().limit, 16, "after {rounds} rounds");
}

#[test]
fn what_is_waited_for_is_visible() {
    let (client, _server) =
        played(quick(), [Answer::error(429, "slow down").header("retry-after-ms", "900"), Answer::text("ok")]);
    let told = Mutex::new(None);
    thread::scope(|scope| {
        scope.spawn(|| {
            while client.usage().answered == 0 {
                if let Some(waiting) = client.usage().waiting {
                    *told.lock().unwrap() = Some(waiting);
                    return;
                }
                thread::yield_now();
            }
        });
        client.ask(&ask()).unwrap();
    });
    assert_eq!(told.lock().unwrap().as_deref(), Some("1 ask waits 1 s after 429 Too Many Requests: slow down"));
}

#[test]
fn connections_are_used_again() {
    let server = Scripted::start(|_| Answer::text("ok")).unwrap();
    let client = connect(&server, quick());
    assert!(storm(&client, 1, 20).iter().all(Result::is_ok));
    // A connection is given back an instant after its answer, so now and then a second one is opened.
    assert!(server.connections() < 10, "{} for 22 requests", server.connections());
}
