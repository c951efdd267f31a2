//! Changes of plans that wait for a second person.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_platform::plans::changes::{ChangeStatus as Status, ChangedPlan, PlanChangeRecord};
use ledger_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::page::PageMeta;
use crate::shared::schemas::string_enum;

string_enum!(
    /// withdrawn: by the user who requested it.
    PlanChangeStatus {
        Pending = "pending",
        Approved = "approved",
        Rejected = "rejected",
        Withdrawn = "withdrawn",
    }
);

string_enum!(
    ChangedPlanKind {
        Sales = "sales",
        Receiving = "receiving",
    }
);

/// A requested change of a plan. It takes effect when another admin user approves it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanChange {
    pub id: Uuid,
    /// Whether a sales plan or a receiving plan changes.
    pub kind: ChangedPlanKind,
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06")]
    pub plan_id: String,
    /// The plan's description now.
    #[schema(example = "Maquininha padrão")]
    pub plan_description: String,
    /// The changed fields as they were when the change was requested.
    #[schema(value_type = Object, example = json!({ "flat_rate": 0 }))]
    pub before: Value,
    /// The changed fields after the change.
    #[schema(value_type = Object, example = json!({ "flat_rate": 50 }))]
    pub after: Value,
    pub status: PlanChangeStatus,
    pub requested_by: PlanChangeUser,
    /// UTC instant.
    pub requested_at: DateTime<Utc>,
    /// Null while it is pending.
    #[schema(required = true)]
    pub decided_by: Option<PlanChangeUser>,
    /// UTC instant.
    #[schema(required = true)]
    pub decided_at: Option<DateTime<Utc>>,
    /// The reason of the decision.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanChangeUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: String,
    #[schema(required = true, example = "Bruno Lima")]
    pub name: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanChangePage {
    pub data: Vec<PlanChange>,
    pub meta: PageMeta,
}

/// The decision on a requested change.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct PlanChangeDecision {
    /// Required for a rejection.
    #[schema(
        nullable = false,
        max_length = 500,
        example = "As taxas foram revistas com o comercial."
    )]
    pub reason: Option<String>,
}

impl PlanChange {
    pub fn of(record: PlanChangeRecord, names: &HashMap<UserId, String>) -> Self {
        let user = |id: UserId| PlanChangeUser {
            id: id.to_string(),
            name: names.get(&id).cloned(),
        };
        let (kind, plan_id) = match record.plan {
            ChangedPlan::Sales(plan) => (ChangedPlanKind::Sales, plan.to_string()),
            ChangedPlan::Receiving(plan) => (ChangedPlanKind::Receiving, plan.to_string()),
        };
        Self {
            id: record.id,
            kind,
            plan_id,
            plan_description: record.description,
            before: record.before,
            after: record.after,
            status: match record.status {
                Status::Pending => PlanChangeStatus::Pending,
                Status::Approved => PlanChangeStatus::Approved,
                Status::Rejected => PlanChangeStatus::Rejected,
                Status::Withdrawn => PlanChangeStatus::Withdrawn,
            },
            requested_by: user(record.requested_by),
            requested_at: record.requested_at,
            decided_by: record.decided_by.map(user),
            decided_at: record.decided_at,
            reason: record.reason,
        }
    }
}
