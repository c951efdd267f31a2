//! Refunds that the acquirer refuses wait for staff, who request them again or close them. The cents of a sale's amount
//! select the refusal: 11 is refused each time, 17 only at the first request. The book is the acquirer's own record of
//! refunds.

use gateway_identity::roles::AdminRole;
use gateway_platform::effects::refunds::RefundStatus;
use ledger_domain::SaleId;
use serde_json::{Value, json};

use super::RefundFixture;
use crate::support::wait::until;
use crate::support::{Answer, Client};

async fn staff(fixture: &RefundFixture) -> Client {
    let user = fixture.app.admin(&[AdminRole::Admin]).await;
    fixture.app.sign_in(&user).await
}

/// The only row that waits in the exceptions queue.
async fn waiting_row(staff: &Client) -> Value {
    let list = staff.get("/api/admin/exceptions").await;
    assert_eq!(list.at("/meta/total"), 1, "{}", list.body);
    list.at("/data/0").clone()
}

async fn act(staff: &Client, row: &Value, action: &str, body: Value) -> Answer {
    let id = row["id"].as_str().expect("an id");
    staff
        .post(&format!("/api/admin/exceptions/{id}/{action}"), body)
        .await
}

/// Waits until a second refund of the sale is requested.
async fn until_requested_again(fixture: &RefundFixture, sale: SaleId) {
    let requests = format!("SELECT count(*) FROM refund WHERE sale_id = '{}'", sale.uuid());
    fixture.app.until_count(&requests, 2).await;
}

#[tokio::test]
async fn a_refused_refund_waits_for_staff_with_its_amount_and_reason_until_they_close_it() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.cancel(100_11).await;
    let refund = fixture.becomes(sale, RefundStatus::Refused).await;
    assert_eq!(refund.reason.as_deref(), Some("Prazo para estorno encerrado"));
    let staff = staff(&fixture).await;
    let row = waiting_row(&staff).await;
    assert_eq!(
        (&row["reason"], &row["type"], &row["sale_id"], &row["provider"]),
        (
            &json!("refund_refused"),
            &json!("refund.refused"),
            &json!(sale),
            &json!(1)
        )
    );
    assert_eq!(row["reason_parameters"]["amount"], 100_11);
    assert_eq!(
        row["reason_parameters"]["message"],
        "Prazo para estorno encerrado"
    );
    assert_eq!(row["business_name"], "Padaria");
    assert_eq!(row["next_try_at"], Value::Null, "there is no automatic retry");
    let assigned = json!({ "business_id": fixture.company.id });
    assert_eq!(act(&staff, &row, "assign", assigned).await.status, 409);
    let closed = act(
        &staff,
        &row,
        "close",
        json!({ "reason": "Devolvido por transferência." }),
    )
    .await;
    assert_eq!(
        (closed.text("/status"), closed.text("/resolution")),
        ("closed", "Devolvido por transferência.")
    );
    assert_eq!(act(&staff, &row, "retry", json!({})).await.status, 409);
    assert_eq!(fixture.statuses_in_book(sale).await, ["refused"]);
    assert_eq!(
        fixture.app.count_events("SaleCanceled").await,
        1,
        "the seller's balance does not change again"
    );
}

#[tokio::test]
async fn a_retry_requests_once_more_under_a_new_id() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.cancel(100_17).await;
    fixture.becomes(sale, RefundStatus::Refused).await;
    let staff = staff(&fixture).await;
    let row = waiting_row(&staff).await;
    let retried = act(&staff, &row, "retry", json!({})).await;
    assert_eq!(
        (retried.text("/status"), retried.text("/resolution")),
        ("resolved", "asked_again"),
        "{}",
        retried.body
    );
    assert_eq!(act(&staff, &row, "retry", json!({})).await.status, 409, "once");
    until_requested_again(&fixture, sale).await;
    let refund = fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!(
        (refund.tries, refund.reason),
        (2, None),
        "one try of each request"
    );
    let book = fixture.book().await;
    let requests = &book[&sale.to_string()];
    assert_eq!(
        (&requests[0]["status"], &requests[1]["status"]),
        (&json!("refused"), &json!("done"))
    );
    assert_ne!(requests[0]["refund_id"], requests[1]["refund_id"]);
    let audit_log = "SELECT count(*) FROM audit_log WHERE subject = 'exception' AND action = 'retry'";
    assert_eq!(fixture.app.count(audit_log).await, 1);
}

#[tokio::test]
async fn a_refund_that_is_refused_again_waits_again() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.cancel(100_11).await;
    fixture.becomes(sale, RefundStatus::Refused).await;
    let staff = staff(&fixture).await;
    let first = waiting_row(&staff).await;
    act(&staff, &first, "retry", json!({})).await;
    until_requested_again(&fixture, sale).await;
    fixture.becomes(sale, RefundStatus::Refused).await;
    let second = waiting_row(&staff).await;
    assert_ne!(first["id"], second["id"]);
    assert_eq!(fixture.statuses_in_book(sale).await, ["refused", "refused"]);
}

#[tokio::test]
async fn a_refund_that_the_acquirer_makes_after_all_leaves_the_queue() {
    let fixture = RefundFixture::open().await;
    let sale = fixture.cancel(100_11).await;
    fixture.becomes(sale, RefundStatus::Refused).await;
    let reported = json!({"id": "evt-1", "type": "sale.refunded", "occurred_at": "2026-11-21T18:00:00Z",
                      "data": {"sale_id": sale}});
    assert_eq!(fixture.app.send_json(&reported).await.text("/result"), "already");
    let refund = fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!(refund.reason, None);
    let resolved = "SELECT count(*) FROM exception WHERE status = 'resolved' AND resolution = 'refunded'";
    assert_eq!(fixture.app.count(resolved).await, 1);
}

/// Cancels a sale whose refund the worker cannot read, and waits until the refund is in the exceptions queue. Then
/// makes it readable again. Returns the sale, a staff user, and the row of the exceptions queue.
async fn unreadable_refund(fixture: &RefundFixture) -> (SaleId, Client, Value) {
    // Stands for a row that a newer version wrote: a provider that this one does not know.
    fixture
        .app
        .execute(
            "ALTER TABLE refund DROP CONSTRAINT refund_provider_check;
             CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN NEW.provider := 99; RETURN NEW; END $$;
             CREATE TRIGGER spoil BEFORE INSERT ON refund FOR EACH ROW EXECUTE FUNCTION spoil()",
        )
        .await;
    let sale = fixture.cancel(100_00).await;
    let staff = staff(fixture).await;
    until("an exception of the refund", async || {
        staff.get("/api/admin/exceptions").await.at("/meta/total") == 1
    })
    .await;
    let row = waiting_row(&staff).await;
    fixture.app.execute("UPDATE refund SET provider = 1").await;
    (sale, staff, row)
}

#[tokio::test]
async fn an_unreadable_refund_leaves_the_queue_once_the_acquirer_has_made_it() {
    let fixture = RefundFixture::open().await;
    let (sale, ..) = unreadable_refund(&fixture).await;
    let reported = json!({"id": "evt-1", "type": "sale.refunded", "occurred_at": "2026-11-21T18:00:00Z",
                      "data": {"sale_id": sale}});
    assert_eq!(fixture.app.send_json(&reported).await.text("/result"), "already");
    fixture.becomes(sale, RefundStatus::Done).await;
    assert_eq!(fixture.app.waiting_exceptions().await, json!([]));
}

#[tokio::test]
async fn an_unreadable_refund_waits_for_staff_and_a_retry_requests_it_once_it_is_readable() {
    let fixture = RefundFixture::open().await;
    let (sale, staff, row) = unreadable_refund(&fixture).await;
    assert_eq!(
        (&row["reason"], &row["type"], &row["provider"]),
        (
            &json!("unreadable_refund"),
            &json!("refund.unreadable"),
            &json!(null)
        )
    );
    assert_eq!(act(&staff, &row, "retry", json!({})).await.status, 200);
    fixture.becomes(sale, RefundStatus::Done).await;
}
