//! Lists of transfers: filters, pages, and waiting transfers first.

use ledger_domain::transfer::{TransferKind, TransferStatus};
use projections::withdrawals::{self, Transfer, TransferFilter};
use projections::{Paging, SortOrder, TimeRange};

use super::ledger::{Ledger, business, cents, day};

const FIRST: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Each row's (is of business 1, status, amount), and the total.
async fn list(ledger: &Ledger, filter: &TransferFilter, paging: Paging) -> (Vec<(bool, u8, i64)>, u64) {
    let client = ledger.client().await;
    let page = withdrawals::list(&**client, filter, paging)
        .await
        .expect("a list");
    let row = |row: &Transfer| {
        (
            row.business_id == business(1),
            row.status.number(),
            row.amount.get(),
        )
    };
    (page.rows.iter().map(row).collect(), page.total)
}

/// The transfers of `every_way` of both companies, requested one minute apart.
#[tokio::test]
async fn lists_filter_by_company_kind_status_and_day() {
    let (ledger, runner) = Ledger::with_history().await;
    let of_shop = TransferFilter {
        business_id: Some(business(1)),
        ..TransferFilter::default()
    };
    let (rows, total) = list(&ledger, &of_shop, FIRST).await;
    let newest_first = [
        (0, 80_00),
        (3, 31_00),
        (4, 30_00),
        (1, 70_00),
        (2, 60_00),
        (1, 50_00),
        (1, 100_00),
        (1, 20_00),
        (1, 500_00),
    ];
    assert_eq!(rows, newest_first.map(|(status, amount)| (true, status, amount)));
    assert_eq!(total, 9);

    let unpaid_withdrawals = TransferFilter {
        kind: Some(TransferKind::Withdrawal),
        statuses: vec![TransferStatus::Refused, TransferStatus::Failed],
        order: SortOrder::Asc,
        ..of_shop.clone()
    };
    assert_eq!(
        list(&ledger, &unpaid_withdrawals, FIRST).await,
        (vec![(true, 4, 30_00), (true, 3, 31_00)], 2)
    );
    let adjustments = TransferFilter {
        kind: Some(TransferKind::Adjustment),
        ..TransferFilter::default()
    };
    assert_eq!(list(&ledger, &adjustments, FIRST).await.1, 4, "of both companies");
    for (start, end, total) in [(54, 54, 9), (53, 53, 0), (55, 60, 0)] {
        let dated = TransferFilter {
            range: TimeRange::of_business_dates(Some(day(start)), Some(day(end))),
            ..of_shop.clone()
        };
        assert_eq!(
            list(&ledger, &dated, FIRST).await.1,
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
    for page in 1..=6 {
        let (rows, total) = list(&ledger, &queue, Paging { page, per_page: 4 }).await;
        assert_eq!(total, 18);
        from_pages.extend(rows);
    }
    assert_eq!(from_pages.len(), 18, "each transfer once");
    let statuses: Vec<_> = from_pages.iter().map(|(_, status, _)| *status).collect();
    assert_eq!(statuses[..2], [0, 0], "the two waiting ones");
    assert!(statuses[2..].iter().all(|status| *status != 0), "{statuses:?}");
    assert_eq!(from_pages[2].2, 500_00, "then by the time of the request");

    let client = ledger.client().await;
    let waiting = withdrawals::pending_withdrawals(&**client).await.expect("a sum");
    assert_eq!((waiting.count, waiting.amount), (2, cents(160_00)));
    let pending = TransferFilter {
        statuses: vec![TransferStatus::Pending],
        order: SortOrder::Asc,
        ..TransferFilter::default()
    };
    let oldest = withdrawals::list(&**client, &pending, FIRST)
        .await
        .expect("a list");
    assert_eq!(waiting.oldest_at, oldest.rows.first().map(|row| row.requested_at));
    drop(client);
    runner.stop().await;
}
