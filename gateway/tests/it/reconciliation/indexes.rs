//! The lists of settlements read indexes, also with many rows.

use gateway_platform::reconciliation::{DifferenceFilter, DifferenceKind, DifferenceState, ReceivableFilter};
use gateway_platform::word_search::WordSearch;
use ledger_domain::sale::Provider;
use projections::expected_payments::{companies_due, expected_sales, sales_due};
use tokio_postgres::Client;

use super::{DUE, SettlementFixture, date, detail, paid_file};
use crate::projections::indexes::scans_since_last_call;
use crate::support::database::only_with_tables;
use crate::support::list_indexes::{Listed, check_lists};

/// 20,000 reported rows. 1 in 100 is of Iugu (provider 2). So the planner prefers an index, as in the tables below.
const MANY_RECEIVABLES: &str = "
    INSERT INTO acquirer_receivable (provider, reference, installment, entry, external_ids, gross, cost, net, canceled,
                                     day, import_id, reported_at)
    SELECT CASE WHEN n % 100 = 0 THEN 2 ELSE 1 END, 'R' || n, 1, 'payment', '{}', 100, 1, 99, false,
           date '2026-01-01' + n % 300, (SELECT id FROM settlement_import LIMIT 1), now()
      FROM generate_series(1, 20000) AS n";

/// A difference of each row. 1 in 200 is a double, and about 1 in 150 is open. The trigger of words would take most of
/// the test's time to find the one word of each difference, its reference.
const MANY_DIFFERENCES: &str = "
    ALTER TABLE settlement_difference DISABLE TRIGGER settlement_difference_words_added;
    INSERT INTO settlement_difference (id, kind, provider, day, installment, receivable_id, reference, delta, found_at)
    SELECT md5('d' || id)::uuid, CASE WHEN id % 200 = 0 THEN 'double' ELSE 'unknown' END, provider, day, 1, id,
           reference, 100, now()
      FROM acquirer_receivable WHERE reference LIKE 'R%';
    ALTER TABLE settlement_difference ENABLE TRIGGER settlement_difference_words_added;
    INSERT INTO settlement_difference_word (word, difference_id)
    SELECT folded(reference), id FROM settlement_difference WHERE reference LIKE 'R%';
    UPDATE settlement_difference SET state = 'gone', version = 2 WHERE hashtext(reference) % 150 <> 0";

/// 2,000 days of the receivables schedule.
const MANY_DAYS: &str = "
    INSERT INTO receivables_schedule
    SELECT copy.*
      FROM receivables_schedule t, generate_series(1, 2000) AS n,
           jsonb_populate_record(t, jsonb_build_object(
               'due_date', t.due_date + n, 'business_id', md5(n || t.business_id::text)::uuid)) AS copy;
    VACUUM (ANALYZE) acquirer_receivable;
    VACUUM (ANALYZE) settlement_difference;
    VACUUM (ANALYZE) settlement_difference_word;
    VACUUM (ANALYZE) receivables_schedule";

/// Lists of differences, each with the index that it reads.
fn lists_of_differences() -> [Listed<DifferenceFilter>; 6] {
    let all = DifferenceFilter::default;
    let with = |state| DifferenceFilter {
        state: Some(state),
        ..all()
    };
    let doubles = DifferenceFilter {
        kind: Some(DifferenceKind::Duplicate),
        ..all()
    };
    let of_acquirer = DifferenceFilter {
        provider: Some(Provider::Iugu),
        ..all()
    };
    let searched = DifferenceFilter {
        search: WordSearch::parse("r1999"),
        ..all()
    };
    let (open, gone) = (with(DifferenceState::Open), with(DifferenceState::Gone));
    [
        ("all differences", "settlement_difference_by_day", all()),
        ("open ones", "settlement_difference_by_state", open),
        ("gone ones", "settlement_difference_by_state", gone),
        ("doubles", "settlement_difference_by_kind", doubles),
        ("of an acquirer", "settlement_difference_by_provider", of_acquirer),
        ("a word", "settlement_difference_word_pkey", searched),
    ]
}

#[tokio::test]
async fn the_lists_of_settlements_use_indexes() {
    only_with_tables!();
    let fixture = SettlementFixture::open().await;
    fixture.card_sale("TID-1").await;
    fixture.until_projected().await;
    fixture
        .import("extrato.txt", paid_file(vec![detail("TID-1"), detail("TID-2")]))
        .await;
    fixture.app.fill("acquirer_receivable", MANY_RECEIVABLES).await;
    fixture.app.fill("settlement_difference", MANY_DIFFERENCES).await;
    for statement in MANY_DAYS.split(";\n") {
        fixture.app.execute(statement).await;
    }
    let client = fixture.app.database.client().await;
    check_lists(&client, &SMALL, lists_of_differences()).await;
    let reported = |provider| ReceivableFilter {
        provider,
        ..ReceivableFilter::default()
    };
    let of_acquirer = reported(Some(Provider::Iugu));
    let lists = [
        ("an acquirer's rows", "acquirer_receivable_of_day", of_acquirer),
        (
            "all rows of acquirers",
            "acquirer_receivable_by_day",
            reported(None),
        ),
    ];
    check_lists(&client, &SMALL, lists).await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    scans_since_last_call(&client).await;
    check_due(&client).await;
}

/// These tables have few rows in this test, so the planner rightly scans them.
const SMALL: [&str; 2] = ["business", "settlement_import"];

/// The queries that list the expected sales of a day, company by company.
async fn check_due(client: &Client) {
    let due = companies_due(client, Provider::Zoop, date(DUE), None, 100)
        .await
        .expect("companies");
    assert_eq!(due.len(), 1);
    check(
        client,
        "the companies of a day",
        "receivables_schedule_by_due_date",
    )
    .await;
    let sales = sales_due(client, Provider::Zoop, date(DUE), &due, None, 100)
        .await
        .expect("sales");
    check(client, "the sales of a day", "").await;
    let ids: Vec<_> = sales.iter().map(|sale| sale.sale_id).collect();
    assert_eq!(expected_sales(client, &ids).await.expect("sales"), sales);
    check(client, "sales by their ids", "").await;
    assert_eq!(sales.len(), 1);
}

/// Checks that the last queries used the index and scanned no whole table of many rows. Without an index (""), any
/// index may be used.
async fn check(client: &Client, list: &str, index: &str) {
    let (mut whole, indexes) = scans_since_last_call(client).await;
    for small in SMALL {
        whole.remove(small);
    }
    assert!(whole.is_empty(), "{list} scans all of {whole:?}");
    assert!(
        index.is_empty() || indexes.contains(index),
        "{list} uses {indexes:?}"
    );
}
