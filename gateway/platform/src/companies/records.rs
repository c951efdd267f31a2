//! Adds companies and receiving plans.
//!
//! The tables have the guards (migration 0003). Each function is one statement in its caller's transaction. The caller
//! also writes the audit log if a user acts.

use ledger_domain::documents::Document;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::validity::Since;

#[derive(Debug, Clone)]
pub struct NewBusiness {
    pub id: BusinessId,
    pub name: String,
    pub document: Document,
    pub statement_descriptor: Option<String>,
    pub receiving_plan_id: Uuid,
    pub created_at: Since,
}

#[derive(Debug, Clone)]
pub struct NewReceivingPlan {
    pub id: Uuid,
    pub description: String,
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
    let kind = match business.document {
        Document::Cpf(_) => "PF",
        Document::Cnpj(_) => "PJ",
    };
    client
        .execute(
            "INSERT INTO business (id, name, document, type, statement_descriptor, receiving_plan_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, now()))",
            &[
                &business.id.uuid(),
                &business.name,
                &business.document.digits(),
                &kind,
                &business.statement_descriptor,
                &business.receiving_plan_id,
                &business.created_at.instant(),
            ],
        )
        .await
        .map(drop)
}
