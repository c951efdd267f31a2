//! The figures of links: openings, orders and sales.

use std::collections::HashMap;

use ledger_domain::calendar::Date;
use ledger_domain::{Cents, PaymentLinkId};
use projections::daily_sales;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::PaymentLink;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkFigures {
    /// Paid sales. Those whose money went back to the buyer are not among them.
    pub sales: u64,
    /// The gross of these sales.
    pub sold: Cents,
}

/// The sales of the links, by link. A link without sales has no entry.
pub async fn link_figures(
    client: &impl GenericClient,
    links: &[PaymentLink],
) -> Result<HashMap<PaymentLinkId, LinkFigures>, projections::Error> {
    let codes: Vec<_> = links
        .iter()
        .map(|link| (link.code.as_str(), link.company.id))
        .collect();
    let sold = daily_sales::by_payment_links(client, &codes).await?;
    let figures = links.iter().filter_map(|link| {
        let volume = sold.get(&(link.code.clone(), link.company.id))?;
        let figures = LinkFigures {
            sales: volume.count,
            sold: volume.gross,
        };
        Some((link.id, figures))
    });
    Ok(figures.collect())
}

/// Counts an opening of the public page. Nothing about the person who opened it is kept.
pub async fn link_opening_add(
    client: &impl GenericClient,
    id: PaymentLinkId,
    today: Date,
) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO payment_link_opening AS counted (link_id, business_date, opened) VALUES ($1, $2, 1)
             ON CONFLICT (link_id, business_date) DO UPDATE SET opened = counted.opened + 1",
            &[(&id.uuid(), Type::UUID), (&today, Type::DATE)],
        )
        .await
        .map(drop)
}

/// The number of the link's orders, in any status.
pub async fn link_order_count(client: &impl GenericClient, id: PaymentLinkId) -> Result<i64, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FROM link_order WHERE link_id = $1",
            &[(&id.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.get(0))
}

/// How often the links were opened, by link. A link that was never opened has no entry.
pub async fn link_opening_counts(
    client: &impl GenericClient,
    links: &[PaymentLink],
) -> Result<HashMap<PaymentLinkId, i64>, Error> {
    let ids: Vec<Uuid> = links.iter().map(|link| link.id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT link_id, sum(opened)::int8 FROM payment_link_opening WHERE link_id = ANY ($1) GROUP BY link_id",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    let opened = rows
        .iter()
        .map(|row| (PaymentLinkId::from_uuid(row.get(0)), row.get(1)));
    Ok(opened.collect())
}
