//! Migration, manual settlement and rebuild of read models. Commands that record events need all shards, so they are
//! for times when no other process records. They never take a shard from one that runs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use clap::{Args, ValueEnum};
use gateway_environment::clock::ClockFault;
use gateway_environment::config::Config;
use ledger_store::layout::{LayoutError, MoveProgress};
use ledger_store::migrate::MigrateError;
use ledger_store::{SHARDS, log};
use projections::ReadModelGroup;

use super::{CliError, Ending, print_line};
use crate::app::{App, Database, DatabaseError, Parts};

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
            ". It settles and charges rentals by itself every minute; this command is for times when no other process runs. \
             A machine that disappeared keeps its shards for 10 seconds"
        )
    }
}

/// Starts the parts with which a command records events. It is refused while another process owns a shard: its
/// companies would be left out, and a shard must not be taken from a running process.
pub(super) async fn start_recording(config: Config) -> Result<App, CliError> {
    let app = App::start(config, Parts::LEDGER).await?;
    if app.owns_all_shards() {
        return Ok(app);
    }
    let own = app.state.writer.owner().to_owned();
    let owners = async {
        let client = app.state.pool.get().await?;
        Ok::<_, CliError>(log::shard_owners(&**client).await?)
    };
    let owners = owners.await;
    // Gives back what was free.
    app.stop().await;
    let mut others = BTreeMap::new();
    for owner in owners?.into_iter().filter_map(|known| known.owner) {
        if owner != own {
            *others.entry(owner).or_default() += 1;
        }
    }
    Err(CliError::OtherProcessRecords(OtherProcesses(others)))
}

pub async fn settle(config: Config) -> Result<Ending, CliError> {
    let app = start_recording(config).await?;
    if let Some(ClockFault::Ahead(ahead)) = app.state.clock.fault() {
        app.stop().await;
        print_line(&format!(
            "Nothing was settled: the machine's clock is {} s ahead of the database's. Set it right first.",
            ahead.num_seconds()
        ));
        return Ok(Ending::Findings);
    }
    let charged = app.rentals().run().await;
    let settlement = app.settlement();
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
