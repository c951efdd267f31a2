//! The exceptions queue as staff see it.

use chrono::{DateTime, Utc};
use ledger_domain::ids::{RefundId, UserId};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::queue;
use crate::outboxes::Work;

/// The count stops here. An exact count costs too much for its use.
const COUNTED_MAX: i64 = 10_000;

/// A waiting or ended exception: a notice, a refused refund, an unreadable row of work, or an exception that staff
/// settle by hand.
#[derive(Debug)]
pub struct ExceptionRecord {
    pub id: Uuid,
    /// `None` for an unreadable row of work, or if this version does not know the provider.
    pub provider: Option<Provider>,
    /// The provider's id of the notice. For other exceptions it is the id of the refund or of the row, or the type and
    /// the subject of an exception that staff settle by hand.
    pub notice_id: String,
    pub r#type: String,
    pub body: String,
    /// The code of the reason why it waits.
    pub reason: String,
    pub reason_parameters: serde_json::Value,
    pub business_id: Option<BusinessId>,
    pub business_name: Option<String>,
    pub sale_id: Option<SaleId>,
    /// The refused refund; `None` for other exceptions.
    pub refund_id: Option<RefundId>,
    /// The unreadable row of work; `None` for other exceptions.
    pub work: Option<(Work, Uuid)>,
    /// Whether it is a notice. Staff can assign it to a company while it waits.
    pub assignable: bool,
    /// Staff settle it outside the platform, and then close it.
    pub by_hand: bool,
    pub received_at: DateTime<Utc>,
    pub tries: i32,
    pub last_tried_at: DateTime<Utc>,
    pub next_try_at: Option<DateTime<Utc>>,
    /// `waiting`, `resolved` or `closed`.
    pub status: String,
    /// How it ended; `None` while it waits. A closed one has the reason that staff wrote. A resolved one has one of
    /// these codes:
    /// - recorded: its event is in the ledger
    /// - already: the ledger had its event before
    /// - asked_again: the refund was requested again
    /// - tried_again: the row of work went back to its queue
    /// - refunded: the acquirer confirmed the refund later
    /// - ended: the row of work has ended
    pub resolution: Option<String>,
    pub handled_by: Option<UserId>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// Selects exceptions and a page of them.
#[derive(Debug)]
pub struct ExceptionsFilter {
    pub page: u32,
    pub per_page: u32,
    pub newest_first: bool,
    pub provider: Option<Provider>,
    pub notice_type: Option<String>,
    /// All statuses if `None`.
    pub status: Option<String>,
}

/// A page of the queue.
#[derive(Debug)]
pub struct ExceptionPage {
    pub rows: Vec<ExceptionRecord>,
    pub total: i64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
}

pub async fn exception_list(
    client: &impl GenericClient,
    filter: &ExceptionsFilter,
) -> Result<ExceptionPage, Error> {
    let per_page = i64::from(filter.per_page);
    let offset = i64::from(filter.page.saturating_sub(1)) * per_page;
    // Pages end at the largest counted total.
    let limit = per_page.min((COUNTED_MAX - offset).max(0));
    let provider = filter.provider.map(|provider| i16::from(provider.number()));
    const WHICH: &str = "($1::smallint IS NULL OR provider = $1) AND ($2::text IS NULL OR notice_type = $2)
                         AND ($3::text IS NULL OR status = $3)";
    let counted = client
        .query_one(
            &format!("SELECT count(*) FROM (SELECT FROM exception WHERE {WHICH} LIMIT {COUNTED_MAX} + 1) AS counted"),
            &[&provider, &filter.notice_type, &filter.status],
        )
        .await?;
    let direction = if filter.newest_first { "DESC" } else { "ASC" };
    let rows = client
        .query(
            &format!(
                "SELECT e.*, b.name AS business_name
                   FROM (SELECT * FROM exception WHERE {WHICH}
                          ORDER BY received_at {direction}, id {direction} LIMIT $4 OFFSET $5) AS e
                   LEFT JOIN business b ON b.id = e.business_id
                  ORDER BY e.received_at {direction}, e.id {direction}"
            ),
            &[
                &provider,
                &filter.notice_type,
                &filter.status,
                &limit,
                &offset.min(COUNTED_MAX),
            ],
        )
        .await?;
    let found: i64 = counted.get(0);
    Ok(ExceptionPage {
        rows: rows.iter().map(exception_record).collect(),
        total: found.min(COUNTED_MAX),
        total_capped: found > COUNTED_MAX,
    })
}

/// The number of waiting exceptions, counted up to 10,000.
pub async fn exceptions_waiting(client: &impl GenericClient) -> Result<i64, Error> {
    let sql = format!(
        "SELECT count(*) FROM (SELECT FROM exception WHERE status = 'waiting' LIMIT {COUNTED_MAX}) AS waiting"
    );
    let row = client.query_one(&sql, &[]).await?;
    Ok(row.get(0))
}

pub async fn exception_fetch(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<ExceptionRecord>, Error> {
    let row = client
        .query_opt(
            "SELECT e.*, b.name AS business_name FROM exception e LEFT JOIN business b ON b.id = e.business_id
              WHERE e.id = $1",
            &[&id],
        )
        .await?;
    Ok(row.as_ref().map(exception_record))
}

fn exception_record(row: &Row) -> ExceptionRecord {
    let work = row.get::<_, Option<&str>>("work").and_then(Work::of_table);
    let refund_id = row.get::<_, Option<Uuid>>("refund_id").map(RefundId::from_uuid);
    let by_hand: bool = row.get("by_hand");
    ExceptionRecord {
        id: row.get("id"),
        provider: queue::provider_of_number(row.get("provider")),
        notice_id: row.get("notice_id"),
        r#type: row.get("notice_type"),
        body: row.get("body"),
        reason: row.get("reason"),
        reason_parameters: row.get("reason_parameters"),
        business_id: row
            .get::<_, Option<Uuid>>("business_id")
            .map(BusinessId::from_uuid),
        business_name: row.get("business_name"),
        sale_id: row.get::<_, Option<Uuid>>("sale_id").map(SaleId::from_uuid),
        refund_id,
        work: work.zip(row.get("work_id")),
        assignable: refund_id.is_none() && work.is_none() && !by_hand,
        by_hand,
        received_at: row.get("received_at"),
        tries: row.get("tries"),
        last_tried_at: row.get("last_tried_at"),
        next_try_at: row.get("next_try_at"),
        status: row.get("status"),
        resolution: row.get("resolution"),
        handled_by: row.get::<_, Option<Uuid>>("handled_by").map(UserId::from_uuid),
        ended_at: row.get("ended_at"),
    }
}
