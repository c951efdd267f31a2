//! Runs the platform until a signal ends it, and prints its addresses.

use std::time::Instant;

use gateway_environment::config::{Config, MailRoute};
use tokio::signal::unix::{SignalKind, signal};

use super::{CliError, Ending, say};
use crate::app::{App, Parts};

pub async fn serve(config: Config, parts: Parts) -> Result<Ending, CliError> {
    let started = Instant::now();
    // The handlers are installed first, so that a signal during the start also ends it in order.
    let ended = ended()?;
    let app = App::start(config, parts).await?;
    run(app, started, ended).await
}

pub(super) async fn run(
    app: App,
    started: Instant,
    ended: impl Future<Output = ()>,
) -> Result<Ending, CliError> {
    tokio::pin!(ended);
    let preparing = async {
        #[cfg(feature = "dev")]
        super::development::load_demo(&app).await?;
        Ok::<(), CliError>(())
    };
    let prepared = tokio::select! {
        () = &mut ended => None,
        prepared = preparing => Some(prepared),
    };
    let result = match prepared {
        Some(Ok(())) => {
            announce(&app, started);
            ended.await;
            Ok(Ending::Done)
        }
        Some(Err(error)) => Err(error),
        None => Ok(Ending::Done),
    };
    tracing::info!("stopping");
    app.stop().await;
    result
}

fn announce(app: &App, started: Instant) {
    let operations = app.operations_address();
    let announce_operations = || {
        if let Some(addr) = operations {
            say(&format!("Operations    http://{addr}/metrics, /readyz, /healthz"));
        }
    };
    let Some(addr) = app.address() else {
        say("Razão is running without the API and the panels");
        announce_operations();
        return;
    };
    let port = addr.port();
    say(&format!("Seller panel  http://localhost:{port}"));
    say(&format!("Admin panel   http://admin.localhost:{port}"));
    say(&format!("API           http://localhost:{port}/api/docs"));
    #[cfg(feature = "dev")]
    if let Some(sandbox) = app.sandbox_address() {
        say(&format!("Sandbox       http://{sandbox}"));
    }
    announce_operations();
    if let MailRoute::Folder(folder) = &app.state.config.mail.route {
        say(&format!("E-mails       {}", folder.display()));
    }
    #[cfg(feature = "dev")]
    if !app.state.config.is_production() {
        super::development::announce_logins();
    }
    say(&format!(
        "Ready after {:.1} s; Ctrl-C stops it.",
        started.elapsed().as_secs_f32()
    ));
}

/// Completes on Ctrl-C, or on the signal of a service manager (SIGTERM).
pub(super) fn ended() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
