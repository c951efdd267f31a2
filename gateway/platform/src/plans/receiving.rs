//! Receiving plans: the fee of a company's withdrawals. A change applies to the next withdrawal; those that were
//! requested keep their fee.

use ledger_domain::Cents;
use ledger_domain::calendar::Instant;
use projections::{Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::{PlanSort, direction, numbered_page};
use crate::companies::search_key;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivingPlan {
    pub id: Uuid,
    pub description: String,
    pub flat_rate: Cents,
    pub is_default: bool,
    pub active: bool,
    /// Counts the changes of the plan.
    pub revision: i32,
    pub created_at: Instant,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceivingPlanFilter {
    /// Part of the description. Case and accents are ignored.
    pub search: Option<String>,
    pub active: Option<bool>,
    pub sort: PlanSort,
    pub order: SortOrder,
}

macro_rules! columns {
    () => {
        "id, description, flat_rate, is_default, active, revision, created_at"
    };
}

macro_rules! filter {
    () => {
        "($1::text IS NULL
          OR strpos(folded(description), $1) > 0)
     AND ($2::bool IS NULL OR active = $2)"
    };
}

/// One page by number.
pub async fn receiving_plan_list(
    client: &impl GenericClient,
    plans: &ReceivingPlanFilter,
    paging: Paging,
) -> Result<Page<ReceivingPlan>, Error> {
    let direction = direction(plans.order);
    let key = match plans.sort {
        PlanSort::Created => "created_at",
        PlanSort::Description => "lower(description)",
    };
    let search = plans.search.as_deref().map(search_key);
    let filter: [(&(dyn ToSql + Sync), Type); 2] = [(&search, Type::TEXT), (&plans.active, Type::BOOL)];
    let (limit, offset) = (paging.limit(), paging.offset());
    let mut parameters = filter.to_vec();
    parameters.extend([(&limit as &(dyn ToSql + Sync), Type::INT8), (&offset, Type::INT8)]);
    let sql = format!(
        "SELECT {columns} FROM receiving_plan WHERE {filter}
          ORDER BY {key} {direction}, id {direction} LIMIT $3 OFFSET $4",
        columns = columns!(),
        filter = filter!(),
    );
    let rows = client.query_typed(&sql, &parameters).await?;
    let total = client
        .query_typed_one(
            concat!("SELECT count(*) FROM receiving_plan WHERE ", filter!()),
            &filter,
        )
        .await?;
    Ok(numbered_page(rows.iter().map(plan).collect(), &total))
}

/// Locks the plans until the end of the transaction, and returns the plan and the default one.
///
/// The lock is on the table, and a later statement reads the rows. A statement that waited for the row of the old
/// default would not see the default that the other transaction has just set.
pub async fn receiving_plans_locked(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<(Option<ReceivingPlan>, Option<ReceivingPlan>), Error> {
    client
        .batch_execute("LOCK TABLE receiving_plan IN SHARE ROW EXCLUSIVE MODE")
        .await?;
    let rows = client
        .query_typed(
            concat!(
                "SELECT ",
                columns!(),
                " FROM receiving_plan WHERE id = $1 OR is_default"
            ),
            &[(&id, Type::UUID)],
        )
        .await?;
    let plans: Vec<_> = rows.iter().map(plan).collect();
    let find = |wanted: &dyn Fn(&ReceivingPlan) -> bool| plans.iter().find(|plan| wanted(plan)).cloned();
    Ok((find(&|plan| plan.id == id), find(&|plan| plan.is_default)))
}

pub async fn receiving_plan_fetch(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<ReceivingPlan>, Error> {
    let row = client
        .query_typed_opt(
            concat!("SELECT ", columns!(), " FROM receiving_plan WHERE id = $1"),
            &[(&id, Type::UUID)],
        )
        .await?;
    Ok(row.as_ref().map(plan))
}

/// Sets every field that can change, and counts the change.
pub async fn receiving_plan_update(
    client: &impl GenericClient,
    changed: &ReceivingPlan,
) -> Result<(), Error> {
    client
        .query_typed(
            "UPDATE receiving_plan
                SET description = $2, flat_rate = $3, is_default = $4, active = $5, revision = revision + 1
              WHERE id = $1",
            &[
                (&changed.id, Type::UUID),
                (&changed.description, Type::TEXT),
                (&changed.flat_rate.get(), Type::INT8),
                (&changed.is_default, Type::BOOL),
                (&changed.active, Type::BOOL),
            ],
        )
        .await
        .map(drop)
}

fn plan(row: &Row) -> ReceivingPlan {
    ReceivingPlan {
        id: row.get(0),
        description: row.get(1),
        flat_rate: Cents::new(row.get(2)),
        is_default: row.get(3),
        active: row.get(4),
        revision: row.get(5),
        created_at: row.get(6),
    }
}
