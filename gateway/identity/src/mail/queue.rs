//! The table of e-mails: adds one, claims the due ones, and records the result of each try.
//!
//! A claim moves the next try beyond the longest delivery time, so that several nodes can work in parallel. If a node
//! dies in between, the next claim sends the row again with the same code.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_platform::effects::working::milliseconds;
use gateway_platform::exceptions::work::{UnreadableRow, Work};
use ledger_domain::ids::UserId;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::{EmailKind, Facts, OutboxEmail};
use crate::audience::Audience;

/// An e-mail that this process has claimed.
#[derive(Debug, Clone)]
pub struct EmailJob {
    pub id: Uuid,
    pub kind: EmailKind,
    pub audience: Audience,
    pub user: Option<UserId>,
    pub recipient: String,
    pub panel_url: String,
    pub facts: Facts,
    pub created_at: DateTime<Utc>,
    /// The number of this try. It also distinguishes this claim from a later one of the same row.
    pub tries: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailEnd {
    Sent,
    /// No user has the address, or the e-mail is no longer needed.
    NotNeeded,
    GivenUp,
}

impl EmailEnd {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::NotNeeded => "nobody",
            Self::GivenUp => "given-up",
        }
    }
}

/// Always one statement, so that its time does not reveal whether a user has the address.
pub(super) async fn add(
    client: &impl GenericClient,
    id: Uuid,
    outbox_email: &OutboxEmail<'_>,
) -> Result<(), Error> {
    let user = outbox_email.user.map(UserId::uuid);
    client
        .execute_typed(
            "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                (&id, Type::UUID),
                (&outbox_email.kind.as_str(), Type::TEXT),
                (&outbox_email.audience.as_str(), Type::TEXT),
                (&user, Type::UUID),
                (&outbox_email.recipient, Type::TEXT),
                (&outbox_email.panel_url, Type::TEXT),
                (&Json(&outbox_email.facts), Type::JSON),
            ],
        )
        .await
        .map(drop)
}

/// Claims at most `most` due rows for the duration of the lease.
///
/// While two versions run in parallel, kinds that only the newer version knows are left to it. After 15 minutes they
/// are claimed as unreadable.
pub(super) async fn claim(
    client: &impl GenericClient,
    most: usize,
    lease: Duration,
) -> Result<Vec<Result<EmailJob, UnreadableRow>>, Error> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = client
        .query_typed(
            "WITH chosen AS MATERIALIZED (
                SELECT id FROM mail
                 WHERE status = 'waiting' AND next_try_at <= now()
                   AND (kind = ANY ($3) OR created_at < now() - interval '15 minutes')
                 ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
             UPDATE mail SET tries = tries + 1, next_try_at = now() + interval '1 millisecond' * $2
               FROM chosen
              WHERE mail.id = chosen.id
          RETURNING mail.id, kind, audience, user_id, recipient, panel_url, facts, created_at, tries",
            &[
                (&most, Type::INT8),
                (&milliseconds(lease), Type::INT8),
                (&EmailKind::NAMES, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    Ok(rows.iter().map(job).collect())
}

fn job(row: &Row) -> Result<EmailJob, UnreadableRow> {
    let id: Uuid = row.get(0);
    let unreadable = |column| UnreadableRow {
        work: Work::Email,
        id,
        business_id: None,
        column,
        unsent: true,
    };
    let kind = EmailKind::of_column(row.get(1)).ok_or_else(|| unreadable("kind"))?;
    let Json(facts): Json<Facts> = row.try_get(6).map_err(|_| unreadable("facts"))?;
    Ok(EmailJob {
        id,
        kind,
        audience: Audience::of_column(row.get(2)),
        user: row.get::<_, Option<Uuid>>(3).map(UserId::from_uuid),
        recipient: row.get(4),
        panel_url: row.get(5),
        facts,
        created_at: row.get(7),
        tries: row.get(8),
    })
}

/// `why` is set if the e-mail was not sent. A row that another claim has ended is not changed.
pub(super) async fn end(
    client: &impl GenericClient,
    job: &EmailJob,
    end: EmailEnd,
    why: Option<&str>,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE mail SET status = $2, ended_at = now(), next_try_at = NULL, last_error = coalesce($3, last_error)
              WHERE id = $1 AND status = 'waiting'",
            &[
                (&job.id, Type::UUID),
                (&end.as_str(), Type::TEXT),
                (&why, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

/// A row that has ended, or that another process has claimed since, is not changed.
pub(super) async fn retry_later(
    client: &impl GenericClient,
    job: &EmailJob,
    why: &str,
    pause: Duration,
) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE mail SET last_error = $3, next_try_at = now() + interval '1 millisecond' * $4
              WHERE id = $1 AND tries = $2 AND status = 'waiting'",
            &[
                (&job.id, Type::UUID),
                (&job.tries, Type::INT4),
                (&why, Type::TEXT),
                (&milliseconds(pause), Type::INT8),
            ],
        )
        .await
        .map(drop)
}

/// The number and the age of the waiting e-mails, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmailQueueStats {
    pub waiting: i64,
    /// The age of the oldest one.
    pub oldest_seconds: i64,
}

pub async fn queue_stats(client: &impl GenericClient) -> Result<EmailQueueStats, Error> {
    let row = client
        .query_typed(
            "SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0)::int8
               FROM mail WHERE status = 'waiting'",
            &[],
        )
        .await?
        .pop();
    Ok(row.map_or(EmailQueueStats::default(), |row| EmailQueueStats {
        waiting: row.get(0),
        oldest_seconds: row.get(1),
    }))
}
