//! The lists of terminals read indexes, also with many companies and terminals.

use gateway_platform::terminals::{
    SerialSearch, TerminalFilter, TerminalSort, terminals_batch, terminals_list,
};
use ledger_domain::BusinessId;
use projections::{Order, Paging};

use super::TerminalFixture;
use crate::projections::indexes::scanned;

const FIRST: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Terminals of the bakery, of a large company and in stock. Few are rented.
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

#[tokio::test]
async fn every_list_of_terminals_uses_an_index() {
    let fixture = TerminalFixture::open().await;
    for statement in GROW.split(';') {
        fixture.app.execute(statement).await;
    }
    let client = fixture.app.database.client().await;
    client.batch_execute("BEGIN").await.expect("a transaction");
    scanned(&client).await;
    let all = TerminalFilter::default();
    let newest = TerminalFilter {
        sort: TerminalSort::CreatedAt,
        order: Order::Desc,
        ..all.clone()
    };
    let of_bakery = |id: BusinessId| TerminalFilter {
        business_id: Some(id),
        ..all.clone()
    };
    let serial = |text: &str| TerminalFilter {
        serial: SerialSearch::parse(text),
        ..all.clone()
    };
    for (question, index, filter) in [
        ("all terminals", "terminal_serial_number_key", all.clone()),
        ("the newest terminals", "terminal_newest", newest),
        (
            "a company's terminals",
            "terminal_of_business",
            of_bakery(fixture.bakery.id),
        ),
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
        (
            "terminals in stock",
            "terminal_in_stock",
            TerminalFilter {
                in_stock: Some(true),
                ..all.clone()
            },
        ),
        (
            "rented terminals",
            "terminal_rented",
            TerminalFilter {
                rented: Some(true),
                ..all.clone()
            },
        ),
    ] {
        let page = terminals_list(&client, &filter, FIRST).await.expect("a list");
        assert!(!page.rows.is_empty(), "{question} finds terminals");
        let (mut whole, indexes) = scanned(&client).await;
        // The two companies of this test.
        whole.remove("business");
        assert!(whole.is_empty(), "{question} scans all of {whole:?}");
        assert!(indexes.contains(index), "{question} uses {indexes:?}");
        let mut read = 0;
        let mut after = None;
        loop {
            let batch = terminals_batch(&client, &filter, after, 2_000)
                .await
                .expect("a batch");
            read += batch.rows.len();
            after = batch.next;
            if after.is_none() {
                break;
            }
        }
        let expected = usize::try_from(page.total).expect("a small number");
        assert!(
            page.total_capped || read == expected,
            "{question}: {read} of {expected}"
        );
        let (mut whole, _) = scanned(&client).await;
        whole.remove("business");
        assert!(
            whole.is_empty(),
            "the batches of {question} scan all of {whole:?}"
        );
    }
}
