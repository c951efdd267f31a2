//! Changes of plans that wait for a second person. A trigger lets each row be decided once, and another one refuses
//! deletes.

use ledger_domain::PlanId;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use projections::{Page, Paging, SortOrder};
use serde_json::Value;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::{direction, numbered_page};
use crate::columns::{self, column_words};

/// The plan that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedPlan {
    Sales(PlanId),
    Receiving(Uuid),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeStatus {
    Pending,
    Approved,
    Rejected,
    /// By the user who requested it.
    Withdrawn,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlanChangeRecord {
    pub id: Uuid,
    pub plan: ChangedPlan,
    /// The plan's description now.
    pub description: String,
    /// The plan's revision that the change started from.
    pub revision: i32,
    /// The body of the request, which an approval applies.
    pub form: Value,
    /// The fields that the form changes, with their values at the time of the request.
    pub before: Value,
    /// The same fields with the requested values.
    pub after: Value,
    /// The default at the time of the request, if the plan is to take its place.
    pub replaces_default: Option<Uuid>,
    pub requested_by: UserId,
    pub requested_at: Instant,
    pub status: ChangeStatus,
    pub decided_by: Option<UserId>,
    pub decided_at: Option<Instant>,
    pub reason: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewPlanChange {
    pub id: Uuid,
    pub plan: ChangedPlan,
    /// The fields below are those of `PlanChangeRecord`.
    pub revision: i32,
    pub form: Value,
    pub before: Value,
    pub after: Value,
    pub replaces_default: Option<Uuid>,
    pub requested_by: UserId,
    pub requested_at: Instant,
}

#[derive(Debug, Clone)]
pub struct Decision {
    pub status: ChangeStatus,
    pub by: UserId,
    pub at: Instant,
    pub reason: Option<String>,
}

impl ChangedPlan {
    const fn sales(self) -> Option<Uuid> {
        match self {
            Self::Sales(plan) => Some(plan.uuid()),
            Self::Receiving(_) => None,
        }
    }

    const fn receiving(self) -> Option<Uuid> {
        match self {
            Self::Sales(_) => None,
            Self::Receiving(plan) => Some(plan),
        }
    }
}

impl ChangeStatus {
    pub const ALL: [Self; 4] = [Self::Pending, Self::Approved, Self::Rejected, Self::Withdrawn];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
        }
    }
}

column_words! {
    ChangeStatus = "status of a change" |word| Self::ALL.into_iter().find(|status| status.as_str() == word);
}

/// Returns false if the plan has a pending change.
pub async fn change_request(client: &impl GenericClient, new: &NewPlanChange) -> Result<bool, Error> {
    let added = client
        .execute_typed(
            "INSERT INTO plan_change (id, plan_id, receiving_plan_id, revision, form, before, after, requested_by,
                                      requested_at, replaces_default)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
            &[
                (&new.id, Type::UUID),
                (&new.plan.sales(), Type::UUID),
                (&new.plan.receiving(), Type::UUID),
                (&new.revision, Type::INT4),
                (&Json(&new.form), Type::JSON),
                (&Json(&new.before), Type::JSON),
                (&Json(&new.after), Type::JSON),
                (&new.requested_by.uuid(), Type::UUID),
                (&new.requested_at, Type::TIMESTAMPTZ),
                (&new.replaces_default, Type::UUID),
            ],
        )
        .await?;
    Ok(added == 1)
}

macro_rules! change_select {
    () => {
        "SELECT c.id, c.plan_id, c.receiving_plan_id, coalesce(p.description, r.description), c.revision, c.form,
                c.before, c.after, c.requested_by, c.requested_at, c.status, c.decided_by, c.decided_at, c.reason,
                c.replaces_default
           FROM plan_change AS c
           LEFT JOIN plan AS p ON p.id = c.plan_id
           LEFT JOIN receiving_plan AS r ON r.id = c.receiving_plan_id "
    };
}

/// The change, locked until the end of the transaction.
pub async fn change_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<PlanChangeRecord>, Error> {
    let row = client
        .query_typed_opt(
            concat!(change_select!(), "WHERE c.id = $1 FOR UPDATE OF c"),
            &[(&id, Type::UUID)],
        )
        .await?;
    row.as_ref().map(record).transpose()
}

pub async fn change_pending(
    client: &impl GenericClient,
    plan: ChangedPlan,
) -> Result<Option<PlanChangeRecord>, Error> {
    let row = client
        .query_typed_opt(
            concat!(
                change_select!(),
                "WHERE c.status = 'pending' AND (c.plan_id = $1 OR c.receiving_plan_id = $2)"
            ),
            &[(&plan.sales(), Type::UUID), (&plan.receiving(), Type::UUID)],
        )
        .await?;
    row.as_ref().map(record).transpose()
}

/// The pending changes of these receiving plans.
pub async fn receiving_plan_changes_pending(
    client: &impl GenericClient,
    plans: &[Uuid],
) -> Result<Vec<PlanChangeRecord>, Error> {
    let rows = client
        .query_typed(
            concat!(
                change_select!(),
                "WHERE c.status = 'pending' AND c.receiving_plan_id = ANY ($1)"
            ),
            &[(&plans, Type::UUID_ARRAY)],
        )
        .await?;
    rows.iter().map(record).collect()
}

/// One page by number, sorted by the time of the request. `None` selects every status.
pub async fn change_list(
    client: &impl GenericClient,
    status: Option<ChangeStatus>,
    order: SortOrder,
    paging: Paging,
) -> Result<Page<PlanChangeRecord>, Error> {
    let direction = direction(order);
    let status = status.map(ChangeStatus::as_str);
    let (limit, offset) = (paging.limit(), paging.offset());
    let sql = format!(
        concat!(
            change_select!(),
            "WHERE $1::text IS NULL OR c.status = $1
             ORDER BY c.requested_at {direction}, c.id {direction} LIMIT $2 OFFSET $3"
        ),
        direction = direction,
    );
    let rows = client
        .query_typed(
            &sql,
            &[(&status, Type::TEXT), (&limit, Type::INT8), (&offset, Type::INT8)],
        )
        .await?;
    let total = client
        .query_typed_one(
            "SELECT count(*) FROM plan_change WHERE $1::text IS NULL OR status = $1",
            &[(&status, Type::TEXT)],
        )
        .await?;
    let rows = rows.iter().map(record).collect::<Result<_, _>>()?;
    Ok(numbered_page(rows, &total))
}

/// Decides a pending change. The table refuses a second decision.
pub async fn change_decide(client: &impl GenericClient, id: Uuid, decision: &Decision) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE plan_change SET status = $2, decided_by = $3, decided_at = $4, reason = $5 WHERE id = $1",
            &[
                (&id, Type::UUID),
                (&decision.status.as_str(), Type::TEXT),
                (&decision.by.uuid(), Type::UUID),
                (&decision.at, Type::TIMESTAMPTZ),
                (&decision.reason, Type::TEXT),
            ],
        )
        .await
        .map(drop)
}

fn record(row: &Row) -> Result<PlanChangeRecord, Error> {
    let sales: Option<Uuid> = row.try_get(1)?;
    let receiving: Option<Uuid> = row.try_get(2)?;
    let (Json(form), Json(before), Json(after)) = (row.try_get(5)?, row.try_get(6)?, row.try_get(7)?);
    Ok(PlanChangeRecord {
        id: row.try_get(0)?,
        plan: match sales {
            Some(plan) => ChangedPlan::Sales(PlanId::from_uuid(plan)),
            // A CHECK of the table: a row has exactly one of the two.
            None => ChangedPlan::Receiving(receiving.unwrap_or_default()),
        },
        description: row.try_get(3)?,
        revision: row.try_get(4)?,
        form,
        before,
        after,
        requested_by: UserId::from_uuid(row.try_get(8)?),
        requested_at: row.try_get(9)?,
        status: columns::read(row, 10)?,
        decided_by: row.try_get::<_, Option<Uuid>>(11)?.map(UserId::from_uuid),
        decided_at: row.try_get(12)?,
        reason: row.try_get(13)?,
        replaces_default: row.try_get(14)?,
    })
}
