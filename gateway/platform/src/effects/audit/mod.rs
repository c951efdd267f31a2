//! Compares the rows of work with the log. It only reads.
//!
//! The log requires payouts and refunds. Each of them must have a row with the log's figures, and each row must have
//! its event. Attempts of orders are stored before their sales, and must agree with these. A notice that the exceptions
//! queue calls recorded must have its event. Each captured sale must have the fees that its plan's version gives.
//!
//! Effect handlers and workers run during the audit. One snapshot covers the rows and the checkpoint of their handler.
//! The log is read after that snapshot, so it has every event that the handler had read. Events after the checkpoint
//! are unread: their rows may be missing or not ended. But a checkpoint is never before an event that was applied to a
//! row.

mod exceptions;
mod orders;
mod payouts;
mod prices;
mod refunds;

use std::collections::HashMap;

use deadpool_postgres::{Object, Pool};
use ledger_domain::BusinessId;
use ledger_store::{LedgerPosition, Shard, StoredEvent, log};
use projections::replay::{Finding, Reporter};
use tokio_postgres::{GenericClient, IsolationLevel, Row};

use super::follow::CHECKPOINTS;
use crate::error::PlatformError;

/// The number of log positions in one read. Few of them are of the requested types.
const POSITIONS_PER_PAGE: i64 = 5_000;
/// The number of states or rows in one read.
const PAGE: usize = 1_000;

/// Reports each difference and returns their number.
pub async fn run(pool: &Pool, report: &mut (dyn FnMut(Finding) + Send)) -> Result<u64, PlatformError> {
    let mut audit = Audit {
        client: pool.get().await?,
        reporter: Reporter::new(report),
    };
    payouts::compare(&mut audit).await?;
    refunds::compare(&mut audit).await?;
    orders::compare(&mut audit).await?;
    exceptions::compare(&mut audit).await?;
    prices::compare(&mut audit).await?;
    Ok(audit.reporter.count())
}

struct Audit<'a> {
    client: Object,
    reporter: Reporter<'a>,
}

impl Audit<'_> {
    /// The rows of a work table, and how far its handler had read the log in the same snapshot.
    async fn rows(
        &mut self,
        effect_handler: &'static str,
        sql: &str,
    ) -> Result<(Vec<Row>, LedgerPosition), PlatformError> {
        let tx = self
            .client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .await?;
        let rows = tx.query_typed(sql, &[]).await?;
        let read_to = read_to(&*tx, &mut self.reporter, effect_handler).await?;
        tx.commit().await?;
        Ok((rows, read_to))
    }

    /// Calls `take` with each event of these types: shard by shard, in the order of each shard.
    async fn events(&self, types: &[&str], mut take: impl FnMut(&StoredEvent)) -> Result<(), PlatformError> {
        for shard in Shard::all() {
            let mut after = 0;
            loop {
                let window =
                    log::window_of_types(&**self.client, shard, after, POSITIONS_PER_PAGE, types).await?;
                if window.until == after {
                    break;
                }
                after = window.until;
                window.events.iter().for_each(&mut take);
            }
        }
        Ok(())
    }
}

/// The table whose rows an effect handler writes.
fn table_of(effect_handler: &str) -> &'static str {
    match effect_handler {
        "orders" => "order_attempt",
        "payouts" => "payout",
        _ => "refund",
    }
}

/// The last event of each shard that was applied to a row. A row and the checkpoint change in one transaction.
async fn handled_to(
    client: &impl GenericClient,
    effect_handler: &str,
) -> Result<LedgerPosition, PlatformError> {
    let sql = format!(
        "SELECT business_id, max(handled_to) FROM {} WHERE handled_to IS NOT NULL GROUP BY business_id",
        table_of(effect_handler)
    );
    let rows = client.query_typed(&sql, &[]).await?;
    let of = |row: &Row| (BusinessId::from_uuid(row.get(0)), row.get::<_, i64>(1));
    let handled: HashMap<_, _> = rows.iter().map(of).collect();
    let companies: Vec<_> = handled.keys().copied().collect();
    let mut handled_to = LedgerPosition::default();
    for page in companies.chunks(PAGE) {
        // A row with a wrong company, which is reported elsewhere, would name a wrong shard.
        for (business_id, _) in log::heads(client, page).await? {
            handled_to.advance(Shard::of(business_id), handled[&business_id]);
        }
    }
    Ok(handled_to)
}

async fn read_to(
    client: &impl GenericClient,
    reporter: &mut Reporter<'_>,
    effect_handler: &'static str,
) -> Result<LedgerPosition, PlatformError> {
    let handled = handled_to(client, effect_handler).await?;
    let heads = log::shard_positions(client).await?;
    let checkpoints = CHECKPOINTS.lag(client, &[effect_handler]).await?;
    reporter.set_business(None);
    let mut read_to = LedgerPosition::default();
    for shard in Shard::all() {
        let checkpoint = checkpoints.iter().find(|checkpoint| checkpoint.shard == shard);
        let position = checkpoint.map(|checkpoint| checkpoint.position);
        reporter.checkpoint(
            format_args!("{effect_handler} of shard {shard}"),
            position,
            heads.get(shard),
        );
        let position = position.unwrap_or(0);
        reporter.checkpoint_behind(
            format_args!("{effect_handler} of shard {shard}"),
            position,
            handled.get(shard),
        );
        read_to.advance(shard, position);
    }
    Ok(read_to)
}
