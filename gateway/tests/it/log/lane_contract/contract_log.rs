//! One interface to PostgreSQL's log and the simulated log, and the batches that a lane makes for them.

use std::time::Duration;

use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use ledger_model::{ModelLog, OnePlan};
use ledger_store::lane::{
    AcquiredShard, Append, AppendError, Appended, GROUPS_READING_CONTEXTS, Input, Lane, LaneOptions,
    LookUpRequest, LookUpResult, Output, SaleLookUps,
};
use ledger_store::writer::PostgresLog;
use ledger_store::{Shard, Submission};

use super::captured;
use crate::support::database::{Database, PARTITION_SIZE};

/// The log under test.
#[allow(clippy::large_enum_variant, reason = "one of each, for a test")]
pub(super) enum Log {
    Model(ModelLog),
    /// The log, and its database, which exists as long as this value.
    Postgres {
        log: PostgresLog,
        database: Database,
    },
}

impl Log {
    pub async fn both() -> [(&'static str, Self); 2] {
        let database = Database::create().await;
        let postgres = PostgresLog::connect(&database.connector(), None, PARTITION_SIZE)
            .await
            .expect("a log");
        [
            ("model", Self::Model(ModelLog::default())),
            (
                "PostgreSQL",
                Self::Postgres {
                    log: postgres,
                    database,
                },
            ),
        ]
    }

    pub async fn acquire(&mut self, shards: &[Shard]) -> Vec<AcquiredShard> {
        match self {
            Self::Model(log) => log.acquire(shards.iter().copied()),
            Self::Postgres { log, .. } => log
                .acquire("test", shards, Duration::from_secs(60))
                .await
                .expect("acquired"),
        }
    }

    pub async fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        match self {
            Self::Model(log) => log.append(append),
            Self::Postgres { log, .. } => log.append(append).await,
        }
    }

    pub async fn look_up(&mut self, request: &LookUpRequest) -> LookUpResult {
        match self {
            Self::Model(log) => log.look_up(request),
            Self::Postgres { log, .. } => log.look_up(&OnePlan, request).await.expect("looked up"),
        }
    }

    /// The one batch of these captures, made by a lane that owns the shards in `acquired`. A capture is the number of
    /// its business and the number of its sale.
    pub async fn batch(
        &mut self,
        acquired: &[AcquiredShard],
        now: Instant,
        captures: &[(u128, u128)],
    ) -> Append {
        let captures = captures.iter().map(|(business, sale)| captured(*business, *sale));
        self.batch_of(acquired, now, captures.collect()).await
    }

    /// The one batch of these commands.
    pub async fn batch_of(
        &mut self,
        acquired: &[AcquiredShard],
        now: Instant,
        submissions: Vec<Submission>,
    ) -> Append {
        self.batch_with(SaleLookUps::Adaptive, acquired, now, submissions)
            .await
    }

    /// The one batch of these commands, made by a new lane with this rule for looking up sales.
    pub async fn batch_with(
        &mut self,
        sale_look_ups: SaleLookUps,
        acquired: &[AcquiredShard],
        now: Instant,
        submissions: Vec<Submission>,
    ) -> Append {
        let mut lane = Lane::new(LaneOptions {
            batch_max: 64,
            cache_bytes: 1 << 20,
            sale_look_ups,
            groups_reading_contexts: GROUPS_READING_CONTEXTS,
        });
        let mut acquired = acquired.to_vec();
        for AcquiredShard { shard, position, .. } in &mut acquired {
            *position = self.position(*shard).await;
        }
        let (mut out, mut ticket) = (vec![], 0);
        for submission in submissions {
            lane.on(
                now,
                Input::Submitted {
                    ticket,
                    work: submission.into(),
                },
                &mut out,
            );
            ticket += 1;
        }
        lane.on(now, Input::Acquired(acquired), &mut out);
        let Some(Output::LookUp { number, look_up }) = out.pop() else {
            panic!("a look-up first: {out:?}")
        };
        let found = self.look_up(&look_up).await;
        lane.on(now, Input::LookedUp { number, found }, &mut out);
        match out.pop() {
            Some(Output::Append { append, .. }) => append.as_ref().clone(),
            other => panic!("a batch: {other:?}"),
        }
    }

    /// The last position of the shard.
    pub async fn position(&self, shard: Shard) -> i64 {
        match self {
            Self::Model(log) => log.position(shard),
            Self::Postgres { database, .. } => {
                let positions = ledger_store::log::shard_positions(&database.client().await).await;
                positions.expect("positions").get(shard)
            }
        }
    }

    pub async fn reference_version(&self) -> i64 {
        match self {
            Self::Model(log) => log.reference_version,
            Self::Postgres { database, .. } => {
                let version = "SELECT version FROM reference_version";
                let client = database.client().await;
                client.query_one(version, &[]).await.expect("a version").get(0)
            }
        }
    }

    /// The number of the business's recorded events.
    pub async fn events_recorded(&mut self, business_id: BusinessId) -> i64 {
        let request = LookUpRequest {
            heads: vec![business_id],
            ..LookUpRequest::default()
        };
        self.look_up(&request)
            .await
            .heads
            .first()
            .map_or(0, |(_, head)| head.version)
    }
}
