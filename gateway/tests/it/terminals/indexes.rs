//! The lists of terminals read indexes and not the whole table, also with 30,000 terminals.

use gateway_platform::terminals::{SerialSearch, TerminalFilter, TerminalSort};
use ledger_domain::BusinessId;
use projections::SortOrder;

use super::TerminalFixture;
use crate::support::list_indexes::{Listed, check_lists};

/// Adds 30,000 terminals: 60 of the bakery, 29,400 of the pharmacy, 540 in stock. 30 are rented.
const GROW: &str = "
    ALTER TABLE terminal DISABLE TRIGGER terminal_follows_its_histories;
    INSERT INTO terminal (id, serial_number, created_at, business_id, owned_since, billing_type, acquisition, billed_since)
    SELECT md5('t' || n)::uuid, 'SN' || lpad((n * 7919 % 1000003)::text, 7, '0'), now() - n * interval '1 minute',
           CASE WHEN n % 500 = 0 THEN (SELECT id FROM business WHERE name = 'Padaria')
                WHEN n % 50 > 0 THEN (SELECT id FROM business WHERE name = 'Farmácia') END,
           now(), (n % 1000 = 1)::int, (n % 1000 = 1)::int, now()
      FROM generate_series(1, 30000) AS n;
    ALTER TABLE terminal ENABLE TRIGGER terminal_follows_its_histories";

/// Each list with the index that it must use.
fn lists(bakery: BusinessId) -> [Listed<TerminalFilter>; 9] {
    let all = TerminalFilter::default;
    let serial = |text: &str| TerminalFilter {
        serial: SerialSearch::parse(text),
        ..all()
    };
    let newest = TerminalFilter {
        sort: TerminalSort::CreatedAt,
        order: SortOrder::Desc,
        ..all()
    };
    let of_bakery = TerminalFilter {
        business_id: Some(bakery),
        ..all()
    };
    let in_stock = |in_stock| TerminalFilter {
        in_stock: Some(in_stock),
        ..all()
    };
    let rented = |rented| TerminalFilter {
        rented: Some(rented),
        ..all()
    };
    [
        ("all terminals", "terminal_serial_number_key", all()),
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
        ("terminals in stock", "terminal_in_stock", in_stock(true)),
        ("rented terminals", "terminal_rented", rented(true)),
        ("terminals in use", "terminal_in_use", in_stock(false)),
        (
            "terminals that are not rented",
            "terminal_not_rented",
            rented(false),
        ),
    ]
}

#[tokio::test]
async fn lists_of_terminals_use_an_index() {
    let fixture = TerminalFixture::open().await;
    fixture.app.fill("terminal", GROW).await;
    fixture.app.execute("VACUUM (ANALYZE) terminal").await;
    let client = fixture.app.database.client().await;
    // The table of companies has two rows.
    check_lists(&client, &["business"], lists(fixture.bakery.id)).await;
}
