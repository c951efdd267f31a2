//! The command line of `razao`: which command runs, on which configuration, and with which exit code. What a command
//! does is done elsewhere.

mod audit;
#[cfg(feature = "dev")]
mod development;
mod ledger;
mod logging;
mod owner;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use gateway_environment::config::{Config, ConfigFaults};
use gateway_http::openapi;
use gateway_platform::effects::working::WorkError;
use gateway_platform::rentals::RentalError;
use gateway_platform::settlement::SettlementError;
use ledger_store::audit::export::ExportError;
use ledger_store::checkpoint::CheckpointError;
use tokio::runtime::Runtime;

use crate::app::{AppError, DatabaseError, Parts};

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
    /// Charge terminals' rentals and settle every installment that is due, once
    Settle,
    /// Fill read models anew from the log and swap them in
    Rebuild {
        /// balance, sales, statement or transfers; all where none is named
        models: Vec<projections::Model>,
    },
    /// Check the log
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Print the API's OpenAPI document
    Openapi,
    #[cfg(feature = "dev")]
    #[command(flatten)]
    Development(development::DevelopmentCommand),
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
    #[cfg(feature = "dev")]
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
            #[cfg(feature = "dev")]
            sandbox,
        } = self;
        #[cfg(not(feature = "dev"))]
        let sandbox = false;
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
            sandbox: cfg!(feature = "dev") && !production,
            ..Parts::ALL
        }
    }
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
    #[cfg(feature = "dev")]
    #[error(transparent)]
    Development(#[from] development::DevelopmentError),
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
    TreeHeads { path: PathBuf, source: ExportError },
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {0}")]
    Query(#[from] tokio_postgres::Error),
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
        Command::Migrate => ledger::migrate(Config::from_environment()?).await,
        Command::Owner(arguments) => owner::owner(Config::from_environment()?, arguments).await,
        Command::Settle => ledger::settle(Config::from_environment()?).await,
        Command::Rebuild { models } => ledger::rebuild(Config::from_environment()?, models).await,
        Command::Audit(audit) => audit::audit(Config::from_environment()?, audit).await,
        #[cfg(feature = "dev")]
        Command::Development(command) => development::execute(command).await,
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
