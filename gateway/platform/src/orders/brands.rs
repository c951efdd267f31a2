//! The brand of a card that an acquirer tells only after the charge, compared with the brand that the total was priced
//! for.

use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use ledger_rows::get;
use serde_json::json;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::exceptions::by_hand::{self, ManualException};

/// Adds an exception for staff: the card has another brand than the total was priced for. Nothing is added if the seller
/// pays the fees: then all brands have one total, and the sale has the fees of the brand that was told.
pub(crate) async fn report(client: &impl GenericClient, sale_id: SaleId, told: &str) -> Result<(), Error> {
    let row = client
        .query_typed_opt(
            "SELECT a.provider, a.business_id, a.card_brand, a.total
               FROM order_attempt a
               JOIN link_order o ON o.id = a.order_id
               JOIN payment_link l ON l.id = o.link_id
              WHERE a.sale_id = $1 AND l.payer = 'buyer'",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    let Some(row) = row else { return Ok(()) };
    let provider: Provider = get(&row, 0)?;
    let new = ManualException {
        provider,
        kind: "order.brand_differs",
        reason: "order_brand_differs",
        subject: &sale_id.to_string(),
        parameters: json!({
            "priced_brand": row.get::<_, Option<&str>>(2), "card_brand": told, "amount": row.get::<_, i64>(3),
        }),
        business_id: Some(BusinessId::from_uuid(row.get(1))),
        sale_id: Some(sale_id),
    };
    by_hand::add(client, &new).await.map(drop)
}

/// Compares the brands that settlement files name with those of the charges whose acquirer told none. A brand that
/// agrees is then told; another one is for staff.
pub(crate) async fn check_settled(client: &impl GenericClient, rows: &[i64]) -> Result<(), Error> {
    let differing = client
        .query_typed(
            "WITH told AS (SELECT DISTINCT ON (a.sale_id) a.sale_id, r.brand, r.brand = a.card_brand AS agrees
                             FROM acquirer_receivable r JOIN order_attempt a USING (sale_id)
                            WHERE r.id = ANY ($1) AND r.brand IS NOT NULL AND a.brand_source = 'buyer'
                            ORDER BY a.sale_id, r.id),
                  known AS (UPDATE order_attempt a SET brand_source = 'file'
                              FROM told WHERE a.sale_id = told.sale_id AND told.agrees)
             SELECT sale_id, brand FROM told WHERE NOT agrees",
            &[(&rows, Type::INT8_ARRAY)],
        )
        .await?;
    for row in differing {
        report(client, SaleId::from_uuid(row.get(0)), row.get(1)).await?;
    }
    Ok(())
}

/// Who named the brand of a sale's card: `buyer` (only the buyer's browser), `token`, `charge` or `file`. `None` for a
/// sale that the platform did not charge, and for other payment types.
pub async fn brand_source(client: &impl GenericClient, sale_id: SaleId) -> Result<Option<String>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT brand_source FROM order_attempt WHERE sale_id = $1",
            &[(&sale_id.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.and_then(|row| row.get(0)))
}
