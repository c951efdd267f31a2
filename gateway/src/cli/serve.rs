//! Running the platform until a signal ends it, and saying where it is.

use std::time::Instant;

use ledger_store::Supervisor;
use tokio::signal::unix::{SignalKind, signal};

use super::{CliError, Ending, say};
use crate::app::{App, Database, Parts};
use crate::clock::BusinessClock;
use crate::config::{Config, MailRoute};
use crate::demo::Story;
use crate::sandbox::{BankOptions, Gateway, Sandbox, SandboxOptions};

pub async fn serve(config: Config, parts: Parts) -> Result<Ending, CliError> {
    let started = Instant::now();
    // Before anything is started: a signal during the start ends it in order too.
    let ended = ended()?;
    let app = App::start(config, parts).await?;
    run(app, started, ended).await
}

/// For browser tests and for a look around: nothing stays, and no port has to be free.
pub async fn demo_server(mut config: Config) -> Result<Ending, CliError> {
    let started = Instant::now();
    let ended = ended()?;
    config.server.addr.set_port(0);
    config.server.ops_addr.set_port(0);
    config.sandbox.addr.set_port(0);
    let database = Database::throwaway(&config.database).await?;
    let app = App::start_on(database, config, Parts::ALL).await?;
    run(app, started, ended).await
}

async fn run(app: App, started: Instant, ended: impl Future<Output = ()>) -> Result<Ending, CliError> {
    tokio::pin!(ended);
    let loaded = tokio::select! {
        () = &mut ended => None,
        loaded = load_demo(&app) => Some(loaded),
    };
    let result = match loaded {
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

/// At the first start of a development installation.
async fn load_demo(app: &App) -> Result<(), CliError> {
    let loader = app.demo();
    if app.state.config.is_production() || !app.keeps_ledger() || !loader.is_wanted().await? {
        return Ok(());
    }
    tracing::info!("loading the demo's story");
    loader.load(|step| tracing::info!("{step}")).await?;
    Ok(())
}

fn announce(app: &App, started: Instant) {
    let operations = app.operations_address();
    let announce_operations = || {
        if let Some(addr) = operations {
            say(&format!("Operations    http://{addr}/metrics, /readyz, /healthz"));
        }
    };
    let Some(addr) = app.address() else {
        say("Razão runs, without the API and the panels");
        announce_operations();
        return;
    };
    let port = addr.port();
    say(&format!("Seller panel  http://localhost:{port}"));
    say(&format!("Admin panel   http://admin.localhost:{port}"));
    say(&format!("API           http://localhost:{port}/api/docs"));
    if let Some(sandbox) = app.sandbox_address() {
        say(&format!("Sandbox       http://{sandbox}"));
    }
    announce_operations();
    if let MailRoute::Folder(folder) = &app.state.config.mail.route {
        say(&format!("Letters       {}", folder.display()));
    }
    if !app.state.config.is_production() {
        announce_logins();
    }
    say(&format!(
        "Ready after {:.1} s; Ctrl-C stops it.",
        started.elapsed().as_secs_f32()
    ));
}

/// The story's people; where another story was loaded, these logins lead nowhere.
fn announce_logins() {
    say("Demo logins:");
    for person in Story::read().team {
        let access = person
            .access
            .iter()
            .map(|access| format!("{} ({})", access.business_name, access.role));
        let roles: Vec<String> = access.chain(person.roles.iter().cloned()).collect();
        say(&format!(
            "  {:6} {:36} {}  {}",
            person.panel,
            person.email,
            person.password,
            roles.join(", ")
        ));
    }
}

pub async fn sandbox(config: Config) -> Result<Ending, CliError> {
    if config.is_production() {
        return Err(CliError::SandboxInProduction);
    }
    let ended = ended()?;
    let gateway = Gateway {
        url: format!("http://{}", config.server.addr),
        secrets: config.providers.clone(),
    };
    let targets = Story::read().targets();
    let options = SandboxOptions {
        addr: config.sandbox.addr,
        gateway,
        targets,
        rate: config.sandbox.rate,
        clock: BusinessClock::new(config.clock_start),
        bank: BankOptions {
            delay: config.sandbox.bank_delay,
            book: None,
        },
    };
    let sandbox = Sandbox::start(options, &Supervisor::default()).await?;
    say(&format!("Sandbox       http://{}", sandbox.addr));
    ended.await;
    Ok(Ending::Done)
}

/// Ctrl-C, or what a service manager sends.
fn ended() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
