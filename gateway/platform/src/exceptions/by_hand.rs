//! Exceptions that staff settle outside the platform and then close: an order that was paid twice, a charge that no
//! order has, a PIX code, boleto or 3-D Secure address that does not agree with its order. No job tries them again.

use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

pub struct ManualException<'a> {
    pub provider: Provider,
    /// The type in the list, next to the types of notices.
    pub kind: &'static str,
    /// The code of the reason why it waits.
    pub reason: &'static str,
    /// Identifies what the exception is about. A second exception of the same provider, type and subject is not added,
    /// even if the first was closed.
    pub subject: &'a str,
    /// The details for staff, without data of a buyer.
    pub parameters: Value,
    pub business_id: Option<BusinessId>,
    pub sale_id: Option<SaleId>,
}

/// Adds an exception. Returns false if it was there already.
pub async fn add(client: &impl GenericClient, new: &ManualException<'_>) -> Result<bool, Error> {
    let notice_id = format!("{} {}", new.kind, new.subject);
    let fingerprint = Sha256::digest(&notice_id);
    let added = client
        .execute_typed(
            "INSERT INTO exception (id, provider, notice_id, notice_type, fingerprint, body, reason, reason_parameters,
                                    business_id, sale_id, by_hand)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, true)
             ON CONFLICT (provider, notice_id, fingerprint) DO NOTHING",
            &[
                (&Uuid::now_v7(), Type::UUID),
                (&i16::from(new.provider.number()), Type::INT2),
                (&notice_id, Type::TEXT),
                (&new.kind, Type::TEXT),
                (&fingerprint.as_slice(), Type::BYTEA),
                (&new.parameters.to_string(), Type::TEXT),
                (&new.reason, Type::TEXT),
                (&Json(&new.parameters), Type::JSON),
                (&new.business_id.map(BusinessId::uuid), Type::UUID),
                (&new.sale_id.map(SaleId::uuid), Type::UUID),
            ],
        )
        .await?;
    if added > 0 {
        metrics::counter!("razao_exceptions_by_hand_total", "reason" => new.reason).increment(1);
        tracing::error!(
            code = new.reason,
            provider = new.provider.slug(),
            subject = new.subject,
            "an exception was added that no job can resolve: staff must settle it and close it"
        );
    }
    Ok(added > 0)
}
