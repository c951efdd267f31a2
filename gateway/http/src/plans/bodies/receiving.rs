//! Receiving plans: the fee of a company's withdrawals.

use chrono::{DateTime, Utc};
use gateway_platform::plans::receiving::ReceivingPlan as Record;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::changes::PlanChange;
use crate::shared::cents;
use crate::shared::page::PageMeta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivingPlan {
    pub id: Uuid,
    #[schema(example = "Saque padrão")]
    pub description: String,
    /// The fee of each withdrawal, in cents.
    #[schema(example = 350)]
    pub flat_rate: i64,
    /// Whether new companies get it if their form names no other.
    pub default: bool,
    pub active: bool,
    /// Counts the changes of the plan.
    #[schema(example = 1)]
    pub revision: i32,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// The change that waits for a second person; null if there is none.
    #[schema(required = true)]
    pub pending_change: Option<PlanChange>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivingPlanPage {
    pub data: Vec<ReceivingPlan>,
    pub meta: PageMeta,
}

/// A new receiving plan, or the changed fields of one. For a new plan `description` and `flat_rate` are required.
/// Fields that are left out or null do not change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ReceivingPlanForm {
    #[schema(nullable = false, max_length = 120, example = "Saque padrão")]
    pub description: Option<String>,
    /// In cents.
    #[schema(nullable = false, minimum = 0, example = 350)]
    pub flat_rate: Option<i64>,
    /// True makes this plan the default instead of the current one; ignored for an inactive plan. False is an error for
    /// the default plan.
    #[schema(example = false)]
    pub default: Option<bool>,
    /// The default plan cannot be inactive.
    pub active: Option<bool>,
    /// The `revision` that the edit started from. If the plan was changed since, the answer is a 409.
    #[schema(nullable = false, minimum = 1, example = 1)]
    pub revision: Option<i32>,
}

impl ReceivingPlan {
    pub fn of(plan: Record, pending_change: Option<PlanChange>) -> Self {
        Self {
            id: plan.id,
            description: plan.description,
            flat_rate: cents(plan.flat_rate),
            default: plan.is_default,
            active: plan.active,
            revision: plan.revision,
            created_at: plan.created_at,
            pending_change,
        }
    }
}
