//! The lists of terminals read indexes and not the whole table, also with 30,000 terminals.

use std::collections::BTreeSet;

use gateway_platform::terminals::{
    SerialSearch, TerminalFilter, TerminalSort, terminals_batch, terminals_list,
};
use ledger_domain::BusinessId;
use projections::{Paging, SortOrder};
use tokio_postgres::Client;

use super::TerminalFixture;
use crate::projections::indexes::scans_since_last_call;

const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Adds 30,000 terminals: 60 of the bakery, 29,400 of the pharmacy, 540 in stock. 30 are rented.
const GROW: &str = "
    ALTER TABLE terminal DISABLE TRIGGER terminal_follows_its_histories;
    INSERT INTO terminal (id, serial_number, created_at, business_id, owned_since, billing_type, acquisition, billed_since)
    SELECT md5('t' || n)::uuid, 'SN' || lpad((n * 7919 % 1000003)::text, 7, '0'), now() - n * interval '1 minute',
           CASE WHEN n % 500 = 0 THEN (SELECT id FROM business WHERE name = 'Padaria')
                WHEN n % 50 > 0 THEN (SELECT id FROM business WHERE name = 'Farmácia') END,
           now(), (n % 1000 = 1)::int, (n % 1000 = 1)::int, now()
      FROM generate_series(1, 30000) AS n;
    ALTER TABLE terminal ENABLE TRIGGER terminal_follows_its_histories;
    VACUUM (ANALYZE) terminal";

/// Each list with the index that it must use.
fn lists(bakery: BusinessId) -> [(&'static str, &'static str, TerminalFilter); 9] {
    let all = TerminalFilter::default();
    let serial = |text: &str| TerminalFilter {
        serial: SerialSearch::parse(text),
        ..all.clone()
    };
    let newest = TerminalFilter {
        sort: TerminalSort::CreatedAt,
        order: SortOrder::Desc,
        ..all.clone()
    };
    let of_bakery = TerminalFilter {
        business_id: Some(bakery),
        ..all.clone()
    };
    let in_stock = TerminalFilter {
        in_stock: Some(true),
        ..all.clone()
    };
    let rented = TerminalFilter {
        rented: Some(true),
        ..all.clone()
    };
    let in_use = TerminalFilter {
        in_stock: Some(false),
        ..all.clone()
    };
    let not_rented = TerminalFilter {
        rented: Some(false),
        ..all.clone()
    };
    [
        ("all terminals", "terminal_serial_number_key", all.clone()),
        ("the newest terminals", "terminal_newest", newest),
        ("a company's terminals", "terminal_of_business", of_bakery),
        (
            "the beginning of a serial number",
            "terminal_serial_begins",
            serial("sn0000"),
        ),
        (
            "the end of a serial number",
            "terminal_serial_ends",
            serial("0123"),
        ),
        ("terminals in stock", "terminal_in_stock", in_stock),
        ("rented terminals", "terminal_rented", rented),
        ("terminals in use", "terminal_in_use", in_use),
        ("terminals that are not rented", "terminal_not_rented", not_rented),
    ]
}

#[tokio::test]
async fn lists_of_terminals_use_an_index() {
    let fixture = TerminalFixture::open().await;
    for statement in GROW.split(';') {
        fixture.app.execute(statement).await;
    }
    let client = fixture.app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    // Forgets the scans so far.
    scans_since_last_call(&client).await;
    for (list, index, filter) in lists(fixture.bakery.id) {
        let page = terminals_list(&client, &filter, FIRST_PAGE)
            .await
            .expect("a list");
        assert!(!page.rows.is_empty(), "{list} finds terminals");
        let indexes = indexes_used(&client, list).await;
        assert!(indexes.contains(index), "{list} uses {indexes:?}");
        let second = Paging {
            page: 2,
            per_page: 10,
        };
        let second = terminals_list(&client, &filter, second).await.expect("a list");
        let expected = page.rows.iter().skip(10).cloned().collect::<Vec<_>>();
        assert_eq!(second.rows, expected, "the later page of {list}");
        indexes_used(&client, &format!("a later page of {list}")).await;
        let count = count_in_batches(&client, &filter).await;
        let expected = usize::try_from(page.total).expect("a small number");
        assert!(
            page.total_capped || count == expected,
            "{list}: {count} of {expected}"
        );
        indexes_used(&client, &format!("the batches of {list}")).await;
    }
}

/// The indexes that the last queries used. They must not have scanned a whole table.
async fn indexes_used(client: &Client, list: &str) -> BTreeSet<String> {
    let (mut whole_tables, indexes) = scans_since_last_call(client).await;
    // The table of companies has two rows.
    whole_tables.remove("business");
    assert!(whole_tables.is_empty(), "{list} scans all of {whole_tables:?}");
    indexes
}

async fn count_in_batches(client: &Client, filter: &TerminalFilter) -> usize {
    let (mut count, mut after) = (0, None);
    loop {
        let batch = terminals_batch(client, filter, after, 2_000)
            .await
            .expect("a batch");
        count += batch.rows.len();
        after = batch.next;
        if after.is_none() {
            return count;
        }
    }
}
