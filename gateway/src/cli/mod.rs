//! The command line of `razao`: its arguments, its errors and its exit codes.

mod archive;
mod audit;
mod closing;
mod config_check;
#[cfg(feature = "dev")]
mod development;
mod doctor;
mod ledger;
mod logging;
mod owner;
mod prove;
mod reload;
mod retry;
mod serve;
mod settlements;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use gateway_acquirers::registration::contracts;
use gateway_environment::build::Build;
use gateway_environment::clock::ClockFault;
use gateway_environment::config::{Config, ConfigFaults, Environment, NoCheckpointKey, Purpose};
use gateway_http::{openapi, spreadsheet};
use gateway_platform::PlatformError;
use gateway_platform::heads_outside::OutsideError;
use gateway_platform::proofs::ProofError;
use gateway_platform::rentals::RentalError;
use gateway_platform::retries::RetryError;
use gateway_platform::settlement::SettlementError;
use gateway_platform::tree_heads::TreeHeadError;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::Causes;
use ledger_store::archive::RefusedExport;
use ledger_store::audit::checkpoint::CheckpointError;
use ledger_store::audit::export::ExportError;
use ledger_store::tree_head::SignError;
use ledger_store::verify::VerifyError;
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
    RAZAO_SELLER_HOSTS, RAZAO_ADMIN_HOSTS and others."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the platform (the default): all parts, or only the named ones
    Serve(ServeArguments),
    /// Bring the database's schema up to date
    Migrate(ledger::MigrateArguments),
    /// Create an admin user with the role owner; the password is the first line of standard input
    Owner(owner::OwnerArguments),
    /// Charge terminal rentals and settle every installment that is due, once
    Settle,
    /// Import a settlement file of an acquirer or a bank, and compare it with the sales
    ImportSettlements(settlements::SettlementArguments),
    /// Write a company's closed month for its accountant: sales, fees, receivables, withdrawals, balances and checks
    AccountantMonth(closing::ClosingArguments),
    /// Rebuild read models from the log and replace the old ones
    Rebuild {
        /// balance, sales, statement or transfers; all if none is named
        models: Vec<projections::ReadModelGroup>,
    },
    /// Have waiting payouts, refunds, charges or e-mails tried now, beside the program that runs: after an outage
    /// of a bank, an acquirer or the e-mail server
    Retry(retry::RetryArguments),
    /// Write old events to files, verified, and take them out of the database (layout `schemas`)
    Archive(archive::ArchiveArguments),
    /// Check the log
    #[command(subcommand)]
    Audit(AuditCommand),
    /// After a restore to an earlier instant, before the program starts: have each open order looked up before it is
    /// sent, verify the log against heads kept outside, and replay it
    RestoreCheck {
        /// A file of heads that was stored outside the database; those from after the instant are reported as missing
        #[arg(long = "head", value_name = "FILE", required = true)]
        heads: Vec<PathBuf>,
    },
    /// Look at the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print on one page what is wrong now: since when, how much of it, and what the runbook calls it
    Doctor(doctor::DoctorArguments),
    /// Print the API's OpenAPI document
    Openapi,
    /// Print the Portuguese labels of the API's words, as the panels show them
    Words,
    /// Print the titles of the columns of exported lists, as the panels show them
    Sheets,
    #[cfg(feature = "dev")]
    #[command(flatten)]
    Development(development::DevelopmentCommand),
}

#[derive(Debug, Clone, Copy, Default, Args)]
struct ServeArguments {
    /// Bring the database's schema up to date first, as development always does. The database's role must own the tables
    #[arg(long)]
    migrate: bool,
    /// HTTP: the API and the panels
    #[arg(long)]
    gateway: bool,
    /// The lanes that decide and record commands
    #[arg(long)]
    writer: bool,
    /// The followers that update the read models
    #[arg(long)]
    projections: bool,
    /// The scheduled jobs, such as settlement, terminal rentals, reports by e-mail and daily tree heads
    #[arg(long)]
    settlement: bool,
    /// The effects: payouts, refunds, charges of orders and e-mails
    #[arg(long)]
    effects: bool,
    /// The job that tries waiting notices of the exceptions queue again; needs the writer, here or in other processes
    #[arg(long)]
    exceptions: bool,
    /// The acquirer and bank simulator
    #[cfg(feature = "dev")]
    #[arg(long)]
    sandbox: bool,
}

impl ServeArguments {
    /// All parts if none is named. Production never runs the sandbox by default.
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
            migrate: _,
        } = self;
        #[cfg(not(feature = "dev"))]
        let sandbox = false;
        if gateway || writer || projections || settlement || effects || exceptions || sandbox {
            return Parts {
                gateway,
                operations: true,
                writer,
                // Whatever records shares the shards, or sends its commands to those that do.
                peers: gateway || writer || settlement || effects || exceptions,
                projections,
                scheduled_jobs: settlement,
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
    /// Check the log's hash chains, positions, claims and heads, the chains of rows outside the log, and the signed
    /// heads of both
    Verify {
        /// A file of heads that was stored outside the database (made by `audit checkpoint --out`); can be
        /// repeated
        #[arg(long = "head", value_name = "FILE")]
        heads: Vec<PathBuf>,
    },
    /// Recompute the state from the log and compare it with the read models, the checkpoints, and the rows of payouts,
    /// refunds, orders and exceptions
    Replay,
    /// Record that a row outside the log is accepted as it is, after a finding was looked into: for example a row that
    /// was repaired by hand
    Accept {
        /// The table and the row, as the finding names them
        table: String,
        key: String,
        #[arg(long)]
        reason: String,
    },
    /// Sign the state of the log and of the chains of rows now; the running program does this once a day
    Checkpoint {
        /// Write the latest heads to this file; store it where writers of the database have no access
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Write a proof that an outsider checks with a public key alone (docs/proof-format.md)
    #[command(subcommand)]
    Prove(ProveCommand),
    /// Write a company's events, balances and fees of a period, with their proof, to one file
    Export {
        company: BusinessId,
        #[command(flatten)]
        period: prove::Period,
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(Debug, Clone, Subcommand)]
enum ProveCommand {
    /// That the events of a sale are in the log
    Sale {
        sale: SaleId,
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// That a company has these events and no others, and the balances that follow from them
    Company {
        company: BusinessId,
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// That nothing was changed since the checkpoints of a file of heads; one proof for each
    Growth {
        #[arg(long, value_name = "FILE")]
        head: PathBuf,
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, Subcommand)]
enum ConfigCommand {
    /// Name every fault of the configuration, or print what is in force, without the secrets. Opens nothing
    Check,
}

/// How a command ended, if it did not fail.
enum Ending {
    Done,
    /// It ran, but with findings: of an audit or a check, bad lines of a file, or commands that were not recorded.
    Findings,
    /// `doctor` found something that is wrong.
    Wrong,
    /// `doctor` could not look at everything.
    NotSeen,
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
    Verify(#[from] VerifyError),
    #[error(transparent)]
    Archive(#[from] RefusedExport),
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error(transparent)]
    Owner(#[from] owner::OwnerError),
    #[error(transparent)]
    SettlementFile(#[from] settlements::SettlementFileError),
    #[error(transparent)]
    Closing(#[from] closing::ClosingError),
    #[error(transparent)]
    Platform(#[from] PlatformError),
    #[error("nothing became due: {0}")]
    Retry(#[from] RetryError),
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}", path.display())]
    TreeHeads { path: PathBuf, source: ExportError },
    #[error(transparent)]
    NoCheckpointKey(#[from] NoCheckpointKey),
    #[error("no head can be verified: set RAZAO_CHECKPOINT_PUBLIC_KEYS, or RAZAO_KEY_CHECKPOINT")]
    NoPublicKey,
    #[error(transparent)]
    Heads(#[from] TreeHeadError),
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error(transparent)]
    Outside(#[from] OutsideError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("no company has the sale {0}")]
    NoSuchSale(SaleId),
    #[error("{} has no checkpoints: it was written before there were any", .0.display())]
    NoCheckpoints(PathBuf),
    #[error("the table {0} is not chained")]
    NotChained(String),
    #[error("{table} never had a row {key}")]
    NoSuchRow { table: String, key: String },
    #[error("no connection to the database")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("{0}")]
    OtherProcessRecords(ledger::OtherProcesses),
    #[error("nothing was done, because the running processes cannot be asked: {0}")]
    Unreachable(String),
    #[error("nothing was done: {0}. Set the wrong one right first")]
    Clock(ClockFault),
    #[error("the database failed")]
    Query(#[from] tokio_postgres::Error),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// What runs; the configuration has it.
static BUILD: OnceLock<Build> = OnceLock::new();

/// Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 `Ending::Findings`; of `doctor` 1 if something is
/// wrong, 2 if it could not look.
pub fn run(build: Build) -> ExitCode {
    let _ = BUILD.set(build);
    let command = Arguments::command().version(build.version);
    let arguments = Arguments::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    let logging = logging::install();
    let command = arguments
        .command
        .unwrap_or(Command::Serve(ServeArguments::default()));
    let outcome = logging
        .map_err(CliError::from)
        .and_then(|()| Ok(Runtime::new()?))
        .and_then(|runtime| runtime.block_on(execute(command)));
    match outcome {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Findings) => ExitCode::from(3),
        Ok(Ending::Wrong) => ExitCode::from(1),
        Ok(Ending::NotSeen) => ExitCode::from(2),
        Err(error) => {
            // `RAZAO_LOG` must not hide this line.
            print_error(&Causes(&error).to_string());
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
            print_line(&openapi::text());
            Ok(Ending::Done)
        }
        Command::Sheets => {
            print_line(&spreadsheet::titles());
            Ok(Ending::Done)
        }
        Command::Words => {
            print_line(&openapi::words());
            Ok(Ending::Done)
        }
        Command::Serve(arguments) => {
            tracing::info!(version = built().version, "starting");
            let mut config = configuration()?;
            config.database.migrate |= arguments.migrate;
            let parts = arguments.parts(config.is_production());
            serve::serve(config, parts).await
        }
        Command::Migrate(arguments) => {
            ledger::migrate(configuration_for(Purpose::Database)?, arguments).await
        }
        Command::Owner(arguments) => owner::owner(configuration()?, arguments).await,
        Command::Settle => ledger::settle(configuration()?).await,
        Command::ImportSettlements(arguments) => settlements::import(configuration()?, arguments).await,
        Command::AccountantMonth(arguments) => closing::closing(configuration()?, arguments).await,
        Command::Rebuild { models } => ledger::rebuild(configuration_for(Purpose::Database)?, models).await,
        Command::Retry(arguments) => retry::retry(configuration_for(Purpose::Database)?, arguments).await,
        Command::Archive(arguments) => {
            archive::archive(configuration_for(Purpose::Database)?, arguments).await
        }
        Command::Audit(audit) => audit::audit(configuration_for(Purpose::Database)?, audit).await,
        Command::RestoreCheck { heads } => {
            audit::restore_check(configuration_for(Purpose::Database)?, &heads).await
        }
        Command::Doctor(arguments) => doctor::doctor(arguments).await,
        Command::Config(ConfigCommand::Check) => Ok(config_check::check(&configuration()?)),
        #[cfg(feature = "dev")]
        Command::Development(command) => development::execute(command).await,
    }
}

/// Without `RAZAO_ENV`, a build with the development parts is in development, and another build refuses to start.
fn configuration() -> Result<Config, ConfigFaults> {
    configuration_for(Purpose::Service)
}

fn configuration_for(purpose: Purpose) -> Result<Config, ConfigFaults> {
    let default = cfg!(feature = "dev").then_some(Environment::Development);
    let config = Config::from_environment(default, &contracts(), purpose)?;
    Ok(Config {
        build: built(),
        ..config
    })
}

fn built() -> Build {
    BUILD.get().copied().unwrap_or_default()
}

/// Prints a command's result to stdout; the log goes to stderr.
#[expect(clippy::print_stdout, reason = "the answer of a command line")]
fn print_line(text: &str) {
    println!("{text}");
}

fn print_error(text: &str) {
    // If stderr cannot be written, such as on a full disk, only the exit code reports the error.
    let _ = writeln!(std::io::stderr(), "razao: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn all_parts_run_by_default_except_the_sandbox_in_production() {
        assert_eq!(ServeArguments::default().parts(false), Parts::ALL);
        let in_production = Parts {
            sandbox: false,
            ..Parts::ALL
        };
        assert_eq!(ServeArguments::default().parts(true), in_production);
    }

    #[test]
    fn a_named_part_runs_with_the_operations_listener_alone() {
        let named = ServeArguments {
            projections: true,
            ..ServeArguments::default()
        };
        let only = named.parts(false);
        let expected = Parts {
            projections: true,
            operations: true,
            gateway: false,
            writer: false,
            peers: false,
            scheduled_jobs: false,
            effects: false,
            exceptions: false,
            sandbox: false,
        };
        assert_eq!(only, expected);
    }
}
