//! E-mails to a company's owners and admins that this crate queues. `gateway/identity` composes them when it sends them.

use ledger_domain::BusinessId;
use ledger_store::trace;
use serde_json::Value;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// Roles 1 and 2 of `business_access` are owners and admins.
const RECIPIENTS: &str = "
    SELECT seller.id, seller.email, coalesce(company.trade_name, company.name) AS company
      FROM business company
      JOIN business_access access ON access.business_id = company.id AND access.role_id IN (1, 2)
      JOIN seller_user seller ON seller.id = access.seller_id AND seller.active
     WHERE company.id = $1
     ORDER BY seller.id";

/// An e-mail of a kind of `EmailKind` in `gateway/identity`.
pub(crate) struct CompanyEmail<'a> {
    pub kind: &'a str,
    /// The id of what it is about. The ids of the e-mails follow from it, so what is handled again sends nothing twice.
    pub cause: Uuid,
    pub panel_url: &'a str,
}

impl CompanyEmail<'_> {
    /// Queues it with the facts, which have the name of the company.
    pub(crate) async fn queue(
        &self,
        client: &impl GenericClient,
        business: BusinessId,
        facts: impl Fn(&str) -> Value + Sync,
    ) -> Result<(), Error> {
        let rows = client
            .query_typed(RECIPIENTS, &[(&business.uuid(), Type::UUID)])
            .await?;
        for row in &rows {
            let (user, email, company): (Uuid, &str, &str) =
                (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            let id = Uuid::new_v5(&self.cause, user.as_bytes());
            trace::remember(id);
            client
                .execute_typed(
                    "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
                     VALUES ($1, $2, 'seller', $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING",
                    &[
                        (&id, Type::UUID),
                        (&self.kind, Type::TEXT),
                        (&user, Type::UUID),
                        (&email, Type::TEXT),
                        (&self.panel_url, Type::TEXT),
                        (&Json(facts(company)), Type::JSON),
                    ],
                )
                .await?;
        }
        Ok(())
    }
}
