//! Changes of plans that wait for a second person.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_platform::plans::changes::{ChangedPlan, ChangedPlanKind, PlanChangeRecord, PlanChangeStatus};
use ledger_domain::ids::UserId;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::form::{form, line, optional};
use crate::shared::list::PageOf;
use crate::shared::schemas::Word;

pub type PlanChangeStatusName = Word<PlanChangeStatus>;
pub type ChangedPlanKindName = Word<ChangedPlanKind>;

/// A requested change of a plan. It takes effect when another admin user approves it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanChange {
    pub id: Uuid,
    /// Whether a sales plan or a receiving plan changes.
    pub kind: ChangedPlanKindName,
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
    pub status: PlanChangeStatusName,
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

pub type PlanChangePage = PageOf<PlanChange>;

form! {
    /// The decision on a requested change.
    pub struct PlanChangeDecision {
        /// Required for a rejection.
        #[example = "As taxas foram revistas com o comercial."]
        reason: Option<String> = optional(line(500)),
    }
}

impl PlanChange {
    pub fn of(record: PlanChangeRecord, names: &HashMap<UserId, String>) -> Self {
        let user = |id: UserId| PlanChangeUser {
            id: id.to_string(),
            name: names.get(&id).cloned(),
        };
        let plan_id = match record.plan {
            ChangedPlan::Sales(plan) => plan.to_string(),
            ChangedPlan::Receiving(plan) => plan.to_string(),
        };
        Self {
            id: record.id,
            kind: record.plan.kind().into(),
            plan_id,
            plan_description: record.description,
            before: record.before,
            after: record.after,
            status: record.status.into(),
            requested_by: user(record.requested_by),
            requested_at: record.requested_at,
            decided_by: record.decided_by.map(user),
            decided_at: record.decided_at,
            reason: record.reason,
        }
    }
}
