//! The development commands.

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use gateway_dev::bench::{self, BenchError, BenchOptions, Part, reads};
use gateway_dev::demo::{DemoError, Story};
use gateway_dev::sandbox::{BankOptions, ChargeOptions, ReceivingGateway, Sandbox, SandboxOptions};
use gateway_dev::torture::{self, Fault, TortureOptions};
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::Config;
use ledger_store::{Causes, Layout, Supervisor};
use thiserror::Error;

use super::ledger::start_recording;
use super::serve::{run, shutdown_signal};
use super::{CliError, Ending, configuration, print_line};
use crate::app::{App, Database, Parts};

#[derive(Debug, Subcommand)]
pub enum DevelopmentCommand {
    /// Load the demo data into an empty database
    Demo,
    /// Run all parts on a temporary database with the demo data, on free ports
    DemoServer,
    /// Run only the acquirer and bank simulator; its front page lists the cards and amounts for each outcome
    Sandbox,
    /// Measure acknowledged captures per second, compared with plain INSERTs, on a separate durable cluster
    Bench(BenchArguments),
    /// Kill and starve the program under load, and check that nothing acknowledged is lost or doubled
    Torture(TortureArguments),
    /// Run the platform under load on an empty database of a Citus coordinator, and audit it (docs/operations/citus.md)
    Citus(CitusArguments),
    /// Measure lists, reports and exports on a small and on a large installation
    BenchReads(ReadsArguments),
}

#[derive(Debug, Clone, Args)]
pub struct BenchArguments {
    /// An empty folder on the disk to measure
    #[arg(long, default_value = ".data/bench")]
    folder: PathBuf,
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Seconds of each measurement in a round; the parts one and upstream take half of them
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// Seconds of the sustained run
    #[arg(long, default_value_t = 300)]
    sustained: u64,
    /// Sales for the start, the rebuild, the verification and the settlement
    #[arg(long, default_value_t = 1_000_000)]
    sales: u64,
    /// Run one part: rates, one, light, sustained, upstream or history
    #[arg(long)]
    only: Option<Part>,
    /// Three short rounds, 10 seconds sustained, 20,000 sales
    #[arg(long)]
    quick: bool,
    /// On a database in which each shard has a schema of its own
    #[arg(long)]
    schemas: bool,
}

impl BenchArguments {
    fn options(self) -> std::io::Result<BenchOptions> {
        let Self {
            folder,
            rounds,
            seconds,
            sustained,
            sales,
            only,
            quick,
            schemas,
        } = self;
        let (rounds, seconds, sustained, sales) = match quick {
            true => (3, 2, 10, 20_000),
            false => (rounds, seconds, sustained, sales),
        };
        Ok(BenchOptions {
            program: std::env::current_exe()?,
            folder,
            rounds,
            duration: Duration::from_secs(seconds),
            sustained: Duration::from_secs(sustained),
            sales,
            layout: layout(schemas),
            only,
        })
    }
}

#[derive(Debug, Clone, Args)]
pub struct TortureArguments {
    /// Rounds of kills
    #[arg(default_value_t = 50)]
    rounds: u32,
    /// Selects the order of kills
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An empty folder for the run's clusters
    #[arg(long, default_value = ".data/torture")]
    folder: PathBuf,
    /// How long two processes get the requests in turn, while they end one after the other
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Run one fault: kills, read-only, disk-full, two-processes, round-robin, peers or standby
    #[arg(long)]
    only: Option<Fault>,
    /// On databases in which each shard has a schema of its own
    #[arg(long)]
    schemas: bool,
}

#[derive(Debug, Clone, Args)]
pub struct CitusArguments {
    /// The database, such as postgres://razao@10.0.0.1/razao
    url: String,
    /// A folder for the run's files
    #[arg(long, default_value = ".data/citus")]
    folder: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub struct ReadsArguments {
    /// A folder for the run's two clusters; empty, except with `--measure`
    #[arg(long, default_value = ".data/bench-reads")]
    folder: PathBuf,
    /// Each round makes every call 4 to 50 times on both installations, slow calls fewer times
    #[arg(long, default_value_t = 4)]
    rounds: u32,
    /// One round, without counting rows
    #[arg(long)]
    quick: bool,
    /// The sales of the large installation; without it ten million, or three million if the disk has no place for ten
    #[arg(long)]
    sales: Option<u64>,
    /// Loads both installations and leaves them in the folder
    #[arg(long, conflicts_with = "measure")]
    load: bool,
    /// Measures the installations that `--load` has left, and leaves them
    #[arg(long)]
    measure: bool,
    /// Measures only the calls whose names contain this text, and no export
    #[arg(long)]
    only: Option<String>,
}

#[derive(Debug, Error)]
pub enum DevelopmentError {
    #[error(transparent)]
    Demo(#[from] DemoError),
    #[error("the benchmark failed: {}", Causes(.0.as_ref()))]
    Bench(BenchError),
    #[error("the torture run failed: {}", Causes(.0.as_ref()))]
    Torture(BenchError),
    #[error("no free port: {0}")]
    NoPort(std::io::Error),
    #[error("the sandbox cannot run in production")]
    SandboxInProduction,
}

impl From<DemoError> for CliError {
    fn from(error: DemoError) -> Self {
        Self::Development(error.into())
    }
}

pub async fn execute(command: DevelopmentCommand) -> Result<Ending, CliError> {
    use DevelopmentCommand as C;
    match command {
        C::Demo => demo(configuration()?).await,
        C::DemoServer => demo_server(configuration()?).await,
        C::Sandbox => sandbox(configuration()?).await,
        C::Bench(arguments) => {
            let report = bench::run(arguments.options()?, |step| tracing::info!("{step}"))
                .await
                .map_err(DevelopmentError::Bench)?;
            print_line(&report.to_string());
            Ok(Ending::Done)
        }
        C::Torture(arguments) => torture(arguments).await,
        C::Citus(arguments) => citus(arguments).await,
        C::BenchReads(arguments) => bench_reads(arguments).await,
    }
}

const fn layout(schemas: bool) -> Layout {
    if schemas { Layout::Schemas } else { Layout::One }
}

async fn torture(arguments: TortureArguments) -> Result<Ending, CliError> {
    let TortureArguments {
        rounds,
        seed,
        folder,
        seconds,
        only,
        schemas,
    } = arguments;
    let options = TortureOptions {
        program: std::env::current_exe()?,
        folder,
        rounds,
        duration: Duration::from_secs(seconds),
        seed,
        layout: layout(schemas),
        only,
    };
    let lines = gateway_dev::torture::run(options, |step| tracing::info!("{step}"))
        .await
        .map_err(DevelopmentError::Torture)?;
    lines.iter().for_each(|line| print_line(line));
    Ok(Ending::Done)
}

async fn citus(arguments: CitusArguments) -> Result<Ending, CliError> {
    let options = TortureOptions {
        program: std::env::current_exe()?,
        folder: arguments.folder,
        rounds: 0,
        duration: Duration::from_secs(1),
        seed: 1,
        layout: Layout::Schemas,
        only: None,
    };
    let report = torture::citus::run(&arguments.url, &options, |step| tracing::info!("{step}"))
        .await
        .map_err(DevelopmentError::Torture)?;
    print_line(&report.to_string());
    Ok(Ending::Done)
}

async fn bench_reads(arguments: ReadsArguments) -> Result<Ending, CliError> {
    let ReadsArguments {
        folder,
        rounds,
        quick,
        sales,
        load,
        measure,
        only,
    } = arguments;
    let stage = match (load, measure) {
        (true, _) => reads::Stage::Load,
        (false, true) => reads::Stage::Measure,
        (false, false) => reads::Stage::Both,
    };
    let options = reads::ReadsOptions {
        program: std::env::current_exe()?,
        folder,
        rounds,
        quick,
        sales,
        stage,
        only,
    };
    let report = reads::run(options, |step| tracing::info!("{step}"))
        .await
        .map_err(DevelopmentError::Bench)?;
    print_line(&report.to_string());
    Ok(Ending::Done)
}

async fn demo(config: Config) -> Result<Ending, CliError> {
    let app = start_recording(config).await?;
    let loaded = async {
        let loaded = app.demo().load(|step| print_line(&step)).await?;
        app.tree_heads().tick().await?;
        Ok::<_, CliError>(loaded)
    };
    let loaded = loaded.await;
    app.stop().await;
    let loaded = loaded?;
    print_line(&format!(
        "{} notices sent, {} installments settled",
        loaded.notices, loaded.installments_settled
    ));
    Ok(Ending::Done)
}

/// For browser tests and for exploring: no data remains, and no fixed port is needed.
async fn demo_server(mut config: Config) -> Result<Ending, CliError> {
    let started = Instant::now();
    let shutdown_signal = shutdown_signal()?;
    // The port is chosen before the start, because the links of e-mails have it.
    config.server.addr.set_port(0);
    let free = TcpListener::bind(config.server.addr).and_then(|listener| listener.local_addr());
    let port = free.map_err(DevelopmentError::NoPort)?.port();
    config.server.addr.set_port(port);
    config.hosts.public_port = Some(port);
    config.server.ops_addr.set_port(0);
    config.sandbox.addr.set_port(0);
    let database = Database::throwaway(&config.database).await?;
    let app = App::start_on(database, config, Parts::ALL).await?;
    run(app, started, shutdown_signal).await
}

/// Loads the demo data into the empty database of a development installation, or finishes an interrupted load.
pub(super) async fn load_demo(app: &App) -> Result<(), CliError> {
    let loader = app.demo();
    // Another process that records loads the data itself, or has loaded it.
    let records = app.runs_ledger() && app.owns_all_shards();
    if app.state.config.is_production() || !records || !loader.can_load().await? {
        return Ok(());
    }
    tracing::info!("loading the demo data");
    loader.load(|step| tracing::info!("{step}")).await?;
    // The day's heads were due before there were events, and a visitor wants a proof now.
    app.tree_heads().tick().await?;
    Ok(())
}

/// Prints the logins of the demo data. They do not work if other data was loaded.
pub(super) fn announce_logins() {
    print_line("Demo logins:");
    for user in Story::read().team {
        let access = user
            .access
            .iter()
            .map(|access| format!("{} ({})", access.business_name, access.role));
        let roles: Vec<String> = access.chain(user.roles.iter().cloned()).collect();
        print_line(&format!(
            "  {:6} {:36} {}  {}",
            user.panel,
            user.email,
            user.password,
            roles.join(", ")
        ));
    }
}

async fn sandbox(config: Config) -> Result<Ending, CliError> {
    if config.is_production() {
        return Err(DevelopmentError::SandboxInProduction.into());
    }
    let shutdown_signal = shutdown_signal()?;
    let gateway = ReceivingGateway {
        url: format!("http://{}", config.server.addr),
        secrets: config.providers.get().as_ref().clone(),
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
            payments_file: None,
        },
        charges: ChargeOptions {
            delay: config.sandbox.bank_delay,
            ..ChargeOptions::default()
        },
    };
    let sandbox = Sandbox::start(options, &Supervisor::default()).await?;
    print_line(&format!("Sandbox       http://{}", sandbox.addr));
    shutdown_signal.await;
    Ok(Ending::Done)
}
