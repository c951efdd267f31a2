//! Receiving plans: the fee of a company's withdrawals.

use chrono::{DateTime, Utc};
use gateway_platform::plans::form::DESCRIPTION_CHARACTERS_MAX;
use gateway_platform::plans::receiving::ReceivingPlan as Record;
use gateway_platform::plans::receiving::edit;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::changes::PlanChange;
use super::form::{cents, flag, revision};
use crate::shared;
use crate::shared::form::{form, given, optional};
use crate::shared::list::PageOf;

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

pub type ReceivingPlanPage = PageOf<ReceivingPlan>;

pub struct ReceivingPlanForm(pub edit::ReceivingPlanForm);

form! {
    /// A new receiving plan, or the changed fields of one. For a new plan `description` and `flat_rate` are required.
    /// Fields that are left out or null do not change.
    impl FromBody for ReceivingPlanForm {
        #[example = "Saque padrão"]
        description: Option<String> =
            optional(given::<String, String>().described(|schema| schema.max_length(Some(DESCRIPTION_CHARACTERS_MAX)))),
        /// In cents.
        #[example = 350]
        flat_rate: Option<i64> = cents(),
        /// True makes this plan the default instead of the current one; ignored for an inactive plan. False is an error for
        /// the default plan.
        #[example = false]
        default: Option<bool> = flag(),
        /// The default plan cannot be inactive.
        active: Option<bool> = flag(),
        /// The `revision` that the edit started from. If the plan was changed since, the answer is a 409.
        #[example = 1]
        revision: Option<i32> = revision(),
    } => Self(edit::ReceivingPlanForm { description, flat_rate, default, active, revision })
}

impl ReceivingPlan {
    pub fn of(plan: Record, pending_change: Option<PlanChange>) -> Self {
        Self {
            id: plan.id,
            description: plan.description,
            flat_rate: shared::cents(plan.flat_rate),
            default: plan.is_default,
            active: plan.active,
            revision: plan.revision,
            created_at: plan.created_at,
            pending_change,
        }
    }
}
