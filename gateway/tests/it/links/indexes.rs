//! The lists of links read indexes, also with many links.

use gateway_platform::links::{LinkFilter, LinkSort, LinkStatus, link_figures, links_batch, links_list};
use gateway_platform::word_search::WordSearch;
use projections::{Paging, SortOrder, TimeRange};
use serde_json::json;
use tokio_postgres::Client;

use super::LinkFixture;
use crate::projections::indexes::scans_since_last_call;
use crate::support::database::only_with_tables;

const FIRST: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Links of the bakery and of a large company. Few are inactive, exhausted or expired.
const MANY_LINKS: &str = "
    INSERT INTO payment_link (id, business_id, code, description, amount, payment_types, installments_max, payer,
                              expires_on, use_limit, uses, active, created_at, updated_at)
    SELECT md5('l' || n)::uuid,
           (SELECT id FROM business WHERE name = CASE WHEN n % 500 = 0 THEN 'Padaria' ELSE 'Farmácia' END),
           upper(right(md5(n::text), 12)), 'Produto ' || md5('p' || n), 1 + n * 7919 % 100003, '{pix}', 1, 'seller',
           CASE WHEN n % 400 = 0 THEN date '2026-11-01' END, CASE WHEN n % 700 = 0 THEN 1 END,
           (n % 700 = 0)::int, n % 300 <> 0, now() - n * interval '1 minute', now()
      FROM generate_series(1, 20000) AS n";

/// Days of sales without a link.
const GROW: &str = "
    INSERT INTO daily_sales
    SELECT day.*
      FROM generate_series(1, 5000) AS n,
           (SELECT jsonb_object_agg(column_name, 0) AS zero FROM information_schema.columns
             WHERE table_name = 'daily_sales' AND data_type = 'bigint'
               AND column_name NOT IN ('sales', 'gross', 'net')) AS zeros,
           jsonb_populate_record(NULL::daily_sales, jsonb_build_object(
               'shard', 0, 'business_id', md5(n::text)::uuid, 'business_date', date '2026-11-01' - n % 300,
               'solution', 1, 'payment_type', 'pix', 'installments', 1, 'sales', 1, 'gross', 100, 'net', 100) || zero
           ) AS day;
    VACUUM (ANALYZE) payment_link;
    VACUUM (ANALYZE) payment_link_word;
    VACUUM (ANALYZE) daily_sales";

/// Each list of links with the index that it reads.
fn lists(fixture: &LinkFixture) -> [(&'static str, &'static str, LinkFilter); 9] {
    let all = LinkFilter {
        business_id: None,
        search: None,
        status: None,
        today: fixture.app.today(),
        range: TimeRange::ALL,
        sort: LinkSort::CreatedAt,
        order: SortOrder::Desc,
    };
    let of_bakery = LinkFilter {
        business_id: Some(fixture.bakery.id),
        ..all.clone()
    };
    let by_amount = |filter: &LinkFilter| LinkFilter {
        sort: LinkSort::Amount,
        ..filter.clone()
    };
    let with = |status| LinkFilter {
        status: Some(status),
        ..all.clone()
    };
    let search = |text: &str, filter: &LinkFilter| LinkFilter {
        search: WordSearch::parse(text),
        ..filter.clone()
    };
    [
        ("all links", "payment_link_by_creation", all.clone()),
        ("all links by amount", "payment_link_by_amount", by_amount(&all)),
        ("a company's links", "payment_link_of_business", of_bakery.clone()),
        ("active links", "payment_link_active", with(LinkStatus::Active)),
        (
            "inactive links",
            "payment_link_inactive",
            with(LinkStatus::Inactive),
        ),
        (
            "expired links",
            "payment_link_with_expiry",
            with(LinkStatus::Expired),
        ),
        (
            "exhausted links",
            "payment_link_exhausted",
            with(LinkStatus::Exhausted),
        ),
        ("a word", "payment_link_word_of_any", search("choc bolo", &all)),
        (
            "a company's word",
            "payment_link_word_of_business",
            search("bolo", &of_bakery),
        ),
    ]
}

#[tokio::test]
async fn every_list_of_links_uses_an_index() {
    only_with_tables!();
    let fixture = LinkFixture::open().await;
    fixture.link(json!({ "description": "Bolo de chocolate" })).await;
    fixture.app.fill("payment_link", MANY_LINKS).await;
    for statement in GROW.split(";\n") {
        fixture.app.execute(statement).await;
    }
    let client = fixture.app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    // Only scans after this call count.
    scans_since_last_call(&client).await;
    for (list, index, filter) in lists(&fixture) {
        let page = links_list(&client, &filter, FIRST).await.expect("a list");
        assert!(!page.rows.is_empty(), "{list} finds links");
        check_scans(&client, list, Some(index)).await;
        let second = Paging {
            page: 2,
            per_page: 10,
        };
        let second = links_list(&client, &filter, second).await.expect("a list");
        let expected = page.rows.iter().skip(10).cloned().collect::<Vec<_>>();
        assert_eq!(second.rows, expected, "the later page of {list}");
        let batched = count_in_batches(&client, &filter).await;
        let expected = usize::try_from(page.total).expect("a small number");
        assert!(
            page.total_capped || batched == expected,
            "{list}: {batched} of {expected}"
        );
        check_scans(&client, &format!("the batches of {list}"), None).await;
        link_figures(&client, &page.rows).await.expect("figures");
        check_scans(&client, "the sales of links", Some("daily_sales_by_link")).await;
    }
}

/// The queries since the last check scanned no whole table, and used the index if one is given.
async fn check_scans(client: &Client, list: &str, index: Option<&str>) {
    let (mut whole, indexes) = scans_since_last_call(client).await;
    // This table has only the two companies of this test.
    whole.remove("business");
    assert!(whole.is_empty(), "{list} scans all of {whole:?}");
    assert!(
        index.is_none_or(|index| indexes.contains(index)),
        "{list} uses {indexes:?}"
    );
}

async fn count_in_batches(client: &Client, filter: &LinkFilter) -> usize {
    let (mut count, mut after) = (0, None);
    loop {
        let batch = links_batch(client, filter, after, 2_000).await.expect("a batch");
        count += batch.rows.len();
        after = batch.next;
        if after.is_none() {
            return count;
        }
    }
}
