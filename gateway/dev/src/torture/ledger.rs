//! Compares the log with what was acknowledged, and runs the audits.

use std::collections::HashSet;
use std::path::Path;

use ledger_domain::business::{BusinessEvent, SaleEvent};
use ledger_store::{LedgerPosition, Shard, log};
use tokio_postgres::Client;

use crate::installation::{BoxError, Installation};

const PAGE: i64 = 1_000;

/// The captured sales that were read from the log so far. Each event is read once.
#[derive(Default)]
pub struct RecordedSales {
    ids: HashSet<String>,
    read_to: LedgerPosition,
}

impl RecordedSales {
    pub fn count(&self) -> u64 {
        self.ids.len() as u64
    }

    /// Reads the new events. They must capture each acknowledged sale once, and no other sale.
    pub async fn check(&mut self, database: &Client, acknowledged: &[String]) -> Result<(), BoxError> {
        let before = self.ids.len();
        for shard in Shard::all() {
            self.read(database, shard).await?;
        }
        let lost: Vec<_> = acknowledged.iter().filter(|id| !self.ids.contains(*id)).collect();
        if !lost.is_empty() {
            return Err(format!("acknowledged and lost: {lost:?}").into());
        }
        let recorded = self.ids.len() - before;
        if recorded != acknowledged.len() {
            return Err(format!("{recorded} sales recorded, {} acknowledged", acknowledged.len()).into());
        }
        Ok(())
    }

    async fn read(&mut self, database: &Client, shard: Shard) -> Result<(), BoxError> {
        loop {
            let after = self.read_to.get(shard);
            let page = log::window(database, shard, after, PAGE).await?;
            for (event, expected) in page.iter().zip(after + 1..) {
                if event.position != expected {
                    return Err(format!("shard {shard} has no position {expected}").into());
                }
                if let BusinessEvent::Sale(SaleEvent::SaleCaptured(captured)) = event.decode()?
                    && !self.ids.insert(captured.sale.external_id.clone())
                {
                    return Err(format!("{} was captured twice", captured.sale.external_id).into());
                }
                self.read_to.advance(shard, event.position);
            }
            if page.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Runs the program's audits: `verify` checks the log, and `replay` compares the read models with it.
pub async fn audit(installation: &Installation, program: &Path) -> Result<(), BoxError> {
    for command in ["verify", "replay"] {
        let status = installation
            .command(program, &["audit", command])?
            .status()
            .await?;
        if !status.success() {
            return Err(format!("audit {command}: {status}").into());
        }
    }
    Ok(())
}
