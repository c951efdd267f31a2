//! Runs the platform until a signal ends it, and prints its addresses.

use std::time::Instant;

use gateway_environment::config::{Config, MailTransport};
use tokio::signal::unix::{SignalKind, signal};

use super::{CliError, Ending, print_line, reload};
use crate::app::{App, Parts};

pub async fn serve(config: Config, parts: Parts) -> Result<Ending, CliError> {
    let started = Instant::now();
    // The handlers are installed first, so that a signal during the start also stops the program in order.
    let shutdown_signal = shutdown_signal()?;
    let app = App::start(config, parts).await?;
    let _reload = reload::keep_reading(&app.state)?;
    run(app, started, shutdown_signal).await
}

pub(super) async fn run(
    app: App,
    started: Instant,
    shutdown_signal: impl Future<Output = ()>,
) -> Result<Ending, CliError> {
    tokio::pin!(shutdown_signal);
    let preparing = async {
        #[cfg(feature = "dev")]
        super::development::load_demo(&app).await?;
        Ok::<(), CliError>(())
    };
    let prepared = tokio::select! {
        () = &mut shutdown_signal => None,
        prepared = preparing => Some(prepared),
    };
    let result = match prepared {
        Some(Ok(())) => {
            announce(&app, started);
            shutdown_signal.await;
            Ok(Ending::Done)
        }
        Some(Err(error)) => Err(error),
        None => Ok(Ending::Done),
    };
    let drain = app.state.config.server.drain;
    let begun = Instant::now();
    tracing::info!(drain_ms = drain.as_millis(), "stopping");
    // What came before the first signal does not count as the second one.
    let again = self::shutdown_signal()?;
    tokio::select! {
        () = app.drain(drain) => {}
        () = again => tracing::info!("a second signal ends the drain"),
    }
    app.stop_after(begun.elapsed()).await;
    result
}

fn announce(app: &App, started: Instant) {
    let operations = app.operations_address();
    let announce_operations = || {
        if let Some(addr) = operations {
            print_line(&format!("Operations    http://{addr}/metrics, /readyz, /healthz"));
        }
    };
    let Some(addr) = app.address() else {
        print_line("Razão is running without the API and the panels");
        announce_operations();
        return;
    };
    let port = addr.port();
    print_line(&format!("Seller panel  http://localhost:{port}"));
    print_line(&format!("Admin panel   http://admin.localhost:{port}"));
    print_line(&format!("API           http://localhost:{port}/api/docs"));
    #[cfg(feature = "dev")]
    if let Some(sandbox) = app.sandbox_address() {
        print_line(&format!("Sandbox       http://{sandbox}"));
    }
    announce_operations();
    if let MailTransport::Folder(folder) = &*app.state.config.mail.transport.get() {
        print_line(&format!("E-mails       {}", folder.display()));
    }
    #[cfg(feature = "dev")]
    if !app.state.config.is_production() {
        super::development::announce_logins();
    }
    print_line(&format!(
        "Ready after {:.1} s; Ctrl-C stops it.",
        started.elapsed().as_secs_f32()
    ));
}

/// Completes on Ctrl-C, or on the signal of a service manager (SIGTERM). A SIGHUP, which many service managers and a
/// closed terminal send, ends nothing: `reload` reads the secrets again.
pub(super) fn shutdown_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => return,
                _ = terminate.recv() => return,
                Some(()) = hang_up.recv() => {}
            }
        }
    })
}
