//! The e-mails to a company's owners and admins about a withdrawal that the bank returned.

use ledger_domain::business::TransferReturned;
use serde_json::json;
use tokio_postgres::{Error, GenericClient};

use crate::company_emails::CompanyEmail;
use crate::effects::effect_handler::FollowedEvent;

/// `EmailKind` in `gateway/identity` has the same name.
pub const RETURN_EMAIL_KIND: &str = "withdrawal-returned";

pub(super) async fn queue_return(
    client: &impl GenericClient,
    panel_url: &str,
    followed: &FollowedEvent,
    returned: &TransferReturned,
) -> Result<(), Error> {
    let email = CompanyEmail {
        kind: RETURN_EMAIL_KIND,
        cause: followed.event_id.uuid(),
        panel_url,
    };
    let facts = |company: &str| {
        json!({ "withdrawal": {
            "company": company,
            "paid": returned.paid,
            "fee": returned.fee,
            "reason": returned.reason,
            "at": returned.occurred_at,
        }})
    };
    email.queue(client, followed.business_id, facts).await
}
