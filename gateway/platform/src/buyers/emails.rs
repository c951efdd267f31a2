//! Queues the e-mails about an order, in the transaction that reports what happened to it.
//!
//! Each e-mail has an id that follows from the sale and its kind, so that a repeated report sends nothing twice. The
//! texts are in `gateway/identity`, which reads what they need when it sends them.

use ledger_domain::SaleId;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// The event of an attempt that its buyer reads about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderEmail {
    /// Its PIX code or boleto can be paid.
    ToPay,
    /// It is paid: the buyer's receipt, and a notice to the seller's users who want one.
    Paid,
    /// Its PIX code or boleto was not paid in time.
    Expired,
}

/// The kind of the notice to sellers. `EmailKind` in `gateway/identity` has the same names.
pub const SELLER_KIND: &str = "link-paid";

/// The most users of a company who get the notice. If more want it, which is a mistake, the first by id get it.
const SELLERS_MAX: i64 = 100;

/// The addresses that the table of e-mails accepts, as a regular expression. An insert with another address would fail,
/// and stop the handler of the event.
const PANEL_URL: &str = "^https?://[^/]+$";

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

/// Adds the e-mails about the attempt with this sale. Nothing is added for an erased buyer, and for a sale that no
/// order led to. Wake the sender after the commit if it returns true; else it finds them within a second.
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

/// Marks the buyer's e-mail about the attempt as sent, if it waits: it was sent outside, or long ago.
pub async fn order_emails_count_as_sent(
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

async fn to_buyer(client: &impl GenericClient, kind: &str, sale_id: SaleId) -> Result<bool, Error> {
    let sale = sale_id.uuid();
    let added = client
        .execute_typed(
            "INSERT INTO mail (id, kind, audience, recipient, panel_url, facts)
             SELECT $2, $3, 'seller', '', o.panel_url, $4
               FROM order_attempt a JOIN link_order o ON o.id = a.order_id
              WHERE a.sale_id = $1 AND o.has_buyer AND o.panel_url ~ $5
                 ON CONFLICT (id) DO NOTHING",
            &[
                (&sale, Type::UUID),
                (&Uuid::new_v5(&sale, kind.as_bytes()), Type::UUID),
                (&kind, Type::TEXT),
                (&Json(facts(sale)), Type::JSON),
                (&PANEL_URL, Type::TEXT),
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
                (&SELLERS_MAX, Type::INT8),
                (&PANEL_URL, Type::TEXT),
            ],
        )
        .await?;
    for user in &users {
        let (id, email, panel_url): (Uuid, &str, &str) = (user.get(0), user.get(1), user.get(2));
        client
            .execute_typed(
                "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
                 VALUES ($1, $2, 'seller', $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING",
                &[
                    (&Uuid::new_v5(&sale, id.as_bytes()), Type::UUID),
                    (&SELLER_KIND, Type::TEXT),
                    (&id, Type::UUID),
                    (&email, Type::TEXT),
                    (&panel_url, Type::TEXT),
                    (&Json(facts(sale)), Type::JSON),
                ],
            )
            .await?;
    }
    Ok(!users.is_empty())
}

/// The facts of the row: which sale it is about, and nothing else.
fn facts(sale: Uuid) -> serde_json::Value {
    serde_json::json!({ "sale": sale })
}
