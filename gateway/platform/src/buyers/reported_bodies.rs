//! The bodies of reports in the exceptions queue. After an erasure they have no free text.
//!
//! The body of an exception that still waits is read again, so the fields that a notice is decided by stay. They name
//! sales, companies and terminals by their ids, and no person.

use ledger_domain::SaleId;
use serde_json::{Map, Value};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

/// The fields by which a notice is decided, except free text. Sorted, for the binary search.
const KNOWN_FIELDS: [&str; 19] = [
    "amount",
    "authorization_code",
    "business_id",
    "card_brand",
    "card_last_four",
    "data",
    "dispute_id",
    "external_id",
    "id",
    "installments",
    "occurred_at",
    "payment_link_code",
    "payment_type",
    "payout_id",
    "sale_id",
    "solution",
    "terminal_serial",
    "transfer_id",
    "type",
];
/// The erased body of an exception that has ended.
const EMPTY: &str = "{}";
/// Replaces staff's reason for a close if it has a buyer's data.
const RESOLUTION_ERASED: &str = "Apagado com os dados do comprador.";

/// The body with the known fields only. A body that is not a JSON object becomes an empty object.
pub(crate) fn known_fields(body: &str) -> String {
    let parsed: Option<Map<String, Value>> = serde_json::from_str(body).ok();
    Value::Object(parsed.map(only_known).unwrap_or_default()).to_string()
}

fn only_known(fields: Map<String, Value>) -> Map<String, Value> {
    let known = fields
        .into_iter()
        .filter(|(name, _)| KNOWN_FIELDS.binary_search(&name.as_str()).is_ok());
    known
        .map(|(name, value)| match value {
            Value::Object(inner) => (name, Value::Object(only_known(inner))),
            Value::Array(_) => (name, Value::Null),
            plain => (name, plain),
        })
        .collect()
}

/// Whether the buyer of the sale's order is erased. Later reports about the sale are stored with `known_fields` only.
pub async fn buyer_erased(client: &impl GenericClient, sale_id: SaleId) -> Result<bool, Error> {
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM order_attempt a JOIN link_order o ON o.id = a.order_id
                             WHERE a.sale_id = $1 AND NOT o.has_buyer)",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    row.try_get(0)
}

/// Erases the bodies of the exceptions of these sales.
pub(super) async fn erase_bodies(client: &impl GenericClient, sales: &[Uuid]) -> Result<u64, Error> {
    let rows = client
        .query_typed(
            "SELECT id, status, body FROM exception WHERE sale_id = ANY ($1) AND NOT body_erased FOR UPDATE",
            &[(&sales, Type::UUID_ARRAY)],
        )
        .await?;
    erase_each(client, &rows).await
}

/// Erases the bodies of the exceptions that contain one of the texts, and replaces a reason for a close that contains
/// one.
pub(super) async fn erase_bodies_with(client: &impl GenericClient, texts: &[String]) -> Result<u64, Error> {
    let rows = client
        .query_typed(
            "SELECT id, status, body FROM exception e
              WHERE EXISTS (SELECT FROM unnest($1) AS text
                             WHERE strpos(lower(e.body), lower(text)) > 0
                                OR strpos(lower(coalesce(e.resolution, '')), lower(text)) > 0
                                OR strpos(lower(e.reason_parameters::text), lower(text)) > 0)
                FOR UPDATE",
            &[(&texts, Type::TEXT_ARRAY)],
        )
        .await?;
    let changed = erase_each(client, &rows).await?;
    client
        .execute_typed(
            "UPDATE exception e SET resolution = $2
              WHERE status = 'closed'
                AND EXISTS (SELECT FROM unnest($1) AS text WHERE strpos(lower(e.resolution), lower(text)) > 0)",
            &[(&texts, Type::TEXT_ARRAY), (&RESOLUTION_ERASED, Type::TEXT)],
        )
        .await?;
    Ok(changed)
}

/// Erases the bodies of up to `most` exceptions that ended before the instant.
pub(super) async fn erase_bodies_ended_before(
    client: &impl GenericClient,
    before: ledger_domain::calendar::Instant,
    most: i64,
) -> Result<u64, Error> {
    client
        .execute_typed(
            "UPDATE exception SET body = $3, reason_parameters = '{}', body_erased = true
              WHERE id IN (SELECT id FROM exception WHERE ended_at < $1 AND NOT body_erased
                            ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
            &[
                (&before, Type::TIMESTAMPTZ),
                (&most, Type::INT8),
                (&EMPTY, Type::TEXT),
            ],
        )
        .await
}

/// Erases the text of each body. A waiting notice keeps the fields by which it will be decided.
async fn erase_each(client: &impl GenericClient, rows: &[Row]) -> Result<u64, Error> {
    for row in rows {
        let (id, status, body): (Uuid, &str, &str) = (row.get(0), row.get(1), row.get(2));
        let waits = status == "waiting";
        let body = if waits {
            known_fields(body)
        } else {
            EMPTY.to_owned()
        };
        client
            .execute_typed(
                "UPDATE exception SET body = $2, body_erased = $3,
                                      reason_parameters = CASE WHEN $3 THEN '{}'::json ELSE reason_parameters END
                  WHERE id = $1",
                &[(&id, Type::UUID), (&body, Type::TEXT), (&!waits, Type::BOOL)],
            )
            .await?;
    }
    Ok(u64::try_from(rows.len()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_keeps_the_fields_that_decide_a_notice_and_no_text() {
        assert!(KNOWN_FIELDS.is_sorted());
        let body = json!({
            "id": "evt_1", "type": "sale.captured", "occurred_at": "2026-11-21T12:00:00Z", "customer": { "name": "Ana" },
            "data": {
                "external_id": "ext_1", "amount": 100, "reason": "Ana desistiu", "payer": { "id": "Ana" },
                "sale_id": ["Ana"], "card_brand": { "name": "Ana" },
            },
        });
        let kept: Value = serde_json::from_str(&known_fields(&body.to_string())).expect("JSON");
        assert_eq!(
            kept,
            json!({
                "id": "evt_1", "type": "sale.captured", "occurred_at": "2026-11-21T12:00:00Z",
                "data": { "external_id": "ext_1", "amount": 100, "sale_id": null, "card_brand": {} },
            })
        );
        for unreadable in ["", "Ana", "[\"Ana\"]"] {
            assert_eq!(known_fields(unreadable), "{}");
        }
    }
}
