//! Charges that fail or differ: lost answers, codes and amounts that do not agree, and hints about unknown charges.

use futures::future::join_all;
use gateway_platform::orders::HintOutcome;
use ledger_domain::SaleId;
use serde_json::{Value, json};

use super::{DECLINED_CARD, OrderFixture, PAID_CARD, boleto, credit, pix};
use crate::support::PARTS_AND_SANDBOX;
use crate::support::wait::until;

/// The cents make the sandbox charge and let its call time out.
const LOST_ANSWER: i64 = 100_21;
/// The platform gives a call up before the sandbox does.
const SHORT_TIMEOUT: [(&str, &str); 1] = [("RAZAO_ACQUIRER_VALORI_TIMEOUT_MS", "300")];

#[tokio::test]
async fn a_lost_answer_is_looked_up_and_never_charged_twice() {
    let fixture = OrderFixture::open_with(&SHORT_TIMEOUT, PARTS_AND_SANDBOX).await;
    // The cents select the sandbox's failure: a charge without an answer, a charge answered with a 500, a lost order, a
    // 500 without a charge, and a failing look-up.
    let orders = [LOST_ANSWER, 100_22, 100_23, 100_24, 100_28].map(async |total: i64| {
        let link = fixture.link(json!({ "amount": total })).await;
        let card = fixture.card(PAID_CARD, 1).await;
        let (card_order, pix_order) = tokio::join!(
            fixture.placed(&link, credit(total, card)),
            fixture.placed(&link, pix(total)),
        );
        fixture.until_attempt_is(&card_order, "paid").await;
        fixture.until_attempt_is(&pix_order, "to_pay").await;
    });
    join_all(orders).await;
    // Five totals, each by card and by PIX.
    assert_eq!(fixture.charges().await.len(), 10);
    fixture.assert_books_agree().await;
}

/// A look-up at Iugu shows the invoice of a declined card as canceled, without a reason.
#[tokio::test]
async fn a_decline_whose_answer_is_lost_reaches_the_buyer() {
    let fixture = OrderFixture::of_iugu().await;
    let link = fixture.link(json!({ "amount": LOST_ANSWER })).await;
    let card = fixture.iugu_card(DECLINED_CARD).await;
    let order = fixture.placed(&link, credit(LOST_ANSWER, card)).await;
    let declined = fixture.until_attempt_is(&order, "declined").await;
    assert_eq!(declined.at("/attempt/decline/code"), "other");
    assert_eq!(declined.at("/can_retry"), true);
    assert_eq!(
        fixture
            .count("SELECT count(*) FROM event WHERE event_type = 'SaleFailed'")
            .await,
        1
    );
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_code_that_does_not_agree_is_never_shown_and_staff_see_why() {
    // The cents make the sandbox return a code of another amount.
    const WRONG_CODE: i64 = 100_27;
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "amount": WRONG_CODE })).await;
    for (body, reason) in [
        (pix(WRONG_CODE), "pix_code_differs"),
        (boleto(WRONG_CODE), "boleto_differs"),
    ] {
        let order = fixture.placed(&link, body).await;
        let failed = fixture.until_attempt_is(&order, "declined").await;
        for answer in [&order, &failed] {
            assert_ne!(answer.at("/attempt/status"), "to_pay");
            for code in ["/attempt/pix", "/attempt/boleto"] {
                assert_eq!(answer.at(code), &Value::Null, "{}", answer.body);
            }
        }
        assert_eq!(failed.at("/attempt/decline/code"), "unavailable");
        assert_eq!(failed.at("/can_retry"), true);
        // `by_hand`: only staff end it.
        let waiting = format!("SELECT count(*) FROM exception WHERE by_hand AND reason = '{reason}'");
        assert_eq!(fixture.count(&waiting).await, 1);
    }
    until("canceled at the acquirer", async || {
        fixture
            .charges()
            .await
            .iter()
            .all(|charge| charge["state"] == "canceled")
    })
    .await;
    let list = fixture
        .links
        .staff
        .get("/api/admin/exceptions?status=waiting")
        .await;
    assert_eq!(list.status, 200, "{}", list.body);
    let retried = fixture
        .links
        .staff
        .post(
            &format!("/api/admin/exceptions/{}/retry", list.text("/data/0/id")),
            json!({}),
        )
        .await;
    assert_eq!(retried.status, 409, "{}", retried.body);
    fixture.assert_books_agree().await;
}

/// A charge does not pay its order if the acquirer states another amount than the order's.
#[tokio::test]
async fn a_charge_paid_with_another_amount_is_not_recorded_and_waits_for_staff() {
    // The cents make the sandbox state a cent more once it is paid.
    const PAID_AS_100_30: i64 = 100_29;
    let fixture = OrderFixture::open().await;
    let link = fixture.link(json!({ "amount": PAID_AS_100_30 })).await;
    let order = fixture.placed(&link, pix(PAID_AS_100_30)).await;
    fixture.until_attempt_is(&order, "to_pay").await;
    let sale_id = fixture.sale(&order, 1).await;
    assert_eq!(fixture.change_charge(sale_id, "pay").await.status, 200);
    for _ in 0..2 {
        assert_eq!(fixture.hint(sale_id).await, HintOutcome::Handled);
    }
    let waiting = "SELECT count(*) FROM exception WHERE status = 'waiting' AND notice_type = 'sale.captured'
                      AND reason_parameters::text LIKE '%10030%'";
    assert_eq!(fixture.count(waiting).await, 1);
    assert_eq!(fixture.links.app.count_events("SaleCaptured").await, 0);
    assert_ne!(fixture.status(&order).await.at("/status"), "paid");
}

#[tokio::test]
async fn repeated_hints_about_an_unknown_charge_wait_for_staff_once() {
    let fixture = OrderFixture::open().await;
    let unknown = SaleId::from_uuid(uuid::Uuid::new_v4());
    for _ in 0..2 {
        assert_eq!(fixture.hint(unknown).await, HintOutcome::UnknownCharge);
    }
    let waiting = "SELECT count(*) FROM exception WHERE reason = 'unknown_charge'";
    assert_eq!(fixture.count(waiting).await, 1);
}
