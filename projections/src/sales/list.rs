//! Lists of sales with any filter, by page or by cursor, newest or oldest first.
//!
//! The ids of a page are found first, in an index that covers the common filters. Then only the rows of the page are
//! read.

use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentName, PaymentType, SaleStatus, Solution};
use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::counted::{CountedPart, DateBasis, ListedSale};
use super::cursor::SaleCursor;
use super::{SaleRow, sale_columns};
use crate::each_shard::{Cut, joined_list_of_each_shard, list_of_each_shard};
use crate::page::{COUNT_LIMIT, ExportPage, Next, Page, Paging, SortOrder, TOTAL_MAX};
use crate::range::TimeRange;
use crate::{Error, column_values};

/// A filter of sales, and the order of the list. An empty or missing field does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SaleFilter {
    pub business_id: Option<BusinessId>,
    pub solution: Option<Solution>,
    pub payment_type: Option<PaymentType>,
    pub statuses: Vec<SaleStatus>,
    pub brands: Vec<CardBrand>,
    pub terminal_id: Option<TerminalId>,
    /// Only sales that name a terminal, of any id.
    pub only_terminals: bool,
    /// The code of the payment link.
    pub payment_link: Option<String>,
    pub installments: Option<u8>,
    /// A name of the payment or of a refund of it, in whole.
    pub name: Option<String>,
    /// The event by whose instant the list is ordered and filtered. Sales without that event are not listed.
    pub date_basis: DateBasis,
    /// Restricts the instants of `date_basis`.
    pub range: TimeRange,
    pub order: SortOrder,
}

impl SaleFilter {
    /// Whether the filter restricts more than the company, the statuses and the instants.
    pub(crate) fn restricts_sales(&self) -> bool {
        let Self {
            business_id: _,
            statuses: _,
            date_basis: _,
            range: _,
            order: _,
            solution,
            payment_type,
            brands,
            terminal_id,
            only_terminals,
            payment_link,
            installments,
            name,
        } = self;
        solution.is_some()
            || payment_type.is_some()
            || !brands.is_empty()
            || terminal_id.is_some()
            || *only_terminals
            || payment_link.is_some()
            || installments.is_some()
            || name.is_some()
    }

    /// The SQL table or subquery in which the rows of a page are found. `order` is the order of the page.
    ///
    /// Statuses other than `succeeded` are read one by one: an index has each of them in the list's order, and a page
    /// needs the first rows of each only. As one condition, all rows of several statuses would be read and sorted.
    fn source(&self, order: &str) -> String {
        let by_status = match self.date_basis {
            DateBasis::Occurred | DateBasis::Captured => true,
            DateBasis::Reversed | DateBasis::Settled => false,
        };
        let by_status =
            by_status && !self.statuses.is_empty() && !self.statuses.contains(&SaleStatus::Succeeded);
        // The few sales of a name are found first.
        if !by_status || self.name.is_some() {
            return self.date_basis.source().to_owned();
        }
        let order = if self.statuses.len() > 1 { order } else { "" };
        let of_status =
            |status: &SaleStatus| format!("(SELECT * FROM sale WHERE status = '{status}' {order})");
        let statuses: Vec<_> = self.statuses.iter().map(of_status).collect();
        format!("({}) AS of_statuses", statuses.join(" UNION ALL "))
    }

    /// The same for a count. Reversals and settlements are counted without their sales, unless the filter names
    /// attributes of these.
    fn counted_source(&self) -> String {
        let of_sales = self.restricts_sales();
        match self.date_basis {
            DateBasis::Reversed if !of_sales => without_sales("sale_return", "status", ""),
            DateBasis::Settled if !of_sales && self.statuses.is_empty() => without_sales(
                "statement_line",
                "NULL::text AS status",
                "WHERE movement = 'settlement'",
            ),
            _ => self.source(""),
        }
    }

    /// SQL conditions without parameters, in addition to those of `sale_filter`. Each begins with ` AND`.
    pub(crate) fn fixed_conditions(&self) -> String {
        let of_terminals = if self.only_terminals {
            " AND terminal_id IS NOT NULL"
        } else {
            ""
        };
        format!("{}{of_terminals}", self.date_basis.condition(self))
    }
}

/// The filter as SQL parameters: `$1` to `$11` of `sale_filter`.
pub(crate) struct FilterParameters {
    business: Option<uuid::Uuid>,
    solution: Option<i16>,
    payment_type: Option<&'static str>,
    statuses: Vec<&'static str>,
    brands: Vec<String>,
    terminal: Option<uuid::Uuid>,
    payment_link: Option<String>,
    from: Option<Instant>,
    until: Option<Instant>,
    installments: Option<i16>,
    name: Option<String>,
}

/// Null or empty parameters disappear when the statement is planned, so one text serves every filter.
///
/// The sales of a name are found first, and then those that the other conditions allow. As a plain condition, the
/// planner might walk the whole list in its order instead, because it does not know how rare a name is.
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
     AND ($9::timestamptz IS NULL OR occurred_at < $9)
     AND ($10::int2 IS NULL OR installments = $10)
     AND ($11::text IS NULL OR sale_id = ANY (ARRAY(SELECT named.sale_id FROM sale AS named
                                                     WHERE named.search_names @> ARRAY[$11])))"
    };
}
pub(crate) use sale_filter;

impl FilterParameters {
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
            installments: filter.installments.map(i16::from),
            name: filter.name.as_deref().map(PaymentName::search_key),
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
            (&self.installments, Type::INT2),
            (&self.name, Type::TEXT),
        ]
    }
}

/// One page by number, and the total number of sales. The total is counted to 10,000, and pages by number end with the
/// one that has the 10,000th row.
pub async fn sale_list(
    client: &impl GenericClient,
    filter: &SaleFilter,
    paging: Paging,
) -> Result<Page<SaleRow, SaleCursor>, Error> {
    let page = sale_list_with_counted(client, filter, paging).await?;
    Ok(page.map(|listed| listed.sale))
}

/// Like `sale_list`, with the part of each sale that a report's figure counts.
pub async fn sale_list_with_counted(
    client: &impl GenericClient,
    filter: &SaleFilter,
    paging: Paging,
) -> Result<Page<ListedSale, SaleCursor>, Error> {
    let filter_parameters = FilterParameters::of(filter);
    let (limit, offset) = (paging.limit(), paging.offset());
    let total = count(client, filter, &filter_parameters).await?;
    if u64::try_from(offset).unwrap_or(u64::MAX) >= total.min(TOTAL_MAX) {
        return Ok(Page::capped(vec![], total, None));
    }
    let cut = Cut {
        limit: "$12",
        offset: "$13",
    };
    let sql = select(filter, "", (cut, offset));
    let mut parameters = filter_parameters.parameters();
    parameters.extend([(&limit as &(dyn ToSql + Sync), Type::INT8), (&offset, Type::INT8)]);
    let rows = client.query_typed(&sql, &parameters).await?;
    Ok(page(listed(filter, &rows)?, total, limit))
}

/// One page of the sales after the cursor, in the filter's order. Its cost does not grow with the number of earlier
/// pages.
pub async fn sale_list_after_cursor(
    client: &impl GenericClient,
    filter: &SaleFilter,
    next: Next<SaleCursor>,
    per_page: u32,
) -> Result<Page<ListedSale, SaleCursor>, Error> {
    let rows = select_after(client, filter, Some(next.after), i64::from(per_page)).await?;
    Ok(page(rows, next.found, i64::from(per_page)))
}

/// At most `limit` sales after the cursor, in the filter's order, for exports of the whole list. Nothing is counted.
pub async fn export_page(
    client: &impl GenericClient,
    filter: &SaleFilter,
    after: Option<SaleCursor>,
    limit: u32,
) -> Result<ExportPage<ListedSale, SaleCursor>, Error> {
    let rows = select_after(client, filter, after, i64::from(limit)).await?;
    let next = SaleCursor::after(&rows, i64::from(limit));
    Ok(ExportPage { rows, next })
}

async fn select_after(
    client: &impl GenericClient,
    filter: &SaleFilter,
    after: Option<SaleCursor>,
    limit: i64,
) -> Result<Vec<ListedSale>, Error> {
    // The scan of the index begins at the cursor and not at the end of the range. Otherwise each page would read all
    // earlier pages.
    let range = after.map_or(filter.range, |cursor| match filter.order {
        SortOrder::Asc => filter.range.since(cursor.occurred_at),
        SortOrder::Desc => filter.range.up_to(cursor.occurred_at),
    });
    let filter = &SaleFilter {
        range,
        ..filter.clone()
    };
    let filter_parameters = FilterParameters::of(filter);
    let (tie_breaker, operator) = (filter.date_basis.tie_breaker(), filter.order.comparison());
    let after_cursor = if tie_breaker.is_empty() {
        format!("AND ($13::timestamptz IS NULL OR (occurred_at, sale_id) {operator} ($13, $14))")
    } else {
        format!(
            "AND ($13::timestamptz IS NULL OR (occurred_at, sale_id{tie_breaker}) {operator} ($13, $14, $15))"
        )
    };
    let sql = select(filter, &after_cursor, (Cut::first("$12"), 0));
    let occurred_at = after.map(|cursor| cursor.occurred_at);
    let sale = after.map(|cursor| cursor.sale_id.uuid());
    let installment = after.map(|cursor| cursor.tie_breaker.installment());
    let status = after.map(|cursor| cursor.tie_breaker.status());
    let mut parameters = filter_parameters.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&occurred_at, Type::TIMESTAMPTZ),
        (&sale, Type::UUID),
    ]);
    match filter.date_basis {
        DateBasis::Occurred | DateBasis::Captured => {}
        DateBasis::Reversed => parameters.push((&status, Type::TEXT)),
        DateBasis::Settled => parameters.push((&installment, Type::INT2)),
    }
    let rows = client.query_typed(&sql, &parameters).await?;
    listed(filter, &rows)
}

/// The inner query finds the page in an index. The outer one reads the rows of its sales.
fn select(filter: &SaleFilter, after_cursor: &str, (cut, skipped): (Cut<'_>, i64)) -> String {
    let basis = filter.date_basis;
    let direction = filter.order.sql();
    let tie_breaker = match basis.tie_breaker() {
        "" => String::new(),
        column => format!("{column} {direction}"),
    };
    let order = format!("ORDER BY occurred_at {direction}, sale_id {direction}");
    let page = |limit: &str| {
        format!(
            "SELECT sale_id, business_id, occurred_at AS counted_at{inner_columns} FROM {source}
              WHERE {conditions}{fixed_conditions} {after_cursor}
              {order}{tie_breaker} {limit}",
            inner_columns = basis.inner_columns(),
            source = filter.source(&order),
            conditions = sale_filter!(),
            fixed_conditions = filter.fixed_conditions(),
        )
    };
    let rows = |page: &str| {
        format!(
            "SELECT {columns}{page_columns} FROM {page} JOIN sale USING (sale_id, business_id)
              ORDER BY counted_at {direction}, sale.sale_id {direction}{tie_breaker}",
            columns = sale_columns!(),
            page_columns = basis.page_columns(),
        )
    };
    let by = |instant: &str| format!("{instant} {direction}, sale_id {direction}{tie_breaker}");
    let orders = (&*by("counted_at"), &*by(basis.instant()));
    joined_list_of_each_shard(orders, (cut, skipped), page, rows)
}

/// The rows of a table with the columns that `sale_filter` restricts, those of sales without values.
fn without_sales(table: &str, status: &str, condition: &str) -> String {
    format!(
        "(SELECT sale_id, business_id, occurred_at, {status}, NULL::int2 AS solution, NULL::text AS payment_type,
                 NULL::text AS card_brand, NULL::uuid AS terminal_id, NULL::text AS payment_link_code,
                 NULL::int2 AS installments
            FROM {table} {condition}) AS listed"
    )
}

/// Counts to one more than the limit, so that a capped total is recognized.
async fn count(
    client: &impl GenericClient,
    filter: &SaleFilter,
    filter_parameters: &FilterParameters,
) -> Result<u64, Error> {
    let found = list_of_each_shard("", Cut::first("$12"), |limit| {
        format!(
            "SELECT 1 AS one FROM {source} WHERE {conditions}{fixed_conditions} {limit}",
            source = filter.counted_source(),
            conditions = sale_filter!(),
            fixed_conditions = filter.fixed_conditions(),
        )
    });
    let sql = format!("SELECT count(*) FROM ({found}) AS found");
    let mut parameters = filter_parameters.parameters();
    parameters.push((&COUNT_LIMIT, Type::INT8));
    let row = client.query_typed_one(&sql, &parameters).await?;
    column_values::count("sale", row.get(0))
}

fn listed(filter: &SaleFilter, rows: &[Row]) -> Result<Vec<ListedSale>, Error> {
    let listed = |row| {
        Ok(ListedSale {
            sale: SaleRow::from_row(row)?,
            counted: CountedPart::from_row(filter.date_basis, row)?,
        })
    };
    rows.iter().map(listed).collect()
}

fn page(rows: Vec<ListedSale>, found: u64, limit: i64) -> Page<ListedSale, SaleCursor> {
    let after = SaleCursor::after(&rows, limit);
    Page::capped(rows, found, after)
}
