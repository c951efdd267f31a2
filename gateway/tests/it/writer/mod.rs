//! The writer on PostgreSQL: its records, its answers, and how processes hand over shards.

mod commands;
mod migrations;
mod transfers;
mod upstream;

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use ledger_domain::{BusinessId, SaleId};
use ledger_model::{OnePlan, capture};
use ledger_store::audit::export::Heads;
use ledger_store::{LedgerPosition, Outcome, Shard, Submission, Writer, WriterOptions, WriterTask, verify};
use uuid::Uuid;

use crate::support::commands::submission;
use crate::support::database::{Database, PARTITION_SIZE};
use crate::support::{TickingClock, noon};

pub fn business(n: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(n + 1))
}

pub fn sale_id(n: u128) -> SaleId {
    SaleId::from_uuid(Uuid::from_u128(n + 1))
}

pub async fn start(database: &Database, owner: &str) -> (Writer, WriterTask) {
    start_for(database, owner, Shard::all().collect()).await
}

async fn start_for(database: &Database, owner: &str, shards: Vec<Shard>) -> (Writer, WriterTask) {
    let options = WriterOptions {
        shards,
        lease: Duration::from_secs(2),
        partition_size: PARTITION_SIZE,
        clock: Arc::new(TickingClock::default()),
        ..WriterOptions::new(database.connector(), owner)
    };
    Writer::start(options, Arc::new(OnePlan)).await.expect("a writer")
}

fn captured(business_id: BusinessId, sale_id: SaleId) -> Submission {
    submission(business_id, capture(business_id, sale_id, noon()))
}

/// Submits all captures at once and returns a position that includes them.
pub async fn capture_sales(writer: &Writer, sales: &[(BusinessId, SaleId)]) -> LedgerPosition {
    let outcomes = join_all(
        sales
            .iter()
            .map(|(business, sale)| writer.submit(captured(*business, *sale))),
    )
    .await;
    let mut position = LedgerPosition::default();
    for outcome in outcomes {
        match outcome {
            Outcome::Recorded(receipt) => position.merge(&receipt.position()),
            other => panic!("not recorded: {other:?}"),
        }
    }
    position
}

/// Checks every hash chain and balance of the log, as `audit verify` does.
pub async fn assert_consistent(database: &Database) -> verify::Summary {
    let mut findings = vec![];
    let summary = verify::run(
        &database.program_pool(),
        &[],
        Heads::default(),
        &mut |finding| findings.push(finding.to_string()),
        &mut |_| {},
    )
    .await
    .expect("a walk");
    assert_eq!(findings, Vec::<String>::new());
    summary
}
