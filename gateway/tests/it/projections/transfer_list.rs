//! Lists of transfers: filters, pages, and waiting transfers first.

use ledger_domain::transfer::{TransferKind, TransferStatus};
use projections::withdrawals::{self, PendingWithdrawals, TransferFilter};
use projections::{Order, Paging, TimeRange};

use super::ledger::{Ledger, business, cents, day};

const FIRST: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// The transfers of `every_way` of both companies, requested one minute apart.
#[tokio::test]
async fn lists_filter_page_and_put_waiting_transfers_first() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let list = async |filter: TransferFilter, paging: Paging| {
        let page = withdrawals::list(&**client, &filter, paging)
            .await
            .expect("a list");
        let rows: Vec<_> = page
            .rows
            .iter()
            .map(|row| {
                (
                    row.business_id == business(1),
                    row.status.number(),
                    row.amount.get(),
                )
            })
            .collect();
        (rows, page.total)
    };
    let of_shop = TransferFilter {
        business_id: Some(business(1)),
        ..TransferFilter::default()
    };
    let (rows, total) = list(of_shop.clone(), FIRST).await;
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

    let withdrawals = TransferFilter {
        kind: Some(TransferKind::Withdrawal),
        statuses: vec![TransferStatus::Refused, TransferStatus::Failed],
        order: Order::Asc,
        ..of_shop.clone()
    };
    assert_eq!(
        list(withdrawals, FIRST).await,
        (vec![(true, 4, 30_00), (true, 3, 31_00)], 2)
    );
    let adjustments = TransferFilter {
        kind: Some(TransferKind::Adjustment),
        ..TransferFilter::default()
    };
    assert_eq!(list(adjustments, FIRST).await.1, 4, "of both companies");

    let queue = TransferFilter {
        pending_first: true,
        order: Order::Asc,
        ..TransferFilter::default()
    };
    let mut leafed = vec![];
    for page in 1..=6 {
        let (rows, total) = list(queue.clone(), Paging { page, per_page: 4 }).await;
        assert_eq!(total, 18);
        leafed.extend(rows);
    }
    assert_eq!(leafed.len(), 18, "each transfer once");
    let statuses: Vec<_> = leafed.iter().map(|(_, status, _)| *status).collect();
    assert_eq!(statuses[..2], [0, 0], "the two waiting ones");
    assert!(statuses[2..].iter().all(|status| *status != 0), "{statuses:?}");
    assert_eq!(leafed[2].2, 500_00, "then by the time of the request");

    let waiting = withdrawals::pending_withdrawals(&**client).await.expect("a sum");
    assert_eq!(
        waiting,
        PendingWithdrawals {
            count: 2,
            amount: cents(160_00)
        }
    );
    for (start, end, total) in [(54, 54, 9), (53, 53, 0), (55, 60, 0)] {
        let dated = TransferFilter {
            range: TimeRange::of_business_dates(Some(day(start)), Some(day(end))),
            ..of_shop.clone()
        };
        assert_eq!(list(dated, FIRST).await.1, total, "days {start} to {end}");
    }
    runner.stop().await;
}
