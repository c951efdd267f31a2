//! What companies that are not approved wait for, as their own users read it.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use ledger_rows::{FromRow, fetch, params, row};
use tokio_postgres::{Error, GenericClient};

use super::approval::Approval;
use super::documents::DocumentKind;
use super::records::BusinessType;
use crate::settings::PlatformSettings;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotApproved {
    pub approval: Approval,
    /// The documents that the approval asks for and that are missing.
    pub missing: Vec<DocumentKind>,
    /// Why staff denied or deleted the company. Staff do not explain approvals to it.
    pub reason: Option<String>,
}

impl NotApproved {
    /// What an approved company reads: nothing is missing.
    pub const APPROVED: Self = Self {
        approval: Approval::Enabled,
        missing: vec![],
        reason: None,
    };
}

row! {
    /// A company that is not approved, and the documents that it has.
    struct Waiting {
        id: BusinessId = "business.id",
        business_type: BusinessType = "business.type",
        approval: Approval = "business.approval",
        given: Vec<DocumentKind> =
            "array(SELECT DISTINCT kind FROM business_document WHERE business_id = business.id)",
        reason: Option<String> =
            "(SELECT decision.reason FROM company_decision decision
               WHERE decision.business_id = business.id AND decision.status = 'taken'
                 AND decision.approval = business.approval
               ORDER BY decision.decided_at DESC, decision.id DESC LIMIT 1)",
    }
}

/// The companies among these that are not approved.
pub async fn companies_not_approved(
    client: &impl GenericClient,
    settings: &PlatformSettings,
    companies: &[BusinessId],
) -> Result<HashMap<BusinessId, NotApproved>, Error> {
    let sql = format!(
        "SELECT {} FROM business WHERE business.id = ANY ($1) AND business.approval <> 'enabled'",
        Waiting::COLUMNS
    );
    let waiting: Vec<Waiting> = fetch(client, &sql, params![companies]).await?;
    let not_approved = waiting.into_iter().map(|company| {
        let asked = settings.documents_asked(company.business_type.is_person());
        let not_approved = NotApproved {
            approval: company.approval,
            missing: asked.missing(&company.given),
            reason: company.reason,
        };
        (company.id, not_approved)
    });
    Ok(not_approved.collect())
}
