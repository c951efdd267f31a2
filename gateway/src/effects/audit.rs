//! Rows of work against the log: what the log says must be paid or refunded has its row, with the log's own figures, and
//! no row stands without an event. How a call went is the rows' own knowledge and is not judged. It writes nothing.
//!
//! One transaction, so that reactors and workers may go on beside it.

mod exceptions;
mod payouts;
mod refunds;

use std::fmt::Display;

use deadpool_postgres::{Pool, Transaction};
use ledger_domain::BusinessId;
use ledger_store::{LedgerPosition, Shard, StoredEvent, log};
use projections::replay::{Finding, Subject};
use tokio_postgres::IsolationLevel;
use tokio_postgres::types::Type;

use super::working::WorkError;

const PAGE: i64 = 5_000;

/// Tells each difference, and how many there were.
pub async fn run(pool: &Pool, report: &mut (dyn FnMut(Finding) + Send)) -> Result<u64, WorkError> {
    let mut client = pool.get().await?;
    let tx = client
        .build_transaction()
        .isolation_level(IsolationLevel::RepeatableRead)
        .read_only(true)
        .start()
        .await?;
    let mut audit = Audit {
        tx,
        report,
        findings: 0,
    };
    let payouts = audit.read_to("payouts").await?;
    payouts::compare(&mut audit, &payouts).await?;
    let refunds = audit.read_to("refunds").await?;
    refunds::compare(&mut audit, &refunds).await?;
    exceptions::compare(&mut audit).await?;
    Ok(audit.findings)
}

struct Audit<'a> {
    tx: Transaction<'a>,
    report: &'a mut (dyn FnMut(Finding) + Send),
    findings: u64,
}

impl Audit<'_> {
    fn finding(
        &mut self,
        subject: Subject,
        business: Option<BusinessId>,
        key: impl Display,
        expected: impl Display,
        found: impl Display,
    ) {
        self.findings += 1;
        (self.report)(Finding {
            business,
            subject,
            key: key.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
        });
    }

    /// Each column's name with what the log says and what the row says.
    fn columns(
        &mut self,
        subject: Subject,
        business: BusinessId,
        key: impl Display,
        columns: &[(&str, String, String)],
    ) {
        for (column, expected, found) in columns {
            if expected != found {
                self.finding(
                    subject,
                    Some(business),
                    format_args!("{key} {column}"),
                    expected,
                    found,
                );
            }
        }
    }

    /// How far the reactor has read each shard. Beyond the log's end it would pass over what comes next.
    async fn read_to(&mut self, reactor: &'static str) -> Result<LedgerPosition, WorkError> {
        let rows = self
            .tx
            .query_typed(
                "SELECT log_shard.shard, log_shard.position, reactor_checkpoint.position
                   FROM log_shard LEFT JOIN reactor_checkpoint
                     ON reactor_checkpoint.shard = log_shard.shard AND reactor_checkpoint.reactor = $1
                  ORDER BY log_shard.shard",
                &[(&reactor, Type::TEXT)],
            )
            .await?;
        let mut read_to = LedgerPosition::default();
        for row in rows {
            let Some(shard) = u8::try_from(row.get::<_, i16>(0)).ok().and_then(Shard::new) else {
                continue;
            };
            let (head, position): (i64, Option<i64>) = (row.get(1), row.get(2));
            let key = format!("{reactor} of shard {shard}");
            match position {
                None => self.finding(Subject::Checkpoint, None, key, "a row", "no row"),
                Some(position) => {
                    if position > head {
                        let expected = format!("at most {head}, where the log ends");
                        self.finding(Subject::Checkpoint, None, key, expected, position);
                    }
                    read_to.advance(shard, position);
                }
            }
        }
        Ok(read_to)
    }

    /// The events of these types in all shards, in the order of each shard.
    async fn events(&self, types: &[&str]) -> Result<Vec<StoredEvent>, WorkError> {
        let mut events = vec![];
        for shard in Shard::all() {
            let mut after = 0;
            loop {
                let window = log::window_of_types(&*self.tx, shard, after, PAGE, types).await?;
                if window.until == after {
                    break;
                }
                after = window.until;
                events.extend(window.events);
            }
        }
        Ok(events)
    }
}
