//! The notices in the table `exception`: adds them, claims those that are due, and ends them.
//!
//! A claim moves the next try of a notice into the future before the notice is tried. So several processes can try
//! notices concurrently, and a process that dies loses nothing.

use deadpool_postgres::GenericClient;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::types::Json;
use tokio_postgres::{Error, Row};
use uuid::Uuid;

use super::ExceptionResolution;
use super::waits::WaitReason;

/// A notice to store in the exceptions queue.
pub struct NewWaitingNotice<'a> {
    pub provider: Provider,
    pub notice_id: &'a str,
    pub notice_type: &'a str,
    /// The SHA-256 of the canonical notice.
    pub fingerprint: [u8; 32],
    /// The body to store, without card numbers.
    pub body: &'a str,
    pub waits: &'a WaitReason,
}

/// A waiting notice that this process has claimed.
#[derive(Debug, Clone)]
pub struct ClaimedNotice {
    pub id: Uuid,
    pub provider: Provider,
    pub body: String,
    pub assigned_business: Option<BusinessId>,
    pub sale_id: Option<SaleId>,
}

/// The pause after a try: one minute up to the tenth try, then one minute more for each, up to an hour. A notice may
/// wait for staff for days. `tries` does not count this try yet.
const NEXT_TRY: &str = "now() + least(interval '1 hour', interval '1 minute' * greatest(1, tries - 8))";

/// Stores a waiting notice. A repeated notice is the same row; another body under the same notice id is another row.
/// Returns true if it waits and its reason is new.
pub async fn keep(client: &impl GenericClient, waiting: &NewWaitingNotice<'_>) -> Result<bool, Error> {
    let waits = waiting.waits;
    let statement = client
        .prepare_cached(
            // `xmax` is 0 for a row that was just inserted. Two concurrent calls for the same notice are possible. One
            // of them then sees neither a new row nor a former reason and returns false.
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

/// Claims the notices that are due for longest, `most` of them at most. Other waiting exceptions have no next try.
pub async fn claim_due(client: &impl GenericClient, most: i64) -> Result<Vec<ClaimedNotice>, Error> {
    claim(
        client,
        "status = 'waiting' AND next_try_at <= now() ORDER BY next_try_at LIMIT $1",
        &[&most],
    )
    .await
}

/// Claims the waiting notices of these sales, whether or not they are due. They are tried in the order of arrival.
pub async fn claim_of_sales(
    client: &impl GenericClient,
    sales: &[SaleId],
) -> Result<Vec<ClaimedNotice>, Error> {
    let sales: Vec<_> = sales.iter().map(|sale_id| sale_id.uuid()).collect();
    claim(
        client,
        "status = 'waiting' AND next_try_at IS NOT NULL AND sale_id = ANY ($1) ORDER BY received_at, id",
        &[&sales],
    )
    .await
}

/// Claims one notice, if it still waits.
pub async fn claim_one(client: &impl GenericClient, id: Uuid) -> Result<Option<ClaimedNotice>, Error> {
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
    condition: &str,
    parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
) -> Result<Vec<ClaimedNotice>, Error> {
    let sql = format!(
        "WITH chosen AS MATERIALIZED (SELECT id FROM exception WHERE {condition} FOR UPDATE SKIP LOCKED),
              claimed AS (UPDATE exception SET tries = tries + 1, last_tried_at = now(), next_try_at = {NEXT_TRY}
                           WHERE id IN (SELECT id FROM chosen)
                       RETURNING id, provider, body, assigned_to, sale_id, received_at)
         SELECT id, provider, body, assigned_to, sale_id FROM claimed ORDER BY received_at, id"
    );
    let statement = client.prepare_cached(&sql).await?;
    let rows = client.query(&statement, parameters).await?;
    Ok(rows.iter().filter_map(claimed_notice).collect())
}

fn claimed_notice(row: &Row) -> Option<ClaimedNotice> {
    Some(ClaimedNotice {
        id: row.get("id"),
        provider: provider_of_number(row.get("provider"))?,
        body: row.get("body"),
        assigned_business: row
            .get::<_, Option<Uuid>>("assigned_to")
            .map(BusinessId::from_uuid),
        sale_id: row.get::<_, Option<Uuid>>("sale_id").map(SaleId::from_uuid),
    })
}

/// The provider of a row. `None` for an unreadable row of work, or if this version does not know the number.
pub fn provider_of_number(number: Option<i16>) -> Option<Provider> {
    u8::try_from(number?)
        .ok()
        .and_then(|number| Provider::from_number(number).ok())
}

/// The ledger's final result for a notice.
#[derive(Debug, Clone, Copy)]
pub struct Resolved {
    /// `Recorded` or `Already`.
    pub resolution: ExceptionResolution,
    /// The company and the sale of the event, which the audit looks up. They may have been unknown while the notice
    /// waited.
    pub business_id: BusinessId,
    pub sale_id: Option<SaleId>,
}

/// Resolves a notice whose content is in the ledger.
///
/// The event that a try records wakes the retry job. The job may try the same notice again before this try has resolved
/// it, and then finds a duplicate. The result and the user of the try that recorded the event replace those of the job.
pub async fn resolve(
    client: &impl GenericClient,
    id: Uuid,
    resolved: &Resolved,
    handled_by: Option<UserId>,
) -> Result<(), Error> {
    client
        .execute(
            "UPDATE exception SET status = 'resolved', resolution = $2,
                                  handled_by = CASE status WHEN 'waiting' THEN coalesce($3, handled_by) ELSE $3 END,
                                  business_id = $4, sale_id = coalesce($5, sale_id), next_try_at = NULL,
                                  ended_at = now()
              WHERE id = $1
                AND (status = 'waiting' OR (status = 'resolved' AND resolution = $6 AND $2 = $7))",
            &[
                &id,
                &resolved.resolution.as_str(),
                &handled_by.map(UserId::uuid),
                &resolved.business_id.uuid(),
                &resolved.sale_id.map(SaleId::uuid),
                &ExceptionResolution::Already.as_str(),
                &ExceptionResolution::Recorded.as_str(),
            ],
        )
        .await
        .map(drop)
}

/// Closes an exception without the ledger, on behalf of staff. Returns false if it no longer waits.
pub async fn close(
    client: &impl tokio_postgres::GenericClient,
    id: Uuid,
    reason: &str,
    handled_by: UserId,
) -> Result<bool, Error> {
    let ended = client
        .execute(
            "UPDATE exception SET status = 'closed', resolution = $2, handled_by = $3, next_try_at = NULL,
                                  ended_at = now()
              WHERE id = $1 AND status = 'waiting'",
            &[&id, &reason, &handled_by.uuid()],
        )
        .await?;
    Ok(ended == 1)
}

/// Updates why a notice waits. Returns whether the reason changed.
pub async fn update_reason(client: &impl GenericClient, id: Uuid, waits: &WaitReason) -> Result<bool, Error> {
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

/// Assigns a notice to a company, on behalf of staff. Returns false if it no longer waits.
pub async fn assign(
    client: &impl tokio_postgres::GenericClient,
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

/// Makes the notices with these reasons due now, after a change of the reference data.
pub async fn retry_soon(client: &impl GenericClient, reasons: &[&str]) -> Result<u64, Error> {
    client
        .execute(
            "UPDATE exception SET next_try_at = now()
              WHERE status = 'waiting' AND reason = ANY ($1) AND next_try_at > now()",
            &[&reasons],
        )
        .await
}

/// Makes one notice due now.
pub async fn retry_one_soon(client: &impl GenericClient, id: Uuid) -> Result<u64, Error> {
    client
        .execute(
            "UPDATE exception SET next_try_at = now() WHERE status = 'waiting' AND id = $1 AND next_try_at > now()",
            &[&id],
        )
        .await
}

/// The sales that have waiting notices, for `WaitingSales`: `most` of them at most.
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

/// The number of waiting exceptions. Staff's screens count up to a limit only (`exceptions_waiting`).
pub async fn waiting_count(client: &impl GenericClient) -> Result<i64, Error> {
    let row = client
        .query_one("SELECT count(*) FROM exception WHERE status = 'waiting'", &[])
        .await?;
    Ok(row.get(0))
}
