//! Decisions of staff on companies.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_platform::companies::{Approval, BusinessDecisionStatus, DecisionRecord, DocumentKind};
use ledger_domain::ids::UserId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::schemas::Word;

pub type BusinessDecisionStatusName = Word<BusinessDecisionStatus>;

/// A decision on a company.
#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDecision {
    pub id: Uuid,
    /// enabled, denied or deleted.
    #[schema(value_type = String, example = "enabled")]
    pub approval: Approval,
    /// The reason of a denial, of a deletion, or of an approval without documents.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    /// The documents that were missing at an approval.
    #[schema(value_type = Vec<String>, example = json!(["articles"]))]
    pub missing_documents: Vec<DocumentKind>,
    pub status: BusinessDecisionStatusName,
    /// Null if the company was approved elsewhere, before it was installed here.
    #[schema(required = true)]
    pub decided_by: Option<BusinessDecisionUser>,
    /// UTC instant.
    pub decided_at: DateTime<Utc>,
    /// The second person, or the user who withdrew the request.
    #[schema(required = true)]
    pub answered_by: Option<BusinessDecisionUser>,
    /// UTC instant.
    #[schema(required = true)]
    pub answered_at: Option<DateTime<Utc>>,
    /// The reason of the answer.
    #[schema(required = true, example = json!(null))]
    pub answer: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDecisionUser {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: String,
    #[schema(required = true, example = "Bruno Lima")]
    pub name: Option<String>,
}

impl BusinessDecision {
    pub fn of(record: DecisionRecord, names: &HashMap<UserId, String>) -> Self {
        let user = |id: UserId| BusinessDecisionUser {
            id: id.to_string(),
            name: names.get(&id).cloned(),
        };
        Self {
            id: record.id,
            approval: record.approval,
            missing_documents: record.missing,
            status: record.status.into(),
            reason: record.reason,
            decided_by: record.decided_by.map(user),
            decided_at: record.decided_at,
            answered_by: record.answered_by.map(user),
            answered_at: record.answered_at,
            answer: record.answer,
        }
    }
}
