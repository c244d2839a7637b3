//! Serves a site on loopback: files and nothing else, to the browser of whoever started it.
//!
//! Any page in that browser can send requests here, and any program of the machine can. So a request must name this server
//! as its host (a name that was made to point at 127.0.0.1 is refused), files say that no other origin may have them (data
//! files are scripts, which a page could otherwise include), and a request's path is one of a few characters, below the
//! site's folder, through a handle that cannot leave it.

mod answer;
mod path;

use crate::sink::{Memory, Traces};
use answer::{Asked, answer};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use weir_suite::Error;

/// The port that is tried first: who asks for none finds the same address again.
pub const PORT: u16 = 7575;

/// Connections at once. A browser opens six to one host.
const CONNECTIONS: usize = 64;

/// How long a connection may take to send the head of a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where the files come from.
pub enum Source {
    /// A site that was built into memory, and the runs where its traces stand.
    Memory(Built),
    /// A site's folder.
    Folder(Dir),
}

/// A site in memory.
pub struct Built {
    files: BTreeMap<String, Vec<u8>>,
    traces: Traces,
}

impl Source {
    /// A site that was built into memory.
    #[must_use]
    pub fn memory(memory: Memory) -> Self {
        let (files, traces) = memory.into_parts();
        Source::Memory(Built { files, traces })
    }

    /// A site's folder.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn folder(path: &Path) -> Result<Self, Error> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Source::Folder).map_err(|e| Error::io(path, e))
    }

    /// A file; none where there is none.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Source::Memory(Built { files, traces }) => match files.get(path) {
                Some(bytes) => Ok(Some(bytes.clone())),
                None => traces.read(path),
            },
            Source::Folder(dir) => match dir.read(path) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(e) => Err(Error::io(path, e)),
            },
        }
    }
}

/// A server that has its address.
pub struct Server {
    source: Arc<Source>,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes a port of 127.0.0.1: this one, or, where none is asked for, [`PORT`] or any that is free.
    ///
    /// # Errors
    /// Where the port is taken.
    pub fn bind(source: Source, port: Option<u16>) -> Result<Self, Error> {
        let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Some(port) => bind(port).map_err(|e| {
                Error::Input(format!(
                    "port {port} of 127.0.0.1: {e}\n  choose another with --port, or 0 for any that is free"
                ))
            })?,
            None => bind(PORT).or_else(|_| bind(0)).map_err(|e| Error::io("127.0.0.1", e))?,
        };
        let io = |e| Error::io("127.0.0.1", e);
        listener.set_nonblocking(true).map_err(io)?;
        let address = listener.local_addr().map_err(io)?;
        Ok(Server { source: Arc::new(source), listener, address })
    }

    /// Where a browser finds it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until Ctrl-C.
    ///
    /// # Errors
    /// Where threads or the signal cannot be had.
    pub fn run(self) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|e| Error::io("the server's threads", e))?;
        let ended = runtime.block_on(async {
            tokio::select! {
                served = self.serve() => served,
                signal = tokio::signal::ctrl_c() => signal.map_err(|e| Error::io("Ctrl-C", e)),
            }
        });
        // What a browser still has open is not waited for.
        runtime.shutdown_background();
        ended
    }

    async fn serve(self) -> Result<(), Error> {
        let listener =
            tokio::net::TcpListener::from_std(self.listener).map_err(|e| Error::io(self.address.to_string(), e))?;
        let free = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return Ok(()) };
            // A connection that is gone before it was taken is nobody's loss, and too many open files pass.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let (source, address) = (Arc::clone(&self.source), self.address);
            tokio::spawn(async move {
                let service = service_fn(|request| respond(Arc::clone(&source), address, request));
                let mut connection = hyper::server::conn::http1::Builder::new();
                connection.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
                // A browser that breaks off has its reasons.
                let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                drop(permit);
            });
        }
    }
}

async fn respond(
    source: Arc<Source>,
    address: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, _) = request.into_parts();
    // Files are read and compressed where nobody else waits for it.
    let answered = tokio::task::spawn_blocking(move || answer(&source, &Asked::of(&head, address))).await;
    Ok(answered.unwrap_or_else(|_| answer::failed()))
}

#[cfg(test)]
mod tests;
