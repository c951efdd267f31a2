//! Receiving plans: the fee of a company's withdrawals. A change applies to the next withdrawal; those that were
//! requested keep their fee.

use ledger_domain::Cents;
use ledger_domain::calendar::Instant;
use ledger_rows::{execute, fetch, fetch_opt, params, row};
use projections::SortOrder;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::{PlanSearch, PlanSort};
use crate::list::{Conditions, List, Order};

pub mod edit;

row! {
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
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceivingPlanFilter {
    pub search: Option<PlanSearch>,
    pub active: Option<bool>,
    pub sort: PlanSort,
    pub order: SortOrder,
}

impl List for ReceivingPlanFilter {
    type Row = ReceivingPlan;
    const TABLE: &'static str = "receiving_plan";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        PlanSearch::restrict(self.search.as_ref(), list);
        list.equals("active", &self.active);
    }

    fn order(&self) -> Order {
        self.sort.order(self.order)
    }
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
    let sql = ReceivingPlanFilter::select("WHERE id = $1 OR is_default");
    let plans: Vec<ReceivingPlan> = fetch(client, &sql, params![id]).await?;
    let find = |wanted: &dyn Fn(&ReceivingPlan) -> bool| plans.iter().find(|plan| wanted(plan)).cloned();
    Ok((find(&|plan| plan.id == id), find(&|plan| plan.is_default)))
}

pub async fn receiving_plan_fetch(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<ReceivingPlan>, Error> {
    fetch_opt(client, &ReceivingPlanFilter::select("WHERE id = $1"), params![id]).await
}

/// Sets every field that can change, and counts the change.
pub async fn receiving_plan_update(
    client: &impl GenericClient,
    changed: &ReceivingPlan,
) -> Result<(), Error> {
    let ReceivingPlan {
        id,
        description,
        flat_rate,
        is_default,
        active,
        ..
    } = changed;
    let sql = "UPDATE receiving_plan
                  SET description = $2, flat_rate = $3, is_default = $4, active = $5, revision = revision + 1
                WHERE id = $1";
    let parameters = params![id, description, flat_rate, is_default, active];
    execute(client, sql, parameters).await.map(drop)
}
