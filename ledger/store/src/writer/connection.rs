//! The two connections of a lane: one appends while the other looks up. If either is lost, both are opened again.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, Statement};

use super::append::{AppendStatements, append_error};
use super::look_up::KEYS;
use crate::causes::Causes;
use crate::connector::Connector;
use crate::lane::{AcquiredShard, Append, AppendError, Appended, LookUpFailure, LookUpRequest, LookUpResult};
use crate::layout;
use crate::log::{HEADS, SALES, TRANSFERS};
use crate::position::Shard;
use crate::reference_data::ReferenceData;
use crate::supervisor::spawn_once;

/// The log on PostgreSQL for a lane's shell. `ModelLog` of the crate `ledger-model` has the same contract.
pub struct PostgresLog {
    appending: AppendConnection,
    looking: LookUpConnection,
    /// Of the one shard of layout `schemas`.
    partitions: Option<Partitions>,
}

/// The partitions of a shard's events, of which one is always left free.
struct Partitions {
    shard: Shard,
    /// The positions of a new one.
    size: i64,
    /// The last position that has one; 0 until the first append.
    end: AtomicI64,
}

pub(super) struct AppendConnection {
    pub client: Client,
    pub append: AppendStatements,
}

pub(super) struct LookUpConnection {
    pub client: Client,
    pub keys: Statement,
    pub heads: Statement,
    pub sales: Statement,
    pub transfers: Statement,
}

/// Every statement finds its rows by key, so one generic plan fits all parameters; [`PostgresLog::discard_plans`]
/// renews it. Statements are too short to gain from `jit`. Commits wait for the disk even if the server's default is
/// `off`; stricter defaults stay. No statement runs longer than 5 s, because a hanging one would keep dead rows from
/// being vacuumed.
const SESSION: &str = "SET jit = off; SET plan_cache_mode = force_generic_plan; \
     SET statement_timeout = '5s'; SET idle_in_transaction_session_timeout = '5s'; \
     SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

const DISCARD_PLANS: &str = "DISCARD PLANS";

impl PostgresLog {
    /// Connects to the tables of all shards, or in layout `schemas` to those of one. `partition_size` is the number of
    /// positions of a new partition of its events.
    pub async fn connect(
        database: &Connector,
        shard: Option<Shard>,
        partition_size: i64,
    ) -> Result<Self, Error> {
        let client = open_for(database, shard).await?;
        let append = AppendStatements::prepare(&client).await?;
        let appending = AppendConnection { client, append };
        let client = open_for(database, shard).await?;
        let keys = client.prepare(KEYS).await?;
        let heads = client.prepare(HEADS).await?;
        let sales = client.prepare(SALES).await?;
        let transfers = client.prepare(TRANSFERS).await?;
        Ok(Self {
            appending,
            looking: LookUpConnection {
                client,
                keys,
                heads,
                sales,
                transfers,
            },
            partitions: shard.map(|shard| Partitions {
                shard,
                size: partition_size,
                end: AtomicI64::new(0),
            }),
        })
    }

    pub async fn append(&self, append: &Append) -> Result<Appended, AppendError> {
        let appended = self.append_explained(append).await;
        appended.map_err(|(error, _)| error)
    }

    /// Like `append`, with the database's reason for an error.
    pub(super) async fn append_explained(&self, append: &Append) -> Result<Appended, (AppendError, String)> {
        if let Some(partitions) = &self.partitions {
            partitions.extend_for(&self.appending.client, append).await?;
        }
        super::append::append(&self.appending, append).await
    }

    pub async fn look_up(
        &self,
        reference_data: &dyn ReferenceData,
        asked: &LookUpRequest,
    ) -> Result<LookUpResult, LookUpFailure> {
        super::look_up::look_up(&self.looking, reference_data, asked).await
    }

    /// Takes the shards that are free, whose owner is gone, or that are already this owner's, and returns them.
    pub async fn acquire(
        &self,
        owner: &str,
        wanted: &[Shard],
        lease: Duration,
    ) -> Result<Vec<AcquiredShard>, Error> {
        acquire(&self.appending.client, owner, wanted, lease).await
    }

    /// Fails if a newer program migrated the database to another append.
    pub(super) async fn check_append(&self) -> Result<(), Error> {
        AppendStatements::prepare(&self.appending.client).await.map(drop)
    }

    /// Renews the leases and returns the shards that are still held. A lease of zero releases them. Runs on the append
    /// connection between two batches, so that it never waits for a row lock of its own batch.
    pub async fn renew(&self, held: &[(Shard, i64)], lease: Duration) -> Result<Vec<Shard>, Error> {
        renew(&self.appending.client, held, lease).await
    }

    /// Makes the server plan every statement again. A plan may have been made when the tables were empty, and the
    /// server itself replans only after the next ANALYZE.
    pub async fn discard_plans(&self) -> Result<(), Error> {
        self.appending.client.batch_execute(DISCARD_PLANS).await?;
        self.looking.client.batch_execute(DISCARD_PLANS).await
    }
}

impl Partitions {
    /// Adds a partition if the batch begins the last one. It fails only if the batch has none.
    async fn extend_for(&self, client: &Client, append: &Append) -> Result<(), (AppendError, String)> {
        let last = append.shards.iter().map(|advance| advance.base + advance.events);
        let last = last.max().unwrap_or(0);
        let mut end = self.end.load(Ordering::Relaxed);
        let failed = |error: Error| (append_error(&error), Causes(&error).to_string());
        if end == 0 {
            end = layout::last_position(client, self.shard).await.map_err(failed)?;
        }
        if last.saturating_add(self.size) > end {
            match layout::extend(client, self.shard, last, self.size).await {
                Ok(extended) => end = extended,
                Err(error) if last <= end => {
                    tracing::error!(
                        shard = %self.shard, last, end, error = %Causes(&error),
                        "the log's next partition could not be added; when the last one is full, nothing is recorded"
                    );
                }
                Err(error) => return Err(failed(error)),
            }
        }
        self.end.store(end, Ordering::Relaxed);
        Ok(())
    }
}

/// A connection for statements that find their rows by key, with time-outs.
pub(crate) async fn open(database: &Connector) -> Result<Client, Error> {
    let database = database.with(|options| {
        options
            .application_name("razao-writer")
            .connect_timeout(Duration::from_secs(5));
    });
    let (client, connection) = database.connect().await?;
    // When it ends, every call of the client fails.
    spawn_once("writer connection", async move {
        if let Err(error) = connection.await {
            tracing::warn!(error = %Causes(&error), "a connection of the writer was lost");
        }
    });
    client.batch_execute(SESSION).await?;
    Ok(client)
}

async fn open_for(database: &Connector, shard: Option<Shard>) -> Result<Client, Error> {
    let client = open(database).await?;
    if let Some(shard) = shard {
        layout::enter(&client, shard).await?;
    }
    Ok(client)
}

/// The SQLSTATE if the server itself refused, so that nothing was recorded; `None` if the connection failed.
pub(super) fn refused(error: &Error) -> Option<&SqlState> {
    // A server that shuts down reports classes 57P and 08. It may have committed before.
    error
        .code()
        .filter(|state| !state.code().starts_with("57P") && !state.code().starts_with("08"))
}

/// Whether the append of this program is gone, because a newer one migrated the database.
pub(super) fn is_outdated(error: &Error) -> bool {
    error.code() == Some(&SqlState::UNDEFINED_FUNCTION)
}

fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
}

async fn acquire(
    client: &Client,
    owner: &str,
    wanted: &[Shard],
    lease: Duration,
) -> Result<Vec<AcquiredShard>, Error> {
    let wanted: Vec<i16> = wanted.iter().map(|shard| shard.sql()).collect();
    let rows = client
        .query(
            "SELECT shard, epoch, position, nullif(recorded_at, '-infinity') \
               FROM take_shards($1, $2, $3::bigint * interval '1 ms')",
            &[&owner, &wanted, &millis(lease)],
        )
        .await?;
    let acquired = rows.iter().map(|row| AcquiredShard {
        shard: Shard::from_sql(row.get(0)),
        epoch: row.get(1),
        position: row.get(2),
        recorded_at: row.get(3),
    });
    Ok(acquired.collect())
}

async fn renew(client: &Client, held: &[(Shard, i64)], lease: Duration) -> Result<Vec<Shard>, Error> {
    let (shards, epochs): (Vec<i16>, Vec<i64>) =
        held.iter().map(|(shard, epoch)| (shard.sql(), *epoch)).unzip();
    let rows = client
        .query(
            "SELECT renew_shards($1, $2, $3::bigint * interval '1 ms')",
            &[&shards, &epochs, &millis(lease)],
        )
        .await?;
    Ok(rows.iter().map(|row| Shard::from_sql(row.get(0))).collect())
}
