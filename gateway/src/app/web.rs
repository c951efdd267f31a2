//! An HTTP server: started on a socket, stopped by letting every request that it has finish first.

use std::net::SocketAddr;
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use ledger_store::Supervisor;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Task};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;

/// Longer than any answer should take; an idle connection must not keep the program from ending.
const DRAIN_MAX: Duration = Duration::from_secs(10);

pub struct Web {
    pub addr: SocketAddr,
    stop: watch::Sender<bool>,
    task: Supervised,
}

impl Web {
    /// `name` is the supervised task's.
    pub fn start(
        listener: TcpListener,
        name: &'static str,
        router: Router,
        supervisor: &Supervisor,
    ) -> std::io::Result<Self> {
        let addr = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let server = Server {
            listener: listener.into_std()?,
            router,
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
    /// Each start serves on a copy, so that the port is never given back between two.
    listener: std::net::TcpListener,
    router: Router,
    stopping: watch::Receiver<bool>,
}

#[async_trait]
impl Task for Server {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let listener = TcpListener::from_std(self.listener.try_clone()?)?;
        let service = self
            .router
            .clone()
            .into_make_service_with_connect_info::<SocketAddr>();
        let mut stopping = self.stopping.clone();
        let server = axum::serve(listener, service).with_graceful_shutdown(async move {
            // A dropped sender means the same.
            let _ = stopping.wait_for(|stop| *stop).await;
        });
        pulse.beat();
        Ok(server.await?)
    }
}
