//! The queue as staff see it.

use axum::extract::State;
use chrono::{DateTime, Utc};
use deadpool_postgres::GenericClient;
use ledger_domain::ids::{RefundId, UserId};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use serde::Serialize;
use tokio_postgres::Row;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queue;
use super::work::Work;
use crate::AppState;
use crate::http::{FromQuery, Json, Paging, Query, QueryReader};
use crate::problem::Result;

/// Beyond this the exact count tells nobody anything.
const COUNTED_MAX: i64 = 10_000;

/// A notice, a refused refund, or a row of work that can't be read, that waits or waited.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExceptionRow {
    pub id: Uuid,
    /// None for a row of work that can't be read.
    #[schema(required = true, value_type = Option<u8>, example = 1)]
    pub provider: Option<Provider>,
    /// The provider's id of it.
    #[schema(example = "evt_01")]
    pub notice_id: String,
    #[schema(example = "sale.captured")]
    pub r#type: String,
    /// As it came.
    pub body: String,
    /// Why it waits.
    #[schema(example = "no_plan")]
    pub reason: String,
    #[schema(value_type = Object)]
    pub reason_parameters: serde_json::Value,
    #[schema(value_type = Option<String>)]
    pub business_id: Option<BusinessId>,
    pub business_name: Option<String>,
    #[schema(value_type = Option<String>)]
    pub sale_id: Option<SaleId>,
    /// The refund that was refused; none for a notice.
    #[serde(skip)]
    pub refund_id: Option<RefundId>,
    /// The row of work that can't be read; none for a notice.
    #[serde(skip)]
    pub work: Option<(Work, Uuid)>,
    /// Whether staff may say which company it belongs to: only of a notice.
    pub assignable: bool,
    pub received_at: DateTime<Utc>,
    pub tries: i32,
    pub last_tried_at: DateTime<Utc>,
    pub next_try_at: Option<DateTime<Utc>>,
    /// waiting, resolved or closed.
    #[schema(example = "waiting")]
    pub status: String,
    /// How it ended; null while it waits. Of a resolved one a code: recorded (its event is in the ledger), already (the
    /// ledger had its event before), asked_again (the refund was asked for again), tried_again (the row of work went back
    /// to its queue), refunded (the acquirer confirmed the refund after all) or ended (the row of work ended by a later
    /// notice, or expired). Of a closed one the reason that staff wrote.
    #[schema(example = "recorded")]
    pub resolution: Option<String>,
    #[schema(value_type = Option<String>)]
    pub handled_by: Option<UserId>,
    pub ended_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExceptionsPage {
    pub data: Vec<ExceptionRow>,
    pub meta: ExceptionsMeta,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExceptionsMeta {
    pub page: u32,
    pub per_page: u32,
    pub total: i64,
    pub total_pages: i64,
    /// Where there are more than `total`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub total_capped: bool,
}

#[derive(Debug)]
pub struct ExceptionsFilter {
    paging: Paging,
    newest_first: bool,
    provider: Option<Provider>,
    notice_type: Option<String>,
    status: Option<String>,
}

impl FromQuery for ExceptionsFilter {
    fn read(query: &mut QueryReader) -> Self {
        let newest_first = query.read("order", "Deve ser asc ou desc.", |text| match text {
            "asc" => Some(false),
            "desc" => Some(true),
            _ => None,
        });
        let status = query.read("status", "Deve ser waiting, resolved, closed ou all.", |text| {
            matches!(text, "waiting" | "resolved" | "closed" | "all").then(|| text.to_owned())
        });
        Self {
            paging: Paging::read(query),
            newest_first: newest_first.unwrap_or(true),
            provider: query.read("provider", "Deve ser uma adquirente.", |text| {
                Provider::parse(text).ok()
            }),
            notice_type: query.text("type").map(str::to_owned),
            // What staff have to do, unless they ask for more.
            status: status
                .or_else(|| Some("waiting".to_owned()))
                .filter(|status| status != "all"),
        }
    }
}

/// Lists notices that the ledger could not take; those that still wait, unless `status` says otherwise.
#[utoipa::path(
    get,
    path = "/admin/exceptions",
    tag = "notices",
    summary = "List notices that wait for staff",
    params(
        ("page" = Option<u32>, Query, example = 1),
        ("perPage" = Option<u32>, Query, example = 20),
        ("order" = Option<String>, Query, pattern = "^(asc|desc)$", description = "asc or desc (default) by arrival"),
        ("provider" = Option<String>, Query, pattern = "^([1-8]|zoop|iugu|zoop_v2|valori|entrepay|barte|ceopag|ceopag_p2)$", description = "id or slug", example = "zoop"),
        ("type" = Option<String>, Query, example = "sale.captured"),
        ("status" = Option<String>, Query, pattern = "^(waiting|resolved|closed|all)$", description = "waiting (default), resolved, closed or all"),
    ),
    responses((status = 200, description = "A page of them", body = ExceptionsPage)),
)]
pub async fn list_exceptions(
    State(state): State<AppState>,
    Query(filter): Query<ExceptionsFilter>,
) -> Result<Json<ExceptionsPage>> {
    let client = state.pool.get().await?;
    Ok(Json(exception_list(&client, &filter).await?))
}

async fn exception_list(client: &impl GenericClient, filter: &ExceptionsFilter) -> Result<ExceptionsPage> {
    let Paging { page, per_page } = filter.paging;
    let offset = i64::from(page.saturating_sub(1)) * i64::from(per_page);
    // Pages by number end where the total does.
    let limit = i64::from(per_page).min((COUNTED_MAX - offset).max(0));
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
    let total = found.min(COUNTED_MAX);
    Ok(ExceptionsPage {
        data: rows.iter().map(exception_row).collect(),
        meta: ExceptionsMeta {
            page,
            per_page,
            total,
            total_pages: (total + i64::from(per_page) - 1) / i64::from(per_page),
            total_capped: found > COUNTED_MAX,
        },
    })
}

/// How many wait for staff.
pub async fn exceptions_waiting(
    client: &impl tokio_postgres::GenericClient,
) -> Result<i64, tokio_postgres::Error> {
    let row = client
        .query_one("SELECT count(*) FROM exception WHERE status = 'waiting'", &[])
        .await?;
    Ok(row.get(0))
}

pub(super) async fn exception_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<ExceptionRow>> {
    let row = client
        .query_opt(
            "SELECT e.*, b.name AS business_name FROM exception e LEFT JOIN business b ON b.id = e.business_id
              WHERE e.id = $1",
            &[&id],
        )
        .await?;
    Ok(row.as_ref().map(exception_row))
}

fn exception_row(row: &Row) -> ExceptionRow {
    let work = row.get::<_, Option<&str>>("work").and_then(Work::of_column);
    let refund_id = row.get::<_, Option<Uuid>>("refund_id").map(RefundId::from_uuid);
    ExceptionRow {
        id: row.get("id"),
        provider: queue::provider(row.get("provider")),
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
        assignable: refund_id.is_none() && work.is_none(),
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
