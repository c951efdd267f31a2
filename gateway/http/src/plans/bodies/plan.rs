//! Sales plans as staff see them.

use chrono::{DateTime, Utc};
use gateway_platform::plans::{COMPANIES_COUNTED_MAX, PlanRecord, PlanVersion};
use serde::Serialize;
use utoipa::ToSchema;

use super::changes::PlanChange;
use super::terms::{PlanFees, fees_of};
use crate::shared::list::PageOf;
use crate::shared::schemas::Word;

/// A sales plan, without its fees.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanSummary {
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06")]
    pub id: String,
    #[schema(example = "Maquininha padrão")]
    pub description: String,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[schema(minimum = 1, maximum = 4, example = 1)]
    pub solution_id: u8,
    /// Whether the plan can be given to companies.
    pub active: bool,
    /// Whether companies without a plan of their own have it.
    pub default: bool,
    /// Whether sellers may compare last month under it with their own plan.
    pub offered: bool,
    /// false: Taxa Efetiva. true: Taxa MDR. The version in force has it, or the scheduled version if none is in force.
    /// Null if there is neither.
    #[schema(required = true)]
    pub mdr: Option<bool>,
    /// Of the same version as `mdr`.
    #[schema(required = true, example = 2)]
    pub settlement_days: Option<u8>,
    /// The number of the version in force; null before the first one.
    #[schema(required = true, example = 2)]
    pub version: Option<u32>,
    /// UTC instant since which that version is in force.
    #[schema(required = true)]
    pub valid_from: Option<DateTime<Utc>>,
    /// UTC instant at which the scheduled version takes effect; null if there is none.
    #[schema(required = true)]
    pub scheduled_from: Option<DateTime<Utc>>,
    /// Counts the changes of the plan.
    #[schema(example = 1)]
    pub revision: i32,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
}

pub type PlanPage = PageOf<PlanSummary>;

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanOptions {
    /// By solution and description.
    pub data: Vec<PlanSummary>,
}

/// A sales plan with its versions.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanDetail {
    #[serde(flatten)]
    pub plan: PlanSummary,
    /// The terms in force. Null before the first version.
    #[schema(required = true)]
    pub current: Option<PlanFees>,
    /// The terms of the scheduled version.
    #[schema(required = true)]
    pub scheduled: Option<PlanFees>,
    /// The last version first.
    pub versions: Vec<PlanVersionRow>,
    /// Companies that have the plan as their own, counted up to 1,000.
    #[schema(example = 12)]
    pub companies: i64,
    /// Whether there are more companies than that.
    #[schema(example = false)]
    pub companies_capped: bool,
    /// The change that waits for a second person; null if there is none.
    #[schema(required = true)]
    pub pending_change: Option<PlanChange>,
}

ledger_domain::words! {
    /// ended: replaced by a later version. withdrawn: withdrawn before it took effect.
    pub enum PlanVersionState {
        Scheduled = "scheduled",
        InForce = "in_force",
        Ended = "ended",
        Withdrawn = "withdrawn",
    }
}

pub type PlanVersionStateWord = Word<PlanVersionState>;

#[derive(Debug, Serialize, ToSchema)]
pub struct PlanVersionRow {
    #[schema(example = 2)]
    pub version: u32,
    pub state: PlanVersionStateWord,
    /// UTC instant.
    pub valid_from: DateTime<Utc>,
    /// UTC instant at which staff saved the version.
    pub recorded_at: DateTime<Utc>,
    /// UTC instant.
    #[schema(required = true)]
    pub withdrawn_at: Option<DateTime<Utc>>,
    /// The plan's description in this version.
    #[schema(example = "Maquininha padrão")]
    pub description: String,
    pub terms: PlanFees,
}

impl From<PlanRecord> for PlanSummary {
    fn from(plan: PlanRecord) -> Self {
        let shown = plan.current.as_ref().or(plan.scheduled.as_ref());
        let fees = shown.map(|version| fees_of(&version.terms));
        Self {
            id: plan.id.to_string(),
            solution_id: plan.solution.number(),
            active: plan.active,
            default: plan.is_default,
            offered: plan.offered,
            mdr: fees.as_ref().map(|fees| fees.0.mdr),
            settlement_days: fees.as_ref().map(|fees| fees.0.settlement_days),
            version: plan.current.as_ref().map(|version| version.terms.version),
            valid_from: plan.current.as_ref().map(|version| version.valid_from),
            scheduled_from: plan.scheduled.as_ref().map(|version| version.valid_from),
            revision: plan.revision,
            created_at: plan.created_at,
            description: plan.description,
        }
    }
}

impl PlanDetail {
    /// `versions` with the last one first, `companies` as counted by `count_assigned_companies`.
    pub fn of(
        plan: PlanRecord,
        versions: Vec<PlanVersion>,
        companies: i64,
        pending_change: Option<PlanChange>,
    ) -> Self {
        let number = |version: &Option<PlanVersion>| version.as_ref().map(|version| version.terms.version);
        let (in_force, scheduled) = (number(&plan.current), number(&plan.scheduled));
        let fees = |version: &Option<PlanVersion>| version.as_ref().map(|version| fees_of(&version.terms));
        let row = |version: PlanVersion| PlanVersionRow {
            version: version.terms.version,
            state: match Some(version.terms.version) {
                _ if version.withdrawn_at.is_some() => PlanVersionState::Withdrawn,
                number if number == in_force => PlanVersionState::InForce,
                number if number == scheduled => PlanVersionState::Scheduled,
                _ => PlanVersionState::Ended,
            }
            .into(),
            valid_from: version.valid_from,
            recorded_at: version.recorded_at,
            withdrawn_at: version.withdrawn_at,
            terms: fees_of(&version.terms),
            description: version.terms.name,
        };
        Self {
            current: fees(&plan.current),
            scheduled: fees(&plan.scheduled),
            versions: versions.into_iter().map(row).collect(),
            companies: companies.min(COMPANIES_COUNTED_MAX),
            companies_capped: companies > COMPANIES_COUNTED_MAX,
            plan: plan.into(),
            pending_change,
        }
    }
}
