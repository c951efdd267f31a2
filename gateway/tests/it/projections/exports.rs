//! Reading a whole list in bounded batches: every row of the filter appears once and in order, as on the pages.

use std::fmt::Debug;

use projections::balance::statement;
use projections::balance::statement::StatementFilter;
use projections::sales::{self, SaleFilter};
use projections::withdrawals::{self, TransferFilter};
use projections::{Error, ExportPage, Paging, SortOrder, TimeRange, receivables};

use super::ledger::{Ledger, business, day};

const ALL: Paging = Paging {
    page: 1,
    per_page: 100,
};

/// All rows, read in batches of three.
async fn read_all<Row, Cursor>(
    mut batch: impl AsyncFnMut(Option<Cursor>, u32) -> Result<ExportPage<Row, Cursor>, Error>,
) -> Vec<Row> {
    let (mut rows, mut after) = (vec![], None);
    loop {
        let read = batch(after, 3).await.expect("a batch");
        assert!(read.rows.len() <= 3, "{} rows in a batch of 3", read.rows.len());
        rows.extend(read.rows);
        after = read.next;
        if after.is_none() {
            return rows;
        }
    }
}

fn assert_same_rows<Row: PartialEq + Debug>(batches: &[Row], pages: &[Row]) {
    assert!(pages.len() > 6, "more than two batches: {}", pages.len());
    assert_eq!(batches, pages);
}

#[tokio::test]
async fn export_pages_have_the_same_rows_as_list_pages() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = &**ledger.client().await;
    let shop = business(1);
    for order in [SortOrder::Asc, SortOrder::Desc] {
        let filter = SaleFilter {
            business_id: Some(shop),
            order,
            ..SaleFilter::default()
        };
        let pages = sales::sale_list_with_counted(client, &filter, ALL)
            .await
            .expect("a list");
        let batches = read_all(async |after, limit| sales::export_page(client, &filter, after, limit).await);
        assert_same_rows(&batches.await, &pages.rows);

        let filter = TransferFilter {
            business_id: Some(shop),
            order,
            ..TransferFilter::default()
        };
        let pages = withdrawals::list(client, &filter, ALL).await.expect("a list");
        let batches =
            read_all(async |after, limit| withdrawals::export_page(client, &filter, after, limit).await);
        assert_same_rows(&batches.await, &pages.rows);

        let filter = StatementFilter {
            range: TimeRange::of_business_dates(Some(day(0)), Some(day(60))),
            order,
            ..StatementFilter::of(shop)
        };
        let pages = statement::statement_list(client, &filter, ALL).await;
        let batches =
            read_all(async |after, limit| statement::export_page(client, &filter, after, limit).await);
        assert_same_rows(&batches.await, &pages.expect("lines").rows);
    }
    let (start, end) = (day(0), day(120));
    let days = receivables::schedule_list(client, shop, start, end)
        .await
        .expect("days");
    let batches = read_all(async |after, limit| {
        receivables::export_page(client, shop, (start, end), after, limit).await
    });
    assert_same_rows(&batches.await, &days);
    runner.stop().await;
}
