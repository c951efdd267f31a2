//! The benchmark: acknowledged captures a second over HTTP, one notice a request, on a separate durable cluster. The
//! baseline is plain one-row INSERTs of the same size on that cluster in the same minutes.
//!
//! Both sides write to one server with the same settings and wait for the disk (fsync, synchronous_commit). They
//! share the processors with their clients. The read models follow the captures in parallel, and the benchmark waits
//! for them before the next measurement.
//!
//! The ratio of two figures of the same run says more than each figure. Machines differ, and the speed of a disk
//! changes from minute to minute. The benchmark asserts nothing; it reports.

// No task here outlives a measurement.
#![expect(clippy::disallowed_methods)]

mod captures;
mod figures;
mod inserts;
mod installation;
pub mod pairs;
pub mod reads;

use std::path::PathBuf;
use std::time::Duration;

pub use figures::{Figures, Report};
use installation::BenchInstallation;
use tokio_postgres::{Client, NoTls};

#[derive(Debug, Clone)]
pub struct BenchOptions {
    /// The program to measure: the running one, unless a test names another.
    pub program: PathBuf,
    /// An empty or missing folder on the measured disk; emptied at the end.
    pub folder: PathBuf,
    pub rounds: u32,
    pub duration: Duration,
}

pub type BenchError = Box<dyn std::error::Error + Send + Sync>;

pub const CONNECTIONS: [usize; 2] = [64, 256];
const INSERTING: usize = 64;
const WARM_UP: Duration = Duration::from_secs(2);

/// Runs the whole benchmark: about `rounds` × 3 × `duration`, plus some seconds at the start and the end.
pub async fn run(options: BenchOptions, mut progress: impl FnMut(String)) -> Result<Report, BenchError> {
    progress(format!("a durable cluster in {}", options.folder.display()));
    let installation = BenchInstallation::prepare(&options.folder).await?;
    let gateway = installation.start(&options.program).await?;
    let mut report = Report {
        idle_kib: gateway.resident_kib()?,
        ..Report::default()
    };
    let mut sender = captures::NoticeSender::new(&installation, gateway.addr);
    sender.run_round(INSERTING, WARM_UP).await?;
    gateway.wait_until_caught_up().await?;
    let table = installation.insert_table().await?;
    report.row_bytes = table.row_bytes;
    table.run_round(INSERTING, WARM_UP).await?;
    for round in 1..=options.rounds {
        progress(format!("round {round} of {}", options.rounds));
        for connections in CONNECTIONS {
            report
                .captures
                .entry(connections)
                .or_default()
                .push(sender.run_round(connections, options.duration).await?);
            report
                .behind_millis
                .push(gateway.wait_until_caught_up().await?.as_millis());
        }
        report
            .inserts
            .push(table.run_round(INSERTING, options.duration).await?);
    }
    report.busy_kib = gateway.resident_kib()?;
    gateway.stop().await?;
    installation.remove().await?;
    Ok(report)
}

async fn connect(url: &str) -> Result<Client, BenchError> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}
