//! The e-mails to a company's owners and admins about a withdrawal that the bank returned.
//!
//! The id of an e-mail follows from the event and its user, so that an event that is handled again sends nothing twice.
//! `gateway/identity` composes the e-mail when it sends it.

use ledger_domain::business::TransferReturned;
use serde_json::json;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::effects::effect_handler::FollowedEvent;

/// `EmailKind` in `gateway/identity` has the same name.
pub const RETURN_EMAIL_KIND: &str = "withdrawal-returned";

/// Roles 1 and 2 of `business_access` are owners and admins, who may withdraw.
const RECIPIENTS: &str = "
    SELECT seller.id, seller.email, coalesce(company.trade_name, company.name) AS company
      FROM business company
      JOIN business_access access ON access.business_id = company.id AND access.role_id IN (1, 2)
      JOIN seller_user seller ON seller.id = access.seller_id AND seller.active
     WHERE company.id = $1
     ORDER BY seller.id";

pub(super) async fn queue_return(
    client: &impl GenericClient,
    panel_url: &str,
    followed: &FollowedEvent,
    returned: &TransferReturned,
) -> Result<(), Error> {
    let rows = client
        .query_typed(RECIPIENTS, &[(&followed.business_id.uuid(), Type::UUID)])
        .await?;
    for row in &rows {
        let (user, email, company): (Uuid, &str, &str) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let facts = json!({ "withdrawal": {
            "company": company,
            "paid": returned.paid,
            "fee": returned.fee,
            "reason": returned.reason,
            "at": returned.occurred_at,
        }});
        client
            .execute_typed(
                "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
                 VALUES ($1, $2, 'seller', $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING",
                &[
                    (
                        &Uuid::new_v5(&followed.event_id.uuid(), user.as_bytes()),
                        Type::UUID,
                    ),
                    (&RETURN_EMAIL_KIND, Type::TEXT),
                    (&user, Type::UUID),
                    (&email, Type::TEXT),
                    (&panel_url, Type::TEXT),
                    (&Json(facts), Type::JSON),
                ],
            )
            .await?;
    }
    Ok(())
}
