//! The table of waiting notices: keeping one, claiming those whose turn it is, and ending one.
//!
//! A claim moves a notice's next try forward before it is tried, so that several nodes sweep side by side and a node
//! that dies in between loses nothing.

use chrono::{DateTime, Utc};
use deadpool_postgres::GenericClient;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::types::Json;
use tokio_postgres::{Error, Row};
use uuid::Uuid;

use super::waits::WaitReason;

/// A notice that is to wait.
pub struct NewException<'a> {
    pub provider: Provider,
    pub notice_id: &'a str,
    pub notice_type: &'a str,
    /// Of the notice in its one spelling.
    pub fingerprint: [u8; 32],
    /// As it may be stored.
    pub body: &'a str,
    pub waits: &'a WaitReason,
}

/// A waiting notice that is this process's to try.
#[derive(Debug, Clone)]
pub struct ExceptionJob {
    pub id: Uuid,
    pub provider: Provider,
    pub body: String,
    pub assigned_to: Option<BusinessId>,
    pub sale_id: Option<SaleId>,
}

/// Every minute at first, then more rarely, an hour apart at most: a notice may wait for staff for days.
const NEXT_TRY: &str = "now() + least(interval '1 hour', interval '1 minute' * greatest(1, tries - 8))";

/// The same notice sent again while it waits is one row; another body under its id is another. Says whether
/// it waits for that reason since now.
pub async fn keep(client: &impl GenericClient, waiting: &NewException<'_>) -> Result<bool, Error> {
    let waits = waiting.waits;
    let statement = client
        .prepare_cached(
            // No transaction has replaced a row that is new (`xmax`). Of two that bring it at once, one finds neither
            // its own row nor a former reason, and says no.
            "WITH former AS (SELECT reason FROM exception
                              WHERE provider = $2 AND notice_id = $3 AND fingerprint = $5)
             INSERT INTO exception (id, provider, notice_id, notice_type, fingerprint, body, reason, reason_parameters,
                                    business_id, sale_id, next_try_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '1 minute')
             ON CONFLICT (provider, notice_id, fingerprint) DO UPDATE
                SET reason            = CASE exception.status WHEN 'waiting' THEN excluded.reason
                                                              ELSE exception.reason END,
                    reason_parameters = CASE exception.status WHEN 'waiting' THEN excluded.reason_parameters
                                                              ELSE exception.reason_parameters END
             RETURNING status = 'waiting' AND (xmax = 0 OR reason <> (SELECT reason FROM former)) IS TRUE",
        )
        .await?;
    let row = client
        .query_one(
            &statement,
            &[
                &Uuid::now_v7(),
                &i16::from(waiting.provider.number()),
                &waiting.notice_id,
                &waiting.notice_type,
                &waiting.fingerprint.as_slice(),
                &waiting.body,
                &waits.reason,
                &Json(&waits.parameters),
                &waits.business_id.map(BusinessId::uuid),
                &waits.sale_id.map(SaleId::uuid),
            ],
        )
        .await?;
    Ok(row.get(0))
}

/// Notices whose turn has come, oldest turn first. Whatever else waits has no next try.
pub async fn claim_due(client: &impl GenericClient, most: i64) -> Result<Vec<ExceptionJob>, Error> {
    claim(
        client,
        "status = 'waiting' AND next_try_at <= now() ORDER BY next_try_at LIMIT $1",
        &[&most],
    )
    .await
}

/// Those of these sales, whenever their turn is. A notice waits for its sale only once it has arrived, so the order of
/// arrival is the order of trying.
pub async fn claim_of_sales(
    client: &impl GenericClient,
    sales: &[SaleId],
) -> Result<Vec<ExceptionJob>, Error> {
    let sales: Vec<_> = sales.iter().map(|sale_id| sale_id.uuid()).collect();
    claim(
        client,
        "status = 'waiting' AND next_try_at IS NOT NULL AND sale_id = ANY ($1) ORDER BY received_at, id",
        &[&sales],
    )
    .await
}

/// The one, where it still waits.
pub async fn claim_one(client: &impl GenericClient, id: Uuid) -> Result<Option<ExceptionJob>, Error> {
    Ok(claim(
        client,
        "status = 'waiting' AND next_try_at IS NOT NULL AND id = $1",
        &[&id],
    )
    .await?
    .pop())
}

async fn claim(
    client: &impl GenericClient,
    which: &str,
    parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
) -> Result<Vec<ExceptionJob>, Error> {
    let sql = format!(
        "WITH chosen AS MATERIALIZED (SELECT id FROM exception WHERE {which} FOR UPDATE SKIP LOCKED),
              claimed AS (UPDATE exception SET tries = tries + 1, last_tried_at = now(), next_try_at = {NEXT_TRY}
                           WHERE id IN (SELECT id FROM chosen)
                       RETURNING id, provider, body, assigned_to, sale_id, received_at)
         SELECT id, provider, body, assigned_to, sale_id FROM claimed ORDER BY received_at, id"
    );
    let statement = client.prepare_cached(&sql).await?;
    let rows = client.query(&statement, parameters).await?;
    Ok(rows.iter().filter_map(job).collect())
}

fn job(row: &Row) -> Option<ExceptionJob> {
    Some(ExceptionJob {
        id: row.get("id"),
        provider: provider(row.get("provider"))?,
        body: row.get("body"),
        assigned_to: row
            .get::<_, Option<Uuid>>("assigned_to")
            .map(BusinessId::from_uuid),
        sale_id: row.get::<_, Option<Uuid>>("sale_id").map(SaleId::from_uuid),
    })
}

/// The table allows only the eight, and none where nobody told.
pub fn provider(number: Option<i16>) -> Option<Provider> {
    u8::try_from(number?)
        .ok()
        .and_then(|number| Provider::from_number(number).ok())
}

/// What the ledger made of a notice in the end.
#[derive(Debug, Clone, Copy)]
pub struct Resolved {
    /// Whether it was recorded now or was known.
    pub resolution: &'static str,
    /// Of the event, which the audit looks for. While the notice waited they may not have been known.
    pub business_id: BusinessId,
    pub sale_id: Option<SaleId>,
}

/// It is in the ledger.
pub async fn resolve(
    client: &impl GenericClient,
    id: Uuid,
    resolved: &Resolved,
    handled_by: Option<UserId>,
) -> Result<(), Error> {
    client
        .execute(
            "UPDATE exception SET status = 'resolved', resolution = $2, handled_by = coalesce($3, handled_by),
                                  business_id = $4, sale_id = coalesce($5, sale_id), next_try_at = NULL,
                                  ended_at = now()
              WHERE id = $1 AND status = 'waiting'",
            &[
                &id,
                &resolved.resolution,
                &handled_by.map(UserId::uuid),
                &resolved.business_id.uuid(),
                &resolved.sale_id.map(SaleId::uuid),
            ],
        )
        .await
        .map(drop)
}

/// Staff end it without the ledger; false where it waits no more.
pub async fn close(
    client: &impl GenericClient,
    id: Uuid,
    why: &str,
    handled_by: UserId,
) -> Result<bool, Error> {
    let ended = client
        .execute(
            "UPDATE exception SET status = 'closed', resolution = $2, handled_by = $3, next_try_at = NULL,
                                  ended_at = now()
              WHERE id = $1 AND status = 'waiting'",
            &[&id, &why, &handled_by.uuid()],
        )
        .await?;
    Ok(ended == 1)
}

/// It still waits, perhaps for something else than before: says whether it does.
pub async fn wait_on(client: &impl GenericClient, id: Uuid, waits: &WaitReason) -> Result<bool, Error> {
    let row = client
        .query_opt(
            "WITH former AS (SELECT id, reason FROM exception WHERE id = $1 AND status = 'waiting' FOR UPDATE)
             UPDATE exception SET reason = $2, reason_parameters = $3,
                                  business_id = coalesce($4, exception.business_id),
                                  sale_id = coalesce($5, exception.sale_id)
               FROM former
              WHERE exception.id = former.id
          RETURNING exception.reason <> former.reason",
            &[
                &id,
                &waits.reason,
                &Json(&waits.parameters),
                &waits.business_id.map(BusinessId::uuid),
                &waits.sale_id.map(SaleId::uuid),
            ],
        )
        .await?;
    Ok(row.is_some_and(|row| row.get(0)))
}

/// Staff say whose it is; false where it waits no more.
pub async fn assign(
    client: &impl GenericClient,
    id: Uuid,
    business_id: BusinessId,
    handled_by: UserId,
) -> Result<bool, Error> {
    let assigned = client
        .execute(
            "UPDATE exception SET assigned_to = $2, business_id = $2, handled_by = $3
              WHERE id = $1 AND status = 'waiting'",
            &[&id, &business_id.uuid(), &handled_by.uuid()],
        )
        .await?;
    Ok(assigned == 1)
}

/// The back office has changed: those that a plan, a company or a terminal may have kept waiting are due now.
pub async fn retry_soon(client: &impl GenericClient, reasons: &[&str]) -> Result<u64, Error> {
    client
        .execute(
            "UPDATE exception SET next_try_at = now()
              WHERE status = 'waiting' AND reason = ANY ($1) AND next_try_at > now()",
            &[&reasons],
        )
        .await
}

/// Sales with something waiting, for this process's memory of them.
pub async fn waiting_sales(client: &impl GenericClient, most: i64) -> Result<Vec<SaleId>, Error> {
    let rows = client
        .query(
            "SELECT DISTINCT sale_id FROM exception
              WHERE status = 'waiting' AND next_try_at IS NOT NULL AND sale_id IS NOT NULL LIMIT $1",
            &[&most],
        )
        .await?;
    Ok(rows.iter().map(|row| SaleId::from_uuid(row.get(0))).collect())
}

pub async fn waiting_count(client: &impl GenericClient) -> Result<i64, Error> {
    let row = client
        .query_one("SELECT count(*) FROM exception WHERE status = 'waiting'", &[])
        .await?;
    Ok(row.get(0))
}

/// When the oldest of them came: what an alarm looks at.
pub async fn waiting_since(client: &impl GenericClient) -> Result<Option<DateTime<Utc>>, Error> {
    let row = client
        .query_one(
            "SELECT min(received_at) FROM exception WHERE status = 'waiting'",
            &[],
        )
        .await?;
    Ok(row.get(0))
}
