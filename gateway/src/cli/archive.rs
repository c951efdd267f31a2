//! Archives old events, and notes where their files stand (`ledger_store::archive`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use gateway_environment::config::Config;
use ledger_domain::calendar::Instant;
use ledger_store::archive::{self, Exported};
use ledger_store::{Shard, tree_head};
use tokio_postgres::Client;

use super::{CliError, Ending, print_line};
use crate::app::{Database, start_clock};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Debug, Args)]
pub struct ArchiveArguments {
    /// The folder for the files, as a whole path. Every process needs it under this name, because old events are read
    /// from the files
    #[arg(long, value_name = "FOLDER", required_unless_present = "moved_to")]
    to: Option<PathBuf>,
    /// Archive partitions whose events were all recorded at least this many days ago
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u16))]
    older_than: u16,
    /// Archive nothing, and note that all files stand in this folder now
    #[arg(long, value_name = "FOLDER", conflicts_with = "to")]
    moved_to: Option<PathBuf>,
}

pub async fn archive(config: Config, arguments: ArchiveArguments) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let keys = config.keys.checkpoint.get();
    let key = keys.signing()?;
    let clock = start_clock(&config, database.pool()).await?;
    if let Some(fault) = clock.stopping_fault() {
        database.close().await;
        return Err(CliError::Clock(fault));
    }
    let now = clock.now();
    let archived = database
        .with_own_client(async |client| match arguments {
            ArchiveArguments {
                moved_to: Some(folder),
                ..
            } => {
                let moved = archive::move_files(client, &folder).await?;
                print_line(&format!("{moved} files stand in {}", folder.display()));
                Ok(())
            }
            ArchiveArguments {
                to: Some(folder),
                older_than,
                ..
            } => {
                let before = now - DAY * u32::from(older_than);
                archive_all(client, key, now, &folder, before).await
            }
            ArchiveArguments { .. } => Ok(()),
        })
        .await;
    database.close().await;
    archived??;
    Ok(Ending::Done)
}

async fn archive_all(
    client: &mut Client,
    key: &[u8; 32],
    now: Instant,
    folder: &Path,
    before: Instant,
) -> Result<(), CliError> {
    let mut files = 0;
    for shard in Shard::all() {
        // A head must cover what is archived.
        tree_head::make(client, shard, key, now).await?;
        let archived = archive::archive_shard(client, shard, folder, before, &mut print_exported).await?;
        files += archived.exported.len();
        if let Some(reason) = archived.next {
            print_line(&format!("shard {shard}: the next partition {reason}"));
        }
    }
    print_line(&format!("{files} files written"));
    Ok(())
}

fn print_exported(exported: &Exported) {
    let Exported {
        archive,
        bytes,
        businesses,
    } = exported;
    print_line(&format!(
        "shard {}: positions {} to {} of {businesses} companies, {bytes} bytes in {}",
        archive.shard,
        archive.first,
        archive.last,
        archive.file.display()
    ));
}
