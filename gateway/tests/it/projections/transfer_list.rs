//! Lists of transfers: filters, pages, and waiting transfers first.

use ledger_domain::transfer::TransferKind;
use ledger_domain::transfer::TransferStatus::{self, Approved, Failed, Pending, Processing, Refused};
use projections::withdrawals::{self, Transfer, TransferFilter};
use projections::{Paging, SortOrder, TimeRange};

use super::ledger::{Ledger, business, cents, day};

const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Whether a row is of business 1, its status, and its amount in centavos.
type ListedTransfer = (bool, TransferStatus, i64);

/// The rows of a page, and the total.
async fn list(ledger: &Ledger, filter: &TransferFilter, paging: Paging) -> (Vec<ListedTransfer>, u64) {
    let client = ledger.client().await;
    let page = withdrawals::list(&**client, filter, paging)
        .await
        .expect("a list");
    let row = |row: &Transfer| (row.business_id == business(1), row.status, row.amount.get());
    (page.rows.iter().map(row).collect(), page.total)
}

/// Both companies have the nine transfers of `TransferCommands::every_way`, all of the same day.
#[tokio::test]
async fn lists_filter_by_company_kind_status_and_day() {
    let (ledger, runner) = Ledger::with_history().await;
    let of_shop = TransferFilter {
        business_id: Some(business(1)),
        ..TransferFilter::default()
    };
    let (rows, total) = list(&ledger, &of_shop, FIRST_PAGE).await;
    let newest_first = [
        (Pending, 80_00),
        (Refused, 31_00),
        (Failed, 30_00),
        (Approved, 70_00),
        (Processing, 60_00),
        (Approved, 50_00),
        (Approved, 100_00),
        (Approved, 20_00),
        (Approved, 500_00),
    ];
    assert_eq!(rows, newest_first.map(|(status, amount)| (true, status, amount)));
    assert_eq!(total, 9);

    let unpaid_withdrawals = TransferFilter {
        kind: Some(TransferKind::Withdrawal),
        statuses: vec![Refused, Failed],
        order: SortOrder::Asc,
        ..of_shop.clone()
    };
    assert_eq!(
        list(&ledger, &unpaid_withdrawals, FIRST_PAGE).await,
        (vec![(true, Failed, 30_00), (true, Refused, 31_00)], 2)
    );
    let adjustments = TransferFilter {
        kind: Some(TransferKind::Adjustment),
        ..TransferFilter::default()
    };
    assert_eq!(
        list(&ledger, &adjustments, FIRST_PAGE).await.1,
        4,
        "of both companies"
    );
    // Day 54 is 16 January 2027, on which all transfers were requested.
    for (start, end, total) in [(54, 54, 9), (53, 53, 0), (55, 60, 0)] {
        let dated = TransferFilter {
            range: TimeRange::of_business_dates(Some(day(start)), Some(day(end))),
            ..of_shop.clone()
        };
        assert_eq!(
            list(&ledger, &dated, FIRST_PAGE).await.1,
            total,
            "days {start} to {end}"
        );
    }
    runner.stop().await;
}

#[tokio::test]
async fn the_queue_has_waiting_transfers_first_across_pages() {
    let (ledger, runner) = Ledger::with_history().await;
    let queue = TransferFilter {
        pending_first: true,
        order: SortOrder::Asc,
        ..TransferFilter::default()
    };
    let mut from_pages = vec![];
    // Five pages of four hold the 18 transfers. The sixth is empty.
    for page in 1..=6 {
        let (rows, total) = list(&ledger, &queue, Paging { page, per_page: 4 }).await;
        assert_eq!(total, 18);
        from_pages.extend(rows);
    }
    assert_eq!(from_pages.len(), 18, "each transfer once");
    let statuses: Vec<_> = from_pages.iter().map(|(_, status, _)| *status).collect();
    assert_eq!(
        statuses[..2],
        [Pending; 2],
        "the waiting transfer of each company"
    );
    assert!(
        statuses[2..].iter().all(|status| *status != Pending),
        "{statuses:?}"
    );
    assert_eq!(from_pages[2].2, 500_00, "then by the time of the request");

    let client = ledger.client().await;
    let waiting = withdrawals::pending_withdrawals(&**client).await.expect("a sum");
    assert_eq!((waiting.count, waiting.amount), (2, cents(2 * 80_00)));
    let pending = TransferFilter {
        statuses: vec![Pending],
        order: SortOrder::Asc,
        ..TransferFilter::default()
    };
    let oldest = withdrawals::list(&**client, &pending, FIRST_PAGE)
        .await
        .expect("a list");
    assert_eq!(waiting.oldest_at, oldest.rows.first().map(|row| row.requested_at));
    drop(client);
    runner.stop().await;
}
