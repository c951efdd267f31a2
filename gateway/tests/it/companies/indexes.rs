//! The list of many companies, and the search in it. The connection's own counters show whether a whole table was
//! scanned.

use gateway_platform::companies::{Approval, CompanyFilter, CompanySort};
use gateway_platform::list::{list_batch, list_page};
use gateway_platform::word_search::WordSearch;
use projections::{Paging, SortOrder};

use crate::support::TestApp;

async fn app_with_many_companies() -> TestApp {
    let app = TestApp::start().await;
    app.company("Padaria Aurora").await;
    app.fill(
        "business",
        "INSERT INTO business (id, name, document, type, receiving_plan_id, approval, created_at)
         SELECT md5('company' || n)::uuid, 'Loja ' || md5(n::text), lpad(n::text, 14, '0'), 'PJ', receiving_plan.id,
                CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'enabled' END, now() - n * interval '1 minute'
           FROM generate_series(1, 20000) AS n, receiving_plan",
    )
    .await;
    app.execute("ANALYZE business; ANALYZE business_word").await;
    app
}

/// One test for both, because to add the companies takes most of its time.
#[tokio::test]
async fn the_list_scans_no_table_and_a_search_for_a_common_word_is_counted_up_to_a_thousand() {
    let app = app_with_many_companies().await;
    the_list_scans_no_table(&app).await;
    a_search_for_a_common_word_is_counted_up_to_a_thousand_and_exported_whole(&app).await;
}

async fn the_list_scans_no_table(app: &TestApp) {
    let by_name = CompanyFilter {
        sort: CompanySort::Name,
        order: SortOrder::Asc,
        ..CompanyFilter::default()
    };
    let search = |text: &str| CompanyFilter {
        search: WordSearch::parse(text),
        ..CompanyFilter::default()
    };
    let filters = [
        ("the newest", CompanyFilter::default(), 20),
        ("by name", by_name.clone(), 20),
        (
            "waiting for a decision",
            CompanyFilter {
                approval: Some(Approval::Pending),
                ..by_name
            },
            20,
        ),
        ("the beginnings of rare words", search("pad aur"), 1),
        ("a document", search("00000000012345"), 1),
        ("no such word", search("zebra"), 0),
    ];
    let client = app.app.state.pool.get().await.expect("a connection");
    let scans = async || -> i64 {
        let row = client
            .query_one(
                "SELECT coalesce(sum(seq_scan), 0)::int8 FROM pg_stat_xact_user_tables
                  WHERE relname IN ('business', 'business_word')",
                &[],
            )
            .await
            .expect("counters");
        row.get(0)
    };
    client.batch_execute("BEGIN").await.expect("a transaction");
    for (name, filter, count) in filters {
        let before = scans().await;
        let found = list_batch(&**client, &filter, None, 20).await.expect("a list");
        assert_eq!(found.rows.len(), count, "{name}");
        assert_eq!(scans().await, before, "{name} scans a whole table");
        let second = Paging {
            page: 2,
            per_page: 10,
        };
        let second = list_page(&**client, &filter, second).await.expect("a list");
        let expected: Vec<_> = found.rows.into_iter().skip(10).collect();
        assert_eq!(second.rows, expected, "the later page of {name}");
    }
}

async fn a_search_for_a_common_word_is_counted_up_to_a_thousand_and_exported_whole(app: &TestApp) {
    let client = app.app.state.pool.get().await.expect("a connection");
    for sort in [CompanySort::CreatedAt, CompanySort::Name] {
        let filter = CompanyFilter {
            search: WordSearch::parse("loja"),
            sort,
            ..CompanyFilter::default()
        };
        let all = list_batch(&**client, &filter, None, 30_000).await.expect("all");
        assert_eq!(all.rows.len(), 20_000);
        for (page, rows) in [(1, 30), (34, 10), (35, 0)] {
            let found = list_page(&**client, &filter, Paging { page, per_page: 30 }).await;
            let found = found.expect("a list");
            assert_eq!((found.total, found.total_capped), (1_000, true));
            let start = 30 * (page as usize - 1);
            assert_eq!(found.rows, all.rows[start..start + rows], "page {page}");
        }
    }
}
