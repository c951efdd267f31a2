//! The command line of `razao`: which command runs, on which configuration, and with which exit code. What a command
//! does is done elsewhere.

mod audit;
mod ledger;
mod logging;
mod owner;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use ledger_store::audit::kept::KeptError;
use ledger_store::checkpoint::CheckpointError;
use tokio::runtime::Runtime;

use crate::app::{AppError, DatabaseError, Parts};
use crate::bench::{self, BenchOptions, pairs};
use crate::config::{Config, ConfigFaults};
use crate::demo::DemoError;
use crate::effects::working::WorkError;
use crate::{openapi, rentals::RentalError, settlement::SettlementError};

#[derive(Debug, Parser)]
#[command(
    name = "razao",
    version,
    about = "Razão: a payments platform on an event-sourced ledger"
)]
#[command(
    after_help = "Configuration is read from the environment: RAZAO_ADDR, RAZAO_OPS_ADDR, RAZAO_ENV, DATABASE_URL, RAZAO_DATA, \
    RAZAO_SELLER_HOSTS, RAZAO_ADMIN_HOSTS and others; what is wrong with it is said all at once."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the platform (the default): everything, or only the parts that are named
    Serve(ServeArguments),
    /// Bring the database's schema up to date
    Migrate,
    /// Make an owner, who may then bring everybody else; the password is the first line of standard input
    Owner(owner::OwnerArguments),
    /// Load the demo's story into an empty database
    Demo,
    /// Run everything on a throwaway database with the demo's story, on free ports
    DemoServer,
    /// Charge terminals' rentals and settle every instalment that is due, once
    Settle,
    /// Fill read models anew from the log and swap them in
    Rebuild {
        /// balance, sales, statement or transfers; all where none is named
        models: Vec<projections::Model>,
    },
    /// Check the log
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Run only the acquirer and bank simulator; its front page says which card or amount brings which outcome about
    Sandbox,
    /// Measure acknowledged captures a second beside plain INSERTs, on a durable cluster of its own
    Bench(BenchArguments),
    /// Measure whether the time of an answer tells who is registered: pairs of known and unknown e-mails
    BenchPairs(PairsArguments),
    /// Print the API's OpenAPI document
    Openapi,
}

#[derive(Debug, Clone, Copy, Default, Args)]
struct ServeArguments {
    /// HTTP: the API and the panels
    #[arg(long)]
    gateway: bool,
    /// The lanes that decide and record commands
    #[arg(long)]
    writer: bool,
    /// The followers that keep the read models
    #[arg(long)]
    projections: bool,
    /// The job that settles what is due
    #[arg(long)]
    settlement: bool,
    /// What is done outside: the reactors that follow the log, with payouts and refunds, and letters
    #[arg(long)]
    effects: bool,
    /// Trying the notices that wait in the exceptions queue again; needs the writer
    #[arg(long)]
    exceptions: bool,
    /// The acquirer and bank simulator
    #[arg(long)]
    sandbox: bool,
}

impl ServeArguments {
    /// All parts where none is named; the sandbox is no part of production.
    fn parts(self, production: bool) -> Parts {
        let Self {
            gateway,
            writer,
            projections,
            settlement,
            effects,
            exceptions,
            sandbox,
        } = self;
        if gateway || writer || projections || settlement || effects || exceptions || sandbox {
            return Parts {
                gateway,
                operations: true,
                writer,
                projections,
                settlement,
                effects,
                exceptions,
                sandbox,
            };
        }
        Parts {
            sandbox: !production,
            ..Parts::ALL
        }
    }
}

#[derive(Debug, Clone, Args)]
struct BenchArguments {
    /// An empty folder on the disk to measure
    #[arg(long, default_value = ".data/bench")]
    folder: PathBuf,
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Seconds of each of a round's three parts
    #[arg(long, default_value_t = 4)]
    seconds: u64,
}

#[derive(Debug, Clone, Args)]
struct PairsArguments {
    /// An empty folder for the run's cluster
    #[arg(long, default_value = ".data/bench-pairs")]
    folder: PathBuf,
    #[arg(long, default_value_t = 200)]
    pairs: u32,
}

#[derive(Debug, Clone, Subcommand)]
enum AuditCommand {
    /// Walk every hash chain, compare its end with the balances, and check the signed tree heads
    Verify {
        /// A file of tree heads that was kept outside the database (made by `audit checkpoint --out`); may be repeated
        #[arg(long = "head", value_name = "FILE")]
        heads: Vec<PathBuf>,
    },
    /// Decide everything again from the log and compare it with the read models, the checkpoints of those that follow
    /// the log, and the rows of payouts, refunds and exceptions
    Replay,
    /// Sign the state of the log now; the running program does so once a day
    Checkpoint {
        /// Write each shard's latest tree head to this file, to be kept where nobody who can write the database can
        /// reach it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// How a command ended, where nothing broke.
enum Ending {
    Done,
    /// It ran, and found what must not be.
    Findings,
}

#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error(transparent)]
    Config(#[from] ConfigFaults),
    #[error(transparent)]
    App(#[from] AppError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Demo(#[from] DemoError),
    #[error(transparent)]
    Settlement(#[from] SettlementError),
    #[error(transparent)]
    Rentals(#[from] RentalError),
    #[error(transparent)]
    Projections(#[from] projections::Error),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Owner(#[from] owner::OwnerError),
    #[error(transparent)]
    Effects(#[from] WorkError),
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    TreeHeads { path: PathBuf, source: KeptError },
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {0}")]
    Query(#[from] tokio_postgres::Error),
    #[error("the benchmark failed: {0}")]
    Bench(bench::BenchError),
    #[error("the sandbox is not for production")]
    SandboxInProduction,
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Exit codes: 0 done, 1 failed, 2 used or configured wrongly, 3 an audit found something.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    logging::install();
    let command = arguments
        .command
        .unwrap_or(Command::Serve(ServeArguments::default()));
    let ended = Runtime::new()
        .map_err(CliError::from)
        .and_then(|runtime| runtime.block_on(execute(command)));
    match ended {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Findings) => ExitCode::from(3),
        Err(error) => {
            // The one line that a person must see, whatever the log's form.
            say_error(&error.to_string());
            ExitCode::from(if matches!(error, CliError::Config(_)) {
                2
            } else {
                1
            })
        }
    }
}

async fn execute(command: Command) -> Result<Ending, CliError> {
    match command {
        Command::Openapi => {
            say(&format!("{:#}", openapi::json()));
            Ok(Ending::Done)
        }
        Command::Serve(arguments) => {
            let config = Config::from_environment()?;
            let parts = arguments.parts(config.is_production());
            serve::serve(config, parts).await
        }
        Command::DemoServer => serve::demo_server(Config::from_environment()?).await,
        Command::Sandbox => serve::sandbox(Config::from_environment()?).await,
        Command::Bench(BenchArguments {
            folder,
            rounds,
            seconds,
        }) => {
            let program = std::env::current_exe()?;
            let options = BenchOptions {
                program,
                folder,
                rounds,
                each: Duration::from_secs(seconds),
            };
            let report = bench::run(options, |step| tracing::info!("{step}"))
                .await
                .map_err(CliError::Bench)?;
            say(&report.to_string());
            Ok(Ending::Done)
        }
        Command::BenchPairs(PairsArguments { folder, pairs }) => {
            let options = pairs::PairsOptions {
                program: std::env::current_exe()?,
                folder,
                pairs,
            };
            let figures = pairs::run(options, |step| tracing::info!("{step}"))
                .await
                .map_err(CliError::Bench)?;
            figures.iter().for_each(|figures| say(&figures.to_string()));
            Ok(Ending::Done)
        }
        Command::Migrate => ledger::migrate(Config::from_environment()?).await,
        Command::Owner(arguments) => owner::owner(Config::from_environment()?, arguments).await,
        Command::Demo => ledger::demo(Config::from_environment()?).await,
        Command::Settle => ledger::settle(Config::from_environment()?).await,
        Command::Rebuild { models } => ledger::rebuild(Config::from_environment()?, models).await,
        Command::Audit(audit) => audit::audit(Config::from_environment()?, audit).await,
    }
}

/// To whoever called: the command's answer, apart from the log on stderr.
#[expect(clippy::print_stdout, reason = "the answer of a command line")]
fn say(text: &str) {
    println!("{text}");
}

fn say_error(text: &str) {
    eprintln!("razao: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn parts_are_all_unless_some_are_named_and_never_a_sandbox_in_production() {
        assert_eq!(ServeArguments::default().parts(false), Parts::ALL);
        assert!(!ServeArguments::default().parts(true).sandbox);
        let only = ServeArguments {
            projections: true,
            ..ServeArguments::default()
        }
        .parts(true);
        assert!(only.projections && only.operations && !only.gateway && !only.writer && !only.settlement);
    }
}
