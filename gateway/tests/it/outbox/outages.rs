//! A provider that is silent for a while: the orders that wait for it wait together. The pauses of the orders are hours.

use super::OutboxFixture;

/// This many orders whose first try found the provider silent.
async fn waiting_orders(fixture: &OutboxFixture, orders: i64) {
    fixture.receiver.be_silent(true);
    for _ in 0..orders {
        fixture.add("pay unless silent").await;
    }
    let worker = fixture.worker();
    let waiting = "awaits = 'bank' AND last_error = 'silent' AND paused_until = next_try_at
                   AND next_try_at > now() + interval '1 hour'";
    fixture.until_rows(orders, waiting).await;
    // A worker that is dropped may have claimed what is added next.
    worker.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_orders_that_wait_for_a_silent_provider_are_due_once_it_answers_another_one() {
    let fixture = OutboxFixture::open().await;
    waiting_orders(&fixture, 40).await;
    // A worker that cannot reach the other system about the waiting orders still is told about this one.
    let _worker = fixture.worker();
    fixture.add("unreachable").await;
    fixture.until_rows(1, "last_error = 'unreachable'").await;
    fixture.receiver.be_silent(false);
    let other = fixture.add("pay").await;
    fixture
        .until_rows(41, "status = 'paid' AND awaits IS NULL AND next_try_at IS NULL")
        .await;
    assert_eq!(fixture.receiver.paid(other), 1);
    assert!(fixture.receiver.book().paid.values().all(|paid| *paid == 1));
    // Its fault was about itself, so it keeps its own pause.
    let own_pause = "last_error = 'unreachable' AND awaits IS NULL AND tries = 1
                     AND next_try_at > now() + interval '1 hour'";
    fixture.until_rows(1, own_pause).await;
}

/// No other order comes. The worker that finds the rows knows nothing of the outage: its process has just started.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_order_finds_that_its_provider_answers_again() {
    let fixture = OutboxFixture::open().await;
    waiting_orders(&fixture, 5).await;
    let _worker = fixture.worker();
    // One order at a time is tried.
    fixture.until_rows(1, "tries = 2 AND last_error = 'silent'").await;
    fixture.receiver.be_silent(false);
    fixture.until_rows(5, "status = 'paid'").await;
    assert!(fixture.receiver.book().paid.values().all(|paid| *paid == 1));
    fixture.until_rows(0, "tries > 3").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_is_attempted_is_not_made_due_when_its_provider_answers() {
    let fixture = OutboxFixture::open().await;
    waiting_orders(&fixture, 2).await;
    let attempted = "UPDATE test_order SET content = 'pay slowly', next_try_at = now()
                      WHERE id = (SELECT min(id::text)::uuid FROM test_order)";
    let _worker = fixture.worker();
    // The worker's own first look at its waiting orders comes before.
    fixture.until_rows(1, "tries = 2 AND last_error = 'silent'").await;
    fixture.execute(attempted).await;
    fixture.receiver.called.notified().await;
    let tries = "SELECT tries::int8 FROM test_order WHERE content = 'pay slowly'";
    let in_hand = fixture.number(tries).await;
    fixture.receiver.be_silent(false);
    let other = fixture.add("pay").await;
    fixture.until_rows(2, "status = 'paid'").await;
    assert_eq!(fixture.receiver.paid(other), 1);
    // A row that became due is claimed with this one.
    fixture.add("pay").await;
    fixture.until_rows(3, "status = 'paid'").await;
    assert_eq!(fixture.number(tries).await, in_hand);
    fixture.receiver.released.notify_one();
    fixture.until_rows(4, "status = 'paid'").await;
    assert!(fixture.receiver.book().paid.values().all(|paid| *paid == 1));
}
