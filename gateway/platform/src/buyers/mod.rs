//! The buyers of payment links: their data, which can be erased, their e-mails, and card testing on a link.
//!
//! A buyer's data are in a row of `order_buyer`. Attempts, refused refunds, exceptions and idempotency records can have
//! some of it. An erasure changes all of these. Events have no field for a buyer's name, document or contacts.

mod card_testing;
mod emails;
mod erase;
mod naming;
mod order_ends;
mod reported_bodies;
mod retention;

use chrono::{DateTime, Utc};
use ledger_domain::SaleId;
use ledger_rows::{FromRow, fetch_opt, params, row};
use tokio_postgres::{Error, GenericClient};

pub use gateway_formats::short_code::OrderReference;

pub use card_testing::{
    CardAnswer, CardClosure, CardGate, card_answer_add, card_closed_until, card_closure_fetch,
    card_closure_reopen, card_closures_in_force, card_gate,
};
pub use emails::{OrderEmail, SELLER_EMAIL_KIND, buyer_email_mark_sent, order_emails_queue};
pub use erase::{
    BUYER, BuyerKey, BuyerOrder, Erasure, ErasureError, ExceptionSearch, buyer_erase, buyer_orders,
    buyers_erase,
};
pub use naming::names_buyer_of_sale;
pub use order_ends::{on_attempt_ended, on_orders_expired};
pub use reported_bodies::buyer_erased;
pub(crate) use reported_bodies::known_fields;
pub use retention::{ErasedCounts, Retention};

/// The buyer of a sale's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleBuyer {
    /// The order's reference.
    pub order: String,
    /// `None` if it is erased.
    pub buyer: Option<Buyer>,
    pub erased_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    pub name: String,
    /// CPF or CNPJ without its mask.
    pub document: String,
    pub email: String,
    pub phone: String,
}

/// The order that the sale is an attempt of, and its buyer. `None` if no order led to the sale.
pub async fn buyer_of_sale(client: &impl GenericClient, sale_id: SaleId) -> Result<Option<SaleBuyer>, Error> {
    let columns = SaleBuyer::COLUMNS;
    let sql = format!(
        "SELECT {columns}
           FROM order_attempt a
           JOIN link_order o ON o.id = a.order_id
           JOIN order_buyer b ON b.order_id = o.id
          WHERE a.sale_id = $1"
    );
    fetch_opt(client, &sql, params![sale_id]).await
}

row! {
    impl FromRow for SaleBuyer {
        order: String = "o.reference",
        name: Option<String> = "b.name",
        document: Option<String> = "b.document",
        email: Option<String> = "b.email",
        phone: Option<String> = "b.phone",
        erased_at: Option<DateTime<Utc>> = "b.erased_at",
    } => Self {
        order,
        // A CHECK of the table: an erasure clears all of them.
        buyer: name.zip(document).zip(email).zip(phone).map(|(((name, document), email), phone)| {
            Buyer { name, document, email, phone }
        }),
        erased_at,
    }
}
