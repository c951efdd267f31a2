//! Queries of transfers use indexes: a part of the test in `indexes`.

use ledger_domain::calendar::start_of;
use ledger_domain::transfer::TransferStatus;
use projections::withdrawals::TransferFilter;
use projections::{TimeRange, withdrawals};

use super::indexes::{FIRST_PAGE, assert_uses_index, scans_since_last_call, start_counting};
use super::ledger::{Ledger, business, day};

pub(super) async fn check_transfers(ledger: &Ledger) {
    let client = ledger.database_client().await;
    let of_shop = TransferFilter {
        business_id: Some(business(1)),
        ..TransferFilter::default()
    };
    let not_paid = vec![TransferStatus::Refused, TransferStatus::Failed];
    let batch = withdrawals::export_page(&client, &TransferFilter::default(), None, 5).await;
    let cursor = batch.expect("a batch").next;
    let lists: [(&str, &str, TransferFilter); 4] = [
        ("a company's list", "transfer_by_business", of_shop.clone()),
        // Limited to some days: a count of everything ends at 10,000 rows and may scan the table up to there.
        (
            "staff's list",
            "transfer_by_instant",
            TransferFilter {
                range: TimeRange::of_business_dates(Some(day(1)), None),
                ..TransferFilter::default()
            },
        ),
        (
            "a company's unpaid transfers",
            "transfer_of_business_by_outcome",
            TransferFilter {
                statuses: not_paid.clone(),
                ..of_shop
            },
        ),
        (
            "all unpaid transfers",
            "transfer_by_outcome",
            TransferFilter {
                statuses: not_paid,
                ..TransferFilter::default()
            },
        ),
    ];
    start_counting(&client).await;
    for (list, index, filter) in lists {
        withdrawals::list(&client, &filter, FIRST_PAGE)
            .await
            .expect("a list");
        assert_uses_index(&client, list, index).await;
    }
    let queue = TransferFilter {
        pending_first: true,
        range: TimeRange::of_business_dates(Some(day(1)), None),
        ..TransferFilter::default()
    };
    withdrawals::list(&client, &queue, FIRST_PAGE)
        .await
        .expect("a list");
    assert_uses_index(&client, "the waiting part of the queue", "transfer_by_outcome").await;
    withdrawals::export_page(&client, &TransferFilter::default(), cursor, 5)
        .await
        .expect("a batch");
    assert_uses_index(&client, "the next batch", "transfer_by_instant").await;
    withdrawals::pending_withdrawals(&client).await.expect("a sum");
    assert_uses_index(&client, "waiting transfers", "transfer_by_outcome").await;
    withdrawals::oldest_requests(&client).await.expect("instants");
    assert_uses_index(&client, "the oldest requests", "transfer_by_outcome").await;
    let request = (business(1), start_of(day(1)));
    withdrawals::usual_before(&client, &[request])
        .await
        .expect("a history");
    assert_uses_index(&client, "a company's earlier withdrawals", "transfer_by_business").await;
    let days = TimeRange::of_business_dates(Some(day(0)), Some(day(2)));
    for (company, index) in [
        (Some(business(1)), "daily_transfers_pkey"),
        (None, "platform_transfers_daily_pkey"),
    ] {
        let totals = withdrawals::totals_by_status(&client, company, None, days).await;
        totals.expect("totals");
        assert_uses_index(&client, "totals by status", index).await;
    }
}

/// Checks the lists of marked transfers with 20,000 changes of destinations.
pub(super) async fn check_new_destinations(ledger: &Ledger) {
    ledger
        .execute(
            "BEGIN; SET LOCAL session_replication_role = replica;
             INSERT INTO destination_change (business_id, changed_at, marked_until)
             SELECT md5('company' || n)::uuid, at, at + interval '7 days'
               FROM generate_series(1, 20000) AS n,
                    LATERAL (SELECT timestamptz '2026-11-23 00:00Z' - n * interval '1 hour' AS at) AS change;
             COMMIT; ANALYZE destination_change",
        )
        .await;
    let client = ledger.database_client().await;
    let marked = TransferFilter {
        new_destination: true,
        ..TransferFilter::default()
    };
    let lists: [(&str, &str, TransferFilter); 2] = [
        (
            "the marked ones of the queue",
            "transfer_by_outcome",
            TransferFilter {
                statuses: vec![TransferStatus::Pending],
                ..marked.clone()
            },
        ),
        (
            "a company's marked ones",
            "transfer_by_business",
            TransferFilter {
                business_id: Some(business(1)),
                ..marked
            },
        ),
    ];
    start_counting(&client).await;
    for (list, index, filter) in lists {
        withdrawals::list(&client, &filter, FIRST_PAGE)
            .await
            .expect("a list");
        let (whole, indexes) = scans_since_last_call(&client).await;
        assert!(whole.is_empty(), "{list} scans all of {whole:?}");
        assert!(indexes.contains(index), "{list} uses {indexes:?}");
        assert!(
            indexes.contains("destination_change_pkey"),
            "{list} uses {indexes:?}"
        );
    }
}
