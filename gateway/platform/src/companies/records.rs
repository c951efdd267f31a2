//! Adds companies and receiving plans.
//!
//! Constraints of the tables check the values. Each function is one statement in its caller's transaction. The caller
//! also writes the audit log if a user acts.

use chrono::NaiveDate;
use ledger_domain::documents::Document;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::approval::Approval;
use crate::validity::Since;

#[derive(Debug, Clone)]
pub struct NewBusiness {
    pub id: BusinessId,
    pub name: String,
    pub document: Document,
    pub statement_descriptor: Option<String>,
    pub receiving_plan_id: Uuid,
    pub approval: Approval,
    pub profile: CompanyProfile,
    pub created_at: Since,
}

/// The optional data of a company.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompanyProfile {
    pub trade_name: Option<String>,
    pub email: Option<String>,
    /// Digits with area code.
    pub phone: Option<String>,
    /// Merchant category code (ISO 18245).
    pub mcc: Option<String>,
    /// Only a legal entity has a representative.
    pub representative_name: Option<String>,
    /// CPF without its mask.
    pub representative_document: Option<String>,
    /// Only a person has one.
    pub birth_date: Option<NaiveDate>,
}

#[derive(Debug, Clone)]
pub struct NewReceivingPlan {
    pub id: Uuid,
    pub description: String,
    /// The fee of one withdrawal.
    pub flat_rate: Cents,
    pub is_default: bool,
    pub active: bool,
}

pub async fn receiving_plan_create(
    client: &impl GenericClient,
    plan: &NewReceivingPlan,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO receiving_plan (id, description, flat_rate, is_default, active) VALUES ($1, $2, $3, $4, $5)",
            &[
                &plan.id,
                &plan.description,
                &plan.flat_rate.get(),
                &plan.is_default,
                &plan.active,
            ],
        )
        .await
        .map(drop)
}

pub async fn business_create(client: &impl GenericClient, business: &NewBusiness) -> Result<(), Error> {
    let profile = &business.profile;
    let kind = match business.document {
        Document::Cpf(_) => "PF",
        Document::Cnpj(_) => "PJ",
    };
    client
        .execute(
            "INSERT INTO business (id, name, document, type, statement_descriptor, receiving_plan_id, created_at,
                                   approval, trade_name, email, phone, mcc, representative_name,
                                   representative_document, birth_date)
             VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, now()), $8, $9, $10, $11, $12, $13, $14, $15)",
            &[
                &business.id.uuid(),
                &business.name,
                &business.document.unmasked(),
                &kind,
                &business.statement_descriptor,
                &business.receiving_plan_id,
                &business.created_at.instant(),
                &business.approval.as_str(),
                &profile.trade_name,
                &profile.email,
                &profile.phone,
                &profile.mcc,
                &profile.representative_name,
                &profile.representative_document,
                &profile.birth_date,
            ],
        )
        .await
        .map(drop)
}
