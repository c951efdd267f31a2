//! The benchmark's baseline: single-row INSERTs as long as an event.

use std::time::{Duration, Instant};

use ledger_store::log;

use super::figures::Figures;
use super::{BenchError, connect};

pub struct InsertTable {
    url: String,
    pub row_bytes: usize,
}

impl InsertTable {
    /// The rows are as long as the captures that the warm-up recorded.
    pub async fn create(url: String) -> Result<Self, BenchError> {
        let client = connect(&url).await?;
        let row_bytes = usize::try_from(log::average_event_bytes(&client).await?)?;
        if row_bytes == 0 {
            return Err("the warm-up recorded nothing".into());
        }
        client
            .batch_execute("CREATE TABLE bench_row (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT NULL)")
            .await?;
        Ok(Self { url, row_bytes })
    }

    pub async fn run_round(&self, connections: usize, duration: Duration) -> Result<Figures, BenchError> {
        let mut clients = Vec::new();
        for _ in 0..connections {
            clients.push(connect(&self.url).await?);
        }
        let payload = "x".repeat(self.row_bytes);
        let began = Instant::now();
        let inserting = clients.into_iter().map(|client| {
            let payload = payload.clone();
            tokio::spawn(async move {
                let statement = client
                    .prepare("INSERT INTO bench_row (payload) VALUES ($1)")
                    .await?;
                let mut latencies = Vec::new();
                while began.elapsed() < duration {
                    let sent_at = Instant::now();
                    client.execute(&statement, &[&payload]).await?;
                    latencies.push(u32::try_from(sent_at.elapsed().as_micros()).unwrap_or(u32::MAX));
                }
                Ok::<_, tokio_postgres::Error>(latencies)
            })
        });
        let mut latencies = Vec::new();
        for inserted in futures::future::join_all(inserting).await {
            latencies.extend(inserted??);
        }
        Ok(Figures::of(
            latencies,
            u64::try_from(began.elapsed().as_micros())?,
        ))
    }
}
