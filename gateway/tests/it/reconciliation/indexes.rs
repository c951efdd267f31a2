//! The lists of settlements read indexes, also with many rows.

use gateway_platform::reconciliation::{
    DifferenceFilter, DifferenceKind, DifferenceState, ReceivableFilter, differences_batch, differences_list,
    receivables_batch, receivables_list,
};
use gateway_platform::word_search::WordSearch;
use ledger_domain::sale::Provider;
use projections::Paging;
use projections::expected_payments::{companies_due, expected_sales, sales_due};
use tokio_postgres::Client;

use super::{DUE, SettlementFixture, date, detail, paid_file};
use crate::projections::indexes::scans_since_last_call;

const FIRST: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// 20,000 reported rows with a difference each, and 2,000 days of the receivables schedule. 1 in 100
/// is of Iugu (provider 2), 1 in 200 is a double, and about 1 in 150 is open. So the planner prefers an index.
const MANY_ROWS: &str = "
    INSERT INTO acquirer_receivable (provider, reference, installment, entry, external_ids, gross, cost, net, canceled,
                                     day, import_id, reported_at)
    SELECT CASE WHEN n % 100 = 0 THEN 2 ELSE 1 END, 'R' || n, 1, 'payment', '{}', 100, 1, 99, false,
           date '2026-01-01' + n % 300, (SELECT id FROM settlement_import LIMIT 1), now()
      FROM generate_series(1, 20000) AS n;
    INSERT INTO settlement_difference (id, kind, provider, day, installment, receivable_id, reference, delta, found_at)
    SELECT md5('d' || id)::uuid, CASE WHEN id % 200 = 0 THEN 'double' ELSE 'unknown' END, provider, day, 1, id,
           reference, 100, now()
      FROM acquirer_receivable WHERE reference LIKE 'R%';
    UPDATE settlement_difference SET state = 'gone', version = 2 WHERE hashtext(reference) % 150 <> 0;
    INSERT INTO agenda
    SELECT (jsonb_populate_record(NULL::agenda, to_jsonb(t) || jsonb_build_object(
               'due_date', t.due_date + n, 'business_id', md5(n || t.business_id::text)::uuid))).*
      FROM agenda t, generate_series(1, 2000) AS n;
    VACUUM (ANALYZE) acquirer_receivable;
    VACUUM (ANALYZE) settlement_difference;
    VACUUM (ANALYZE) settlement_difference_word;
    VACUUM (ANALYZE) agenda";

/// Lists of differences, each with the index that it reads.
fn lists_of_differences() -> [(&'static str, &'static str, DifferenceFilter); 6] {
    let all = DifferenceFilter::default();
    let with = |state| DifferenceFilter {
        state: Some(state),
        ..all.clone()
    };
    [
        ("all differences", "settlement_difference_by_day", all.clone()),
        (
            "open ones",
            "settlement_difference_by_state",
            with(DifferenceState::Open),
        ),
        (
            "gone ones",
            "settlement_difference_by_state",
            with(DifferenceState::Gone),
        ),
        (
            "doubles",
            "settlement_difference_by_kind",
            DifferenceFilter {
                kind: Some(DifferenceKind::Duplicate),
                ..all.clone()
            },
        ),
        (
            "of an acquirer",
            "settlement_difference_by_provider",
            DifferenceFilter {
                provider: Some(Provider::Iugu),
                ..all.clone()
            },
        ),
        (
            "a word",
            "settlement_difference_word_pkey",
            DifferenceFilter {
                search: WordSearch::parse("r1999"),
                ..all.clone()
            },
        ),
    ]
}

#[tokio::test]
async fn the_lists_of_settlements_use_indexes() {
    let fixture = SettlementFixture::open().await;
    fixture.card_sale("TID-1").await;
    fixture.until_projected().await;
    fixture
        .import("extrato.txt", paid_file(vec![detail("TID-1"), detail("TID-2")]))
        .await;
    for statement in MANY_ROWS.split(";\n") {
        fixture.app.execute(statement).await;
    }
    let client = fixture.app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    scans_since_last_call(&client).await;
    for (list, index, filter) in lists_of_differences() {
        let page = differences_list(&client, &filter, FIRST).await.expect("a list");
        assert!(!page.rows.is_empty(), "{list} finds differences");
        check(&client, list, index).await;
        differences_batch(&client, &filter, None, 100)
            .await
            .expect("a batch");
        check(&client, &format!("the batches of {list}"), "").await;
    }
    check_receivables(&client).await;
    check_due(&client).await;
}

async fn check_receivables(client: &Client) {
    for (provider, index) in [
        (Some(Provider::Iugu), "acquirer_receivable_of_day"),
        (None, "acquirer_receivable_by_day"),
    ] {
        let filter = ReceivableFilter {
            provider,
            ..ReceivableFilter::default()
        };
        receivables_list(client, &filter, FIRST).await.expect("a list");
        check(client, "the rows that acquirers report", index).await;
        receivables_batch(client, &filter, None, 100)
            .await
            .expect("a batch");
        check(client, "the batches of those rows", index).await;
    }
}

/// The queries that list the expected sales of a day, company by company.
async fn check_due(client: &Client) {
    let due = companies_due(client, Provider::Zoop, date(DUE), None, 100)
        .await
        .expect("companies");
    assert_eq!(due.len(), 1);
    check(client, "the companies of a day", "agenda_by_due_date").await;
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
    // These tables have few rows in this test, so the planner rightly scans them.
    for small in ["business", "settlement_import"] {
        whole.remove(small);
    }
    assert!(whole.is_empty(), "{list} scans all of {whole:?}");
    assert!(
        index.is_empty() || indexes.contains(index),
        "{list} uses {indexes:?}"
    );
}
