//! The listener, and what it remembers.

use crate::answer::Answer;
use crate::connection;
use serde_json::Value;
use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// A request, as it came.
#[derive(Clone, Debug)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// For example `/v1/chat/completions`.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How many requests were under way when it came, itself included.
    pub at_once: usize,
}

impl Request {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// A header's value, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// Whether it asks for a chat completion.
    pub fn is_chat(&self) -> bool {
        self.path.ends_with("/chat/completions")
    }
}

pub(crate) struct Shared {
    pub(crate) handler: Box<dyn Fn(&Request) -> Answer + Send + Sync>,
    pub(crate) under_way: AtomicUsize,
    pub(crate) stopped: AtomicBool,
    requests: Mutex<Vec<Request>>,
    connections: Mutex<Vec<TcpStream>>,
}

impl Shared {
    pub(crate) fn record(&self, request: Request) {
        lock(&self.requests).push(request);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running server. Dropping it closes its port and all its connections.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

impl Server {
    /// A server on a free port of 127.0.0.1 that answers each request, of whatever path, as the closure says. The closure
    /// runs on the connection's own thread and may block.
    ///
    /// # Errors
    /// Whatever opening the port says.
    pub fn start(handler: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> io::Result<Server> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            under_way: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            requests: Mutex::default(),
            connections: Mutex::default(),
        });
        let inside = Arc::clone(&shared);
        let listener = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if inside.stopped.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                if let Ok(copy) = stream.try_clone() {
                    lock(&inside.connections).push(copy);
                }
                let inside = Arc::clone(&inside);
                std::thread::spawn(move || {
                    // Errors of either are the client's: it went away. The copy above would keep the connection open.
                    drop(connection::serve(&stream, &inside));
                    drop(stream.shutdown(Shutdown::Both));
                });
            }
        });
        Ok(Server { address, shared, listener: Some(listener) })
    }

    /// A server that gives the n-th chat request the n-th answer. It has no list of models (404). A request after the last
    /// answer gets 410, which no client tries again.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn script(answers: impl IntoIterator<Item = Answer>) -> io::Result<Server> {
        Server::listing(None::<[&str; 0]>, answers)
    }

    /// As [`Server::script`], with a list of models at `/models`; none for a server without one.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn listing<T: AsRef<str>>(
        models: Option<impl IntoIterator<Item = T>>,
        answers: impl IntoIterator<Item = Answer>,
    ) -> io::Result<Server> {
        let models = models.map_or_else(|| Answer::error(404, "no such route"), Answer::models);
        let answers: Mutex<VecDeque<Answer>> = Mutex::new(answers.into_iter().collect());
        Server::start(move |request| {
            if !request.is_chat() {
                return models.clone();
            }
            lock(&answers).pop_front().unwrap_or_else(|| Answer::error(410, "the script is over"))
        })
    }

    /// `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// All requests so far, in the order in which they were read.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }

    /// The requests for a chat completion.
    pub fn chats(&self) -> Vec<Request> {
        self.requests().into_iter().filter(Request::is_chat).collect()
    }

    /// How many connections there have been.
    pub fn connections(&self) -> usize {
        lock(&self.shared.connections).len()
    }

    /// The most requests that were ever under way at once. One counts from when it was read to when the last of its answer
    /// is about to be sent.
    pub fn most_at_once(&self) -> usize {
        lock(&self.shared.requests).iter().map(|request| request.at_once).max().unwrap_or(0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the listener, which looks at the flag.
        drop(TcpStream::connect(self.address));
        if let Some(listener) = self.listener.take() {
            drop(listener.join());
        }
        for connection in lock(&self.shared.connections).drain(..) {
            drop(connection.shutdown(Shutdown::Both));
        }
    }
}
