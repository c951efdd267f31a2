//! The audit's commands: what is checked, and how its findings are told. The checks are the store's and the
//! projections'.

use chrono::Utc;
use ed25519_dalek::SigningKey;
use ledger_store::{Shard, checkpoint, verify};
use projections::replay;

use super::{AuditCommand, CliError, Ending, say};
use crate::app::Database;
use crate::config::Config;

pub async fn audit(config: Config, command: AuditCommand) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let key = config.keys.checkpoint.reveal();
    let ended = match command {
        AuditCommand::Verify => run_verify(&database, key).await,
        AuditCommand::Replay => run_replay(&database).await,
        AuditCommand::Checkpoint => make_checkpoints(&database, key).await,
    };
    database.close().await;
    ended
}

/// There is no setting for such a place yet, so this always holds.
const NO_WITNESS: &str = "warning: no place outside this database keeps its tree heads; whoever can rewrite the whole \
                          database can rewrite these too (keep the output of `audit checkpoint` elsewhere)";

async fn run_verify(database: &Database, key: &[u8; 32]) -> Result<Ending, CliError> {
    let client = database.pool().get().await?;
    let keys = [SigningKey::from_bytes(key).verifying_key()];
    let mut report = |finding: &ledger_store::audit::Finding| say(&finding.to_string());
    let mut progress =
        |at: verify::Progress| tracing::info!(shard = %at.shard, events = at.events, "verifying");
    let summary = verify::walk(&**client, &keys, &mut report, &mut progress).await?;
    let verify::Summary {
        events,
        businesses,
        tree_heads,
        findings,
    } = summary;
    say(&format!(
        "{businesses} businesses, {events} events, {tree_heads} tree heads, {findings} findings"
    ));
    say(NO_WITNESS);
    Ok(ending(findings))
}

async fn run_replay(database: &Database) -> Result<Ending, CliError> {
    let progress = |so_far: replay::Summary| {
        if so_far.businesses.is_multiple_of(1_000) {
            tracing::info!(
                businesses = so_far.businesses,
                events = so_far.events,
                "replaying"
            );
        }
    };
    let report = |finding: replay::Finding| say(&finding.to_string());
    let summary = replay::run(database.pool(), database.url().reveal(), progress, report).await?;
    let replay::Summary {
        businesses,
        events,
        findings,
    } = summary;
    say(&format!(
        "{businesses} businesses, {events} events, {findings} findings"
    ));
    Ok(ending(findings))
}

async fn make_checkpoints(database: &Database, key: &[u8; 32]) -> Result<Ending, CliError> {
    let client = database.pool().get().await?;
    for shard in Shard::all() {
        if let Some(head) = checkpoint::make(&**client, shard, key, Utc::now()).await? {
            let root = hex::encode(head.root);
            say(&format!(
                "shard {shard}: position {}, {} businesses, root {root}",
                head.position, head.businesses
            ));
        }
    }
    Ok(Ending::Done)
}

const fn ending(findings: u64) -> Ending {
    if findings == 0 {
        Ending::Done
    } else {
        Ending::Findings
    }
}
