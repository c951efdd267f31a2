//! Changes of plans that wait for a second person. A trigger lets each row be decided once, and another one refuses
//! deletes.

use ledger_domain::PlanId;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_rows::{execute, fetch, fetch_opt, params, row};
use projections::SortOrder;
use serde_json::Value;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::list::{Conditions, List, Order};

/// The plan that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedPlan {
    Sales(PlanId),
    Receiving(Uuid),
}

ledger_domain::words! {
    pub enum ChangedPlanKind {
        Sales = "sales" => "Venda",
        Receiving = "receiving" => "Recebimento",
    }
}

ledger_domain::words! {
    /// withdrawn: by the user who requested it.
    pub enum PlanChangeStatus {
        Pending = "pending" => "Pendente",
        Approved = "approved" => "Aprovada",
        Rejected = "rejected" => "Rejeitada",
        Withdrawn = "withdrawn" => "Retirada",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    Reject,
    /// By the user who requested the change.
    Withdraw,
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
    pub status: PlanChangeStatus,
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
    pub verdict: Verdict,
    pub by: UserId,
    pub at: Instant,
    pub reason: Option<String>,
}

impl ChangedPlan {
    pub const fn kind(self) -> ChangedPlanKind {
        match self {
            Self::Sales(_) => ChangedPlanKind::Sales,
            Self::Receiving(_) => ChangedPlanKind::Receiving,
        }
    }

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

impl Verdict {
    pub const fn status(self) -> PlanChangeStatus {
        match self {
            Self::Approve => PlanChangeStatus::Approved,
            Self::Reject => PlanChangeStatus::Rejected,
            Self::Withdraw => PlanChangeStatus::Withdrawn,
        }
    }

    /// The name in the audit log.
    pub(crate) const fn action(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Withdraw => "withdraw",
        }
    }
}

row! {
    impl FromRow for PlanChangeRecord {
        id: Uuid = "c.id",
        sales: Option<PlanId> = "c.plan_id",
        receiving: Option<Uuid> = "c.receiving_plan_id",
        description: String = "coalesce(p.description, r.description)",
        revision: i32 = "c.revision",
        form: Value = "c.form",
        before: Value = "c.before",
        after: Value = "c.after",
        replaces_default: Option<Uuid> = "c.replaces_default",
        requested_by: UserId = "c.requested_by",
        requested_at: Instant = "c.requested_at",
        status: PlanChangeStatus = "c.status",
        decided_by: Option<UserId> = "c.decided_by",
        decided_at: Option<Instant> = "c.decided_at",
        reason: Option<String> = "c.reason",
    } => Self {
        id,
        // A CHECK of the table: a row has exactly one of the two.
        plan: sales.map_or_else(
            || ChangedPlan::Receiving(receiving.unwrap_or_default()),
            ChangedPlan::Sales,
        ),
        description,
        revision,
        form,
        before,
        after,
        replaces_default,
        requested_by,
        requested_at,
        status,
        decided_by,
        decided_at,
        reason,
    }
}

/// Selects requests, sorted by their time. `None` selects every status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlanChangeFilter {
    pub status: Option<PlanChangeStatus>,
    pub order: SortOrder,
}

impl List for PlanChangeFilter {
    type Row = PlanChangeRecord;
    const TABLE: &'static str = "plan_change c";
    const JOINS: &'static str = "LEFT JOIN plan p ON p.id = c.plan_id
                                 LEFT JOIN receiving_plan r ON r.id = c.receiving_plan_id";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("c.status", &self.status);
    }

    fn order(&self) -> Order {
        Order::by(&["c.requested_at", "c.id"], self.order)
    }
}

/// Returns false if the plan has a pending change.
pub async fn change_request(client: &impl GenericClient, new: &NewPlanChange) -> Result<bool, Error> {
    let sql = "INSERT INTO plan_change (id, plan_id, receiving_plan_id, revision, form, before, after, requested_by,
                                        requested_at, replaces_default)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING";
    let (sales, receiving) = (new.plan.sales(), new.plan.receiving());
    let parameters = params![
        new.id,
        sales,
        receiving,
        new.revision,
        new.form,
        new.before,
        new.after,
        new.requested_by,
        new.requested_at,
        new.replaces_default,
    ];
    Ok(execute(client, sql, parameters).await? == 1)
}

/// The change, locked until the end of the transaction.
pub async fn change_locked(client: &impl GenericClient, id: Uuid) -> Result<Option<PlanChangeRecord>, Error> {
    let sql = PlanChangeFilter::select("WHERE c.id = $1 FOR UPDATE OF c");
    fetch_opt(client, &sql, params![id]).await
}

pub async fn change_pending(
    client: &impl GenericClient,
    plan: ChangedPlan,
) -> Result<Option<PlanChangeRecord>, Error> {
    let sql = PlanChangeFilter::select(
        "WHERE c.status = 'pending' AND (c.plan_id = $1 OR c.receiving_plan_id = $2)",
    );
    let (sales, receiving) = (plan.sales(), plan.receiving());
    fetch_opt(client, &sql, params![sales, receiving]).await
}

/// The pending changes of these receiving plans.
pub async fn receiving_plan_changes_pending(
    client: &impl GenericClient,
    plans: &[Uuid],
) -> Result<Vec<PlanChangeRecord>, Error> {
    let sql = PlanChangeFilter::select("WHERE c.status = 'pending' AND c.receiving_plan_id = ANY ($1)");
    fetch(client, &sql, params![plans]).await
}

/// Decides a pending change. The table refuses a second decision.
pub async fn change_decide(client: &impl GenericClient, id: Uuid, decision: &Decision) -> Result<(), Error> {
    let sql =
        "UPDATE plan_change SET status = $2, decided_by = $3, decided_at = $4, reason = $5 WHERE id = $1";
    let status = decision.verdict.status();
    let parameters = params![id, status, decision.by, decision.at, decision.reason];
    execute(client, sql, parameters).await.map(drop)
}
