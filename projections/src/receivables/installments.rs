//! The installments of a day of the receivables schedule, each with its sale.
//!
//! A single installment has no row of its own: it is an element of its sale's arrays. The schedule has the few dates on
//! which the sales of a due date were captured. Each of these dates is one short range of the index of sales. The
//! ranges are read in order until a page is full.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::calendar::{Date, Instant, business_date, days_after, start_of};
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::log;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use crate::page::{ExportPage, Page, Paging};
use crate::sales::ReceivableStatus;
use crate::{Error, column_values};

/// A filter of the installments of a day. A missing field does not restrict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallmentFilter {
    pub business_id: BusinessId,
    pub due_date: Date,
    pub provider: Option<Provider>,
    pub card_brand: Option<CardBrand>,
    pub payment_type: Option<PaymentType>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledInstallment {
    pub sale_id: SaleId,
    /// From 1.
    pub number: u8,
    /// The number of installments of the sale.
    pub installments: u8,
    pub provider: Provider,
    pub payment_type: PaymentType,
    pub card_brand: Option<CardBrand>,
    pub gross: Cents,
    pub net: Cents,
    /// The part of the net that refunds, disputes and chargebacks of a part took.
    pub consumed: Cents,
    pub status: ReceivableStatus,
    /// The business date of the settlement or reversal that paid it; `None` while it is open.
    pub paid_on: Option<Date>,
    /// The instant of the sale's capture.
    pub captured_at: Instant,
}

/// The last installment of an export page: the next page begins after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstallmentCursor {
    captured_at: Instant,
    sale_id: SaleId,
    number: i16,
}

/// One page of the day's installments, in the order of their sales' captures. The schedule has the number of the day's
/// installments, so nothing is counted. Pages by number end at `page::TOTAL_MAX`, and the total is capped there too.
pub async fn installment_list(
    client: &impl GenericClient,
    filter: &InstallmentFilter,
    paging: Paging,
) -> Result<Page<ScheduledInstallment>, Error> {
    let filter_sql = FilterParameters::of(filter);
    let (total, captured_on) = schedule_day(client, filter, &filter_sql).await?;
    let (limit, offset) = paging.within_total();
    let mut rows = vec![];
    if limit > 0 && u64::try_from(offset).unwrap_or(u64::MAX) < total {
        rows = select(
            client,
            filter,
            &filter_sql,
            &captured_on,
            None,
            offset.saturating_add(limit),
        )
        .await?;
        rows.drain(..usize::try_from(offset).unwrap_or(usize::MAX).min(rows.len()));
    }
    let rows = installments(client, filter.business_id, &rows).await?;
    Ok(Page::capped(rows, total, None))
}

/// At most `limit` installments of the same list after the cursor.
pub async fn installments_export_page(
    client: &impl GenericClient,
    filter: &InstallmentFilter,
    after: Option<InstallmentCursor>,
    limit: u32,
) -> Result<ExportPage<ScheduledInstallment, InstallmentCursor>, Error> {
    let filter_sql = FilterParameters::of(filter);
    let (_, captured_on) = schedule_day(client, filter, &filter_sql).await?;
    let rows = select(client, filter, &filter_sql, &captured_on, after, i64::from(limit)).await?;
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|row| InstallmentCursor {
        captured_at: row.get("occurred_at"),
        sale_id: SaleId::from_uuid(row.get("sale_id")),
        number: row.get("number"),
    });
    Ok(ExportPage {
        rows: installments(client, filter.business_id, &rows).await?,
        next,
    })
}

/// A filter's values as SQL parameters: `$1` is the business, `$3` to `$5` are the parts of the unit (see `in_unit`).
struct FilterParameters {
    business: uuid::Uuid,
    provider: Option<i16>,
    card_brand: Option<String>,
    payment_type: Option<&'static str>,
}

macro_rules! in_unit {
    () => {
        "($3::int2 IS NULL OR provider = $3) AND ($4::text IS NULL OR card_brand = $4)
         AND ($5::text IS NULL OR payment_type = $5)"
    };
}

impl FilterParameters {
    fn of(filter: &InstallmentFilter) -> Self {
        Self {
            business: filter.business_id.uuid(),
            provider: filter.provider.map(|provider| i16::from(provider.number())),
            card_brand: filter.card_brand.as_ref().map(CardBrand::to_string),
            payment_type: filter.payment_type.map(|payment_type| payment_type.as_str()),
        }
    }

    fn parameters<'a>(&'a self, due_date: &'a Date) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (due_date, Type::DATE),
            (&self.provider, Type::INT2),
            (&self.card_brand, Type::TEXT),
            (&self.payment_type, Type::TEXT),
        ]
    }
}

/// The number of installments of the day, and the capture dates of their sales, oldest first.
async fn schedule_day(
    client: &impl GenericClient,
    filter: &InstallmentFilter,
    filter_sql: &FilterParameters,
) -> Result<(u64, BTreeSet<Date>), Error> {
    let sql = concat!(
        "SELECT installments, captured_on FROM receivables_schedule WHERE business_id = $1 AND due_date = $2 AND ",
        in_unit!()
    );
    let rows = client
        .query_typed(sql, &filter_sql.parameters(&filter.due_date))
        .await?;
    let mut total = 0;
    let mut captured_on = BTreeSet::new();
    for row in rows {
        total += column_values::count("receivables_schedule.installments", row.get(0))?;
        captured_on.extend(row.get::<_, Vec<Date>>(1));
    }
    Ok((total, captured_on))
}

/// At most `limit` installments after the cursor, from the sales of these capture dates.
async fn select(
    client: &impl GenericClient,
    filter: &InstallmentFilter,
    filter_sql: &FilterParameters,
    captured_on: &BTreeSet<Date>,
    after: Option<InstallmentCursor>,
    limit: i64,
) -> Result<Vec<Row>, Error> {
    // The first condition on the cursor ($8 and $9) is a range of the index. The second one skips the installments of
    // the cursor's own sale that were read before.
    let sql = concat!(
        "SELECT sale.sale_id, installment.number::int2, sale.installments, sale.provider, sale.card_brand,
                sale.payment_type, installment.gross, installment.net, installment.settled_by,
                sale.accelerated_by, sale.occurred_at,
                (SELECT coalesce(sum(part.net), 0)::int8
                   FROM unnest(sale.consumed_installment, sale.consumed_net) AS part (number, net)
                  WHERE part.number = installment.number) AS consumed
           FROM sale
          CROSS JOIN LATERAL unnest(sale.due_dates, sale.installment_gross, sale.installment_net, sale.settled_by)
                             WITH ORDINALITY AS installment (due_date, gross, net, settled_by, number)
          WHERE business_id = $1 AND installment.due_date = $2 AND ",
        in_unit!(),
        "   AND sale.occurred_at >= $6 AND sale.occurred_at < $7
            AND ($8::timestamptz IS NULL OR (sale.occurred_at, sale.sale_id) >= ($8, $9))
            AND ($8::timestamptz IS NULL OR (sale.occurred_at, sale.sale_id, installment.number) > ($8, $9, $10))
          ORDER BY sale.occurred_at, sale.sale_id, installment.number LIMIT $11"
    );
    let captured_at = after.map(|after| after.captured_at);
    let sale = after.map(|after| after.sale_id.uuid());
    let number = after.map(|after| i64::from(after.number));
    let first_date = captured_at.map(business_date);
    let mut rows = vec![];
    for date in captured_on
        .iter()
        .filter(|date| first_date.is_none_or(|first| **date >= first))
    {
        let rest = limit - i64::try_from(rows.len()).unwrap_or(i64::MAX);
        if rest <= 0 {
            break;
        }
        let (from, until) = (start_of(*date), start_of(days_after(*date, 1)));
        let mut parameters = filter_sql.parameters(&filter.due_date);
        parameters.extend([
            (&from as &(dyn ToSql + Sync), Type::TIMESTAMPTZ),
            (&until, Type::TIMESTAMPTZ),
            (&captured_at, Type::TIMESTAMPTZ),
            (&sale, Type::UUID),
            (&number, Type::INT8),
            (&rest, Type::INT8),
        ]);
        rows.extend(client.query_typed(sql, &parameters).await?);
    }
    Ok(rows)
}

/// The installments of the rows of `select`.
async fn installments(
    client: &impl GenericClient,
    business: BusinessId,
    rows: &[Row],
) -> Result<Vec<ScheduledInstallment>, Error> {
    // The sequences of the events that settled or accelerated the installments.
    let payment_sequences: BTreeSet<i64> = rows
        .iter()
        .filter_map(|row| row.get::<_, Option<i64>>("settled_by"))
        .collect();
    let dates = event_dates(client, business, &payment_sequences).await?;
    rows.iter().map(|row| installment_at(row, &dates)).collect()
}

/// `dates` has the business dates of the events that paid the installments, by their sequence.
fn installment_at(row: &Row, dates: &BTreeMap<i64, Date>) -> Result<ScheduledInstallment, Error> {
    let brand: Option<&str> = row.get("card_brand");
    let payment_sequence: Option<i64> = row.get("settled_by");
    let (net, consumed) = (Cents::new(row.get("net")), Cents::new(row.get("consumed")));
    let is_consumed = consumed != Cents::ZERO && consumed == net;
    Ok(ScheduledInstallment {
        sale_id: SaleId::from_uuid(row.get("sale_id")),
        number: column_values::small_number("sale.due_dates", row.get("number"))?,
        installments: column_values::small_number("sale.installments", row.get("installments"))?,
        provider: column_values::provider(row.get("provider"))?,
        payment_type: column_values::payment_type(row.get("payment_type"))?,
        card_brand: column_values::optional_brand(brand)?,
        gross: Cents::new(row.get("gross")),
        net,
        consumed,
        status: ReceivableStatus::of(payment_sequence, row.get("accelerated_by"), is_consumed),
        paid_on: payment_sequence.and_then(|sequence| dates.get(&sequence).copied()),
        captured_at: row.get("occurred_at"),
    })
}

/// The business dates of some of the business's events.
async fn event_dates(
    client: &impl GenericClient,
    business: BusinessId,
    sequences: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, Date>, Error> {
    if sequences.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sequences: Vec<_> = sequences.iter().copied().collect();
    let instants = log::instants_of(client, business, &sequences).await?;
    let date = |(sequence, instant)| (sequence, business_date(instant));
    Ok(instants.into_iter().map(date).collect())
}
