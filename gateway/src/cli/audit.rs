//! The audit's commands: what is checked, and how its findings are told. The checks are the store's and the
//! projections'.

use projections::replay;

use super::{AuditCommand, CliError, Ending, say};
use crate::app::Database;
use crate::config::Config;

pub async fn audit(config: Config, command: AuditCommand) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let ended = match command {
        AuditCommand::Replay => run_replay(&database).await,
        AuditCommand::Verify | AuditCommand::Checkpoint => Err(CliError::Audit("not there yet".to_owned())),
    };
    database.close().await;
    ended
}

async fn run_replay(database: &Database) -> Result<Ending, CliError> {
    let progress = |so_far: replay::Summary| {
        if so_far.businesses.is_multiple_of(1_000) {
            tracing::info!(businesses = so_far.businesses, events = so_far.events, "replaying");
        }
    };
    let report = |finding| say(&format!("{finding:?}"));
    let summary = replay::run(database.pool(), database.url().reveal(), progress, report).await?;
    let replay::Summary { businesses, events, findings } = summary;
    say(&format!("{businesses} businesses, {events} events, {findings} findings"));
    Ok(if findings == 0 { Ending::Done } else { Ending::Findings })
}
