//! Each behavior of the sandbox's bank, selected by the cents of the amount.

use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::Value;

use super::{FEE, PayoutFixture, START_BALANCE, alarms};

/// Withdraws this net amount, waits until the payout has the status, and returns the transfer's status.
async fn withdraw_until(fixture: &PayoutFixture, net: i64, status: &str) -> String {
    let (transfer_id, payout_id) = fixture.withdraw(net).await;
    fixture.until_payout_is(payout_id, status).await;
    fixture.assert_books_agree().await;
    fixture.transfer_status(transfer_id).await
}

#[tokio::test]
async fn a_payout_reaches_the_bank_and_the_transfer_is_approved() {
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_00, "paid").await, "approved");
    assert_eq!(
        fixture.available(&fixture.company).await,
        START_BALANCE - 100_00 - FEE
    );
    let book = fixture.book().await;
    let payment = book.values().next().expect("a payment");
    assert_eq!(payment["amount"], 100_00, "the platform keeps the fee");
    assert_eq!(payment["destination"]["pix"]["key"], "52998224725");
}

#[tokio::test]
async fn a_failed_payout_returns_the_money_and_a_new_payout_can_pay_it() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, first) = fixture.withdraw(100_01).await;
    fixture.until_payout_is(first, "failed").await;
    assert_eq!(fixture.transfer_status(transfer_id).await, "failed");
    assert_eq!(fixture.available(&fixture.company).await, START_BALANCE);
    fixture.reopen(&fixture.company, transfer_id).await;
    let second = fixture.pay(&fixture.company, transfer_id).await;
    fixture.until_payout_is(second, "paid").await;
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
    assert_eq!(fixture.payout_status(first).await.as_deref(), Some("failed"));
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_call_that_timed_out_and_was_paid_is_paid_once() {
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_02, "paid").await, "approved");
}

#[tokio::test]
async fn a_call_that_was_answered_with_a_500_and_was_paid_is_paid_once() {
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_09, "paid").await, "approved");
}

#[tokio::test]
async fn a_payout_without_its_notice_is_looked_up_until_it_ends() {
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_03, "paid").await, "approved");
    let deliveries = fixture.bank().get("/sandbox/deliveries").await;
    assert_eq!(deliveries.body, Value::Array(vec![]), "no notice was sent");
}

#[tokio::test]
async fn a_notice_that_comes_twice_counts_once() {
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_04, "paid").await, "approved");
    fixture.until_delivered(2).await;
    assert_eq!(fixture.app.count_events("TransferApproved").await, 1);
    assert_eq!(fixture.app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn an_order_that_never_arrived_is_sent_again_under_the_same_id() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_05).await;
    fixture.until_payout_is(payout_id, "paid").await;
    assert_eq!(fixture.transfer_status(transfer_id).await, "approved");
    let book = fixture.book().await;
    assert_eq!(book.keys().collect::<Vec<_>>(), [&payout_id.to_string()]);
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn a_notice_can_arrive_before_the_sending_is_recorded() {
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_06, "paid").await, "approved");
    assert_eq!(fixture.app.count_events("TransferApproved").await, 1);
}

#[tokio::test]
async fn a_payment_after_a_reported_failure_debits_the_money_again_and_raises_an_alarm() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let fixture = PayoutFixture::open().await;
    assert_eq!(withdraw_until(&fixture, 100_07, "paid").await, "approved");
    assert_eq!(fixture.app.count_events("TransferFailed").await, 1);
    assert_eq!(
        fixture.available(&fixture.company).await,
        START_BALANCE - 100_07 - FEE
    );
    let sql =
        "SELECT payload->'TransferApproved'->>'overrules' FROM event WHERE event_type = 'TransferApproved'";
    assert!(
        fixture.text(sql, &[]).await.is_some(),
        "the transfer is marked for staff"
    );
    // The alarm is raised before the commit, so a repeated transaction raises it again.
    assert!(alarms(&recorder, "razao_payouts_overruled_total") >= 1);
}

#[tokio::test]
async fn an_order_that_the_bank_refuses_at_once_fails_without_a_notice() {
    let fixture = PayoutFixture::open().await;
    let (transfer_id, payout_id) = fixture.withdraw(100_08).await;
    fixture.until_payout_is(payout_id, "failed").await;
    assert_eq!(fixture.transfer_status(transfer_id).await, "failed");
    assert_eq!(fixture.available(&fixture.company).await, START_BALANCE);
    let sql = "SELECT payload->'TransferFailed'->>'reason' FROM event WHERE event_type = 'TransferFailed'";
    assert_eq!(
        fixture.text(sql, &[]).await.as_deref(),
        Some("Conta de destino encerrada")
    );
    fixture.assert_books_agree().await;
}

#[tokio::test]
async fn the_banks_front_page_lists_the_cents_that_select_a_behavior() {
    let fixture = PayoutFixture::open().await;
    let page = fixture.bank().get("/").await.body;
    let page = page.as_str().expect("a text");
    for cents in 1..=9 {
        assert!(page.contains(&format!("x,{cents:02}")), "{page}");
    }
}

#[tokio::test]
async fn the_bank_refuses_another_order_under_a_used_idempotency_key() {
    let fixture = PayoutFixture::open().await;
    let (_, payout_id) = fixture.withdraw(100_00).await;
    fixture.until_payout_is(payout_id, "paid").await;
    let mut order = fixture.book().await[&payout_id.to_string()].clone();
    let bank = fixture.bank().with("idempotency-key", &payout_id.to_string());
    let again = bank.post("/payouts", order.clone()).await;
    assert_eq!((again.status, again.text("/status")), (200, "paid"));
    order["amount"] = Value::from(100_10);
    assert_eq!(bank.post("/payouts", order).await.status, 409);
    fixture.assert_books_agree().await;
}
