//! Lists of sales: any filter, by page or by cursor, newest or oldest first.
//!
//! The page is found in an index that covers every filter. Then only the rows of the page are read.

use std::fmt;
use std::str::FromStr;

use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentType, SaleStatus, Solution};
use ledger_domain::{BusinessId, SaleId, TerminalId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::{SaleRow, sale_columns};
use crate::page::{
    COUNT_LIMIT, ExportPage, Next, NotACursor, Order, Page, Paging, TOTAL_MAX, cursor_instant,
};
use crate::range::TimeRange;
use crate::{Error, column_values};

/// Which sales. An empty or missing filter does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SaleFilter {
    pub business_id: Option<BusinessId>,
    pub solution: Option<Solution>,
    pub payment_type: Option<PaymentType>,
    pub statuses: Vec<SaleStatus>,
    pub brands: Vec<CardBrand>,
    pub terminal_id: Option<TerminalId>,
    /// The code of the payment link.
    pub payment_link: Option<String>,
    /// Restricts the instant that orders the list: the capture's, else the creation's.
    pub range: TimeRange,
    pub order: Order,
}

/// The last row of a page: the next page begins after it. Its text is opaque to callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaleCursor {
    occurred_at: Instant,
    sale_id: SaleId,
}

/// The filter as SQL parameters: `$1` to `$9` of `sale_filter`.
pub(super) struct FilterColumns {
    business: Option<uuid::Uuid>,
    solution: Option<i16>,
    payment_type: Option<&'static str>,
    statuses: Vec<&'static str>,
    brands: Vec<String>,
    terminal: Option<uuid::Uuid>,
    payment_link: Option<String>,
    from: Option<Instant>,
    until: Option<Instant>,
}

/// Null or empty parameters disappear when the statement is planned, so one text serves every filter.
macro_rules! sale_filter {
    () => {
        "($1::uuid IS NULL OR business_id = $1)
     AND ($2::int2 IS NULL OR solution = $2)
     AND ($3::text IS NULL OR payment_type = $3)
     AND (cardinality($4::text[]) = 0 OR status = ANY ($4))
     AND (cardinality($5::text[]) = 0 OR card_brand = ANY ($5))
     AND ($6::uuid IS NULL OR terminal_id = $6)
     AND ($7::text IS NULL OR payment_link_code = $7)
     AND ($8::timestamptz IS NULL OR occurred_at >= $8)
     AND ($9::timestamptz IS NULL OR occurred_at < $9)"
    };
}
pub(super) use sale_filter;

impl FilterColumns {
    pub fn of(filter: &SaleFilter) -> Self {
        Self {
            business: filter.business_id.map(BusinessId::uuid),
            solution: filter.solution.map(|solution| i16::from(solution.number())),
            payment_type: filter.payment_type.map(PaymentType::as_str),
            statuses: filter.statuses.iter().map(|status| status.as_str()).collect(),
            brands: filter
                .brands
                .iter()
                .map(|brand| brand.as_str().to_owned())
                .collect(),
            terminal: filter.terminal_id.map(TerminalId::uuid),
            payment_link: filter.payment_link.clone(),
            from: filter.range.from,
            until: filter.range.until,
        }
    }

    pub fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (&self.solution, Type::INT2),
            (&self.payment_type, Type::TEXT),
            (&self.statuses, Type::TEXT_ARRAY),
            (&self.brands, Type::TEXT_ARRAY),
            (&self.terminal, Type::UUID),
            (&self.payment_link, Type::TEXT),
            (&self.from, Type::TIMESTAMPTZ),
            (&self.until, Type::TIMESTAMPTZ),
        ]
    }
}

/// One page by number, and the total number of sales (counted to 10,000; pages by number end there too).
pub async fn sale_list(
    client: &impl GenericClient,
    filter: &SaleFilter,
    paging: Paging,
) -> Result<Page<SaleRow, SaleCursor>, Error> {
    let columns = FilterColumns::of(filter);
    let (limit, offset) = (paging.limit(), paging.offset());
    let total = count(client, &columns).await?;
    if u64::try_from(offset).unwrap_or(u64::MAX) >= total.min(TOTAL_MAX) {
        return Ok(Page::capped(vec![], total, None));
    }
    let direction = column_values::direction(filter.order);
    let sql = format!(
        "SELECT {columns}
           FROM (SELECT sale_id, business_id FROM sale WHERE {filter}
                  ORDER BY occurred_at {direction}, sale_id {direction} LIMIT $10 OFFSET $11) AS page
           JOIN sale USING (sale_id, business_id)
          ORDER BY sale.occurred_at {direction}, sale.sale_id {direction}",
        columns = sale_columns!(),
        filter = sale_filter!(),
    );
    let mut parameters = columns.parameters();
    parameters.extend([(&limit as &(dyn ToSql + Sync), Type::INT8), (&offset, Type::INT8)]);
    let rows = client.query_typed(&sql, &parameters).await?;
    Ok(page(sale_rows(&rows)?, total, limit))
}

/// The sales after the cursor, in the filter's order. The time does not depend on how many rows were read before.
pub async fn sale_list_after(
    client: &impl GenericClient,
    filter: &SaleFilter,
    next: Next<SaleCursor>,
    per_page: u32,
) -> Result<Page<SaleRow, SaleCursor>, Error> {
    let rows = select_after(client, filter, Some(next.after), i64::from(per_page)).await?;
    Ok(page(rows, next.found, i64::from(per_page)))
}

/// At most `limit` sales after the cursor, in the filter's order, without a count: for readers of the whole list.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &SaleFilter,
    after: Option<SaleCursor>,
    limit: u32,
) -> Result<ExportPage<SaleRow, SaleCursor>, Error> {
    let rows = select_after(client, filter, after, i64::from(limit)).await?;
    let next = cursor(&rows, i64::from(limit));
    Ok(ExportPage { rows, next })
}

async fn select_after(
    client: &impl GenericClient,
    filter: &SaleFilter,
    after: Option<SaleCursor>,
    limit: i64,
) -> Result<Vec<SaleRow>, Error> {
    let columns = FilterColumns::of(filter);
    let direction = column_values::direction(filter.order);
    let beyond = column_values::beyond(filter.order);
    let sql = format!(
        "SELECT {columns}
           FROM (SELECT sale_id, business_id FROM sale
                  WHERE {filter} AND ($11::timestamptz IS NULL OR (occurred_at, sale_id) {beyond} ($11, $12))
                  ORDER BY occurred_at {direction}, sale_id {direction} LIMIT $10) AS page
           JOIN sale USING (sale_id, business_id)
          ORDER BY sale.occurred_at {direction}, sale.sale_id {direction}",
        columns = sale_columns!(),
        filter = sale_filter!(),
    );
    let (occurred_at, sale) = after
        .map(|cursor| (cursor.occurred_at, cursor.sale_id.uuid()))
        .unzip();
    let mut parameters = columns.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&occurred_at, Type::TIMESTAMPTZ),
        (&sale, Type::UUID),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    sale_rows(&rows)
}

/// Counted one past the limit, so that a capped total is recognized.
async fn count(client: &impl GenericClient, columns: &FilterColumns) -> Result<u64, Error> {
    let sql = concat!(
        "SELECT count(*) FROM (SELECT FROM sale WHERE ",
        sale_filter!(),
        " LIMIT $10) AS found"
    );
    let mut parameters = columns.parameters();
    parameters.push((&COUNT_LIMIT, Type::INT8));
    let row = client.query_typed_one(sql, &parameters).await?;
    column_values::count("sale", row.get(0))
}

fn sale_rows(rows: &[Row]) -> Result<Vec<SaleRow>, Error> {
    rows.iter().map(SaleRow::from_row).collect()
}

fn page(rows: Vec<SaleRow>, found: u64, limit: i64) -> Page<SaleRow, SaleCursor> {
    let after = cursor(&rows, limit);
    Page::capped(rows, found, after)
}

/// A full page may have a next page; a short one is the last.
fn cursor(rows: &[SaleRow], limit: i64) -> Option<SaleCursor> {
    let full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
    rows.last().filter(|_| full).map(|row| SaleCursor {
        occurred_at: row.occurred_at,
        sale_id: row.sale_id,
    })
}

impl fmt::Display for SaleCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}",
            self.occurred_at.timestamp_micros(),
            self.sale_id.uuid()
        )
    }
}

impl FromStr for SaleCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let (micros, sale) = text.split_once('.').ok_or(NotACursor)?;
        let micros = micros.parse().map_err(|_| NotACursor)?;
        Ok(Self {
            occurred_at: cursor_instant(micros)?,
            sale_id: SaleId::from_uuid(sale.parse().map_err(|_| NotACursor)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_from_its_text() {
        let cursor = SaleCursor {
            occurred_at: Instant::from_timestamp_micros(1_790_000_000_123_456).expect("an instant"),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(7)),
        };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        assert_eq!("".parse::<SaleCursor>(), Err(NotACursor));
        assert_eq!("1.x".parse::<SaleCursor>(), Err(NotACursor));
    }
}
