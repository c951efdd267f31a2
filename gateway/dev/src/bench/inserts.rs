//! The benchmark's baseline: single-row INSERTs as long as an event.

use std::time::{Duration, Instant};

use ledger_store::log;
use tokio_postgres::{Client, Config, NoTls};

use super::BenchError;
use super::load::Acknowledged;
use super::pace::Pace;
use super::processor_time::INSERT_CLIENT_NAME;

const CREATE_TABLE: &str = "CREATE TABLE IF NOT EXISTS bench_row (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT NULL)";

pub struct InsertTable {
    config: Config,
    pub row_bytes: usize,
}

impl InsertTable {
    /// The rows are as long as the average event of the log, so a warm-up comes first.
    pub async fn create(url: &str) -> Result<Self, BenchError> {
        let mut config: Config = url.parse()?;
        config.application_name(INSERT_CLIENT_NAME);
        let client = connect(&config).await?;
        let row_bytes = usize::try_from(log::average_event_bytes(&client).await?)?;
        if row_bytes == 0 {
            return Err("the warm-up recorded nothing".into());
        }
        client.batch_execute(CREATE_TABLE).await?;
        Ok(Self { config, row_bytes })
    }

    /// Connects first, so that a round measures statements only. The caller keeps the clients until it has read their
    /// processor time.
    pub async fn connect(&self, connections: usize) -> Result<Vec<InsertClient>, BenchError> {
        let mut clients = Vec::new();
        for _ in 0..connections {
            let client = connect(&self.config).await?;
            let statement = client
                .prepare("INSERT INTO bench_row (payload) VALUES ($1)")
                .await?;
            clients.push(InsertClient { client, statement });
        }
        Ok(clients)
    }

    /// Inserts on all clients at once, at `per_second` rows in total or as fast as they are answered. Returns the
    /// clients, so that the caller can still read their processor time.
    pub async fn insert_for(
        &self,
        clients: Vec<InsertClient>,
        duration: Duration,
        per_second: Option<u64>,
    ) -> Result<(Acknowledged, Vec<InsertClient>), BenchError> {
        let payload = "x".repeat(self.row_bytes);
        let began = Instant::now();
        let connections = clients.len();
        let inserting = clients.into_iter().enumerate().map(|(number, client)| {
            let pace = Pace::of(per_second, 1, connections, number, began);
            tokio::spawn(client.insert_until_end(payload.clone(), began, duration, pace))
        });
        let (mut acknowledged, mut clients) = (Acknowledged::default(), Vec::new());
        for inserted in futures::future::join_all(inserting).await {
            let (latencies, client) = inserted??;
            acknowledged.count += latencies.len() as u64;
            acknowledged.latencies_micros.extend(latencies);
            clients.push(client);
        }
        acknowledged.elapsed = began.elapsed();
        Ok((acknowledged, clients))
    }
}

pub struct InsertClient {
    client: Client,
    statement: tokio_postgres::Statement,
}

impl InsertClient {
    async fn insert_until_end(
        self,
        payload: String,
        began: Instant,
        duration: Duration,
        mut pace: Option<Pace>,
    ) -> Result<(Vec<u32>, Self), tokio_postgres::Error> {
        let mut latencies = Vec::new();
        while began.elapsed() < duration {
            let sent_at = match &mut pace {
                Some(pace) => pace.wait().await,
                None => Instant::now(),
            };
            self.client.execute(&self.statement, &[&payload]).await?;
            latencies.push(u32::try_from(sent_at.elapsed().as_micros()).unwrap_or(u32::MAX));
        }
        Ok((latencies, self))
    }
}

async fn connect(config: &Config) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}
