//! A running installation: its gateway, its load generator and its baseline. It measures one round at a time.

use std::path::Path;
use std::time::Duration;

use tokio_postgres::Client;

use super::BenchError;
use super::figures::{Figures, Round};
use super::inserts::InsertTable;
use super::load::{Acknowledged, Load, NoticeSender, Until};
use super::processor_time::ProcessorMeter;
use crate::embedded::DATABASE;
use crate::installation::{GatewayProcess, Installation};

/// How many connections the baseline of bare INSERTs has.
pub const BASELINE_CONNECTIONS: usize = 64;
const WARM_UP: Duration = Duration::from_secs(2);

pub struct System<'a> {
    installation: &'a Installation,
    pub gateway: GatewayProcess,
    database: Client,
    sender: NoticeSender,
    inserts: InsertTable,
}

impl<'a> System<'a> {
    /// Starts the gateway and warms both sides up.
    pub async fn start(installation: &'a Installation, program: &Path) -> Result<Self, BenchError> {
        let gateway = installation.start(program).await?;
        let sender = NoticeSender::new(installation, gateway.addr);
        sender
            .send(Load::of(BASELINE_CONNECTIONS), Until::After(WARM_UP))
            .await?;
        gateway.wait_until_caught_up().await?;
        let system = Self {
            database: installation.join_database().await?,
            inserts: InsertTable::create(&installation.url(DATABASE).await?).await?,
            installation,
            gateway,
            sender,
        };
        system.inserts(BASELINE_CONNECTIONS, WARM_UP, None).await?;
        Ok(system)
    }

    /// A further connection to its database.
    pub async fn connect(&self) -> Result<Client, BenchError> {
        self.installation.join_database().await
    }

    pub const fn row_bytes(&self) -> usize {
        self.inserts.row_bytes
    }

    pub async fn captures(&self, load: Load, duration: Duration) -> Result<Round, BenchError> {
        Ok(self.acknowledged_captures(load, duration).await?.0)
    }

    /// Like `captures`, with each answer's time and position.
    pub async fn acknowledged_captures(
        &self,
        load: Load,
        duration: Duration,
    ) -> Result<(Round, Acknowledged), BenchError> {
        let meter = self.meter()?;
        let wal = wal_position(&self.database).await?;
        let mut sent = self.sender.send(load, Until::After(duration)).await?;
        let behind = self.gateway.wait_until_caught_up().await?;
        let elapsed_micros = u64::try_from((sent.elapsed + behind).as_micros())?;
        let latencies = std::mem::take(&mut sent.latencies_micros);
        let round = Round {
            figures: Figures::of(sent.count, latencies, elapsed_micros),
            count: sent.count,
            elapsed_micros,
            behind_millis: u64::try_from(behind.as_millis())?,
            processor: meter.stop(&self.database).await?,
            wal_bytes: wal_position(&self.database).await?.saturating_sub(wal),
        };
        Ok((round, sent))
    }

    pub async fn inserts(
        &self,
        connections: usize,
        duration: Duration,
        per_second: Option<u64>,
    ) -> Result<Round, BenchError> {
        let clients = self.inserts.connect(connections).await?;
        let meter = self.meter()?;
        let wal = wal_position(&self.database).await?;
        let (inserted, clients) = self.inserts.insert_for(clients, duration, per_second).await?;
        let processor = meter.stop(&self.database).await?;
        drop(clients);
        let elapsed_micros = u64::try_from(inserted.elapsed.as_micros())?;
        Ok(Round {
            figures: Figures::of(inserted.count, inserted.latencies_micros, elapsed_micros),
            count: inserted.count,
            elapsed_micros,
            behind_millis: 0,
            processor,
            wal_bytes: wal_position(&self.database).await?.saturating_sub(wal),
        })
    }

    fn meter(&self) -> Result<ProcessorMeter, BenchError> {
        ProcessorMeter::start(self.gateway.pid()?, self.installation.postmaster_pid()?)
    }

    pub async fn stop(self) -> Result<(), BenchError> {
        drop(self.database);
        self.gateway.stop().await
    }
}

/// The position in the WAL, in bytes.
async fn wal_position(database: &Client) -> Result<u64, BenchError> {
    let row = database
        .query_one(
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint",
            &[],
        )
        .await?;
    Ok(u64::try_from(row.get::<_, i64>(0))?)
}
