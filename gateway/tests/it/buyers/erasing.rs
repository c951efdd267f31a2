//! Which users see a buyer's data, and how staff and the retention job erase it.

use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::buyers::{ErasedCounts, OrderEmail, order_emails_queue};
use projections::replay;
use serde_json::{Value, json};

use super::{BUYER, BuyerFixture, DOCUMENT, EMAIL, MASKED_DOCUMENT, NAME, Order, PHONE};
use crate::support::Company;
use crate::support::acquirer::{capture, json_of, with_type};
use crate::support::wait::until;

const ERASE: &str = "/api/admin/buyers/erase";
const SEARCH: &str = "/api/admin/buyers/search";

fn path(panel: &str, order: &Order) -> String {
    format!("/api{panel}/transactions/{}/buyer", order.sale_id())
}

fn erase_form() -> Value {
    json!({ "document": MASKED_DOCUMENT, "reason": "Pedido do titular" })
}

/// A notice of an unknown type, with the buyer's data in fields that the platform does not read.
fn notice(fixture: &BuyerFixture, id: &str, order: Option<&Order>) -> Value {
    let mut body = json_of(&with_type(&capture(&fixture.bakery, id), "moon.risen"));
    body["customer"] = json!({ "name": NAME, "taxpayer": MASKED_DOCUMENT, "cpf": DOCUMENT });
    body["data"]["note"] = json!(format!("{NAME} <{EMAIL}> {PHONE}"));
    if let Some(order) = order {
        body["data"]["sale_id"] = json!(order.sale_id());
        body["data"]["external_id"] = json!(order.sale.facts.external_id);
    }
    body
}

/// Stores the buyer's data outside the orders: in waiting notices, a stored answer, a refused refund's reason and its
/// copy in the exceptions queue. Also sends e-mails about the orders.
async fn spread_the_data(fixture: &BuyerFixture, paid: &Order, open: &Order) {
    let app = &fixture.app;
    for (email, order) in [(OrderEmail::ToPay, open), (OrderEmail::Paid, paid)] {
        let client = app.database.client().await;
        assert!(
            order_emails_queue(&client, email, order.sale_id())
                .await
                .expect("queued")
        );
    }
    app.until_no_email_waits().await;
    assert_eq!(app.emails_to(EMAIL).await.len(), 2);
    let mut masked = json_of(&with_type(&capture(&fixture.bakery, "n4"), "moon.risen"));
    masked["customer"] = json!({ "taxpayer": MASKED_DOCUMENT });
    for body in [
        notice(fixture, "n1", Some(paid)),
        notice(fixture, "n2", None),
        masked,
    ] {
        assert_eq!(app.send_json(&body).await.text("/result"), "waiting");
    }
    app.execute(&format!(
        "INSERT INTO idempotency_record (key_hash, body_hash, status, answer)
         VALUES (sha256('k'), sha256('b'), 201, '{{\"id\":\"{}\",\"name\":\"{NAME}\"}}')",
        paid.reference
    ))
    .await;
    app.execute(&format!(
        "INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount, status, reason, ended_at,
                             next_try_at)
         VALUES (gen_random_uuid(), '{}', '{}', 1, 'ext-1', 30000, 'refused', 'A conta de {NAME} foi encerrada',
                 now(), NULL);
         INSERT INTO exception (id, provider, notice_id, notice_type, fingerprint, body, reason, reason_parameters,
                                business_id, sale_id, refund_id)
         SELECT gen_random_uuid(), provider, refund_id::text, 'refund.refused', sha256('refund'), '{{}}',
                'refund_refused', json_build_object('message', reason), business_id, sale_id, refund_id
           FROM refund",
        paid.sale_id().uuid(),
        fixture.bakery.id.uuid()
    ))
    .await;
    let dump = fixture.dump().await;
    assert!(
        BUYER.iter().all(|text| dump.contains(text)),
        "every text of the buyer is stored before the erasure"
    );
}

/// The company's owner and an admin user see the buyer; another company's owner does not.
async fn check_who_sees_the_buyer(fixture: &BuyerFixture, order: &Order, other: &Company) {
    let BuyerFixture {
        app, seller, staff, ..
    } = fixture;
    let shown = seller.get(&path("", order)).await;
    let buyer = json!({ "name": NAME, "document": DOCUMENT, "email": EMAIL, "phone": PHONE });
    let expected = json!({ "order": order.reference, "buyer": buyer, "erased_at": null });
    assert_eq!((shown.status, &shown.body), (200, &expected));
    assert_eq!(staff.get(&path("/admin", order)).await.body, expected);
    let other_seller = app
        .sign_in(&app.seller(&[(other, SellerRole::Owner)]).await)
        .await;
    assert_eq!(other_seller.get(&path("", order)).await.status, 404);
}

/// Refused: another role, an invalid form, a reason that names the buyer, and an order that may still be paid.
async fn check_refusals(fixture: &BuyerFixture, open: &Order) {
    let BuyerFixture { app, staff, .. } = fixture;
    let sac = app.sign_in(&app.admin(&[AdminRole::Sac]).await).await;
    assert_eq!(sac.post(ERASE, erase_form()).await.status, 403);
    for (fields, field) in [
        (json!({ "reason": "x" }), "document"),
        (json!({ "document": "111", "reason": "x" }), "document"),
        (
            json!({ "document": DOCUMENT, "order": "7Q2M4Z9X01", "reason": "x" }),
            "document",
        ),
        (json!({ "order": "7Q2M", "reason": "x" }), "order"),
        (json!({ "document": DOCUMENT }), "reason"),
        (
            json!({ "document": DOCUMENT, "reason": "A Marina pediu" }),
            "reason",
        ),
    ] {
        let refused = staff.post(ERASE, fields.clone()).await;
        assert_eq!(refused.status, 422, "{fields}: {}", refused.body);
        assert!(
            refused.at("/errors").get(field).is_some(),
            "{fields}: {}",
            refused.body
        );
    }
    let form = json!({ "order": open.reference, "reason": "Pedido do titular" });
    let still_open = staff.post(ERASE, form).await;
    assert_eq!(still_open.status, 409, "{}", still_open.body);
}

/// Erases the paid order at once, and the open one once it has ended.
async fn erase_both(fixture: &BuyerFixture, paid: &Order, open: &Order) {
    let staff = &fixture.staff;
    let found = staff.post(SEARCH, json!({ "document": MASKED_DOCUMENT })).await;
    let orders = found.at("/data").as_array().expect("orders");
    let erasable: Vec<_> = orders.iter().map(|order| &order["erasable"]).collect();
    assert_eq!(erasable, [&json!(false), &json!(true)], "{}", found.body);
    let erased = staff.post(ERASE, erase_form()).await;
    // Three notices and a refused refund.
    let expected = json!({ "orders": [paid.reference], "open": [open.reference], "exceptions": 4 });
    assert_eq!((erased.status, &erased.body), (200, &expected));
    fixture.end(open, "expired").await;
    assert_eq!(
        staff.post(ERASE, erase_form()).await.at("/orders"),
        &json!([open.reference])
    );
}

/// A later notice of the order and a later e-mail do not store the data again.
async fn check_late_reports(fixture: &BuyerFixture, paid: &Order, open: &Order) {
    let late = fixture.app.send_json(&notice(fixture, "n3", Some(paid))).await;
    assert_eq!(late.text("/result"), "waiting");
    let client = fixture.app.database.client().await;
    assert!(
        !order_emails_queue(&client, OrderEmail::Expired, open.sale_id())
            .await
            .expect("no e-mail")
    );
}

#[tokio::test]
async fn staff_erase_a_buyer_and_nothing_is_left() {
    let fixture = BuyerFixture::open().await;
    let BuyerFixture {
        app, seller, staff, ..
    } = &fixture;
    // A company of the tests can only be added before the first sale.
    let other = app.company("Farmácia").await;
    let paid = fixture.paid_order(1).await;
    let open = fixture.order(2).await;
    spread_the_data(&fixture, &paid, &open).await;
    check_who_sees_the_buyer(&fixture, &paid, &other).await;
    check_refusals(&fixture, &open).await;
    erase_both(&fixture, &paid, &open).await;
    fixture.assert_no_trace().await;
    check_late_reports(&fixture, &paid, &open).await;
    fixture.assert_no_trace().await;

    let shown = seller.get(&path("", &paid)).await;
    assert_eq!((shown.status, shown.at("/buyer")), (200, &Value::Null));
    assert!(shown.at("/erased_at").is_string());
    assert_eq!(staff.post(ERASE, erase_form()).await.status, 404);
    let found = staff.post(SEARCH, json!({ "sale_id": paid.sale_id() })).await;
    assert_eq!(found.at("/data/0/erasable"), false);
    let history = staff.get("/api/admin/buyers/history").await;
    assert_eq!(history.at("/meta/total"), 2, "{}", history.body);
    // The audit would report the refund, because no cancel requested it.
    app.execute("DELETE FROM exception WHERE refund_id IS NOT NULL; DELETE FROM refund")
        .await;
    assert_eq!(app.audit_findings().await, [""; 0]);
    let pool = &app.app.state.pool;
    let replayed = replay::run(
        pool,
        &app.database.connector(),
        |_| (),
        |finding| panic!("{finding:?}"),
    )
    .await;
    assert_eq!(replayed.expect("a replay").findings, 0);
}

#[tokio::test]
async fn the_retention_job_erases_buyers_five_years_after_the_end_of_their_orders() {
    let fixture = BuyerFixture::open().await;
    let app = &fixture.app;
    let old = fixture.paid_order(1).await;
    let fresh = fixture.paid_order(2).await;
    app.send_json(&notice(&fixture, "n1", None)).await;
    // The platform's default setting keeps a buyer's data for 1826 days, which are five years.
    app.execute(&format!(
        "UPDATE link_order SET ended_at = ended_at - interval '1827 days' WHERE id = '{}';
         UPDATE exception SET status = 'resolved', resolution = 'already', next_try_at = NULL,
                              ended_at = now() - interval '1900 days'",
        old.id
    ))
    .await;
    let retention = app.app.retention();
    let erased = retention.run().await.expect("a run");
    assert_eq!(
        erased,
        ErasedCounts {
            orders: 1,
            exceptions: 1
        }
    );
    assert_eq!(
        retention.run().await.expect("a second run"),
        ErasedCounts::default()
    );
    for (order, kept) in [(&old, false), (&fresh, true)] {
        until("the sale is listed", async || {
            fixture.seller.get(&path("", order)).await.status == 200
        })
        .await;
        let shown = fixture.seller.get(&path("", order)).await;
        assert_eq!(shown.at("/buyer").is_object(), kept, "{}", shown.body);
    }
}

/// The ledger and the audit log keep reasons for good. A buyer's name or document there could not be erased.
#[tokio::test]
async fn a_reason_that_names_the_buyer_is_refused() {
    let fixture = BuyerFixture::open().await;
    let order = fixture.paid_order(1).await;
    let dispute = format!("/api/transactions/{}/dispute", order.sale_id());
    for reason in [format!("{NAME} desistiu"), format!("CPF {DOCUMENT}")] {
        let seller = fixture
            .seller
            .clone()
            .with("idempotency-key", &reason.len().to_string());
        let refused = seller.post(&dispute, json!({ "reason": reason })).await;
        assert_eq!(
            (refused.status, refused.text("/errors/reason/0")),
            (
                422,
                "O motivo não pode ser apagado depois: escreva sem dados do comprador."
            )
        );
    }
    assert_eq!(fixture.app.count_events("SaleDisputed").await, 0);
    // Staff's reasons stay in the audit log.
    let waiting = fixture.app.send_json(&notice(&fixture, "n1", Some(&order))).await;
    assert_eq!(waiting.text("/result"), "waiting");
    fixture
        .app
        .execute(&format!(
            "INSERT INTO settlement_difference (id, kind, provider, day, sale_id, business_id, installment, delta, found_at)
             VALUES (gen_random_uuid(), 'missing', 1, '2026-11-20', '{}', '{}', 1, -30000, now())",
            order.sale_id().uuid(),
            fixture.bakery.id.uuid()
        ))
        .await;
    for (list, action) in [
        ("/api/admin/exceptions", "close"),
        ("/api/admin/settlements/differences", "resolve"),
    ] {
        let listed = fixture.staff.get(list).await;
        let path = format!("{list}/{}/{action}", listed.text("/data/0/id"));
        let reason = format!("{NAME} pagou em dinheiro");
        let refused = fixture.staff.post(&path, json!({ "reason": reason })).await;
        assert_eq!(refused.status, 422, "{path}: {}", refused.body);
        let reason = json!({ "reason": "Pago em dinheiro" });
        assert_eq!(fixture.staff.post(&path, reason).await.status, 200, "{path}");
    }
    let seller = fixture.seller.clone().with("idempotency-key", "k");
    let decided = seller
        .post(&dispute, json!({ "reason": "O comprador desistiu" }))
        .await;
    assert_eq!(
        decided.status, 406,
        "only the balance is too low: {}",
        decided.body
    );
}
