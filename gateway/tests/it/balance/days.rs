//! The balance at the end of each day.

use serde_json::{Value, json};

use crate::support::movements::{MovementsFixture, rows};

fn day(date: &str, [available, receivable, in_transfer, blocked]: [i64; 4]) -> Value {
    json!({
        "date": date, "available": available, "receivable": receivable, "in_transfer": in_transfer,
        "blocked": blocked,
    })
}

#[tokio::test]
async fn each_day_ends_with_the_balance_of_all_events_that_happened_until_then() {
    let fixture = MovementsFixture::open().await;
    let days = fixture
        .seller
        .get("/api/balance/daily?start=2026-11-13&end=2026-11-21")
        .await;
    let day_rows = rows(&days.body);
    assert_eq!(day_rows.len(), 9, "both ends are included: {}", days.body);
    // Two installments of R$ 95,00 are settled, and one is not due yet.
    assert_eq!(day_rows[0], day("2026-11-13", [190_00, 95_00, 0, 0]));
    // The PIX sale of R$ 49,50 net is of a Saturday, and settles on the next banking day.
    assert_eq!(day_rows[1], day("2026-11-14", [190_00, 95_00 + 49_50, 0, 0]));
    assert_eq!(day_rows[3], day("2026-11-16", [190_00 + 49_50, 95_00, 0, 0]));
    // Today: a waiting withdrawal of R$ 50,00, a paid one of R$ 20,00, a hold of R$ 10,00 and a removal of R$ 5,00.
    let available = 190_00 + 49_50 - 50_00 - 20_00 - 10_00 - 5_00;
    assert_eq!(day_rows[8], day("2026-11-21", [available, 95_00, 50_00, 10_00]));
    let ledger = fixture.ledger_balances(&fixture.company).await;
    assert_eq!(day_rows[8], day("2026-11-21", ledger.shown()));
}

#[tokio::test]
async fn the_default_period_is_thirty_days_up_to_today_and_no_period_goes_beyond_today() {
    let fixture = MovementsFixture::open().await;
    let usual = fixture.seller.get("/api/balance/daily").await.body;
    assert_eq!(
        (rows(&usual).len(), &rows(&usual)[0]["date"]),
        (30, &json!("2026-10-23"))
    );
    let ahead = fixture
        .seller
        .get("/api/balance/daily?start=2026-11-21&end=2027-01-01")
        .await;
    assert_eq!(rows(&ahead.body).len(), 1);
    let one = fixture
        .seller
        .get("/api/balance/daily?start=2026-11-16&end=2026-11-16")
        .await;
    assert_eq!(rows(&one.body), [day("2026-11-16", [239_50, 95_00, 0, 0])]);
    for refused in [
        "start=2026-11-21&end=2026-11-20",
        "start=2024-01-01&end=2026-11-21",
        "start=2024-01-01",
        "end=hoje",
    ] {
        let answer = fixture.seller.get(&format!("/api/balance/daily?{refused}")).await;
        assert_eq!(
            (answer.status, answer.at("/errors/end").is_array()),
            (422, true),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn the_days_of_another_company_are_not_found() {
    let fixture = MovementsFixture::open().await;
    let path = format!("/api/balance/daily?business_id={}", fixture.other.id);
    assert_eq!(fixture.seller.get(&path).await.status, 404);
}
