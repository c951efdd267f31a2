//! Adds refunds that an acquirer refused for good to the exceptions queue.

use serde_json::json;
use sha2::{Digest, Sha256};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::providers::refunds::RefundRequest;

/// The type in the list, next to the types of notices.
const TYPE: &str = "refund.refused";

/// The code of the reason why the refund waits for staff.
const REASON: &str = "refund_refused";

/// Adds a refused refund. `reason` is the acquirer's.
pub async fn add(
    client: &impl GenericClient,
    request: &RefundRequest,
    reason: Option<&str>,
) -> Result<(), Error> {
    let body = serde_json::to_string(request).expect("ids and numbers serialize");
    let parameters = json!({ "refund_id": request.refund_id, "amount": request.amount, "message": reason });
    let fingerprint = Sha256::digest(&body);
    client
        .execute_typed(
            "INSERT INTO exception (id, provider, notice_id, notice_type, fingerprint, body, reason, reason_parameters,
                                    business_id, sale_id, refund_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            &[
                (&Uuid::now_v7(), Type::UUID),
                (&i16::from(request.provider.number()), Type::INT2),
                (&request.refund_id.to_string(), Type::TEXT),
                (&TYPE, Type::TEXT),
                (&fingerprint.as_slice(), Type::BYTEA),
                (&body, Type::TEXT),
                (&REASON, Type::TEXT),
                (&Json(&parameters), Type::JSON),
                (&request.business_id.uuid(), Type::UUID),
                (&request.sale_id.uuid(), Type::UUID),
                (&request.refund_id.uuid(), Type::UUID),
            ],
        )
        .await
        .map(drop)
}
