//! Lists of transfers: filters, pages, and pending transfers first.

use std::collections::BTreeSet;

use ledger_domain::transfer::TransferKind;
use ledger_domain::transfer::TransferStatus::{self, Approved, Failed, Pending, Processing, Refused};
use projections::withdrawals::{self, Transfer, TransferFilter};
use projections::{Paging, SortOrder, TimeRange};

use super::ledger::{Ledger, business, cents, day};
use super::transfer_commands::{TransferCommands, later, pix_key};

const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Whether a row is of business 1, its status, and its amount in cents.
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
async fn pending_transfers_come_first_and_pages_have_each_transfer_once() {
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
    // The amounts of a company's transfers all differ.
    let distinct: BTreeSet<_> = from_pages
        .iter()
        .map(|(is_first_company, _, amount)| (is_first_company, amount))
        .collect();
    assert_eq!((from_pages.len(), distinct.len()), (18, 18), "each transfer once");
    let statuses: Vec<_> = from_pages.iter().map(|(_, status, _)| *status).collect();
    assert_eq!(
        statuses[..2],
        [Pending; 2],
        "the pending transfer of each company"
    );
    assert!(
        statuses[2..].iter().all(|status| *status != Pending),
        "{statuses:?}"
    );
    assert_eq!(from_pages[2].2, 500_00, "then by the time of the request");
    runner.stop().await;
}

/// Each company has a pending withdrawal of R$ 80,00. The first company requests another one later.
#[tokio::test]
async fn pending_withdrawals_have_a_count_a_sum_and_the_oldest_request() {
    let (ledger, runner) = Ledger::with_history().await;
    let commands = TransferCommands {
        ledger: &ledger,
        shop: business(1),
    };
    commands.request(10_00, pix_key(), later(30)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    let pending = withdrawals::pending_withdrawals(&**client).await.expect("a sum");
    assert_eq!((pending.count, pending.amount), (3, cents(80_00 + 80_00 + 10_00)));
    let listed = withdrawals::list(
        &**client,
        &TransferFilter {
            statuses: vec![Pending],
            order: SortOrder::Asc,
            ..TransferFilter::default()
        },
        FIRST_PAGE,
    )
    .await
    .expect("a list");
    let requests: Vec<_> = listed.rows.iter().map(|row| row.requested_at).collect();
    assert_eq!((pending.oldest_at, requests[2]), (Some(requests[0]), later(30)));
    drop(client);
    runner.stop().await;
}
