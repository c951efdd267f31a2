//! The parties that a boleto names.

use ledger_domain::calendar::Instant;
use ledger_domain::documents::Document;
use ledger_rows::get;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// Not `Debug`: it has the buyer's data.
pub struct BoletoParties {
    pub seller_name: String,
    pub seller_document: Document,
    pub buyer_name: String,
    pub buyer_document: Document,
    pub buyer_address: Option<String>,
    pub ordered_at: Instant,
}

/// `None` if the order has no buyer, because the buyer was erased.
pub async fn boleto_parties(
    client: &impl GenericClient,
    order_id: Uuid,
) -> Result<Option<BoletoParties>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT b.name, b.document, p.name, p.document, o.created_at,
                    concat_ws(', ', p.street, p.number, p.complement, p.district, p.city || ' - ' || p.state,
                              'CEP ' || overlay(p.postal_code placing '-' from 6 for 0))
               FROM link_order o
               JOIN business b ON b.id = o.business_id
               JOIN order_buyer p ON p.order_id = o.id
              WHERE o.id = $1 AND p.erased_at IS NULL",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    row.map(|row| {
        Ok(BoletoParties {
            seller_name: row.get(0),
            seller_document: get(&row, 1)?,
            buyer_name: row.get(2),
            buyer_document: get(&row, 3)?,
            ordered_at: row.get(4),
            buyer_address: Some(row.get::<_, String>(5)).filter(|address| !address.is_empty()),
        })
    })
    .transpose()
}
