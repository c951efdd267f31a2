//! The receivables schedule by unit: each day's receivables by acquirer, brand and payment type.

use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::Unit;
use crate::page::{COUNT_LIMIT, ExportPage, Page, Paging};
use crate::{Error, column_values};

/// The receivables of one unit on a day. The amounts are those of `ScheduleDay`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivableUnit {
    pub due_date: Date,
    pub provider: Provider,
    pub card_brand: Option<CardBrand>,
    pub payment_type: PaymentType,
    pub expected: Cents,
    pub settled: Cents,
    pub accelerated: Cents,
    /// The number of installments, paid or not.
    pub count: u64,
}

/// The last row of a batch: the next batch begins after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitCursor {
    due_date: Date,
    provider: i16,
    card_brand: String,
    payment_type: &'static str,
}

/// One page of the units from `start` to `end`, oldest day first, then by provider, brand and payment type.
pub async fn unit_list(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
    paging: Paging,
) -> Result<Page<ReceivableUnit>, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FROM (SELECT 1 AS one FROM receivables_schedule WHERE business_id = $1 AND due_date BETWEEN $2 AND $3
                                    LIMIT $4) AS found",
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&COUNT_LIMIT, Type::INT8),
            ],
        )
        .await?;
    let found = column_values::count("receivables_schedule", row.get(0))?;
    let rows = select(client, business, (start, end), None, paging.within_total()).await?;
    Ok(Page::capped(rows, found, None))
}

/// At most `limit` units of the same list after the cursor.
pub async fn units_export_page(
    client: &impl GenericClient,
    business: BusinessId,
    days: (Date, Date),
    after: Option<UnitCursor>,
    limit: u32,
) -> Result<ExportPage<ReceivableUnit, UnitCursor>, Error> {
    let rows = select(client, business, days, after, (i64::from(limit), 0)).await?;
    Ok(ExportPage::of(rows, limit.into(), UnitCursor::of))
}

/// A unit without a brand sorts before units with a brand, because its brand counts as an empty text.
async fn select(
    client: &impl GenericClient,
    business: BusinessId,
    (start, end): (Date, Date),
    after: Option<UnitCursor>,
    (limit, offset): (i64, i64),
) -> Result<Vec<ReceivableUnit>, Error> {
    let start = after.as_ref().map_or(start, |after| after.due_date.max(start));
    let due_date = after.as_ref().map(|after| after.due_date);
    let provider = after.as_ref().map(|after| after.provider);
    let brand = after.as_ref().map(|after| after.card_brand.as_str());
    let payment_type = after.as_ref().map(|after| after.payment_type);
    let rows = client
        .query_typed(
            "SELECT due_date, provider, card_brand, payment_type, expected, settled, accelerated, installments
               FROM receivables_schedule
              WHERE business_id = $1 AND due_date BETWEEN $2 AND $3
                AND ($4::date IS NULL
                     OR (due_date, provider, coalesce(card_brand, ''), payment_type) > ($4, $5, $6, $7))
              ORDER BY due_date, provider, coalesce(card_brand, ''), payment_type
              LIMIT $8 OFFSET $9",
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&due_date, Type::DATE),
                (&provider, Type::INT2),
                (&brand, Type::TEXT),
                (&payment_type, Type::TEXT),
                (&limit, Type::INT8),
                (&offset, Type::INT8),
            ],
        )
        .await?;
    rows.iter().map(ReceivableUnit::from_row).collect()
}

impl ReceivableUnit {
    fn from_row(row: &Row) -> Result<Self, Error> {
        let Unit {
            provider,
            card_brand,
            payment_type,
        } = Unit::from_row(row, 1)?;
        Ok(Self {
            due_date: row.get(0),
            provider,
            card_brand,
            payment_type,
            expected: Cents::new(row.get(4)),
            settled: Cents::new(row.get(5)),
            accelerated: Cents::new(row.get(6)),
            count: column_values::count("receivables_schedule.installments", row.get(7))?,
        })
    }
}

impl UnitCursor {
    fn of(unit: &ReceivableUnit) -> Self {
        Self {
            due_date: unit.due_date,
            provider: i16::from(unit.provider.number()),
            card_brand: unit
                .card_brand
                .as_ref()
                .map(CardBrand::to_string)
                .unwrap_or_default(),
            payment_type: unit.payment_type.as_str(),
        }
    }
}
