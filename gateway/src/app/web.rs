//! The HTTP server: started on a socket, stopped by letting every request that it has finish first.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::AppState;
use crate::router::router;

/// Longer than any answer should take; an idle connection must not keep the program from ending.
const DRAIN_MAX: Duration = Duration::from_secs(10);

pub struct Web {
    pub addr: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Web {
    pub fn start(listener: TcpListener, state: AppState) -> Self {
        let addr = listener.local_addr().unwrap_or(state.config.server.addr);
        let (stop, stopped) = oneshot::channel();
        let service = router(state).into_make_service_with_connect_info::<SocketAddr>();
        let server = axum::serve(listener, service).with_graceful_shutdown(async {
            // A dropped sender means the same.
            let _ = stopped.await;
        });
        let task = tokio::spawn(async move {
            if let Err(error) = server.await {
                tracing::error!(%error, "the HTTP server ended");
            }
        });
        Self { addr, stop, task }
    }

    pub async fn stop(self) {
        let _ = self.stop.send(());
        let abort = self.task.abort_handle();
        if timeout(DRAIN_MAX, self.task).await.is_err() {
            tracing::warn!("some requests were cut off at the end");
            abort.abort();
        }
    }
}
