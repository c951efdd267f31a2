//! Erases the data of buyers: by their document, or of one order.
//!
//! An order that is still open is left alone, because its payment needs the data. Erased data never come back: the
//! table refuses to fill the row again.

use chrono::{DateTime, Utc};
use gateway_formats::short_code::OrderReference;
use ledger_domain::calendar::Instant;
use ledger_domain::documents::Document;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, SaleId};
use ledger_rows::{FromRow, fetch, params, row};
use serde_json::json;
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::naming::names_buyer_of;
use super::reported_bodies::{erase_bodies, erase_bodies_with};
use crate::audit::{Actor, Change, record};
use crate::error::DatabaseCause;

/// The subject of erasures in the audit log.
pub const BUYER: &str = "buyer";
/// The most orders of one list. Erased orders leave the list of a document, so that the next call finds the others.
const ORDERS_MAX: i64 = 500;

/// The document, the order or the sale by which staff find orders of a buyer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuyerKey {
    Document(Document),
    Order(OrderReference),
    /// The order that led to this sale.
    Sale(SaleId),
}

row! {
    /// An order, for the list from which staff erase.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BuyerOrder {
        pub id: Uuid = "o.id",
        pub reference: String = "o.reference",
        pub business_id: BusinessId = "o.business_id",
        pub business_name: String = "business.name",
        pub description: String = "o.description",
        /// In cents.
        pub amount: i64 = "o.amount",
        pub status: String = "o.status",
        pub created_at: DateTime<Utc> = "o.created_at",
        /// The sale of its latest attempt.
        pub sale_id: Option<SaleId> = "latest.sale_id",
        /// Whether a payment of it may still be under way. Its buyer cannot be erased now.
        pub open: bool = "o.status = 'open' OR latest.ended_at IS NULL",
        pub erased_at: Option<DateTime<Utc>> = "b.erased_at",
    }
}

/// The result of an erasure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Erasure {
    /// The references of the orders.
    pub orders: Vec<String>,
    /// The number of exceptions whose bodies were erased.
    pub exceptions: u64,
}

/// The orders, latest first. An erased buyer's orders are not found by the document.
pub async fn buyer_orders(client: &impl GenericClient, key: &BuyerKey) -> Result<Vec<BuyerOrder>, Error> {
    let (condition, parameters) = match key {
        BuyerKey::Document(document) => ("b.document = $1", params![*document.unmasked()]),
        BuyerKey::Order(reference) => ("o.reference = $1", params![*reference.as_str()]),
        BuyerKey::Sale(sale) => (
            "o.id = (SELECT order_id FROM order_attempt WHERE sale_id = $1)",
            params![*sale],
        ),
    };
    let columns = BuyerOrder::COLUMNS;
    let sql = format!(
        "SELECT {columns}
           FROM order_buyer b
           JOIN link_order o ON o.id = b.order_id
           JOIN business ON business.id = o.business_id
           LEFT JOIN LATERAL (SELECT a.sale_id, a.ended_at FROM order_attempt a
                               WHERE a.order_id = o.id ORDER BY a.number DESC LIMIT 1) latest ON true
          WHERE {condition}
          ORDER BY o.created_at DESC, o.id LIMIT {ORDERS_MAX}"
    );
    fetch(client, &sql, parameters).await
}

/// Why staff cannot erase a buyer.
#[derive(Debug, Error)]
pub enum ErasureError {
    /// No order has this buyer, or it is erased already.
    #[error("no order has this buyer")]
    NotFound,
    /// Every order that is not erased yet is open or has an open attempt.
    #[error("the orders of the buyer are open")]
    StillOpen,
    /// The audit log keeps the reason.
    #[error("the reason names the buyer")]
    NamesBuyer,
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] Error),
}

/// Erases the buyer on behalf of staff. Returns also the references of the orders that keep their buyer, because they
/// are open. The audit log gets the references of the others and the reason.
pub async fn buyer_erase(
    client: &impl GenericClient,
    key: &BuyerKey,
    reason: &str,
    (by, at): (UserId, Instant),
) -> Result<(Erasure, Vec<String>), ErasureError> {
    let mut orders = buyer_orders(client, key).await?;
    orders.retain(|order| order.erased_at.is_none());
    let ids: Vec<Uuid> = orders.iter().map(|order| order.id).collect();
    if names_buyer_of(client, &ids, reason).await? {
        return Err(ErasureError::NamesBuyer);
    }
    let erased = buyers_erase(client, &ids, ExceptionSearch::BySaleOrContact, at).await?;
    let references = orders.into_iter().map(|order| order.reference);
    let open: Vec<String> = references
        .filter(|reference| !erased.orders.contains(reference))
        .collect();
    if erased.orders.is_empty() {
        return Err(if open.is_empty() {
            ErasureError::NotFound
        } else {
            ErasureError::StillOpen
        });
    }
    let count = erased.orders.len();
    let change = Change {
        action: "erase",
        subject: BUYER,
        // A buyer has no id, so each erasure is a subject with a new one.
        subject_id: &Uuid::now_v7().to_string(),
        before: None,
        after: Some(json!({ "orders": erased.orders, "count": count, "reason": reason })),
    };
    record(client, Actor::Admin(by), change).await?;
    metrics::counter!("razao_buyers_erased_total", "kind" => "staff")
        .increment(u64::try_from(count).unwrap_or(u64::MAX));
    Ok((erased, open))
}

/// The names, documents, e-mails, phones and streets of these buyers. A reason that the ledger or the audit log keeps
/// must not contain them.
pub(super) async fn buyer_texts(client: &impl GenericClient, orders: &[Uuid]) -> Result<Vec<String>, Error> {
    let rows = client
        .query_typed(
            "SELECT DISTINCT text FROM order_buyer b,
                    unnest(ARRAY[b.name, b.document, b.email, b.phone, b.street]) AS text
              WHERE b.order_id = ANY ($1) AND text IS NOT NULL",
            &[(&orders, Type::UUID_ARRAY)],
        )
        .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// How the exceptions that lose a buyer's data are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceptionSearch {
    /// By the sales of the buyer that they name.
    BySale,
    /// Also by the buyer's document (with or without its mask), e-mail or phone, for which all exceptions are read.
    BySaleOrContact,
}

/// Erases the buyers of those orders that have ended.
pub async fn buyers_erase(
    client: &impl GenericClient,
    orders: &[Uuid],
    search: ExceptionSearch,
    at: Instant,
) -> Result<Erasure, Error> {
    // Attempts before orders, as the handler of orders locks them: the opposite sequence could deadlock.
    client
        .query_typed(
            "SELECT FROM order_attempt WHERE order_id = ANY ($1) ORDER BY sale_id FOR UPDATE",
            &[(&orders, Type::UUID_ARRAY)],
        )
        .await?;
    let locked = client
        .query_typed(
            "SELECT o.id, o.reference, b.document, b.email, b.phone
               FROM link_order o JOIN order_buyer b ON b.order_id = o.id
              WHERE o.id = ANY ($1) AND b.erased_at IS NULL AND o.status <> 'open'
                AND NOT EXISTS (SELECT FROM order_attempt a WHERE a.order_id = o.id AND a.ended_at IS NULL)
              ORDER BY o.id FOR UPDATE OF o, b",
            &[(&orders, Type::UUID_ARRAY)],
        )
        .await?;
    if locked.is_empty() {
        return Ok(Erasure::default());
    }
    let ids: Vec<Uuid> = locked.iter().map(|row| row.get(0)).collect();
    let references: Vec<String> = locked.iter().map(|row| row.get(1)).collect();
    erase_rows(client, &ids, at).await?;
    let sales = sales_of(client, &ids).await?;
    delete_answers(client, &references, &sales).await?;
    erase_refusal_reasons(client, &sales).await?;
    let mut exceptions = erase_bodies(client, &sales).await?;
    if search == ExceptionSearch::BySaleOrContact {
        // Without the name: other people can have it.
        let texts: Vec<String> = locked
            .iter()
            .flat_map(|row| {
                let document: String = row.get(2);
                let masked = Document::parse(&document).map(|document| document.to_string());
                [Some(document), masked.ok(), row.get(3), row.get(4)]
            })
            .flatten()
            .collect();
        exceptions += erase_bodies_with(client, &texts).await?;
    }
    Ok(Erasure {
        orders: references,
        exceptions,
    })
}

/// The hash of a request's body goes too: with it, a guess of the body could be confirmed.
async fn erase_rows(client: &impl GenericClient, orders: &[Uuid], at: Instant) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE order_buyer
                SET name = NULL, document = NULL, email = NULL, phone = NULL, postal_code = NULL, street = NULL,
                    number = NULL, complement = NULL, district = NULL, city = NULL, state = NULL, request_hash = NULL,
                    erased_at = $2
              WHERE order_id = ANY ($1)",
            &[(&orders, Type::UUID_ARRAY), (&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    client
        .execute_typed(
            "UPDATE order_attempt SET card_token = NULL, challenge_url = NULL, request_key = NULL, request_hash = NULL
              WHERE order_id = ANY ($1)",
            &[(&orders, Type::UUID_ARRAY)],
        )
        .await
        .map(drop)
}

async fn sales_of(client: &impl GenericClient, orders: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    let rows = client
        .query_typed(
            "SELECT sale_id FROM order_attempt WHERE order_id = ANY ($1)",
            &[(&orders, Type::UUID_ARRAY)],
        )
        .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// Erases the reasons of refused refunds, because acquirers write them as free text. An exception of such a refund has
/// a copy.
async fn erase_refusal_reasons(client: &impl GenericClient, sales: &[Uuid]) -> Result<(), Error> {
    client
        .execute_typed(
            "UPDATE refund SET reason = NULL WHERE sale_id = ANY ($1) AND reason IS NOT NULL",
            &[(&sales, Type::UUID_ARRAY)],
        )
        .await?;
    client
        .execute_typed(
            "UPDATE exception SET reason_parameters = (reason_parameters::jsonb - 'message')::json
              WHERE sale_id = ANY ($1) AND refund_id IS NOT NULL",
            &[(&sales, Type::UUID_ARRAY)],
        )
        .await
        .map(drop)
}

/// Deletes the idempotency records about these orders, because they have answers with the buyer's data.
async fn delete_answers(
    client: &impl GenericClient,
    references: &[String],
    sales: &[Uuid],
) -> Result<(), Error> {
    let sales = sales.iter().map(Uuid::to_string);
    let names: Vec<String> = references.iter().cloned().chain(sales).collect();
    client
        .execute_typed(
            "DELETE FROM idempotency_record r
              WHERE EXISTS (SELECT FROM unnest($1) AS name WHERE strpos(r.answer::text, name) > 0)",
            &[(&names, Type::TEXT_ARRAY)],
        )
        .await
        .map(drop)
}
