//! The HTTP server. It limits times and connections. A stop waits for the running requests, up to a limit.
//!
//! It has its own accept loop, because axum's connections have no limits.

mod connection;
mod connection_state;
#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use gateway_environment::config::HttpLimits;
use ledger_store::Supervisor;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task, note_panic};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

/// The pause after a failed accept. While the process has no free file descriptor, every accept fails immediately.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

const CONNECTIONS: &str = "razao_http_connections";

/// The names of the two servers, as tasks and in the metrics.
pub const PUBLIC: &str = "HTTP server";
pub const OPERATIONS: &str = "operations server";

/// A running server. It serves one listener until it is stopped.
pub struct HttpServer {
    pub addr: SocketAddr,
    stop: watch::Sender<bool>,
    task: Supervised,
}

impl HttpServer {
    pub fn start(
        listener: TcpListener,
        name: &'static str,
        router: Router,
        limits: HttpLimits,
        supervisor: &Supervisor,
    ) -> io::Result<Self> {
        let addr = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let server = Server {
            listener: Some(listener.into_std()?),
            name,
            router,
            limits,
            stopping: stopping.clone(),
        };
        let task = supervisor.start_until(name, stopping, server);
        Ok(Self { addr, stop, task })
    }

    /// Accepts no more connections, and no further request on the open ones.
    pub fn close(&self) {
        self.stop.send_replace(true);
    }

    /// Waits for the running requests, until then at most: a slow client must not keep the process from ending.
    pub async fn stop(mut self, until: Instant) {
        self.close();
        if timeout_at(until, self.task.ended()).await.is_err() {
            tracing::warn!("some requests were cut off when the server stopped");
        }
    }
}

struct Server {
    /// Each start of the task serves on a copy, so that the port stays bound if the task fails and starts again. A stop
    /// closes this one too. Otherwise the system would accept connections that no task serves.
    listener: Option<std::net::TcpListener>,
    name: &'static str,
    router: Router,
    limits: HttpLimits,
    stopping: watch::Receiver<bool>,
}

#[async_trait]
impl Task for Server {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let Some(held) = &self.listener else {
            return Ok(());
        };
        let listener = TcpListener::from_std(held.try_clone()?)?;
        // Dropping the set aborts the connections that are still open.
        let mut connections = JoinSet::new();
        pulse.beat();
        let mut stopping = self.stopping.clone();
        tokio::select! {
            () = self.accept_all(&listener, &mut connections) => {}
            // A dropped sender also means stop.
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
        drop(listener);
        self.listener = None;
        while let Some(ended) = connections.join_next().await {
            self.note(ended);
        }
        Ok(())
    }
}

impl Server {
    async fn accept_all(&self, listener: &TcpListener, connections: &mut JoinSet<()>) {
        let places = Arc::new(Semaphore::new(self.limits.connections as usize));
        let open = metrics::gauge!(CONNECTIONS, "listener" => self.name);
        loop {
            // Without a free place, new connections wait in the system's queue until another connection closes.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            let (stream, peer) = accept(listener).await;
            let (router, stopping) = (self.router.clone(), self.stopping.clone());
            let serving = connection::serve(stream, peer, router, self.limits, stopping);
            let counted = Counted::new(open.clone());
            #[expect(
                clippy::disallowed_methods,
                reason = "the server reports the panics of its connections"
            )]
            connections.spawn(async move {
                serving.await;
                drop((counted, place));
            });
            // Removes the connections that have ended.
            while let Some(ended) = connections.try_join_next() {
                self.note(ended);
            }
        }
    }

    fn note(&self, ended: Result<(), tokio::task::JoinError>) {
        if let Err(error) = ended {
            note_panic(self.name, error);
        }
    }
}

/// Counts one connection in the gauge until it is dropped.
struct Counted(metrics::Gauge);

impl Counted {
    fn new(gauge: metrics::Gauge) -> Self {
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Otherwise Nagle's algorithm would delay small answers. If this fails, the client has already left.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) if client_has_left(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Whether the client left before its connection was accepted.
fn client_has_left(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
