//! Writes the book of a closing. It is read in one snapshot, so that a late notice is in all sheets or in none. It is
//! read page by page, so that memory does not grow with the company's sales.

use std::fs::File;

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use gateway_environment::time_zone::TimeZone;
use gateway_platform::closing::{Closing, Month, begin_snapshot};
use ledger_domain::BusinessId;
use ledger_domain::transfer::TransferKind;
use projections::balance::as_of::Axis;
use projections::balance::statement::{self, Movement, StatementFilter};
use projections::sales::{self, DateBasis, SaleFilter};
use projections::withdrawals::{self, TransferFilter};
use projections::{ReadModelGroup, SortOrder, TimeRange};
use tokio_postgres::GenericClient;

use super::checks::{Check, Written, checks};
use super::ledger_sheets;
use super::sheets::{self, ListTotals};
use crate::problem::Result;
use crate::shared::read_models::wait_for_read_models;
use crate::spreadsheet::{BookWriter, Filled, PAGE_ROWS};

#[derive(Debug)]
pub struct ClosingFile {
    pub file: File,
    pub closing: Closing,
    pub checks: Vec<Check>,
}

/// Reads and writes the whole month. A check that fails is in the file and in the log. The accountant still gets the
/// file.
pub async fn write_closing(
    pool: &Pool,
    business: BusinessId,
    month: Month,
    made_at: DateTime<Utc>,
) -> Result<ClosingFile> {
    wait_for_read_models(pool, &ReadModelGroup::ALL, business).await?;
    let book = BookWriter::open(TimeZone::BRASILIA).await?;
    let mut client = pool.get().await?;
    let snapshot = begin_snapshot(&mut client, business).await?;
    let closing = Closing::read(&*snapshot, business, month, made_at).await?;
    let listing = Listing {
        client: &*snapshot,
        book: &book,
        business,
        range: TimeRange::of_business_dates(Some(month.first()), Some(month.last())),
    };
    let checks = listing.write_all(&closing).await?;
    drop(snapshot);
    let file = book.finish().await?;
    for check in checks.iter().filter(|check| !check.holds()) {
        tracing::error!(
            code = "closing_differs", business_id = %business, month = month.text(), check = check.name,
            found = check.actual, expected = check.expected, "a check of a company's month does not hold"
        );
    }
    Ok(ClosingFile {
        file,
        closing,
        checks,
    })
}

struct Listing<'a, Client> {
    client: &'a Client,
    book: &'a BookWriter,
    business: BusinessId,
    range: TimeRange,
}

impl<Client: GenericClient> Listing<'_, Client> {
    /// The sheets in their order.
    async fn write_all(&self, closing: &Closing) -> Result<Vec<Check>> {
        let mut totals = ListTotals::default();
        let new = Filled::default;
        let book = self.book;
        book.write(
            sheets::SUMMARY_SHEET,
            sheets::SUMMARY,
            new(),
            sheets::summary(closing)?,
        )
        .await?;
        let sales = self.write_sales(&mut totals).await?;
        let returns = self.write_returns(&mut totals).await?;
        totals.charged = closing.days.iter().map(|(.., fees)| sheets::charged(fees)).sum();
        let fees = book
            .write(sheets::FEES_SHEET, sheets::FEES, new(), closing.days.clone())
            .await?;
        let statement = self.write_statement(&mut totals).await?;
        let open = book
            .write(sheets::OPEN_SHEET, sheets::OPEN, new(), closing.open.clone())
            .await?;
        let transfers = self.write_transfers(&mut totals).await?;
        let accounts = ledger_sheets::account_lines(closing);
        book.write(
            ledger_sheets::ACCOUNTS_SHEET,
            ledger_sheets::ACCOUNTS,
            new(),
            accounts,
        )
        .await?;
        let written = Written {
            sales,
            returns,
            fees,
            statement,
            open,
            transfers,
            totals,
        };
        let checks = checks(closing, &written)?;
        book.write(
            ledger_sheets::CHECKS_SHEET,
            ledger_sheets::CHECKS,
            new(),
            checks.clone(),
        )
        .await?;
        Ok(checks)
    }

    fn sales_by(&self, date_basis: DateBasis) -> SaleFilter {
        SaleFilter {
            business_id: Some(self.business),
            date_basis,
            range: self.range,
            order: SortOrder::Asc,
            ..SaleFilter::default()
        }
    }

    async fn write_sales(&self, totals: &mut ListTotals) -> Result<Filled> {
        let filter = self.sales_by(DateBasis::Captured);
        let (mut filled, mut after) = (Filled::default(), None);
        loop {
            let page = sales::export_page(self.client, &filter, after, PAGE_ROWS).await?;
            for row in &page.rows {
                let sale = &row.sale;
                totals.sales += 1;
                totals.gross += sale.amount.get();
                totals.percentage_fee += sale.fees.percentage_fee.get();
                totals.flat_fee += sale.fees.flat_fee.get();
                totals.percentage_rate += sale.fees.percentage_rate.get();
                totals.flat_rate += sale.fees.flat_rate.get();
                totals.net += sale.net.map_or(0, |net| net.get());
            }
            filled = self
                .book
                .write(sheets::SALES_SHEET, sheets::SALES, filled, page.rows)
                .await?;
            after = page.next;
            if after.is_none() {
                return Ok(filled);
            }
        }
    }

    async fn write_returns(&self, totals: &mut ListTotals) -> Result<Filled> {
        // Without statuses, the list leaves out disputes that were won.
        let filter = SaleFilter {
            statuses: sheets::RETURNED.to_vec(),
            ..self.sales_by(DateBasis::Reversed)
        };
        let (mut filled, mut after) = (Filled::default(), None);
        loop {
            let page = sales::export_page(self.client, &filter, after, PAGE_ROWS).await?;
            for counted in page.rows.iter().filter_map(|row| row.counted) {
                if let Some(status) = counted.status {
                    let label = sheets::return_label(status);
                    *totals.returned.entry(label).or_default() += counted.gross.get();
                }
            }
            filled = self
                .book
                .write(sheets::RETURNS_SHEET, sheets::RETURNS, filled, page.rows)
                .await?;
            after = page.next;
            if after.is_none() {
                return Ok(filled);
            }
        }
    }

    async fn write_statement(&self, totals: &mut ListTotals) -> Result<Filled> {
        let filter = StatementFilter {
            business_id: self.business,
            axis: Axis::Effective,
            range: self.range,
            order: SortOrder::Asc,
        };
        let (mut filled, mut after) = (Filled::default(), None);
        loop {
            let page = statement::export_page(self.client, &filter, after, PAGE_ROWS).await?;
            for line in &page.rows {
                totals.statement += line.amount.get();
                if line.movement == Movement::Settlement {
                    totals.settled += line.amount.get();
                }
                totals.last_balance = Some(line.balance.get());
            }
            filled = self
                .book
                .write(sheets::STATEMENT_SHEET, sheets::STATEMENT, filled, page.rows)
                .await?;
            after = page.next;
            if after.is_none() {
                return Ok(filled);
            }
        }
    }

    async fn write_transfers(&self, totals: &mut ListTotals) -> Result<Filled> {
        let filter = TransferFilter {
            business_id: Some(self.business),
            range: self.range,
            order: SortOrder::Asc,
            ..TransferFilter::default()
        };
        let (mut filled, mut after) = (Filled::default(), None);
        loop {
            let page = withdrawals::export_page(self.client, &filter, after, PAGE_ROWS).await?;
            let withdrawals = page
                .rows
                .iter()
                .filter(|transfer| transfer.kind == TransferKind::Withdrawal);
            totals.withdrawn += withdrawals.map(|transfer| transfer.amount.get()).sum::<i64>();
            filled = self
                .book
                .write(sheets::TRANSFERS_SHEET, sheets::TRANSFERS, filled, page.rows)
                .await?;
            after = page.next;
            if after.is_none() {
                return Ok(filled);
            }
        }
    }
}
