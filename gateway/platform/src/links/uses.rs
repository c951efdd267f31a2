//! The uses of a link. An order takes one when it is placed and gives it back if it ends unpaid.

use ledger_domain::PaymentLinkId;
use ledger_domain::calendar::Date;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// Takes one use in the caller's transaction. False if the link is not active, has expired or is exhausted. The lock of
/// the row serializes the orders of a link, and each reads the count that the previous one committed.
pub async fn link_use_take(
    client: &impl GenericClient,
    id: PaymentLinkId,
    today: Date,
) -> Result<bool, Error> {
    let taken = client
        .execute_typed(
            "UPDATE payment_link SET uses = uses + 1
              WHERE id = $1 AND active AND (expires_on IS NULL OR expires_on >= $2)
                AND (use_limit IS NULL OR uses < use_limit)",
            &[(&id.uuid(), Type::UUID), (&today, Type::DATE)],
        )
        .await?;
    Ok(taken > 0)
}

/// Gives one use back. The caller makes sure that its order held one.
pub async fn link_use_release(client: &impl GenericClient, id: PaymentLinkId) -> Result<(), Error> {
    let released = client
        .execute_typed(
            "UPDATE payment_link SET uses = uses - 1 WHERE id = $1 AND uses > 0",
            &[(&id.uuid(), Type::UUID)],
        )
        .await?;
    if released == 0 {
        tracing::error!(
            code = "link_use_missing", link_id = %id.uuid(),
            "a link has fewer uses than its orders hold: staff must check it"
        );
    }
    Ok(())
}
