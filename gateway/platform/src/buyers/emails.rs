//! Queues the e-mails about an order, in the transaction that records the event they are about.
//!
//! The id of an e-mail follows from the sale and from its kind (to the buyer) or its user (to the seller), so that a
//! repeated report sends nothing twice. The row has no text: `gateway/identity` composes the e-mail when it sends it.

use ledger_domain::SaleId;
use ledger_store::trace;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// The event of an attempt that its buyer reads about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderEmail {
    /// Its PIX code or boleto can be paid.
    ToPay,
    /// It is paid: the buyer's receipt, and an e-mail to the seller's users who want one.
    Paid,
    /// Its PIX code or boleto was not paid in time.
    Expired,
}

/// The kind of the e-mail to a seller's users. `EmailKind` in `gateway/identity` has the same names.
pub const SELLER_EMAIL_KIND: &str = "link-paid";

/// The most users of a company who get the e-mail: the first by id.
const SELLER_USERS_MAX: i64 = 100;

/// The panel addresses that the table `mail` accepts, as a regular expression. `link_order` accepts more of them. An
/// order with another address gets no e-mails: their insert would fail, and stop the handler of the event.
const PANEL_URL_PATTERN: &str = "^https?://[^/]+$";

impl OrderEmail {
    pub const ALL: [Self; 3] = [Self::ToPay, Self::Paid, Self::Expired];

    pub const fn kind(self) -> &'static str {
        match self {
            Self::ToPay => "order-to-pay",
            Self::Paid => "order-paid",
            Self::Expired => "order-expired",
        }
    }
}

/// Adds the e-mails about the attempt with this sale. An erased buyer gets none, and a sale without an order has none.
/// Returns whether there may be new ones. The caller may then wake the sender after the commit. The sender also polls
/// every second.
pub async fn order_emails_queue(
    client: &impl GenericClient,
    email: OrderEmail,
    sale_id: SaleId,
) -> Result<bool, Error> {
    let to_buyer = to_buyer(client, email.kind(), sale_id).await?;
    let to_sellers = match email {
        OrderEmail::Paid => to_sellers(client, sale_id).await?,
        OrderEmail::ToPay | OrderEmail::Expired => false,
    };
    Ok(to_buyer || to_sellers)
}

/// Marks the buyer's waiting e-mail about the attempt as sent. For orders of the past, whose buyers must get no e-mail
/// now.
pub async fn buyer_email_mark_sent(
    client: &impl GenericClient,
    email: OrderEmail,
    sale_id: SaleId,
) -> Result<(), Error> {
    let id = Uuid::new_v5(&sale_id.uuid(), email.kind().as_bytes());
    client
        .execute_typed(
            "UPDATE mail SET status = 'sent', ended_at = now(), next_try_at = NULL WHERE id = $1 AND status = 'waiting'",
            &[(&id, Type::UUID)],
        )
        .await
        .map(drop)
}

/// The recipient is empty: the sender reads it from `order_buyer`, so that an erased buyer is in no row of `mail`. The
/// audience is `seller`, because `mail` has none for buyers, and their page is on the seller panel's host.
async fn to_buyer(client: &impl GenericClient, kind: &str, sale_id: SaleId) -> Result<bool, Error> {
    let sale = sale_id.uuid();
    let id = Uuid::new_v5(&sale, kind.as_bytes());
    trace::remember(id);
    let added = client
        .execute_typed(
            "INSERT INTO mail (id, kind, audience, recipient, panel_url, facts)
             SELECT $2, $3, 'seller', '', o.panel_url, $4
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.sale_id = $1 AND o.has_buyer AND o.panel_url ~ $5
                 ON CONFLICT (id) DO NOTHING",
            &[
                (&sale, Type::UUID),
                (&id, Type::UUID),
                (&kind, Type::TEXT),
                (&Json(facts(sale)), Type::JSON),
                (&PANEL_URL_PATTERN, Type::TEXT),
            ],
        )
        .await?;
    Ok(added > 0)
}

async fn to_sellers(client: &impl GenericClient, sale_id: SaleId) -> Result<bool, Error> {
    let sale = sale_id.uuid();
    let users = client
        .query_typed(
            "SELECT u.id, u.email, o.panel_url
               FROM order_attempt a
               JOIN link_order o ON o.id = a.order_id
               JOIN business_access access ON access.business_id = o.business_id
               JOIN seller_user u ON u.id = access.seller_id
              WHERE a.sale_id = $1 AND o.panel_url ~ $3 AND u.paid_link_emails AND u.active
              ORDER BY u.id LIMIT $2",
            &[
                (&sale, Type::UUID),
                (&SELLER_USERS_MAX, Type::INT8),
                (&PANEL_URL_PATTERN, Type::TEXT),
            ],
        )
        .await?;
    for user in &users {
        let (user, email, panel_url): (Uuid, &str, &str) = (user.get(0), user.get(1), user.get(2));
        let id = Uuid::new_v5(&sale, user.as_bytes());
        trace::remember(id);
        client
            .execute_typed(
                "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
                 VALUES ($1, $2, 'seller', $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING",
                &[
                    (&id, Type::UUID),
                    (&SELLER_EMAIL_KIND, Type::TEXT),
                    (&user, Type::UUID),
                    (&email, Type::TEXT),
                    (&panel_url, Type::TEXT),
                    (&Json(facts(sale)), Type::JSON),
                ],
            )
            .await?;
    }
    Ok(!users.is_empty())
}

/// The facts of the row: only the sale, and no personal data.
fn facts(sale: Uuid) -> serde_json::Value {
    serde_json::json!({ "sale": sale })
}
