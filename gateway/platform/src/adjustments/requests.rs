//! Adjustments that wait for a second person. They are outside of the ledger until another person says yes. A trigger
//! lets each row go forward only, and another one refuses deletes.

use chrono::TimeDelta;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, Cents, TransferId};
use ledger_rows::{FromRow, execute, fetch, fetch_one, fetch_opt, params, row};
use ledger_store::Idempotency;
use projections::SortOrder;
use serde_json::Value;
use tokio_postgres::types::Json;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::holds::HoldAction;
use super::{Adjustment, AdjustmentKind};
use crate::list::{Conditions, List, Order};

/// How long a request waits for a second person.
pub const EXPIRES_AFTER: TimeDelta = TimeDelta::days(7);
/// Why an expired request ended.
pub const EXPIRED_REASON: &str = "Ninguém decidiu em 7 dias.";

ledger_domain::words! {
    /// approved: another person has said yes, and the ledger has not answered yet. recorded, refused: the ledger's
    /// answer. withdrawn: by the requester. expired: nobody decided in 7 days.
    pub enum AdjustmentRequestStatus {
        Pending = "pending" => "Pendente",
        Approved = "approved" => "Aprovado",
        Recorded = "recorded" => "Lançado",
        Refused = "refused" => "Não lançado",
        Rejected = "rejected" => "Rejeitado",
        Withdrawn = "withdrawn" => "Retirado",
        Expired = "expired" => "Expirado",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRecord {
    pub id: Uuid,
    pub adjustment: Adjustment,
    pub business_name: String,
    pub requested_by: UserId,
    pub requested_at: Instant,
    /// The key of the first request, under which the ledger records the adjustment.
    pub idempotency: Option<Idempotency>,
    pub status: AdjustmentRequestStatus,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<Instant>,
    pub decision_reason: Option<String>,
    /// Why the ledger refused the approved adjustment.
    pub refusal: Option<String>,
}

row! {
    impl FromRow for RequestRecord {
        id: Uuid = "r.id",
        kind: AdjustmentKind = "r.kind",
        business_id: BusinessId = "r.business_id",
        amount: Cents = "r.amount",
        reason: String = "r.reason",
        allow_negative: bool = "r.allow_negative",
        plans: Option<Value> = "r.plans",
        hold: Option<Json<HoldAction>> = "r.hold",
        business_name: String = "b.name",
        requested_by: UserId = "r.requested_by",
        requested_at: Instant = "r.requested_at",
        idempotency_key: Option<[u8; 16]> = "r.idempotency_key",
        fingerprint: Option<[u8; 16]> = "r.fingerprint",
        status: AdjustmentRequestStatus = "r.status",
        decided_by: Option<UserId> = "r.decided_by",
        decided_at: Option<Instant> = "r.decided_at",
        decision_reason: Option<String> = "r.decision_reason",
        refusal: Option<String> = "r.refusal",
    } => Self {
        id,
        adjustment: Adjustment { kind, business_id, amount, reason, allow_negative, plans, hold: hold.map(|Json(hold)| hold) },
        business_name,
        requested_by,
        requested_at,
        // A CHECK of the table: both have 16 bytes, or both are null.
        idempotency: idempotency_key
            .zip(fingerprint)
            .map(|(key, fingerprint)| Idempotency { key, fingerprint }),
        status,
        decided_by,
        decided_at,
        decision_reason,
        refusal,
    }
}

#[derive(Debug, Clone)]
pub struct NewRequest<'a> {
    pub id: Uuid,
    pub adjustment: &'a Adjustment,
    pub requested_by: UserId,
    pub requested_at: Instant,
    pub idempotency: Option<Idempotency>,
}

#[derive(Debug, Clone)]
pub struct Decision {
    pub status: AdjustmentRequestStatus,
    /// `None` if it expired.
    pub by: Option<UserId>,
    pub at: Instant,
    pub reason: Option<String>,
}

impl RequestRecord {
    /// The transfer that is recorded for a credit or a removal. A hold that is placed has the same id.
    pub const fn transfer_id(&self) -> TransferId {
        TransferId::from_uuid(self.id)
    }

    pub fn expires_at(&self) -> Instant {
        self.requested_at + EXPIRES_AFTER
    }
}

/// Selects requests, in the order in which they were made. `None` selects every status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AdjustmentRequestFilter {
    pub status: Option<AdjustmentRequestStatus>,
    pub order: SortOrder,
}

impl List for AdjustmentRequestFilter {
    type Row = RequestRecord;
    const TABLE: &'static str = "adjustment_request r";
    const JOINS: &'static str = "JOIN business b ON b.id = r.business_id";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("r.status", &self.status);
    }

    fn order(&self) -> Order {
        Order::by(&["r.requested_at", "r.id"], self.order)
    }
}

/// Returns false if the company has a pending request for its plans already.
pub async fn request_add(client: &impl GenericClient, new: &NewRequest<'_>) -> Result<bool, Error> {
    let NewRequest {
        id,
        adjustment,
        requested_by,
        requested_at,
        idempotency,
    } = new;
    let Adjustment {
        kind,
        business_id,
        amount,
        reason,
        allow_negative,
        plans,
        hold,
    } = adjustment;
    let sql =
        "INSERT INTO adjustment_request (id, kind, business_id, amount, reason, allow_negative, requested_by,
                                               requested_at, idempotency_key, fingerprint, plans, hold)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
               ON CONFLICT (business_id) WHERE kind = 'plan' AND status = 'pending' DO NOTHING";
    let hold = hold.as_ref().map(Json);
    let key = idempotency.map(|given| given.key);
    let fingerprint = idempotency.map(|given| given.fingerprint);
    let parameters = params![
        id,
        kind,
        business_id,
        amount,
        reason,
        allow_negative,
        requested_by,
        requested_at,
        key,
        fingerprint,
        plans,
        hold,
    ];
    Ok(execute(client, sql, parameters).await? == 1)
}

pub async fn request_fetch(client: &impl GenericClient, id: Uuid) -> Result<Option<RequestRecord>, Error> {
    let sql = AdjustmentRequestFilter::select("WHERE r.id = $1");
    fetch_opt(client, &sql, params![id]).await
}

/// The request, locked until the end of the transaction.
pub async fn request_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<RequestRecord>, Error> {
    let sql = AdjustmentRequestFilter::select("WHERE r.id = $1 FOR UPDATE OF r");
    fetch_opt(client, &sql, params![id]).await
}

/// The request that was made under this key.
pub async fn request_by_key(
    client: &impl GenericClient,
    business_id: BusinessId,
    idempotency: &Idempotency,
) -> Result<Option<RequestRecord>, Error> {
    let sql = AdjustmentRequestFilter::select("WHERE r.business_id = $1 AND r.idempotency_key = $2");
    fetch_opt(client, &sql, params![business_id, idempotency.key]).await
}

row! {
    /// The requests that wait for a second person.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct RequestsPending {
        pub count: i64 = "count(*)",
        /// Cents.
        pub amount: i64 = "coalesce(sum(amount), 0)::bigint",
        pub oldest_at: Option<Instant> = "min(requested_at)",
    }
}

pub async fn requests_pending(client: &impl GenericClient) -> Result<RequestsPending, Error> {
    let columns = RequestsPending::COLUMNS;
    let sql = format!("SELECT {columns} FROM adjustment_request WHERE status = 'pending'");
    fetch_one(client, &sql, params![]).await
}

/// The approved requests on which the ledger has not answered, the oldest decision first.
pub async fn requests_approved(client: &impl GenericClient, limit: i64) -> Result<Vec<RequestRecord>, Error> {
    let rest = "WHERE r.status = 'approved' ORDER BY r.decided_at, r.id LIMIT $1";
    fetch(client, &AdjustmentRequestFilter::select(rest), params![limit]).await
}

/// The pending requests whose time has ended.
pub async fn requests_to_expire(
    client: &impl GenericClient,
    now: Instant,
    limit: i64,
) -> Result<Vec<RequestRecord>, Error> {
    let rest = "WHERE r.status = 'pending' AND r.requested_at <= $1 ORDER BY r.requested_at, r.id LIMIT $2";
    let made_before = now - EXPIRES_AFTER;
    fetch(
        client,
        &AdjustmentRequestFilter::select(rest),
        params![made_before, limit],
    )
    .await
}

/// Decides a pending request. The table refuses a second decision.
pub async fn request_decide(client: &impl GenericClient, id: Uuid, decision: &Decision) -> Result<(), Error> {
    let Decision {
        status,
        by,
        at,
        reason,
    } = decision;
    let sql =
        "UPDATE adjustment_request SET status = $2, decided_by = $3, decided_at = $4, decision_reason = $5
                WHERE id = $1";
    execute(client, sql, params![id, status, by, at, reason])
        .await
        .map(drop)
}

/// Stores the ledger's answer to an approved request. Returns false if it is stored already.
pub async fn request_end(
    client: &impl GenericClient,
    id: Uuid,
    refusal: Option<&str>,
) -> Result<bool, Error> {
    let status = match refusal {
        Some(_) => AdjustmentRequestStatus::Refused,
        None => AdjustmentRequestStatus::Recorded,
    };
    let sql = "UPDATE adjustment_request SET status = $2, refusal = $3 WHERE id = $1 AND status = 'approved'";
    Ok(execute(client, sql, params![id, status, refusal]).await? == 1)
}
