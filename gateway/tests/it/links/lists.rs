//! The lists of links: search, filters, orders, pages, spreadsheets, and the sales of each link.

use serde_json::{Value, json};

use super::{LINKS, LinkFixture, descriptions};
use crate::spreadsheets::sheet::{Cell, download};
use crate::support::Company;
use crate::support::acquirer::{capture, with_type};

async fn three_links(fixture: &LinkFixture) {
    fixture
        .link(json!({ "description": "Bolo de cenoura", "amount": 90_00 }))
        .await;
    fixture
        .link(json!({ "description": "Torta de maçã", "amount": null, "active": false }))
        .await;
    fixture
        .link(json!({ "description": "Bolo de chocolate", "use_limit": 5, "expires_on": "2026-12-24" }))
        .await;
}

#[tokio::test]
async fn the_list_is_searched_filtered_sorted_and_paged() {
    let fixture = LinkFixture::open().await;
    three_links(&fixture).await;
    for (query, expected) in [
        ("", &["Bolo de chocolate", "Torta de maçã", "Bolo de cenoura"][..]),
        ("search=MACA", &["Torta de maçã"]),
        ("search=bol%20cho", &["Bolo de chocolate"]),
        ("search=%25", &[]),
        ("status=inactive", &["Torta de maçã"]),
        (
            "status=active&order=asc",
            &["Bolo de cenoura", "Bolo de chocolate"],
        ),
        ("status=expired", &[]),
        (
            "sort=amount",
            &["Bolo de chocolate", "Bolo de cenoura", "Torta de maçã"],
        ),
        ("sort=amount&order=asc&perPage=1&page=2", &["Bolo de cenoura"]),
        ("start=2026-11-22", &[]),
        ("start=2026-11-20&end=2026-11-22&search=torta", &["Torta de maçã"]),
    ] {
        let list = fixture.seller.get(&format!("{LINKS}?{query}")).await;
        assert_eq!(descriptions(&list), expected, "{query}");
    }
    // The same link is exhausted first, and then expired.
    for (status, change) in [
        (
            "exhausted",
            "UPDATE payment_link SET use_limit = 1, version = version + 1 WHERE use_limit = 5;
             UPDATE payment_link SET uses = 1 WHERE use_limit = 1",
        ),
        (
            "expired",
            "UPDATE payment_link SET expires_on = '2026-11-20', version = version + 1 WHERE use_limit = 1",
        ),
    ] {
        fixture.app.execute(change).await;
        for (status, expected) in [(status, "Bolo de chocolate"), ("active", "Bolo de cenoura")] {
            let list = fixture.seller.get(&format!("{LINKS}?status={status}")).await;
            assert_eq!(descriptions(&list), [expected], "{status}");
        }
    }
    let refused = fixture.seller.get(&format!("{LINKS}?status=x&sort=x")).await;
    let errors = refused.at("/errors").as_object().expect("errors");
    assert!(
        errors.contains_key("sort") && errors.contains_key("status"),
        "{errors:?}"
    );
}

#[tokio::test]
async fn the_spreadsheet_has_the_links_of_the_list() {
    let fixture = LinkFixture::open().await;
    three_links(&fixture).await;
    let sheet = download(&fixture.seller, &format!("{LINKS}?search=bolo&order=asc")).await;
    let list = fixture
        .seller
        .get(&format!("{LINKS}?search=bolo&order=asc"))
        .await;
    let row = |link: &Value, expires_on: Cell, limit: Cell| {
        let text = |text: &str| Cell::Text(text.to_owned());
        vec![
            Cell::text(&link["description"]),
            Cell::text(&link["code"]),
            text("Ativo"),
            Cell::money(&link["amount"]),
            Cell::Empty,
            Cell::Empty,
            text("Cartão, PIX"),
            Cell::Count(3),
            text("Vendedor"),
            expires_on,
            Cell::Count(0),
            limit,
            Cell::Count(0),
            Cell::Money(0),
            Cell::instant(&link["created_at"]),
        ]
    };
    let christmas = chrono::NaiveDate::from_ymd_opt(2026, 12, 24).expect("a date");
    let carrot = row(list.at("/data/0"), Cell::Empty, Cell::Empty);
    let chocolate = row(list.at("/data/1"), Cell::Date(christmas), Cell::Count(5));
    sheet.assert_rows(&[carrot, chocolate]);
}

#[tokio::test]
async fn staff_see_links_with_their_company_and_filter_by_it() {
    let fixture = LinkFixture::open().await;
    three_links(&fixture).await;
    let list = "/api/admin/payment-links";
    let all = fixture.staff.get(list).await;
    assert_eq!(descriptions(&all).len(), 3);
    assert_eq!(all.at("/data/0/business/name"), "Padaria");
    let of = |company: &Company| format!("{list}?business_id={}&search=torta", company.id);
    assert_eq!(
        descriptions(&fixture.staff.get(&of(&fixture.bakery)).await),
        ["Torta de maçã"]
    );
    assert_eq!(
        descriptions(&fixture.staff.get(&of(&fixture.pharmacy)).await),
        [""; 0]
    );
    let sheet = download(&fixture.staff, &format!("{list}?status=inactive")).await;
    assert_eq!(
        (sheet.rows.len(), sheet.rows[0][0].to_string()),
        (1, "Padaria".to_owned())
    );
}

#[tokio::test]
async fn the_figures_of_a_link_leave_out_refunded_sales() {
    let fixture = LinkFixture::open().await;
    let link = fixture.link(json!({})).await;
    let code = link["code"].as_str().expect("a code").to_owned();
    let mut position = String::new();
    // s1 and s2 are sales by the link, and s2 is refunded. s3 has no link.
    for name in ["s1", "s2", "s3"] {
        let mut sale = capture(&fixture.bakery, name);
        sale.data.solution = 4;
        sale.data.amount = 180_00;
        sale.data.payment_link_code = (name != "s3").then(|| code.clone());
        // The plan is in force only since this test began.
        sale.occurred_at = fixture.app.app.state.clock.now();
        let recorded = fixture.app.send(&sale).await;
        assert_eq!(recorded.status, 200, "{}", recorded.body);
        if name == "s2" {
            let refund = with_type(&sale, "sale.refunded");
            assert_eq!(fixture.app.send(&refund).await.status, 200);
        }
        position = recorded.header("ledger-position").unwrap_or_default().to_owned();
    }
    let seller = fixture.seller.clone().with("ledger-position", &position);
    let sales = seller
        .get(&format!("/api/transactions?payment_link={code}"))
        .await;
    assert_eq!(sales.at("/meta/total"), &json!(2), "{}", sales.body);
    let totals = seller
        .get(&format!("/api/transactions/totals?payment_link={code}"))
        .await;
    assert_eq!(totals.at("/count"), &json!(2), "{}", totals.body);
    let list = seller.get(LINKS).await;
    assert_eq!(
        (list.at("/data/0/sales"), list.at("/data/0/sold")),
        (&json!(1), &json!(180_00))
    );
    let of_unknown = seller.get("/api/transactions?payment_link=000000000000").await;
    assert_eq!(of_unknown.at("/meta/total"), &json!(0));
}
