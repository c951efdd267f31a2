//! The HTTP server: started on a socket with limits of time and of connections, stopped by letting every request that it
//! has finish first.
//!
//! Our own loop and not axum's, whose connections have no limits.

mod connection;
mod pace;
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
use tokio::time::{sleep, timeout};

/// Longer than any answer should take; a slow client must not keep the program from ending.
const DRAIN_MAX: Duration = Duration::from_secs(10);
/// While the process has no file descriptor left, accepting fails at once, again and again.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

const CONNECTIONS: &str = "razao_http_connections";

/// Names of servers, as tasks and in the metrics.
pub const PUBLIC: &str = "HTTP server";
pub const OPERATIONS: &str = "operations server";

pub struct Web {
    pub addr: SocketAddr,
    stop: watch::Sender<bool>,
    task: Supervised,
}

impl Web {
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

    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        if timeout(DRAIN_MAX, self.task.ended()).await.is_err() {
            tracing::warn!("some requests were cut off at the end");
        }
    }
}

struct Server {
    /// Each start serves on a copy, so that the port is never given back between two. A stop closes this one as well,
    /// or the system would go on accepting connections that nobody serves.
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
        // Dropped with this task: what is still open then is cut off.
        let mut connections = JoinSet::new();
        pulse.beat();
        let mut stopping = self.stopping.clone();
        tokio::select! {
            () = self.accept_all(&listener, &mut connections) => {}
            // A dropped sender means the same.
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
            // Those who wait here are in the system's queue, until a limit closes somebody else's connection.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            let (stream, peer) = accept(listener).await;
            let (router, stopping) = (self.router.clone(), self.stopping.clone());
            let serving = connection::serve(stream, peer, router, self.limits, stopping);
            let counted = Counted::new(open.clone());
            #[expect(
                clippy::disallowed_methods,
                reason = "the server notes its connections' panics"
            )]
            connections.spawn(async move {
                serving.await;
                drop((counted, place));
            });
            // Only the running ones are kept.
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

/// A connection in the gauge, however it ends.
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
                // Answers are small and written at once; where this fails, the client is gone already.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) if is_the_client_s(&error) => {}
            Err(error) => {
                tracing::error!(%error, "a connection could not be accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// The client left before it was accepted.
fn is_the_client_s(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
