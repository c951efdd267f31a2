//! Migration, manual settlement and rebuild of read models. A command never takes a shard from a process that runs: a
//! settlement beside processes that share the shards sends them its commands, and is refused beside one that shares
//! nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use gateway_environment::config::Config;
use gateway_platform::reach::Reach;
use gateway_platform::rentals::Rentals;
use gateway_platform::settlement::Settlement;
use ledger_store::layout::{LayoutError, MoveProgress};
use ledger_store::migrate::MigrateError;
use ledger_store::{SHARDS, log};
use projections::ReadModelGroup;
use tokio::time::{sleep, timeout};
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;

use super::{CliError, Ending, print_line};
use crate::app::{App, Database, DatabaseError, Parts};

/// The longest wait of a command for its connections to the running processes.
const CONNECTED_WITHIN: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
pub struct MigrateArguments {
    /// Move the tables of each shard to a schema of its own, while no process runs; an interrupted move goes on
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<LayoutArgument>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LayoutArgument {
    /// A schema for each of the 16 shards
    Schemas,
}

pub async fn migrate(config: Config, arguments: MigrateArguments) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let migrated = async {
        match database.migrate().await {
            // The move below goes on.
            Err(DatabaseError::Migrate(MigrateError::Layout(LayoutError::Moving)))
                if arguments.layout.is_some() => {}
            applied => match applied?.as_slice() {
                [] => print_line("The schema is up to date."),
                names => names
                    .iter()
                    .for_each(|name| print_line(&format!("applied {name}"))),
            },
        }
        if let Some(LayoutArgument::Schemas) = arguments.layout {
            let moved = database
                .migrate_to_schemas(config.database.partition_size, print_move)
                .await?;
            print_line(match moved {
                true => "The tables have layout `schemas`.",
                false => "The tables had layout `schemas` already.",
            });
        }
        Ok(Ending::Done)
    };
    let migrated = migrated.await;
    database.close().await;
    migrated
}

fn print_move(progress: MoveProgress) {
    if progress.rows > 0 {
        print_line(&format!(
            "moved {} rows to {}.{} ({} of {})",
            progress.rows, progress.schema, progress.table, progress.part, progress.of
        ));
    }
}

/// The processes that own shards of the log, by their names, with the number of their shards.
#[derive(Debug, PartialEq, Eq)]
pub struct OtherProcesses(BTreeMap<String, usize>);

impl fmt::Display for OtherProcesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "nothing was done, because another process of the platform records: "
        )?;
        for (index, (owner, shards)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{owner} owns {shards} of {SHARDS} shards")?;
        }
        write!(
            f,
            ". It settles and charges rentals by itself every minute. With RAZAO_PEER_ADDR, here and there, `razao settle` sends \
             it commands; else it is for times when no other process runs. A machine that disappeared keeps its shards for \
             10 seconds"
        )
    }
}

/// Starts the parts with which a command records events. It is refused while another process owns a shard: its
/// companies would be left out, and a shard must not be taken from a running process.
pub(super) async fn start_recording(config: Config) -> Result<App, CliError> {
    refuse_beside(other_processes(&config).await?)?;
    let app = App::start(config, Parts::LEDGER).await?;
    if app.owns_all_shards() {
        return Ok(app);
    }
    // Another process started at the same time.
    let own = app.state.writer.owner().to_owned();
    let others = async { Ok(owners(&**app.state.pool.get().await?, &own).await?) };
    let others: Result<_, CliError> = others.await;
    // Gives back what was free.
    app.stop().await;
    Err(CliError::OtherProcessRecords(OtherProcesses(others?)))
}

/// The processes that own shards now. A database without the log has none.
async fn other_processes(config: &Config) -> Result<OtherProcesses, CliError> {
    let database = Database::join(&config.database).await?;
    let found = async {
        let client = database.pool().get().await?;
        match owners(&**client, "").await {
            Err(error) if error.code() == Some(&SqlState::UNDEFINED_TABLE) => Ok(BTreeMap::new()),
            found => Ok::<_, CliError>(found?),
        }
    };
    let found = found.await;
    database.close().await;
    Ok(OtherProcesses(found?))
}

async fn owners(
    client: &impl GenericClient,
    own: &str,
) -> Result<BTreeMap<String, usize>, tokio_postgres::Error> {
    let mut others = BTreeMap::new();
    let owners = log::shard_owners(client).await?;
    for owner in owners.into_iter().filter_map(|known| known.owner) {
        if owner != own {
            *others.entry(owner).or_default() += 1;
        }
    }
    Ok(others)
}

fn refuse_beside(others: OtherProcesses) -> Result<(), CliError> {
    match others.0.is_empty() {
        true => Ok(()),
        false => Err(CliError::OtherProcessRecords(others)),
    }
}

/// Starts a process that owns no shard, and sends its commands to those that do.
async fn start_beside(mut config: Config, addr: SocketAddr) -> Result<App, CliError> {
    // A running process may have this machine's port.
    config.server.peer_addr = Some(SocketAddr::new(addr.ip(), 0));
    let parts = Parts {
        writer: false,
        peers: true,
        ..Parts::LEDGER
    };
    let app = App::start(config, parts).await?;
    let connected = timeout(CONNECTED_WITHIN, async {
        while !app.state.writer.records_for_all() {
            app.state.writer.look_for_owners();
            sleep(CONNECTED_WITHIN / 100).await;
        }
    });
    if connected.await.is_ok() {
        return Ok(app);
    }
    let reasons = app.state.writer.unreachable().join("; ");
    app.stop().await;
    Err(CliError::Unreachable(reasons))
}

/// Rentals and settlement of all companies. Beside running processes that share the shards, these record it.
pub async fn settle(config: Config) -> Result<Ending, CliError> {
    let others = other_processes(&config).await?;
    let (app, reach) = match config.server.peer_addr {
        Some(addr) if !others.0.is_empty() => (start_beside(config, addr).await?, Reach::Everyone),
        _ => {
            refuse_beside(others)?;
            (start_recording(config).await?, Reach::Own)
        }
    };
    if let Some(fault) = app.state.clock.stopping_fault() {
        app.stop().await;
        print_line(&format!(
            "Nothing was settled: {fault}. Set the wrong one right first."
        ));
        return Ok(Ending::Findings);
    }
    let rentals = Rentals {
        reach,
        ..app.rentals()
    };
    let charged = rentals.run().await;
    let settlement = Settlement {
        reach,
        ..app.settlement()
    };
    let settled = settlement
        .run(|so_far| tracing::info!(installments = so_far.installments, "settling"))
        .await;
    app.stop().await;
    let (charged, settled) = (charged?, settled?);
    print_line(&format!("{} terminal rentals charged", charged.rentals));
    print_line(&format!(
        "{} installments settled by {} commands",
        settled.installments, settled.commands
    ));
    let failed = charged.failed + settled.failed;
    if failed > 0 {
        print_line(&format!(
            "{failed} commands could not be recorded; the log has the details"
        ));
        return Ok(Ending::Findings);
    }
    Ok(Ending::Done)
}

pub async fn rebuild(config: Config, models: Vec<ReadModelGroup>) -> Result<Ending, CliError> {
    let models = if models.is_empty() {
        ReadModelGroup::ALL.to_vec()
    } else {
        models
    };
    let database = Database::join(&config.database).await?;
    // One line per shard is enough progress and keeps the log readable.
    let last = AtomicU8::new(u8::MAX);
    let rebuilt = projections::rebuild(database.pool(), &models, |at| {
        if last.swap(at.shard, Ordering::Relaxed) != at.shard {
            tracing::info!(shard = at.shard, events = at.log_end, "rebuilding");
        }
    })
    .await;
    database.close().await;
    rebuilt?;
    let names: Vec<&str> = models.iter().map(|model| model.as_str()).collect();
    print_line(&format!("rebuilt {}", names.join(", ")));
    Ok(Ending::Done)
}
